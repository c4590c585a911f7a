"""Metadata that a record claims for itself: who wrote the file may have written anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrubjay.corpora.metadata import COLUMNS_KEY
from scrubjay.corpora.source import Source
from scrubjay.errors import FormatError
from scrubjay.known.parts import PARTS_KEY

_TYPES: Mapping[str, type] = {
    COLUMNS_KEY: dict, PARTS_KEY: list, "brat.lines": list, "xml.tags": list, "xml.root": str,
}  # fmt: skip
_NAMES: Mapping[type, str] = {dict: "object", list: "list", str: "text"}
_OF_READERS = "source."


def claimed_metadata(
    found: Mapping[str, Any], text: str, *, source: Source, place: str
) -> dict[str, Any]:
    """Return the metadata of a record with this text, without what only readers may tell.

    Raises `FormatError` for values of another type than this package writes, and for parts that
    are not those of the text: what is in no part would not be searched.
    """
    kept = {key: value for key, value in found.items() if not key.startswith(_OF_READERS)}
    for key, kind in _TYPES.items():
        if key in kept and type(kept[key]) is not kind:
            raise FormatError(
                f"{key!r} of the metadata is no {_NAMES[kind]}",
                path=source.name,
                place=place,
            )
    if not _are_parts(kept.get(PARTS_KEY, ()), text):
        raise FormatError(
            f"{PARTS_KEY!r} of the metadata does not tell the parts of the text",
            path=source.name,
            place=place,
            hint="Where the text was changed, leave the metadata out",
        )
    return kept


def _are_parts(parts: Any, text: str) -> bool:
    """Tell whether parts stand in order and nothing but blanks between them, or are none."""
    if not parts:
        return True
    last = 0
    for part in parts:
        if not isinstance(part, dict):
            return False
        start, end = part.get("start"), part.get("end")
        if not (type(start) is type(end) is int and last <= start <= end <= len(text)):
            return False
        if not (type(part.get("kind")) is type(part.get("name")) is str):
            return False
        if text[last:start].strip():
            return False
        last = end
    return not text[last:].strip()
