"""The risk that stays after de-identification, as figures of a labelled sample.

Every figure is one of the sample at hand. None of them says that a person cannot be recognised:
under the GDPR pseudonymised data stay personal data, and under HIPAA it is for an expert to
conclude. They are measured by `risk_meter.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scrubjay.evaluation.bounds import SampleSize, Share, share_of
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.direct import DirectLabels
from scrubjay.evaluation.groups import GroupTable
from scrubjay.evaluation.intervals import Interval
from scrubjay.evaluation.leakage import LabelLeaks, Leakage, UnitLeaks


@dataclass(frozen=True, slots=True)
class Finder:
    """Someone who looks for leaks among surrogates, and the share of leaks that they found."""

    name: str
    found: float
    source: str


FINDERS = (
    Finder("human readers", 0.27, "Carrell et al. 2020"),
    Finder("trained attacker", 0.68, "Carrell et al. 2019"),
)
"""What was found of the leaks where realistic surrogates stood around them."""


@dataclass(frozen=True, slots=True)
class HiddenLeaks:
    """Leaks among realistic surrogates, as shares of all mentions.

    `hidden` is leak x (1 - found), what stays unnoticed; `exposed` is leak x found, what is told
    apart; the bounds are those of the leak's one-sided upper bound, the wider of both
    (`Risk.leak_bound`).
    """

    finder: Finder
    hidden: float | None
    hidden_bound: float
    exposed: float | None
    exposed_bound: float

    def record(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return {
            "finder": self.finder.name,
            "source": self.finder.source,
            "found": self.finder.found,
            "hidden": self.hidden,
            "hidden_upper_bound": self.hidden_bound,
            "exposed": self.exposed,
            "exposed_upper_bound": self.exposed_bound,
        }


@dataclass(frozen=True, slots=True)
class Recall:
    """Label-blind recall at one level: `found` of `gold` items would go.

    The interval is that of the bootstrap over documents. Where nothing is left, or everything,
    all draws are alike and tell nothing: it is then the exact one of as many trials as there are
    documents with PHI, as if all items of a document stood and fell together.
    """

    level: str
    found: int
    gold: int
    interval: Interval

    @property
    def value(self) -> float | None:
        """The recall itself; None without items."""
        return self.found / self.gold if self.gold else None

    def record(self) -> dict[str, Any]:
        """Return the recall as JSON values."""
        return {
            "found": self.found,
            "gold": self.gold,
            "recall": self.value,
            "low": self.interval.low,
            "high": self.interval.high,
        }


@dataclass(frozen=True, slots=True)
class Risk:
    """The whole measurement, as one immutable result.

    `label_set` is None where no known set has all labels; `patient_key` where no patient is
    known. `gold_alone` and `predicted_alone` count documents that were skipped for want of a
    partner, `unlabelled` the predicted spans in regions that gold tells to ignore, which no figure
    sees, and `outside` the spans (of both sides) that the label map leaves without counterpart.
    """

    label_set: str | None
    direct: DirectLabels
    patient_key: str | None
    gold_alone: int
    predicted_alone: int
    unlabelled: int
    outside: Mapping[str, int]
    confidence: float
    seed: int
    leakage: Leakage
    recalls: tuple[Recall, ...]
    groups: tuple[GroupTable, ...]
    design_effect: float | None
    sizes: tuple[SampleSize, ...]

    def share(self, events: int, trials: int) -> Share:
        """Return a share with bounds at the confidence of this measurement."""
        return share_of(events, trials, confidence=self.confidence)

    def label_recall(self, row: LabelLeaks) -> Share:
        """Return the share of the mentions of a row that would go whole."""
        return self.share(row.removed, row.mentions)

    @property
    def mention_leaks(self) -> Share:
        """The share of all mentions of which anything would stay."""
        return self.share(self.leakage.leaking_mentions, self.leakage.mentions)

    @property
    def leak_bound_by_document(self) -> float:
        """The upper bound of the share of mentions that leak, with documents as units.

        It is the exact one-sided bound of as many trials as documents hold PHI, the same share
        of which leaks (rounded up to whole documents): as if all mentions of a document stood
        and fell together. The bootstrap over documents may reach further where few documents
        hold most mentions; its end is then the bound.
        """
        leaks, documents = self.mention_leaks, self.leakage.documents.with_phi
        if not leaks.trials:
            return 1.0
        events = -(-leaks.events * documents // leaks.trials)
        drawn = next(recall.interval.low for recall in self.recalls if recall.level == "mention")
        exact = self.share(events, documents).upper
        return max(exact, 1.0 - drawn) if 0 < leaks.events < leaks.trials else exact

    @property
    def leak_bound(self) -> float:
        """The wider upper bound of the share of mentions that leak: the one to claim."""
        return max(self.leak_bound_by_document, self.mention_leaks.upper)

    @property
    def hidden(self) -> tuple[HiddenLeaks, ...]:
        """Leaks hidden in plain sight, for each of `FINDERS`."""
        leaks, bound = self.mention_leaks, self.leak_bound
        return tuple(
            HiddenLeaks(
                finder,
                None if leaks.value is None else leaks.value * (1.0 - finder.found),
                bound * (1.0 - finder.found),
                None if leaks.value is None else leaks.value * finder.found,
                bound * finder.found,
            )
            for finder in FINDERS
        )

    def record(self) -> dict[str, Any]:
        """Return everything as JSON values (docs/risk.md, "JSON"); undefined figures are null."""
        leakage = self.leakage
        labels = self.direct.labels
        return {
            "format_version": 1,
            "label_set": self.label_set,
            "direct": {
                "labels": None if labels is None else sorted(labels),
                "source": self.direct.source,
            },
            "patient_key": self.patient_key,
            "unpaired": {"gold": self.gold_alone, "predicted": self.predicted_alone},
            "unlabelled": self.unlabelled,
            "outside_label_map": dict(self.outside),
            "confidence": self.confidence,
            "seed": self.seed,
            "recall": {recall.level: recall.record() for recall in self.recalls},
            "tokens": _counts_record(leakage.tokens),
            "characters": _counts_record(leakage.characters),
            "documents": self._units(leakage.documents),
            "patients": None if leakage.patients is None else self._units(leakage.patients),
            "labels": [self._label(row) for row in leakage.labels],
            "direct_mentions": self._label(leakage.direct),
            "leaking_mentions": self.mention_leaks.record()
            | {"upper_bound_by_document": self.leak_bound_by_document},
            "hiding_in_plain_sight": [row.record() for row in self.hidden],
            "groups": [table.record() for table in self.groups],
            "design_effect": self.design_effect,
            "sample_sizes": [size.record() for size in self.sizes],
            "leaks": [leak.record() for leak in leakage.leaks],
        }

    def _units(self, units: UnitLeaks) -> dict[str, Any]:
        return {
            "count": units.units,
            "with_phi": units.with_phi,
            "any_leak": self.share(units.leaking, units.units).record(),
            "any_direct_leak": self.share(units.leaking_direct, units.units).record(),
        }

    def _label(self, row: LabelLeaks) -> dict[str, Any]:
        return {
            "label": row.label,
            "direct": row.direct,
            "mentions": row.mentions,
            "removed": row.removed,
            "partly": row.partly,
            "missed": row.missed,
            "recall": self.label_recall(row).record(),
        }


def _counts_record(counts: Counts) -> dict[str, Any]:
    return {
        "gold": counts.gold,
        "removed": counts.tp,
        "missed": counts.fn,
        "over_redacted": counts.fp,
        "recall": counts.recall,
        "precision": counts.precision,
    }
