"""Entities of HTML and XML in notes: what they stand for, and where it stood.

Exports leave `Jos&eacute;`, `Quill&nbsp;Barrowman` and `617&#45;555` in texts. A tagger reads the
letters, blanks and signs that are meant; what it finds is told of the text as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import unescape

from scrubjay.document import Span

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_PLAIN = str.maketrans({"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u2010": "-", "\u2011": "-"})


@dataclass(frozen=True, slots=True)
class Meant:
    """A text with what its entities stand for, and where each entity ends up and comes from.

    `places` holds, for each entity in order, where what it means begins and ends in `text`, and
    where it begins and ends itself.
    """

    text: str
    places: tuple[tuple[int, int, int, int], ...]

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
        meant = unescape(match[0]).translate(_PLAIN)
        if meant == match[0]:
            continue
        pieces += [text[done : match.start()], meant]
        size += match.start() - done + len(meant)
        places.append((size - len(meant), size, match.start(), match.end()))
        done = match.end()
    if not places:
        return None
    return Meant("".join([*pieces, text[done:]]), tuple(places))
