"""Where in a text a pattern may match at all: a sieve that lets every match through.

Words, numbers, and letters that run into digits are the anchors. From each of them an automaton
walks on, and where that is not enough back, too, and tells which entries are worth a try. The
table of words and the automaton are data that is derived from the patterns alone.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrubjay.taggers._search.automaton import Automaton, Node, walk, walk_back
from scrubjay.taggers._search.steps import Steps

OPENING = "+('’"  # signs that may begin a number and may be no part of it
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(rf"[{OPENING}]{{0,2}}\d+")

Tries = list[tuple[int, Sequence[int]]]
"""Places, each with the entries that may match there."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The expressions of an entry, for the sieve.

    `forward` has to match from the end of one of its words on, or from the place itself where it
    has none; `words` leads from such a word, in small letters, to what may follow of the phrases
    that begin with it. `backward`, where there is one, has to match up to the place. `forms` are
    the words as they must be written, where capitals matter.
    """

    number: int
    forward: str
    flags: int
    backward: str = ""
    words: dict[str, list[str]] = field(default_factory=dict)
    forms: frozenset[str] | None = None


class Sieve:
    """Finds the places of a text at which entries may match; immutable but for what it works out.

    `words` are machines that are tried at words, the others those tried at numbers and at letters
    that run into digits.
    """

    def __init__(
        self, words: Sequence[Machine], numbers: Sequence[Machine], codes: Sequence[Machine]
    ) -> None:
        self._steps = Steps()
        self.automaton = Automaton(self._steps)
        self._machines = {machine.number: machine for machine in (*words, *numbers, *codes)}
        self.keys: dict[str, list[Machine]] = {}
        for machine in words:
            for key in machine.words:
                self.keys.setdefault(key, []).append(machine)
        self._numbers, self._codes = numbers, codes
        self._bodies: dict[int, int] = {}
        self._backs: dict[int, int] = {}
        self._word_starts: dict[tuple[str, str], Node | None] = {}
        self._place_starts: dict[bool, Node | None] = {}
        self.backs: dict[Node, Node | None] = {}
        self._lock = threading.RLock()

    def find_at(self, text: str, place: int) -> Iterator[Sequence[int]]:
        """Yield the entries that may match at a place that is an anchor."""
        word = WORD.match(text, place)
        if word is None:
            yield self._settle(text, place, place, self.place_start(codes=False))
            return
        if word.group().lower() in self.keys:
            yield self._settle(text, place, word.end(), self.word_start(word.group()))
        if self._codes and text[word.end() : word.end() + 1].isdecimal():
            yield self._settle(text, place, place, self.place_start(codes=True))

    def _settle(self, text: str, place: int, begin: int, start: Node | None) -> Sequence[int]:
        if start is None:
            return ()
        node = walk(start, text, begin)
        if node.matched:
            back = self.back_start(node)
            if back is not None:
                node = walk_back(back, text, place)
        return node.matched

    def word_start(self, word: str) -> Node | None:
        """Return where walks from behind a word begin; None where nothing is tried."""
        key = word.lower()
        machines = self.keys[key]
        form = word if any(machine.forms and word in machine.forms for machine in machines) else ""
        if (key, form) not in self._word_starts:
            chosen = [m for m in machines if m.forms is None or form in m.forms]
            with self._lock:
                steps = [
                    self._steps.add(rest, machine.flags, self._body(machine))
                    for machine in chosen
                    for rest in dict.fromkeys(machine.words[key])
                ]
                self._word_starts[key, form] = self.automaton.start(steps) if steps else None
        return self._word_starts[key, form]

    def place_start(self, *, codes: bool) -> Node | None:
        """Return where walks from numbers or from codes begin; None where there are none."""
        if codes not in self._place_starts:
            with self._lock:
                steps = [self._body(m) for m in (self._codes if codes else self._numbers)]
                self._place_starts[codes] = self.automaton.start(steps) if steps else None
        return self._place_starts[codes]

    def back_start(self, node: Node) -> Node | None:
        """Return where walks back begin after one that ended at a node; None for none."""
        if node not in self.backs:
            asking = [n for n in node.matched if self._machines[n].backward]
            rest = set(node.matched).difference(asking)
            with self._lock:
                steps = [self._back(self._machines[number]) for number in asking]
                self.backs[node] = self.automaton.start(steps, rest) if steps else None
        return self.backs[node]

    def _body(self, machine: Machine) -> int:
        number = machine.number
        if number not in self._bodies:
            end = self._steps.accept(number)
            self._bodies[number] = self._steps.add(machine.forward, machine.flags, end)
        return self._bodies[number]

    def _back(self, machine: Machine) -> int:
        number = machine.number
        if number not in self._backs:
            end = self._steps.accept(number)
            self._backs[number] = self._steps.add(
                machine.backward, machine.flags, end, backward=True
            )
        return self._backs[number]
