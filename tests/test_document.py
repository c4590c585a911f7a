"""Documents and spans: what they refuse, how they sort, and that they never show text."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span, in_order, span_order
from scrubjay.errors import InputError, SpanError
from tests.strategies import documents
from tests.toys import CANARY


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 3), (4, 2), (-1, 2), (-3, -1)])
def test_empty_and_negative_spans_are_refused(start: int, end: int) -> None:
    with pytest.raises(SpanError, match=r"0 <= start < end"):
        Span(start, end, "DATE")


def test_the_length_of_a_span_is_in_characters() -> None:
    assert len(Span(2, 7, "DATE")) == 5


def test_spans_sort_by_start_end_and_label_alone() -> None:
    spans = [
        Span(2, 4, "B", score=0.1),
        Span(2, 4, "A", score=0.9, source="z"),
        Span(2, 3, "Z"),
        Span(0, 9, "C"),
    ]
    assert [(s.start, s.end, s.label) for s in sorted(spans)] == [
        (0, 9, "C"),
        (2, 3, "Z"),
        (2, 4, "A"),
        (2, 4, "B"),
    ]


def test_score_and_source_do_not_tell_spans_apart() -> None:
    one, other = Span(1, 2, "A", score=0.5, source="crf"), Span(1, 2, "A")
    assert one == other
    assert len({one, other}) == 1


@settings(max_examples=50)
@given(documents(), st.data())
def test_spans_are_kept_sorted(document: Document, data: st.DataObject) -> None:
    assert list(document.spans) == sorted(document.spans)
    shuffled = data.draw(st.permutations(document.spans))
    assert document.with_spans(shuffled).spans == document.spans


def test_spans_may_be_any_iterable_and_may_overlap() -> None:
    document = Document("a", "0123456789").with_spans(Span(n, n + 4, "A") for n in (5, 2, 0))
    assert [span.start for span in document.spans] == [0, 2, 5]


def test_a_span_beyond_the_text_is_refused_by_document_and_offsets() -> None:
    spans = (Span(0, 3, "DATE"), Span(1, 99, "CITY"), Span(2, 4, "DATE"))
    with pytest.raises(SpanError, match=r"document 'n1': span \[1, 99\) CITY .* 20 characters"):
        Document("n1", "x" * 20, spans)
    assert Document("n1", "x" * 20, (Span(19, 20, "DATE"),)).spans[0].end == 20


def test_offsets_count_code_points() -> None:
    text = "\U0001f468‍⚕️ e\u0301"
    assert Document("a", text, (Span(len(text) - 1, len(text), "A"),)).text == text
    with pytest.raises(SpanError):
        Document("a", text, (Span(0, len(text.encode("utf-16-le")) // 2, "A"),))


def test_no_text_and_no_metadata_in_a_repr_or_message() -> None:
    document = Document("n1", CANARY, (Span(0, 3, "CITY"),), {"brat.lines": [CANARY]})
    assert CANARY[:5] not in repr(document)
    assert CANARY[:5] not in str(document)
    assert repr(document) == f"Document(id='n1', {len(CANARY)} characters, 1 spans)"
    with pytest.raises(SpanError) as caught:
        document.with_spans([Span(0, 999, "CITY")])
    assert CANARY[:5] not in str(caught.value)


def test_documents_are_immutable_and_hashable() -> None:
    document = Document("n1", "text", (Span(0, 4, "A"),))
    with pytest.raises(dataclasses.FrozenInstanceError):
        document.text = "other"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        document.spans[0].start = 1  # type: ignore[misc]
    assert len({document, Document("n1", "text", (Span(0, 4, "A"),), {"a": 1})}) == 1


@settings(max_examples=25)
@given(documents())
def test_documents_survive_pickling_and_copying(document: Document) -> None:
    for twin in (pickle.loads(pickle.dumps(document)), copy.deepcopy(document)):
        assert twin == document
        assert twin.text == document.text


def test_other_spans_leave_text_and_metadata_alone() -> None:
    document = Document("n1", "text\r\n", (Span(0, 4, "A"),), {"site": "x"})
    bare = document.with_spans(())
    assert (bare.id, bare.text, bare.spans, bare.metadata) == ("n1", "text\r\n", (), {"site": "x"})
    assert document.spans == (Span(0, 4, "A"),)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 3), st.sampled_from("AB")), max_size=6),
    st.booleans(),
)
def test_spans_in_order_are_those_that_sorting_gives(
    rows: list[tuple[int, int, str]], sort: bool
) -> None:
    spans = [Span(start, start + size, label) for start, size, label in rows]
    found = sorted(spans) if sort else spans
    assert in_order(iter(found)) == tuple(sorted(spans, key=span_order))


@pytest.mark.parametrize("name", [None, 3, b"a"])
def test_an_id_is_a_string(name: Any) -> None:
    with pytest.raises(InputError, match=r"the id of a document is .*, no string"):
        Document(name, "abc")


@pytest.mark.parametrize("spans", [None, 7, "ab", [(0, 1, "date")], [None]])
def test_spans_are_spans(spans: Any) -> None:
    with pytest.raises(InputError, match="document 'a': its spans are no sequence of Span"):
        Document("a", "abc", spans)


@pytest.mark.parametrize("text", [None, 12, b"Seen by Lee", ["Seen by Lee"]])
def test_a_text_is_a_string(text: Any) -> None:
    with pytest.raises(InputError, match=r"document 'a': the text is .*, no string") as told:
        Document("a", text)
    assert "Lee" not in str(told.value)
