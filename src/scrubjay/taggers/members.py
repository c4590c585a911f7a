"""The members of an ensemble, and how they are asked: each sees every document once.

Those with the same tokenizer share its tokens; what other threads can begin with they begin with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol, runtime_checkable

import numpy as np

from scrubjay.artifacts import Manifest
from scrubjay.cores import Results
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, DetectionError
from scrubjay.taggers._combining.candidates import Proposals
from scrubjay.taggers._combining.combiners import Asked
from scrubjay.taggers._decoding.chain import Reading, Wanted
from scrubjay.taggers.capitals import as_read
from scrubjay.taggers.kinds import Loaded
from scrubjay.taggers.regex import RegexDetector
from scrubjay.taggers.tbed import INITIAL, TbedDetector
from scrubjay.tags import IndexArray
from scrubjay.text.tokenizers import Tokenizer
from scrubjay.text.tokens import Tokens

#: Parts of a batch in which it goes on from what members found, while others are still at work.
_PARTS = 6


@runtime_checkable
class _OfTokens(Protocol):
    """A detector that can be given tokens instead of documents."""

    tokenizer: Tokenizer

    def detect_tokens(self, batch: Sequence[Tokens]) -> list[tuple[Span, ...]]: ...


@runtime_checkable
class _Beginning(Protocol):
    """A detector that other threads can begin with: on tokens if it can be given them."""

    def begin(self, batch: Sequence[Any], /) -> Results[Any]: ...

    def finish(self, begun: Iterable[Any], /) -> Iterator[tuple[Span, ...]]: ...


@runtime_checkable
class _OfOpinion(_OfTokens, Protocol):
    """A detector that can also say how likely it holds any span to be."""

    def read_tokens(self, batch: Sequence[Tokens]) -> Reading: ...


@runtime_checkable
class _OfRanges(_OfOpinion, Protocol):
    """A detector that can be asked for ranges (k, 2) of tokens."""

    def read_ranges(self, batch: Sequence[Tokens], ranges: IndexArray) -> Reading: ...


@runtime_checkable
class _Turnable(Protocol):
    def with_dial(self, dial: float) -> Loaded: ...


@runtime_checkable
class _Scored(Protocol):
    def without_scores(self, *, but: Wanted | None = None) -> Loaded: ...


@runtime_checkable
class _Sourced(Protocol):
    def with_source(self, source: str) -> Loaded: ...


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A detector of an ensemble by its name, with the manifest that it would have alone."""

    name: str
    detector: Loaded
    manifest: Manifest

    @property
    def is_dialled(self) -> bool:
        """Tell whether its recall can be turned."""
        return isinstance(self.detector, _Turnable)

    def with_dial(self, dial: float) -> Member:
        """Return the member at another dial, or as it is where it has none."""
        if not isinstance(self.detector, _Turnable):
            return self
        return replace(self, detector=self.detector.with_dial(dial))

    def without_scores(self, *, but: Wanted | None = None) -> Member:
        """Return the member without scores but those, or as it is where that saves nothing."""
        if not isinstance(self.detector, _Scored):
            return self
        return replace(self, detector=self.detector.without_scores(but=but))

    def with_source(self, source: str) -> Member:
        """Return the member with this source of its spans, or as it is where it sets its own."""
        if not isinstance(self.detector, _Sourced):
            return self
        return replace(self, detector=self.detector.with_source(source))


@dataclass(frozen=True, slots=True, eq=False)
class Late:
    """The members that are asked last, and what finds the token ranges (k, 2) to ask them for.

    It is given the readings of the others by their names.
    """

    members: tuple[str, ...]
    seek: Callable[[Mapping[str, Reading | None]], IndexArray]


class MemberRunner:
    """Runs detectors over documents; those with equal tokenizers see the same tokens.

    With "opinions", as a stacker wants them, the sources of spans name rules alone, and there is
    a reading of each member that can have one. With "scores", as a pool wants them, there are
    readings of all and no spans. Members in `fill` are asked for spans alone. Those of
    `late` are asked last, and for the token ranges alone that it finds in what the others read.

    Raises `ConfigError` where members are asked for scores that do not share a tokenizer, or have
    none.
    """

    def __init__(
        self,
        members: Sequence[Member],
        *,
        asked: Asked = "opinions",
        fill: Sequence[str] = (),
        late: Late | None = None,
    ) -> None:
        self.members = tuple(members)
        self._late = late
        self._asked: list[Asked] = ["spans" if m.name in fill else asked for m in members]
        self._name_rules = [
            rule_namer(m.detector) if asked == "opinions" else None for m in members
        ]
        detectors = [member.detector for member in members]
        # What each can do, looked at once: to ask a protocol takes as long as to read some words.
        self._readers = [d if isinstance(d, _OfTokens) else None for d in detectors]
        self._speakers = [d if isinstance(d, _OfOpinion) else None for d in detectors]
        self._rangers = [d if isinstance(d, _OfRanges) else None for d in detectors]
        self._keys = [tokenizer_key(one.tokenizer) if one else None for one in self._readers]
        # Those that see texts first: others are at work on them while the texts are cut.
        self._beginners = sorted(
            (
                (number, detector)
                for number, detector in enumerate(detectors)
                if self._asked[number] == "spans" and isinstance(detector, _Beginning)
            ),
            key=lambda one: self._keys[one[0]] is not None,
        )
        self._require_scores()

    def tokenizer_keys(self) -> list[str | None]:
        """Return the `tokenizer_key` of each member, None for one that sees texts."""
        return list(self._keys)

    def find(
        self, documents: Sequence[Document]
    ) -> tuple[list[list[tuple[Span, ...]]], list[Reading | None]]:
        """Return the spans of each member for each document, and the reading of each member."""
        found: list[list[tuple[Span, ...]]] = [[] for _ in self.members]
        readings: list[Reading | None] = []
        for part in self.find_parts(documents):
            readings = list(part.readings)
            for known, spans in zip(found, part.found, strict=True):
                known += map(tuple, spans)
        return found, readings

    def find_parts(
        self, documents: Sequence[Document], *, meanwhile: Callable[[], object] | None = None
    ) -> Iterator[Proposals]:
        """Yield what `find` returns, of some documents after others of them.

        What other threads can begin with they begin with, while this one asks the other members,
        and does what is to be done `meanwhile`; they go on while something is made of the first
        parts. There is one part where a member has a reading, and where there are no documents.
        """
        tokens: dict[str, list[Tokens]] = {}
        begun: dict[int, Results[Any]] = {}
        try:
            for number, detector in self._beginners:
                reader = self._readers[number]
                begun[number] = detector.begin(
                    self._tokens(number, reader, documents, tokens) if reader else documents
                )
            spans, readings = self._ask_others(begun, documents, tokens)
            for place, (number, detector) in enumerate(self._beginners, start=1):
                found = iter(detector.finish(begun[number]))
                # The last is still at work while the others are asked for all that they found.
                spans[number] = found if place == len(begun) else iter(list(found))
            if meanwhile is not None:
                meanwhile()
            yield from self._parts(documents, spans, readings)
        finally:
            for results in begun.values():
                results.cancel()

    def _ask_others(
        self,
        begun: Collection[int],
        documents: Sequence[Document],
        tokens: dict[str, list[Tokens]],
    ) -> tuple[dict[int, Iterator[tuple[Span, ...]]], list[Reading | None]]:
        """Return the spans of the members that were not begun with, and the readings of all."""
        spans: dict[int, Iterator[tuple[Span, ...]]] = {}
        readings: list[Reading | None] = [None] * len(self.members)
        last = self._late.members if self._late else ()
        for is_late in (False, True) if self._late else (False,):
            ranges = None
            if is_late and self._late:
                seen = {self.members[n].name: readings[n] for n in spans}
                ranges = self._late.seek(seen)
            for number, member in enumerate(self.members):
                if number not in begun and (member.name in last) == is_late:
                    found, readings[number] = self._ask(number, documents, tokens, ranges=ranges)
                    spans[number] = iter(found)
        return spans, readings

    def _parts(
        self,
        documents: Sequence[Document],
        spans: Mapping[int, Iterator[tuple[Span, ...]]],
        readings: list[Reading | None],
    ) -> Iterator[Proposals]:
        """Yield the parts of a batch, of what each member finds in its documents."""
        whole = any(reading is not None for reading in readings)
        size = max(1, -(-len(documents) // (1 if whole else _PARTS)))
        for first in range(0, max(1, len(documents)), size):
            some = documents[first : first + size]
            found: list[list[tuple[Span, ...]]] = []
            for number, rules in enumerate(self._name_rules):
                taken = list(islice(spans[number], len(some)))
                more = sum(1 for _ in spans[number]) if first + size >= len(documents) else 0
                if more or len(taken) < len(some):
                    # Too many would give documents the spans of others, and pass by.
                    raise DetectionError(
                        f"member {self.members[number].name!r} gave {first + len(taken) + more} "
                        f"results for {len(documents)} documents"
                    )
                found.append([tuple(map(rules, each)) for each in taken] if rules else taken)
            yield Proposals(some, found, readings)

    def _tokens(
        self,
        number: int,
        reader: _OfTokens,
        documents: Sequence[Document],
        known: dict[str, list[Tokens]],
    ) -> list[Tokens]:
        """Return the tokens that a member sees; those that another has seen are `known`."""
        key = self._keys[number]
        assert key is not None
        if key not in known:
            known[key] = [reader.tokenizer.tokenize(d.text) for d in documents]
        read = as_read(documents, self.members[number].manifest)
        if read is documents:
            return known[key]
        if (restored := f"{key} {number}") not in known:
            known[restored] = [
                plain
                if one is other
                else _of_same_places(reader.tokenizer.tokenize(one.text), plain)
                for one, other, plain in zip(read, documents, known[key], strict=True)
            ]
        return known[restored]

    def _ask(
        self,
        number: int,
        documents: Sequence[Document],
        known: dict[str, list[Tokens]],
        *,
        ranges: IndexArray | None = None,
    ) -> tuple[list[tuple[Span, ...]], Reading | None]:
        """Return the spans of a member for each document, and its reading if that is asked for."""
        asked, reader, speaker = self._asked[number], self._readers[number], self._speakers[number]
        if reader is None:
            return self.members[number].detector.detect(documents), None
        tokens = self._tokens(number, reader, documents, known)
        if asked == "spans" or speaker is None:
            return reader.detect_tokens(tokens), None
        ranger = self._rangers[number]
        if ranges is not None and ranger is not None:
            return [() for _ in documents], ranger.read_ranges(tokens, ranges)
        reading = speaker.read_tokens(tokens)
        silent = asked == "scores"
        return [() for _ in documents] if silent else reading.spans(source=""), reading

    def _require_scores(self) -> None:
        """Refuse members that are asked for scores and cannot be pooled."""
        pooled = [number for number, asked in enumerate(self._asked) if asked == "scores"]
        for number in pooled:
            name = self.members[number].name
            if self._speakers[number] is None:
                raise ConfigError(
                    f"the member {name!r} has no scores that could be pooled",
                    hint="Pool CRFs and networks, and let others fill: fill = [...] in [combiner]",
                )
        require_one_tokenizer((self.members[n].name, self._keys[n]) for n in pooled)


def _of_same_places(tokens: Tokens, plain: Tokens) -> Tokens:
    """Return tokens, or the plain ones where they lie elsewhere: members of a pool see the same."""
    same = np.array_equal(tokens.starts, plain.starts) and np.array_equal(tokens.ends, plain.ends)
    return tokens if same else plain


def require_one_tokenizer(members: Iterable[tuple[str, str | None]]) -> None:
    """Refuse members of a pool, each with its `tokenizer_key`, that cut texts in two ways."""
    rows = list(members)
    for name, key in rows:
        if key != rows[0][1]:
            raise ConfigError(
                f"the members {rows[0][0]!r} and {name!r} have different tokenizers, so their "
                "scores cannot be pooled",
                hint="Train them with one tokenizer, or choose another method",
            )


def tokenizer_key(tokenizer: Tokenizer) -> str:
    """Return a text that is the same for tokenizers that cut all texts alike."""
    return json.dumps([tokenizer.name, tokenizer.parameters()], sort_keys=True)


def rule_namer(detector: Loaded) -> Callable[[Span], Span]:
    """Return a function from a span of a detector to one whose source names the rules behind it.

    A pattern goes by its name. A learned rule goes by a digest of its text, which is the same
    wherever the same rule is learned; its number is not. Other spans lose their source.
    """
    if isinstance(detector, RegexDetector):
        return lambda span: replace(span, source=span.source.partition(":")[2])
    if isinstance(detector, TbedDetector):
        digests = {
            str(number): hashlib.sha256(str(rule).encode("utf-8", "surrogatepass")).hexdigest()[:12]
            for number, rule in enumerate(detector.tagger.model.rules, start=1)
        } | {INITIAL: INITIAL}

        def name_rules(span: Span) -> Span:
            numbers = span.source.partition(":")[2].split(",")
            return replace(span, source=",".join(digests[number] for number in numbers))

        return name_rules
    return lambda span: replace(span, source="")
