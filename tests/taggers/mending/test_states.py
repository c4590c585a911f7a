"""A state behind a town whose letters are a title, too."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.states import add_states
from scrubjay.taggers.mending import mend


def _states(marked: str) -> list[str]:
    document = parse_inline(marked)
    rows = add_states(document.text, document.spans)
    assert [row for row in mend(document.text, document.spans, "en") if row.label == "STATE"] == [
        row for row in rows if row.label == "STATE"
    ]
    return [document.text[row.start : row.end] for row in rows if row.label == "STATE"]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("lives in <CITY>Lake City</CITY>, MD. She came", ["MD"]),
        ("from <CITY>Laketown</CITY>, MD\nDr. Roe, MD", ["MD"]),
        ("seen by <DOCTOR>A. Roe</DOCTOR>, MD.", []),
        ("from <CITY>Laketown</CITY>, MDMA use", []),
        ("from <CITY>Laketown</CITY>, <STATE>MD</STATE>", ["MD"]),
    ],
)
def test_a_town_is_in_maryland(marked: str, expected: list[str]) -> None:
    assert _states(marked) == expected
