"""Two or more systems on the same documents: figures with intervals, and tests between them.

Intervals come from the bootstrap by document (`scrubjay.evaluation.intervals`), p-values from
paired approximate randomization (`scrubjay.evaluation.significance`). p-values are also given as
corrected by Holm's method for all the tests of their family.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

import numpy as np

from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.aligned import Aligned
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.intervals import (
    CONFIDENCE,
    FIGURES,
    RESAMPLES,
    FloatArray,
    Interval,
    bootstrap_sums,
    percentile_interval,
    require_confidence,
)
from scrubjay.evaluation.matching import match_exact, span_items, token_items, without_labels
from scrubjay.evaluation.pairs import naming_document
from scrubjay.evaluation.significance import SHUFFLES, compare_systems, correct_holm
from scrubjay.labels import LabelSet

STRICT = "all labels"
TOKENS = "binary token"
OVERALL = (STRICT, TOKENS)
"""The scopes beside labels: strict spans of any label, and tokens found under any label."""

FEW_DOCUMENTS = 10
"""Below so many documents the bootstrap says little: they are too few to draw from."""


@dataclass(frozen=True, slots=True)
class Score:
    """One figure of one system; `value` is None where it is undefined."""

    value: float | None
    interval: Interval


@dataclass(frozen=True, slots=True)
class SystemScores:
    """What one system reaches in one scope: `all labels` and a label count strictly.

    `documents` counts those with anything of the scope in gold or in any system. `scores` has
    f1, precision and recall.
    """

    system: str
    scope: str
    counts: Counts
    documents: int
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class SystemTest:
    """One figure of two systems in one scope.

    `change` is second minus first, where an undefined ratio counts as 0; `interval` is that of
    the change, `p` two-sided, and `corrected` the p after Holm within the family: the same figure
    over all pairs of systems, for labels over all labels, too.
    """

    first: str
    second: str
    scope: str
    figure: str
    change: float
    interval: Interval
    p: float
    corrected: float


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """Every figure of a comparison. Labels are in the order of the label set."""

    systems: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    label_set: str | None
    labels: tuple[str, ...]
    documents: int
    confidence: float
    shuffles: int
    resamples: int
    seed: int
    scores: tuple[SystemScores, ...]
    tests: tuple[SystemTest, ...]

    def score(self, system: str, scope: str) -> SystemScores:
        """Return the scores of a system in a scope; raises `KeyError` for an unknown one."""
        for one in self.scores:
            if (one.system, one.scope) == (system, scope):
                return one
        raise KeyError((system, scope))

    def test(self, pair: tuple[str, str], scope: str, figure: str = "f1") -> SystemTest:
        """Return one test; raises `KeyError` for an unknown one."""
        for one in self.tests:
            if ((one.first, one.second), one.scope, one.figure) == (pair, scope, figure):
                return one
        raise KeyError((pair, scope, figure))

    def record(self) -> dict[str, Any]:
        """Return everything as JSON values; an undefined ratio is null."""
        return {
            "systems": list(self.systems),
            "label_set": self.label_set,
            "documents": self.documents,
            "confidence": self.confidence,
            "shuffles": self.shuffles,
            "resamples": self.resamples,
            "seed": self.seed,
            "correction": "Holm, within one figure: over pairs of systems; for labels over all "
            "labels, too",
            "scores": [_score_record(one) for one in self.scores],
            "tests": [_test_record(one) for one in self.tests],
        }


class SystemRows:
    """Takes aligned documents in and yields the comparison of their systems.

    Kept are numbers alone: a row of counts for each label of each document. Labels count under
    the spelling of `label_set`, without regard to case; one that it does not know raises
    `LabelError`. Without a set the first spelling that occurs stands for all.
    """

    def __init__(self, systems: Sequence[str], label_set: LabelSet | None = None) -> None:
        self._systems = tuple(systems)
        self._label_set = label_set
        self._spelled = speller(label_set)
        self._scopes = {scope: number for number, scope in enumerate(OVERALL)}
        self._rows = array("q")
        self._documents = 0

    def add(self, aligned: Aligned) -> None:
        """Take in one document."""
        with naming_document(aligned.gold):
            gold = span_items(aligned.gold.spans, self._spelled)
            found = [span_items(document.spans, self._spelled) for document in aligned.predicted]
        gold_tokens = without_labels(token_items(aligned.gold, str))
        for system, document in enumerate(aligned.predicted):
            matches = match_exact(gold, found[system])
            for label, counts in matches.items():
                scope = self._scopes.setdefault(label, len(self._scopes))
                self._rows.extend((self._documents, system, scope, *counts))
            tokens = without_labels(token_items(document, str))
            for counts in match_exact(gold_tokens, tokens).values():
                self._rows.extend((self._documents, system, 1, *counts))
        self._documents += 1

    def compare(
        self,
        pairs: Iterable[tuple[str, str]] | None = None,
        *,
        confidence: float = CONFIDENCE,
        shuffles: int = SHUFFLES,
        resamples: int = RESAMPLES,
        seed: int = 0,
    ) -> SystemComparison:
        """Return the figures of all systems, and the tests of these pairs or of every two.

        Raises `ConfigError` for settings out of range, `InputError` without documents.
        """
        chosen = tuple(combinations(self._systems, 2) if pairs is None else pairs)
        require_settings(confidence=confidence, shuffles=shuffles, resamples=resamples, seed=seed)
        if not self._documents:
            raise InputError("there is no document to compare systems on")
        labels = self._labels()
        names = (*OVERALL, *labels)
        table = self._table(names)
        rows = table.reshape(len(table), -1)
        drawn = bootstrap_sums(rows, resamples=resamples, seed=seed).reshape(-1, *table.shape[1:])
        judge = _Judge(names, self._systems, table, drawn, confidence)
        families = ((STRICT,), (TOKENS,), labels)
        tests = chain.from_iterable(
            _correct(
                [
                    test
                    for scope in family
                    for pair in chosen
                    for test in judge.tests(pair, scope, shuffles=shuffles, seed=seed)
                ]
            )
            for family in families
        )
        return SystemComparison(
            systems=self._systems,
            pairs=chosen,
            label_set=self._label_set.name if self._label_set is not None else None,
            labels=labels,
            documents=self._documents,
            confidence=confidence,
            shuffles=shuffles,
            resamples=resamples,
            seed=seed,
            scores=tuple(judge.scores(name, scope) for scope in names for name in self._systems),
            tests=tuple(tests),
        )

    def _labels(self) -> tuple[str, ...]:
        found = list(self._scopes)[len(OVERALL) :]
        if self._label_set is None:
            return tuple(sorted(found))
        return tuple(sorted(found, key=self._label_set.labels.index))

    def _table(self, names: Sequence[str]) -> FloatArray:
        """Return the counts as `(documents, systems, scopes, 3)`, scopes in the order of names."""
        rows = np.array(self._rows, dtype=np.int64).reshape(-1, 6)
        table = np.zeros((self._documents, len(self._systems), len(self._scopes), 3))
        table[rows[:, 0], rows[:, 1], rows[:, 2]] = rows[:, 3:]
        table[:, :, 0] = table[:, :, len(OVERALL) :].sum(axis=2)
        return table[:, :, [self._scopes[name] for name in names]]


def require_settings(*, confidence: float, shuffles: int, resamples: int, seed: int) -> None:
    """Raise `ConfigError` for settings of a comparison that are out of range."""
    require_confidence(confidence)
    for name, value in (("shuffles", shuffles), ("resamples", resamples)):
        if value < 1:
            raise ConfigError(f"a comparison needs at least one of {name}, not {value}")
    if seed < 0:
        raise ConfigError(f"a seed is a whole number from 0 on, {seed} is not")


def speller(label_set: LabelSet | None) -> Callable[[str], str]:
    """Return what gives a label the one spelling under which it counts."""
    if label_set is not None:
        return label_set.spelled
    first: dict[str, str] = {}
    return lambda label: first.setdefault(label.upper(), label)


class _Judge:
    """Scores and tests of one table of counts, `(documents, systems, scopes, 3)`."""

    def __init__(
        self,
        scopes: Sequence[str],
        systems: Sequence[str],
        table: FloatArray,
        drawn: FloatArray,
        confidence: float,
    ) -> None:
        self._scopes = {scope: number for number, scope in enumerate(scopes)}
        self._systems = {system: number for number, system in enumerate(systems)}
        self._table, self._drawn, self._confidence = table, drawn, confidence
        self._documents = np.count_nonzero(table.any(axis=(1, 3)), axis=0)

    def scores(self, system: str, scope: str) -> SystemScores:
        """Return the figures of a system in a scope."""
        place = self._systems[system], self._scopes[scope]
        whole = self._table[:, *place].sum(axis=0)
        counts = Counts(*map(int, whole))
        values = counts.ratios()
        drawn = self._drawn[:, *place]
        scores = {
            name: Score(
                values[name], percentile_interval(figure(drawn), confidence=self._confidence)
            )
            for name, figure in FIGURES.items()
        }
        return SystemScores(system, scope, counts, int(self._documents[place[1]]), scores)

    def tests(
        self, pair: tuple[str, str], scope: str, *, shuffles: int, seed: int
    ) -> Iterator[SystemTest]:
        """Yield the test of each figure of two systems in a scope, not corrected yet."""
        places = [(self._systems[system], self._scopes[scope]) for system in pair]
        first, second = (self._table[:, *place] for place in places)
        comparison = compare_systems(first, second, shuffles=shuffles, seed=seed)
        for one in comparison.differences:
            figure = FIGURES[one.figure]
            before, after = (np.nan_to_num(figure(self._drawn[:, *place])) for place in places)
            interval = percentile_interval(after - before, confidence=self._confidence)
            yield SystemTest(*pair, scope, one.figure, -one.difference, interval, one.p, one.p)


def _correct(tests: Sequence[SystemTest]) -> list[SystemTest]:
    """Return tests with their p corrected among those of the same figure."""
    corrected = list(tests)
    for figure in FIGURES:
        places = [number for number, test in enumerate(tests) if test.figure == figure]
        for number, p in zip(places, correct_holm([tests[n].p for n in places]), strict=True):
            corrected[number] = replace(tests[number], corrected=p)
    return corrected


def _score_record(one: SystemScores) -> dict[str, Any]:
    counts = one.counts
    return {
        "system": one.system,
        "scope": one.scope,
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
        "documents": one.documents,
        **{
            name: {"value": score.value, "low": score.interval.low, "high": score.interval.high}
            for name, score in one.scores.items()
        },
    }


def _test_record(one: SystemTest) -> dict[str, Any]:
    return {
        "first": one.first,
        "second": one.second,
        "scope": one.scope,
        "figure": one.figure,
        "change": one.change,
        "low": one.interval.low,
        "high": one.interval.high,
        "p": one.p,
        "p_holm": one.corrected,
    }
