"""What tests of reports share: a strict reader of pages, and pages to read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

from scrubjay.analysis.plots import draw_heat_map, draw_interval_bars
from scrubjay.reports.blocks import Example, Examples, Figure, Page, Prose, Section, Table

VOID = frozenset({"input", "meta", "br", "hr", "link", "img"})


@dataclass
class ReadPage:
    """Elements, attributes and text of a page that was read."""

    elements: Counter[str] = field(default_factory=Counter)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def values(self, name: str) -> list[str]:
        """Return every value of an attribute, in the order of the page."""
        return [value for _, attribute, value in self.attributes if attribute == name]

    @property
    def text(self) -> str:
        """The text that a reader sees, without style and script."""
        return "".join(self.texts)


class _Reader(HTMLParser):
    """Reads a page and asserts that every element is closed, in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = ReadPage()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._count(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._count(tag, attrs)

    def _count(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.elements[tag] += 1
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute of <{tag}> stands twice"
        self.page.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> closes <{self.open[-1]}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.page.texts.append(data)


def read_page(markup: str) -> ReadPage:
    """Return what stands in a page; an assertion fails where it is not well formed."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    assert reader.open == []
    return reader.page


def make_page(word: str = "word", *, text: str = "", number: str = "12") -> Page:
    """Return a page with every kind of block, `word` in every place that takes words."""
    examples = tuple(
        Example(word, 3, 9, kind, word, label, "Aaaa 00", text, text, text)
        for kind, label in ((word, ""), ("missing", word), ("spurious", "AGE"))
    )
    bars = {word: (0.5, 0.75, 0.9), "AGE": (0.0, None, 1.0)}
    return Page(
        word,
        ((word, word), ("documents", number)),
        (
            Prose(word),
            Section(
                word,
                (
                    Prose(f"{word}\n\n{word}"),
                    Table(word, (word, "label", "P"), ((word, word, number),), text_columns=2),
                    Table("empty", ("label", "P"), ()),
                    Section("deeper", (Examples(word, examples), Examples("none of them", ()))),
                ),
            ),
            Section(
                "pictures",
                (
                    Figure(word, draw_interval_bars(word, bars, x=word), word),
                    Figure("confusions", draw_heat_map("t", [word], [word], [[3]], x=word)),
                ),
            ),
        ),
    )
