"""Spans laid over each other: what saves work gives what the plain way does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.originals import Originals, read_sought
from scrubjay.document import Document, Span
from scrubjay.errors import DetectionError, SpanError
from scrubjay.known.layers import Joined, overlay
from scrubjay.known.propagation import SOURCE, _laid_over
from scrubjay.known.words import split_words

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


@dataclass(frozen=True)
class Fixed:
    """Finds the same spans in every document, or fewer documents than there are."""

    spans: tuple[Span, ...]
    short: int = 0

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(sorted({span.label for span in self.spans}))

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [self.spans for _ in documents[self.short :]]


def test_joined_detectors_cover_what_any_finds_and_the_first_has_the_say() -> None:
    first, second = Fixed((Span(5, 10, "B"),)), Fixed((Span(0, 10, "A"), Span(15, 22, "A")))
    joined = Joined((first, second))
    assert joined.labels == ("B", "A")
    documents = [Document("1", TEXT), Document("2", TEXT)]
    found = (Span(0, 4, "A"), Span(5, 10, "B"), Span(15, 22, "A"))
    assert joined.detect(documents) == [found, found]


def test_a_joined_detector_that_breaks_its_word_is_an_error() -> None:
    right, documents = Fixed((Span(0, 4, "A"),)), [Document("1", TEXT)]
    with pytest.raises(DetectionError, match=r"Fixed gave 0 results for 1 document$"):
        Joined((right, Fixed((), short=1))).detect(documents)
    with pytest.raises(SpanError, match="overlap"):
        Joined((right, Fixed((Span(0, 4, "A"), Span(2, 5, "B"))))).detect(documents)
