"""The page and the tables of an error analysis: figures, limits, and no text unless shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scrubjay.analysis.errors import ErrorAnalysis, analyse_errors
from scrubjay.analysis.judging import EXTENTS
from scrubjay.document import Span
from scrubjay.evaluation.pairs import Pair
from scrubjay.labels import LabelSet, find_label_set
from scrubjay.reports.blocks import Examples, Figure, Page, Prose, Section, Table, walk_blocks
from scrubjay.reports.errors import LONGEST, compose_errors, error_tables
from scrubjay.reports.html import render_page
from tests.analysis.span_samples import corpora, pair_of

I2B2 = find_label_set("i2b2-2014")
TEXT = "Seen by Wilhelmina Lee, aged 71, on 5 August 2060 in Ohio"


def sample(*, context: int | None = None, label_set: LabelSet | None = I2B2) -> ErrorAnalysis:
    gold = [Span(8, 22, "DOCTOR"), Span(29, 31, "AGE"), Span(36, 49, "DATE")]
    predicted = [Span(8, 22, "PATIENT"), Span(38, 49, "DATE"), Span(53, 57, "STATE")]
    pair = pair_of(gold, predicted, text=TEXT)
    return analyse_errors([pair], label_set=label_set, context=context)


def table(tables: tuple[Table, ...], title: str) -> Table:
    return next(one for one in tables if one.title == title)


def tables_of(page: Page) -> dict[str, Table]:
    return {block.title: block for block in walk_blocks(page.blocks) if isinstance(block, Table)}


def test_tables_for_the_screen() -> None:
    tables = error_tables(sample())
    assert [one.title for one in tables] == [
        "Errors by kind",
        "Errors by cause",
        "Gold spans by label",
        "Predicted spans by label",
        "Type errors",
    ]
    assert [row[1] for row in tables[0].rows] == ["1", "1", "1", "1"]
    assert table(tables, "Gold spans by label").rows == (
        ("DOCTOR", "1", "0", "1", "0", "0", "0.00"),
        ("AGE", "1", "0", "0", "0", "1", "100.00"),
        ("DATE", "1", "0", "0", "1", "0", "0.00"),
    )
    assert table(tables, "Predicted spans by label").rows == (
        ("PATIENT", "1", "0", "1", "0", "0", "0", "0", "0.00"),
        ("STATE", "1", "0", "0", "0", "0", "0", "1", "100.00"),
        ("DATE", "1", "0", "0", "1", "0", "0", "0", "0.00"),
    )
    assert tables[-1].rows == (("DOCTOR", "PATIENT", "1", "100.0", "100.0"),)


def test_every_error_can_be_listed_with_its_place() -> None:
    listed = error_tables(sample(), every_error=True)[-1]
    assert listed.rows == (
        ("d", "type", "DOCTOR", "PATIENT", "Aaaaaaaaaa Aaa", "8", "22"),
        ("d", "missing", "AGE", "", "00", "29", "31"),
        ("d", "short", "DATE", "DATE", "0 Aaaaaa 0000", "36", "49"),
        ("d", "spurious", "", "STATE", "Aaaa", "53", "57"),
    )


def test_line_ends_break_no_row_of_the_list() -> None:
    pair = pair_of([Span(0, 9, "AGE")], [], text="ab\r\ncd\tef")
    (row,) = error_tables(analyse_errors([pair]), every_error=True)[-1].rows
    assert row[4] == "aa  aa aa"


def test_text_in_the_list_is_short_and_steers_no_terminal() -> None:
    pair = pair_of([Span(0, 90, "AGE")], [], text="a\tb\x1b[31m" + 90 * "c")
    (row,) = error_tables(analyse_errors([pair], context=0), every_error=True)[-1].rows
    assert row[4] == "a b [31m" + 51 * "c" + "…"
    assert "ccc" not in repr(analyse_errors([pair], context=0).errors)


@settings(max_examples=20)
@given(corpora)
def test_the_matrix_adds_up(found: list[Pair]) -> None:
    analysis = analyse_errors(found)
    matrix = tables_of(compose_errors(analysis)).get("Confusion")
    assert (matrix is None) == (analysis.confusion.labels == ())
    if matrix is not None:
        require_sums(matrix, analysis)


def require_sums(matrix: Table, analysis: ErrorAnalysis) -> None:
    confusion = analysis.confusion
    rows = {row[0]: dict(zip(matrix.header, row, strict=True)) for row in matrix.rows}
    for label in confusion.labels:
        cells = sum(int(rows[label][column] or 0) for column in confusion.labels)
        assert cells + int(rows[label]["missing"]) == int(rows[label]["total"])
        column = [int(rows[row][label] or 0) for row in confusion.labels]
        assert int(rows["total"][label]) == sum(column)
        extents = sum(int(rows[extent][label]) for extent in EXTENTS)
        assert int(rows["all extent"][label]) == extents
        parts = sum(column) + extents + int(rows["spurious"][label])
        assert int(rows["predicted"][label]) == parts
    for name in ("missing", "total", "other borders", "gold"):
        assert int(rows["total"][name]) == sum(int(rows[one][name]) for one in confusion.labels)


@settings(max_examples=20)
@given(corpora)
def test_columns_in_percent_sum_to_a_hundred(found: list[Pair]) -> None:
    confusion = analyse_errors(found).confusion
    for label in confusion.labels:
        counts = [confusion.cells.get((row, label), 0) for row in confusion.labels]
        counts += [confusion.spurious.get(label, 0), confusion.extent_total(label)]
        shares = [confusion.column_percent(label, count) for count in counts]
        if confusion.system_total(label):
            assert sum(share or 0.0 for share in shares) == pytest.approx(100)
        else:
            assert shares == [None] * len(counts)


def test_the_page_has_facts_sections_and_heat_maps() -> None:
    extra = Section("What training knew", (Prose("nothing"),))
    page = compose_errors(sample(), facts=[("gold", "notes")], sections=[extra])
    assert page.facts[:2] == (("gold", "notes"), ("label set", "i2b2-2014"))
    assert [block.title for block in page.blocks if isinstance(block, Section)] == [
        "Kinds of errors",
        "By label",
        "Confusion",
        "Confusion of main categories",
        "What training knew",
        "Examples",
    ]
    figures = [block for block in walk_blocks(page.blocks) if isinstance(block, Figure)]
    assert len(figures) == 4
    assert all(figure.svg.startswith("<svg") and figure.caption for figure in figures)


def test_without_a_label_set_there_are_no_categories() -> None:
    page = compose_errors(sample(label_set=None))
    assert "Confusion of main categories" not in tables_of(page)
    assert "Confusion" in tables_of(page)


def test_examples_show_text_only_where_the_analysis_has_it() -> None:
    silent, open_page = compose_errors(sample()), compose_errors(sample(context=8))
    assert not silent.shows_text
    assert open_page.shows_text
    rendered = render_page(silent)
    assert not any(word in rendered for word in ("Wilhelmina", "August", "Ohio"))
    assert "Wilhelmina" in render_page(open_page)


def test_extent_errors_tell_both_places() -> None:
    examples = next(
        one for one in walk_blocks(compose_errors(sample()).blocks) if isinstance(one, Examples)
    )
    notes = {example.kind: example.note for example in examples.examples}
    assert notes.pop("short") == "gold 36–49, predicted 38–49"
    assert set(notes.values()) == {""}


def test_a_report_without_errors_or_documents_can_be_made() -> None:
    right = analyse_errors([pair_of([Span(0, 3, "AGE")], [Span(0, 3, "AGE")])], label_set=I2B2)
    for analysis in (right, analyse_errors([]), analyse_errors([], label_set=I2B2)):
        page = compose_errors(analysis)
        assert "Examples" not in render_page(page)
        assert [row[1] for row in error_tables(analysis, matrix=True)[0].rows] == ["0"] * 4
    assert [row[2] for row in error_tables(right)[0].rows] == ["-"] * 4


def test_tables_of_pairs_name_the_most_frequent_alone() -> None:
    labels = [f"L{number:02d}" for number in range(LONGEST + 5)]
    pairs = [pair_of([Span(0, 3, label)], [Span(0, 3, "X")]) for label in labels]
    pairs += [pair_of([Span(0, 3, labels[-1])], [Span(0, 3, "X")])]
    shown = error_tables(analyse_errors(pairs))[-1]
    assert shown.title == f"Type errors (the {LONGEST} most frequent pairs of {LONGEST + 5})"
    assert len(shown.rows) == LONGEST
    assert shown.rows[0][:3] == (labels[-1], "X", "2")
