"""Regular expressions of many words in any case, compiled so that few of the words are tried.

Where capitals do not matter, the engine of the standard library tries each alternative of a branch,
one after another: "Servicio|Sección|Unidad" and seventy more cost a microsecond at each word. Here
those that begin with the same letter are tried together, and none of them where another letter
stands. What matches, and what a group holds, is the same. To compile takes twice as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from scrubjay.taggers._search.re_internals import COMPILER, PARSER

_FEWEST = 4
"""Alternatives of a branch that are put together."""

_KEPT = 1024
"""Expressions that are remembered."""

_FURTHER = {"i": "\u0130\u0131", "k": "\u212a", "s": "\u017f"}
"""What a letter of ASCII matches besides its two cases, where they do not matter."""


@lru_cache(_KEPT)
def compile_branches(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what `re.compile` does, but that its `pattern` may be None.

    Raises `re.error` for what is no regular expression.
    """
    if pattern.count("|") < _FEWEST - 1 or not (flags & re.IGNORECASE or "(?i" in pattern):
        return re.compile(pattern, flags)
    parsed = PARSER.parse(pattern, flags)
    _regroup_all(parsed, parsed.state.flags)
    compiled: re.Pattern[str] = COMPILER.compile(parsed, flags)
    return compiled


def _regroup_all(steps: Any, flags: int) -> None:
    """Put alternatives together in all branches of an expression in which case does not matter."""
    for place, (operation, argument) in enumerate(steps.data):
        name = str(operation)
        if name == "SUBPATTERN":
            _, added, taken, inner = argument
            _regroup_all(inner, (flags | added) & ~taken)
        elif name == "BRANCH":
            for way in argument[1]:
                _regroup_all(way, flags)
            # With `re.ASCII` letters have no further forms.
            if flags & (re.IGNORECASE | re.ASCII) == re.IGNORECASE and len(argument[1]) >= _FEWEST:
                steps.data[place] = (operation, (None, _regrouped(argument[1], steps.state)))
        else:
            for inner in _inner(argument):
                _regroup_all(inner, flags)


def _inner(argument: Any) -> Iterable[Any]:
    """Return the expressions within the argument of a step: of repeats, of looks around."""
    if isinstance(argument, PARSER.SubPattern):
        return [argument]
    if isinstance(argument, tuple):
        return [part for part in argument if isinstance(part, PARSER.SubPattern)]
    return []


def _regrouped(ways: Iterable[Any], state: Any) -> list[Any]:
    """Return alternatives with those together that begin with one letter, in their order.

    No text begins with two letters: which of two letters is tried first does not matter. What may
    begin with anything else stays where it is, and no alternative passes it.
    """
    found: list[Any] = []
    run: dict[str, list[Any]] = {}
    for way in ways:
        letter = _first_letter(way)
        if letter:
            run.setdefault(letter, []).append(way)
        else:
            found += [_together(*each, state) for each in run.items()]
            found.append(way)
            run = {}
    return found + [_together(*each, state) for each in run.items()]


def _first_letter(way: Any) -> str:
    """Return the letter of ASCII that an alternative begins with, in small; nothing for others."""
    if not len(way) or str(way.data[0][0]) != "LITERAL":
        return ""
    letter = chr(way.data[0][1])
    return letter.lower() if letter.isascii() and letter.isalpha() else ""


def _together(letter: str, ways: list[Any], state: Any) -> Any:
    """Return one expression for alternatives that begin with a letter.

    A set of characters is looked at before an alternative is begun, which a letter in any case is
    not.
    """
    signs = [letter, letter.upper(), *_FURTHER.get(letter, "")]
    choice = [(PARSER.LITERAL, ord(sign)) for sign in signs]
    first = PARSER.SubPattern(state, [(PARSER.IN, choice)])
    steps: list[Any] = [(PARSER.SUBPATTERN, (None, 0, int(re.IGNORECASE), first))]
    rests = [PARSER.SubPattern(state, way.data[1:]) for way in ways]
    if len(rests) == 1:
        steps += rests[0].data
    else:
        if len(rests) >= _FEWEST:
            rests = _regrouped(rests, state)
        steps.append((PARSER.BRANCH, (None, rests)))
    return PARSER.SubPattern(state, steps)
