"""Expressions for what stands right before a place, most of which a look at two characters refuses.

To search the text before each place costs microseconds, and nearly everywhere in vain. The last two
characters of all that an expression matches are few, and worked out from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from scrubjay.taggers._search.re_internals import PARSER, REPEATS

_MOST, _LOOK = 2, 8
"""Characters of an ending, and those before a place among which they are sought."""

_BLANKS = (" ", "\t")
_WIDEST = 64
"""Characters in a range of a set at most."""


class Before:
    """Finds what an expression matches up to the end of a text; `\\Z` is added to it.

    All that can stand at its end has to be told: single characters and small sets of them.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._compiled = re.compile(rf"(?:{pattern})\Z", flags)
        self._endings = find_endings(pattern, flags)

    def search(self, text: str) -> re.Match[str] | None:
        """Return what `re.search` does."""
        return self._compiled.search(text) if self.may_match(text) else None

    def may_match(self, text: str, *, is_rest: bool = False) -> bool:
        """Tell whether a text ends as a match does, all of it or the rest of one."""
        last = last_signs(text, len(text), is_rest=is_rest)
        return last is None or last in self._endings or last[-1:] in self._endings


def last_signs(text: str, place: int, *, is_rest: bool = False) -> str | None:
    """Return the last two characters before a place in small letters, blanks left out, or None.

    None stands for what `find_endings` says nothing of: other characters than those of ASCII, which
    `re.IGNORECASE` may take for some of it, and more blanks than are looked at.
    """
    last = text[max(0, place - _LOOK) : place].replace(" ", "").replace("\t", "")[-_MOST:]
    if not last.isascii() or (len(last) < _MOST and (is_rest or place > _LOOK)):
        return None
    return last.lower()


def find_endings(pattern: str, flags: int = 0) -> frozenset[str]:
    """Return the last two characters, in small letters, of all that an expression matches.

    Blanks are left out; what matches fewer characters ends as it is. Raises `ValueError` where all
    kinds of characters may stand at the end.
    """
    return frozenset(_ends_of_all(PARSER.parse(pattern, flags)))


def _ends_of_all(steps: Sequence[Any]) -> set[str]:
    ends = {""}
    for step in reversed(steps):
        if all(len(end) == _MOST for end in ends):
            break
        ends = _joined(_ends(*step), ends)
    return ends


def _joined(firsts: Iterable[str], ends: Iterable[str]) -> set[str]:
    firsts = set(firsts)
    return {(first + end)[-_MOST:] for end in ends for first in firsts}


def _ends(operation: Any, argument: Any) -> set[str]:
    name = str(operation)
    if name in ("AT", "ASSERT", "ASSERT_NOT"):
        return {""}
    if name == "SUBPATTERN":
        return _ends_of_all(argument[3])
    if name == "ATOMIC_GROUP":
        return _ends_of_all(argument)
    if name == "BRANCH":
        return set().union(*map(_ends_of_all, argument[1]))
    if name in REPEATS:
        least, most, steps = argument
        once, ends, found = _ends_of_all(steps), {""}, set[str]()
        for times in range(min(int(most), least + _MOST) + 1):
            if times >= least:
                found |= ends
            ends = _joined(once, ends)
        return found
    return {"" if one in _BLANKS else one.lower() for one in _characters(name, argument)}


def _characters(name: str, argument: Any) -> list[str]:
    if name == "LITERAL":
        return [chr(argument)]
    if name == "RANGE" and argument[1] - argument[0] < _WIDEST:
        return [chr(code) for code in range(argument[0], argument[1] + 1)]
    if name == "CATEGORY" and str(argument) == "CATEGORY_DIGIT":
        return list("0123456789")  # others are none of ASCII
    if name == "IN":
        return [one for part, value in argument for one in _characters(str(part), value)]
    raise ValueError(f"an expression that may end with {name} ends with anything")
