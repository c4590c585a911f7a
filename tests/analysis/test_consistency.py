"""Consistency of one annotator: counts against a plain oracle, ranking, and no text by default."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.analysis.consistency import PLACES_KEPT, ConsistencyReport, Place, check_consistency
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError

WORDS = ("Lee", "lee", "Ann Lee", "Ann", "may", "3/4", "Mar", "\u00e9", "e\u0301", "Jr.", "Lees")


def check(*documents: Document, **settings: Any) -> ConsistencyReport:
    return check_consistency(lambda: documents, **settings)


def mark(name: str, text: str, *marked: str) -> Document:
    """Return a document in which the given parts, `LABEL:string:number`, are marked."""
    spans = []
    for part in marked:
        label, string, number = part.split(":")
        start = -1
        for _ in range(int(number)):
            start = text.index(string, start + 1)
        spans.append(Span(start, start + len(string), label))
    return Document(name, text, tuple(spans))


@st.composite
def corpora(draw: st.DrawFn) -> list[Document]:
    documents = []
    for number in range(draw(st.integers(1, 3))):
        pieces = draw(st.lists(st.sampled_from(WORDS), max_size=8))
        gaps = st.sampled_from((" ", "\n", "  ", ", "))
        text, starts = "", []
        for piece in pieces:
            starts.append((len(text), len(text) + len(piece)))
            text += piece + draw(gaps)
        spans = []
        for start, end in starts:
            if draw(st.booleans()):
                label = draw(st.sampled_from("XY"))
                spans.append(Span(start, end + draw(st.integers(0, 1)), label))
        documents.append(Document(f"d{number}", text, tuple(spans)))
    return documents


def count(documents: list[Document]) -> dict[str, Counter[str]]:
    """Return string -> kind or label -> count, by trying every run of words for every string."""
    word = re.compile(r"(?:\w\u0301*)+|\S")
    keys = {
        " ".join(one.text[span.start : span.end].split()) for one in documents for span in one.spans
    }
    counts: dict[str, Counter[str]] = {key: Counter() for key in keys if len(key) > 1}
    for document in documents:
        text = document.text
        bounds = [found.span() for found in word.finditer(text)]
        marked = {}
        for span in document.spans:
            surface = text[span.start : span.end]
            marked[span.start, span.start + len(surface.rstrip())] = span.label
        for i, (start, _) in enumerate(bounds):
            for _, end in bounds[i:]:
                row = counts.get(" ".join(text[start:end].split()))
                if row is None:
                    continue
                covered = [any(s <= at < e for s, e in marked) for at in range(start, end)]
                if (start, end) in marked:
                    row["marked"] += 1
                    row[marked[start, end]] += 1
                elif any(s <= start and end <= e for s, e in marked):
                    row["inside"] += 1
                else:
                    row["partly" if any(covered) else "unmarked"] += 1
    return {key: row for key, row in counts.items() if row["marked"]}


@given(documents=corpora())
@settings(max_examples=100)
def test_counts_are_those_of_the_oracle(documents: list[Document]) -> None:
    report = check(*documents, show_text=True)
    expected = count(documents)
    assert (report.documents, report.strings) == (len(documents), len(expected))
    loose = {key for key, row in expected.items() if row["unmarked"] + row["partly"]}
    assert {one.text for one in report.unmarked} == loose
    assert {one.text for one in report.labels} == {
        key for key, row in expected.items() if row["X"] and row["Y"]
    }
    for one in (*report.unmarked, *report.labels):
        row = expected[one.text]
        found = (one.marked, one.unmarked, one.partly, dict(one.labels))
        labels = {label: row[label] for label in "XY" if row[label]}
        assert found == (row["marked"], row["unmarked"], row["partly"], labels)
        assert len(one.unmarked_places) == one.unmarked + one.partly


def test_likely_misses_come_first() -> None:
    report = check(
        mark("a", "Lee Lee Lee may may may", "DOCTOR:Lee:1", "DOCTOR:Lee:2", "DATE:may:1"),
        show_text=True,
    )
    assert [(one.text, one.marked, one.unmarked) for one in report.unmarked] == [
        ("Lee", 2, 1),
        ("may", 1, 2),
    ]
    assert report.unmarked[0].unmarked_places == (Place("a", 8, 11),)
    assert report.unmarked[0].marked_share == pytest.approx(2 / 3)


def test_clear_majorities_come_first_among_labels() -> None:
    report = check(
        mark(
            "a",
            "Lee Lee Lee Rome Rome",
            "DOCTOR:Lee:1",
            "DOCTOR:Lee:2",
            "PATIENT:Lee:3",
            "CITY:Rome:1",
            "HOSPITAL:Rome:2",
        ),
        show_text=True,
    )
    assert [one.text for one in report.labels] == ["Lee", "Rome"]
    assert report.labels[0].labels == (("DOCTOR", 2), ("PATIENT", 1))
    assert report.unmarked == ()


def test_documents_are_told_apart() -> None:
    report = check(
        mark("a", "Lee and Lee", "DOCTOR:Lee:1"), mark("b", "Lee", "DOCTOR:Lee:1"), mark("c", "Lee")
    )
    (one,) = report.unmarked
    assert (one.documents_marked, one.documents_unmarked, one.documents_both) == (2, 2, 1)


def test_white_space_is_alike_and_words_are_whole() -> None:
    report = check(mark("a", "Ann  Lee. Ann\nLee Ann Lees xAnn Lee", "DOCTOR:Ann  Lee:1"))
    (one,) = report.unmarked
    assert [(place.start, place.end) for place in one.unmarked_places] == [(10, 17)]


def test_a_place_inside_a_longer_span_is_no_miss() -> None:
    report = check(mark("a", "Lee, Ann Lee, Dr. Lee", "DOCTOR:Lee:1", "DOCTOR:Ann Lee:1"))
    (one,) = report.unmarked
    assert (one.marked, one.unmarked, one.partly) == (1, 1, 0)
    assert one.unmarked_places[0].start == 18


def test_a_place_of_which_a_part_is_marked_is_counted_apart() -> None:
    report = check(mark("a", "Ann Lee or Ann Lee", "DOCTOR:Ann Lee:1", "DOCTOR:Lee:2"))
    (one,) = report.unmarked
    assert (one.marked, one.unmarked, one.partly) == (1, 0, 1)


def test_case_can_be_ignored() -> None:
    documents = (mark("a", "LEE and lee", "DOCTOR:LEE:1"),)
    assert check(*documents).unmarked == ()
    assert check(*documents, case="ignore").unmarked[0].unmarked == 1


def test_short_strings_are_left_out() -> None:
    document = mark("a", "J or J", "DOCTOR:J:1")
    assert check(document).strings == 0


def test_text_is_there_only_where_it_was_asked_for() -> None:
    document = mark("a", "Wilhelmina, Wilhelmina", "DOCTOR:Wilhelmina:1")
    hidden, shown = check(document), check(document, show_text=True)
    assert "Wilhelmina" not in repr(shown)
    assert "Wilhelmina" not in json.dumps(hidden.to_json())
    (record,) = shown.to_json()["unmarked"]
    assert (record["text"], record["shape"]) == ("Wilhelmina", "Aaaaaaaaaa")
    assert record["unmarked_places"] == [{"document": "a", "start": 12, "end": 22}]
    assert record["marked_places"][0]["label"] == "DOCTOR"


def test_places_are_kept_up_to_a_bound_and_all_are_counted() -> None:
    report = check(mark("a", "may " * (PLACES_KEPT + 9), "DATE:may:1"))
    assert report.unmarked[0].unmarked == PLACES_KEPT + 8
    assert len(report.unmarked[0].unmarked_places) == PLACES_KEPT


def test_bad_settings_and_streams_are_errors() -> None:
    with pytest.raises(ConfigError, match="unknown case 'upper'"):
        check(case="upper")
    stream = iter([mark("a", "Lee")])
    with pytest.raises(InputError, match="had 1 documents when it was read first, 0 the second"):
        check_consistency(lambda: stream)
