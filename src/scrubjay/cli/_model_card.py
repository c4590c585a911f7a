"""What `scrubjay models info` tells of a model at once: a card of some fifteen lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from scrubjay.cli._model_facts import KINDS, Row, begun, tell_capitals
from scrubjay.cli._model_figures import Figures, figures_of
from scrubjay.cli._output import show_size
from scrubjay.errors import counted

if TYPE_CHECKING:
    from scrubjay.artifacts import Manifest
    from scrubjay.models import ModelDescription

_LEARNED = {
    "en": "invented ones, real texts with invented identifiers",
    "es": "those of MEDDOCAN, invented ones",
    "nl": "invented ones",
}
"""What the models that ship learned from, by language, as their cards in docs/models.md tell."""
_OWN = "Apache-2.0; NOTICE names the works of others that are part of it"
_PARTS = {
    "en": "ACI-Bench, PriMock57, MTS-Dialog (CC BY 4.0)",
    "es": "MEDDOCAN (CC BY 4.0)",
}
"""The notes of others that the models that ship derive from, by language, as the README tells."""
_ENCODER = "multilingual-e5-small (MIT)"
_THINGS = {
    "names": "name initials relative",
    "professions": "profession",
    "ages": "age",
    "dates": "date",
    "places": "street address city state country zip territory place",
    "hospitals": "hospital organization",
    "phones, mail and web": "phone email url ip username",
    "numbers": "id ssn",
    "others": "sex other",
}
"""What the kinds of labels (`scrubjay.labels.KINDS`) are told as."""
_SHORT = 60
"""The length of a list of labels that is told as it is."""


def describe_card(
    model: ModelDescription, members: Mapping[str, Manifest] = MappingProxyType({})
) -> list[Row]:
    """Return what somebody wants to know of a model before it is used: rows of name and value.

    `members` are the manifests of those of an ensemble, by their names.
    """
    from scrubjay.models import SHIPPED

    manifest = model.manifest
    figures = figures_of(model)
    ships = figures is not None or model.folder.parent == SHIPPED
    rows = [
        ("model", _name(model)),
        ("is", _kinds(manifest, members)),
        ("learned from", _learned(manifest, members, ships=ships)),
        ("finds", _labels(manifest)),
        ("measured", _measured(figures, manifest.metrics)),
        ("speed, size", _speed(model, figures)),
        ("needs", _needs(model.extra)),
        ("capitals", tell_capitals(manifest, members)),
        ("stores words", _words(manifest)),
        ("recall dial", _dial(manifest.config.get("recall-dial"))),
        ("licence", (_own_licence if ships else _licence)(manifest, members)),
        ("card", f"docs/models.md#{manifest.name}" if ships else manifest.notes),
        ("more", f"scrubjay models info {manifest.name} --all, or --json"),
    ]
    return [(name, value) for name, value in rows if value]


def _name(model: ModelDescription) -> str:
    from scrubjay.cli._run_options import DEFAULT_MODEL
    from scrubjay.models import SHIPPED
    from scrubjay.text.languages import NAMES

    manifest = model.manifest
    language = NAMES.get(manifest.language, manifest.language) or "any language"
    default = "; taken where none is named" if model.folder == SHIPPED / DEFAULT_MODEL else ""
    return f"{manifest.name}, for {language}{default}"


def _kinds(manifest: Manifest, members: Mapping[str, Manifest]) -> str:
    """Return what a model is, or of what members it consists."""
    if not members:
        return KINDS.get(manifest.kind, manifest.kind)
    kinds = Counter(member.kind for member in members.values())
    encoders = sum(map(_has_encoder, members.values()))
    networks = sum(kinds.pop(kind, 0) for kind in ("bilstm", "transformer"))
    told = [counted(networks, "network")] if networks else []
    if encoders and networks:
        told[0] += f" ({encoders} over an encoder)"
    patterns = kinds.pop("regex", 0) + kinds.pop("patterns", 0)
    told += [counted(count, KINDS.get(kind, kind)) for kind, count in sorted(kinds.items())]
    told += ["patterns"] if patterns else []
    return f"an ensemble of {', '.join(told)}"


def _has_encoder(manifest: Manifest) -> bool:
    return isinstance(manifest.config.get("encoder"), Mapping)


def _learned(manifest: Manifest, members: Mapping[str, Manifest], *, ships: bool) -> str:
    """Return from how many notes a model learned, the most at a time, and what notes they were."""
    trainings = (_trainings(each.training_data) for each in (manifest, *members.values()))
    notes, spans = max(chain.from_iterable(trainings), default=(0, 0))
    if ships:
        return (
            f"{counted(notes, 'note')}: {_LEARNED[manifest.language]}, copies of them; no "
            "identifiers of real patients"
        )
    if not notes:
        return ""
    told = (
        f"{counted(notes, 'note')} with {counted(spans, 'mention')}{begun(manifest.training_data)}"
    )
    parent, notes_here = (manifest.training_data.get(key) for key in ("parent", "documents"))
    if isinstance(parent, Mapping) and parent.get("name") and isinstance(notes_here, int):
        told += f"; adapted from {parent['name']} to {counted(notes_here, 'note')}"
    for name, member in members.items():
        if went_on := begun(member.training_data).removeprefix("; "):
            own = member.training_data.get("documents")
            with_notes = f" with {counted(own, 'note')}" if isinstance(own, int) else ""
            told += f"; {name} {went_on}{with_notes}"
    return told


def _own_licence(manifest: Manifest, members: Mapping[str, Manifest]) -> str:
    """Return the licence of a model that ships, and the works of others that are part of it."""
    has_encoder = any(_has_encoder(member) for member in members.values())
    parts = [_PARTS.get(manifest.language, ""), _ENCODER if has_encoder else ""]
    told = ", ".join(filter(None, parts))
    return f"Apache-2.0; in it are works of others, see NOTICE{told and f': {told}'}"


def _licence(manifest: Manifest, members: Mapping[str, Manifest]) -> str:
    """Return what is known of the licence of a model of one's own: that of what it was made of."""
    from scrubjay.models import shipped_names

    told = list(_ancestors(manifest.training_data))
    told += [each.get("model") for each in manifest.config.get("members", ())]
    told += chain.from_iterable(_ancestors(each.training_data) for each in members.values())
    shipped = [name for name in dict.fromkeys(told) if name in shipped_names()]
    if shipped:
        return (
            f"not told by the model. What it has of {', '.join(shipped)}: {_OWN}. The rest: ask "
            "who made it"
        )
    parents = [name for name in dict.fromkeys(_ancestors(manifest.training_data)) if name]
    if parents:
        return f"not told by the model: ask who made it, and {', '.join(parents)} before it"
    return "not told by the model: ask who made it"


def _ancestors(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the models that a model went on from, the last one first."""
    for key in ("parent", "start", "teacher"):
        before = data.get(key)
        if isinstance(before, Mapping):
            yield str(before.get("name", ""))
            yield from _ancestors(before.get("training-data") or {})
    merged = data.get("merged")
    for each in merged.values() if isinstance(merged, Mapping) else ():
        if isinstance(each, Mapping):
            yield from _ancestors(each)


def _trainings(data: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """Yield the notes and mentions of a training and of all that went before it."""
    if isinstance(data.get("documents"), int):
        spans = data.get("spans")
        yield data["documents"], spans if isinstance(spans, int) else 0
    parent = data.get("parent")
    if isinstance(parent, Mapping):
        yield from _trainings(parent.get("training-data") or {})
    merged = data.get("merged")
    for each in merged.values() if isinstance(merged, Mapping) else ():
        if isinstance(each, Mapping):
            yield from _trainings(each)


def _labels(manifest: Manifest) -> str:
    """Return the labels of a model, or what kinds of things they are where they are many."""
    from scrubjay.labels import kind_of
    from scrubjay.models import label_set_of

    labels = manifest.labels
    of = f" of {manifest.label_set}" if manifest.label_set else ""
    count = counted(len(labels), "label")
    if len(", ".join(labels)) <= _SHORT:
        return f"{count}{of}: {', '.join(labels)}"
    known = label_set_of(manifest)
    kinds = {kind_of(known, label) for label in labels}
    things = [told for told, of_it in _THINGS.items() if kinds & set(of_it.split())]
    return f"{count}{of}: {', '.join(things)}"


def _measured(figures: Figures | None, metrics: Mapping[str, Any]) -> str:
    """Return the figures of the test notes, or of another model those of its own dev data."""
    if figures is not None:
        return (
            f"on test notes of an ordinary archive: {figures.token_recall:.1%} of the words of PHI "
            f"found, strict F1 {figures.f1:.4f}, {figures.false_positives:.1f} of 1,000 other "
            "words taken for PHI"
        )
    dev = metrics.get("dev", {})
    strict = dev.get("strict", {}) if isinstance(dev, Mapping) else {}
    told = [
        f"{name} {source[key]:.4f}"
        for name, source, key in (
            ("token recall", dev, "binary-token-recall"),
            ("strict F1", strict, "f1"),
        )
        if isinstance(source, Mapping) and isinstance(source.get(key), float)
    ]
    return f"on its dev data: {', '.join(told)}" if told else ""


def _speed(model: ModelDescription, figures: Figures | None) -> str:
    size = show_size(model.size)
    if figures is None or not figures.tokens_per_second:
        return size
    return f"{figures.tokens_per_second:,} tokens a second (two cores, extra 'fast'); {size}"


def _needs(extra: str) -> str:
    from scrubjay.models import has_packages

    if not extra:
        return "nothing"
    return f"the extra {extra!r}, which is {'' if has_packages(extra) else 'not '}installed"


def _words(manifest: Manifest) -> str:
    if not manifest.stores_words:
        return "no"
    return "yes, single ones of its training texts (models audit --words)"


def _dial(dial: Any) -> str:
    return (
        "" if dial is None else f"{dial:g}, set for a run by deid --recall-dial (more finds more)"
    )
