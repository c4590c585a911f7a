"""Tables are found where lines are parted in one way, and their cells lie in the text in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.taggers._mending.tables.layout import find_tables

WARD = """Ward 4 tonight, all quiet so far
BED   PT           AGE   DX
01    Rice         71    SBO
02    Walker       66    R hip fx
03    -- empty --
04    Cane, D      83    CHF

Signed T
"""


def _cells(text: str) -> list[list[list[str | None]]]:
    """Return the text of each cell of each table."""
    return [
        [[text[slice(*cell)] if cell else None for cell in row] for row in table.rows]
        for table in find_tables(text)
    ]


def test_gaps_part_cells_that_begin_at_the_same_places() -> None:
    assert _cells(WARD) == [
        [
            ["BED", "PT", "AGE", "DX"],
            ["01", "Rice", "71", "SBO"],
            ["02", "Walker", "66", "R hip fx"],
            ["03", "-- empty --", None, None],
            ["04", "Cane, D", "83", "CHF"],
        ]
    ]


def test_a_row_that_is_pushed_aside_is_read_by_the_order_of_its_cells() -> None:
    text = "a   b       c    d\n1   rod     x    y\n2   rod     x    y\n3   crank shafts  x  y\n"
    assert _cells(text)[0][-1] == ["3", "crank shafts", "x", "y"]


def test_a_long_cell_ends_where_the_next_column_begins() -> None:
    text = "CA   informal   15 min\nCB   DoLS       hourly\nCD   informally 5 min\n"
    assert _cells(text)[0][-1] == ["CD", "informally", "5 min"]


@pytest.mark.parametrize("sign", ["|", "\t", " | ", " / ", "; "])
def test_signs_part_cells(sign: str) -> None:
    rows = [["1", "Ana Gil", "34", "jm"], ["2", "Luz", "58", "jm"], ["3", "Sol, P", "7", "kv"]]
    text = "list:\n" + "\n".join(sign.join(row) for row in rows) + "\n\nend"
    assert _cells(text) == [rows]


def test_bars_around_a_row_and_rules_between_rows_are_none_of_it() -> None:
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |  |\n| 5 | 6 |"
    assert _cells(text) == [[["a", "b"], ["1", "2"], ["3", None], ["5", "6"]]]


def test_a_short_row_of_bars_ends_no_table() -> None:
    text = "1 | a | b\n2 | a | b\n3 | empty\n4 | a | b"
    assert _cells(text) == [
        [["1", "a", "b"], ["2", "a", "b"], ["3", "empty", None], ["4", "a", "b"]]
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Pt seen today.  Doing well.  Plan: home.\nNo fever.  Eats.\n",
        "Pt    Hill\n\nPt    Wood\n\nPt    Moor\n",
        "one  two\nthree    four\nfive            six\nseven                 eight",
        "BP 120/80; HR 80; T 37\nBP 110/70; HR 70",
        "a / b / c\na / b\na / b / c / d\na / b / c / d / e",
        "a, b, c\nd, e, f\ng, h, i",
    ],
)
def test_what_is_no_table(text: str) -> None:
    assert _cells(text) == []


LINES = st.lists(
    st.text("ab.: |;\t/-é", max_size=12)
    | st.lists(st.sampled_from(["a", "bc.", " ", "  ", "   ", "|", ";", " / "]), max_size=9).map(
        "".join
    ),
    max_size=9,
)


@given(LINES)
def test_cells_lie_in_the_text_in_order(lines: list[str]) -> None:
    text = "\n".join(lines)
    at = 0
    for table in find_tables(text):
        width = len(table.rows[0])
        for row in table.rows:
            assert len(row) == width
            for cell in row:
                if cell is not None:
                    start, end = cell
                    assert at <= start <= end <= len(text)
                    assert text[start:end] == text[start:end].strip()
                    assert "\n" not in text[start:end]
                    at = end


def test_long_texts_take_time_by_their_length() -> None:
    text = "x  y  z\n" * 20_000
    (table,) = find_tables(text)
    assert len(table.rows) == 20_000
    assert list(find_tables("a" * 100_000 + " |" * 100_000)) == []


def test_two_blanks_behind_sentences_and_keys_part_no_columns() -> None:
    typed = (
        "General:  The patient is alert.  No distress.\n"
        "Neck:  Supple without nodes.  No bruits.\n"
        "Chest:  Clear.  Good air entry.  No wheeze.\n"
    )
    assert list(find_tables(typed)) == []
    table = "Rice J.  NPO  72\nCane D.  home  83\nBui T.  scan  39\n"
    assert len(list(find_tables(table))) == 1
