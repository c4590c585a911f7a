"""Texts of one record joined to the text of one document, and taken apart again.

Between two parts stands a separator of white space that is in none of them, kept in the
metadata. So the text of a document can be edited, and its parts be found again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from scrubjay.corpora.metadata import SEPARATOR_KEY
from scrubjay.document import Document
from scrubjay.errors import FormatError
from scrubjay.known.parts import PARTS_KEY


@dataclass(frozen=True, slots=True, repr=False)
class Part:
    """One text of a record: what it is called, its text, and its kind.

    The kind is that of the identifier that the whole text is (`scrubjay.known.parts`), "" for
    free text. Where the character `mark` stands in the text, an edit may not reach over it.
    """

    name: str
    text: str
    kind: str = ""
    mark: str = ""

    def __repr__(self) -> str:
        return f"Part({self.kind!r}, {len(self.text)} characters)"


def join_parts(parts: Sequence[Part]) -> tuple[str, dict[str, Any]]:
    """Return the text of all parts, and the metadata by which they are found in it."""
    texts = [part.text for part in parts]
    separator = _separator(texts)
    told, place = [], 0
    for part in parts:
        for piece in part.text.split(part.mark) if part.mark else [part.text]:
            end = place + len(piece)
            told.append({"name": part.name, "kind": part.kind, "start": place, "end": end})
            place = end + len(part.mark)
        place += len(separator) - len(part.mark)
    return separator.join(texts), {PARTS_KEY: told, SEPARATOR_KEY: separator}


def _separator(texts: Sequence[str]) -> str:
    """Return blank lines of which the joined texts can be cut at, and nowhere else."""
    for tabs in count(1):
        separator = f"\n\n{chr(9) * tabs}\n\n"
        if len(texts) < 2 or separator.join(texts).split(separator) == texts:
            return separator
    raise AssertionError


def split_parts(document: Document, expected: int) -> list[str]:
    """Return the texts of the parts; raises `FormatError` where they are not as many.

    An edit may have run over a border: the document cannot be taken apart then.
    """
    if not expected:
        found = [document.text] if document.text else []
    else:
        found = document.text.split(str(document.metadata.get(SEPARATOR_KEY, "\n\n\t\n\n")))
    if len(found) != expected:
        raise FormatError(
            f"document {document.id!r} has {len(found)} parts, not the {expected} of its record"
        )
    return found
