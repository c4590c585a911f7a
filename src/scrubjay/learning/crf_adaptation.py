"""Going on with the weights of a trained CRF on a few more notes.

The loss is `weight` times that of the notes, plus half the squared distance to the weights as
they were: a normal prior around the model (Chelba and Acero 2006). The training data of the model
is not needed. Features and tags that only the notes have begin at 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError
from scrubjay.features.encoder import Encoder
from scrubjay.learning._chain_loss import chain_loss, minimise
from scrubjay.learning._crf_entries import Touched, touch, write_back
from scrubjay.learning.crf import forget_unused
from scrubjay.learning.preparation import Prepared, Progress, prepare, silent
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers.crf import CrfDetector, CrfModel, CrfTagger
from scrubjay.tags import TagArray, encode_tags, find_scheme

#: New weights below this are dropped: so small, they decide nothing, and there are very many.
LEAST = 0.005


@dataclass(frozen=True, slots=True)
class CrfAdaptation:
    """How far the notes may move a CRF.

    `weight` multiplies the loss of the notes: 0 changes nothing, and the larger, the further from
    the old weights. L-BFGS ends after so many `iterations` at the latest. Raises `ConfigError`
    for a negative weight.
    """

    weight: float = 0.1
    iterations: int = 40

    def __post_init__(self) -> None:
        if not 0.0 <= self.weight < np.inf:
            raise ConfigError(f"the weight must be a number of at least 0, not {self.weight!r}")


def adapt_crf(
    detector: CrfDetector,
    documents: Sequence[Document],
    settings: CrfAdaptation | None = None,
    *,
    progress: Progress = silent,
) -> CrfDetector:
    """Return the detector with weights that fit the documents too.

    Its tokenizer, templates, training dictionaries and dial stay; labels of the documents that it
    does not know are added. With a weight of 0 it is the detector itself. The manifest has the new
    labels and is the old one otherwise. Nothing is random. Raises `InputError` for documents
    without PHI on any token, and for weights that no double can hold the ratio of.
    """
    settings = settings or CrfAdaptation()
    if not settings.weight:
        return detector
    progress("features", 0.0)
    manifest = detector.manifest
    align = manifest.config.get("training", {}).get("align", "expand")
    data = prepare(documents, manifest.tokenizer, align=align)
    model = widen(detector.tagger.model, data.labels)
    gold = _gold(data, model)
    encoder = Encoder(
        model.encoder.templates,
        model.encoder.alphabets,
        scope=model.encoder.scope,
        dictionaries=model.encoder.dictionaries,
    )
    encoded = encoder.learn(data.batch)
    model = replace(model, encoder=encoder, transitions=_open(model.transitions, gold))
    touched = touch(encoder, model.features, encoded, gold, tag_count=model.tag_count)
    weights, transitions = _fit(model, touched, encoded.bounds, gold, settings, progress)
    features = write_back(model.features, touched, weights, least=LEAST)
    compact, features = forget_unused(encoder, features)
    adapted = CrfModel(compact, features, transitions, model.scheme, model.labels)
    tagger = CrfTagger(adapted, dial=detector.tagger.dial)
    return replace(
        detector, tagger=tagger, manifest=replace(manifest, labels=model.labels, stores_words=True)
    )


def widen(model: CrfModel, labels: Sequence[str]) -> CrfModel:
    """Return the model with more labels; it cannot give a new one until it has learned it."""
    known = tuple(sorted({*model.labels, *labels}))
    if known == model.labels:
        return model
    width = len(find_scheme(model.scheme).prefixes)
    tag_of = np.zeros(model.tag_count, dtype=np.int64)
    for number, label in enumerate(model.labels):
        first = 1 + number * width
        tag_of[first : first + width] = 1 + known.index(label) * width + np.arange(width)
    count = 1 + len(known) * width
    transitions = np.full((count, count), -np.inf)
    transitions[np.ix_(tag_of, tag_of)] = model.transitions
    features = replace(model.features, tags=tag_of[model.features.tags].astype(np.uint16))
    return CrfModel(model.encoder, features, transitions, model.scheme, known)


def _gold(data: Prepared, model: CrfModel) -> TagArray:
    scheme = find_scheme(model.scheme)
    parts = [
        encode_tags(alignment.ranges, len(tokens), scheme=scheme, labels=model.labels)
        for tokens, alignment in zip(data.batch, data.aligned, strict=True)
    ]
    return np.concatenate(parts)


def _open(transitions: FloatArray, gold: TagArray) -> FloatArray:
    """Let the tags of the notes be reached, by moves that begin as the least likely there are."""
    reached = np.asarray(~np.isneginf(transitions).all(axis=0), dtype=np.bool_)
    least = float(transitions[np.ix_(reached, reached)].min(initial=0.0))
    reached[gold] = True
    opened = np.full_like(transitions, -np.inf)
    opened[np.ix_(reached, reached)] = least if np.isfinite(least) else 0.0
    return np.where(np.isneginf(transitions), opened, transitions)


def _fit(
    model: CrfModel,
    touched: Touched,
    bounds: Any,
    gold: TagArray,
    settings: CrfAdaptation,
    progress: Progress,
) -> tuple[FloatArray, FloatArray]:
    """Return the weights of the touched entries and the transitions after the notes."""
    size = len(touched.weights)
    possible = ~np.isneginf(model.transitions)
    unreached = ~possible.any(axis=0)

    def split(moved: FloatArray) -> tuple[FloatArray, FloatArray]:
        transitions = model.transitions.copy()
        transitions[possible] += moved[size:]
        return touched.weights + moved[:size], transitions

    def objective(moved: FloatArray) -> tuple[float, FloatArray]:
        weights, transitions = split(moved)
        emissions = touched.score(weights)
        emissions[:, unreached] = -np.inf
        loss, by_emission, by_move = chain_loss(emissions, bounds, transitions, gold)
        gradient = np.concatenate([touched.gradient(by_emission), by_move[possible]])
        value = settings.weight * loss + 0.5 * float(moved @ moved)
        return value, settings.weight * gradient + moved

    def tell(share: float) -> None:
        number = round(share * settings.iterations)
        progress(f"iteration {number} of {settings.iterations} at most", share)

    start = np.zeros(size + int(possible.sum()))
    if not np.isfinite(objective(start)[0]):
        raise InputError(
            "the weights of the model lie too far apart to go on from",
            hint="Train a model anew: scrubjay train",
        )
    moved = minimise(
        objective,
        start,
        iterations=settings.iterations,
        report=tell,
    )
    return split(moved)
