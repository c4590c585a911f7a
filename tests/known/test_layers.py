"""Spans laid over each other: what saves work gives what the plain way does."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.originals import Originals, read_sought
from scrubjay.document import Span
from scrubjay.known._words import split_words
from scrubjay.known.layers import overlay
from scrubjay.known.propagation import SOURCE, _laid_over

TEXT = "Zara Quill saw 5551234 and zara, ZaraQuill. "
LABELS = st.sampled_from(["A", "B"])
SCORES = st.sampled_from([None, 0.5])


@st.composite
def disjoint(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Return disjoint intervals of the text, sorted; few borders, so that many are equal."""
    borders = sorted(draw(st.sets(st.sampled_from([0, 4, 5, 7, 10, 15, 22, 27, 31, 33, 42]))))
    return [pair for pair in pairwise(borders) if draw(st.booleans())]


def all_of(span: Span) -> tuple[object, ...]:
    return span.start, span.end, span.label, span.score, span.source


@given(disjoint(), disjoint(), st.data())
def test_matches_are_laid_over_spans_as_by_overlay(
    found: list[tuple[int, int]], matched: list[tuple[int, int]], data: st.DataObject
) -> None:
    spans = [Span(*place, data.draw(LABELS), data.draw(SCORES), "model") for place in found]
    labels = [data.draw(LABELS) for _ in matched]
    forms = {(str(number),): (label, (False, "")) for number, label in enumerate(labels)}
    matches = [(*place, keys) for place, keys in zip(matched, forms, strict=True)]
    new = [Span(*place, label, source=SOURCE) for place, label in zip(matched, labels, strict=True)]
    plainly = overlay(TEXT, [*spans, *new])
    laid = _laid_over(TEXT, spans, matches, forms, "en")
    assert list(map(all_of, laid)) == list(map(all_of, plainly))


@given(disjoint(), st.data())
def test_where_the_originals_add_nothing_they_change_nothing(
    found: list[tuple[int, int]], data: st.DataObject
) -> None:
    spans = tuple(Span(*place, data.draw(LABELS)) for place in found)
    originals = Originals()
    for span in spans:
        words = split_words(TEXT[span.start : span.end])
        if words.keys:
            originals.add(read_sought(words), span.label, common=False)
    everywhere = [
        Span(start, end, originals.labels[keys])
        for start, end, keys in originals.find(split_words(TEXT))
    ]
    everywhere.sort(key=lambda span: (span.start - span.end, span))
    if not originals.spans_in(TEXT, spans):
        assert overlay(TEXT, [*spans, *everywhere]) == spans


def test_what_is_found_again_stays_as_it_was_found() -> None:
    span = Span(0, 4, "A", 0.5, "model")
    (found,) = overlay(TEXT, [span, Span(0, 4, "A", source=SOURCE)])
    assert all_of(found) == all_of(span)
