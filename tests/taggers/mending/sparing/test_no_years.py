"""Amounts and times of the clock are no years; years beside them still are."""

from __future__ import annotations

import pytest

from tests.oracles.mending import kept_portions


@pytest.mark.parametrize(
    "text",
    [
        "UOP <DATE>1980</DATE> / 24 h",
        "UOP <DATE>1980</DATE>.",
        "needs <DATE>1900</DATE>-<DATE>2050</DATE> kcal",
        "Diet <DATE>2000</DATE> calories, low salt",
        "Birth wt <DATE>1985</DATE>, 33 wks",
        "weighed <DATE>2040</DATE> g",
        "walked, <DATE>2050</DATE> steps",
        "voided <DATE>1950</DATE> cc",
        "Step count <DATE>1950</DATE>.",
        "Net -<DATE>1950</DATE>. Drain output <DATE>1985</DATE> total",
        "I/O <DATE>2040/1985</DATE>.",
        "CK 4500 -> <DATE>2011</DATE> -> 900",
        "BNP 3200 (up from <DATE>2044</DATE>)",
        "lipase 900, down from <DATE>2011</DATE>.",
        "Time seen <DATE>1950</DATE>. Requested by ED",
        "Time of death <DATE>2010</DATE>",
        "6MWD <DATE>1980</DATE> ft",
        "Calories <DATE>1975</DATE>. Fluids <DATE>2000</DATE>.",
        "NTG x1 at <DATE>1952</DATE>, pain free",
        "Dilaudid given at <DATE>2010</DATE> by RN",
        "Dilaudid given at <DATE>2010</DATE> in CT",
        "report 1845. Seen again, at <DATE>2010</DATE> in bed",
        "<DATE>2030</DATE> hrs: asleep",
        "1815 report. <DATE>1930</DATE> pt resting in bed. 2105 asleep",
        "<DATE>1945</DATE> meds given, <DATE>2015</DATE> given Tylenol, 2130 asleep",
        "1845 to CT\n<DATE>1950</DATE> back from CT\n<DATE>2020</DATE> IV placed\n2115 voided",
    ],
)
def test_amounts_and_times_are_no_years(text: str) -> None:
    assert kept_portions(text) == []


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("CABG in <DATE>2005</DATE>", ["2005"]),
        ("PMH: <DATE>2005</DATE> CABG. <DATE>2010</DATE> stroke. <DATE>2015</DATE> TKR", 3),
        ("<DATE>2005</DATE> CABG", ["2005"]),
        ("0700 report. CABG <DATE>2005</DATE>. 2100 asleep", ["2005"]),
        ("0700 report. <DATE>2005</DATE> CABG noted. 0745 assessed", ["2005"]),
        ("0700 report. In <DATE>2005</DATE> she fell. 2100 asleep", ["2005"]),
        ("retired at <DATE>2027</DATE>", ["2027"]),
        ("retirement, which I've put at <DATE>2027</DATE>; call 0900", ["2027"]),
        ("diagnosed at <DATE>2010</DATE>", ["2010"]),
        ("seen at <DATE>2010</DATE> visit", ["2010"]),
        ("polyp found at <DATE>2005</DATE> colonoscopy", ["2005"]),
        ("LVH noted at <DATE>2008</DATE> stress echo", ["2008"]),
        ("since <DATE>2015</DATE> steps are hard", ["2015"]),
        ("ferritin <DATE>2019</DATE>, colonoscopy <DATE>2020</DATE>", ["2019", "2020"]),
        ("Ferritin <DATE>2019</DATE>.", ["2019"]),
        ("Ferritin <DATE>2019</DATE>, TIBC 240, Iron 40", ["2019"]),
        ("lipase <DATE>2011</DATE>, amylase 80", ["2011"]),
        ("Ferritin 18 (from <DATE>2019</DATE>)", ["2019"]),
        ("Ferritin 1800 (from <DATE>2019</DATE>)", ["2019"]),
        ("AFP 12 (baseline <DATE>2017</DATE>)", ["2017"]),
        ("D-dimer 450 (prev <DATE>2019</DATE>)", ["2019"]),
        ("D-dimer 1450 (prev <DATE>2019</DATE>)", ["2019"]),
        ("CA-125 12 (from <DATE>2016</DATE>)", ["2016"]),
        ("CA-125 120 -> <DATE>2016</DATE>", ["2016"]),
        ("CA-125 12 (down from <DATE>2016</DATE>)", ["2016"]),
        ("ferritin 1200 (up from <DATE>2019</DATE>)", ["2019"]),
        ("BNP 3200 (was <DATE>2014</DATE>)", ["2014"]),
        ("ferritin <DATE>2019</DATE> was 120, CRP 4", ["2019"]),
        ("Colonoscopy <DATE>2019</DATE>, CRP 4", ["2019"]),
        ("labs <DATE>2019</DATE>, ferritin 300, CRP 4", ["2019"]),
        ("CK 210 in <DATE>2011</DATE>, CRP 4", ["2011"]),
        ("B12 injections <DATE>2011</DATE>, CRP 4", ["2011"]),
        ("first time <DATE>2010</DATE>", ["2010"]),
        ("PSA (<DATE>2019</DATE>) 4", ["2019"]),
        ("in <DATE>2019</DATE> units of blood given", ["2019"]),
        ("MI <DATE>1998</DATE>, PCI <DATE>2010</DATE>.", ["1998", "2010"]),
        ("Intake <DATE>2015</DATE>.", ["2015"]),
        ("winters <DATE>2030/2031</DATE>", ["2030/2031"]),
        ("since <DATE>2019</DATE> feet numb", ["2019"]),
        ("on the net <DATE>2019</DATE>.", ["2019"]),
        ("born <DATE>1950</DATE>. 2100 asleep", ["1950"]),
        ("May <DATE>2010</DATE>, 2100 asleep", ["2010"]),
        ("0900 seen. 3/4/<DATE>2010</DATE> scan was normal. 2100 asleep", ["2010"]),
        ("seen at <DATE>1998</DATE> reunion", ["1998"]),
    ],
)
def test_years_beside_them_stay(text: str, years: list[str] | int) -> None:
    left = kept_portions(text)
    assert (len(left) if isinstance(years, int) else left) == years
