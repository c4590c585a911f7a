"""Public bodies and insurers that are known by their name or letters: "avisar a SEDES" (Spanish).

A tagger that has not met the letters of a ministry or an insurer of another country takes them for
a test. Those of the list (`resources/institutions`) are nothing else, wherever they stand by
themselves; a name that goes on with a capital is one of a place or a longer one, and is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from scrubjay.document import Span
from scrubjay.resources import load_table
from scrubjay.taggers._mending.uncovered import add_uncovered
from scrubjay.text.occurrences import places_of

SOURCE, LABEL, LANGUAGE = "institutions", "INSTITUCION", "es"
_JOINING = "-_@.&"
_GOES_ON = re.compile(r"[ ](?:(?:del?|de[ ]la|de[ ]los|de[ ]las)[ ])?[A-ZÀ-ÖØ-Þ0-9]")


_CAPITALS = bytes(chr(code).isupper() for code in range(256))
"""A table for `bytes.translate`: whether a byte is a capital."""

_FEWEST = 3 * b"\1"
"""Capitals in a row that letters of an institution have at least."""


@cache
def _listed() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the letters of institutions, and the names of others."""
    listed = load_table("institutions", f"{LANGUAGE}.toml")
    return frozenset(listed["letters"].split()), tuple(listed["names"])


def institution_names() -> tuple[str, ...]:
    """Return the letters and names that are listed: a text without any has nothing to find."""
    letters, names = _listed()
    return *sorted(letters), *names


def add_institutions(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text with the institutions that are known by their name.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    found = [
        (start, end, LABEL)
        for start, end in _find(text)
        if _is_alone(text, start, end) and _GOES_ON.match(text, end) is None
    ]
    return add_uncovered(spans, found, SOURCE) if found else spans


def _find(text: str) -> Iterator[tuple[int, int]]:
    """Yield where letters or names of institutions stand."""
    letters, names = _listed()
    capitals = text.encode("latin-1", "replace").translate(_CAPITALS)
    start = capitals.find(_FEWEST)
    while start >= 0:
        end = capitals.find(b"\0", start)
        end = len(text) if end < 0 else end
        if text[start:end] in letters:
            yield start, end
        start = capitals.find(_FEWEST, end)
    for name in names:
        for place in places_of(name, text) if name in text else ():
            yield place, place + len(name)


def _is_alone(text: str, start: int, end: int) -> bool:
    """Tell whether a name is no part of a word, of an address or of a number with letters."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    if before.isalnum() or after.isalnum() or (before and before in _JOINING):
        return False
    return not (after and after in _JOINING and text[end + 1 : end + 2].isalnum())
