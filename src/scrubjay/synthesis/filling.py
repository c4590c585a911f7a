"""Filling a template: nodes and a scene in, text with exact spans out."""

from __future__ import annotations

from random import Random

from scrubjay.document import Span
from scrubjay.synthesis.grammar import Grammar
from scrubjay.synthesis.nodes import Block, Call, Choice, Literal, Nodes, Slot
from scrubjay.synthesis.scene import Scene
from scrubjay.synthesis.sources import Sources


def fill_template(
    block: Block, grammar: Grammar, sources: Sources, rng: Random
) -> tuple[str, tuple[Span, ...]]:
    """Return a filled template: its text and the spans of its PHI, sorted and disjoint.

    A span neither begins nor ends with white space. PHI that comes out empty has no span.
    """
    filler = _Filler(grammar, Scene(sources, rng), rng)
    filler.walk(block.nodes)
    return "".join(filler.texts), tuple(filler.spans)


class _Filler:
    """Collects the pieces of one note."""

    def __init__(self, grammar: Grammar, scene: Scene, rng: Random) -> None:
        self.texts: list[str] = []
        self.spans: list[Span] = []
        self._fragments, self._scene, self._rng = grammar.fragments, scene, rng
        self._size = 0

    def walk(self, nodes: Nodes, marked: bool = False) -> None:
        """Add what the nodes become; inside of marked PHI nothing has a label of its own."""
        for node in nodes:
            if isinstance(node, Literal):
                self._add(node.text)
            elif isinstance(node, Slot):
                for text, label in self._scene.fill(node):
                    start = self._size
                    self._add(text)
                    if label and not marked:
                        self._span(start, text, label)
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

    def _add(self, text: str) -> None:
        self.texts.append(text)
        self._size += len(text)

    def _span(self, start: int, text: str, label: str) -> None:
        core = text.strip()
        if core:
            start += len(text) - len(text.lstrip())
            self.spans.append(Span(start, start + len(core), label))
