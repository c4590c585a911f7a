"""Disagreements: what belongs to one case, and what kind it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.analysis.disagreements import KINDS, CaseCounter, find_cases
from scrubjay.document import Document, Span
from scrubjay.evaluation.annotators import Joined

TEXT = "Seen by Wilhelmina Lee on 03/04/2019 in Rome."


def join(*sides: tuple[Span, ...] | None, text: str = TEXT) -> Joined:
    return Joined(tuple(None if one is None else Document("a", text, one) for one in sides))


def span_lists() -> st.SearchStrategy[tuple[Span, ...]]:
    bounds = st.tuples(st.integers(0, 30), st.integers(1, 8), st.sampled_from("XYZ"))
    return st.lists(bounds, max_size=5).map(
        lambda rows: tuple(Span(start, start + size, label) for start, size, label in rows)
    )


@given(sides=st.lists(span_lists(), min_size=2, max_size=3))
@settings(max_examples=100)
def test_cases_are_the_covered_stretches_that_differ(sides: list[tuple[Span, ...]]) -> None:
    # The oracle colours the gaps between characters that lie inside any span.
    covered = [any(s.start <= place < s.end for side in sides for s in side) for place in range(40)]
    joined = [any(s.start < place < s.end for side in sides for s in side) for place in range(41)]
    expected = []
    for start in range(40):
        if covered[start] and not joined[start]:
            end = next(e for e in range(start + 1, 41) if not joined[e])
            parts = [{s for s in side if start <= s.start and s.end <= end} for side in sides]
            if any(part != parts[0] for part in parts):
                expected.append((start, end, parts))
    found = find_cases(join(*sides))
    assert [(case.start, case.end) for case in found] == [row[:2] for row in expected]
    assert [[set(side) for side in case.sides] for case in found] == [row[2] for row in expected]
    assert all(case.kind in KINDS for case in found)


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ([(8, 22, "DOCTOR")], [], "missing"),
        ([(8, 22, "DOCTOR")], [(8, 22, "PATIENT")], "label"),
        ([(8, 22, "DOCTOR")], [(8, 18, "DOCTOR")], "extent"),
        ([(8, 22, "DOCTOR")], [(8, 18, "DOCTOR"), (19, 22, "DOCTOR")], "extent"),
        ([(8, 22, "DOCTOR")], [(8, 18, "PATIENT")], "label and extent"),
    ],
)
def test_kinds(
    first: list[tuple[int, int, str]], second: list[tuple[int, int, str]], kind: str
) -> None:
    (case,) = find_cases(join(tuple(Span(*s) for s in first), tuple(Span(*s) for s in second)))
    assert case.kind == kind
    assert (case.start, case.end, case.shape) == (8, 22, "Aaaaaaaaaa Aaa")
    assert case.labels[0] == "DOCTOR"


def test_text_is_there_only_where_it_was_asked_for() -> None:
    joined = join((Span(8, 18, "DOCTOR"),), ())
    (hidden,) = find_cases(joined)
    (shown,) = find_cases(joined, context=3)
    assert (hidden.before, hidden.text, hidden.after) == ("", "", "")
    assert "text" not in hidden.record()
    assert (shown.before, shown.text, shown.after) == ("by ", "Wilhelmina", " Le")
    assert shown.record()["text"] == "Wilhelmina"
    assert "Wilhelmina" not in repr(shown)


def test_who_lacks_the_document_has_no_say() -> None:
    (case,) = find_cases(join((Span(8, 18, "DOCTOR"),), None, ()))
    assert case.annotators == (0, 2)
    assert case.record()["sides"] == {"0": [{"start": 8, "end": 18, "label": "DOCTOR"}], "2": []}


def test_a_span_given_twice_is_one_span() -> None:
    name = Span(8, 18, "DOCTOR")
    assert find_cases(join((name, name), (name,))) == ()


def test_the_counter_passes_documents_on_and_keeps_the_first_cases() -> None:
    documents = [join((Span(8, 18, "DOCTOR"),), ()), join((), ()), join((), (Span(0, 4, "AGE"),))]
    counter = CaseCounter(most=1)
    assert list(counter.watch(documents)) == documents
    assert counter.kinds == {"missing": 2}
    assert [(case.start, case.end) for case in counter.cases] == [(8, 18)]
