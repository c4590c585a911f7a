"""What a step finds besides is put among the spans: where nothing was found, or as one with it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS

_START, _END = attrgetter("start"), attrgetter("end")

Found = tuple[int, int, str]
"""Where something stands, and its label."""


def touched_by(spans: Sequence[Span], start: int, end: int) -> Span | None:
    """Return the first of sorted, disjoint spans that shares a character with a stretch."""
    number = bisect_right(spans, start, key=_END)
    return spans[number] if number < len(spans) and spans[number].start < end else None


def touching(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Return those of sorted, disjoint spans that share a character with a stretch."""
    first, last = _touched(spans, start, end)
    return spans[first:last]


def place_of(spans: Sequence[Span], span: Span) -> int:
    """Return the number of the one of sorted, disjoint spans that ends where a span does."""
    return bisect_left(spans, span.end, key=_END)


def add_uncovered(spans: tuple[Span, ...], found: Iterable[Found], source: str) -> tuple[Span, ...]:
    """Return the spans with what is found and touches none of them, nor what was put before it.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    rows = list(spans)
    put_uncovered(rows, found, source)
    return tuple(rows) if len(rows) > len(spans) else spans


def add_persons(
    text: str, spans: Sequence[Span], found: Iterable[Found], source: str
) -> tuple[Span, ...]:
    """Return what `add_uncovered` does; who is found elsewhere in the text has the label of there.

    `spans` are sorted and disjoint, and so are those that are returned.
    """
    rows = list(spans)
    fresh = [one for one in found if touched_by(rows, one[0], one[1]) is None]
    if not fresh:
        return tuple(spans)
    known = {text[s.start : s.end]: s.label for s in spans if s.label in STAFF_AND_PATIENTS}
    named = ((start, end, known.get(text[start:end], label)) for start, end, label in fresh)
    put_uncovered(rows, named, source)
    return tuple(rows)


def put_uncovered(rows: list[Span], found: Iterable[Found], source: str) -> None:
    """Put among the rows what `add_uncovered` adds: who does so often copies none of them."""
    for start, end, label in found:
        if touched_by(rows, start, end) is None:
            place = bisect_right(rows, start, key=_END)
            rows.insert(place, Span(start, end, label, source=source))


def put_over(rows: list[Span], found: Iterable[Found], source: str) -> None:
    """Put what was found among sorted, disjoint rows, in the place of what it touches."""
    for start, end, label in found:
        first, last = _touched(rows, start, end)
        rows[first:last] = [Span(start, end, label, source=source)]


def put_joined(rows: list[Span], start: int, end: int, label: str, source: str) -> None:
    """Put a mention among sorted, disjoint rows, as one with all that it touches."""
    first, last = _touched(rows, start, end)
    if first < last:
        start, end = min(start, rows[first].start), max(end, rows[last - 1].end)
    rows[first:last] = [Span(start, end, label, source=source)]


def _touched(spans: Sequence[Span], start: int, end: int) -> tuple[int, int]:
    """Return the numbers, from and to, of the spans that share a character with a stretch."""
    first = bisect_right(spans, start, key=_END)
    return first, bisect_left(spans, end, first, key=_START)
