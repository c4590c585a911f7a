"""Abbreviations in capitals behind an age are no part of it."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers.mending import mend


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("417 Roe T. <AGE>45 DKA</AGE>, NPH", "nl", "45"),
        ("Roe <AGE>81 HF</AGE>, furo", "nl", "81"),
        ("seen <AGE>45 DKA</AGE>, x", "en", "45"),
        ("414 dhr. Roe in <ADDRESS>'t Wei 77 HF</ADDRESS>, furo", "nl", "'t Wei 77"),
        ("ROE <AGE>70 JR</AGE>, x", "nl", "70 JR"),
        ("ROE, <AGE>70 YO</AGE>, x", "en", "70 YO"),
        ("woont <ADDRESS>Kade 77 HF</ADDRESS>, x", "nl", "Kade 77 HF"),
        ("dhr. Roe, <ADDRESS>Kade 77 HS</ADDRESS>, x", "nl", "Kade 77 HS"),
    ],
)
def test_what_somebody_has_is_no_age(marked: str, language: str, expected: str) -> None:
    document = parse_inline(marked)
    rows = mend(document.text, document.spans, language)
    assert [document.text[row.start : row.end] for row in rows] == [expected]
