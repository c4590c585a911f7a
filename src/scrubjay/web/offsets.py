"""Offsets of a text in UTF-16, as browsers and many languages count, and in code points."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

_LAST_SINGLE = 0xFFFF


class Utf16Offsets:
    """Turns offsets of one text between code points and UTF-16 code units.

    Characters beyond U+FFFF count one as code points and two in UTF-16.
    """

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide: Sequence[int] = ()
        if not text.isascii():
            points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
            self._wide = np.flatnonzero(points > _LAST_SINGLE).tolist()
        # Where each of them begins in UTF-16.
        self._units = [place + number for number, place in enumerate(self._wide)]

    def to_units(self, point: int) -> int:
        """Return the offset in UTF-16 of an offset in code points."""
        return point + bisect_left(self._wide, point)

    def to_points(self, unit: int) -> int:
        """Return the offset in code points of an offset in UTF-16.

        Raises `ValueError` for one that lies inside a character, or outside the text.
        """
        before = bisect_left(self._units, unit)
        point = unit - before
        inside = before > 0 and unit == self._units[before - 1] + 1
        if inside or not 0 <= point <= self._length:
            raise ValueError("no border of a character of this text")
        return point
