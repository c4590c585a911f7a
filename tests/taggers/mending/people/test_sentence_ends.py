"""A person ends with the sentence; initials, titles and shortened words end none."""

from __future__ import annotations

import pytest

from scrubjay.taggers.mending import mend
from tests.oracles.mending import part_persons
from tests.taggers.mending_samples import read_braces

_LABELS = {"en": "PATIENT", "nl": "NAME", "es": "NOMBRE_SUJETO_ASISTENCIA"}


@pytest.mark.parametrize(
    ("marked", "language", "parts"),
    [
        ("Pcte: {carmen gil. maria sola}", "es", ["carmen gil", "maria sola"]),
        ("{carmen somnolienta. juan tranquilo}", "es", ["carmen somnolienta", "juan tranquilo"]),
        ("{ana. luis ruiz. eva}", "es", ["ana", "luis ruiz", "eva"]),
        ("seen by {roe smith. john} slept", "en", ["roe smith", "john"]),
        ("{jansen. kees bakker}", "nl", ["jansen", "kees bakker"]),
        ("{j. perez}", "es", ["j. perez"]),
        ("{juan c. perez}", "es", ["juan c. perez"]),
        ("{fco. javier gomez}", "es", ["fco. javier gomez"]),
        ("{Severina Colque vda. de Rocha}", "es", ["Severina Colque vda. de Rocha"]),
        ("{carmen gil. de roe}", "es", ["carmen gil. de roe"]),
        ("{rosa roe prof. perez}", "es", ["rosa roe prof. perez"]),
        ("{Smith. John Roe}", "en", ["Smith. John Roe"]),
        ("seen by dr {john smith. Jones} slept", "en", ["john smith", "Jones"]),
        ("{de jong. Jansen}", "nl", ["de jong", "Jansen"]),
        ("{mej. Jansen}", "nl", ["mej. Jansen"]),
    ],
)
def test_persons_end_with_the_sentence(marked: str, language: str, parts: list[str]) -> None:
    text, span = read_braces(marked, _LABELS[language])
    rows = tuple(part_persons(text, [span], language))
    assert [text[one.start : one.end] for one in rows] == parts
    found = mend(text, [span], language)
    assert {(one.start, one.end) for one in rows} <= {(one.start, one.end) for one in found}


@pytest.mark.parametrize(
    ("marked", "left"),
    [
        ("dr {de jong. Jong} ogende vrouw", ["de jong"]),
        ("dr {de jong. Jong} belt", ["de jong", "Jong"]),
    ],
)
def test_what_a_sentence_begins_with_is_asked_by_itself(marked: str, left: list[str]) -> None:
    text, span = read_braces(marked, _LABELS["nl"])
    assert [text[one.start : one.end] for one in mend(text, [span], "nl")] == left
