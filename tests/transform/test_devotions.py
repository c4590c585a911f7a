"""Spanish first names of several words are one part each."""

import pytest

from scrubjay import Document, Span, find_policy
from scrubjay.transform.edits import apply_edits
from scrubjay.transform.person_names import parse_name


@pytest.mark.parametrize(
    ("mention", "parts"),
    [
        ("María del Carmen", "María/given del Carmen/given"),
        ("María del Carmen Ruiz Soto", "María/given del Carmen/given Ruiz/last Soto/last"),
        ("Ruiz Soto, Mª del Mar", "Ruiz/last Soto/last Mª/given del Mar/given"),
        ("RUIZ MARÍA DE LOS ÁNGELES", "RUIZ/last MARÍA/given DE LOS ÁNGELES/given"),
        ("Ana María de Lourdes Paz", "Ana/given María/given de Lourdes/given Paz/last"),
        ("José de Jesús Gil", "José/given de Jesús/given Gil/last"),
        ("María del Mar de la Vega", "María/given del Mar/given de/particle la/particle Vega/last"),
        ("María del Valle Ruiz", "María/given del Valle/given Ruiz/last"),
        ("María del Valle", "María/given del/particle Valle/last"),
        ("Juan del Rosario", "Juan/given del/particle Rosario/last"),
        ("María de la Cruz", "María/given de/particle la/particle Cruz/last"),
        ("Ana del Mar", "Ana/given del/particle Mar/last"),
    ],
)
def test_parts(mention: str, parts: str) -> None:
    name = parse_name(mention, "es")
    found = [f"{mention[part.start : part.end]}/{part.role}" for part in name.parts]
    assert " ".join(found) == parts


def test_other_languages_know_none() -> None:
    assert [part.role for part in parse_name("María del Carmen", "nl").parts][-1] == "last"


@pytest.mark.parametrize("name", ["María del Carmen Ruiz", "MARÍA DEL CARMEN RUIZ"])
def test_the_surrogate_has_no_particle_left(name: str) -> None:
    text = f"{name} consulta; Carmen mejora."
    spans = [Span(0, len(name), "NOMBRE_SUJETO_ASISTENCIA")]
    start = text.index("Carmen mejora")
    spans.append(Span(start, start + 6, "NOMBRE_SUJETO_ASISTENCIA"))
    policy = find_policy("surrogate", key=b"0" * 32)
    new = apply_edits(text, policy.plan(Document("1", text), spans, language="es")).text
    whole, alone = new.split(" consulta; ")
    words = whole.split(" ")
    assert len(words) == 3
    assert "del" not in whole.lower().split()
    assert all(word == word.upper() or word == word.capitalize() for word in words)
    assert alone.split(" ")[0].lower() == words[1].lower()
