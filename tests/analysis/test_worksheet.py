"""Worksheets of errors: written, filled, read back, and counted as in the paper."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.analysis.token_borders import BorderScorer
from scrubjay.analysis.worksheet import (
    CATEGORIES,
    WorksheetCollector,
    WorksheetRow,
    find_category,
    make_table,
    read_worksheet,
    show_percent,
    tabulate,
    write_worksheet,
)
from scrubjay.document import Document, Span
from scrubjay.errors import EncodingError, FormatError, InputError
from scrubjay.evaluation.pairs import Pair
from scrubjay.text.tokenizers import make_tokenizer
from tests.evaluation.samples import pairs
from tests.oracles.familiarity import spans_of

CANARY = "Wilhelmina"
TEXT = f"Seen by {CANARY} Lee on 2016/2017, =HYPERLINK(1) @home"

Change = Callable[[list[dict[str, str]]], None]


def _rows(*, show_text: bool = False) -> tuple[WorksheetRow, ...]:
    gold = Document("0012", TEXT, (Span(8, 22, "DOCTOR"), Span(26, 30, "DATE"), Span(37, 50, "ID")))
    collector = WorksheetCollector(show_text=show_text)
    predicted = gold.with_spans([Span(8, 18, "DOCTOR"), Span(26, 35, "DATE"), Span(51, 56, "ID")])
    collector.add(Pair(gold, predicted))
    return collector.rows()


def _read_cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _rewrite(path: Path, change: Change, *, delimiter: str = ",") -> None:
    cells = _read_cells(path)
    names = list(cells[0])
    change(cells)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, delimiter=delimiter)
        writer.writeheader()
        writer.writerows(cells)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "errors.csv"
    write_worksheet(path, _rows())
    return path


@given(st.lists(pairs(), max_size=3), st.booleans(), st.sampled_from((".csv", ".jsonl")))
@settings(max_examples=50)
def test_rows_are_the_strict_errors_and_come_back(
    tmp_path_factory: pytest.TempPathFactory, some: list[Pair], show_text: bool, suffix: str
) -> None:
    named = [
        Pair(Document(f"d{n}", pair.gold.text, pair.gold.spans), pair.predicted)
        for n, pair in enumerate(some)
    ]
    collector = WorksheetCollector(show_text=show_text)
    expected = set()
    for pair in named:
        collector.add(pair)
        gold, predicted = spans_of(pair.gold), spans_of(pair.predicted)
        expected |= {("FN", pair.gold.id, *key) for key in gold - predicted}
        expected |= {("FP", pair.gold.id, *key) for key in predicted - gold}
    rows = collector.rows()
    found = [(r.side, r.document, r.span.label, r.span.start, r.span.end) for r in rows]
    assert len(found) == len(expected)
    assert set(found) == expected
    assert len({row.id for row in rows}) == len(rows)
    path = tmp_path_factory.mktemp("sheets") / f"errors{suffix}"
    assert write_worksheet(path, rows) == len(rows)
    judged = read_worksheet(path, rows)
    assert [one.row for one in judged] == list(rows)
    assert all(one.category is None for one in judged)
    if not show_text:
        assert not any(row.text or row.before or row.after for row in rows)


@given(pairs())
@settings(max_examples=50)
def test_no_cell_begins_a_formula_for_any_separator(
    tmp_path_factory: pytest.TempPathFactory, pair: Pair
) -> None:
    collector = WorksheetCollector(show_text=True)
    collector.add(Pair(Document("=1;@x", f"{pair.gold.text}", pair.gold.spans), pair.predicted))
    gold = Document("+d", 'a;=1,@b\t-2|+3 "=4"', (Span(0, 1, "X"), Span(1, 18, "Y")))
    collector.add(Pair(gold, gold.with_spans(())))
    path = tmp_path_factory.mktemp("sheets") / "errors.csv"
    write_worksheet(path, collector.rows())
    for separator in ",;\t|":
        with path.open(encoding="utf-8-sig", newline="") as file:
            for cells in csv.reader(file, delimiter=separator):
                for cell in cells:
                    assert cell.strip(' "')[:1] not in set("=+-@＝＋－＠"), (separator, cell)


def test_a_worksheet_shows_places_and_shapes(sheet: Path) -> None:
    cells = _read_cells(sheet)
    assert list(cells[0]) == [
        "id", "side", "document", "start", "end", "label", "kind", "other_start", "other_end",
        "other_label", "tokens", "shape", "category", "comment",
    ]  # fmt: skip
    assert [(c["side"], c["start"], c["kind"], c["other_end"], c["shape"]) for c in cells] == [
        ("FP", "8", "short", "22", "Aaaaaaaaaa"),
        ("FN", "8", "short", "18", "Aaaaaaaaaa Aaa"),
        ("FN", "26", "long", "35", "'0000"),
        ("FP", "26", "long", "30", "'0000/0000"),
        ("FN", "37", "missing", "", "'=AAAAAAAAA(0)"),
        ("FP", "51", "spurious", "", "'@aaaa"),
    ]
    assert {c["document"] for c in cells} == {"'0012"}
    assert CANARY not in sheet.read_text("utf-8")


def test_text_is_shown_where_it_was_asked_for(tmp_path: Path) -> None:
    write_worksheet(tmp_path / "errors.csv", _rows(show_text=True))
    first = _read_cells(tmp_path / "errors.csv")[0]
    assert (first["before"], first["text"]) == ("Seen by ", CANARY)
    assert first["after"].startswith(" Lee on 2016/2017, '=HYPER")
    assert CANARY not in repr(_rows(show_text=True))


def test_the_part_of_tokenization_stands_in_its_column() -> None:
    gold = Document("d", "Care 2016/2017", (Span(5, 9, "DATE"), Span(10, 14, "DATE")))
    pair = Pair(gold, gold.with_spans([Span(0, 4, "CITY"), Span(5, 14, "DATE")]))
    collector, borders = WorksheetCollector(), BorderScorer([make_tokenizer("whitespace")])
    collector.add(pair)
    borders.add(pair)
    rows = collector.rows(borders.report().errors)
    assert [(row.side, row.span.start, row.tokens) for row in rows] == [
        ("FP", 0, ""),
        ("FN", 5, "tokens"),
        ("FP", 5, "tokens"),
        ("FN", 10, "tokens"),
    ]
    assert [row.cells()["tokens"] for row in rows] == ["", "tokens", "tokens", "tokens"]


def test_labels_count_under_their_spelling() -> None:
    gold = Document("d", "Ann", (Span(0, 3, "name"),))
    collector = WorksheetCollector(label_of=str.upper)
    collector.add(Pair(gold, gold.with_spans([Span(0, 3, "NAME")])))
    assert collector.rows() == ()


def test_a_filled_worksheet_is_read_as_a_spreadsheet_saves_it(sheet: Path) -> None:
    """Sorted, parted by semicolons, with a column more, and without the apostrophes."""

    def fill(cells: list[dict[str, str]]) -> None:
        for place, name in enumerate(
            ("Prefix", "Common Language", "other reason", "", "OTHER", "")
        ):
            cells[place]["category"] = name
            cells[place]["document"] = cells[place]["document"].removeprefix("'")
        cells[1]["comment"] = "=1+1"
        cells.reverse()

    _rewrite(sheet, fill, delimiter=";")
    judged = read_worksheet(sheet, _rows())
    assert [one.row for one in judged] == list(_rows())
    assert [one.category for one in judged] == [
        "prefix", "common-language", "other", None, "other", None,
    ]  # fmt: skip
    assert judged[1].comment == "=1+1"
    table = tabulate(judged)
    assert (table.missed, table.wrong, table.open_missed, table.open_wrong) == (3, 1, 0, 2)
    assert table.group("model") == (3, 1)
    assert table.group("data") == (0, 0)
    counted = {row.category.name: (row.missed, row.wrong) for row in table.rows}
    assert {name: pair for name, pair in counted.items() if pair != (0, 0)} == {
        "prefix": (0, 1),
        "common-language": (1, 0),
        "other": (2, 0),
    }
    record = table.record()
    assert record["categories"]["other"]["missed_share"] == 2 / 3
    assert json.loads(json.dumps(record)) == record


def _drop(cells: list[dict[str, str]]) -> None:
    del cells[2:4]


def _set(place: int, column: str, value: str) -> Change:
    def change(cells: list[dict[str, str]]) -> None:
        cells[place][column] = value

    return change


def _twice(cells: list[dict[str, str]]) -> None:
    cells.append(cells[0])


def _sorted_by_halves(cells: list[dict[str, str]]) -> None:
    ids = [row["id"] for row in cells]
    for row, moved in zip(cells, reversed(ids), strict=True):
        row["id"] = moved


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set(1, "category", "bad luck"), r"line 3: unknown category\. Known: abbreviation, amb"),
        (_set(0, "id", "abc"), r"line 2: there is no such error in these corpora\. Give the gold"),
        (
            _set(2, "end", "31"),
            r"line 4: the column `end` was changed\. This row is FN DATE \[26, ",
        ),
        (_set(3, "start", "26.0"), r"line 5: the column `start` was changed"),
        (_set(0, "label", "DATE"), r"line 2: the column `label` was changed"),
        (_set(0, "document", "12"), r"line 2: the column `document` was changed"),
        (_sorted_by_halves, r"line 2: the column `.*` was changed.*sort rows whole"),
        (_twice, r"line 8: this error has a row already"),
        (
            _drop,
            r"2 of 6 rows are missing, the first of them FN DATE \[26, 30\) of document '0012'",
        ),
    ],
)
def test_damaged_worksheets_are_refused_by_line(sheet: Path, change: Change, message: str) -> None:
    _rewrite(sheet, change)
    with pytest.raises(FormatError, match=message) as caught:
        read_worksheet(sheet, _rows())
    assert str(sheet) in str(caught.value)
    assert CANARY not in str(caught.value)


def test_files_that_are_no_worksheets_are_refused(tmp_path: Path, sheet: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_worksheet(tmp_path / "none.csv", _rows())
    (tmp_path / "other.csv").write_text("id,side\n", "utf-8")
    with pytest.raises(FormatError, match="the column `document` is missing"):
        read_worksheet(tmp_path / "other.csv", _rows())
    sheet.write_bytes(sheet.read_text("utf-8-sig").replace("DOCTOR", "MÉDICO").encode("cp1252"))
    with pytest.raises(EncodingError, match="CSV UTF-8"):
        read_worksheet(sheet, _rows())
    with pytest.raises(InputError, match="must end in"):
        write_worksheet(tmp_path / "errors.xlsx", _rows())


def test_categories_are_those_of_the_paper() -> None:
    """Trienes 2020, section 5.2.1: six of modelling, three of annotation and preprocessing."""
    groups = [category.group for category in CATEGORIES]
    assert (groups.count("model"), groups.count("data")) == (6, 3)
    for category in CATEGORIES:
        assert find_category(category.name) is category
        assert find_category(f" {category.title.upper()} ") is category
    assert find_category("missing_annotation") is find_category("Missing Annotation")
    assert find_category("") is find_category("luck") is None


def test_the_shares_of_the_paper_come_out() -> None:
    """Trienes 2020, section 5.2.2: 469 missed and 288 wrong spans, and the shares of its text.

    The counts are those that give the shares; the rest is put under "other".
    """
    missed = {
        "abbreviation": 65,
        "common-language": 35,
        "annotation-error": 21,
        "tokenization-error": 41,
    }
    wrong = {
        "abbreviation": 28,
        "common-language": 9,
        "annotation-error": 18,
        "tokenization-error": 20,
        "missing-annotation": 33,
    }
    missed["other"] = 469 - sum(missed.values())
    wrong["other"] = 288 - sum(wrong.values())
    counts = {("FN", name): size for name, size in missed.items()}
    table = make_table(counts | {("FP", name): size for name, size in wrong.items()})
    assert (table.missed, table.wrong) == (469, 288)
    shares = {
        row.category.name: (
            show_percent(row.missed, table.missed),
            show_percent(row.wrong, table.wrong),
        )
        for row in table.rows
    }
    assert shares["abbreviation"] == ("13.9", "9.7")
    assert shares["common-language"] == ("7.5", "3.1")
    assert shares["annotation-error"] == ("4.5", "6.3")
    assert shares["tokenization-error"] == ("8.7", "6.9")
    assert shares["missing-annotation"][1] == "11.5"
    assert show_percent(0, 0) == "-"
    assert show_percent(5, 5) == "100.0"
