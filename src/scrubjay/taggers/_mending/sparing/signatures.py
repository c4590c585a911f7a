"""Initials that are a clinical term elsewhere, where somebody signs: "RSK/mdq", "in 6-8 wk. DM".

A term decides over a mention that a model doubts (`sparing/spared`), but not over initials in the
place of a signature: beside other initials and a stroke or a colon, before a
credential, behind a key of those who write, alone in a cell or at the end of a column, and at the
end of the text.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed

_SIGNERS = frozenset([
    "DOCTOR", "PATIENT", "USERNAME", "INITIALS", "NOMBRE_PERSONAL_SANITARIO",
])  # fmt: skip
"""Labels that initials of who signs have."""

_MOST, _BEFORE, _AFTER = 6, 20, 24
"""Characters of initials, with their stops; those looked at on each side."""

_INITIALS = re.compile(r"[A-Z]{2,4}|[a-z]{2,4}|(?:[A-Za-z]\.){2,3}|[A-Z][a-z]?[A-Z]")
_LINE_END = re.compile(r"[ \t]*(?:[\r\n]|\Z)")
_TEXT_END = re.compile(r"\s*\Z")

# The second of a pair, the first of one, and what stands behind a pair.
_SECOND = re.compile(r"(?:(?<![\w/:.])[A-Za-z]{2,4}[/:]|\d{5,}[ ]?/[ ]?)\Z")
_FIRST = re.compile(r"[/:][a-z]{2,5}\d{0,2}(?![\w/])")
_STAMP = re.compile(r"\d{0,3}(?:[ \t]*(?:[\r\n#]|\Z)|[ \t]{2,}|[ ](?:(?i:job|file|doc)\b|\d))")
_LINE_BEGIN = re.compile(r"(?:\A|[\r\n]|[ ]{2}|\d[ ])[ \t]*\Z")

_KEY = re.compile(
    r"(?i:(?<!\w)(?:staff|by|door|signed|init(?:ial(?:s|ed))?|typed|aide|sign|admin|"
    r"recorder|paraaf|getekend)[:]?[ \t]{1,4})\Z"
)
_KEY_END = re.compile(r"[ \t]*(?:[\r\n.,;|)\]]|\Z|\d)|[ ]{2,}")
_CREDENTIAL = re.compile(r",?[ ](?P<credential>[A-Z]{2,5})(?!\w)|/(?P<lower>[a-z]{2,4})(?!\w)")
_CELL, _CELL_END = re.compile(r"\|[ ]*\Z"), re.compile(r"[ ]*(?:[|\r\n]|\Z)")
_COLUMN = re.compile(r"\S(?:[ ]{2,}|[ ]*\t[ \t]*)\Z")
_ALONE = re.compile(r"(?:[\w)\"'’]|[.!?][)\"'’]?|[ ][-–—/]{1,2})\s+\Z|[ ](?:w/ |-{1,2})\Z")


def is_signature(text: str, span: Span) -> bool:
    """Tell whether a mention is initials in a place where somebody signs."""
    start, end = span.start, span.end
    if (
        end - start > _MOST
        or span.label not in _SIGNERS
        or not _INITIALS.fullmatch(text, start, end)
    ):
        return False
    first = max(0, start - _BEFORE)
    if _is_paired(text, first, start, end) or _has_credential(text, end):
        return True
    if _KEY.search(text, first, start):
        return _KEY_END.match(text, end) is not None
    if _CELL.search(text, first, start):
        return _CELL_END.match(text, end) is not None
    if not _LINE_END.match(text, end):
        return False
    if _COLUMN.search(text, first, start):
        return True
    return _TEXT_END.match(text, end) is not None and _ALONE.search(text, first, start) is not None


def _is_paired(text: str, first: int, start: int, end: int) -> bool:
    """Tell whether other initials stand before or behind, parted by a stroke or a colon alone."""
    if _SECOND.search(text, first, start):
        return _STAMP.match(text, end) is not None
    other = _FIRST.match(text, end)
    return (
        other is not None
        and _STAMP.match(text, other.end()) is not None
        and _LINE_BEGIN.search(text, first, start) is not None
    )


def _has_credential(text: str, end: int) -> bool:
    match = _CREDENTIAL.match(text, end, end + _AFTER)
    if match is None:
        return False
    word = str(match["credential"] or match["lower"]).lower()
    return is_listed(word, "en.credentials")
