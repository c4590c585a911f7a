"""Adjudication: worksheets out, decisions in, the corpus that comes of them, and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.analysis._sheets import read_sheet, write_sheet
from scrubjay.analysis.adjudication import (
    Adjudication,
    format_spans,
    parse_spans,
    read_decisions,
    require_prefill,
    sheet_columns,
    write_worksheet,
)
from scrubjay.corpora import FORMATS, read_corpus, write_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, InputError, LabelError, SpanError
from scrubjay.evaluation.annotators import Annotator, Panel
from scrubjay.labels import find_label_set
from tests.strategies import disjoint_spans, texts

CANARY = "Wilhelmina"
TEXT = f"Seen by {CANARY} Lee on 03/04/2019 in Rome."
FIRST = (Span(8, 22, "DOCTOR"), Span(26, 36, "DATE"))
SECOND = (Span(8, 18, "PATIENT"), Span(26, 36, "DATE"), Span(40, 44, "CITY"))


def panel(*sides: Any, **settings: Any) -> Panel:
    """Return a panel; a side is a tuple of spans over `TEXT`, or a list of documents."""
    corpora = [[Document("a", TEXT, side)] if isinstance(side, tuple) else side for side in sides]
    return Panel([Annotator(f"ann{n}", one) for n, one in enumerate(corpora)], **settings)


def fill(path: Path, decide: Callable[[dict[str, str]], dict[str, str]]) -> None:
    """Fill a worksheet: `decide` gets the cells of a row and returns those that change."""
    rows = read_sheet(path, ("case", "decision"))
    write_sheet(path, tuple(rows[0].cells), [{**r.cells, **decide(dict(r.cells))} for r in rows])


def adjudicate(path: Path, *sides: Any, **settings: Any) -> list[Document]:
    chosen = panel(*sides, **settings)
    label_set = settings.get("label_set")
    decisions = read_decisions(path, annotators=len(sides), label_set=label_set)
    return list(Adjudication(chosen, decisions))


@st.composite
def double_annotations(draw: st.DrawFn) -> tuple[list[Document], ...]:
    first, second = [], []
    for number in range(draw(st.integers(1, 3))):
        text = draw(texts(max_pieces=6))
        spans = draw(disjoint_spans(text))
        first.append(Document(f"d{number}", text, spans))
        other = spans if draw(st.booleans()) else draw(disjoint_spans(text))
        second.append(Document(f"d{number}", text, other))
    return first, second


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.jsonl"])
@given(data=double_annotations())
@settings(max_examples=25)
def test_all_decisions_for_one_annotator_give_his_corpus(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: tuple[list[Document], ...]
) -> None:
    path = tmp_path_factory.mktemp("sheet") / name
    cases = write_worksheet(panel(*data), path)
    for letter, corpus in zip("AB", data, strict=True):
        if cases:
            fill(path, lambda row, letter=letter: {"decision": letter})  # type: ignore[misc]
        assert adjudicate(path, *data) == corpus


@given(data=double_annotations())
@settings(max_examples=20)
def test_own_spans_that_are_those_of_an_annotator_give_his_corpus(
    tmp_path_factory: pytest.TempPathFactory, data: tuple[list[Document], ...]
) -> None:
    path = tmp_path_factory.mktemp("sheet") / "sheet.csv"
    if write_worksheet(panel(*data), path):
        fill(
            path,
            lambda row: {"decision": "own" if row["B"] else "none", "spans": row["B"]},
        )
    assert adjudicate(path, *data) == data[1]


def test_who_agree_everywhere_have_nothing_to_decide(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    assert write_worksheet(panel(FIRST, FIRST), path) == 0
    assert adjudicate(path, FIRST, FIRST) == [Document("a", TEXT, FIRST)]


def test_a_worksheet_shows_offsets_labels_and_shapes(tmp_path: Path) -> None:
    path = tmp_path / "sheet.jsonl"
    assert write_worksheet(panel(FIRST, SECOND), path) == 2
    assert CANARY not in path.read_text("utf-8")
    first, second = map(json.loads, path.read_text("utf-8").splitlines())
    assert tuple(first) == sheet_columns(2)
    assert (first["start"], first["end"], first["kind"]) == (8, 22, "label and extent")
    assert (first["A"], first["B"]) == ("8-22 DOCTOR", "8-18 PATIENT")
    assert first["shape"] == "Aaaaaaaaaa Aaa"
    assert (second["A"], second["B"], second["decision"]) == ("", "40-44 CITY", "")


def test_text_is_shown_where_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_worksheet(panel(FIRST, SECOND), path, show_text=True)
    first = read_sheet(path, sheet_columns(2, show_text=True))[0]
    assert (first["before"], first["text"]) == ("Seen by", f"{CANARY} Lee")


def test_the_risk_averse_prefill_lets_what_one_alone_marked_stand(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_worksheet(panel(FIRST, SECOND), path, prefill=require_prefill("risk-averse"))
    rows = read_sheet(path, ("decision",))
    assert [row["decision"] for row in rows] == ["", "B"]
    three = panel(FIRST, SECOND, (*FIRST, Span(37, 44, "CITY")))
    write_worksheet(three, path, prefill="risk-averse")
    assert [row["decision"] for row in read_sheet(path, ("decision",))] == ["", ""]
    with pytest.raises(ConfigError, match="unknown prefill 'all'"):
        require_prefill("all")


def test_decisions_of_every_kind_are_applied_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    third = (Span(0, 4, "AGE"), Span(8, 22, "PATIENT"), Span(37, 44, "CITY"))
    write_worksheet(panel(FIRST, SECOND, third), path)
    choices = iter(
        [
            {"decision": "none"},
            {"decision": "own", "spans": "8-18 PATIENT;19-22 DOCTOR"},
            {"decision": "a"},
            {"decision": " C "},
        ]
    )
    fill(path, lambda row: next(choices))
    adjudication = Adjudication(panel(FIRST, SECOND, third), read_decisions(path, annotators=3))
    (document,) = adjudication
    assert format_spans(document.spans) == ("8-18 PATIENT; 19-22 DOCTOR; 26-36 DATE; 37-44 CITY")
    assert adjudication.choices == {"none": 1, "own": 1, "A": 1, "C": 1}
    assert [span.source for span in document.spans] == ["adjudication", "adjudication", "", ""]


def test_an_adjudicated_corpus_can_be_written_in_every_format_with_spans(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_worksheet(panel(FIRST, SECOND), path)
    fill(path, lambda row: {"decision": "B"})
    for name in ("brat", "i2b2", "jsonl", "csv", "conll", "inline", "doccano"):
        assert name in FORMATS
        out = tmp_path / name
        assert write_corpus(adjudicate(path, FIRST, SECOND), out, format=name) == 1
        (found,) = read_corpus(out, format=name)
        assert [(s.start, s.end, s.label) for s in found.spans] == [
            (s.start, s.end, s.label) for s in SECOND
        ]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"decision": ""}, FormatError, "line 2: no decision; so have 2 of 2 cases"),
        ({"decision": CANARY}, FormatError, "line 2: the decision is none that is known"),
        ({"decision": "C"}, FormatError, "Write A, B, own or none"),
        ({"decision": "own"}, FormatError, "line 2: the decision is own, but no spans"),
        ({"decision": "A", "spans": "8-9 X"}, FormatError, "spans are written, but the decision"),
        ({"decision": "own", "spans": CANARY}, FormatError, "span 1 of the cell `spans`"),
        ({"decision": "own", "spans": "9-9 DATE"}, FormatError, "does not read START-END"),
        ({"decision": "own", "spans": "8-9 DOCTR"}, LabelError, "'DOCTR' of [8, 9) is unknown"),
        ({"decision": "own", "spans": "8-999 DATE"}, SpanError, "beyond the text of 45"),
        ({"decision": "own", "spans": "0-4 DATE"}, SpanError, "outside of its case [8, 22)"),
        ({"decision": "own", "spans": "8-30 CITY"}, SpanError, "overlaps DATE [26, 36)"),
        ({"decision": "own", "spans": "8-10 CITY;9-12 CITY"}, SpanError, "overlaps CITY [9, 12)"),
        ({"decision": "A", "start": "9"}, FormatError, "[9, 22) of document 'a' is no disagree"),
        ({"decision": "A", "start": "x"}, FormatError, "`start` must be a whole number"),
        ({"decision": "A", "document": "b"}, InputError, "[8, 22) of document 'a' has no row"),
        ({"decision": "A", "A": "8-22 CITY"}, FormatError, "the column A is not what this"),
        ({"decision": "A", "start": "40", "end": "44"}, FormatError, "line 3: the same case"),
    ],
)
def test_bad_worksheets_are_told_by_line_and_without_text(
    tmp_path: Path, change: dict[str, str], error: type[Exception], message: str
) -> None:
    path = tmp_path / "sheet.csv"
    write_worksheet(panel(FIRST, SECOND), path)
    other = {"decision": change["decision"] and "A"}
    fill(path, lambda row: change if row["case"] == "1" else other)
    with pytest.raises(error) as caught:
        adjudicate(path, FIRST, SECOND)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert CANARY not in str(caught.value)


def test_a_removed_row_and_a_foreign_row_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_worksheet(panel(FIRST, SECOND), path)
    fill(path, lambda row: {"decision": "A"})
    rows = [dict(row.cells) for row in read_sheet(path, ("case",))]
    write_sheet(path, tuple(rows[0]), rows[:1])
    with pytest.raises(InputError, match=r"\[40, 44\) of document 'a' has no row"):
        adjudicate(path, FIRST, SECOND)
    write_sheet(path, tuple(rows[0]), [*rows, {**rows[0], "document": "z"}])
    with pytest.raises(FormatError, match="line 4: the annotators have no document 'z'"):
        adjudicate(path, FIRST, SECOND)


def test_annotators_in_another_order_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_worksheet(panel(FIRST, SECOND), path)
    fill(path, lambda row: {"decision": "A"})
    with pytest.raises(FormatError, match="in the order of the worksheet"):
        adjudicate(path, SECOND, FIRST)


def test_labels_that_the_label_set_does_not_have_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    known = find_label_set("i2b2-2014")
    write_worksheet(panel(FIRST, SECOND, label_set=known), path)
    fill(path, lambda row: {"decision": "own", "spans": f"{row['start']}-{row['end']} HOSPITAL"})
    (document,) = adjudicate(path, FIRST, SECOND, label_set=known)
    assert [span.label for span in document.spans] == ["HOSPITAL", "DATE", "HOSPITAL"]
    fill(path, lambda row: {"spans": f"{row['start']}-{row['end']} CLINIC"})
    with pytest.raises(LabelError, match="line 2: the label 'CLINIC'"):
        adjudicate(path, FIRST, SECOND, label_set=known)


def test_a_panel_with_gaps_cannot_be_adjudicated(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    with pytest.raises(ConfigError, match="every document from every annotator"):
        write_worksheet(panel(FIRST, SECOND, unpaired="skip"), path)
    with pytest.raises(ConfigError, match="every document from every annotator"):
        list(Adjudication(panel(FIRST, SECOND, unpaired="skip"), ()))
    assert not path.exists()


def test_spans_in_cells_are_read_back() -> None:
    assert parse_spans("") == ()
    assert parse_spans(format_spans(SECOND)) == SECOND
    assert parse_spans(" 26 - 36  DATE ;8-18 PATIENT; ") == (Span(8, 18, "PATIENT"), FIRST[1])
