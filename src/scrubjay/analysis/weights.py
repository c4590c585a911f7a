"""What a CRF learned: the features that weigh most for each tag, and its moves between tags."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrubjay.errors import ConfigError
from scrubjay.taggers.crf import CrfDetector, CrfModel, is_crf
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.tags import find_scheme

OUTSIDE = "O"


@dataclass(frozen=True, slots=True)
class FeatureWeight:
    """What a feature adds to the score of a tag.

    Each part of a feature is an attribute, the offset from the token at which it is read, and the
    value that it has there, which may be a word of the training data.
    """

    tag: str
    parts: tuple[tuple[str, int, str], ...]
    weight: float

    def __str__(self) -> str:
        return " ".join(f"{name}@{offset}={value}" for name, offset, value in self.parts)


@dataclass(frozen=True, slots=True)
class MoveWeight:
    """What the move from one tag to the next adds to the score of a path."""

    source: str
    target: str
    weight: float


def find_crf(detector: Any, member: str = "") -> CrfDetector:
    """Return a CRF, or that of an ensemble; `member` names it where there are several.

    Raises `ConfigError` where there is none, or several and none of them is named.
    """
    if not isinstance(detector, EnsembleDetector):
        crfs = {"": detector} if is_crf(detector) else {}
    else:
        crfs = {each.name: each.detector for each in detector.members if is_crf(each.detector)}
    if not crfs:
        raise ConfigError(
            "there is no CRF in this model, so no feature has a weight",
            hint="Rules are shown by: scrubjay rules show",
        )
    if member in crfs:
        return crfs[member]
    if member or len(crfs) > 1:
        raise ConfigError(f"there is no CRF {member!r} in this model. There are: {', '.join(crfs)}")
    return next(iter(crfs.values()))


def strongest_features(
    model: CrfModel, *, most: int, labels: Collection[str] = ()
) -> Iterator[FeatureWeight]:
    """Yield the features of each tag that weigh most, `most` at most for each, in order of tags.

    Those that speak for a tag come first, the largest weight before others; those that speak
    against it last. `labels` leaves other tags out; `O` stands for that of no PHI. Raises
    `ConfigError` for a label that the model does not have.
    """
    features, encoder = model.features, model.encoder
    values = {name: encoder.values_of(name) for name in encoder.alphabets}
    owners = np.repeat(np.arange(len(features.templates)), np.diff(features.indptr))
    for number, tag in _chosen_tags(model, labels):
        places = np.flatnonzero(features.tags == number)
        order = np.argsort(-np.abs(features.weights[places]), kind="stable")
        places = places[order[:most]]
        for place in places[np.argsort(-features.weights[places], kind="stable")].tolist():
            owner = owners[place]
            template = encoder.templates[features.templates[owner]]
            numbers = features.values[owner].tolist()
            parts = tuple(
                (name, offset, values[name][value - 1])
                for (name, offset), value in zip(template.parts, numbers, strict=False)
            )
            yield FeatureWeight(tag, parts, float(features.weights[place]))


def moves(model: CrfModel, *, labels: Collection[str] = ()) -> Iterator[MoveWeight]:
    """Yield the moves to each tag that training gave a weight, the largest first.

    `labels` are those of the tags that moves lead to, as for `strongest_features`.
    """
    names = find_scheme(model.scheme).tag_names(model.labels)
    for number, tag in _chosen_tags(model, labels):
        column = model.transitions[:, number]
        for source in np.argsort(-column, kind="stable").tolist():
            if np.isfinite(column[source]) and column[source]:
                yield MoveWeight(names[source], tag, float(column[source]))


def _chosen_tags(model: CrfModel, labels: Collection[str]) -> list[tuple[int, str]]:
    known = (OUTSIDE, *model.labels)
    if unknown := sorted({*labels} - {*known}):
        raise ConfigError(f"the model has no label {unknown[0]!r}. It has: {', '.join(known)}")
    names = find_scheme(model.scheme).tag_names(model.labels)
    return [(n, tag) for n, tag in enumerate(names) if not labels or _label_of(tag) in labels]


def _label_of(tag: str) -> str:
    return tag if tag == OUTSIDE else tag.partition("-")[2]
