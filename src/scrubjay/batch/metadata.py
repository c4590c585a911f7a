"""What of a document's metadata goes into a de-identified file: structure, never content."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from scrubjay.corpora._fhir_tree import ids_of
from scrubjay.corpora.arrow import ArrowRow
from scrubjay.corpora.columns import (
    WELL_KNOWN,
    describe_columns,
    looks_like_data,
    suggest_column,
)
from scrubjay.corpora.metadata import (
    COLUMNS_KEY,
    FILE_KEY,
    FORMAT_KEY,
    LAYOUT_KEY,
    NAMES_KEY,
    NULL_KEY,
    PATH_KEY,
    RECORD_KEY,
    SEPARATOR_KEY,
    SKELETON_KEY,
    TEXTS_KEY,
)
from scrubjay.document import Document
from scrubjay.errors import ConfigError

KEPT = "scrubjay.kept"
"""Columns that are kept, by name, of a document that has no other: rows of a cluster."""

_EVERYWHERE = (PATH_KEY, FORMAT_KEY)
_TABLE = (NAMES_KEY, LAYOUT_KEY, NULL_KEY, TEXTS_KEY, SEPARATOR_KEY, FILE_KEY)
_BOUND = (SKELETON_KEY, SEPARATOR_KEY)
# By format, since the files of some hold metadata of any name.
_OF_FORMAT: Mapping[str, tuple[str, ...]] = {
    "csv": _TABLE,
    "tsv": _TABLE,
    "parquet": _TABLE,
    "hl7": _BOUND,
    "fhir": (*_BOUND, RECORD_KEY),
    "jsonl": (NAMES_KEY,),
    "doccano": ("doccano.key",),
    "i2b2": ("xml.root",),
    # The two parts of the document's id.
    "nursing": ("nursing.patient", "nursing.note"),
}
_ID_PARTS = ("nursing.patient", "nursing.note")


def bare_metadata(
    document: Document,
    *,
    keep_columns: Collection[str],
    codes: Mapping[str, str | None] = MappingProxyType({}),
    new_id: bool = False,
) -> dict[str, Any]:
    """Return the metadata that a writer needs to lay its file out like the input.

    That is where the document came from and the names of its fields. Annotation lines, tags,
    comments and the other columns of a table are left out, since they may quote the text or
    hold PHI of their own; the columns that a pattern of `keep_columns` fits stay as they are, and
    so does the one that holds the document's id. `codes` stand in the place of the values of their
    columns, and with `new_id` nothing stays that tells the old one. Raises `ConfigError` for a
    pattern that fits no column, for names of columns that look like data and would be written, and
    for a table in folders named after values of a column that is not kept.
    """
    metadata = document.metadata
    wanted = (*_EVERYWHERE, *_OF_FORMAT.get(str(metadata.get(FORMAT_KEY)), ()))
    if new_id:
        wanted = tuple(name for name in wanted if name not in _ID_PARTS)
    kept = {name: metadata[name] for name in wanted if name in metadata}
    columns = metadata.get(COLUMNS_KEY)
    patterns = tuple(keep_columns)
    if isinstance(columns, ArrowRow):
        names = tuple(dict.fromkeys((*kept[LAYOUT_KEY], *columns)))
        stay = {*chosen_columns(names, patterns), kept[NAMES_KEY]["id"], *codes}
        require_partitions(tuple(columns.shape.partitions), stay)
        kept[COLUMNS_KEY] = columns.only(stay, codes)
    elif isinstance(columns, Mapping):
        if LAYOUT_KEY in kept:
            chosen = chosen_columns(tuple(dict.fromkeys((*kept[LAYOUT_KEY], *columns))), patterns)
        else:  # records without a common layout: each may lack a column
            chosen = frozenset(fitting(columns, patterns))
        left = {
            name: codes.get(name, value)
            for name, value in columns.items()
            if name in chosen or name in codes or (str(value) == document.id and not new_id)
        }
        kept |= {COLUMNS_KEY: left} if left else {}
    if LAYOUT_KEY in kept:
        own = kept[NAMES_KEY]
        texts = (own["text"], *own.get("more", ()))
        _require_own(tuple(kept[LAYOUT_KEY]), (*texts, own["id"] or ""))
        there = {own["id"], own["spans"], *texts, *kept.get(COLUMNS_KEY, ())}
        kept[LAYOUT_KEY] = [name for name in kept[LAYOUT_KEY] if name in there]
    return kept


def kept_values(
    document: Document, patterns: tuple[str, ...], *, coded: Collection[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield the columns that go out as they are, but the id and the texts: name and value as text.

    Those of `coded` do not.
    A column is called by its name where that was given or is well known, else by the pattern that
    fits it: a table without a header has its first row for names. What is no text is passed over.
    """
    metadata = document.metadata
    if (kept := metadata.get(KEPT)) is not None:
        yield from ((name, value_as_text(value)) for name, value in kept.items())
    columns = metadata.get(COLUMNS_KEY)
    if not patterns or not isinstance(columns, Mapping):
        return
    own = id_column(document)
    for name, told in told_columns(tuple(columns), patterns):
        if name == own or name in coded:
            continue
        try:
            yield told, value_as_text(columns[name])
        except (UnicodeDecodeError, LookupError):  # bytes in strings, zones inside other values
            continue


def value_as_text(value: Any) -> str:
    """Return the value of a column as text, "" for null."""
    return "" if value is None else str(value)


@lru_cache(maxsize=64)
def told_columns(columns: tuple[str, ...], patterns: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the columns that the patterns fit, and what messages call each.

    That is its name where that was given or is well known, else the pattern.
    """
    return [
        (name, name if name in patterns or name.lower() in WELL_KNOWN else pattern)
        for name in columns
        for pattern in [each for each in patterns if fnmatchcase(name, each)][:1]
    ]


@lru_cache(maxsize=64)
def chosen_columns(columns: tuple[str, ...], patterns: tuple[str, ...]) -> frozenset[str]:
    """Return the columns that the patterns (`*` and `?`) fit; raises `ConfigError` for one idle.

    So it does for a column that a pattern fits, and that is not named by any, whose name looks like
    data: the output would begin with it.
    """
    chosen: set[str] = set()
    for pattern in patterns:
        found = fitting(columns, (pattern,))
        if not found:
            raise ConfigError(
                f"there is no column {pattern!r} to keep",
                hint=f"{suggest_column(pattern, columns)}The table has {describe_columns(columns)}",
            )
        chosen |= found
    require_header(columns, chosen.difference(patterns))
    return frozenset(chosen)


def require_header(columns: Sequence[str], written: Collection[str]) -> None:
    """Raise `ConfigError` where a name that would be written looks like data.

    A table without a header has its first row for names, and these are not searched for PHI.
    """
    for number, name in enumerate(columns, start=1):
        if name in written and looks_like_data(name):
            raise ConfigError(
                f"the name of column {number} looks like data, and would stand in the output: the "
                "first row must hold the names of the columns",
                hint="Give the table a header, or, if that is its name, another one; a column that "
                "is kept can be named with --keep-column in full instead",
            )


@lru_cache(maxsize=64)
def _require_own(columns: tuple[str, ...], own: tuple[str, ...]) -> None:
    require_header(columns, own)


def fitting(columns: Iterable[str], patterns: Collection[str]) -> set[str]:
    """Return the columns that any of the patterns fits."""
    return {name for name in columns if any(fnmatchcase(name, each) for each in patterns)}


def require_partitions(partitions: Collection[str], kept: Collection[str]) -> None:
    """Raise `ConfigError` where the names of folders hold values of a column that is not kept."""
    for name in partitions:
        if name not in kept:
            raise ConfigError(
                f"the parts lie in folders named after the values of {name!r}, and so would the "
                "output",
                hint=f"Give --keep-column {name} if these may be seen, or copy the parts into "
                "folders of other names",
            )


def id_column(document: Document) -> str:
    """Return the column or key that holds the id of a document, "" where there is none."""
    names = document.metadata.get(NAMES_KEY)
    return str(names.get("id") or "") if isinstance(names, Mapping) else ""


def record_name(document: Document) -> str:
    """Return how others refer to the resource that a document is, "" where it is none."""
    return str(document.metadata.get(RECORD_KEY) or "")


def has_record_ids(document: Document) -> bool:
    """Tell whether a document is a FHIR resource, which has ids and references in it."""
    return document.metadata.get(FORMAT_KEY) == "fhir"


def record_ids(document: Document) -> Iterator[str]:
    """Yield the ids in a FHIR resource, its own and those that it refers to; none of others."""
    if has_record_ids(document):
        yield from ids_of(document)


def table_has_spans(document: Document) -> bool:
    """Tell whether a document may carry spans into a file of its own format.

    A table without a column for spans gets none.
    """
    names = document.metadata.get(NAMES_KEY)
    return not isinstance(names, Mapping) or names.get("spans") is not None
