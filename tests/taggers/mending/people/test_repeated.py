"""Names that were found once are found wherever they come again; words and diseases are not."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.people.repeated import add_repeated
from scrubjay.taggers.mending import mend


def _found(text: str, name: str, label: str = "NAME") -> list[str]:
    start = text.index(name)
    spans = (Span(start, start + len(name), label),)
    rows = add_repeated(text, spans)
    assert rows == tuple(sorted(rows, key=lambda span: span.start))
    assert spans[0] in rows
    return [text[s.start - 1 : s.end] for s in rows if s not in spans]


@pytest.mark.parametrize(
    ("text", "name", "again"),
    [
        ("Moeder Selamawit komt. Selamawit vraagt", "Selamawit", 1),
        ("mw. H. Quartel gevallen. Wel Quartel gevraagd, Quartel zegt", "H. Quartel", 2),
        ("dokter Vanderstukken, en Vanderstukken, F.", "Vanderstukken", 1),
        ("kwam tjitte. 18:22 tjitte: ja\n18:41 tjitte: nee", "tjitte", 2),
    ],
)
def test_names_come_again(text: str, name: str, again: int) -> None:
    assert len(_found(text, name)) == again
    start = text.index(name)
    spans = [Span(start, start + len(name), "NAME", score=1.0)]
    assert len(mend(text, spans, "nl")) == again + 1
    assert mend(text, spans, "nl", labels=frozenset(["DATE"])) == tuple(spans)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mw Roos komt. Roos op het hoofd", "Roos"),
        ("dhr Storm belt. Storm buiten", "Storm"),
        ("gezien door L. Barthel. Barthel 12/20, Barthel-index", "L. Barthel"),
        ("mw Parkinson komt. Parkinson sinds 2010", "Parkinson"),
        ("mw Quartel, en de quartel vliegt. Quartel vliegt", "Quartel"),
        ("mw Quartel. De Quartel-groep, Quartels hond", "Quartel"),
        ("sprak Frans, en Frans op school", "Frans"),
        ("de cavia is weg. cavia gehaald", "cavia"),
        ("mw Bo komt. Bo komt", "Bo"),
    ],
)
def test_words_are_left(text: str, name: str) -> None:
    assert _found(text, name) == []


@pytest.mark.parametrize(
    ("text", "name", "again"),
    [
        ("Nahia Ezponda, 14 años. Nahia en consulta dice", "Nahia Ezponda", 1),
        ("Milagros Quispe. Quispe firma, Quispe pregunta", "Milagros Quispe", 2),
        ("CAMA 1 → FRITIS: duerme. Hermana de FRITIS", "FRITIS", 1),
        ("Dolores Gil. Dolores lumbares EVA 4", "Dolores Gil", 0),
        ("visto por L. Barthel. Barthel 55, escala de Barthel", "L. Barthel", 0),
        ("vino Paca, y la paca. Paca habla", "Paca", 0),
        ("vino yeison. yeison habla", "yeison", 0),
        ("Ana Ley. Ley sin nombre, Ana", "Ana Ley", 0),
    ],
)
def test_names_come_again_in_spanish(text: str, name: str, again: int) -> None:
    start = text.index(name)
    spans = [Span(start, start + len(name), "FAMILIARES_SUJETO_ASISTENCIA", score=1.0)]
    rows = mend(text, spans, "es")
    assert len(rows) == again + 1
    assert {row.label for row in rows} == {spans[0].label}
    assert mend(text, spans, "es", labels=frozenset(["FECHAS"])) == tuple(spans)


@pytest.mark.parametrize(
    ("text", "name", "again"),
    [
        ("wife Prossy Nakimuli rang. Prossy says church", "Prossy Nakimuli", 1),
        ("MDT: Dr T. Ormerod. Plan as Ormerod, Quarmby", "T. Ormerod", 1),
        ("seen by Dr Hope Graves. Hope is low, Graves disease", "Hope Graves", 0),
        ("Ms Kay Lynch. Lynch syndrome, Lynch-like", "Kay Lynch", 0),
        ("son Berkant, and a berkant. Berkant sleeps", "Berkant", 0),
        ("friend kimo. kimo says", "kimo", 0),
    ],
)
def test_names_come_again_in_english(text: str, name: str, again: int) -> None:
    start = text.index(name)
    spans = [Span(start, start + len(name), "PATIENT", score=1.0)]
    rows = mend(text, spans, "en")
    assert len(rows) == again + 1
    assert {row.label for row in rows} == {"PATIENT"}
    assert mend(text, spans, "en", labels=frozenset(["DATE"])) == tuple(spans)


def test_what_is_covered_stays() -> None:
    text = "Selamawit, straat Selamawit 4"
    spans = (Span(0, 9, "NAME"), Span(11, len(text), "ADDRESS"))
    assert add_repeated(text, spans) == spans
    assert _found("bij Selamawit, later Selamawit", "Selamawit", "CARE_INSTITUTE") == []
