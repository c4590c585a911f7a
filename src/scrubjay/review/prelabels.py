"""Suggestions: what a model would mark, for documents that nobody has begun."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from scrubjay.artifacts import hash_manifest
from scrubjay.deidentifier import Deidentifier, Failure
from scrubjay.document import Document
from scrubjay.errors import LabelError, StateError, require_choice
from scrubjay.models import describe_model, find_model, load_model, shipped_names
from scrubjay.review.marks import encode_marks
from scrubjay.review.people import document_row
from scrubjay.review.records import Prelabelled
from scrubjay.review.settings import label_set_of
from scrubjay.review.store import Store, now
from scrubjay.review.work import read_text
from scrubjay.transform.policy import find_policy

_OWN = "project:"
_CHUNK = 64
T = TypeVar("T")


def model_place(store: Store, model: str) -> str:
    """Return how a project names a model: a shipped name, a folder of its own, or a path.

    Folders within the project are named from there, so that it can be moved. Raises
    `ConfigError` for an unknown model.
    """
    if model.startswith(_OWN):
        model = str(store.folder / model.removeprefix(_OWN))
    elif model in shipped_names():
        return model
    folder = find_model(model).resolve()
    home = store.folder.resolve()
    return _OWN + folder.relative_to(home).as_posix() if home in folder.parents else str(folder)


def model_folder(store: Store, model: str) -> str:
    """Return what `load_model` takes for a model that a project names."""
    if model.startswith(_OWN):
        return str(store.folder / model.removeprefix(_OWN))
    return model


def model_key(store: Store, model: str) -> str:
    """Return what tells a model from all others: the hash of its manifest."""
    return hash_manifest(find_model(model_folder(store, model)))[:24]


def require_model_labels(store: Store, model: str) -> None:
    """Raise `LabelError` where a model gives labels that the project does not have."""
    label_set = label_set_of(store)
    manifest = describe_model(model_folder(store, model)).manifest
    unknown = [label for label in manifest.labels if label not in label_set]
    if unknown:
        raise LabelError(
            f"the model {manifest.name!r} gives the label {unknown[0]!r}, which the project with "
            f"the label set {label_set.name!r} does not have",
            hint="Make the project with the label set of the model (models list tells it)",
        )


def prelabel_documents(
    store: Store, model: str, *, shown: str, documents: Sequence[str] | None
) -> Prelabelled:
    """Let a model suggest marks for the documents that nobody has begun."""
    require_choice("shown", shown, ("all", "none", "half"))
    if store.setting("kind") == "audit":
        raise StateError("in an audit the suggestions are what the run removed; they stay")
    place = model_place(store, model)
    require_model_labels(store, place)
    folder = model_folder(store, place)
    finder = Deidentifier(load_model(folder), find_policy("placeholder"))
    count = suggestions = replaced = 0
    failures: list[str] = []
    for numbers in in_chunks(_waiting(store, documents), _CHUNK):
        found = list(finder.detect(_bare(store, numbers)))
        with store.write():
            for number, result in zip(numbers, found, strict=True):
                if isinstance(result, Failure):
                    failures.append(result.id)
                elif _is_waiting(store, number):
                    count += 1
                    suggestions += len(result.spans)
                    replaced += _has_other(store, number, place)
                    _write(store, number, result, place, shown)
    with store.write():
        store.set("model", place)
        store.run("DELETE FROM queue")
    return Prelabelled(place, count, suggestions, replaced, tuple(failures))


def _write(store: Store, number: int, found: Document, model: str, shown: str) -> None:
    visible = shown == "all" or (shown == "half" and draw_lot(store, found.id))
    store.run(
        "INSERT OR REPLACE INTO suggestions VALUES (?, ?, ?, ?, ?)",
        number, model, json.dumps(encode_marks(found.spans)), int(visible), now(),
    )  # fmt: skip


def _has_other(store: Store, number: int, model: str) -> bool:
    """Tell whether a document has suggestions that were imported, or are another model's."""
    row = store.find("SELECT model, spans FROM suggestions WHERE document = ?", number)
    return row is not None and row["model"] != model and json.loads(row["spans"]) != []


def draw_lot(store: Store, document: str) -> bool:
    """Tell whether the lot of a document is to have its suggestions shown: half of them have."""
    return _hash(store, "shown", document)[0] < 128


def is_held_out(store: Store, document: str, share: float) -> bool:
    """Tell whether a document is among the share that is kept to measure models on."""
    return int.from_bytes(_hash(store, "dev", document)[:4], "big") < share * 2**32


def _hash(store: Store, purpose: str, document: str) -> bytes:
    whole = f"{store.setting('id')}:{purpose}:{document}"
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).digest()


def _waiting(store: Store, documents: Sequence[str] | None) -> list[int]:
    with store.read():
        if documents is not None:
            numbers = [int(document_row(store, one)["number"]) for one in documents]
        else:
            numbers = [row[0] for row in store.all("SELECT number FROM documents ORDER BY number")]
        return [number for number in numbers if _is_waiting(store, number)]


def _is_waiting(store: Store, number: int) -> bool:
    return (
        store.find("SELECT 1 FROM versions WHERE document = ?", number) is None
        and store.find("SELECT 1 FROM gold WHERE document = ?", number) is None
    )


def _bare(store: Store, numbers: Iterable[int]) -> Iterator[Document]:
    for number in numbers:
        yield stored_document(store, number)


def stored_document(store: Store, number: int) -> Document:
    """Return a document of the project without any spans."""
    row = store.one("SELECT id, metadata FROM documents WHERE number = ?", number)
    return Document(row["id"], read_text(store, number), (), json.loads(row["metadata"]))


def in_chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield lists of so many items, the last one shorter."""
    stream = iter(items)
    while chunk := list(islice(stream, size)):
        yield chunk


def switch_shown(store: Store, documents: Sequence[str], *, shown: bool) -> None:
    """Show suggestions to whoever begins these documents, or keep them hidden."""
    if store.setting("kind") == "audit":
        raise StateError("in an audit the suggestions are what the run removed; they are shown")
    with store.write():
        for document in documents:
            store.run(
                "UPDATE suggestions SET shown = ? WHERE document = ?",
                int(shown),
                document_row(store, document)["number"],
            )


def own_folder(store: Store, *parts: str) -> Path:
    """Return a folder below that of the project, made for its owner alone."""
    folder = store.folder.joinpath(*parts)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    return folder
