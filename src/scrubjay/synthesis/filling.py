"""Filling a template: nodes and a scene in, text with exact spans out."""

from __future__ import annotations

import re
from random import Random

from scrubjay.document import Span
from scrubjay.synthesis.grammar import TRAPS, Grammar
from scrubjay.synthesis.nodes import Block, Call, Choice, Literal, Nodes, Slot
from scrubjay.synthesis.scene import Scene
from scrubjay.synthesis.slots import PEOPLE
from scrubjay.synthesis.sources import Sources


def fill_template(
    block: Block, grammar: Grammar, sources: Sources, rng: Random, *, traps: int = 0
) -> tuple[str, tuple[Span, ...]]:
    """Return a filled template: its text and the spans of its PHI, sorted and disjoint.

    A span neither begins nor ends with white space. PHI that comes out empty has no span.
    `traps` lines are put in between the others: fragments named `trap`, of what looks like
    PHI and is none.
    """
    scene = Scene(sources, rng)
    if sources.language.name == "es":  # its templates ask for a child by `{age:niño}`
        scene.settle(None, child=False)
    filler = _Filler(grammar, scene, rng)
    filler.walk(block.nodes)
    text, spans = "".join(filler.texts), filler.spans
    rows = [row for name in TRAPS for row in grammar.fragments.get(name, ())]
    for _ in range(traps if rows else 0):
        extra = _Filler(grammar, scene, rng)
        extra.walk(rng.choice(rows).nodes)
        text, spans = _put_in(text, spans, "".join(extra.texts), extra.spans, rng)
    return text, tuple(spans)


def fill_nodes(
    nodes: Nodes, grammar: Grammar, scene: Scene, rng: Random
) -> tuple[str, tuple[Span, ...]]:
    """Return filled nodes of a scene that goes on: their text and the spans of its PHI."""
    filler = _Filler(grammar, scene, rng)
    filler.walk(nodes)
    return "".join(filler.texts), tuple(filler.spans)


def _put_in(
    text: str, spans: list[Span], line: str, inside: list[Span], rng: Random
) -> tuple[str, list[Span]]:
    """Return a text with a line put in at a random line end outside of its spans, or at its end."""
    places = [place for place, sign in enumerate(text) if sign == "\n"]
    free = [p for p in places if not any(span.start <= p < span.end for span in spans)]
    place = rng.choice((*free, len(text)))
    moved = [_shifted(span, place + 1) for span in inside]
    size = len(line) + 1
    before = [span for span in spans if span.start < place]
    after = [_shifted(span, size) for span in spans if span.start >= place]
    return f"{text[:place]}\n{line}{text[place:]}", [*before, *moved, *after]


def _shifted(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by, span.label)


class _Filler:
    """Collects the pieces of one note."""

    def __init__(self, grammar: Grammar, scene: Scene, rng: Random) -> None:
        self.texts: list[str] = []
        self.spans: list[Span] = []
        self._fragments, self._scene, self._rng = grammar.fragments, scene, rng
        self._size = 0
        self._owners: list[tuple[tuple[str, str], str]] = []  # of each span: whose, what is before
        self._end = 0  # how many texts there were at the end of the last span

    def walk(self, nodes: Nodes, marked: bool = False) -> None:
        """Add what the nodes become; inside of marked PHI nothing has a label of its own."""
        for node in nodes:
            if isinstance(node, Literal):
                self._add(node.text)
            elif isinstance(node, Slot):
                if node.name in PEOPLE:
                    self._scene.expect(node.name, node.entity, "".join(self.texts[-4:]))
                for text, label in self._scene.fill(node):
                    if node.name == "profession" and not marked:
                        self._agree(text)
                    start = self._size
                    self._add(text)
                    if label and not marked:
                        self._span(start, text, label, whose=(node.name, node.entity))
            elif isinstance(node, Choice):
                options = node.options
                self.walk(options[int(self._rng.random() * len(options))], marked)
            elif isinstance(node, Call):
                rows = self._fragments[node.name]
                self.walk(rows[int(self._rng.random() * len(rows))].nodes, marked)
            else:
                start, place = self._size, len(self.texts)
                self.walk(node.inside, True)
                if not marked:
                    self._span(start, "".join(self.texts[place:]), node.label)

    def _agree(self, text: str) -> None:
        """Make an "a" at the end an "an" before a vowel: "works as a | engineer"."""
        article = self.texts and re.search(r"\b[Aa] $", self.texts[-1])
        if article and self._scene.sources.language.name == "en" and text[0] in "aeio":
            self.texts[-1] = f"{self.texts[-1][:-1]}n "
            self._size += 1

    def _add(self, text: str) -> None:
        self.texts.append(text)
        self._size += len(text)

    def _span(self, start: int, text: str, label: str, whose: tuple[str, str] = ("", "")) -> None:
        core = text.strip()
        if not core:
            return
        start += len(text) - len(text.lstrip())
        end = start + len(core)
        before = "".join(self.texts[self._end : -1]) if whose[0] in PEOPLE else ""
        parts = self._parts_before(whose, before, label)
        if parts:  # one name of several parts
            start, before = self.spans[-parts].start, self._owners[-parts][1]
            del self.spans[-parts:], self._owners[-parts:]
        self.spans.append(Span(start, end, label))
        self._owners.append((whose, before))
        self._end = len(self.texts)

    def _parts_before(self, whose: tuple[str, str], before: str, label: str) -> int:
        """Return how many spans before belong to the same name: Ana | Lee, Ana | "Pip" | Lee."""
        if whose[0] not in PEOPLE or not self._owners or self._owners[-1][0] != whose:
            return 0
        if self.spans[-1].label != label:  # "Ana, mujer": a name and what is told of the person
            return 0
        if before in (" ", "  ", ", ", ","):
            return 1
        nicked = before == '" ' and len(self._owners) > 1
        if nicked and self._owners[-2][0] == whose and self._owners[-1][1] == ' "':
            return 2
        return 0
