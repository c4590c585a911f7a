"""How well PHI of a test corpus is known from training: seen or unseen, how often, and its recall.

Jiang et al. 2017 explain by document frequency (section 8.3.4, Figure 8) why one label is missed
more often than another: strings that stand in many training documents are remembered. Nothing
that is returned holds text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any

from scrubjay.analysis.training_strings import LEVELS, TrainingStrings
from scrubjay.errors import ConfigError
from scrubjay.evaluation.leakage import merge_spans, uncovered
from scrubjay.evaluation.matching import span_items
from scrubjay.evaluation.pairs import Pair

BAND_STARTS = (0, 1, 2, 3, 6, 11, 51)
"""Where bands of frequencies begin: 0, 1, 2, 3-5, 6-10, 11-50, 51 and more."""


@dataclass(frozen=True, slots=True)
class Found:
    """How many gold spans there are, and how many of them a system found.

    `strict`: a predicted span has the same label and borders. `covered`: every character of the
    span but white space lies in predicted spans, whatever their label, so nothing of it leaks.
    """

    gold: int = 0
    strict: int = 0
    covered: int = 0

    def __add__(self, other: Found) -> Found:
        return Found(
            self.gold + other.gold, self.strict + other.strict, self.covered + other.covered
        )

    @property
    def strict_recall(self) -> float | None:
        """The share found strictly; None where there is no gold span."""
        return self.strict / self.gold if self.gold else None

    @property
    def covered_recall(self) -> float | None:
        """The share covered; None where there is no gold span."""
        return self.covered / self.gold if self.gold else None

    def record(self) -> dict[str, Any]:
        """Return the counts and shares as JSON values."""
        return {
            "gold": self.gold,
            "strict": self.strict,
            "covered": self.covered,
            "strict_recall": self.strict_recall,
            "covered_recall": self.covered_recall,
        }


@dataclass(frozen=True, slots=True)
class Band:
    """A range of frequencies, `last` included; None is without end."""

    first: int
    last: int | None

    def __str__(self) -> str:
        if self.last is None:
            return f"{self.first}+"
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def make_bands(starts: Sequence[int]) -> tuple[Band, ...]:
    """Return the bands that begin at these numbers, each up to the next.

    Raises `ConfigError` unless they ascend from 0 and 1, so that unseen is a band of its own.
    """
    ascending = all(one < other for one, other in pairwise(starts))
    if tuple(starts[:2]) != (0, 1) or not ascending:
        raise ConfigError("bands of frequencies must ascend and begin with 0, 1")
    ends: list[int | None] = [start - 1 for start in starts[1:]]
    return tuple(map(Band, starts, [*ends, None]))


@dataclass(frozen=True, slots=True)
class LabelFamiliarity:
    """One label, or all together (`label` is None): recall by how well its strings are known.

    `levels`, `by_documents` and `by_mentions` each part the gold spans, in the order of `LEVELS`
    and of the bands: by the training documents with the string under its label, and by the
    training spans.
    """

    label: str | None
    levels: tuple[Found, ...]
    by_documents: tuple[Found, ...]
    by_mentions: tuple[Found, ...]

    @property
    def whole(self) -> Found:
        """All gold spans."""
        return sum(self.levels, Found())

    @property
    def seen(self) -> Found:
        """The gold spans whose string training had under the same label."""
        return self.levels[0]

    @property
    def unseen(self) -> Found:
        """The other gold spans."""
        return sum(self.levels[1:], Found())


@dataclass(frozen=True, slots=True)
class LabelFrequencies:
    """The document frequencies of the training strings of a label (Jiang 2017, Figure 8).

    `strings` are distinct, `bands` counts them by the documents that they stand in. `mean` and
    `median` are over the distinct strings.
    """

    label: str
    mentions: int
    strings: int
    mean: float
    median: float
    bands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FamiliarityReport:
    """Recall by how well PHI is known from training, and what training had.

    `labels` ends with the row of all labels together.
    """

    normalisation: str
    training_documents: int
    bands: tuple[Band, ...]
    labels: tuple[LabelFamiliarity, ...]
    training: tuple[LabelFrequencies, ...]

    @property
    def all_labels(self) -> LabelFamiliarity:
        """The row of all labels together."""
        return self.labels[-1]

    def record(self) -> dict[str, Any]:
        """Return the report as JSON values, without any string."""
        return {
            "normalisation": self.normalisation,
            "training_documents": self.training_documents,
            "bands": [[band.first, band.last] for band in self.bands],
            "labels": [self._label_record(row) for row in self.labels],
            "training": [
                {
                    "label": row.label,
                    "mentions": row.mentions,
                    "strings": row.strings,
                    "mean_document_frequency": row.mean,
                    "median_document_frequency": row.median,
                    "strings_by_documents": self._by_band(row.bands),
                }
                for row in self.training
            ],
        }

    def _label_record(self, row: LabelFamiliarity) -> dict[str, Any]:
        levels = zip(LEVELS, row.levels, strict=True)
        return {
            "label": row.label,
            "all": row.whole.record(),
            "seen": row.seen.record(),
            "unseen": row.unseen.record(),
            "levels": {level: found.record() for level, found in levels},
            "by_documents": self._by_band([found.record() for found in row.by_documents]),
            "by_mentions": self._by_band([found.record() for found in row.by_mentions]),
        }

    def _by_band(self, values: Sequence[Any]) -> dict[str, Any]:
        return {str(band): value for band, value in zip(self.bands, values, strict=True)}


@dataclass(slots=True)
class _Sums:
    levels: list[Found]
    by_documents: list[Found]
    by_mentions: list[Found]

    def row(self, label: str | None) -> LabelFamiliarity:
        return LabelFamiliarity(
            label, tuple(self.levels), tuple(self.by_documents), tuple(self.by_mentions)
        )


@dataclass(slots=True)
class FamiliarityScorer:
    """Takes pairs in and yields recall by how well their gold strings are known from training.

    Gold spans with the same label and borders count once.
    """

    training: TrainingStrings
    band_starts: Sequence[int] = BAND_STARTS
    _bands: tuple[Band, ...] = field(init=False, repr=False)
    _sums: dict[str, _Sums] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._bands = make_bands(self.band_starts)

    def add(self, pair: Pair) -> None:
        """Take in one pair."""
        gold = span_items(pair.gold.spans, self.training.label_of)
        predicted = span_items(pair.predicted.spans, self.training.label_of)
        text = pair.gold.text
        hidden = merge_spans(pair.predicted.spans)
        for label, start, end in gold:
            known = self.training.look_up(text[start:end], label)
            left = uncovered((start, end), hidden)
            covered = not any(text[slice(*piece)].strip() for piece in left)
            found = Found(1, int((label, start, end) in predicted), int(covered))
            sums = self._sums.setdefault(label, self._empty())
            sums.levels[LEVELS.index(known.level)] += found
            sums.by_documents[self._band(known.documents)] += found
            sums.by_mentions[self._band(known.mentions)] += found

    def report(self) -> FamiliarityReport:
        """Return what was counted, labels in alphabetical order."""
        whole = self._empty()
        rows = []
        for label in sorted(self._sums):
            sums = self._sums[label]
            rows.append(sums.row(label))
            for place, found in enumerate(sums.levels):
                whole.levels[place] += found
            for place in range(len(self._bands)):
                whole.by_documents[place] += sums.by_documents[place]
                whole.by_mentions[place] += sums.by_mentions[place]
        return FamiliarityReport(
            normalisation=self.training.normalisation,
            training_documents=self.training.documents,
            bands=self._bands,
            labels=(*rows, whole.row(None)),
            training=self._frequencies(),
        )

    def _frequencies(self) -> tuple[LabelFrequencies, ...]:
        mentions = self.training.mentions()
        rows = []
        for label, documents in self.training.frequencies().items():
            sizes = Counter(map(self._band, documents))
            rows.append(
                LabelFrequencies(
                    label=label,
                    mentions=mentions[label],
                    strings=len(documents),
                    mean=sum(documents) / len(documents),
                    median=float(median(documents)),
                    bands=tuple(sizes[place] for place in range(len(self._bands))),
                )
            )
        return tuple(rows)

    def _band(self, number: int) -> int:
        return sum(number >= band.first for band in self._bands) - 1

    def _empty(self) -> _Sums:
        bands = [Found()] * len(self._bands)
        return _Sums([Found()] * len(LEVELS), bands, bands.copy())
