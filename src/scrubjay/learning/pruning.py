"""Smaller CRFs: without the weights that decide next to nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isfinite
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.learning.crf import forget_unused
from scrubjay.learning.crf_members import change_crfs, has_crf
from scrubjay.taggers.crf import CrfDetector, CrfModel, CrfTagger


def prune(detector: Any, *, least: float) -> Any:
    """Return a CRF, or an ensemble, without weights of CRFs that are smaller than `least`.

    Features that lose all their weights go, and with them the values (words, too) that no other
    has. Raises `ConfigError` for a model without a CRF, and for a `least` that is no number of at
    least 0.
    """
    if not (isfinite(least) and least >= 0):
        raise ConfigError(f"the least weight must be a number of at least 0, not {least!r}")
    if not has_crf(detector):
        raise ConfigError(
            "there is no CRF in this model to prune",
            hint="Networks get smaller by: scrubjay models quantize",
        )
    return change_crfs(detector, partial(prune_crf, least=least))


def prune_crf(detector: CrfDetector, *, least: float) -> CrfDetector:
    """Return a CRF without weights smaller than `least`; transitions stay."""
    model = detector.tagger.model
    encoder, features = forget_unused(model.encoder, model.features.without_small(least))
    small = CrfModel(encoder, features, model.transitions, model.scheme, model.labels)
    return replace(detector, tagger=CrfTagger(small, dial=detector.tagger.dial))
