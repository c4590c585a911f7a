"""What a report consists of, as data: a page, its facts and its blocks; rendering stands apart.

Every string here is plain text and is escaped by whatever renders it; only `Figure.svg` is
markup, as the plots of `scrubjay.analysis.plots` return it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrubjay.evaluation.tables import Table

__all__ = [
    "NOT_GIVEN",
    "Block",
    "Example",
    "Examples",
    "Figure",
    "Page",
    "Prose",
    "Section",
    "Table",
    "walk_blocks",
]

NOT_GIVEN = "not given"


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs of text; an empty line begins another one."""

    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture as SVG text, and what it shows in words for those who cannot see it."""

    title: str
    svg: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """One place in a document: half-open in characters, with what stood there and what was said.

    `kind` names the error or the disagreement and is what readers filter by; a label is empty
    where there is none. `shape` tells the form of the string without the string. `before`,
    `text` and `after` are text of the document: they stay empty unless the user asked for text,
    since a report travels. `note` says what labels and offsets do not, without text.
    """

    document: str
    start: int
    end: int
    kind: str
    gold_label: str = ""
    predicted_label: str = ""
    shape: str = ""
    before: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    after: str = field(default="", repr=False)
    note: str = ""

    @property
    def shows_text(self) -> bool:
        """Whether any text of the document is in it."""
        return bool(self.before or self.text or self.after)


@dataclass(frozen=True, slots=True)
class Examples:
    """A list of places in documents, which a reader can filter by kind and by label."""

    title: str
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a heading, which the table of contents names."""

    title: str
    blocks: tuple[Block, ...] = ()


Block = Section | Prose | Table | Figure | Examples


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report: its title, facts about how it was made (name, value), and its blocks.

    `text_in_tables` says that the user asked for text and that it stands outside of examples.
    """

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    blocks: tuple[Block, ...] = ()
    text_in_tables: bool = False

    @property
    def shows_text(self) -> bool:
        """Whether any text of a document is in the page."""
        return self.text_in_tables or any(
            example.shows_text
            for block in walk_blocks(self.blocks)
            if isinstance(block, Examples)
            for example in block.examples
        )


def walk_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield every block in reading order; a section stands before the blocks in it."""
    for block in blocks:
        yield block
        if isinstance(block, Section):
            yield from walk_blocks(block.blocks)
