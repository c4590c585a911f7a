"""Initials that are a clinical term elsewhere, where somebody signs: "RSK/mdq", "in 6-8 wk. DM".

A term decides over a mention that a model doubts (`sparing/spared`), but not over initials in the
place of a signature: behind other initials and a stroke or a colon, or alone between the end of a
sentence, or a key of those who write, and the end of the text.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_SIGNERS = frozenset([
    "DOCTOR", "PATIENT", "USERNAME", "INITIALS", "NOMBRE_PERSONAL_SANITARIO",
])  # fmt: skip
"""Labels that initials of who signs have."""

_MOST = 6
"""Characters of initials, with their stops."""

_INITIALS = re.compile(r"[A-Z]{2,4}|[a-z]{2,4}|(?:[A-Z]\.){2,3}")
_LINE_END = re.compile(r"\d{0,3}[ \t]*(?:[\r\n]|\Z|#)")
_TEXT_END = re.compile(r"\s*\Z")
_PAIRED = re.compile(r"(?:(?<![\w/:.])[A-Za-z]{2,4}[/:]|\d{5,}[ ]?/[ ]?)\Z")
_ALONE = re.compile(r"(?:[^\W_][)\"'’]?[.!?][)\"'’]?|[ ][-–—/])\s+\Z")
_KEY = re.compile(r"(?i:(?<!\w)(?:staff|by|door|signed|initials|paraaf|getekend)[:]?[ ]{1,2})\Z")
_BEFORE = 20


def is_signature(text: str, span: Span) -> bool:
    """Tell whether a mention is initials in a place where somebody signs."""
    start, end = span.start, span.end
    if end - start > _MOST or span.label not in _SIGNERS:
        return False
    if not _INITIALS.fullmatch(text, start, end) or not _LINE_END.match(text, end):
        return False
    first = max(0, start - _BEFORE)
    if _PAIRED.search(text, first, start) or _KEY.search(text, first, start):
        return True
    return _TEXT_END.match(text, end) is not None and _ALONE.search(text, first, start) is not None
