"""The stacker: a support vector machine that says which candidates are right.

Zhao 2020, Ensemble Method. `learning/_stacking.py` fits it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from scrubjay.document import Document
from scrubjay.features.protected import protected_fingerprints
from scrubjay.taggers._combining.candidates import (
    Candidates,
    FloatArray,
    Proposals,
    collect_candidates,
)
from scrubjay.taggers._combining.combiners import Asked, Spans, choose
from scrubjay.taggers._combining.rbf import RbfMachine
from scrubjay.taggers._combining.stacking_features import FeatureLayout, make_features


@dataclass(frozen=True, slots=True, eq=False)
class Stacker:
    """Scores each candidate by a support vector machine over its features.

    The probability of a candidate is `1 / (1 + exp(-(slope * margin + offset)))` (Platt 1999),
    its weight the log-odds of that above those of `threshold`. `unknown` are labels that members
    can give and that it was not fitted to: to it they are no label in particular.
    """

    layout: FeatureLayout
    machine: RbfMachine
    slope: float
    offset: float
    threshold: float
    unknown: tuple[str, ...] = ()

    turns_members: ClassVar[bool] = False
    asked: ClassVar[Asked] = "opinions"

    def log_odds(self, candidates: Candidates, documents: Sequence[Document]) -> FloatArray:
        """Return the log-odds that each candidate is right."""
        features = make_features(self.layout, candidates, documents)
        odds: FloatArray = self.slope * self.machine.margins(features) + self.offset
        return odds

    def combine(self, proposals: Proposals, *, source: str = "", dial: float = 0.0) -> Spans:
        labels = (*self.layout.labels, *self.unknown)
        numbers = {name: n for n, name in enumerate(labels)}
        candidates = collect_candidates(proposals.found, numbers, proposals.readings)
        if not len(candidates):
            return [() for _ in proposals.documents]
        odds = self.log_odds(candidates, proposals.documents)
        weights = odds - np.log(self.threshold / (1.0 - self.threshold))
        return choose(
            candidates, weights, proposals.documents, dial=dial,
            probabilities=1.0 / (1.0 + np.exp(-odds)), labels=labels, members=self.layout.members,
            source=source,
        )  # fmt: skip

    def record(self) -> dict[str, Any]:
        layout = self.layout
        return {
            "method": "svm",
            "labels": list(layout.labels),
            "scored": list(layout.scored),
            "opining": list(layout.opining),
            "rules": [list(rule) for rule in layout.rules],
            "protected": layout.protected,
            "protected-lists": protected_fingerprints(layout.protected),
            "slope": self.slope,
            "offset": self.offset,
            "threshold": self.threshold,
        }

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return self.machine.arrays()
