"""Days of birth whose figures stand apart, and other figures that do."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.boxed_days import mend_boxed
from scrubjay.taggers.mending import mend


def _mended(marked: str, language: str = "en") -> list[str]:
    document = parse_inline(marked)
    rows = mend_boxed(document.text, document.spans, language)
    assert mend(document.text, document.spans, language) == rows
    return [f"{row.label} {document.text[row.start : row.end]}" for row in rows]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("D.O.B. (dd/mm/yyyy): 0 7 / 1 1 / 1 9 3 8", "en", "DATE 0 7 / 1 1 / 1 9 3 8"),
        ("D.O.B.: 0 <DATE>7 / 1 1 / 1 9 3 8</DATE>", "en", "DATE 0 7 / 1 1 / 1 9 3 8"),
        ("DOB: 0 <IDNUM>7 1 1 1 9</IDNUM> <AGE>3 8</AGE> M", "en", "DATE 0 7 1 1 1 9 3 8"),
        ("DOB:\n|_0_|_7_|_1_|_1_|_1_|_9_|_3_|_8_|", "en", "DATE 0_|_7_|_1_|_1_|_1_|_9_|_3_|_8"),
        ("birth date [1] [9] [3] [8] [0] [7] [1] [1]", "en", "DATE 1] [9] [3] [8] [0] [7] [1] [1"),
        ("Geb.datum: 0 7 - 1 1 - 1 9 3 8", "nl", "DATE 0 7 - 1 1 - 1 9 3 8"),
        ("Fecha de nacimiento: 0 7 1 1 1 9 3 8.", "es", "FECHAS 0 7 1 1 1 9 3 8"),
        ("DOB |0|3|1|2|<DATE>8|4</DATE>| Name", "en", "DATE 0|3|1|2|8|4"),
        ("D.O.B. (dd/mm/yy): 0 7 / 1 1 / 3 8", "en", "DATE 0 7 / 1 1 / 3 8"),
        ("Geb.datum: [0] [7] [1] [1] [3] [8]", "nl", "DATE 0] [7] [1] [1] [3] [8"),
        ("F. nac.: 8 4 - 0 3 - 1 2.", "es", "FECHAS 8 4 - 0 3 - 1 2"),
        ("born: 1 2 3 1 6 2", "en", "DATE 1 2 3 1 6 2"),
        ("DOB <DATE>0 7 1 1 1 9 3 8 (87</DATE> y)", "en", "DATE 0 7 1 1 1 9 3 8 (87"),
    ],
)  # fmt: skip
def test_figures_apart_are_one_day_of_birth(marked: str, language: str, expected: str) -> None:
    assert _mended(marked, language) == [expected]


@pytest.mark.parametrize(
    "marked",
    [
        "GCS 0 7 / 1 1 / 1 9 3 8", "DOB: 0 7 / 3 2 / 1 9 3 8", "DOB: 9 9 1 1 1 9 3 8 1",
        "born at term, scores 0 1 0 2 1 2", "GCS 0 7 / 1 1 / 3 8", "DOB: 0 7 / 3 2 / 3 8",
        "DOB: 0 0 1 2 8 4", "DOB: see chart, 0 7 1 1 3 8", "DOB: 0 7 1 1 3",
        "DOB unknown. Pain scores 5 7 7 6 4 4 3 2", "reborn: 0 7 1 1 1 9 3 8",
    ],
)  # fmt: skip
def test_other_figures_are_none(marked: str) -> None:
    assert _mended(marked) == []
