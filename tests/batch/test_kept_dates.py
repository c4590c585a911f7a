"""Kept columns that look to hold dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.kept_dates import (
    LOOKED_AT,
    DateColumn,
    date_columns,
    looks_like_date,
    looks_like_day_number,
    passing_rows,
)
from scrubjay.corpora import read_corpus
from scrubjay.document import Document


@pytest.mark.parametrize(
    "value",
    [
        *(
            "2019-05-03",
            "2019/5/3",
            "2019-05-03T10:22:00Z",
            "2019-05-03 00:00:00+01:00",
            "20190503",
            "20190503102200",
            "20190503T1022",
        ),
        *("Fri, 3 May 2019", "viernes 3 de mayo de 2019", "miércoles, 1/5/2019", "vr 3-5-2019"),
        *("3/4/2012", "12/31/99", "31.12.1999", "03-04-2012 10:20", "3/4/2012, 10:20"),
        *("3 May 2019", "3rd May 2019", "May 3, 2019", "Sept. 3 2019", "03-MAY-2019"),
        *("3 de mayo de 2019", "3 mei 2019", "1 okt. 20", " 2019-05-03 "),
    ],
)
def test_whole_dates_look_like_dates(value: str) -> None:
    assert looks_like_date(value)


@pytest.mark.parametrize(
    "value",
    [
        *("", "2019", "May 2019", "05/2019", "3/4", "1.2.3", "120/80", "99123456", "March"),
        *("13/13/2019", "2019-13-01", "2019-05-32", "1/2/34/5", "3-4/2019", "seen 2019-05-03"),
        *("B4", "10:20", "31", "4471820", "2019050399", "Friday", "bed 3/5/2019"),
    ],
)
def test_years_numbers_and_words_do_not(value: str) -> None:
    assert not looks_like_date(value)


@pytest.mark.parametrize(
    "value", ["43512", "43512.4375", " 43512,5 ", "1550000000", "1550000000000"]
)
@pytest.mark.parametrize(
    "column",
    ["Note Date", "chartdate", "DOB", "admit_dt", "NoteDt", "fecha", "Opnamedatum", "time"],
)
def test_days_as_excel_and_unix_count_them_are_dates_by_the_name_of_their_column(
    value: str, column: str
) -> None:
    assert looks_like_day_number(value, column)


@pytest.mark.parametrize(
    ("value", "column"),
    [
        *(("43512", name) for name in ("ward", "zip", "cost", "width", "adtid", "weekdays", "n")),
        *(
            (value, "Note Date")
            for value in ("", "7", "2019", "95312", "435128", "43512-1", "x43512")
        ),
    ],
)
def test_numbers_of_other_columns_and_sizes_are_none(value: str, column: str) -> None:
    assert not looks_like_day_number(value, column)


def test_a_column_of_day_numbers_is_found(tmp_path: Path) -> None:
    numbers = ["43512", "43513.5", "", "43514"]
    assert date_columns(rows(tmp_path, numbers, "Note Date"), ("Note Date",)) == [
        DateColumn("Note Date", True, 3, 3)
    ]
    assert date_columns(rows(tmp_path, numbers, "cost"), ("cost",)) == []


def test_a_long_value_is_a_text_and_is_not_searched() -> None:
    begun = process_time()
    assert not looks_like_date("2019-05-03 10:20" + 100_000 * " " + "\nx")
    assert process_time() - begun < 1


@given(
    st.dates(date(1900, 1, 1), date(2100, 1, 1)),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%y", "%d %b %Y", "%B %d, %Y"]),
)
def test_every_date_of_a_lifetime_looks_like_one(day: date, form: str) -> None:
    assert looks_like_date(day.strftime(form))


def rows(place: Path, values: list[str], column: str = "seen") -> Iterator[Document]:
    lines = [f"{number},,,{value}" for number, value in enumerate(values)]
    (place / "rows.csv").write_text(f"id,text,note_type,{column}\n" + "\n".join(lines) + "\n")
    return read_corpus(place / "rows.csv")


def test_a_column_of_dates_is_found_among_its_first_values(tmp_path: Path) -> None:
    dates = ["2019-05-03"] * 4
    for values, count in (
        (dates, 4),
        ([*dates, "-"], 4),
        ([*dates, "", "", " "], 4),
        ([*dates, "-", "-"], 0),
        (["2019"] * 5, 0),
        ([""] * 5, 0),
        ([], 0),
    ):
        found = date_columns(rows(tmp_path, values), ("note_type", "se*"))
        assert found == (
            [DateColumn("se*", False, 4, len([v for v in values if v.strip()]))] * bool(count)
        )
    assert date_columns(rows(tmp_path, dates), ("seen",)) == [DateColumn("seen", True, 4, 4)]
    assert date_columns(rows(tmp_path, dates), ()) == []


def test_only_so_many_rows_are_read(tmp_path: Path) -> None:
    (first,) = rows(tmp_path, ["2019-05-03"])

    def endless() -> Iterator[Document]:
        for _ in range(LOOKED_AT + 1):
            yield first
        raise AssertionError("too far")

    (found,) = date_columns(endless(), ("seen",))
    assert (found.dates, found.looked) == (LOOKED_AT, LOOKED_AT)

    def never() -> Iterator[Document]:
        while True:
            yield Document("a", "no table")

    assert date_columns(never(), ("seen",)) == []


def test_what_cannot_be_read_on_stops_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[Document]:
        yield from rows(tmp_path, ["2019-05-03"])
        raise ValueError

    assert [one.told for one in date_columns(broken(), ("*",))] == ["*"]


def test_texts_and_ids_are_no_kept_columns(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("id,text\n2019-05-03,2019-05-03\n")
    assert date_columns(read_corpus(tmp_path / "rows.csv"), ("*",)) == []


def test_the_message_names_the_column_and_what_to_do() -> None:
    told = DateColumn("chartdate", True, 9, 10).describe()
    assert told.startswith("warning: the kept column 'chartdate' looks to hold dates (9 of 10 ")
    assert "Leave --keep-column chartdate out" in told
    assert "Leave --keep-column 'Note Date' out" in DateColumn("Note Date", True, 9, 9).describe()
    told = DateColumn("c*", False, 9, 10).describe()
    assert "a column that --keep-column 'c*' keeps looks to hold dates" in told
    told = DateColumn("chartdate", True, 9, 10).describe("years")
    assert "no more than the years of the texts' dates may stay" in told
    assert "shifted" not in told


@pytest.mark.parametrize("size", [0, 1, LOOKED_AT, LOOKED_AT + 1, 1001])
def test_rows_that_pass_are_the_same_and_told_of_once(size: int, tmp_path: Path) -> None:
    told: list[list[DateColumn]] = []
    came = list(rows(tmp_path, ["2019-05-03"] * size))
    passed = passing_rows(iter(came), ("seen",), told.append)
    if size > LOOKED_AT:
        assert [next(passed).id for _ in range(LOOKED_AT + 1)] == [
            each.id for each in came[: LOOKED_AT + 1]
        ]
        assert len(told) == 1  # long before the end
        came = came[LOOKED_AT + 1 :]
    assert list(passed) == came
    count = min(size, LOOKED_AT)
    assert told == [[DateColumn("seen", True, count, count)] if size else []]


def test_rows_without_columns_pass_too() -> None:
    documents = [Document(str(number), "no table") for number in range(1005)]
    told: list[list[DateColumn]] = []
    assert list(passing_rows(iter(documents), ("*",), told.append)) == documents
    assert told == [[]]
