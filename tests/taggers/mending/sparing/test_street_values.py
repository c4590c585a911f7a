"""Values are no streets (Spanish)."""

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.street_values import spare_values
from scrubjay.taggers.mending import mend


def read(marked: str) -> tuple[str, list[str]]:
    document = parse_inline(marked)
    text, spans = document.text, document.spans
    found = list(spare_values(text, spans))
    assert mend(text, spans, "es") == tuple(found)
    return text, [f"{span.label}:{text[span.start : span.end]}" for span in found]


@pytest.mark.parametrize(
    ("marked", "left"),
    [
        ("TAO con Sintrom, INR 2,<CALLE>4 el 7/3</CALLE>.", ["FECHAS:7/3"]),
        ("Hb 11,<CALLE>2 el día 07/03/2021</CALLE>", ["FECHAS:07/03/2021"]),
        ("INR 2,<CALLE>4</CALLE>", []),
        ("INR 2,<CALLE>4 Calle Real 3</CALLE>", ["CALLE:Calle Real 3"]),
        ("<CALLE>TA 120/80</CALLE>, <CALLE>FC 72</CALLE>, <CALLE>Tª 36,6</CALLE>.", []),
        ("<CALLE>TA 120/80 mmHg, FC 72 lpm</CALLE>", []),
        ("<CALLE>INR 2,4</CALLE>", []),
    ],
)
def test_values_are_spared(marked: str, left: list[str]) -> None:
    assert read(marked)[1] == left


@pytest.mark.parametrize(
    "marked",
    [
        "Vive en <CALLE>Mayor 2,4</CALLE>",
        "Vive en <CALLE>c/ Real 12, 3º B</CALLE>",
        "Real 2, <CALLE>4 izq</CALLE>",
        "N.º 3.<CALLE>Calle Sol 4</CALLE>",
        "<CALLE>K 12 bis</CALLE>",
        "INR 2,<FECHAS>4 el 7/3</FECHAS>",
    ],
)
def test_streets_stay(marked: str) -> None:
    document = parse_inline(marked)
    text, spans = document.text, document.spans
    assert list(spare_values(text, spans)) == list(spans)


def test_the_score_of_what_is_left_stays() -> None:
    text = "INR 2,4 el 7/3"
    (found,) = spare_values(text, [Span(6, 14, "CALLE", 0.75, "crf")])
    assert found == Span(11, 14, "FECHAS")
    assert (found.score, found.source) == (0.75, "crf")
