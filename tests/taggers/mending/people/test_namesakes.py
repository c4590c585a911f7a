"""First names have the label of the full name that begins with them (Spanish)."""

from __future__ import annotations

from time import process_time

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.people.namesakes import agree_namesakes
from tests.taggers.mending_samples import labelled

LABELS = {
    "P": "NOMBRE_SUJETO_ASISTENCIA",
    "S": "NOMBRE_PERSONAL_SANITARIO",
    "K": "FAMILIARES_SUJETO_ASISTENCIA",
}


def _letters(marked: str) -> str:
    """Return the short labels of the names, in order."""
    for short, label in LABELS.items():
        marked = marked.replace(f"<{short}>", f"<{label}>").replace(f"</{short}>", f"</{label}>")
    short_of = {label: short for short, label in LABELS.items()}
    rows = labelled(agree_namesakes, marked, "es")
    return "".join(short_of[row.split(":")[0]] for row in rows)


@pytest.mark.parametrize(
    ("marked", "letters"),
    [
        ("<P>Ander Mitxelena Iturri</P>. Usa «<K>Ander</K>» en tercera", "PP"),
        ("anota <K>Ludmila</K>; la otra confirma: <P>Ludmila Soledad Fretes</P>", "PP"),
        ("reconoce a <P>Leonor</P>. <K>Leonor</K> llama. Vino <K>Leonor</K>", "KKK"),
        ("<S>Ramona Gil</S> firma. Avisado a <K>Ramona</K>", "SS"),
    ],
)
def test_namesakes_agree(marked: str, letters: str) -> None:
    assert _letters(marked) == letters


@pytest.mark.parametrize(
    ("marked", "letters"),
    [
        ("<P>Itzaya Xool Cahuich</P>. Se explica a la Sra. <K>Cahuich</K>", "PK"),
        ("<P>Paz Gil Mora</P>. Acude su hija <K>Paz</K>", "PK"),
        ("<S>Paz Gil Mora</S> con Dr. <P>Paz</P>", "SP"),
        ("<P>Ana Gil</P> y <K>Ana Mora</K>. Llama <S>Ana</S>", "PKS"),
        ("<P>Toñi</P> espera. Con <K>Toñi</K>", "PK"),
        ("<P>Li Wei</P> y <K>Li</K>", "PK"),
        ("<P>Rosa Gil</P>, su <K>rosa</K>", "PK"),
    ],
)
def test_others_stay(marked: str, letters: str) -> None:
    assert _letters(marked) == letters


def test_many_names_take_no_quadratic_time() -> None:
    text = "Ana Gil y Ana. " * 8_000
    places = [
        (place + at, size) for place in range(0, len(text), 15) for at, size in ((0, 7), (10, 3))
    ]
    spans = [
        Span(start, start + size, LABELS["PSK"[number % 3]])
        for number, (start, size) in enumerate(places)
    ]
    began = process_time()
    rows = agree_namesakes(text, spans)
    assert process_time() - began < 10
    assert len(rows) == len(spans)
