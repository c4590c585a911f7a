"""Offsets of a text in UTF-16, as browsers and many languages count, and in code points."""

from __future__ import annotations

import re
from bisect import bisect_left

from scrubjay.errors import require_choice

OFFSET_UNITS = ("code-points", "utf-16")
_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")


class Offsets:
    """Offsets of one text in a stated unit, turned into code points and back.

    In UTF-16 a character beyond U+FFFF counts two.
    """

    def __init__(self, text: str, unit: str) -> None:
        require_choice("offsets", unit, OFFSET_UNITS)
        wide = unit == "utf-16" and not text.isascii()
        self._wide = [found.start() for found in _TWO_UNITS.finditer(text)] if wide else []
        self._units = [point + number for number, point in enumerate(self._wide)]

    def decode(self, offset: int) -> int | None:
        """Return the code point offset, None for one that falls inside a character.

        One that lies outside of the text gives one that does so, too.
        """
        before = bisect_left(self._units, offset)
        inside = before > 0 and self._units[before - 1] == offset - 1
        return None if inside else offset - before

    def encode(self, offset: int) -> int:
        """Return the offset in the stated unit."""
        return offset + bisect_left(self._wide, offset)
