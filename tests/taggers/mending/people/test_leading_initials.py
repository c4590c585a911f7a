"""An initial before a surname belongs to the name, and the end of a sentence does not."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.people.leading_initials import widen_initials
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces

STAFF = "NOMBRE_PERSONAL_SANITARIO"


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("informar.\nG. {Cánovas} (firma)", "G. Cánovas"),
        ("Vo.Bo. I. {Canedo}\n", "I. Canedo"),
        ("Avelina sí quiere. S. {Yus}\n", "S. Yus"),
        ("Firman: J. M. {Arce} y otros", "J. M. Arce"),
        ("Lo vieron Gil y A. {Soto}.", "A. Soto"),
    ],
)
def test_initials_are_of_the_name(marked: str, name: str) -> None:
    text, span = read_braces(marked, STAFF)
    (after,) = widen_initials(text, (span,))
    assert text[after.start : after.end] == name
    assert after in mend(text, [span], "es")


@pytest.mark.parametrize(
    "marked",
    [
        "Virus de hepatitis C. {Pérez} acude",
        "(D. {Anselmo}, el párroco)",
        "El letrado D. {Bartolomé Egea}.",
        "B. {PROGENITORES}\n",
        "Dra. {Cánovas}",
        "sin dolor. {Cánovas} llama",
    ],
)
def test_others_are_left(marked: str) -> None:
    text, span = read_braces(marked, STAFF)
    assert widen_initials(text, (span,)) == (span,)


def test_what_was_found_before_stays() -> None:
    text, first = read_braces("Firma: {J}. Arce", STAFF)
    _, second = read_braces("Firma: J. {Arce}", STAFF)
    assert widen_initials(text, (first, second)) == (first, second)
