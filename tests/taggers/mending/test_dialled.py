"""Numbers that are said digit by digit go on behind their pauses, and no further."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.dialled import widen_dialled
from scrubjay.taggers.mending import mend

NUMBER = "six four six, five five five, zero one double two"


def _widened(marked: str, language: str) -> list[str]:
    document = parse_inline(marked)
    rows = widen_dialled(document.text, document.spans, language)
    assert [row.end for row in mend(document.text, document.spans, language)] == [
        row.end for row in rows
    ]
    return [document.text[row.start : row.end] for row in rows]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("is <PHONE>six four six, five five five</PHONE>, zero one double two. She", "en", NUMBER),
        ("is <PHONE>six four six</PHONE>, five five five, zero one double two", "en", NUMBER),
        (
            "<PHONE>six four six</PHONE>, <PHONE>five five five</PHONE>, zero one double two",
            "en",
            NUMBER,
        ),
        ("at <PHONE>Five oh five</PHONE> - triple nine,\none six", "en",
         "Five oh five - triple nine,\none six"),
        ("MRN <MEDICALRECORD>four four seven</MEDICALRECORD>. two nine", "en",
         "four four seven. two nine"),
        ("bel <PHONE_FAX>nul zes, een twee</PHONE_FAX>, drie vier", "nl",
         "nul zes, een twee, drie vier"),
    ],
)  # fmt: skip
def test_a_number_goes_on_behind_a_pause(marked: str, language: str, expected: str) -> None:
    assert _widened(marked, language) == [expected]


@pytest.mark.parametrize(
    "marked",
    [
        "at <PHONE>six four six</PHONE>, two kids came",
        "at <PHONE>six four six</PHONE>, and five five five",
        "at <PHONE>six four six</PHONE>, five fivefold",
        "at <PHONE>646-555-0122</PHONE>, one two three",
        "on <DATE>one nine</DATE>, two two",
    ],
)
def test_other_words_are_left(marked: str) -> None:
    document = parse_inline(marked)
    assert widen_dialled(document.text, document.spans, "en") == document.spans
