"""Where a match that ends at a place may begin: a walk back tells of few places to try.

To search for an expression that has to end at a place is to try it at every word before, and most
tries go far before they fail. An automaton that reads back from the place sees at once how far any
match may reach, and at which places one may begin.
"""

from __future__ import annotations

import re

from scrubjay.taggers._search.automaton import BEGIN_KEY, END_KEY, MOST_NODES, Automaton, Node
from scrubjay.taggers._search.expression import Expression
from scrubjay.taggers._search.steps import Steps

TRIES_AHEAD = 20
"""Searches that go before the first walk: the machine costs as much as so many."""


class Starts:
    """Finds the first match of an expression that ends at a place; what it works out it keeps.

    The expression begins with `(?<!\\w)`, and ends with `\\Z`.
    """

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern, self._flags = pattern, flags
        self._tries = 0
        self._machine: tuple[Automaton, Node] | None = None

    def search(self, regex: Expression, text: str, begin: int, place: int) -> re.Match[str] | None:
        """Return what `regex.search(text, begin, place)` does; `regex` is the expression."""
        if self._tries < TRIES_AHEAD:
            self._tries += 1
            return regex.search(text, begin, place)
        starts = self.find(text, begin, place)
        if starts is None:
            return regex.search(text, begin, place)
        for start in starts:
            if match := regex.match(text, start, place):
                return match
        return None

    def find(self, text: str, begin: int, place: int) -> list[int] | None:
        """Return the places from `begin` on where a match may begin, ascending; None for any."""
        automaton, start = self._machine or self._make()
        node = start[END_KEY]
        found: list[int] = []
        while node.goes_on and place >= begin:
            node = node[text[place - 1] if place else BEGIN_KEY]
            if node.matched:
                found.append(place)
            place -= 1
        found.reverse()
        # One that is full takes any machine for one that matches.
        return None if len(automaton.nodes) >= MOST_NODES else found

    def _make(self) -> tuple[Automaton, Node]:
        """Make the machine and where it begins; threads that both make one keep a whole one."""
        steps = Steps()
        start = steps.add(self._pattern, self._flags, steps.accept(0), backward=True)
        automaton = Automaton(steps, every=True)
        self._machine = automaton, automaton.start([start])
        return self._machine
