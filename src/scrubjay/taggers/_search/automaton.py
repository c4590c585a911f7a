"""One walk over some characters tells which of many machines match: an automaton, made as it goes.

A node stands for the steps that the machines may have reached, and leads from a symbol to the next
node. Nodes are made when a walk first comes to them, and as a row of a table, too, for compiled
walks.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from scrubjay.taggers._search.steps import ALL, BEGIN, END, OTHER, SYMBOLS, Mask, Steps

BEGIN_KEY, END_KEY = "begin", "end"
"""What stands for the places before and behind a text where a node wants a character."""

MOST_NODES = 8_000
"""Nodes with a row: a walk that would need more ends, and what may match counts as matching."""

LONGEST_WALK = 200
"""Characters after which a walk ends so, too."""

UNKNOWN = -1
"""In a row: where a symbol leads was not worked out yet."""

GOES_ON, MATCHES, IN_VAIN = 0, 1, 2
"""What a walk does at a node: it goes on, or ends with machines that match, or with none."""

Entries = tuple[int, ...]
_Items = frozenset[int]  # their numbers: each is symbols, and the step behind one that takes them
_State = tuple[_Items, frozenset[int]]

_ORDINALS = {BEGIN_KEY: BEGIN, END_KEY: END}


class Node(dict[str, "Node"]):
    """A state of an automaton, by character the next one.

    `goes_on` tells whether another character can change anything. `matched` are the entries whose
    machines match what was read.
    """

    __slots__ = ("automaton", "goes_on", "matched", "number", "state")

    def __init__(self, automaton: Automaton, number: int, state: _State) -> None:
        super().__init__()
        self.automaton = automaton
        self.number = number
        self.state = state
        self.matched: Entries = tuple(sorted(state[1])) if state[1] else ()
        self.goes_on = bool(state[0])

    def __missing__(self, key: str) -> Node:
        symbol = _ORDINALS[key] if len(key) > 1 else min(ord(key), OTHER)
        node = self.automaton.next_node(self, symbol)
        if symbol != OTHER:  # of those there are too many
            self[key] = node
        return node

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class Automaton:
    """The nodes over some machines. `rows` and `ends` hold them as arrays, by their numbers.

    A row has a node for each symbol, or `UNKNOWN`; nodes beyond the most that there may be have no
    number and no row. Threads may share it: what one finds out another finds, too.

    Where it tells `every` match, a node has those machines as matched that match just here, and
    goes on with them, too; else a machine that matches is done with.
    """

    def __init__(self, steps: Steps, *, every: bool = False) -> None:
        self.steps = steps
        self._every = every
        self.nodes: list[Node] = []
        self.rows = np.full((64, SYMBOLS), UNKNOWN, dtype=np.int16)
        self.ends = np.full(64, GOES_ON, dtype=np.int8)
        self._known: dict[_State, Node] = {}
        self._items: dict[tuple[Mask, int], int] = {}
        self._masks: list[Mask] = []  # of each item, by its number
        self._steps: list[int] = []
        self._ends: set[int] = set()  # items that are the end of a machine, whatever follows
        self._closures: dict[int, list[tuple[_Items, Mask]]] = {}
        self._lock = threading.RLock()

    def start(self, steps: Iterable[int], matched: Iterable[int] = ()) -> Node:
        """Return the node before the first steps of machines; `matched` match anyway.

        What it reads first is the character before them, which is no part of a match.
        """
        with self._lock:
            items = frozenset(self._item(ALL, step) for step in steps)
            return self._node((items, frozenset(matched)))

    def next_node(self, node: Node, symbol: int) -> Node:
        """Return where a symbol leads from a node."""
        number = int(self.rows[node.number, symbol]) if node.number != UNKNOWN else UNKNOWN
        if number != UNKNOWN:
            return self.nodes[number]
        with self._lock:
            return self._follow(node, symbol)

    def _follow(self, node: Node, symbol: int) -> Node:
        items, matched = node.state
        if self._every:
            matched = frozenset()
        masks, steps = self._masks, self._steps
        found: set[int] = set()
        same, bit = ALL, 1 << symbol  # the symbols that lead to the same node
        for item in items:
            mask = masks[item]
            if mask & bit:
                reached, alike = self._closure(steps[item], symbol)
                same &= mask & alike
                found |= reached
            else:
                same &= ~mask
        entries = self.steps.entries
        if not self._ends.isdisjoint(found):
            matched = matched.union(entries[steps[item]] for item in self._ends & found)
        if self._every:
            found -= self._ends
        elif matched:
            found = {item for item in found if entries[steps[item]] not in matched}
        other = self._node((frozenset(found), matched))
        if node.number != UNKNOWN:
            self.rows[node.number][_unpack(same)] = other.number
        return other

    def cut(self, node: Node) -> Node:
        """Return the end of a walk that stops here: what may still match counts as matching."""
        with self._lock:
            return self._node(self._cut_state(node.state))

    def _cut_state(self, state: _State) -> _State:
        entries, steps = self.steps.entries, self._steps
        return frozenset(), state[1].union(entries[steps[item]] for item in state[0])

    def _node(self, state: _State) -> Node:
        node = self._known.get(state)
        if node is None and state[0] and len(self.nodes) >= MOST_NODES:
            state = self._cut_state(state)
            node = self._known.get(state)
        if node is None:
            node = self._known[state] = self._make(state)
        return node

    def _item(self, mask: Mask, step: int) -> int:
        number = self._items.setdefault((mask, step), len(self._items))
        if number == len(self._masks):
            self._masks.append(mask)
            self._steps.append(step)
            if mask == ALL and self.steps.steps[step][0] == "accept":
                self._ends.add(number)
        return number

    def _make(self, state: _State) -> Node:
        number = len(self.nodes)
        if number >= 2 * MOST_NODES:
            return Node(self, UNKNOWN, state)
        if number == len(self.rows):
            more = np.full((number, SYMBOLS), UNKNOWN, dtype=np.int16)
            self.ends = np.concatenate([self.ends, np.full(number, GOES_ON, dtype=np.int8)])
            self.rows = np.concatenate([self.rows, more])
        node = Node(self, number, state)
        if not node.goes_on:
            self.ends[number] = MATCHES if node.matched else IN_VAIN
        self.nodes.append(node)
        return node

    def _closure(self, step: int, last: int) -> tuple[_Items, Mask]:
        """Return what can be taken next from a step on, and the last symbols with which that is so.

        An item of the end of a machine is taken by any symbol that may stand behind it.
        """
        known = self._closures.setdefault(step, [])
        for found, alike in known:
            if alike >> last & 1:
                return found, alike
        items: set[int] = set()
        alike = ALL
        seen = {(step, ALL)}
        open_ways = [(step, ALL)]
        while open_ways:
            way, allowed = open_ways.pop()
            kind, mask, targets = self.steps.steps[way]
            if kind == "accept":
                items.add(self._item(allowed, way))
                continue
            if kind == "take":
                if allowed & mask:
                    items.add(self._item(allowed & mask, targets[0]))
                continue
            if kind == "ahead":
                allowed &= mask
            elif kind == "behind":
                fits = mask >> last & 1
                alike &= mask if fits else ~mask
                if not fits:
                    continue
            for target in targets:
                if allowed and (target, allowed) not in seen:
                    seen.add((target, allowed))
                    open_ways.append((target, allowed))
        known.append((frozenset(items), alike))
        return known[-1]


def walk(node: Node, text: str, place: int) -> Node:
    """Return the last node of a walk on from a place; the character before it is read first."""
    node = node[text[place - 1] if place else BEGIN_KEY]
    size = len(text)
    stop = min(size, place + LONGEST_WALK)
    while node.goes_on:
        if place < stop:
            node = node[text[place]]
            place += 1
        else:
            return node[END_KEY] if place == size else node.automaton.cut(node)
    return node


def walk_back(node: Node, text: str, place: int) -> Node:
    """Return the last node of a walk back from a place, as if the text ended there."""
    node = node[END_KEY]
    stop = max(0, place - LONGEST_WALK)
    while node.goes_on:
        if place > stop:
            place -= 1
            node = node[text[place]]
        else:
            return node[BEGIN_KEY] if place == 0 else node.automaton.cut(node)
    return node


def _unpack(mask: Mask) -> npt.NDArray[np.bool_]:
    """Return for each symbol whether a mask has it."""
    packed = np.frombuffer(mask.to_bytes(_BYTES, "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=SYMBOLS, bitorder="little").view(np.bool_)


_BYTES = (SYMBOLS + 7) // 8
