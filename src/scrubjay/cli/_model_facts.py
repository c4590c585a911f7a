"""What `scrubjay models info --all` tells of a model on the screen: its manifest in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from scrubjay.cli._model_figures import Figures, figures_of
from scrubjay.cli._output import show_size
from scrubjay.errors import counted

if TYPE_CHECKING:
    from scrubjay.artifacts import Manifest
    from scrubjay.models import ModelDescription

Row = tuple[str, str]

KINDS = {
    "crf": "CRF",
    "bilstm": "recurrent network",
    "transformer": "tuned encoder",
    "tbed": "learned rules",
    "patterns": "patterns",
    "regex": "patterns",
    "ensemble": "ensemble",
}
_METHODS = {"pool": "scores added up", "svm": "a support vector machine decides"}
_ALL = "all dev data together"
_TOGETHER, _TRAINED = "weights of its members from", "trained on"
_FIGURES = (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))


def describe_in_words(
    model: ModelDescription, members: Mapping[str, Manifest] = MappingProxyType({})
) -> list[Row]:
    """Return what a model says about itself: what each row is called, and what it tells.

    `members` are the manifests of those of an ensemble, by their names.
    """
    manifest = model.manifest
    config = manifest.config
    rows = [
        ("name", manifest.name),
        ("folder", str(model.folder)),
        ("size", f"{show_size(model.size)} in {counted(len(manifest.files) + 1, 'file')}"),
        ("language", manifest.language or "-"),
        ("kind", _kind(manifest.kind, config)),
        ("label set", manifest.label_set or "-"),
        ("labels", ", ".join(manifest.labels)),
        ("recall dial", _dial(config.get("recall-dial"))),
        ("capitals", tell_capitals(manifest, members)),
        *_reading(manifest, ""),
        *(row for name, member in members.items() for row in _member(name, member)),
        *_training(manifest.training_data, _name_training(manifest, members)),
        *_figures(manifest.metrics, ()),
        ("figures on test notes", _measured(figures_of(model))),
        (
            "words of its training data",
            "stored: scrubjay models audit --words lists them" if manifest.stores_words else "none",
        ),
        ("notes", manifest.notes),
        ("written by", f"Scrubjay {manifest.package_version}"),
        ("all of the manifest", "scrubjay models info --json"),
    ]
    return [(name, value) for name, value in rows if value]


def _kind(kind: str, config: Mapping[str, Any]) -> str:
    members = [member["name"] for member in config.get("members", ()) if "name" in member]
    if not members:
        return KINDS.get(kind, kind)
    combiner = config.get("combiner", {})
    method = str(combiner.get("method", ""))
    told = f"ensemble of {', '.join(members)}; {_METHODS.get(method, method)}".rstrip("; ")
    if late := combiner.get("late"):
        told += f"; {', '.join(map(str, late))} asked where the others doubt"
    return told


def tell_capitals(manifest: Manifest, members: Mapping[str, Manifest]) -> str:
    """Return whether a model restores capitals, and which of its members alone do; "" for none."""
    from scrubjay.taggers.capitals import restores_capitals

    told = "restored where a text has none, or nothing else"
    if restores_capitals(manifest):
        return told
    by = [name for name, member in members.items() if restores_capitals(member)]
    return f"{told} (by {', '.join(by)})" if by else ""


def _member(name: str, manifest: Manifest) -> Iterator[Row]:
    """Yield what a member of an ensemble is, and how it reads a text."""
    config = manifest.config
    facts = [KINDS.get(manifest.kind, manifest.kind)]
    if isinstance(config.get("encoder"), Mapping):
        facts[0] += " over an encoder"
    if config.get("name"):
        facts.append(f"after the configuration {config['name']}")
    if isinstance(config.get("patterns"), int):
        facts.append(f"{config['patterns']:,} of them")
    if isinstance(config.get("rules"), int):
        facts.append(counted(config["rules"], "rule"))
    yield f"member {name}", ", ".join(facts)
    yield from _reading(manifest, f"{name}: ")
    yield from _training(manifest.training_data, f"{name}: trained on")


def _reading(manifest: Manifest, begin: str) -> Iterator[Row]:
    """Yield tokenizer, tag scheme and features of a model that has some; ensembles have none."""
    tokenizer = dict(manifest.tokenizer)
    if not (name := tokenizer.pop("name", "")):
        return
    settings = [f"{key} {value}" for key, value in sorted(tokenizer.items()) if value]
    told = f"{name} ({', '.join(settings)})" if settings else str(name)
    yield f"{begin}tokenizer", f"{told}; tags {manifest.scheme}"
    config = manifest.config
    features = config.get("features", config.get("templates"))
    groups = features.get("groups") if isinstance(features, Mapping) else None
    if isinstance(groups, Mapping) and groups:
        sizes = [f"{group} {_size(content):,}" for group, content in sorted(groups.items())]
        yield f"{begin}features", ", ".join(sizes)


def _size(group: Any) -> int:
    """Return how many templates of features a group has: a list, or one under `crosses`."""
    found = group.get("crosses", ()) if isinstance(group, Mapping) else group
    return len(found)


def _dial(dial: Any) -> str:
    return "none" if dial is None else f"{dial:g}"


def _name_training(manifest: Manifest, members: Mapping[str, Manifest]) -> str:
    """Return what the training of a model is called.

    That of an ensemble mostly weighs its members alone, often over few notes; they were trained
    before. One that was adapted went on to learn with them.
    """
    weighs = members and "adaptation" not in manifest.training_data
    return _TOGETHER if weighs else _TRAINED


_MOST_STAGES = 4
"""Stages of a training that are told one by one."""


def _training(data: Mapping[str, Any], name: str) -> Iterator[Row]:
    """Yield what a model was trained on, the last stage first, each beginning where one ended.

    An earlier stage tells what it went on from where that is a member of a model, or nothing else
    tells of it: the folder of a stage in between is nowhere, and has a row of its own. Of many
    stages those between the last two and the first have one row together.
    """
    begin = "" if name == _TOGETHER else name.removesuffix(_TRAINED)
    rows: list[Row] = []
    sizes: list[int] = []
    stage = 0
    while data:
        parent = data.get("parent", data.get("start"))
        told = _counts(data)
        if further := _counts(data.get("further")):
            told = f"{told}; went on with {further}" if told else further
        before = parent.get("training-data") or {} if isinstance(parent, Mapping) else {}
        if told:
            is_between = stage and _counts(before) and not (data.get("start") or {}).get("member")
            rows.append((name, told if is_between else told + begun(data)))
            sizes.append(int(data.get("documents") or 0))
        stage += 1
        name = f"{begin}before that on" if stage == 1 else f"{begin}{stage} stages before on"
        data = before
    yield from rows[:2]
    if len(rows) <= _MOST_STAGES:
        yield from rows[2:]
        return
    between = sizes[2:-1]
    yield (
        f"{begin}in between on",
        f"{min(between):,} to {counted(max(between), 'document')}",
    )
    yield rows[-1]


def _counts(data: Any) -> str:
    """Return how many documents and spans a training had, "" where nobody tells."""
    known = data if isinstance(data, Mapping) else {}
    return ", ".join(
        counted(known[key], thing)
        for key, thing in (("documents", "document"), ("spans", "span"))
        if isinstance(known.get(key), int)
    )


def begun(data: Mapping[str, Any]) -> str:
    """Return what a network began with in place of chance, "" where it did not."""
    start = data.get("start")
    if not isinstance(start, Mapping) or not isinstance(start.get("name"), str):
        return ""
    member = f"{start['member']} of " if start.get("member") else ""
    return f"; went on from {member}{start['name']}"


def _figures(metrics: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Row]:
    """Yield a row for each corpus or member that a manifest has figures of."""
    figures = metrics.get("strict", metrics)
    known = [f"{name} {figures[key]:.4f}" for key, name in _FIGURES if _is_figure(figures, key)]
    if _is_figure(metrics, "binary-token-recall"):
        known.append(f"recall of tokens, whatever the label, {metrics['binary-token-recall']:.4f}")
    if known:
        if isinstance(metrics.get("documents"), int):
            known.append(f"on {counted(metrics['documents'], 'document')}")
        yield f"figures on {_place(path)}", ", ".join(known)
    for key, value in metrics.items():
        if isinstance(value, Mapping) and key != "strict":
            together = key == "dev" and len(metrics.get("dev-sources", ())) > 1
            yield from _figures(value, (*path, _ALL if together else key))


def _measured(figures: Figures | None) -> str:
    """Return what was measured of a model that ships, as `scrubjay models list` shows it."""
    if figures is None:
        return ""
    speed = figures.tokens_per_second
    return (
        f"F1 {figures.f1:.4f}, recall of tokens, whatever the label, {figures.token_recall:.4f}, "
        f"false positives of 1,000 other tokens {figures.false_positives:.1f}"
        + (f", {speed:,} tokens a second" if speed else "")
    )


def _is_figure(figures: Any, key: str) -> bool:
    return isinstance(figures, Mapping) and isinstance(figures.get(key), int | float)


def _place(path: tuple[str, ...]) -> str:
    """Return what figures are of: "1:en-notes-dev" of the sources is a corpus by its name."""
    if path[:1] == ("dev-sources",) and len(path) == 2:
        return path[1].partition(":")[2] or path[1]
    words = {"dev": "dev data", "crossfit": "training data, cross-fitted", "members": ""}
    return " ".join(filter(None, (words.get(part, part) for part in path))) or "no named data"
