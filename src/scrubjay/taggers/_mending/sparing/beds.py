"""Beds and rooms are nobody's number: "cama B-407", "CAMA 624B", "box 12-1" (Spanish)."""

from __future__ import annotations

import re

from scrubjay.document import Span

NUMBERS = frozenset({"ID_SUJETO_ASISTENCIA", "ID_CONTACTO_ASISTENCIAL", "OTRO_NUMERO_IDENTIF"})
_AROUND = 20
"""Characters before a number in which its key begins."""

_SHAPE = re.compile(r"(?:[A-Z]{1,2}-?)?\d{1,4}(?:-?[A-Z]|-\d)?")
_BED = re.compile(
    r"(?<!\w)(?:cama|hab[.]?|habitaci[óo]n|box|sala|puesto|sill[óo]n|cuna)"
    r"(?:[ ]n[.]?[ºo°]?)?[ ]?:?[ ]?\Z",
    re.IGNORECASE,
)


def may_be_bed(mention: str) -> bool:
    """Tell whether a number is as short as that of a bed, wherever it stands."""
    return _SHAPE.fullmatch(mention) is not None


def is_bed(text: str, span: Span) -> bool:
    """Tell whether such a number stands behind the key of a bed or a room."""
    return _BED.search(text, max(0, span.start - _AROUND), span.start) is not None
