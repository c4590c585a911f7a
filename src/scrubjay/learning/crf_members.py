"""Models that are a CRF, or have one among their members, with others in its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scrubjay.taggers._combining.stored_combiners import read_combiner
from scrubjay.taggers.crf import CrfDetector, is_crf
from scrubjay.taggers.ensemble import EnsembleDetector


def has_crf(detector: Any) -> bool:
    """Tell whether a detector is a CRF, or an ensemble with one."""
    if isinstance(detector, EnsembleDetector):
        return any(is_crf(member.detector) for member in detector.members)
    return is_crf(detector)


def change_crfs(detector: Any, change: Callable[[CrfDetector], CrfDetector]) -> Any:
    """Return a detector for which `has_crf` with each CRF changed, and all else as it was.

    A changed CRF may have more labels; the ensemble has them then, too.
    """
    if not isinstance(detector, EnsembleDetector):
        return change(detector)
    members = []
    for member in detector.members:
        if is_crf(member.detector):
            changed = change(member.detector)
            # The name within the ensemble may differ from that of the model that became a member.
            manifest = replace(member.manifest, labels=changed.labels, stores_words=True)
            member = replace(member, detector=changed, manifest=manifest)
        members.append(member)
    labels = tuple(sorted({*detector.labels, *(x for m in members for x in m.detector.labels)}))
    combiner = read_combiner(
        detector.combiner.record(),
        detector.combiner.arrays(),
        members=tuple(member.name for member in members),
        labels=labels,
    )
    manifest = replace(detector.manifest, labels=labels, stores_words=True)
    return EnsembleDetector(members, combiner, manifest=manifest, dial=detector.dial)
