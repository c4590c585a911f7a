"""The evaluations of the i2b2 2014 scorer, with every one of its figures.

Source: the scoring program of the 2014 i2b2/UTHealth shared task (Stubbs, Kotfila and Uzuner
2015), used again for CEGS N-GRID 2016. Definitions with examples are in docs/metrics.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from scrubjay.document import Document
from scrubjay.evaluation.counts import Counts, Macro, Tally
from scrubjay.evaluation.matching import (
    MODES,
    Items,
    Matches,
    Mode,
    match_exact,
    match_relaxed,
    span_items,
    token_items,
    without_labels,
)
from scrubjay.evaluation.pairs import Pair
from scrubjay.labels import LabelSet

ALL = "i2b2"
HIPAA = "hipaa"
HIPAA_CORRECTED = "hipaa-corrected"

HIPAA_LABELS = frozenset(
    {"PATIENT", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "AGE", "PHONE", "FAX", "EMAIL"}
    | {"SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"}
)
"""The labels that the program keeps for its HIPAA figures."""

HIPAA_CORRECTED_LABELS = HIPAA_LABELS | {"IDNUM"}
"""With IDNUM, which the task's text lists and a stray space in the program's table excludes."""

_SCOPE_NAMES = {ALL: "", HIPAA: "HIPAA", HIPAA_CORRECTED: "HIPAA corrected"}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation: a match mode over the labels of a scope, with or without the label.

    `name` is that of the official program where it has the evaluation (`official`), "HIPPA
    Token" included, which is the program's own spelling. `scope` is `i2b2`, `hipaa`,
    `hipaa-corrected` or a main category.
    """

    name: str
    mode: Mode
    scope: str
    binary: bool
    official: bool
    counts: Counts
    documents: int
    macro: Macro


@dataclass(frozen=True, slots=True)
class I2b2Scores:
    """All evaluations by name, in the order of the official program, its additions last."""

    evaluations: tuple[Evaluation, ...]

    def __getitem__(self, name: str) -> Evaluation:
        """Return the evaluation of that name; raises `KeyError` for an unknown one."""
        for evaluation in self.evaluations:
            if evaluation.name == name:
                return evaluation
        raise KeyError(name)

    def __iter__(self) -> Iterator[Evaluation]:
        return iter(self.evaluations)


_Key = tuple[Mode, str, bool]
"""Mode, scope, binary."""


class I2b2Scorer:
    """Takes pairs in, one at a time, and yields the scores of all; memory does not grow.

    `label_set` gives the main categories; a label that it does not know raises `LabelError`.
    Without one, every label is its own category. The HIPAA evaluations are made where the set
    has the labels that they speak of. Labels are compared without regard to case.
    """

    def __init__(self, label_set: LabelSet | None = None) -> None:
        self._label_set = label_set
        self._kept: dict[str, frozenset[str] | None] = {ALL: None}
        if label_set is not None and HIPAA_CORRECTED_LABELS.issubset(label_set.labels):
            self._kept |= {HIPAA: HIPAA_LABELS, HIPAA_CORRECTED: HIPAA_CORRECTED_LABELS}
        self._canonical: dict[str, str] = {}
        self._scopes: dict[str, tuple[str, ...]] = {}
        self._documents = 0
        self._tallies: defaultdict[_Key, Tally] = defaultdict(Tally)

    def add(self, pair: Pair) -> None:
        """Take in one pair."""
        self._documents += 1
        spans = self._span_items(pair.gold), self._span_items(pair.predicted)
        tokens = self._token_items(pair.gold), self._token_items(pair.predicted)
        for mode in MODES:
            gold, predicted = tokens if mode == "token" else spans
            match = match_relaxed if mode == "relaxed" else match_exact
            self._add_labelled(mode, match(gold, predicted))
            for scope, keep in self._kept.items():
                blind = match(without_labels(gold, keep), without_labels(predicted, keep))
                for counts in blind.values():
                    self._tallies[mode, scope, True].add(*counts)

    def scores(self) -> I2b2Scores:
        """Return the scores of the pairs so far."""
        evaluations = (
            Evaluation(
                name=_name(key),
                mode=key[0],
                scope=key[1],
                binary=key[2],
                official=_is_official(key),
                counts=self._tallies[key].counts,
                documents=self._documents,
                macro=self._tallies[key].macro(self._documents),
            )
            for key in self._keys()
        )
        return I2b2Scores(tuple(sorted(evaluations, key=lambda one: not one.official)))

    def _span_items(self, document: Document) -> Items:
        return span_items(document.spans, self._label_of)

    def _token_items(self, document: Document) -> Items:
        return token_items(document, self._label_of)

    def _add_labelled(self, mode: Mode, matches: Matches) -> None:
        sums: dict[str, list[int]] = {}
        for label, (tp, fp, fn) in matches.items():
            for scope in self._scopes[label]:
                row = sums.setdefault(scope, [0, 0, 0])
                row[0] += tp
                row[1] += fp
                row[2] += fn
        for scope, row in sums.items():
            self._tallies[mode, scope, False].add(*row)

    def _label_of(self, label: str) -> str:
        """Return the label under which all its spellings count."""
        known = self._canonical.get(label)
        if known is None:
            known = self._canonical[label] = self._learn(label)
        return known

    def _learn(self, label: str) -> str:
        folded = category = label.upper()
        if self._label_set is not None:
            category = self._label_set.category(self._label_set.spelled(label)).upper()
        kept = (scope for scope, keep in self._kept.items() if keep is None or folded in keep)
        self._scopes[folded] = (*kept, category)
        return folded

    def _keys(self) -> Iterator[_Key]:
        """Yield the evaluations in the order of the official program."""
        for binary in (False, True):
            for scope in self._kept:
                for mode in MODES:
                    yield mode, scope, binary
        if self._label_set is not None:
            categories = [name.upper() for name in self._label_set.main_categories]
        else:
            categories = sorted(self._scopes)
        for category in categories:
            yield "token", category, False
            yield "strict", category, False


def _name(key: _Key) -> str:
    mode, scope, binary = key
    named = "HIPPA" if (mode, scope) == ("token", HIPAA) else _SCOPE_NAMES.get(scope, scope)
    return " ".join(part for part in ("Binary" * binary, named, mode.title()) if part)


def _is_official(key: _Key) -> bool:
    mode, scope, binary = key
    return scope != HIPAA_CORRECTED and not (binary and mode == "relaxed")


def official_scores(scores: I2b2Scores) -> dict[str, Any]:
    """Return the figures of the official program, in which an undefined ratio is 0."""
    return {
        evaluation.name: evaluation_figures(evaluation, undefined=0.0)
        for evaluation in scores
        if evaluation.official
    }


def evaluation_figures(evaluation: Evaluation, *, undefined: float | None = None) -> dict[str, Any]:
    """Return the figures of one evaluation; `undefined` stands for a micro ratio without value."""
    counts = evaluation.counts
    ratios = counts.ratios()
    return {
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
        "documents": evaluation.documents,
        "micro": {name: undefined if value is None else value for name, value in ratios.items()},
        "macro": asdict(evaluation.macro),
    }
