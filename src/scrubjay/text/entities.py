"""Entities of HTML and XML in notes: what they stand for, and where it stood.

Exports leave `Jos&eacute;`, `Quill&nbsp;Barrowman` and `617&#45;555` in texts. A detector reads the
letters, blanks and signs that are meant; what it finds is told of the text as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from html import unescape
from typing import TypeVar

from scrubjay.document import Document, Span

_AGAIN = r"(?:(?:amp|#38|#[xX]26);){0,4}"
"""What stands behind an ampersand that was escaped once more: "&amp;nbsp;"."""
_ENTITY = re.compile(
    rf"&{_AGAIN}(#\d{{1,7}};|#[xX][0-9A-Fa-f]{{1,6}};|[A-Za-z][A-Za-z0-9]{{1,31}};)"
)
_PLAIN = str.maketrans({"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u2010": "-", "\u2011": "-"})

T = TypeVar("T")
Detect = Callable[[T, Sequence[Document]], list[tuple[Span, ...]]]


@dataclass(frozen=True, slots=True)
class Meant:
    """A text with what its entities stand for, and where each entity ends up and comes from.

    `places` holds, for each entity in order, where what it means begins and ends in `text`, and
    where it begins and ends itself.
    """

    text: str
    places: tuple[tuple[int, int, int, int], ...]

    def forth(self, place: int) -> int:
        """Return where a place of the text that was read is in `text`."""
        after = bisect_left(self.places, place, key=lambda one: one[2])
        if not after:
            return place
        start, end, _, last = self.places[after - 1]
        return start if place < last else place - last + end

    def back(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return sorted, disjoint spans of `text` as spans of the text that was read."""
        begins = [place[0] for place in self.places]
        rows: list[Span] = []
        for span in spans:
            start = self._back(span.start, bisect_right(begins, span.start), is_end=False)
            end = self._back(span.end, bisect_left(begins, span.end), is_end=True)
            if rows and start < rows[-1].end:
                start = rows[-1].end  # two that part what one entity means
            if start < end:
                rows.append(replace(span, start=start, end=end))
        return tuple(rows)

    def _back(self, place: int, after: int, *, is_end: bool) -> int:
        """Return where a border stood, behind the first `after` entities."""
        if not after:
            return place
        _, end, first, last = self.places[after - 1]
        if place < end:
            return last if is_end else first
        return place + last - end


def read_entities(text: str) -> Meant | None:
    """Return a text with what its entities mean, None where it has none.

    Blanks and hyphens at which no line breaks become plain ones. What only looks like an entity
    stays ("&foo;").
    """
    if "&" not in text or ";" not in text:
        return None
    pieces: list[str] = []
    places: list[tuple[int, int, int, int]] = []
    done = size = 0
    for match in _ENTITY.finditer(text):
        meant = unescape(f"&{match[1]}").translate(_PLAIN)
        if meant == match[0]:
            continue
        pieces += [text[done : match.start()], meant]
        size += match.start() - done + len(meant)
        places.append((size - len(meant), size, match.start(), match.end()))
        done = match.end()
    if not places:
        return None
    return Meant("".join([*pieces, text[done:]]), tuple(places))


def _put(document: Document, meant: Meant) -> Document:
    return replace(document, text=meant.text, spans=())


def detect_meant(
    detect: Callable[[Sequence[Document]], list[tuple[Span, ...]]],
    documents: Sequence[Document],
    *,
    put: Callable[[Document, Meant], Document] = _put,
) -> list[tuple[Span, ...]]:
    """Return the spans of documents that `detect` is given with what their entities mean.

    `put` makes such a document, by default with the same metadata and no spans.
    """
    meant = [read_entities(document.text) for document in documents]
    if not any(meant):
        return detect(documents)
    read = [
        document if one is None else put(document, one)
        for document, one in zip(documents, meant, strict=True)
    ]
    return [
        spans if one is None else one.back(spans)
        for one, spans in zip(meant, detect(read), strict=True)
    ]


def reading_entities(detect: Detect[T]) -> Detect[T]:
    """Return a method `detect` that reads what entities mean, as `detect_meant` does it."""

    @wraps(detect)
    def detect_read(self: T, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return detect_meant(partial(detect, self), documents)

    return detect_read
