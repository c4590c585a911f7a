"""Public bodies and insurers that are known by their name or letters: "avisar a SEDES" (Spanish).

A tagger that has not met the letters of a ministry or an insurer of another country takes them for
a test. Those of the list (`resources/institutions`) are nothing else, wherever they stand by
themselves; a name that goes on with a capital is one of a place or a longer one, and is left.
"""

from __future__ import annotations

import re
from functools import cache

from scrubjay.document import Span
from scrubjay.resources import load_table
from scrubjay.taggers._mending.uncovered import add_uncovered

SOURCE, LABEL, LANGUAGE = "institutions", "INSTITUCION", "es"
_JOINING = "-_@.&"
_GOES_ON = re.compile(r"[ ](?:(?:del?|de[ ]la|de[ ]los|de[ ]las)[ ])?[A-ZÀ-ÖØ-Þ0-9]")


@cache
def _names() -> re.Pattern[str]:
    listed = load_table("institutions", f"{LANGUAGE}.toml")
    names = sorted([*listed["letters"].split(), *listed["names"]], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names)))


def add_institutions(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text with the institutions that are known by their name.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    found = [
        (*name.span(), LABEL)
        for name in _names().finditer(text)
        if _is_alone(text, *name.span()) and _GOES_ON.match(text, name.end()) is None
    ]
    return add_uncovered(spans, found, SOURCE) if found else spans


def _is_alone(text: str, start: int, end: int) -> bool:
    """Tell whether a name is no part of a word, of an address or of a number with letters."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    if before.isalnum() or after.isalnum() or (before and before in _JOINING):
        return False
    return not (after and after in _JOINING and text[end + 1 : end + 2].isalnum())
