"""Which signs a match can begin with: a walk over the parsed form of a regular expression.

One look at the next sign spares most tries of patterns that stand behind everyday words ("in 2014",
"of 3/7"): behind blanks they want a digit.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from scrubjay.taggers._search.re_internals import COMPILER, PARSER

BLANKS = " \t\u00a0"
"""What is skipped before the first sign."""


_ALL = frozenset(map(chr, range(128))).difference(BLANKS)
_TRIED = "".join(sorted(_ALL)) + BLANKS
_SINGLE = {"LITERAL", "NOT_LITERAL", "IN", "ANY"}
_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_LOOKS = {"ASSERT", "ASSERT_NOT", "AT"}

Reach = tuple[frozenset[str], bool]
"""Signs that may come first behind blanks, and whether a match may have none."""


@cache
def reach(pattern: str, flags: int) -> Reach:
    """Return the signs of ASCII of which one may come first, behind blanks, in a match.

    The second value tells whether a match may be empty or all blanks: what follows it counts then,
    too. Signs beyond ASCII are not told: any may come first. Looks ahead and behind are not
    followed, so there may be signs in the set with which no match begins.
    """
    parsed = PARSER.parse(pattern, flags)
    return _sequence(parsed, parsed.state.flags)  # with those that the parser adds: UNICODE


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
    if name in _SINGLE:
        return _single(operation, argument, flags)
    if name in _LOOKS:
        return frozenset(), True
    if name in _REPEATS:
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
    parsed = PARSER.SubPattern(PARSER.State(), [(operation, argument)])
    found = frozenset(COMPILER.compile(parsed, flags).findall(_TRIED))
    return found & _ALL, not found <= _ALL
