"""Kappa over tokens: agreement beyond what chance would give.

Sources: Cohen 1960 for two annotators, Fleiss 1971 for more. A token has the label of the span
that covers any of its characters (the longest, where several do), or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.document import Document, Span
from scrubjay.text.tokens import IntArray, Tokens

Pattern = tuple[int, ...]
"""For each annotator the code of a token's label, `OUTSIDE` for none, `ABSENT` without version."""

OUTSIDE = 0
ABSENT = -1


@dataclass(frozen=True, slots=True)
class TokenKappa:
    """Kappa over tokens.

    `all` is over all `tokens`, each label a category and no label another. `among_marked` is
    over the `marked` tokens, those that at least one annotator marked. `any_label` is over all
    tokens with two categories, marked or not. Each is None where chance alone would make the
    annotators agree on every token, so that kappa is not defined.
    """

    tokens: int
    marked: int
    all: float | None
    among_marked: float | None
    any_label: float | None


class Confusion:
    """How often two annotators gave a token one label and the other."""

    def __init__(self, counts: Counter[tuple[int, int]], codes: dict[str, int]) -> None:
        self._counts = counts
        self._codes = codes

    def kappa(self) -> TokenKappa:
        """Return Cohen's kappa over all tokens, the marked ones, and without labels."""
        marked = Counter({key: n for key, n in self._counts.items() if key != (OUTSIDE, OUTSIDE)})
        return TokenKappa(
            tokens=self._counts.total(),
            marked=marked.total(),
            all=cohen_kappa(self._counts),
            among_marked=cohen_kappa(marked),
            any_label=cohen_kappa(self._merged(lambda code: code != OUTSIDE)),
        )

    def kappa_of(self, label: str) -> float | None:
        """Return Cohen's kappa over all tokens for one label against all else."""
        wanted = self._codes.get(label, ABSENT)
        return cohen_kappa(self._merged(lambda code: code == wanted))

    def _merged(self, belongs: Callable[[int], bool]) -> Counter[tuple[int, int]]:
        merged: Counter[tuple[int, int]] = Counter()
        for (first, second), size in self._counts.items():
            merged[int(belongs(first)), int(belongs(second))] += size
        return merged


class TokenTally:
    """Counts how the annotators marked each token, as patterns of labels; keeps no text."""

    def __init__(self, annotators: int) -> None:
        self._annotators = annotators
        self._codes: dict[str, int] = {}
        self.patterns: Counter[Pattern] = Counter()

    def add(self, tokens: Tokens, versions: Sequence[Document | None]) -> None:
        """Take in the tokens of one document and what each annotator marked in it."""
        columns = [
            np.full(len(tokens), ABSENT, dtype=np.int32)
            if version is None
            else self._paint(tokens, version.spans)
            for version in versions
        ]
        marked = np.zeros(len(tokens), dtype=bool)
        for column in columns:
            marked |= column > OUTSIDE
        unmarked = tuple(ABSENT if version is None else OUTSIDE for version in versions)
        self.patterns[unmarked] += len(tokens) - int(marked.sum())
        self.patterns.update(zip(*(column[marked].tolist() for column in columns), strict=True))

    def _paint(self, tokens: Tokens, spans: Sequence[Span]) -> IntArray:
        codes = np.zeros(len(tokens), dtype=np.int32)
        # The last paint stays: that of the longest, among equals of the first in order.
        painting = sorted(sorted(spans, reverse=True), key=len)
        starts = np.array([span.start for span in painting], dtype=np.int64)
        ends = np.array([span.end for span in painting], dtype=np.int64)
        firsts = np.searchsorted(tokens.ends, starts, side="right").tolist()
        lasts = np.searchsorted(tokens.starts, ends, side="left").tolist()
        for span, first, last in zip(painting, firsts, lasts, strict=True):
            codes[first:last] = self._codes.setdefault(span.label, len(self._codes) + 1)
        return codes

    def confusion(self, first: int, second: int) -> Confusion:
        """Return the confusion of two annotators over the documents that both have."""
        counts: Counter[tuple[int, int]] = Counter()
        for pattern, size in self.patterns.items():
            if ABSENT not in (pattern[first], pattern[second]):
                counts[pattern[first], pattern[second]] += size
        return Confusion(counts, self._codes)

    def complete(self) -> Counter[Pattern]:
        """Return the patterns of the documents that every annotator has."""
        return Counter({key: n for key, n in self.patterns.items() if ABSENT not in key})


def cohen_kappa(counts: Counter[tuple[int, int]]) -> float | None:
    """Return Cohen's kappa of pairs of categories and how often each occurred.

    `(observed - expected) / (1 - expected)`; None where nothing is counted, and where both
    annotators gave one and the same category throughout.
    """
    total = counts.total()
    first: Counter[int] = Counter()
    second: Counter[int] = Counter()
    for (one, other), size in counts.items():
        first[one] += size
        second[other] += size
    agreed = sum(size for (one, other), size in counts.items() if one == other)
    # Whole numbers keep the figure exact: shares times total, and its square.
    by_chance = sum(size * second[category] for category, size in first.items())
    below = total * total - by_chance
    return (agreed * total - by_chance) / below if below else None


def fleiss_kappa(tally: TokenTally) -> TokenKappa:
    """Return Fleiss' kappa over the documents that every annotator has."""
    patterns = tally.complete()
    marked = Counter({key: n for key, n in patterns.items() if any(key)})
    blind: Counter[Pattern] = Counter()
    for pattern, size in patterns.items():
        blind[tuple(int(code != OUTSIDE) for code in pattern)] += size
    return TokenKappa(
        tokens=patterns.total(),
        marked=marked.total(),
        all=fleiss_of(patterns),
        among_marked=fleiss_of(marked),
        any_label=fleiss_of(blind),
    )


def fleiss_of(patterns: Counter[Pattern]) -> float | None:
    """Return Fleiss' kappa of patterns of categories, one entry for each annotator.

    None where nothing is counted, and where only one category was ever given.
    """
    total = patterns.total()
    given: Counter[int] = Counter()
    agreeing = 0
    raters = 0
    for pattern, size in patterns.items():
        raters = len(pattern)
        for category, number in Counter(pattern).items():
            given[category] += number * size
            agreeing += number * (number - 1) * size
    if not total:
        return None
    # Observed agreement over ordered pairs, expected agreement from all that was given.
    judgements = total * raters
    observed = agreeing / (judgements * (raters - 1))
    below = judgements * judgements - sum(number * number for number in given.values())
    return 1 - (1 - observed) * judgements * judgements / below if below else None
