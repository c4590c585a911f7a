"""Years of two digits behind operations and events are found; sizes, counts and ages are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.event_years import add_event_years
from scrubjay.taggers.mending import mend


def found(text: str) -> list[str]:
    spans = add_event_years(text, ())
    assert mend(text, (), "en") == spans
    assert {span.label for span in spans} <= {"DATE"}
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("PMH: HTN, MI 06, PCI 15, CABG '09, lami 03.", ["06", "15", "03"]),
        ("PSH: appy 82, chole 02", ["82", "02"]),
        ("lap band 08, removed 13", ["08", "13"]),
        ("dx 03, mets 05", ["03", "05"]),
        ("PTCA 97, stent LAD 04, stent RCA 11", ["97", "04", "11"]),
        ("DVT 05, PE 07", ["05", "07"]),
        ("C-section x2 (01, 04)", ["01", "04"]),
        ("CABG(96), redo (08)", ["96", "08"]),
        ("stents x3 (05,07,11)", ["05", "07", "11"]),
        ("L TKR 18, R THA 12; cataracts OU 06", ["18", "12", "06"]),
        ("PPD neg 03, BCG", ["03"]),
        ("colo 19 neg", ["19"]),
        ("s/p CABG 99 w/ LIMA", ["99"]),
        ("quit smoking 93; ETOH none", ["93"]),
        ("MVA 79 w/ splenectomy", ["79"]),
        ("TAH/BSO 03", ["03"]),
        ("FH: dad CAD. PSH: chole 02", ["02"]),
        ("AVR 02", ["02"]),
        ("ICD 07\n", ["07"]),
    ],
)
def test_years(text: str, years: list[str]) -> None:
    assert found(text) == years


@pytest.mark.parametrize(
    "text",
    [
        # sizes, levels, counts, rates, codes
        "stent 15 mm", "PCI x2", "lami L4-5", "EF 45", "LAD 40, LCx 30", "TAVR 23, doing well",
        "CABG 03-05", "ICD 10, F32", "ICD 09, F32", "PPM 60, paced", "TKA 12 wks", "CABG 10% risk",
        "PCI 12.5", "PCI 15.5", "TKR 45", "POD 12", "CABG 3", "PE 10/10", "TKA 102", "PCI 15mm",
        "colo 10 polyps", "PCI 45.", "TKR 90 deg", "PE GCS 15", "dx 62", "retired 65", "quit 20",
        "CABG 03: cath LAD 20, RCA 10", "dep 02", "suffix 03", "seq 02, HIV",
        # ages
        "dad MI 15", "FH: mother CVA 12, dad MI 05", "sister mastectomy 29",
        # days and other dates are found otherwise
        "TKR 2/18", "appy 1988", "PCI '15",
        "xPCI 15", "PCI-15", "PCI  15", "15", "(03)", " 03", "",
    ],
)  # fmt: skip
def test_others(text: str) -> None:
    assert found(text) == []


def test_what_is_found_stays() -> None:
    own = (Span(4, 6, "AGE"),)
    assert add_event_years("PCI 15", own) == own
    assert mend("PCI 15", (), "en", labels={"AGE"}) == ()
    assert mend("PCI 15", (), "nl") == ()


PIECES = st.sampled_from([
    "PCI", "stents", "x3", "L ", "TKR", "CABG", " ", " (", "(", ")", "03", "15", "97", "7", ", ",
    ",", "; ", " and ", "'", "dad ", "\n", ".", "mm", "É", "漢", "٠٣", "/",
])  # fmt: skip


@given(st.lists(st.lists(PIECES, max_size=9).map("".join), max_size=3))
def test_places_that_are_looked_for_are_enough(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        assert add_event_years(text, (), cues.years) == add_event_years(text, ())
