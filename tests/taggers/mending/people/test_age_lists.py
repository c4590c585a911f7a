"""Lists of children: where one is found with an age, so are the others; doses are not."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.people.age_lists import add_age_lists
from tests.taggers.mending_samples import labelled


def made(marked: str, language: str = "en") -> list[str]:
    person = "NAME" if language == "nl" else "PATIENT"
    return labelled(
        lambda text, spans: add_age_lists(text, tuple(spans), person, language), marked, language
    )


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        (
            "mum of 3 (<PATIENT>Mabli</PATIENT> 12, Gruff 9, <PATIENT>Non</PATIENT> 5).",
            ["PATIENT:Mabli", "AGE:12", "PATIENT:Gruff", "AGE:9", "PATIENT:Non", "AGE:5"],
        ),
        (
            "sons Tolu (8), <PATIENT>Dayo</PATIENT> (5)",
            ["PATIENT:Tolu", "AGE:8", "PATIENT:Dayo", "AGE:5"],
        ),
        (
            "with <PATIENT>Brayleigh</PATIENT> 9 & Jaxx <AGE>3</AGE> w/ dad",
            ["PATIENT:Brayleigh", "AGE:9", "PATIENT:Jaxx", "AGE:3"],
        ),
        (
            "two girls, <PATIENT>Bianca</PATIENT> (14y) and Elodie (11y)",
            ["PATIENT:Bianca", "AGE:14", "PATIENT:Elodie", "AGE:11"],
        ),
    ],
)
def test_lists(marked: str, found: list[str]) -> None:
    assert made(marked) == found


def test_a_dutch_list() -> None:
    marked = "drie kinderen: <NAME>Sem</NAME> 12, Jorrit 9 en Fenna 6 wk"
    assert made(marked, "nl") == ["NAME:Sem", "AGE:12", "NAME:Jorrit", "AGE:9", "NAME:Fenna"]


@pytest.mark.parametrize(
    "marked",
    [
        "sons: (<PATIENT>Lisinopril</PATIENT> 10, Metoprolol 25)",  # no list of names
        "kids (<PATIENT>Zofran</PATIENT> 8 mg, Ativan 1 mg)",
        "kids <PATIENT>Mabli</PATIENT> 12, Metoprolol 25, Gruff 4",
        "kids C5 6, L4 5. Stage 2, Grade 3",
        "<PATIENT>Webb</PATIENT> 12, Cole 14",  # neither ages nor children
        "boys: <PATIENT>Webb</PATIENT> 12",
        "boys: <PATIENT>Webb</PATIENT> 12, Cole (14)",  # another form
        "boys: <PATIENT>Webb</PATIENT> 12/3, Cole 14/5",
        "boys: <PATIENT>Webb</PATIENT> 12, Cole 71",
    ],
)
def test_no_lists(marked: str) -> None:
    assert len(made(marked)) == marked.count("</")


def test_everyday_words_in_a_list_stay() -> None:
    marked = "kids <PATIENT>Mabli</PATIENT> 12, Puppy 6, Gruff 4, Non 2"
    assert made(marked) == ["PATIENT:Mabli", "AGE:12", "PATIENT:Gruff", "AGE:4"]


def test_what_was_found_stays() -> None:
    text = "kids Mabli 12, Gruff 9"
    spans = (Span(5, 10, "PATIENT"), Span(11, 13, "DATE"), Span(15, 20, "CITY"))
    found = add_age_lists(text, spans, "PATIENT", "en")
    assert set(spans) <= set(found)
