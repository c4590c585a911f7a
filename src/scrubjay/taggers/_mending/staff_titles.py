"""What somebody is, before or behind the name, is no part of it: "Flga. Marín", "Farías R3".

Titles of staff are many in Spanish, and a model takes one that it has seldom seen for a part of
the name; so it does the year of a residency behind it. "T.S." is a social worker, and no health
centre ("C.S."): a place of that name is one of the staff.
"""

from __future__ import annotations

import re
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS

_BEFORE = re.compile(
    r"(?:(?:(?:Res|Nut|Educ|Obst|Psic|Psiq|Lic|Licda|Enf|T[ée]c|Int|Aux|M[ée]d|Bioq|Kin|Ped|Farm|"
    r"Part|Bb|Br|Mr|Mrs|Klg[oa]|Fl?g[oa]|Kg[oa]|Dra?|Sra?|Srta|TS)[.]|Klg[oa]|Fl?ga)[ ]|"
    r"[.]?ª[ ])"
    r"(?=[^\W\d_]{3})",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"(?i:cabo|sargento|agente|comandante|capit[áa]n|teniente|(?:sub)?inspectora?|cirujan[oa]|"
    r"mos[ée]n|matrona|ayudante)[ ](?=[A-ZÀ-ÖØ-Þ][^\W\d_]{2})"
)
_BEHIND = re.compile(
    r"(?<=[^\W\d_]),?[ ](?:R[1-6](?:[A-Z]{1,2})?|MIR(?:-?[1-5])?|EIR(?:-?[12])?)\Z"
)
_SOCIAL_WORKER = re.compile(r"T[.][ ]?S[.][ ](?=[^\W\d_]{3})", re.IGNORECASE)
_CENTRE, _STAFF = "CENTRO_SALUD", "NOMBRE_PERSONAL_SANITARIO"
_BASE = re.compile(r"(?P<name>[^\W\d_]{3,}[ ][^\W\d_]{3,})[ ]MB")
"""A base doctor, in Mexico: behind one surname alone the letters may be initials."""


def may_have_title(mention: str, label: str) -> bool:
    """Tell whether a person begins with a title or ends with the year of a residency."""
    if label == _CENTRE:
        return _SOCIAL_WORKER.match(mention) is not None
    return label in PERSONS and (
        _SOCIAL_WORKER.match(mention) is not None
        or _BEFORE.match(mention) is not None
        or _WORD.match(mention) is not None
        or _BEHIND.search(mention) is not None
        or _BASE.fullmatch(mention) is not None
    )


def without_title(text: str, span: Span) -> Span:
    """Return a person without such a title before the name or behind it.

    Who writes in a chat is called as the telephone has it: "Manu R3: bajo ya" stays whole.
    """
    start, end = span.start, span.end
    if social := _SOCIAL_WORKER.match(text, start, end):
        return replace(span, start=social.end(), label=_STAFF)
    if title := _BEFORE.match(text, start, end) or _WORD.match(text, start, end):
        start = title.end()
    if text[end : end + 1] != ":":
        if behind := _BEHIND.search(text[start:end]):
            end = start + behind.start()
        elif base := _BASE.fullmatch(text, start, end):
            end = base.end("name")
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)
