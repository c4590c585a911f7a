"""Texts with parts of clinical terms and names, and spans with scores in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers.mending import mend

Step = Callable[[str, Sequence[Span]], tuple[Span, ...]]

PIECES = st.sampled_from([
    "Murphy", "'s", " ", " ", "  ", "sign", "vitamin", "B12", "hla", "-", "b", "27", "3", "/", "12",
    "Frank", "Blake", "blake", "DR", "DRBLAKE", "Wu", "O’Hara", "\n\n", ".", "(", ")", "é",
    "e\u0301", "t", "score", "4", "troponin", "Parkinson", "disease", "ΑΣ", "ας", "\t",
])  # fmt: skip


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, list[Span]]:
    """Return a text of pieces, some of which are parts of terms, and disjoint spans with scores."""
    text = "".join(draw(st.lists(PIECES, min_size=1, max_size=30)))
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=12)))
    spans = [
        Span(start, end, draw(st.sampled_from(["PATIENT", "DOCTOR", "DATE"])), score=score)
        for start, end in zip(borders[::2], borders[1::2], strict=False)
        for score in [draw(st.sampled_from([0.3, 0.6, 0.8, 0.999]))]
    ]
    return text, spans


def marked_span(marked: str, label: str, *, score: float = 0.6) -> tuple[str, Span]:
    """Return a text without the brackets around its mention ("[[Peg]] left"), and its span."""
    start, end = marked.index("[["), marked.index("]]") - 2
    return marked.replace("[[", "").replace("]]", ""), Span(start, end, label, score=score)


def read_braces(marked: str, label: str) -> tuple[str, Span]:
    """Return a text without the braces around its mention, and the sure span of that."""
    before, _, rest = marked.partition("{")
    mention, _, after = rest.partition("}")
    span = Span(len(before), len(before) + len(mention), label, score=1.0)
    return before + mention + after, span


def labelled(step: Step, marked: str, language: str) -> list[str]:
    """Return label and mention of what a step makes of the spans in tags, as all of mending does.

    The step takes a text and its spans, sorted and disjoint.
    """
    document = parse_inline(marked)
    found = step(document.text, document.spans)
    assert mend(document.text, document.spans, language) == found
    return [f"{span.label}:{document.text[span.start : span.end]}" for span in found]
