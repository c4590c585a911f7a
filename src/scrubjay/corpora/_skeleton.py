"""What is left of a record when its texts are taken out, and what writers put back in.

A skeleton is a list of strings that stay and of slots, objects that name a part by its number and
say how its new text is written. It holds no text of any part, so it may go where the output goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from scrubjay.corpora._parts import Part
from scrubjay.corpora.metadata import FORMAT_KEY, SKELETON_KEY
from scrubjay.document import Document
from scrubjay.errors import OutputError, require_choice

UNKNOWN = ("fail", "drop", "text")
"""What to do with a part of a record of which nothing is known: fail the record, leave the part
out, or read all of it as free text."""

ISO_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


def require_unknown(policy: str) -> str:
    """Return the policy for unknown parts, or raise `ConfigError`."""
    return require_choice("unknown", policy, UNKNOWN)


def is_date(text: str) -> bool:
    """Tell whether a text is a year, a month or a day as ISO 8601 writes them, and exists."""
    if not ISO_DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        return False
    return True


def skeleton_of(document: Document, format: str) -> Mapping[str, Any]:
    """Return the skeleton of a document; raises `OutputError` for one of another origin."""
    found = document.metadata.get(SKELETON_KEY)
    if not isinstance(found, Mapping) or document.metadata.get(FORMAT_KEY) not in (
        format,
        None,
    ):
        raise OutputError(
            f"document {document.id!r} was not read from {format}",
            hint="This format writes only what was read in it. Write jsonl, for example",
        )
    return found


def visible(parts: Iterable[Part]) -> list[Part]:
    """Return the parts that hold a text: empty ones leave no trace in a record."""
    return [part for part in parts if part.text]
