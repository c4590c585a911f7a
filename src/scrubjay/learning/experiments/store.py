"""The folder of an experiment: what it is, its cells as they are done, its results.

    experiment.json          what is run on what; a folder belongs to one experiment
    cells/NAME.json          figures and facts of one cell
    cells/NAME.spans.jsonl   its predictions: ids, offsets, labels and scores, no text
    work/                    states of trainings that were interrupted, members of ensembles
    result.json, result.md   the results, with plots beside them

Every file is written whole or not at all, for its owner alone, and so are folders that are made.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scrubjay.document import Document, Span
from scrubjay.errors import InputError, OutputError
from scrubjay.files import write_whole
from scrubjay.learning.experiments.cells import Cell, CellResult, cell_record, figures_from_json
from scrubjay.learning.experiments.data import ExperimentData

EXPERIMENT = "experiment.json"
RESULT = "result.json"

_SHOWN = 3


class Store:
    """Reads and writes the cells of one experiment; see `open_store`."""

    def __init__(self, folder: Path, work: Path | None = None, *, description: str) -> None:
        self._description = description
        self.folder = folder
        self.work = work or folder / "work"
        self._cells = folder / "cells"

    def begin(self) -> None:
        """Write what the experiment is, before anything else is written to the folder.

        What is refused without a training leaves no folder, and none that asks for more than it
        has. Raises `OutputError` for a folder that cannot be written.
        """
        if self._description:
            write_whole(self.folder / EXPERIMENT, self._description, private=True)
            self._description = ""

    def read(self, cell: Cell, data: ExperimentData) -> CellResult | None:
        """Return a cell's result, None where it has not been run.

        Raises `OutputError` for a result of something else, or a damaged one.
        """
        path = self._cells / f"{cell.slug}.json"
        if not path.is_file() or not self._spans(cell).is_file():
            return None
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            if record["fingerprint"] != cell.fingerprint(data):
                raise OutputError(
                    f"the cell {cell.name!r} was run with another configuration or other documents",
                    path=path,
                    hint="Choose another folder, or delete the file to run it again",
                )
            parts = {name: figures_from_json(table) for name, table in record["parts"].items()}
            return CellResult(cell, parts, record["seconds"], record["training"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise OutputError(
                f"not the result of a cell ({type(error).__name__})",
                path=path,
                hint="Delete it to run the cell again",
            ) from None

    def write(self, result: CellResult, data: ExperimentData) -> None:
        """Write a cell's predictions and, after them, its figures."""
        cell = result.cell
        documents = data.at(cell.scored())
        lines = (
            json.dumps(prediction_record(document, spans))
            for document, spans in zip(documents, result.predictions, strict=True)
        )
        write_whole(self._spans(cell), "".join(f"{line}\n" for line in lines), private=True)
        record = cell_record(result, cell.fingerprint(data))
        write_whole(self._cells / f"{cell.slug}.json", _pretty(record), private=True)

    def predictions(self, cell: Cell, documents: Sequence[Document]) -> list[Document]:
        """Return the documents with the spans that the cell predicted in them."""
        path = self._spans(cell)
        found = {record["id"]: record for record in read_records(path)}
        return [apply_record(document, found.get(document.id), path) for document in documents]

    def finish(self) -> None:
        """Remove the states of trainings that are done."""
        if self.work.is_dir() and not any(self.work.iterdir()):
            shutil.rmtree(self.work, ignore_errors=True)

    def _spans(self, cell: Cell) -> Path:
        return self._cells / f"{cell.slug}.spans.jsonl"


def open_store(
    folder: Path | str,
    identity: Mapping[str, Any],
    *,
    extent: Mapping[str, Any],
    work: Path | None = None,
) -> Store:
    """Open the folder of an experiment, a new one or one to go on with.

    `identity` is what the folder must agree with; `extent` is what may grow but not shrink: lists
    and numbers such as seeds and trials, switches that may be turned on, names that may be given
    where there was none. `work` takes the place of the folder's own, so that experiments can share
    the members of ensembles. Nothing is written before `Store.begin`. Raises `OutputError` for a
    folder of something else, naming what differs.
    """
    folder = Path(folder)
    path = folder / EXPERIMENT
    asked = {"format_version": 1, "identity": identity, "extent": extent}
    # As JSON reads it back, so that tuples and lists do not differ.
    asked = json.loads(_dump(asked))
    if folder.exists() and not folder.is_dir():
        raise OutputError("is a file", path=folder, hint="Give the name of a folder")
    if path.is_file():
        _require_same(path, asked)
    elif folder.is_dir() and any(folder.iterdir()):
        raise OutputError(
            "the folder holds something else", path=folder, hint="Give a new or empty folder"
        )
    return Store(folder, work, description=_pretty(asked))


def _require_same(path: Path, asked: Mapping[str, Any]) -> None:
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        identity, extent = dict(known["identity"]), dict(known["extent"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OutputError(
            f"not a description of an experiment ({type(error).__name__})",
            path=path,
            hint="Choose another folder, or delete this one to run it all again",
        ) from None
    differing = list(differences(identity, asked["identity"]))
    if differing:
        more = f", and {len(differing) - _SHOWN} more" if len(differing) > _SHOWN else ""
        raise OutputError(
            f"the folder holds another experiment: {'; '.join(differing[:_SHOWN])}{more}",
            path=path.parent,
            hint="Choose another folder, or ask for the same",
        )
    for name, value in asked["extent"].items():
        if not _contains(value, extent.get(name)):
            raise OutputError(
                f"the folder has results for {name} {_show(extent[name])}, asked for is "
                f"{_show(value)}",
                path=path.parent,
                hint=_advice(name, extent[name]),
            )


def _contains(value: Any, known: Any) -> bool:
    """Tell whether a setting that may grow holds what is there; raises nothing for odd types."""
    if known is None:
        return True
    match value, known:
        case list(), list():
            return all(one in value for one in known)
        case str(), str():
            return known in ("", value)
        case ((int() | float()), (int() | float())):
            return value >= known
    return False


def _advice(name: str, known: Any) -> str:
    begin = "Results may be added to, not taken from: choose another folder, or "
    if isinstance(known, bool):
        return f"{begin}{name} {_show(known)}"
    if isinstance(known, str):
        # Only what systems are compared with is a name.
        return (
            f"{begin}the same {name}; what is stored is compared in other ways by scrubjay "
            "experiment significance --predicted FOLDER"
        )
    return f"{begin}more {name}"


def differences(known: Any, asked: Any, path: str = "") -> Iterator[str]:
    """Yield what differs between two trees of plain values: `path: known there, asked for here`."""
    if isinstance(known, dict) and isinstance(asked, dict):
        for key in dict.fromkeys([*known, *asked]):
            below = f"{path}.{key}" if path else str(key)
            if key not in known:
                yield f"{below} is not there, {_show(asked[key])} here"
            elif key not in asked:
                yield f"{below} is {_show(known[key])} there, not set here"
            else:
                yield from differences(known[key], asked[key], below)
    elif isinstance(known, list) and isinstance(asked, list) and len(known) == len(asked):
        for number, (one, other) in enumerate(zip(known, asked, strict=True)):
            yield from differences(one, other, f"{path}.{_label(one, number)}")
    elif known != asked:
        yield f"{path} is {_show(known)} there, {_show(asked)} here"


def _label(entry: Any, number: int) -> str:
    return str(entry["name"]) if isinstance(entry, dict) and "name" in entry else str(number)


def _show(value: Any) -> str:
    text = _dump(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def prediction_record(document: Document, spans: Sequence[Span]) -> dict[str, Any]:
    """Return one line of predictions: offsets, labels and scores, and the length of the text."""
    return {
        "id": document.id,
        "characters": len(document.text),
        "spans": [
            [s.start, s.end, s.label, None if s.score is None else round(s.score, 6)] for s in spans
        ],
    }


def apply_record(document: Document, record: Mapping[str, Any] | None, path: Path) -> Document:
    """Return the document with the predicted spans; raises `InputError` where they do not fit."""
    if record is None:
        raise InputError(f"there is no prediction for document {document.id!r}", path=path)
    if record["characters"] != len(document.text):
        raise InputError(
            f"document {document.id!r} has {len(document.text)} characters, predicted were spans "
            f"of one with {record['characters']}",
            path=path,
            hint="Give the corpus that was predicted",
        )
    return document.with_spans(
        Span(start, end, label, score=score) for start, end, label, score in record["spans"]
    )


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file of predictions; raises `InputError` for a damaged one."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
            yield {key: record[key] for key in ("id", "characters", "spans")}
        except (ValueError, KeyError, TypeError):
            raise InputError(
                "not a line of predictions", path=path, place=f"line {number}"
            ) from None


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
