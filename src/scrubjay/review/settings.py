"""The settings of a project: its labels, its name, its model."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from scrubjay.errors import ProjectError
from scrubjay.labels import Label, LabelSet, find_label_set
from scrubjay.review.people import annotator_names
from scrubjay.review.records import ProjectInfo
from scrubjay.review.store import Store


def find_labels(labels: str | Path | LabelSet) -> LabelSet:
    """Return a label set as it is, by its name, or from its file."""
    return labels if isinstance(labels, LabelSet) else find_label_set(labels)


def first_settings(
    label_set: LabelSet, *, name: str, guidelines: str, language: str, kind: str = "annotation"
) -> dict[str, Any]:
    """Return the settings that a new project begins with.

    The whole label set is kept, so that a later release with another one changes nothing.
    """
    return {
        "name": name,
        "kind": kind,
        "guidelines": guidelines,
        "language": language or label_set.language,
        "model": "",
        "labels": {
            "name": label_set.name,
            "title": label_set.title,
            "language": label_set.language,
            "definitions": [asdict(label) for label in label_set.definitions],
        },
    }


def label_set_of(store: Store) -> LabelSet:
    """Return the label set of a project."""
    record = store.setting("labels")
    try:
        definitions = tuple(Label(**entry) for entry in record["definitions"])
        return LabelSet(record["name"], definitions, record["title"], record["language"])
    except (KeyError, TypeError):
        raise ProjectError(f"{store.path}: the labels of the project were altered") from None


def require_label(store: Store, label: str | None) -> None:
    """Raise `LabelError` for a label that the project does not have; None is none."""
    if label is not None:
        label_set_of(store).require(label)


def describe(store: Store) -> ProjectInfo:
    """Return what a project is."""
    with store.read():
        return ProjectInfo(
            store.setting("id"),
            store.setting("name"),
            store.setting("kind"),
            store.setting("labels")["name"],
            store.setting("language"),
            store.setting("made"),
            store.setting("model"),
            annotator_names(store),
            store.one("SELECT COUNT(*) FROM documents")[0],
        )
