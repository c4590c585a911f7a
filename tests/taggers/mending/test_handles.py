"""Handles are found to their end, and nothing else is widened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.spans import require_disjoint
from scrubjay.taggers._mending.handles import widen_handles
from scrubjay.taggers.mending import mend

NAME, AGE = "NOMBRE_SUJETO_ASISTENCIA", "EDAD_SUJETO_ASISTENCIA"


@pytest.mark.parametrize(
    ("marked", "mentions"),
    [
        (f"Me sigue como <{NAME}>@zori_lin</{NAME}>88 en redes", ["@zori_lin88"]),
        (f"es <{NAME}>@zori_lin</{NAME}><{AGE}>88</{AGE}>.", ["@zori_lin88"]),
        (f"<{NAME}>@ana</{NAME}>.gil_3, hoy", ["@ana.gil_3"]),
        (f"<{NAME}>@zori</{NAME}>. Hoy", ["@zori"]),
        (f"<{NAME}>Zori</{NAME}>88", ["Zori"]),
        (f"<{NAME}>@zori</{NAME}>8<{AGE}>8 años</{AGE}>", ["@zori8", "8 años"]),
    ],
)
def test_handles_are_found_whole(marked: str, mentions: list[str]) -> None:
    document = parse_inline(marked)
    text, spans = document.text, document.spans
    assert [text[s.start : s.end] for s in widen_handles(text, spans)] == mentions
    assert [text[s.start : s.end] for s in mend(text, spans, "es")] == mentions


@given(st.text("@a8_. ", max_size=16), st.lists(st.integers(0, 16), unique=True, max_size=8))
def test_spans_stay_disjoint_and_none_is_uncovered(text: str, borders: list[int]) -> None:
    cuts = sorted(border for border in borders if border <= len(text))
    spans = [Span(a, b, NAME) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    rows = widen_handles(text, spans)
    require_disjoint(rows, document_id="")
    assert list(rows) == sorted(rows, key=lambda row: row.start)
    covered = {place for row in rows for place in range(row.start, row.end)}
    assert covered >= {place for span in spans for place in range(span.start, span.end)}
