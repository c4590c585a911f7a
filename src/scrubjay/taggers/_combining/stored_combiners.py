"""Combiners from what an artifact keeps of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.features.protected import protected_fingerprints
from scrubjay.taggers._combining.combiners import (
    Arrays,
    Combiner,
    Filled,
    Intersection,
    PerLabel,
    Union,
    Votes,
)
from scrubjay.taggers._combining.pool import DOUBT, Pool
from scrubjay.taggers._combining.rbf import read_machine
from scrubjay.taggers._combining.stacker import Stacker
from scrubjay.taggers._combining.stacking_features import FeatureLayout


def read_combiner(
    record: Mapping[str, Any], arrays: Arrays, *, members: tuple[str, ...], labels: tuple[str, ...]
) -> Combiner:
    """Return the combiner of an artifact.

    Raises `ConfigError`, `KeyError`, `TypeError` or `ValueError` where its parts do not fit.
    """
    fill = _strings(record.get("fill", ()))
    if fill:
        if not set(fill) < set(members):
            raise ValueError("what fills is no member, or all of them are")
        rest = {name: value for name, value in record.items() if name != "fill"}
        combined = tuple(name for name in members if name not in fill)
        return Filled(read_combiner(rest, arrays, members=combined, labels=labels), members, fill)
    match record["method"]:
        case "svm":
            return _read_stacker(record, arrays, members=members, labels=labels)
        case "majority" | "weighted" as method:
            return Votes(members, labels, tuple(map(float, record["weights"])), method)
        case "pool":
            weights = tuple(map(float, record["weights"]))
            return Pool(
                members,
                weights,
                decode=record.get("decode", "path"),
                late=_strings(record.get("late", ())),
                doubt=float(record.get("doubt", DOUBT)),
            )
        case "union":
            return Union(members)
        case "intersection":
            return Intersection(members)
        case "per-label":
            return PerLabel(members, dict(record["choice"]), dict(record["precision"]))
        case method:
            raise ConfigError(f"unknown method of an ensemble {method!r}")


def _read_stacker(
    record: Mapping[str, Any], arrays: Arrays, *, members: tuple[str, ...], labels: tuple[str, ...]
) -> Stacker:
    rules = tuple((str(member), str(name)) for member, name in record["rules"])
    opining = _strings(record.get("opining", ()))
    known = _strings(record.get("labels", labels))
    protected = str(record.get("protected", ""))
    layout = FeatureLayout(members, _strings(record["scored"]), known, rules, opining, protected)
    if record.get("protected-lists", {}) != protected_fingerprints(protected):
        warnings.warn(
            "an ensemble was fitted with other lists of clinical terms: its figures may differ. "
            "Train it again with this release",
            stacklevel=2,
        )
    unknown = tuple(label for label in labels if label not in known)
    named = {member for member, _ in rules} | set(layout.scored) | set(layout.opining)
    if not named <= set(members):
        raise ValueError("the features name members that are not there")
    machine = read_machine(arrays)
    if len(machine.mean) != len(layout.names()):
        raise ValueError("the support vectors have another number of features")
    threshold = float(record["threshold"])
    if not 0 < threshold < 1:
        raise ValueError("the threshold is no probability")
    slope, offset = float(record["slope"]), float(record["offset"])
    return Stacker(layout, machine, slope, offset, threshold, unknown)


def _strings(values: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(value) for value in values)
