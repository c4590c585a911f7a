"""Smaller CRFs: without the weights that decide next to nothing."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from scrubjay.errors import ConfigError
from scrubjay.learning.crf import forget_unused
from scrubjay.taggers._weights import FeatureWeights
from scrubjay.taggers.crf import CrfDetector, CrfModel, CrfTagger, is_crf
from scrubjay.taggers.ensemble import EnsembleDetector


def prune(detector: Any, *, least: float) -> Any:
    """Return a CRF, or an ensemble, without weights of CRFs that are smaller than `least`.

    Features that lose all their weights go, and with them the values (words, too) that no other
    has. Raises `ConfigError` for a model without a CRF, and for a `least` that is no number of at
    least 0.
    """
    if not (isfinite(least) and least >= 0):
        raise ConfigError(f"the least weight must be a number of at least 0, not {least!r}")
    if isinstance(detector, EnsembleDetector):
        if not any(is_crf(member.detector) for member in detector.members):
            raise _no_crf()
        members = [
            replace(member, detector=prune_crf(member.detector, least=least))
            if is_crf(member.detector)
            else member
            for member in detector.members
        ]
        return EnsembleDetector(
            members, detector.combiner, manifest=detector.manifest, dial=detector.dial
        )
    if not is_crf(detector):
        raise _no_crf()
    return prune_crf(detector, least=least)


def prune_crf(detector: CrfDetector, *, least: float) -> CrfDetector:
    """Return a CRF without weights smaller than `least`; transitions stay."""
    model = detector.tagger.model
    encoder, features = forget_unused(model.encoder, _prune_weights(model.features, least))
    small = CrfModel(encoder, features, model.transitions, model.scheme, model.labels)
    return replace(detector, tagger=CrfTagger(small, dial=detector.tagger.dial))


def _prune_weights(features: FeatureWeights, least: float) -> FeatureWeights:
    kept = np.abs(features.weights) >= least
    owners = np.repeat(np.arange(len(features.templates)), np.diff(features.indptr))
    counts = np.bincount(owners[kept], minlength=len(features.templates))
    left = counts > 0
    ends = np.concatenate([[0], np.cumsum(counts[left])])
    return FeatureWeights(
        templates=features.templates[left],
        values=features.values[left],
        indptr=ends.astype(features.indptr.dtype),
        tags=features.tags[kept],
        weights=features.weights[kept],
    )


def _no_crf() -> ConfigError:
    return ConfigError(
        "there is no CRF in this model to prune",
        hint="Networks get smaller by: scrubjay models quantize",
    )
