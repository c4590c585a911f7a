"""Gold and the documents of several systems, brought together by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import tee
from pathlib import Path

from scrubjay.document import Document
from scrubjay.errors import ConfigError, LabelError
from scrubjay.evaluation.pairs import Pair, Pairing, Unpaired
from scrubjay.evaluation.reading import (
    Relabelling,
    explain_guess,
    guess_label_set,
    named_label_set,
)
from scrubjay.labels import LabelMap, LabelSet


@dataclass(frozen=True, slots=True)
class Aligned:
    """One document with its gold spans, and as each system predicted it, in their order."""

    gold: Document
    predicted: tuple[Document, ...]


class AlignedCorpora:
    """Gold and the same documents as several systems predicted them; iterate it once.

    Everything is streamed: where all corpora come in one order, some dozen documents are held.
    With `unpaired="skip"` documents that not every corpus has are left out and counted in
    `skipped`. Label set and label map are used and guessed as `PairedCorpora` does it.

    Raises `ConfigError` for less than two systems, and what `Pairing` and `PairedCorpora` raise,
    with the name of the system.
    """

    def __init__(
        self,
        gold: Iterable[Document],
        systems: Mapping[str, Iterable[Document]],
        *,
        label_set: str | Path | LabelSet | None = None,
        label_map: LabelMap | None = None,
        unpaired: Unpaired = "error",
    ) -> None:
        if len(systems) < 2:
            raise ConfigError(
                f"a comparison needs two systems or more, there is {', '.join(systems) or 'none'}",
                hint="Give gold and two predicted corpora",
            )
        self.systems = tuple(systems)
        self._relabel = Relabelling(label_map)
        mapped = iter(self._relabel(gold))
        self._gold, *branches = tee(mapped, len(systems) + 1)
        self._pairings = [
            Pairing(branch, self._relabel(documents), unpaired, name=f"the system {name!r}")
            for branch, (name, documents) in zip(branches, systems.items(), strict=True)
        ]
        self._alone = 0
        self._aligned = self._align()
        self.label_set = named_label_set(label_set, label_map)
        self.guessed = self.label_set is None
        if self.guessed:
            self.label_set, self._aligned = guess_label_set(
                self._aligned, lambda one: (one.gold, *one.predicted)
            )

    def __iter__(self) -> Iterator[Aligned]:
        return self._aligned

    @property
    def skipped(self) -> int:
        """Documents that stand in some of the corpora alone, once for each corpus without gold."""
        return self._alone + sum(pairing.predicted_alone for pairing in self._pairings)

    @property
    def unlabelled(self) -> dict[str, int]:
        """System -> its spans that were taken away, since they lie in regions nobody labelled."""
        counts = zip(self.systems, self._pairings, strict=True)
        return {name: pairing.unlabelled for name, pairing in counts if pairing.unlabelled}

    @property
    def outside(self) -> dict[str, int]:
        """Label -> spans of all corpora that the label map leaves without counterpart."""
        return dict(sorted(self._relabel.outside.items()))

    def explain(self, error: LabelError) -> LabelError:
        """Return the error of an unknown label, with what to do where the set was guessed."""
        return explain_guess(error) if self.guessed else error

    def _align(self) -> Iterator[Aligned]:
        """Yield the documents that every system has, in the order of gold."""
        streams: list[Iterator[Pair]] = [iter(pairing) for pairing in self._pairings]
        # Each stream holds to the order of gold, so its next pair is for this document or a later.
        heads = [next(stream, None) for stream in streams]
        for document in self._gold:
            found: list[Document] = []
            for number, head in enumerate(heads):
                if head is not None and head.gold is document:
                    found.append(head.predicted)
                    heads[number] = next(streams[number], None)
            if len(found) == len(streams):
                yield Aligned(document, tuple(found))
            else:
                self._alone += 1
