"""Which signs a match can begin with, and hold: walks over the parsed form of an expression.

One look at the next sign spares most tries of patterns that stand behind everyday words ("in 2014",
"of 3/7"): behind blanks they want a digit. What can hold no space, as an address of the web, begins
behind the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from scrubjay.taggers._search.re_internals import COMPILER, PARSER, REPEATS, SINGLE

BLANKS = " \t\u00a0"
"""What is skipped before the first sign."""


BEYOND = "\x80"
"""From this sign on nothing is told: any may come first."""

_SPACES = " \t\n\r"
_ALL = frozenset(map(chr, range(128))).difference(BLANKS)
_TRIED = "".join(sorted(_ALL)) + BLANKS
_LOOKS = {"ASSERT", "ASSERT_NOT", "AT"}

Reach = tuple[frozenset[str], bool]
"""Signs that may come first behind blanks, and whether a match may have none."""


def next_sign(text: str, place: int) -> str:
    """Return the next sign that is no blank, or nothing at the end of the text."""
    sign = text[place : place + 1]
    while sign and sign in BLANKS:
        place += 1
        sign = text[place : place + 1]
    return sign


@cache
def reach(pattern: str, flags: int) -> Reach:
    """Return the signs of ASCII of which one may come first, behind blanks, in a match.

    The second value tells whether a match may be empty or all blanks: what follows it counts then,
    too. Signs beyond ASCII are not told: any may come first. Looks ahead and behind are not
    followed, so there may be signs in the set with which no match begins.
    """
    parsed = PARSER.parse(pattern, flags)
    return _sequence(parsed, parsed.state.flags)  # with those that the parser adds: UNICODE


@cache
def may_hold_space(pattern: str, flags: int) -> bool:
    """Tell whether a match may hold a blank, a tab or the end of a line."""
    parsed = PARSER.parse(pattern, flags)
    return _holds_space(parsed, parsed.state.flags)


def _holds_space(parsed: Iterable[tuple[Any, Any]], flags: int) -> bool:
    return any(_step_holds_space(operation, argument, flags) for operation, argument in parsed)


def _step_holds_space(operation: Any, argument: Any, flags: int) -> bool:
    name = str(operation)
    if name in SINGLE:
        return bool(_compile_single(operation, argument, flags).findall(_SPACES))
    if name in _LOOKS:
        return False
    if name in REPEATS:
        return _holds_space(argument[2], flags)
    if name == "SUBPATTERN":
        _, added, removed, body = argument
        return _holds_space(body, COMPILER._combine_flags(flags, added, removed))
    if name == "ATOMIC_GROUP":
        return _holds_space(argument, flags)
    if name == "BRANCH":
        return any(_holds_space(way, flags) for way in argument[1])
    return True  # as a reference to another group: nothing is known of it


def _sequence(parsed: Iterable[tuple[Any, Any]], flags: int) -> Reach:
    signs: frozenset[str] = frozenset()
    for operation, argument in parsed:
        found, passes = _step(operation, argument, flags)
        signs |= found
        if not passes:
            return signs, False
    return signs, True


def _step(operation: Any, argument: Any, flags: int) -> Reach:
    name = str(operation)
    if name in SINGLE:
        return _single(operation, argument, flags)
    if name in _LOOKS:
        return frozenset(), True
    if name in REPEATS:
        least, _, body = argument
        signs, passes = _sequence(body, flags)
        return signs, passes or least == 0
    if name == "SUBPATTERN":
        _, added, removed, body = argument
        return _sequence(body, COMPILER._combine_flags(flags, added, removed))
    if name == "ATOMIC_GROUP":
        return _sequence(argument, flags)
    if name == "BRANCH":
        ways = [_sequence(way, flags) for way in argument[1]]
        signs = frozenset().union(*(signs for signs, _ in ways))
        return signs, any(passes for _, passes in ways)
    return _ALL, True


def _single(operation: Any, argument: Any, flags: int) -> Reach:
    found = frozenset(_compile_single(operation, argument, flags).findall(_TRIED))
    return found & _ALL, not found <= _ALL


def _compile_single(operation: Any, argument: Any, flags: int) -> re.Pattern[str]:
    """Return the expression that an operation is of which a single sign is a match."""
    parsed = PARSER.SubPattern(PARSER.State(), [(operation, argument)])
    compiled: re.Pattern[str] = COMPILER.compile(parsed, flags)
    return compiled
