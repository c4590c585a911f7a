"""The detector of every tagger that decodes a chain: one tokenizer, one tagger, one manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, Self, TypeVar

from scrubjay.artifacts import Manifest
from scrubjay.cores import Begun, Results
from scrubjay.document import Document, Span
from scrubjay.taggers._decoding.chain import Finding, Reading, Scores, Wanted
from scrubjay.taggers.capitals import as_read, restoring_manifest
from scrubjay.taggers.mending import mend_all
from scrubjay.taggers.mending_models import is_mending, read_trust, scores_to_mend
from scrubjay.tags import IndexArray
from scrubjay.text.entities import reading_entities
from scrubjay.text.tokenizers import Tokenizer
from scrubjay.text.tokens import Tokens


class ChainTagger(Protocol):
    """A tagger that decodes by a `ChainDecoder`, and knows the files of its model."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Return every label that its readings can give."""

    def read(self, batch: Sequence[Tokens]) -> Reading:
        """Return what the tagger makes of the texts."""

    def with_dial(self, dial: float) -> Self:
        """Return the same tagger at another point between precision and recall."""

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact."""


_Begin = Callable[[Sequence[Tokens]], Results[Finding]]
"""What a tagger has that reads in parts, and lets other threads begin with them: `begin`."""

_ReadRanges = Callable[[Sequence[Tokens], IndexArray], Reading]
"""What one has that need not read whole texts: `read_ranges`."""

T = TypeVar("T", bound=ChainTagger)


# Without slots: of a frozen class that has them, `CrfDetector(...)` and the like cannot be made.
@dataclass(frozen=True, eq=False, repr=False)
class ChainDetector(Generic[T]):
    """Finds PHI in documents with one tokenizer and one tagger; the manifest names the model.

    Its name, or else its kind, is the `source` of the spans, unless another one is given.
    """

    tokenizer: Tokenizer
    tagger: T
    manifest: Manifest = field(kw_only=True)
    scores: Scores = field(kw_only=True, default="path")
    source: str = field(kw_only=True, default="")

    @property
    def labels(self) -> tuple[str, ...]:
        """Return every label that `detect` can give."""
        return self.tagger.labels

    @reading_entities
    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, sorted and disjoint."""
        return self.detect_tokens(
            [self.tokenizer.tokenize(d.text) for d in as_read(documents, self.manifest)]
        )

    def detect_tokens(self, batch: Sequence[Tokens]) -> list[tuple[Span, ...]]:
        """Return what `detect` does, of texts that its tokenizer has cut already."""
        return list(self.finish(self.begin(batch)))

    def begin(self, batch: Sequence[Tokens]) -> Results[Finding]:
        """Let other threads begin with `detect_tokens`, which `finish` goes on with."""
        begin: _Begin | None = getattr(self.tagger, "begin", None)
        return begin(batch) if begin else Begun(self.read_tokens, [batch])

    def finish(self, readings: Iterable[Finding]) -> Iterator[tuple[Span, ...]]:
        """Yield what is found in each text of readings, one after another."""
        source = self.source or self.manifest.name or self.manifest.kind
        mending, trust = is_mending(self.manifest), read_trust(self.manifest)
        for reading in readings:
            found = reading.spans(source=source, scores=self.scores)
            if mending:
                texts = [tokens.text for tokens in reading.batch]
                found = mend_all(
                    texts, found, self.manifest.language, labels=self.labels, trust=trust
                )
            yield from found

    def read_tokens(self, batch: Sequence[Tokens]) -> Reading:
        """Return what its tagger makes of texts that its tokenizer has cut already."""
        return self.tagger.read(batch)

    def read_ranges(self, batch: Sequence[Tokens], ranges: IndexArray) -> Reading:
        """Return what its tagger makes of ranges (k, 2) of tokens, or of all where it reads all."""
        read: _ReadRanges | None = getattr(self.tagger, "read_ranges", None)
        return read(batch, ranges) if read else self.tagger.read(batch)

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact."""
        return self.tagger.files()

    def without_scores(self, *, but: Wanted | None = None) -> ChainDetector[T]:
        """Return the same detector, most of whose spans have no score, in less time.

        Those that `but` wants keep theirs, and so do those whose score decides when the detector
        mends what it finds. One that mends, of which others want scores besides, keeps all.
        """
        own = scores_to_mend(self.manifest)
        return self if own and but else replace(self, scores=own or but or "none")

    def with_capitals(self) -> ChainDetector[T]:
        """Return the same detector that reads texts without capitals with those they would have."""
        return replace(self, manifest=restoring_manifest(self.manifest))

    def with_source(self, source: str) -> ChainDetector[T]:
        """Return the same detector with another source of its spans."""
        return replace(self, source=source)

    def with_dial(self, dial: float) -> ChainDetector[T]:
        """Return the same detector at another point between precision and recall."""
        return replace(self, tagger=self.tagger.with_dial(dial))
