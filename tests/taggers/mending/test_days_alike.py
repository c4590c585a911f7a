"""Days that are written as others that were found are days; fractions, scores and settings not."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.days_alike import LABELS, add_days_alike
from scrubjay.taggers.mending import mend


def _added(text: str, language: str) -> list[str]:
    """Return what is found beside the days in braces."""
    bare, spans = "", []
    for part in re.split(r"(\{[^}]*\})", text):
        if part.startswith("{"):
            start = len(bare)
            spans.append(Span(start, start + len(part) - 2, LABELS[language], score=1.0))
        bare += part.strip("{}")
    rows = add_days_alike(bare, tuple(spans), language)
    assert set(spans) <= set(rows)
    assert set(mend(bare, spans, language)) == set(rows)
    assert mend(bare, spans, language, labels=frozenset(["PATIENT"])) == tuple(spans)
    return [bare[row.start : row.end] for row in rows if row not in spans]


@pytest.mark.parametrize(
    ("text", "language", "added"),
    [
        ("      4/20 {4/30} 5/8  {5/16} 6/6\nCr    121  139", "en", ["4/20", "5/8", "6/6"]),
        ("Chart   {11/5}    20/5  | {09/6}\nHb 13.2 12", "en", ["20/5"]),
        ("{13/6} tac 13\n16/6 CMV x1\n- {20/6} neg\n4/7: home", "en", ["16/6", "4/7"]),
        ("seen {29/5}, {18/6}. D21 19/6, home 2/6", "en", ["19/6"]),
        ("{3-4} rash\n{5-4} gone\n7-4 home", "en", ["7-4"]),
        ("LVEF 64 ({9/1}), 61 (10/20), 52 {9/28}", "en", ["10/20"]),
        ("Beta given {8/15}, {8/17}.\n8/16 Sun 0910 covering", "en", ["8/16"]),
        ("Debrided {09/13}, grafted 09/18", "en", ["09/18"]),
        ("{6/5} Cura.\n{13/5} Llamo.\n3/6 Caída en baño.\n", "es", ["3/6"]),
        ("Visita {6/5} y {13/5}. Analítica (4/6) normal", "es", ["4/6"]),
        ("del {6/12} al {13/12}. ECN 20/1, ayuno 10 d", "es", ["20/1"]),
        ("Labs  19/06 06h   19/06 18h  20/06 07h, ingreso {18/06}", "es",
         ["19/06", "19/06", "20/06"]),
        ("Llamada {22-6}, {23-6}.\n24-6, de Inés: mejor", "es", ["24-6"]),
        ("opname {12/10} tot {14/10}, nadien op 16/10 naar huis", "nl", ["16/10"]),
        ("Lab            {6/3}     9/3     {13/3}\nCRP    286   12   9", "nl", ["9/3"]),
        ("opname: {09-02}  ontslag: 13-02", "nl", ["13-02"]),
    ],
)  # fmt: skip
def test_days_are_found(text: str, language: str, added: list[str]) -> None:
    assert _added(text, language) == added


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("{4/20} seen, {4/30} seen. pain 5/8", "en"),
        ("{29/5}\nseen 19/6", "en"),
        ("Pain {4/20} 5/8 {4/30} mild", "en"),
        ("{29/5} on, {18/6} off. BiPAP 16/6, PS 14/5, Apgar 9/10, 21/7 course, 18/7.5", "en"),
        ("{4/20} and {5/16}. wbc 20/5", "en"),
        ("{3/20} and {4/16}. Findings T2N1 (3/19)", "en"),
        ("{9/20} and {10/16}. Hope is the match (10/10)", "en"),
        ("{29/5} and {18/6}, 18-6 and 29/5/22", "en"),
        ("{13/6} tac\n{20/6} neg\n1/2 tab\n3/4 cup\n1/4 tab", "en"),
        ("{6/5} Cura.\n{13/5} Llamo. Dolor 3/6, Apgar 5/6", "es"),
        ("{6/5} Cura.\n{13/5} TA 14/6. BiPAP 16/5, PS: 18/6", "es"),
        ("{6/5} Cura.\n{13/5} Llamo.\n3/10 en EVA", "es"),
        ("{6/5} Cura.\n{13/5} Llamo. Agujas 16/5 mm, 20/5 mg, 18/6%, 3/05/2", "es"),
        ("{6/5} Cura. Analítica (4/6) normal. 14/5 horas", "es"),
        ("{6/5} Cura. {8/5} Morfina 30/12 h", "es"),
        ("Dosis 05/08, 32/04 y 10/13", "es"),
        ("El {6/5}: 32/05 y 10/00", "es"),
        ("{6/5} RR 14/6, {13/5} pijn 3/6, bereikbaar 24/7", "nl"),
    ],
)
def test_values_are_left(text: str, language: str) -> None:
    assert _added(text, language) == []


@given(
    st.lists(
        st.sampled_from(["4/20", "20/4", "5/8", "18/6", " ", "  ", "\n", "tac", "|", "3-4", ": ",
                         "05/08", "(", ")", "TA "]),
        max_size=24,
    ),
    st.sets(st.integers(0, 23)),
    st.sampled_from(sorted(LABELS)),
)  # fmt: skip
def test_what_was_found_stays(parts: list[str], chosen: set[int], language: str) -> None:
    text, spans = "", []
    for number, part in enumerate(parts):
        if number in chosen and part[0].isdigit() and not text[-1:].isdigit():
            spans.append(Span(len(text), len(text) + len(part), LABELS[language]))
        text += part
    rows = add_days_alike(text, tuple(spans), language)
    assert set(spans) <= set(rows)
    assert all(one.end <= two.start for one, two in pairwise(rows))
