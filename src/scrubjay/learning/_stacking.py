"""Fitting combiners to what members say of documents that they were not trained on.

Zhao 2020, Ensemble Method and Table 3: a binary support vector machine by LIBSVM, here that of
scikit-learn. Its margins become probabilities by Platt's logistic function, fitted to the margins
of folds that a machine was not fitted to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.document import Document
from scrubjay.errors import InputError, MissingExtraError
from scrubjay.evaluation.counts import Counts, count_sets
from scrubjay.features.protected import protected_lists
from scrubjay.learning.ensemble_config import CombinerSettings, EnsembleConfig
from scrubjay.taggers._combining.candidates import (
    BoolArray,
    Candidates,
    FloatArray,
    Found,
    IntArray,
)
from scrubjay.taggers._combining.combiners import (
    Combiner,
    Intersection,
    PerLabel,
    Union,
    Votes,
)
from scrubjay.taggers._combining.pool import Pool
from scrubjay.taggers._combining.rbf import RbfMachine, scale_features
from scrubjay.taggers._combining.selection import select_best
from scrubjay.taggers._combining.stacker import Stacker
from scrubjay.taggers._combining.stacking_features import FeatureLayout, choose_rules, make_features

#: Features that spread less stay as they are. Stretching rare flags to the spread of others made
#: the stacker worse on held-out folds: each then stands far from all other candidates.
_LEAST_SPREAD = 1.0

_THRESHOLDS = np.round(np.arange(0.05, 0.96, 0.025), 3)


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Gold documents, what each member says of them unseen, and the fold of each document.

    `candidates` are what they propose, with their opinions of what others do. `language` is that
    of the documents.
    """

    documents: Sequence[Document]
    found: Found
    folds: Sequence[int]
    labels: tuple[str, ...]
    candidates: Candidates
    language: str = ""

    def gold(self) -> set[tuple[int, int, int, str]]:
        """Return `(document, start, end, label)` of every gold span."""
        return {
            (number, span.start, span.end, span.label)
            for number, document in enumerate(self.documents)
            for span in document.spans
        }

    def member_counts(self, member: int, label: str | None = None) -> Counts:
        """Return the strict counts of a member, of one label where one is given."""
        gold = {key for key in self.gold() if label in (None, key[3])}
        said = {
            (number, span.start, span.end, span.label)
            for number, spans in enumerate(self.found[member])
            for span in spans
            if label in (None, span.label)
        }
        return count_sets(gold, said)


@dataclass(frozen=True, slots=True, eq=False)
class FittedCombiner:
    """A combiner, and what its fitting tells of it."""

    combiner: Combiner
    metrics: Mapping[str, Any]


def fit_combiner(
    config: EnsembleConfig, labels: tuple[str, ...], evidence: Evidence | None
) -> FittedCombiner:
    """Return the combiner of a configuration; `evidence` is for those that learn.

    Raises `InputError` where there is nothing to learn from, `MissingExtraError` without
    scikit-learn.
    """
    members = tuple(member.name for member in config.combined)
    method = config.combiner.method
    if evidence is None:
        match method:
            case "union":
                return FittedCombiner(Union(members), {})
            case "intersection":
                return FittedCombiner(Intersection(members), {})
        weights = tuple(member.weight or 1.0 for member in config.combined)
        if method == "pool":
            told = config.combiner
            pool = Pool(members, weights, decode=told.decode, late=told.late, doubt=told.doubt)
            return FittedCombiner(pool, {})
        equal = tuple(1.0 for _ in members)
        return FittedCombiner(
            Votes(members, labels, equal if method == "majority" else weights, method), {}
        )
    counts = [evidence.member_counts(number) for number in range(len(members))]
    metrics = {"members": {name: one.ratios() for name, one in zip(members, counts, strict=True)}}
    if method == "weighted":
        given = [member.weight for member in config.combined]
        measured = [one.f1 or 0.0 for one in counts]
        both = zip(given, measured, strict=True)
        votes = tuple(f1 if weight is None else weight for weight, f1 in both)
        if not sum(votes):
            raise InputError("no member is right about any document that it has not seen")
        return FittedCombiner(Votes(members, labels, votes, method), metrics)
    if method == "per-label":
        return FittedCombiner(_choose_members(members, evidence), metrics)
    stacker, figures = fit_stacker(config.combiner, members, evidence)
    return FittedCombiner(stacker, {**metrics, **figures})


def _choose_members(members: Sequence[str], evidence: Evidence) -> PerLabel:
    """Return which member is best at each label; the earlier of equals."""
    choice: dict[str, str] = {}
    precision: dict[str, float] = {}
    for label in evidence.labels:
        counts = [evidence.member_counts(number, label) for number in range(len(members))]
        best = max(range(len(members)), key=lambda number: (counts[number].f1 or 0.0, -number))
        choice[label] = members[best]
        # As if one more had been right and one more wrong, so that it is never 0.
        precision[label] = round((counts[best].tp + 1) / (counts[best].predicted + 2), 6)
    return PerLabel(tuple(members), choice, precision)


def fit_stacker(
    settings: CombinerSettings, members: tuple[str, ...], evidence: Evidence
) -> tuple[Stacker, dict[str, Any]]:
    """Return a stacker, and its figures on folds that its machine was not fitted to.

    Raises `InputError` where the members propose nothing, or where all of it is right or wrong.
    """
    candidates = evidence.candidates
    gold = evidence.gold()
    right = np.array([key in gold for key in candidates.keys(evidence.labels)], dtype=np.bool_)
    _require_both(right)
    layout = FeatureLayout(
        members,
        _giving(members, candidates.scores),
        evidence.labels,
        choose_rules(candidates, members, most=settings.rules, least=settings.rule_count),
        _giving(members, candidates.opinions) if settings.opinions else (),
        evidence.language if settings.protected and protected_lists(evidence.language) else "",
    )
    features = make_features(layout, candidates, evidence.documents)
    machine = fit_machine(features, right, settings)
    folds = np.array(evidence.folds, dtype=np.int64)[candidates.documents]
    margins = _held_out_margins(features, right, folds, settings)
    slope, offset = fit_platt(margins, right)
    odds = np.where(np.isnan(margins), -np.inf, slope * margins + offset)
    threshold = _choose_threshold(settings, candidates, odds, right, len(gold), offset)
    counts = _count(candidates, odds, right, len(gold), threshold)
    figures = {
        "ensemble": counts.ratios(),
        "candidates": len(candidates),
        "right": int(right.sum()),
        "reachable-recall": int(right.sum()) / len(gold),
        "support-vectors": len(machine.dual),
    }
    return Stacker(layout, machine, slope, offset, threshold), figures


def _giving(members: Sequence[str], table: FloatArray) -> tuple[str, ...]:
    """Return the members that give any probability."""
    return tuple(m for n, m in enumerate(members) if np.isfinite(table[:, n]).any())


def _require_both(right: BoolArray) -> None:
    if len(right) and right.any() and not right.all():
        return
    state = "right" if right.any() else "wrong"
    what = f"all {len(right)} spans that the members propose are {state}"
    if not len(right):
        what = "the members propose no span"
    raise InputError(
        f"the combiner has nothing to learn: {what}, for documents that they have not seen",
        hint='Give more or other training documents, or [combiner] method = "majority" or "union"',
    )


def fit_machine(features: FloatArray, right: BoolArray, settings: CombinerSettings) -> RbfMachine:
    """Return a support vector machine that tells right candidates from wrong ones."""
    svc_class = _import_svc()
    mean = features.mean(axis=0)
    spread = np.maximum(features.std(axis=0), _LEAST_SPREAD)
    svc = svc_class(
        C=1.0,
        kernel="rbf",
        gamma=settings.gamma,
        class_weight={True: settings.c_positive, False: settings.c_negative},
        cache_size=500,
    )
    svc.fit(scale_features(features, mean, spread).astype(np.float64), right)
    return RbfMachine(
        mean,
        spread,
        svc.support_vectors_.astype(np.float32),
        svc.dual_coef_[0].astype(np.float64),
        float(svc.intercept_[0]),
        settings.gamma,
    )


def _import_svc() -> Any:
    try:
        from sklearn.svm import SVC
    except ImportError:
        raise MissingExtraError("scikit-learn", "train") from None
    return SVC


def _held_out_margins(
    features: FloatArray, right: BoolArray, folds: IntArray, settings: CombinerSettings
) -> FloatArray:
    """Return the margin of each candidate by a machine fitted to the other folds.

    nan where the other folds have one class alone.
    """
    margins = np.full(len(right), np.nan)
    for fold in np.unique(folds).tolist():
        inside = folds == fold
        rest = right[~inside]
        if rest.any() and not rest.all():
            machine = fit_machine(features[~inside], rest, settings)
            margins[inside] = machine.margins(features[inside])
    return margins


def fit_platt(margins: npt.NDArray[np.float64], right: BoolArray) -> tuple[float, float]:
    """Return slope and offset of the logistic function from margin to probability.

    nan margins are left out. Raises `InputError` where no machine could be fitted to other folds,
    or where its margins say nothing of what is right.
    """
    from sklearn.linear_model import LogisticRegression

    known = np.isfinite(margins)
    _require_both(right[known])
    logistic = LogisticRegression().fit(margins[known, None], right[known])
    slope, offset = float(logistic.coef_[0, 0]), float(logistic.intercept_[0])
    if slope <= 0:
        raise InputError(
            "the combiner learns nothing that holds for other folds",
            hint='Give more training documents, or [combiner] method = "majority" or "union"',
        )
    return slope, offset


def _choose_threshold(
    settings: CombinerSettings,
    candidates: Candidates,
    odds: FloatArray,
    right: BoolArray,
    gold: int,
    offset: float,
) -> float:
    """Return the least probability of a span, by the setting."""
    if settings.threshold == "margin":
        return float(np.clip(1.0 / (1.0 + np.exp(-offset)), 0.01, 0.99))
    if not isinstance(settings.threshold, str):
        return float(settings.threshold)
    figures = [
        (_count(candidates, odds, right, gold, threshold).f1 or 0.0, -abs(threshold - 0.5))
        for threshold in _THRESHOLDS.tolist()
    ]
    return float(_THRESHOLDS[max(range(len(figures)), key=figures.__getitem__)])


def _count(
    candidates: Candidates, odds: FloatArray, right: BoolArray, gold: int, threshold: float
) -> Counts:
    """Return the strict counts of what is chosen at a threshold."""
    weights = np.maximum(odds, -50.0) - np.log(threshold / (1.0 - threshold))
    chosen = select_best(candidates, weights)
    found = int(right[chosen].sum())
    return Counts(found, len(chosen) - found, gold - found)
