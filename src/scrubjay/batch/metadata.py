"""What of a document's metadata goes into a de-identified file: structure, never content."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from scrubjay.corpora.columns import describe_columns
from scrubjay.document import Document
from scrubjay.errors import ConfigError

COLUMNS = "columns"
LAYOUT = "source.columns"
NAMES = "source.names"

_EVERYWHERE = ("source.path", "source.format")
_TABLE = (NAMES, LAYOUT, "source.null_text", "source.schema")
# By format, since the files of some hold metadata of any name.
_OF_FORMAT: Mapping[str, tuple[str, ...]] = {
    "csv": _TABLE,
    "tsv": _TABLE,
    "parquet": _TABLE,
    "jsonl": (NAMES,),
    "doccano": ("doccano.key",),
    # The two parts of the document's id.
    "nursing": ("nursing.patient", "nursing.note"),
}

STRUCTURE = frozenset({*_EVERYWHERE, COLUMNS, *sum(_OF_FORMAT.values(), ())})
"""The entries that `bare_metadata` may give."""


def bare_metadata(document: Document, *, keep_columns: Collection[str] = ()) -> dict[str, Any]:
    """Return the metadata that a writer needs to lay its file out like the input.

    That is where the document came from and the names of its fields. Annotation lines, tags,
    comments and the other columns of a table are left out, since they may quote the text or
    hold PHI of their own; the columns in `keep_columns` stay as they are, and so does one that
    repeats the document's id. Raises `ConfigError` for a column that the table does not have.
    """
    metadata = document.metadata
    wanted = (*_EVERYWHERE, *_OF_FORMAT.get(str(metadata.get("source.format")), ()))
    kept = {name: metadata[name] for name in wanted if name in metadata}
    columns = metadata.get(COLUMNS)
    if isinstance(columns, Mapping):
        stay = {
            name: value
            for name, value in columns.items()
            if name in keep_columns or str(value) == document.id
        }
        kept |= {COLUMNS: stay} if stay else {}
    if LAYOUT in kept:
        _require_columns(keep_columns, kept[LAYOUT])
        left = {*kept.get(NAMES, {}).values(), *kept.get(COLUMNS, ())}
        kept[LAYOUT] = [name for name in kept[LAYOUT] if name in left]
    return kept


def _require_columns(names: Collection[str], columns: Collection[str]) -> None:
    for name in sorted(names):
        if name not in columns:
            raise ConfigError(
                f"there is no column {name!r} to keep",
                hint=f"The table has {describe_columns(columns)}",
            )


def table_has_spans(document: Document) -> bool:
    """Tell whether a document may carry spans into a file of its own format.

    A table without a column for spans gets none.
    """
    names = document.metadata.get(NAMES)
    return not isinstance(names, Mapping) or names.get("spans") is not None
