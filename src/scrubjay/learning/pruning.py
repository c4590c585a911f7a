"""Smaller CRFs: without the weights that decide next to nothing, or without some labels."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isfinite
from typing import Any

import numpy as np

from scrubjay.errors import ConfigError
from scrubjay.learning.crf import forget_unused
from scrubjay.learning.crf_members import change_crfs, has_crf
from scrubjay.taggers.crf import CrfDetector, CrfModel, CrfTagger
from scrubjay.tags import find_scheme


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


def drop_labels(detector: CrfDetector, labels: frozenset[str]) -> CrfDetector:
    """Return a CRF without some labels, its other weights and transitions as they were.

    What bore such a label is found by another one or not at all, until the model has learned anew
    (`crf_adaptation`). Raises `ConfigError` for a label that it does not have.
    """
    model = detector.tagger.model
    if unknown := sorted(labels - {*model.labels}):
        raise ConfigError(f"the model has no label {unknown[0]!r}")
    left = tuple(label for label in model.labels if label not in labels)
    width = len(find_scheme(model.scheme).prefixes)
    stays = np.array([True, *(label not in labels for label in model.labels for _ in range(width))])
    features = model.features
    weights = np.where(stays[features.tags], features.weights, 0.0)
    features = replace(features, weights=weights).without_small(float(np.finfo(weights.dtype).tiny))
    number = np.cumsum(stays) - 1
    features = replace(features, tags=number[features.tags].astype(np.uint16))
    encoder, features = forget_unused(model.encoder, features)
    transitions = model.transitions[np.ix_(stays, stays)]
    fewer = CrfModel(encoder, features, transitions, model.scheme, left)
    manifest = replace(detector.manifest, labels=left, metrics={}, files={})
    tagger = CrfTagger(fewer, dial=detector.tagger.dial)
    return replace(detector, tagger=tagger, manifest=manifest)
