"""Texts and lines that lack capitals, or have no other letters, are told from others."""

from __future__ import annotations

import pytest

from scrubjay.text.one_case import lacks_capitals, lower_capitals, stands_in_capitals


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("pt is doing well and eats", True),
        ("PT IS DOING WELL AND EATS HIS BREAKFAST TODAY", True),
        ("Patient seen. Mr Smith eats well.", False),
        ("The pt is doing well and eats", False),
        ("COPD", False),
        ("HGB WBC PLT NA", False),
        ("", False),
        ("120/80 98.6", False),
    ],
)
def test_a_text_lacks_capitals_where_hardly_a_word_has_one(text: str, lacks: bool) -> None:
    assert lacks_capitals(text) is lacks


@pytest.mark.parametrize(
    ("text", "lowered"),
    [
        (
            "Dr. Lee.\n\nIMPRESSION: NO ACUTE FINDING IN THE LUNGS\nAND CHEST, GAVE HIM 5 mg\nRoe",
            "Dr. Lee.\n\nimpression: no acute finding in the lungs\nand chest, gave him 5 mg\nRoe",
        ),
        ("DISCHARGE SUMMARY FOR JOHN SMITH. SEEN BY DR LEE", "discharge summary"),
        ("HISTORY OF PRESENT ILLNESS:\nSeen by Dr. Lee.", ""),
        ("NAME: ROE, ANN MARY\nDOB: 1/2/1950\nWARD: 5 WEST TELEMETRY\nSeen today by Dr. Lee.", ""),
        ("CT CHEST AND ABDOMEN WITH CONTRAST: Seen by Dr. Lee today.", ""),
        ("seen by dr lee today, no pain", ""),
        ("", ""),
    ],
)
def test_lines_in_capitals_alone_are_lowered(text: str, lowered: str) -> None:
    found = lower_capitals(text)
    if lowered:
        assert found.startswith(lowered)
    else:
        assert found is text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SHE HAS A COLD AND HER HAND IS VERY COLD", True),
        ("Seen at home.\nSHE HAS A COLD AND HER HAND IS VERY COLD\nWell today.", True),
        ("Seen at home today by Ann Smith, and told COLD to rest", False),
        ("seen at home today and told COLD to rest and drink", False),
        ("she has a cold and her hand is very cold", False),
        ("COLD", False),
    ],
)
def test_words_among_capitals_alone(text: str, expected: bool) -> None:
    start = text.lower().index("cold")
    assert stands_in_capitals(text, start, start + 4) is expected
