"""Whether a regular expression can hang: a walk over its parsed form.

A pattern is bounded where every repetition has an upper limit and no repetition stands inside
another that could try its ways anew. The time of a match is then limited by the pattern alone,
whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scrubjay.taggers._search.re_internals import PARSER, REPEATS, SINGLE

MOST_REPEATS = 400
MOST_CHARACTERS = 1000


_REFERENCES = {"GROUPREF", "GROUPREF_EXISTS"}
_ATOMIC = {"ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"}  # backtracking never enters them again
_LOOKS = {"ASSERT", "ASSERT_NOT"}
_EMPTY = SINGLE | {"AT"}  # nothing is inside: most of a pattern


def find_hazards(pattern: str, *, may_be_empty: bool = False) -> list[str]:
    """Return what makes a pattern unsafe or useless, in words; empty for a good one.

    Refused are repetitions without limit (`*`, `+`) or above `MOST_REPEATS`, a repetition of
    variable length inside another one unless one of the two gives nothing back (`{1,9}+`,
    `(?>...)`), references to groups, matches longer than `MOST_CHARACTERS`, and patterns that can
    match nothing at all unless they `may_be_empty`. Raises `re.error` for what is no regular
    expression.
    """
    parsed = PARSER.parse(pattern, re.IGNORECASE)
    hazards = list(dict.fromkeys(_walk(parsed, repeated=False)))
    least, most = parsed.getwidth()
    if least < 1 and not may_be_empty:
        hazards.append("it can match the empty text")
    if most > MOST_CHARACTERS and not hazards:
        hazards.append(f"it can match more than {MOST_CHARACTERS} characters")
    return hazards


def longest_match(pattern: str) -> int:
    """Return how many characters a match may have at most."""
    return int(PARSER.parse(pattern).getwidth()[1])


def _walk(parsed: Any, *, repeated: bool) -> Iterator[str]:
    """Yield hazards of a sequence; `repeated` where backtracking can enter it many times."""
    for operation, argument in parsed:
        name = str(operation)
        if name in _EMPTY:
            continue
        if name in _REFERENCES:
            yield "it refers back to a group"
        elif name in REPEATS:
            yield from _walk_repeat(name, argument, repeated=repeated)
        elif name in _ATOMIC:
            if name in _LOOKS:
                _require_fixed(*argument)
            for part in _parts(argument):
                yield from _walk(part, repeated=False)
        else:
            for part in _parts(argument):
                yield from _walk(part, repeated=repeated)


def _require_fixed(direction: int, body: Any) -> None:
    """Raise the error of the compiler for a look behind of variable length.

    It is all that the parser lets pass and the compiler does not, which may be asked much later.
    """
    least, most = body.getwidth()
    if direction < 0 and least != most:
        raise re.error("look-behind requires fixed-width pattern")


def _walk_repeat(name: str, argument: Any, *, repeated: bool) -> Iterator[str]:
    least, most, body = argument
    if most > MOST_REPEATS:
        yield f"a repetition has no limit of at most {MOST_REPEATS}: write {{1,20}} for +"
    possessive = name == "POSSESSIVE_REPEAT"
    if repeated and most > 1 and least != most and not possessive:
        yield "a repetition stands inside another: make the inner one possessive, as in {1,20}+"
    yield from _walk(body, repeated=not possessive and (repeated or most > 1))


def _parts(argument: Any) -> Iterator[Any]:
    """Yield the sequences inside the argument of an operation: groups, branches, lookarounds."""
    if isinstance(argument, PARSER.SubPattern):
        yield argument
    elif isinstance(argument, tuple | list):
        for part in argument:
            yield from _parts(part)
