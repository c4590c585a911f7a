"""Borders within markup, resources, messages and logs; and what holds of all texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.markup import mend_markup

_PIECES = (
    "Roe", ";", "=", '"', "\\par", "}", " ", "|", "PID|", "\n", "20020929", "a",
    "id", "^", "T", "2024-02-29",
)  # fmt: skip


def _mended(marked: str, language: str = "en") -> list[str]:
    document = parse_inline(marked)
    rows = mend_markup(document.text, document.spans, language)
    return [f"{row.label} {document.text[row.start : row.end]}" for row in rows]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("at <DATE>2024-02-29T</DATE>09:11:02", ["DATE 2024-02-29"]),
        ("pnr <ID>0932217\\par</ID>\nx", ["ID 0932217"]),
        ("\\b <PATIENT>HOPE, Ezekiel}\\tab</PATIENT> MRN", ["PATIENT HOPE, Ezekiel"]),
        ("\t<ID>user=jola</ID> x", ["ID jola"]),
        ('"given": ["<PATIENT>Ruth","Mae</PATIENT>"]', ["PATIENT Ruth", "PATIENT Mae"]),
        ('"given": ["<NAME>Jan", "Piet", "Kees</NAME>"]', ["NAME Jan", "NAME Piet", "NAME Kees"]),
        ("<ID>obj=1440092 ip=10.44.7.201</ID>", ["ID 1440092", "ID 10.44.7.201"]),
        ('nhc<ID>="77120-3</ID>" x', ["ID 77120-3"]),
        ('"id": "<ID>ENC-771093"</ID>, x', ["ID ENC-771093"]),
        ('"id": <ID>"1719933084"</ID>, x', ['ID "1719933084"']),
    ],
)
def test_signs_of_markup_end_a_mention(marked: str, expected: list[str]) -> None:
    assert _mended(marked) == expected


def test_days_of_a_message_are_found_and_bars_part_mentions() -> None:
    marked = (
        "MSH|^~\\&|LAB|WGH|EHR|WGH|<DATE>20680417093211</DATE>||ORU^R01\n"
        "PID|1||<ID>0078</ID>||ROE^J||<ID>20020929</ID>|M|||<ID>3^^8420||0470555906</ID>\n"
        "DG1|1|K92||20711116|A\nNote 20711116 stays."
    )
    assert _mended(marked) == [
        "DATE 20680417", "ID 0078", "DATE 20020929", "ID 3^^8420", "ID 0470555906",
        "DATE 20711116",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "marked",
    [
        "by <USERNAME>hp\\tvanriet</USERNAME> today",
        "at <ORGANIZATION>Dunkin'</ORGANIZATION> & Co",
        "Mevrouw <NAME>B=F8gholt</NAME>",
        'dad (<PATIENT>Tom "Sarge"</PATIENT>) & mum',
        "see <URL>https://a.example/x?b=1&c=2</URL>",
        "run <IDNUM>20680417093299</IDNUM> ^ x",
    ],
)
def test_what_only_looks_like_markup_stays(marked: str) -> None:
    document = parse_inline(marked)
    assert mend_markup(document.text, document.spans, "en") == document.spans


@given(
    st.lists(
        st.sampled_from(_PIECES),
        max_size=16,
    ),
    st.lists(st.integers(0, 60), max_size=8, unique=True),
)
def test_spans_stay_sorted_disjoint_and_within_the_text(pieces: list[str], cuts: list[int]) -> None:
    text = "".join(pieces)
    places = sorted(cut for cut in cuts if cut <= len(text))
    spans = [Span(a, b, "PATIENT") for a, b in zip(places[::2], places[1::2], strict=False)]
    rows = mend_markup(text, spans, "en")
    assert all(one.end <= other.start for one, other in pairwise(rows))
    assert all(row.end <= len(text) for row in rows)


def test_days_of_values_of_xml_are_found() -> None:
    marked = '<time value="20230120101500-0500"/><low value=\'20230120\'/><id root="20230120"/> x'
    assert _mended(marked) == ["DATE 20230120", "DATE 20230120"]
    assert (
        _mended('<value value="20239920"/> <value xsi:type="PQ" value="95" unit="20230120"/>') == []
    )
