"""Lines that a fixed width broke in the middle of a sentence, found again.

He 2015 names sentences over several lines as its open problem. A line break is a wrap where
the first word of the next line would not have fitted: `L <= W < L + 1 + F`, with the length
`L` of the line, the length `F` of that word and the width `W` of the document. `W` is not
known; it is the value that explains most of the breaks before a lower-case letter. Where no
value does, because somebody broke the lines by eye, paragraphs of lines of similar length
are believed instead. Whatever the widths, no line of its own ends with an article or a
preposition (`at the`): the next goes on with it, and a paragraph of prose that has several
of these, and hardly a line that looks like a beginning, is wrapped wherever a line is open.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from scrubjay.text.abbreviations import period_group
from scrubjay.text.characters import IntArray

_WIDTHS = range(40, 131)
_NARROWEST_ALONE = 60

_ITEM = re.compile(r"(?:[-*•·–—>+]|\(?\d{1,3}[.)]|\(?[A-Za-z]\)|[a-h]\.)\s")
_KEY = re.compile(r"(?:[^\W\d_a-z][^:]{0,40}|\w+(?: \w+)?) ?:(?:\s|$)")
_ROW = re.compile(r"\S(?: {3,}| *\t\s*)\S")
_WORD = re.compile(r"\w")
_PROSE = re.compile(r"[^\W\d_]{2}[.?!]['\")]* +[\"'(]?[A-Z]|[a-z], [a-z]")
_LEADING_WORDS = """
a an the of at by with and or for from her his their its my our your to in were be been who whom
which that than into after before when while under about between
de la el los las del en con por para que su sus como sin het een van met of voor naar te dat
"""
"""Words, in English, Spanish and Dutch, that others of their sentence follow."""
_LEADING = frozenset(_LEADING_WORDS.split())
_PARTED = re.compile(r"[^\W\d_a-z][^\W\d_]*-|(?:\w+-)+\d+-")
_WHOLE_NUMBER = 7  # digits
_CLOSERS = "\"'”’»)]"

Ending = Literal["closed", "open", "bound"]


@dataclass(frozen=True, slots=True)
class _Break:
    """A line break that may be a wrap: the number of the line after it, and its measures."""

    number: int
    length: int
    word: int
    continues: bool
    line: str = ""

    def leads(self) -> bool:
        """Tell whether the line, of three words or more, ends with one that others follow.

        Behind three words it may also be a part of a name or number: "Mr. Colm Parry-", but no
        key ("Attending-") and no whole number ("call 617-555-0134-").
        """
        words = self.line.split()
        if len(words) < 3:
            return False
        # "aan" alone also ends Dutch sentences, "Capelle aan" does not.
        return (
            words[-1] in _LEADING
            or (words[-1] == "aan" and words[-2].istitle())
            or (
                len(words) > 3
                and _PARTED.fullmatch(words[-1]) is not None
                and sum(map(str.isdigit, words[-1])) < _WHOLE_NUMBER
            )
        )

    def explained_by(self, width: int) -> bool:
        return self.length <= width < self.length + 1 + self.word

    def near(self, width: int) -> bool:
        return self.explained_by(width) or (self.continues and 4 * self.length >= 3 * width)


def joined_lines(lines: Sequence[str]) -> set[int]:
    """Return the numbers (from 0) of the lines that continue the sentence of the line before.

    A line is joined where the break before it is a wrap and the line before does not end a
    sentence; never where either is blank, a table row or a ruler, or the next is a list item,
    a `Key: value` or a heading in capitals. Whatever the width, it is joined after a title
    (`Dr.`), and before a lower-case letter after a comma or a parted word (`hemi-`).
    """
    joined: set[int] = set()
    breaks: list[_Break] = []
    shouted = all(line == line.upper() for line in lines)
    previous = ""
    for number, line in enumerate(lines):
        before, previous = previous, line.rstrip()
        after = previous.lstrip()
        if not before or not after:
            continue
        continues = after[0].islower() or (shouted and after[0].isalpha())
        ending = _ending(before, after, continues=continues)
        if ending == "closed" or _is_layout(before, after, shouted=shouted):
            continue
        if ending == "bound":
            joined.add(number)
        else:
            word = len(after.split(None, 1)[0])
            breaks.append(_Break(number, len(before), word, continues, before))
    return joined | _wraps(breaks, joined, [len(line.rstrip()) for line in lines])


def join_breaks(text: str, found: IntArray, lengths: IntArray) -> set[int]:
    """Return what `joined_lines` does, of the breaks (m, 7) and lengths of `_cut_kernel.py`."""
    from scrubjay.text._cut_kernel import BOUND, STOPPED

    joined: set[int] = set()
    breaks: list[_Break] = []
    for number, how, begin, end, after, stop, continues in found.tolist():
        if how == STOPPED:
            bare = text[begin:end].rstrip(_CLOSERS)
            ending = _ending_at_period(bare, text[after:stop], continues=bool(continues))
            if ending == "closed":
                continue
            how = BOUND if ending == "bound" else how
        if how == BOUND:
            joined.add(number)
        else:
            line = text[begin:end]
            breaks.append(_Break(number, end - begin, stop - after, bool(continues), line))
    return joined | _wraps(breaks, joined, lengths.tolist())


def _ending(before: str, after: str, *, continues: bool) -> Ending:
    """Return how a line ends: its sentence "closed", "open", or "bound" to the next line."""
    bare = before.rstrip(_CLOSERS)
    last = bare[-1:]
    if last in ("?", "!", "…", ":"):
        return "closed"
    if last == ".":
        return _ending_at_period(bare, after, continues=continues)
    parted = before[-1] == "-" and before[-2:-1].isalpha()
    if after[0].islower() and (before[-1] == "," or parted):
        return "bound"
    return "open"


def _ending_at_period(bare: str, after: str, *, continues: bool) -> Ending:
    """Return how a line ends whose last character is a period."""
    group = period_group(bare, len(bare) - 1)
    if group == "title":
        return "bound"
    kept = group in ("inner", "initial") or (group == "number" and after[0].isdigit())
    return "open" if kept or (group == "closing" and continues) else "closed"


def _is_layout(before: str, after: str, *, shouted: bool) -> bool:
    """Tell whether two lines stand apart by their form."""
    if _ITEM.match(after) or _KEY.match(after) or _ROW.search(before) or _ROW.search(after):
        return True
    if not _WORD.search(before) or not _WORD.search(after):
        return True
    return after.isupper() and not shouted and len(after.split()) > 1


def _wraps(breaks: Sequence[_Break], bound: set[int], lengths: Sequence[int]) -> set[int]:
    """Return the numbers of the lines before which a wrap stands, beside those that are bound."""
    wraps = set(_wraps_by_width(breaks, lengths)) if any(b.continues for b in breaks) else set()
    leading = {item.number for item in breaks if item.leads()}
    if leading:
        wraps |= leading
        for inside in _prose(breaks, lengths, leading):
            held = bound.intersection(range(inside[0].number, inside[-1].number))
            known = len(held) + sum(item.number in wraps for item in inside)
            open_ = sum(not (item.number in wraps or item.continues) for item in inside)
            if known >= 2 and 4 * known >= len(inside) >= 2 * open_:
                wraps.update(item.number for item in inside)
    return wraps


def _wraps_by_width(breaks: Sequence[_Break], lengths: Sequence[int]) -> Iterator[int]:
    """Yield the numbers of the lines before which a wrap stands, by how long lines are."""
    width = _find_width(breaks, lengths)
    if width is not None:
        yield from (item.number for item in breaks if item.near(width))
        return
    numbers = [item.number for item in breaks]
    for first, last in _even_paragraphs(lengths):
        inside = breaks[bisect_right(numbers, first) : bisect_right(numbers, last)]
        if any(item.continues for item in inside):
            yield from (item.number for item in inside)


def _prose(
    breaks: Sequence[_Break], lengths: Sequence[int], leading: set[int]
) -> Iterator[Sequence[_Break]]:
    """Yield the breaks of each paragraph that is prose and has one of the `leading` lines.

    A third of the broken lines hold the border of a sentence, or a comma between words; none is
    a row, and at most a quarter begin with a digit or a bracket, as lines of a log do.
    """
    numbers = [item.number for item in breaks]
    blanks = [-1, *(number for number, length in enumerate(lengths) if not length), len(lengths)]
    for place in sorted({bisect_right(blanks, number) for number in leading}):
        first, last = blanks[place - 1 : place + 1]
        inside = breaks[bisect_right(numbers, first) : bisect_right(numbers, last)]
        lines = [item.line for item in inside]
        if any("|" in line or "\t" in line for line in lines):
            continue
        odd = sum(line.lstrip()[:1].isdigit() or line.lstrip()[:1] == "[" for line in lines)
        prose = sum(_PROSE.search(line) is not None for line in lines)
        if 4 * odd <= len(lines) <= 3 * prose:
            yield inside


def _find_width(breaks: Sequence[_Break], lengths: Sequence[int]) -> int | None:
    """Return the width that explains most breaks before a continuation, or None.

    It must explain at least two and more than half of them, and at most a quarter of the long
    lines may exceed it; a single break is believed only if no line does.
    """
    telling = [item for item in breaks if item.continues and item.length in _WIDTHS]
    if not telling:
        return None
    candidates = sorted({item.length for item in telling})
    support = {width: sum(item.explained_by(width) for item in telling) for width in candidates}
    width = max(candidates, key=lambda candidate: support[candidate])
    exceeding = sum(length > width for length in lengths)
    if len(telling) == 1:
        return width if width >= _NARROWEST_ALONE and not exceeding else None
    long = sum(length >= _WIDTHS.start for length in lengths)
    believed = support[width] >= 2 and 2 * support[width] > len(telling)
    return width if believed and 4 * exceeding <= long else None


def _even_paragraphs(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each paragraph whose lines are of similar length.

    It has three lines or more; all but the last reach 0.7 of the longest, and that has
    between 40 and 130 characters.
    """
    first = 0
    for number, length in enumerate([*lengths, 0]):
        if length:
            continue
        block = lengths[first:number]
        if len(block) >= 3:
            longest = max(block)
            even = 10 * min(block[:-1]) >= 7 * longest
            if even and longest in _WIDTHS:
                yield first, number - 1
        first = number + 1
