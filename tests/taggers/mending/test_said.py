"""Dates, ages and telephones in words are found with all of theirs (Spanish)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.spans import require_disjoint
from scrubjay.taggers._mending.said import widen_said

AGE = "EDAD_SUJETO_ASISTENCIA"


def widened(marked: str) -> list[str]:
    document = parse_inline(marked)
    return [
        document.text[span.start : span.end] for span in widen_said(document.text, document.spans)
    ]


@pytest.mark.parametrize(
    ("marked", "mention"),
    [
        (
            "el dieciséis de <FECHAS>octubre</FECHAS> de dos mil veinticinco punto",
            "dieciséis de octubre de dos mil veinticinco",
        ),
        (
            "sesenta y <FAMILIARES_SUJETO_ASISTENCIA>siete años</FAMILIARES_SUJETO_ASISTENCIA> que",
            "sesenta y siete años",
        ),
        (
            "Teléfono <NUMERO_TELEFONO>seis cinco once veintidós punto</NUMERO_TELEFONO>",
            "seis cinco once veintidós",
        ),
        (
            "Teléfono <NUMERO_TELEFONO>seis cinco once treinta</NUMERO_TELEFONO> y tres cero. Vive",
            "seis cinco once treinta y tres cero",
        ),
        (
            "<NOMBRE_SUJETO_ASISTENCIA>Ana Roldán de sesenta</NOMBRE_SUJETO_ASISTENCIA> y dos años",
            "Ana Roldán",
        ),
        ("treinta y <FECHAS>uno de mayo</FECHAS> acude", "treinta y uno de mayo"),
        ("<FECHAS>tres de enero de dos mil</FECHAS> dos", "tres de enero de dos mil dos"),
        ("en <FECHAS>marzo</FECHAS> del mil novecientos ochenta y dos", None),
        (
            "historia <ID_SUJETO_ASISTENCIA>cuatro uno cero</ID_SUJETO_ASISTENCIA> dos punto vista",
            "cuatro uno cero dos",
        ),
        (
            "el <FECHAS>dos de mayo de mil novecientos</FECHAS> sesenta coma",
            "dos de mayo de mil novecientos sesenta",
        ),
        (
            f"el <FECHAS>dos de mayo de mil ochocientos</FECHAS> <{AGE}>noventa y ocho</{AGE}>",
            "dos de mayo de mil ochocientos noventa y ocho",
        ),
        ("en <FECHAS>mil novecientos</FECHAS> setenta y dos", "mil novecientos setenta y dos"),
        (f"de sesenta y <{AGE}>siete años</{AGE}> que", "sesenta y siete años"),
        # Near misses: what stands there is no part of it.
        ("tres de los de <FECHAS>octubre</FECHAS> de dos en dos", "octubre"),
        (f"EVA y <{AGE}>siete años</{AGE}>", "siete años"),
        ("<FECHAS>16 de octubre</FECHAS> de dos mil", "16 de octubre"),
        ("desde <FECHAS>octubre</FECHAS> del pasado", "octubre"),
    ],
)
def test_words_of_numbers_belong_to_it(marked: str, mention: str | None) -> None:
    whole = "marzo del mil novecientos ochenta y dos"
    assert widened(marked) == [mention or whole]


def test_it_reaches_into_no_neighbour() -> None:
    marked = "<FECHAS>lunes dos</FECHAS> de <FECHAS>enero</FECHAS> de <FECHAS>dos mil</FECHAS>"
    assert widened(marked) == ["lunes dos", "enero", "dos mil"]


WORDS = ["sesenta", "y", "siete", "años", "dos", "de", "octubre", "mil", "veintidós", "treinta"]


@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=16),
    cuts=st.sets(st.integers(0, 80), max_size=8),
)
def test_spans_stay_sorted_and_disjoint(words: list[str], cuts: set[int]) -> None:
    text = " ".join(words)
    edges = sorted(cut for cut in cuts if cut <= len(text))
    spans = [
        Span(start, end, "FECHAS" if start % 2 else AGE)
        for start, end in zip(edges[::2], edges[1::2], strict=False)
    ]
    found = widen_said(text, spans)
    require_disjoint(found, document_id="n")
    assert [span.label for span in found] == [span.label for span in spans]
    for old, new in zip(spans, found, strict=True):
        assert new.start <= old.start
        assert old.end <= new.end <= len(text)
