"""Hypothesis strategies for texts that break naive code, and for documents over them.

Nothing here imports a reader, a tokenizer or a model: the strategies are the common ground of
all property tests.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.text.tokens import Tokens

LABELS = ("PATIENT", "DOCTOR", "DATE", "AGE", "HOSPITAL", "IDNUM")

NASTY_PIECES = (
    "\r\n",
    "\n",
    "\r",
    "\t",
    "\v",
    "\f",
    "\x1c",
    "\x85",
    "\u2028",
    "\u2029",
    " ",
    "  ",
    "\u00a0",
    "\u202f",
    "\u3000",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\u00ad",
    "e\u0301",
    "\u00e9",
    "n\u0303",
    "\u0130",
    "\u00df",
    "\ufb01",
    "\U0001f468\u200d\u2695\ufe0f",
    "\U0001d504",
    "\U00020bb7",
    "\u05d3\u05f4\u05e8",
    "\u0645\u0631\u064a\u0636",
    "\u5f20\u4f1f",
    "<",
    ">",
    "&amp;",
    "]]>",
    '"',
    "'",
    "\\",
    ",",
    ";",
    "|",
    "[**",
    "**]",
)
"""Pieces that move offsets, split lines, or collide with the syntax of a format."""

CLINICAL_PIECES = (
    "Dr. Vincent",
    "Mr. O'Brien-Lopez Jr.",
    "03/04/2019",
    "3-4-19",
    "2019-03-04T07:05",
    "MRN:00123456",
    "BP 120/80",
    "Parkinson's",
    "HISTORY OF PRESENT ILLNESS:",
    "- aspirin 81mg p.o. q.d.",
    "72yo",
    "Jose Luis Núñez",
    "J.R.",
    "tel. (555) 010-0199",
    "jane.roe@example.org",
    "4North-ICU",
)
"""Pieces that look like notes; every name and number is invented."""


def texts(*, max_pieces: int = 12) -> st.SearchStrategy[str]:
    """Texts, empty ones included, that mix clinical phrases with troublesome characters.

    They hold no lone surrogates and no NUL, so every text survives UTF-8.
    """
    letters = st.characters(codec="utf-8", exclude_characters="\x00")
    piece = st.one_of(
        st.sampled_from(CLINICAL_PIECES),
        st.sampled_from(NASTY_PIECES),
        st.just(" "),
        st.text(letters, min_size=1, max_size=4),
    )
    return st.lists(piece, max_size=max_pieces).map("".join)


def xml_texts(*, max_pieces: int = 12) -> st.SearchStrategy[str]:
    """Texts of `texts` without the characters that XML 1.0 cannot hold."""
    return texts(max_pieces=max_pieces).map(lambda text: "".join(filter(_fits_xml, text)))


def _fits_xml(character: str) -> bool:
    code = ord(character)
    return (
        character in "\t\n\r"
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or (code >= 0x10000)
    )


@st.composite
def disjoint_spans(
    draw: st.DrawFn, text: str, *, labels: Sequence[str] = LABELS, max_spans: int = 6
) -> tuple[Span, ...]:
    """Disjoint, sorted spans of `text`; neighbours may touch, and each covers a non-space."""
    size = min(max_spans * 2, len(text) + 1)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=size)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return tuple(
        Span(start, end, draw(st.sampled_from(tuple(labels))))
        for start, end in pairs
        if text[start:end].strip()
    )


@st.composite
def documents(
    draw: st.DrawFn,
    *,
    text: st.SearchStrategy[str] | None = None,
    labels: Sequence[str] = LABELS,
    max_spans: int = 6,
) -> Document:
    """Documents with disjoint spans over the texts of `texts` (or of the strategy given)."""
    body = draw(texts() if text is None else text)
    spans = draw(disjoint_spans(body, labels=labels, max_spans=max_spans))
    number = draw(st.integers(0, 999))
    return Document(f"doc-{number:03d}", body, spans)


@st.composite
def tokens(draw: st.DrawFn, *, text: st.SearchStrategy[str] | None = None) -> Tokens:
    """Tokens cut at random: they cover every non-space character once and no white space."""
    body = draw(texts() if text is None else text)
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _word_bounds(body):
        inner = st.integers(start + 1, end - 1) if end - start > 1 else st.nothing()
        cuts = draw(st.lists(inner, max_size=2, unique=True)) if end - start > 1 else []
        bounds = [start, *sorted(cuts), end]
        starts.extend(bounds[:-1])
        ends.extend(bounds[1:])
    sentences = draw(st.sets(st.integers(0, len(starts) - 1), max_size=4)) if starts else set()
    opening = {0} if starts else set()
    return Tokens(
        body,
        np.array(starts, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        np.array(sorted(sentences | opening), dtype=np.int32),
    )


def _word_bounds(text: str) -> list[tuple[int, int]]:
    """Return the half-open bounds of the runs of non-space characters."""
    bounds: list[tuple[int, int]] = []
    start = None
    for offset, character in enumerate(text):
        if character.isspace():
            if start is not None:
                bounds.append((start, offset))
            start = None
        elif start is None:
            start = offset
    if start is not None:
        bounds.append((start, len(text)))
    return bounds


def require_cover(drawn: Tokens) -> None:
    """Assert that tokens are sorted, disjoint, and hold every character but white space."""
    covered = bytearray(len(drawn.text))
    position = 0
    for start, end in zip(drawn.starts.tolist(), drawn.ends.tolist(), strict=True):
        assert position <= start < end <= len(drawn.text), (start, end)
        covered[start:end] = (end - start) * b"\1"
        position = end
    for offset, character in enumerate(drawn.text):
        assert covered[offset] or character.isspace(), f"offset {offset}"
