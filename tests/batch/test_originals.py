"""The search for original mentions: whatever a plain search finds, the quick one finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.originals import Originals, read_sought, seek
from scrubjay.document import Span
from scrubjay.known.layers import overlay
from scrubjay.known.words import split_words, split_words_plainly
from tests.oracles.originals import PlainOriginals

PIECES = st.sampled_from([
    "Zara", "zara", "Quill", "quill", "Qúill", "QUILL", "May", "may", "12", "34", "2019", "A", "b",
    " ", " ", " ", "-", ". ", ", ", "\n", "\n  ", " (", ") ", "/", "\u0301", "\u00ad", "ß", "½",
    "-\n", "_", "\u2010\r\n\t", "\u00ad\n", "²", "٣", "张", "\U0001d504", "\ud800", "---------",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=40).map("".join)
Marked = tuple[str, list[Span]]


@st.composite
def marked(draw: st.DrawFn) -> Marked:
    """Return a text with disjoint spans that begin and end anywhere."""
    text = draw(TEXTS)
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    labels = [draw(st.sampled_from(["PATIENT", "DATE"])) for _ in edges[1::2]]
    return text, [
        Span(start, end, label)
        for start, end, label in zip(edges[::2], edges[1::2], labels, strict=False)
    ]


def gather(text: str, spans: list[Span], common: bool) -> tuple[Originals, PlainOriginals]:
    quick, plain = Originals(), PlainOriginals()
    for span in spans:
        words = split_words(text).part(span.start, span.end)
        if len(words):
            once = common and len(words) == 1
            quick.add(read_sought(words), span.label, common=once)
            plain.add(words, span.label, common=once)
    return quick, plain


def found_in(originals: Originals, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
    may = originals.may_stand_in(text)
    return sorted(originals.find(split_words(text))) if may else []


@given(marked(), TEXTS, st.booleans())
def test_whatever_a_plain_search_finds_is_found(
    original: Marked, output: str, common: bool
) -> None:
    quick, plain = gather(*original, common)
    for text in (output, original[0], output * 4):
        assert found_in(quick, text) == sorted(plain.find(text))


@given(marked(), st.booleans())
def test_what_is_left_out_lies_in_what_was_found(original: Marked, common: bool) -> None:
    text, spans = original
    quick, plain = gather(text, spans, common)
    wider = overlay(text, [*spans, *quick.spans_in(text, spans)])
    assert wider == overlay(text, [*spans, *plain.spans_in(text, spans)])


@given(marked(), marked())
def test_originals_of_two_documents_are_those_of_both(one: Marked, other: Marked) -> None:
    both, plain = gather(one[0] + other[0], [], False)
    for text, spans in (one, other):
        quick, slow = gather(text, spans, False)
        both.update(quick)
        for keys, gaps in slow.gaps.items():
            plain.gaps.setdefault(keys, set()).update(gaps)
    assert {keys: set(gaps) for keys, gaps in both.gaps.items()} == plain.gaps
    assert found_in(both, one[0]) == sorted(plain.find(one[0]))


@given(marked())
def test_the_words_of_a_mention_are_those_of_its_part_of_the_text(original: Marked) -> None:
    """What is told of a mention is told by its text alone, wherever it stands."""
    text, spans = original
    for span in spans:
        words = split_words(text).part(span.start, span.end)
        plain = split_words_plainly(text[span.start : span.end])
        assert words.keys == plain.keys
        if words.keys:
            assert read_sought(words) == read_sought(plain)
            assert seek(text[span.start : span.end]) == read_sought(plain)
            assert words.surface(0) == plain.surface(0)
