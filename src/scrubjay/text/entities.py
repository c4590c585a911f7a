"""Entities, tags and unseen characters in words of notes: what is meant, and where it stood.

Exports leave `Jos&eacute;`, `Quill&nbsp;Barrowman` and `617&#45;555` in texts, and words that a tag
of layout or a soft hyphen parts (`<b>W</b>ilhelmina`). A detector reads the letters, blanks and
signs that are meant, without tags of layout, and letters that an export spoiled (`text.misread`);
what it finds is told of the text as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from html import unescape
from typing import TypeVar

from scrubjay.document import Document, Span
from scrubjay.text.misread import MISREAD, may_be_misread, read_misread

_AGAIN = r"(?:(?:amp|#38|#[xX]26);){0,4}"
"""What stands behind an ampersand that was escaped once more: "&amp;nbsp;"."""
_ENTITY = re.compile(
    rf"&{_AGAIN}(#\d{{1,7}};|#[xX][0-9A-Fa-f]{{1,6}};|[A-Za-z][A-Za-z0-9]{{1,31}};)"
)
_PLAIN = str.maketrans({"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u2010": "-", "\u2011": "-"})
UNSEEN_MARKS = "\u2005\u2004\u2006"
"""Spaces that nobody types: inside a word they stand for tags that were taken out of a text."""
_JOINING = "\u00ad\u200c\u200d\u2060"
"""Characters that nobody sees: soft hyphens, which show where a line ends, and joiners."""
_PARTING = f"\u200b\ufeff{UNSEEN_MARKS}"
"""Characters that may stand between two words, and inside one where it goes on in small letters."""
_UNSEEN = f"{_JOINING}{_PARTING}"
_LETTER = r"[^\W\d_]"
_ATTRIBUTE = (
    r"\s+(?:align|class|color|dir|face|lang|size|style)\s?=\s?"
    r"(?:\"[^<>\"]{0,200}\"|'[^<>']{0,200}'|[\w#%.-]{1,40})"
)
_TAG = (
    r"/?(?:a|abbr|b|big|del|em|font|i|ins|mark|s|small|span|strike|strong|tt|u|wbr)"
    rf"(?:{_ATTRIBUTE}){{0,6}}\s?/?>"
)
"""Behind "<", a tag of layout, which moves no word; with attributes that can name nobody."""
_BLOCK = (
    r"/?(?:br|div|h[1-6]|hr|li|ol|p|table|tbody|td|th|thead|tr|ul)"
    rf"(?:{_ATTRIBUTE}){{0,6}}\s?/?>"
)
"""Behind "<", a tag that ends a line, or a cell of a table."""
_READ = re.compile(
    "|".join(
        [
            _ENTITY.pattern,
            rf"<(?i:{_TAG}(?:<{_TAG})*)",
            rf"<(?P<block>(?i:{_BLOCK}(?:<{_BLOCK})*))",
            MISREAD,
            *_JOINING,
            *(rf"{one}(?<={_LETTER}{one})[{_PARTING}]*(?=({_LETTER}))" for one in _PARTING),
        ]
    )
)
_LINES = re.compile(r"<(?!/?t[dh]\b)", re.IGNORECASE)
"""A tag that is none of a cell."""
_LONE = re.compile(rf"(?:\A|[\W\d_]){_LETTER}\Z")
"""What ends in one letter alone, as a word in capitals does of which the first one is larger."""

T = TypeVar("T")
Detect = Callable[[T, Sequence[Document]], list[tuple[Span, ...]]]


@dataclass(frozen=True, slots=True, repr=False)
class Meant:
    """A text with what its entities stand for, and where each entity ends up and comes from.

    `places` holds, for each entity in order, where what it means begins and ends in `text`, and
    where it begins and ends itself. At the places in `borders`, which are of tags of lines and
    cells, spans are cut.
    """

    text: str
    places: tuple[tuple[int, int, int, int], ...]
    borders: tuple[tuple[int, int], ...] = ()

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
        for span in self._cut(spans):
            start = self._back(span.start, bisect_right(begins, span.start), is_end=False)
            end = self._back(span.end, bisect_left(begins, span.end), is_end=True)
            if rows and start < rows[-1].end:
                start = rows[-1].end  # two that part what one entity means
            if start < end:
                rows.append(replace(span, start=start, end=end))
        return tuple(rows)

    def _cut(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Yield spans, in pieces where a border lies within one; blanks at their ends go."""
        for span in spans:
            start = span.start
            after = bisect_right(self.borders, (start, start))
            for number in range(after, len(self.borders)):
                first, last = self.borders[number]
                if first >= span.end:
                    break
                yield from self._trimmed(span, start, first)
                start = last
            if start == span.start:
                yield span
            else:
                yield from self._trimmed(span, start, span.end)

    def _trimmed(self, span: Span, start: int, end: int) -> Iterator[Span]:
        piece = self.text[start:end]
        if any(map(str.isalnum, piece)):
            end -= len(piece) - len(piece.rstrip())
            yield replace(span, start=start + len(piece) - len(piece.lstrip()), end=end)

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
    stays ("&foo;"). What nobody sees is left out: joiners and tags of layout everywhere, and inside
    a word other characters without a width, too. Tags that end a line are read as a line end, those
    of cells as a tab.
    """
    if (pattern := _pattern_for(text)) is None:
        return None
    pieces: list[str] = []
    places: list[tuple[int, int, int, int]] = []
    borders: list[tuple[int, int]] = []
    done = size = 0
    for match in pattern.finditer(text):
        meant = _meaning(text, match)
        if meant == match[0]:
            continue
        pieces += [text[done : match.start()], meant]
        size += match.start() - done + len(meant)
        places.append((size - len(meant), size, match.start(), match.end()))
        if meant.isspace() and match[0][0] == "<":
            borders.append((size - len(meant), size))
        done = match.end()
    if not places:
        return None
    return Meant("".join([*pieces, text[done:]]), tuple(places), tuple(borders))


def _pattern_for(text: str) -> re.Pattern[str] | None:
    """Return what finds all in a text that may mean something else; most texts lack it all."""
    if "</" in text or "<wbr" in text:
        return _READ
    if not text.isascii() and any(unseen in text for unseen in _UNSEEN):
        return _READ
    if may_be_misread(text):
        return _READ
    return _ENTITY if "&" in text and ";" in text else None


def _meaning(text: str, match: re.Match[str]) -> str:
    """Return what an entity, unseen characters or tags inside a word mean."""
    found = match[0]
    start, end = match.span()
    if match[1]:
        found = unescape(f"&{match[1]}").translate(_PLAIN)
        if not set(found) <= set(_JOINING):
            return found
    elif match.re is _READ and match["misread"]:
        before = text[max(start - 1, 0) : start]
        return read_misread(found, begins=not before.isalpha()).translate(_PLAIN)
    elif match.re is _READ and match["block"]:
        return "\n" if _LINES.search(found) else "\t"
    elif found[0] == "<":
        return _between(text, start, end)
    elif found[0] not in _JOINING:
        return "" if text[end].islower() else found
    # A soft hyphen is seen where a line ends, and between numbers it is written for a plain one.
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    seen = after in ("\r", "\n") or (before.isdigit() and after.isdigit())
    return "-" if seen and "\u00ad" in found else ""


def _between(text: str, start: int, end: int) -> str:
    """Return what tags of layout are read as: a blank between two words, else nothing."""
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    if not (before.isalnum() and after.isalnum()):
        return ""
    goes_on = after.islower() or (before.isdigit() and after.isdigit())
    is_large = text[end : end + 2].isupper() and _LONE.search(text, max(start - 2, 0), start)
    return "" if goes_on or is_large else " "


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
