"""Rows of values of the laboratory, beside numbers and days that have their shape."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.value_rows import (
    _BEFORE,
    _ROW,
    MEASURED,
    is_value_row,
    may_be_value_row,
)
from scrubjay.taggers.mending import mend


def marked(text: str, label: str) -> tuple[str, Span]:
    start, end = text.index("{"), text.index("}") - 1
    return text.replace("{", "").replace("}", ""), Span(start, end, label)


@pytest.mark.parametrize(
    "text",
    [
        "Na {129 137 135-145}", "Na          {129       137       135-145}\nK 3,1",
        "{Natrium     129    137    135-145}", "NT-proBNP {9880 2110} <300",
        "Vancomicina valle 17,2 ({15-20}).", "HCO3 18 ({22-29})", "CRP 61 ({0-10})",
        "LDH {244 (125-220})", "Gluc 5,1 {4-7}.", "CA {15-3} 34", "Ca {19-9}: 12",
        "Na 129 -> 134 {135-145}",
    ],
)  # fmt: skip
@pytest.mark.parametrize(("language", "label"), [("es", "OTRO_NUMERO_IDENTIF"), ("nl", "ID")])
def test_rows_ranges_and_markers_are_spared(text: str, language: str, label: str) -> None:
    plain, span = marked(text, label)
    assert mend(plain, [span], language) == ()


@pytest.mark.parametrize(
    "text",
    [
        "INR 2,4 ({18-6}), controle", "Hb {3-4} bepaald", "Tel {643 88 10 57}",
        "Na {643 88 10 57}", "gezien ({15-20})", "K {06 1234 5678}", "Na 129 op {15-3}",
        "Kalium 4,1. Gezien {3-4}", "CA {15-4}", "Na\n{129 137 135-145}", "Hb 7,1 {10-12}-2021",
        "DNI {129 137 135-145}", "Na {12-11-24} geen klachten", "Na {2-3-7} beter",
        "CRP {12-11-24} geprikt", "Hb {3-4-19}", "40 mg {3-4-5} verhoogd", "Na {12.11.24} gezien",
        "Na {12-11-2024} beter", "Na {12 11 10} gebeld", "TSH {2024-11-12}",
        "Hb   {22   11   24}", "P {1 2 2024}",
    ],
)  # fmt: skip
def test_numbers_and_days_stay(text: str) -> None:
    plain, span = marked(text, "ID")
    mention = plain[span.start : span.end]
    assert not (may_be_value_row(mention) and is_value_row(plain, span))


@given(st.text("0123456789 -,.()<KNa\n", min_size=1, max_size=40), st.data())
def test_any_mention_is_taken_without_an_error(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    may_be_value_row(text[start:end])
    assert is_value_row(text, Span(start, end, "ID")) in (True, False)


#: What rows and the values before them are, in plain words: as fast for few characters alone.
PLAIN_ROW = re.compile(r"(?:[<>]?\d{1,5}(?:[.,]\d{1,3})?[ \t]*(?:[-–(\[]|[ \t])?[ \t]*)+[)\]]?")
PLAIN_VALUE = r"[<>]?[ ]?\d{1,5}(?:[.,]\d{1,3})?[ ]?[*HL↑↓]?"
PLAIN_BEFORE = re.compile(
    rf"(?<![\w/.-])(?:{MEASURED})(?:[ ](?:valle|dal|piek|pico|total|totaal))?[ \t]*[:=]?[ \t]*"
    rf"(?P<values>(?:{PLAIN_VALUE}[ \t;→>-]{{1,12}})*)[(\[]?\Z",
    re.IGNORECASE,
)
SIGNS = st.sampled_from([*"1234", "12", "7,1", "3.5", *" \t<>-–([)]/x;*H↑", "  ", " - "])


@given(st.lists(SIGNS, max_size=8).map("".join))
def test_rows_and_values_before_are_those_of_plain_expressions(text: str) -> None:
    assert (_ROW.fullmatch(text) is None) == (PLAIN_ROW.fullmatch(text) is None)
    for start in ("Na", "Hb: ", "x Cr ="):
        found, plain = _BEFORE.search(start + text), PLAIN_BEFORE.search(start + text)
        assert (found and (found.span(), found["values"])) == (
            plain and (plain.span(), plain["values"])
        )


@pytest.mark.parametrize("piece", ["1", "1.1", "11.11", "1 ", "1  ", "1 - ", "1 > ", "1 H  "])
def test_many_digits_and_blanks_take_no_time(piece: str) -> None:
    # Each more doubled the time at least: of these it would have no end.
    assert _ROW.fullmatch(piece * 60 + "/1") is None
    assert _BEFORE.search("Na " + piece * 60 + "x") is None
    assert not may_be_value_row((piece * 64)[:60] + "/1")
