"""Patterns tried everywhere: no table of words, no joined expression, no order of the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.taggers._search.matcher import Entry, Match, Matcher
from scrubjay.taggers.patterns import Pattern

_WORD = re.compile(r"[^\W\d_]+")


def raw_matches(patterns: Sequence[Pattern], text: str) -> set[Match]:
    """Return what each pattern finds alone, numbered by its place in the sequence."""
    found: set[Match] = set()
    for number, pattern in enumerate(patterns):
        if pattern.words or pattern.at == ("number",):
            found |= {(s, e, number) for s, e in _tried_everywhere(pattern, text)}
        else:
            alone = Matcher([pattern])
            lonely: list[Match] = []
            alone._at_words(text, lonely)
            alone._at_signs(text, alone._signs, lonely)
            found |= {(start, end, number) for start, end, _ in lonely}
    return found


def _tried_everywhere(pattern: Pattern, text: str) -> set[tuple[int, int]]:
    """Try one pattern at every letter that begins a word, and at every digit and opening sign."""
    (entry,) = _only_entry(pattern)
    found: list[Match] = []
    for place, character in enumerate(text):
        after = text[place - 1] if place else " "
        if pattern.words:
            if character.isalpha() and not after.isalpha() and _WORD.match(text, place):
                (entry.forward if entry.words is None else entry.backward)(text, place, found)
        elif _begins_number(text, place):
            entry.forward(text, place, found)
    return {(start, end) for start, end, _ in found}


def _only_entry(pattern: Pattern) -> list[Entry]:
    matcher = Matcher([pattern])
    return [
        *matcher._numbers,
        *{id(e): e for es in matcher._words.values() for e in es}.values(),
    ]


def _begins_number(text: str, place: int) -> bool:
    """Tell whether a number begins here, with up to two signs before its first digit."""
    rest = text[place : place + 3].lstrip("+('’")
    signs = min(3, len(text) - place) - len(rest)
    before = text[place - 1] if place else ""
    if not rest[:1].isdecimal() or signs > 2:
        return False
    return bool(signs) or not before.isdecimal()


def choose_plainly(matches: Sequence[Match], priorities: Sequence[int]) -> list[Match]:
    """Return disjoint matches: take the best of those left, drop what overlaps it, repeat."""
    left, chosen = set(matches), []
    while left:
        best = min(left, key=lambda m: (-priorities[m[2]], m[0] - m[1], m[0], m[2]))
        chosen.append(best)
        left = {m for m in left if m[1] <= best[0] or best[1] <= m[0]}
    return sorted(chosen)
