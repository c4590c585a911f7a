"""Days that a text writes as others are found, and scores and pressures are none."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.short_days import add_short_days
from scrubjay.taggers.mending import mend

DAY = "FECHAS"


def _spans(text: str, *found: str) -> tuple[Span, ...]:
    places = [re.search(rf"(?<![0-9]){one}(?![0-9])", text) for one in found]
    return tuple(Span(place.start(), place.end(), DAY) for place in places if place)


def _added(text: str, *found: str) -> list[str]:
    spans = _spans(text, *found)
    after = add_short_days(text, spans)
    assert set(spans) <= set(after)
    assert [text[s.start : s.end] for s in mend(text, spans, "es")] == [
        text[s.start : s.end] for s in after
    ]
    return [text[span.start : span.end] for span in after if span not in spans]


@pytest.mark.parametrize(
    ("text", "found", "added"),
    [
        ("6/5 Cura.\n13/5 Llamo.\n3/6 Caída en baño.\n", ("6/5", "13/5"), ["3/6"]),
        ("Visita 6/5 y 13/5. Analítica (4/6) normal", ("6/5", "13/5"), ["4/6"]),
        ("del 6/12 al 13/12. ECN 20/1, ayuno 10 d", ("6/12", "13/12"), ["20/1"]),
        ("Labs  19/06 06h   19/06 18h  20/06 07h, ingreso 18/06", ("18/06",),
         ["19/06", "19/06", "20/06"]),
    ],
)  # fmt: skip
def test_days_are_found_as_others(text: str, found: tuple[str, ...], added: list[str]) -> None:
    assert _added(text, *found) == added


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("6/5 Cura.\n13/5 Llamo. Dolor 3/6, Apgar 5/6", ("6/5", "13/5")),
        ("6/5 Cura.\n13/5 TA 14/6. BiPAP 16/5, PS: 18/6", ("6/5", "13/5")),
        ("6/5 Cura.\n13/5 Llamo.\n3/10 en EVA", ("6/5", "13/5")),
        ("6/5 Cura.\n13/5 Llamo. Agujas 16/5 mm, 20/5 mg, 18/6%, 3/05/2", ("6/5", "13/5")),
        ("6/5 Cura. Analítica (4/6) normal. 14/5 horas", ("6/5",)),
        ("Dosis 05/08, 32/04 y 10/13", ()),
        ("El 6/5: 32/05 y 10/00", ("6/5",)),
    ],
)  # fmt: skip
def test_scores_are_left(text: str, found: tuple[str, ...]) -> None:
    assert _added(text, *found) == []


@given(st.text("0123456789/ (),\nTA", max_size=50), st.sets(st.integers(0, 9), max_size=3))
def test_what_was_found_stays(text: str, numbers: set[int]) -> None:
    places = list(re.finditer(r"\d+/\d+", text))
    spans = tuple(Span(*one.span(), DAY) for n, one in enumerate(places) if n in numbers)
    after = add_short_days(text, spans)
    assert set(spans) <= set(after)
    assert all(one.end <= two.start for one, two in pairwise(after))
