"""The first day of a range is a part of the date behind it."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.day_ranges import widen_ranges
from tests.taggers.mending_samples import labelled


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("Nights 3-<DATE>4/4/21</DATE> covered", "3-4/4/21"),
        ("3-<DATE>4/4/2021</DATE>", "3-4/4/2021"),
        ("off 30–<DATE>1.5.21</DATE>", "30–1.5.21"),
        ("(9-<DATE>11/05/24</DATE>)", "9-11/05/24"),
    ],
)
def test_days_before_a_date(marked: str, found: str) -> None:
    for language in ("en", "nl"):
        assert labelled(widen_ranges, marked, language) == [f"DATE:{found}"]
    spanish = marked.replace("DATE>", "FECHAS>")
    assert labelled(widen_ranges, spanish, "es") == [f"FECHAS:{found}"]


@pytest.mark.parametrize(
    "marked",
    [
        "strength 3-<DATE>4/4</DATE>",  # no year
        "28/2-<DATE>3/4/21</DATE>",
        "<DATE>28/2</DATE>-<DATE>3/4/21</DATE>",
        "L2-<DATE>4/4/21</DATE>",
        "1.5-<DATE>4/4/21</DATE>",
        "45-<DATE>4/4/21</DATE>",
        "room 3 - <DATE>4/4/21</DATE>",
        "1-2-<DATE>4/4/21</DATE>",
        "TRIAGE 4-<DATE>4/4/21</DATE>",  # no range of one day
        "TRIAGE 4-<DATE>04/4/21</DATE>",
        "3-<DATE>2021/04/04</DATE>",
        "<DATE>May 3</DATE>-<DATE>4/4/21</DATE>",
        "3-<IDNUM>4/4/21</IDNUM>",
    ],
)
def test_what_is_no_day_stays(marked: str) -> None:
    document = parse_inline(marked)
    assert widen_ranges(document.text, document.spans) == document.spans
