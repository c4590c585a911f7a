"""Formulas in brackets behind what they reckon are nobody; who measured something still is."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers.mending import mend
from tests.oracles.mending import mend_by_steps, spare_formulas


def kept(marked: str) -> list[str]:
    """Return what of the marked mentions stays, in order."""
    document = parse_inline(marked)
    text = document.text
    return [text[span.start : span.end] for span in spare_formulas(text, document.spans)]


@pytest.mark.parametrize(
    "text",
    [
        "eGFR 62 (<DOCTOR>Schwartz</DOCTOR>)",
        "CrCl of 48 ml/min (<DOCTOR>Schwartz</DOCTOR>)",
        "weight 1480 g 25th centile (<DOCTOR>Fenton</DOCTOR>)",
        "HC 25th-50th centile (<PATIENT>Fenton</PATIENT>)",
        "BSA 1.9 (<DOCTOR>Mosteller</DOCTOR>)",
        "IBW 64 (<DOCTOR>Devine</DOCTOR>)",
        "40 weeks (<DOCTOR>Naegele</DOCTOR>)",
        "IOP 18/22 (<DOCTOR>Goldmann</DOCTOR>)",
        "IOP RE 14 LE 16 (<DOCTOR>Perkins</DOCTOR>)",
        "CO 4.9 (<DOCTOR>Fick</DOCTOR>).",
        "ER 8/8 (<DOCTOR>Allred</DOCTOR>)",
        "38 wks (<DOCTOR>Ballard</DOCTOR>)",
        "GA 36+2 wks (<DOCTOR>Ballard</DOCTOR>)",
        "born at 31 weeks (<DOCTOR>Dubowitz</DOCTOR>)",
        "pain 6/10 (<DOCTOR>Wong-Baker</DOCTOR>)",
        "ER 7/8, PR 4/8 (<DOCTOR>Allred</DOCTOR>)",
        "EF 55% (<PATIENT>Simpson</PATIENT>)",
        "1750 kcal (<DOCTOR>Mifflin-St Jeor</DOCTOR>)",
        "normal forms 4% (<DOCTOR>Kruger</DOCTOR>)",
    ],
)
def test_formulas_are_nobody(text: str) -> None:
    assert kept(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("BP 120/80 (<DOCTOR>Schwartz</DOCTOR>)", "Schwartz"),
        ("eGFR down (<DOCTOR>Schwartz</DOCTOR>)", "Schwartz"),
        ("eGFR 62 (<DOCTOR>Fenton</DOCTOR>)", "Fenton"),
        ("eGFR 62. Seen in clinic (<DOCTOR>Schwartz</DOCTOR>)", "Schwartz"),
        ("eGFR 62 (<DOCTOR>Schwartz</DOCTOR> aware)", "Schwartz"),
        ("eGFR 62 (d/w <DOCTOR>Schwartz</DOCTOR>)", "Schwartz"),
        ("eGFR 62 <DOCTOR>Schwartz</DOCTOR>", "Schwartz"),
        ("Wt 82, foley out (<DOCTOR>Fenton</DOCTOR>)", "Fenton"),
        ("EF 55% per echo. Cards (<DOCTOR>Simpson</DOCTOR>)", "Simpson"),
        ("ate 50% (<DOCTOR>Fenton</DOCTOR>)", "Fenton"),
        ("gave 4 morph (<DOCTOR>Kruger</DOCTOR>)", "Kruger"),
        ("drain output 120 (<DOCTOR>Fick</DOCTOR>)", "Fick"),
        ("pressure 120 (<DOCTOR>Goldmann</DOCTOR>)", "Goldmann"),
        ("pain 6/10, nurse (<DOCTOR>Simpson</DOCTOR>)", "Simpson"),
        ("ER visit (<DOCTOR>Allred</DOCTOR>)", "Allred"),
        ("seen 8 weeks ago (<DOCTOR>Ballard</DOCTOR>)", "Ballard"),
        ("IOP checked (<DOCTOR>Goldmann</DOCTOR>)", "Goldmann"),
        ("F/u in 2 weeks (<DOCTOR>Ballard</DOCTOR>)", "Ballard"),
        ("F/u in 24 weeks (<DOCTOR>Ballard</DOCTOR>)", "Ballard"),
        ("back in about 20 wks (<DOCTOR>Ballard</DOCTOR>)", "Ballard"),
        ("GA clinic 3/4 (<DOCTOR>Ballard</DOCTOR>)", "Ballard"),
        ("6 weeks (<DOCTOR>Naegele</DOCTOR>)", "Naegele"),
        ("due 3/4 (<DOCTOR>Naegele</DOCTOR>)", "Naegele"),
        ("IOP recheck in 2 wks (<DOCTOR>Perkins</DOCTOR>)", "Perkins"),
        ("IOP recheck 2w (<DOCTOR>Perkins</DOCTOR>)", "Perkins"),
        ("IOP 14 per tech (<DOCTOR>Perkins</DOCTOR>)", "Perkins"),
        ("IOP 10/12 (<DOCTOR>Goldmann</DOCTOR>)", "Goldmann"),
        ("GFR in 4 weeks (<DOCTOR>Schwartz</DOCTOR>)", "Schwartz"),
        ("eGFR 62 today, seen 3/4 (<DOCTOR>Schwartz</DOCTOR>)", "Schwartz"),
        ("eGFR 62, 3/4 (<DOCTOR>Schwartz</DOCTOR>)", "Schwartz"),
        ("eGFR 62 on 3/4/24 (<DOCTOR>Schwartz</DOCTOR>)", "Schwartz"),
        ("EF in 3 months (<DOCTOR>Simpson</DOCTOR>)", "Simpson"),
        ("IOL 3/4 (<DOCTOR>Barrett</DOCTOR>)", "Barrett"),
        ("seen 8/8 (<DOCTOR>Allred</DOCTOR>)", "Allred"),
        ("ordered 5 units, co-signed (<DOCTOR>Fick</DOCTOR>)", "Fick"),
    ],
)
def test_who_measured_stays(text: str, name: str) -> None:
    assert kept(text) == [name]


def test_mending_spares_them() -> None:
    document = parse_inline("eGFR 62 (<DOCTOR>Schwartz</DOCTOR>) and d/w <DOCTOR>Schwartz</DOCTOR>")
    spans = mend(document.text, document.spans, "en")
    assert [span.start for span in spans] == [27]
    assert tuple(mend_by_steps(document.text, document.spans, "en")) == spans
    assert len(mend(document.text, document.spans, "nl")) == 2
