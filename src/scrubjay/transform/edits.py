"""Edits: the only code of Scrubjay that builds output text.

An edit replaces one interval of a text. Everything outside the edits is copied as it is,
character for character, line ends included.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import le, lt
from typing import Literal, NamedTuple, NoReturn

from scrubjay.document import Span
from scrubjay.errors import SpanError


class Edit(NamedTuple):
    """Replace the characters `[start, end)` of a text by `replacement`, which may be empty."""

    start: int
    end: int
    replacement: str

    def __repr__(self) -> str:
        return f"Edit({self.start}, {self.end}, {len(self.replacement)} characters)"


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Where each character of the old text is in the new one, both half-open.

    The four tuples run over the edits: their borders in the old text, and those of their
    replacements in the new text.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    new_starts: tuple[int, ...]
    new_ends: tuple[int, ...]

    def interval(self, start: int, end: int) -> tuple[int, int]:
        """Return the interval of the new text that stands for `[start, end)` of the old.

        A border inside an edit moves outwards to the border of the replacement, so that what
        covered a part of a mention covers the whole of what replaced it. The result is empty
        where the replacement is.
        """
        return self._start(start), self._end(end)

    def _start(self, offset: int) -> int:
        number = bisect_right(self.starts, offset) - 1
        if number < 0:
            return offset
        if offset < self.ends[number]:
            return self.new_starts[number]
        return offset - self.ends[number] + self.new_ends[number]

    def _end(self, offset: int) -> int:
        number = bisect_left(self.starts, offset) - 1
        if number < 0:
            return offset
        if offset <= self.ends[number]:
            return self.new_ends[number]
        return offset - self.ends[number] + self.new_ends[number]


@dataclass(frozen=True, slots=True, repr=False)
class Edited:
    """A new text and the map from the old offsets to the new ones."""

    text: str
    offsets: OffsetMap

    def moved(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return spans of the old text where they are in the new one (`OffsetMap.interval`).

        Those of which nothing is left are gone.
        """
        places = [(span, *self.offsets.interval(span.start, span.end)) for span in spans]
        return tuple([
            replace(span, start=start, end=end) for span, start, end in places if start < end
        ])  # fmt: skip

    def __repr__(self) -> str:
        return f"Edited({len(self.text)} characters, {len(self.offsets.starts)} edits)"


def apply_edits(
    text: str, edits: Sequence[Edit], *, empty: Literal["refuse", "insert"] = "refuse"
) -> Edited:
    """Return the text with every edit made; the rest stays as it is, byte for byte.

    The edits must be sorted, disjoint and not empty; neighbours may touch. With
    `empty="insert"` an edit may be empty, and inserts its replacement before the character at
    its start. Raises `SpanError`, with offsets alone, for any that is not so, and then builds
    nothing.
    """
    starts, ends, new = zip(*edits, strict=True) if edits else ((), (), ())
    least, size = int(empty == "refuse"), len(text)
    before = (0, *ends)  # where the text goes on behind each edit
    if not (
        all(map(le, before, starts))
        and all(map(lt if least else le, starts, ends))
        and before[-1] <= size
    ):
        _refuse(edits, least, size)
    pieces = [""] * (2 * len(edits) + 1)
    pieces[::2] = [text[begin:end] for begin, end in zip(before, (*starts, size), strict=True)]
    pieces[1::2] = new
    borders = tuple(accumulate(map(len, pieces)))
    offsets = OffsetMap(starts, ends, borders[:-1:2], borders[1::2])
    return Edited("".join(pieces), offsets)


def without_ends(text: str, start: int, end: int) -> tuple[int, int]:
    """Return `[start, end)` without the white space at its ends, which must not be all of it."""
    while text[start].isspace():
        start += 1
    while text[end - 1].isspace():
        end -= 1
    return start, end


def _refuse(edits: Sequence[Edit], least: int, size: int) -> NoReturn:
    """Raise `SpanError` for the first edit that cannot be made."""
    position = 0
    for start, end, _ in edits:
        if not position <= start <= end - least <= size - least:
            break
        position = end
    raise SpanError(
        f"the edit [{start}, {end}) is empty, out of order, overlaps another, "
        f"or ends beyond the text of {size} characters"
    )
