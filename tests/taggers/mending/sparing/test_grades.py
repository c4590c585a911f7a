"""Grades, pressures and pain beside what is graded are no days; days beside them stay."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.sparing.grades import is_grade, may_be_grade
from scrubjay.taggers.mending import mend


def kept(marked: str, language: str) -> list[str]:
    """Return what of the marked mentions stays, in order."""
    document = parse_inline(marked)
    text = document.text
    return [text[span.start : span.end] for span in mend(text, document.spans, language)]


@pytest.mark.parametrize(
    "text",
    [
        "ECOG <DATE>1-2</DATE>, ASA <DATE>2-3</DATE>",
        "NYHA: <DATE>2/3</DATE>",
        "WHO <DATE>1-2</DATE>",
        "ECOG PS <DATE>0-1</DATE>.",
        "graad <DATE>2-4</DATE>",
        "Mallampati class <DATE>2-3</DATE>",
        "WHO class <DATE>2/3</DATE>",
        "stage <DATE>3/4</DATE> CKD",
        "<NAME>Hess</NAME> <DATE>3/10</DATE> pijn",
        "Dhr. <NAME>Bakker</NAME> <DATE>3/10</DATE> pijn, slaapt slecht",
        "motor <DATE>5/5</DATE> RUE, <DATE>3/5</DATE> LLE",
        "test neg, pain <DATE>10/10</DATE> -> <DATE>2/10</DATE>",
        "pain now <DATE>4/10</DATE> down from <DATE>8/10</DATE>, sleeps",
        "VAS <DATE>9/10</DATE> → <DATE>5/10</DATE> → <DATE>1/10</DATE>",
        "<DATE>9/10</DATE> -> <DATE>3/10</DATE> pain after morphine",
    ],
)
@pytest.mark.parametrize("language", ["nl", "en"])
def test_grades(text: str, language: str) -> None:
    names = [s for s in parse_inline(text).spans if s.label == "NAME"]
    assert len(kept(text, language)) == len(names)


def test_pressures_are_told_in_cm_in_dutch_and_not_in_english() -> None:
    for text in ("RR <DATE>12/8</DATE>, pols 80", "tensie: <DATE>16/9</DATE>"):
        assert kept(text, "nl") == []
    assert kept("RR <DATE>12/8</DATE> 16, sat 98", "en") == ["12/8"]


@pytest.mark.parametrize(
    "text",
    [
        "TA <FECHAS>12/8</FECHAS>", "TA: <FECHAS>13/7</FECHAS>, FC 80",
        "tensión arterial <FECHAS>12/8</FECHAS>", "ECOG <FECHAS>1-2</FECHAS>",
        "grado <FECHAS>2-3</FECHAS>", "Ruiz <FECHAS>3/10</FECHAS> dolor",
    ],
)  # fmt: skip
def test_spanish(text: str) -> None:
    assert kept(text, "es") == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("ECOG op <DATE>1-2</DATE>", "1-2"),
        ("ECOG <DATE>1-2-2024</DATE>", "1-2-2024"),
        ("ECOG <DATE>3-2</DATE>", "3-2"),
        ("ECOG <DATE>2/4</DATE>", ""),  # as of all scales of four points
        ("NYHA <DATE>1/3</DATE>", "1/3"),
        ("adm <DATE>4/10</DATE> -> 8/10", "4/10"),
        ("unfit from <DATE>3/10</DATE> to 4/10", "3/10"),
        ("moved <DATE>9/10</DATE> -> 6/11", "9/10"),
        ("Appt moved <DATE>9/10</DATE> -> 8/10", "9/10"),
        ("Appt moved 9/10 -> <DATE>8/10</DATE>", "8/10"),
        ("admitted <DATE>9/10</DATE> -> 3/10", "9/10"),
        ("pain. Went 9/10 -> <DATE>3/10</DATE>", "3/10"),
        ("pain clinic <DATE>9/10</DATE> -> 8/10", "9/10"),
        ("TA <DATE>12/8</DATE>", "12/8"),
        ("RR <DATE>12/8</DATE>: 140/80", "12/8"),
        ("RR <DATE>12/8</DATE> 140/80", "12/8"),
        ("RR <DATE>8/12</DATE>", "8/12"),
        ("gezien door Hess <DATE>3/10</DATE> pijn in de rug", "3/10"),
        ("seen by Hess <DATE>3/10</DATE>", "3/10"),
        ("seen by Hess <DATE>3/10/24</DATE>", "3/10/24"),
        ("<DATE>3/10</DATE> pijn beter", "3/10"),
        ("koorts. <DATE>3/10</DATE> pijn beter", "3/10"),
        ("Hess <DATE>3/10</DATE>, pijn", "3/10"),
        ("Hess <DATE>3/10</DATE> pijnpoli", "3/10"),
        ("Hess <DATE>3/10</DATE> pain clinic", "3/10"),
        ("visit <DATE>4/5</DATE> LUE cast off", "4/5"),
        ("RR <DATE>12/8</DATE> thuis 140/80", "12/8"),
        ("RR <DATE>10/9</DATE> - 150/90", "10/9"),
        ("bloeddruk <DATE>12/6</DATE> (140/80)", "12/6"),
        ("Opgenomen <DATE>3/10</DATE> pijn buik", "3/10"),
        ("mw. belt <DATE>31/10</DATE> pijn", "31/10"),
        ("gebeld <DATE>3/10</DATE> pijn", "3/10"),
        ("klasse <DATE>3/4</DATE>", "3/4"),
    ],
)
def test_days_stay(text: str, day: str) -> None:
    assert kept(text, "nl") == ([day] if day else [])


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("DM class <DATE>3/4</DATE> at noon", "3/4"),
        ("Diabetes education class: <DATE>2/3</DATE>", "2/3"),
        ("Held ASA <DATE>3/4</DATE>", "3/4"),
        ("restart ASA <DATE>2/3</DATE>", "2/3"),
        ("Discharged <DATE>3/10</DATE> pain controlled", "3/10"),
        ("Admitted <DATE>3/10</DATE> pain and vomiting", "3/10"),
        ("strength training <DATE>3/5</DATE> LE", "3/5"),
        ("motor vehicle accident <DATE>3/5</DATE> LE fracture", "3/5"),
    ],
)
def test_days_stay_in_english(text: str, day: str) -> None:
    assert kept(text, "en") == [day]


def test_shapes_are_told_alone() -> None:
    assert [m for m in ("1-2", "2/3", "12/8", "3/10", "4/5") if not may_be_grade(m)] == []
    assert not any(may_be_grade(m) for m in ("", "3-1", "30/8", "12/3", "3/11", "1-2-24", "10 mei"))
    assert not is_grade("ECOG 6-7", 5, 8, "nl")
    assert not is_grade("Appt for pain moved 9/10 -> 8/10", 28, 32, "en")
