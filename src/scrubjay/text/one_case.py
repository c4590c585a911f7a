"""Texts and lines of one case: those that lack capitals, and those of nothing else.

No letter moves: what is written in small letters keeps its places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_SHORTEST = 3
"""Characters of a word with what parts it from the next, at least: no more words than these."""

_FEWEST, _FEWEST_UPPER = 5, 8
"""Words of a text without capitals, and of one in capitals, at least."""

_SHARE, UPPER = 0.02, 0.7
"""Share of words that may begin with a capital, and that are capitals in a text of nothing else."""

FEWEST_LINES, OF_LINE = 12, 5
"""Words of lines in capitals that are no heading, and of one on the average that is no form."""

_NEAR = 200
"""Characters before a word and behind it that are looked at."""

_LONG = re.compile(r"[^\W\d_]{2,}")
_TITLED = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]")
_MAYBE_UPPER = re.compile(r"\n[^a-zß-öø-ÿ\n]{14}")
"""What a line of five words in capitals is at least."""


def lower_capitals(text: str) -> str:
    """Return a text with those lines in small letters that are in capitals alone, of some words.

    Any other text comes back as it is.
    """
    if lacks_capitals(text):
        return lower_signs(text) if is_upper(text) else text
    return lower_lines(text)


def lower_lines(text: str) -> str:
    """Return a text that does not lack capitals with those lines in small letters."""
    if not _MAYBE_UPPER.search("\n" + text):
        return text
    if not any(line.isupper() and line.count(" ") >= OF_LINE - 1 for line in text.split("\n")):
        return text
    place, parts = 0, list[str]()
    for start, end in upper_parts(text):
        parts += text[place:start], lower_signs(text[start:end])
        place = end
    return "".join((*parts, text[place:])) if parts else text


def upper_parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield where lines in capitals alone begin and end, those that follow each other as one.

    All but the first may have some words in small letters ("5 mg"). Those of a form have few words.
    """
    first = last = place = lines = words = 0
    for line in (*text.split("\n"), "."):
        end = place + len(line)
        if line.isupper() or (lines and is_upper(line) and not _TITLED.search(line)):
            first, last = first if lines else place, end
            words, lines = words + len(_LONG.findall(line)), lines + 1
        elif lines and (_LONG.search(line) or end >= len(text)):
            if words >= max(FEWEST_LINES, OF_LINE * lines):
                yield first, last
            words = lines = 0
        place = end + 1


def lacks_capitals(text: str) -> bool:
    """Tell whether hardly a word of a text has a capital at its head and small letters behind."""
    most = most_titled(len(text))
    titled = sum(1 for _ in islice(_TITLED.finditer(text), most + 1))
    if titled > most:
        return False
    words = _LONG.findall(text)
    if len(words) < _FEWEST or titled > _SHARE * len(words):
        return False
    return len(words) >= _FEWEST_UPPER or not all(map(str.isupper, words))


def most_titled(size: int) -> int:
    """Return how many words so a text of some characters has at most that may lack capitals."""
    return 1 + int(_SHARE * size / _SHORTEST)


def stands_in_capitals(text: str, start: int, end: int) -> bool:
    """Tell whether a word stands among capitals alone, so that its own tells nothing.

    Its line is looked at, and the text around it, `_NEAR` characters each way at most.
    """
    if not text[start:end].isupper():
        return False
    first, last = max(0, start - _NEAR), end + _NEAR
    around = text[first:last]
    row = text[max(first, text.rfind("\n", first, start) + 1) : end]
    row += text[end:last].partition("\n")[0]
    return any(lacks_capitals(each) and is_upper(each) for each in (around, row))


def is_upper(text: str) -> bool:
    """Tell whether most words of a text are all in capitals."""
    words = _LONG.findall(text)
    return sum(map(str.isupper, words)) > UPPER * len(words)


def lower_signs(text: str) -> str:
    """Return a text in small letters, with those as they are that have no small one of a sign."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
