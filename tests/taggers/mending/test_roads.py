"""Places end where a sentence ends; what belongs to a street stays covered."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from tests.oracles.mending import cut_sentences


def left(marked: str) -> list[str]:
    """Return what is left of the marked mentions, in order."""
    document = parse_inline(marked)
    return [
        document.text[span.start : span.end]
        for span in cut_sentences(document.text, document.spans)
    ]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("lives on <STREET>Alder St. Denies plan</STREET>", ["Alder St"]),
        ("Found on <STREET>Main St. Unresponsive</STREET> on arrival", ["Main St"]),
        ("car on <HOSPITAL>Elm St. Intubated</HOSPITAL> in field", ["Elm St"]),
        ("apt on 3rd <HOSPITAL>St. Negative</HOSPITAL> for TB", ["St"]),
        ("at <ORGANIZATION>Boeing Inc. Smokes daily</ORGANIZATION>", ["Boeing Inc"]),
        ("Moved to <CITY>Toledo. Endorses low mood</CITY>.", ["Toledo"]),
        ("lives on <STREET>alder st. denies</STREET> plan", ["alder st"]),
        ("on <STREET>Park Ave. Has no phone</STREET>", ["Park Ave"]),
        ("at <STREET>14 Oak Dr. No pets</STREET>.", ["14 Oak Dr"]),
        ("Lives at 44 Pine Dr. <DOCTOR>Walks</DOCTOR> with cane", []),
        ("lives at 8 N. Deer Run Dr. <PATIENT>Denies</PATIENT> falls", []),
    ],
)
def test_the_next_sentence_is_let_go(text: str, places: list[str]) -> None:
    assert left(text) == places


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("<STREET>12 St. Denis Ave</STREET>", 1),
        ("<STREET>Dr. Martin Luther King Blvd</STREET>", 1),
        ("<STREET>33 Ave. B</STREET>", 1),
        ("<STREET>88 Walnut St. Apt 4B</STREET>", 1),
        ("<STREET>217 Railway Ave. E.</STREET>", 1),
        ("<STREET>9 Main St. No. 4</STREET>", 1),
        ("<STREET>9 Main St. No 4</STREET>", 1),
        ("<STREET>Clay St. Burns</STREET>", 1),
        ("<STREET>Elm St. East</STREET>", 1),
        ("<ORGANIZATION>Oak St. Stable</ORGANIZATION>", 1),
        ("<HOSPITAL>Alder St. Sober house</HOSPITAL>", 1),
        ("<ORGANIZATION>Platte St. Storage</ORGANIZATION>", 1),
        ("<ORGANIZATION>Chase Co. Sheriff</ORGANIZATION>", 1),
        ("<HOSPITAL>Greater St. Luke Missionary Baptist</HOSPITAL>", 1),
        ("<STREET>Alder St. Wants Karen</STREET>", 1),
        ("seen by Dr. <DOCTOR>Walks</DOCTOR> today", 1),
        ("takes 5 mg Humira. Dr. <DOCTOR>Walks</DOCTOR> agrees", 1),
        ("Lives at 44 Pine Dr. <DOCTOR>Wells</DOCTOR> agrees", 1),
        ("Lives at 44 Pine Dr. <DOCTOR>Walks</DOCTOR>, MD", 1),
        ("<PATIENT>Denies</PATIENT>", 1),
    ],
)
def test_what_belongs_to_a_place_stays(text: str, places: int) -> None:
    document = parse_inline(text)
    assert tuple(cut_sentences(document.text, document.spans)) == document.spans
    assert len(document.spans) == places
