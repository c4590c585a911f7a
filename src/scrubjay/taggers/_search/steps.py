"""Regular expressions as steps of a machine that matches all that they do, and a little more.

What it forgets (long looks, possession, exact counts of many) only widens it: where the machine
matches nothing, neither does the expression. A machine reads forward, or backward from the end of
a match. `automaton` runs many machines at once, a character at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Literal

from scrubjay.taggers._search.re_internals import COMPILER, PARSER, REPEATS, SINGLE

TOLD = 256
"""How many code points are told apart; those from here on are all one symbol, `OTHER`."""

OTHER, BEGIN, END = TOLD, TOLD + 1, TOLD + 2
"""The symbols beyond: a character of a higher code point, the places before and behind a text."""

SYMBOLS = TOLD + 3

Mask = int
"""A set of symbols, a bit for each."""

ALL: Mask = (1 << SYMBOLS) - 1

_TOLD = "".join(map(chr, range(TOLD)))
_MOST_COPIES = 20
"""How often a repeated step is written out; what may come more often may come without end."""
_MOST_STEPS = 400

Kind = Literal["take", "split", "ahead", "behind", "accept"]
Step = tuple[Kind, Mask, tuple[int, ...]]
"""What it does, its symbols, and the steps that follow; `accept` has the entry as its mask.

`take` reads one of its symbols, `ahead` and `behind` ask that the next and the last are of them.
"""


class Steps:
    """The steps of machines, each of which accepts for an entry; it grows by `add`."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.entries: list[int] = []  # of each step
        self._added: dict[tuple[str, int, int, bool], int] = {}
        self._masks: dict[tuple[str, str, int], Mask] = {}

    def accept(self, entry: int) -> int:
        """Add the end of a machine; return its step."""
        return self._put("accept", entry, (), entry)

    def add(self, pattern: str, flags: int, after: int, *, backward: bool = False) -> int:
        """Add a machine for an expression that goes on to the step `after`; return its first step.

        `backward` is for one that reads from the end of a match.
        """
        key = pattern, int(flags), after, backward
        if key not in self._added:
            parsed = _parse(pattern, int(flags))
            # With those flags that the parser adds: UNICODE.
            self._added[key] = _Builder(self, self.entries[after], backward).build(
                parsed, parsed.state.flags, after
            )
        return self._added[key]

    def _put(self, kind: Kind, mask: Mask, targets: tuple[int, ...], entry: int) -> int:
        self.steps.append((kind, mask, targets))
        self.entries.append(entry)
        return len(self.steps) - 1

    def symbols(self, operation: Any, argument: Any, flags: int) -> Mask:
        """Return which of the symbols that are told apart a step of one character takes."""
        key = (str(operation), repr(argument), int(flags))
        mask = self._masks.get(key)
        if mask is None:
            parsed = PARSER.SubPattern(PARSER.State(), [(operation, argument)])
            found = COMPILER.compile(parsed, flags).findall(_TOLD)
            mask = self._masks[key] = sum(1 << ord(character) for character in found)
        return mask


@lru_cache(maxsize=256)
def _parse(pattern: str, flags: int) -> Any:
    return PARSER.parse(pattern, flags)


class _Builder:
    """Adds the machine of one expression, from its last step to its first."""

    def __init__(self, steps: Steps, entry: int, backward: bool) -> None:
        self._steps = steps
        self._entry = entry
        self._backward = backward
        self._masks: dict[tuple[str, int, int], Mask] = {}

    def build(self, parsed: Iterable[tuple[Any, Any]], flags: int, after: int) -> int:
        sequence = list(parsed)
        for operation, argument in sequence if self._backward else reversed(sequence):
            after = self._step(operation, argument, flags, after)
        return after

    def _put(self, kind: Kind, mask: Mask, *targets: int) -> int:
        return self._steps._put(kind, mask, targets, self._entry)

    def _step(self, operation: Any, argument: Any, flags: int, after: int) -> int:
        name = str(operation)
        if name in SINGLE:
            mask = self._symbols(operation, argument, flags)
            return self._put("take", mask | 1 << OTHER, after)
        if name in REPEATS:
            return self._repeat(argument, flags, after)
        if name == "SUBPATTERN":
            _, added, removed, body = argument
            return self.build(body, COMPILER._combine_flags(flags, added, removed), after)
        if name == "ATOMIC_GROUP":
            return self.build(argument, flags, after)
        if name == "BRANCH":
            ways = [self.build(way, flags, after) for way in argument[1]]
            return self._put("split", 0, *ways)
        if name in ("ASSERT", "ASSERT_NOT"):
            direction, body = argument
            mask = (
                self._edge(body, flags, direction) if name == "ASSERT"
                else ALL & ~self._sure(body, flags, direction)
            )  # fmt: skip
            return self._look(direction, mask, after)
        if name == "AT":
            return self._at(str(argument), flags, after)
        if name == "FAILURE":
            return self._put("split", 0)
        return self._steps.accept(self._entry)  # a reference: who knows what follows

    def _symbols(self, operation: Any, argument: Any, flags: int) -> Mask:
        key = str(operation), argument if isinstance(argument, int) else id(argument), flags
        if key not in self._masks:  # while it builds, an argument keeps its id
            self._masks[key] = self._steps.symbols(operation, argument, flags)
        return self._masks[key]

    def _repeat(self, argument: Any, flags: int, after: int) -> int:
        least, most, body = argument
        size = len(self._steps.steps)
        way = self.build(body, flags, after)
        copies = max(1, min(_MOST_COPIES, _MOST_STEPS // (len(self._steps.steps) - size + 1)))
        if least > copies or most - least > copies:
            loop = self._put("split", 0)
            self._steps.steps[loop] = ("split", 0, (self.build(body, flags, loop), after))
            after = loop
        else:
            behind = after
            for _ in range(most - least):
                after = self._put("split", 0, way if after == behind else
                                  self.build(body, flags, after), behind)  # fmt: skip
        for _ in range(min(least, copies)):
            after = self.build(body, flags, after)
        return after

    def _look(self, direction: int, mask: Mask, after: int) -> int:
        """Add a look at the character on a side: the next one to read, or the last one read."""
        if mask == ALL:
            return after
        upcoming = (direction > 0) != self._backward
        return self._put("ahead" if upcoming else "behind", mask, after)

    def _at(self, where: str, flags: int, after: int) -> int:
        mask = _place_mask(where, flags, 1) & _place_mask(where, flags, -1)
        direction = 1 if _place_mask(where, flags, 1) != ALL else -1
        return self._look(direction, mask, after)

    def _edge(self, parsed: Sequence[tuple[Any, Any]], flags: int, direction: int) -> Mask:
        """Return the symbols of which one stands first in a match, or last where it looks back."""
        found: Mask = 0
        for operation, argument in parsed if direction > 0 else reversed(parsed):
            mask, passes = self._edge_of(operation, argument, flags, direction)
            found |= mask
            if not passes:
                return found
        return ALL

    def _edge_of(
        self, operation: Any, argument: Any, flags: int, direction: int
    ) -> tuple[Mask, bool]:
        """Return what `_edge` does of one step, and whether the next one counts, too."""
        name = str(operation)
        if name in SINGLE:
            return self._symbols(operation, argument, flags) | 1 << OTHER, False
        if name in REPEATS:
            least, _, body = argument
            return self._edge(body, flags, direction), least == 0
        if name == "SUBPATTERN":
            _, added, removed, body = argument
            flags = COMPILER._combine_flags(flags, added, removed)
            return self._edge(body, flags, direction), False
        if name == "ATOMIC_GROUP":
            return self._edge(argument, flags, direction), False
        if name == "BRANCH":
            ways = [self._edge(way, flags, direction) for way in argument[1]]
            return reduce(or_, ways, 0), False
        if name == "AT":
            return _place_mask(str(argument), flags, direction), False
        if name in ("ASSERT", "ASSERT_NOT"):
            return 0, True
        return ALL, False

    def _sure(self, parsed: Sequence[tuple[Any, Any]], flags: int, direction: int) -> Mask:
        """Return the symbols with which the expression matches for sure, whatever else there is."""
        if len(parsed) != 1:
            return 0 if len(parsed) else ALL
        ((operation, argument),) = parsed
        name = str(operation)
        if name in SINGLE:
            return self._symbols(operation, argument, flags)
        if name == "SUBPATTERN":
            _, added, removed, body = argument
            flags = COMPILER._combine_flags(flags, added, removed)
            return self._sure(body, flags, direction)
        if name == "BRANCH":
            found: Mask = 0
            for way in argument[1]:
                found |= self._sure(way, flags, direction)
            return found
        if name in REPEATS and argument[0] == 1:
            return self._sure(argument[2], flags, direction)
        return 0


def _place_mask(where: str, flags: int, direction: int) -> Mask:
    """Return the symbols that may stand on a side of a place such as the end of a text."""
    line = 1 << ord("\n")
    if direction > 0 and where == "AT_END_STRING":
        return 1 << END
    if direction > 0 and where == "AT_END":
        return 1 << END | line
    if direction < 0 and where == "AT_BEGINNING_STRING":
        return 1 << BEGIN
    if direction < 0 and where == "AT_BEGINNING":
        return 1 << BEGIN | (line if flags & re.MULTILINE else 0)
    return ALL
