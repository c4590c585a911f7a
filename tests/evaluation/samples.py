"""Pairs for the tests of scoring: drawn at random, and read from the reference files."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.evaluation.pairs import Pair
from tests.strategies import disjoint_spans, texts

LABELS = ("PATIENT", "DOCTOR", "DATE", "AGE", "CITY", "IDNUM", "OTHER")


def pair(text: str, gold: Sequence[Span], predicted: Sequence[Span]) -> Pair:
    """Return a pair of documents with one text."""
    return Pair(Document("d", text, tuple(gold)), Document("d", text, tuple(predicted)))


@st.composite
def any_spans(draw: st.DrawFn, text: str, *, max_spans: int = 5) -> tuple[Span, ...]:
    """Spans that may overlap, nest and repeat."""
    if not text:
        return ()
    borders = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 5), st.sampled_from(LABELS))
    drawn = draw(st.lists(borders, max_size=max_spans))
    return tuple(Span(start, min(start + size, len(text)), label) for start, size, label in drawn)


@st.composite
def pairs(draw: st.DrawFn, *, disjoint: bool = False) -> Pair:
    """Pairs over one text; the predicted spans are gold spans, damaged or not, and others."""
    text = draw(texts(max_pieces=8))
    if disjoint:
        gold = draw(disjoint_spans(text, labels=LABELS))
        kept = tuple(span for span in gold if draw(st.booleans()))
        other = draw(disjoint_spans(text, labels=LABELS))
        predicted = draw(st.sampled_from((kept, other)))
    else:
        gold = draw(any_spans(text))
        damaged = tuple(draw(_damage(span, len(text))) for span in gold)
        predicted = damaged + draw(any_spans(text, max_spans=2))
    return Pair(Document("d", text, gold), Document("d", text, predicted))


@st.composite
def _damage(draw: st.DrawFn, span: Span, size: int) -> Span:
    start = min(max(span.start + draw(st.sampled_from((0, 0, 0, 1))), 0), size - 1)
    end = min(max(span.end + draw(st.sampled_from((0, 0, -2, -1, 1, 2, 3))), start + 1), size)
    label = draw(st.sampled_from((span.label, span.label, *LABELS)))
    return Span(start, end, label)


def read_xml(folder: Path) -> list[Document]:
    """Read i2b2 XML without the package's reader, so that this room stands alone."""
    documents = []
    for path in sorted(folder.glob("*.xml")):
        root = ElementTree.fromstring(path.read_bytes())
        tags = root.find("TAGS")
        assert tags is not None
        spans = tuple(
            Span(int(tag.attrib["start"]), int(tag.attrib["end"]), tag.attrib["TYPE"])
            for tag in tags
        )
        documents.append(Document(path.stem, root.findtext("TEXT") or "", spans))
    return documents


def read_brat(folder: Path) -> list[Document]:
    """Read the T lines of brat files without the package's reader."""
    documents = []
    for path in sorted(folder.glob("*.ann")):
        text = path.with_suffix(".txt").read_bytes().decode("utf-8")
        lines = [line.split("\t")[1].split() for line in path.read_text("utf-8").splitlines()]
        spans = tuple(Span(int(start), int(end), label) for label, start, end in lines)
        documents.append(Document(path.stem, text, spans))
    return documents
