"""What codes show of the identifiers of their record, and the quick look that comes first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora._parts import Part
from scrubjay.corpora._shown import find_shown, may_show

PARTS = [
    Part("a", "Tranter, Ada Q", "name"), Part("b", "van den Berg, Jan", "staff"),
    Part("c", "0048-1516", "mrn"), Part("d", "(555)010-0147", "phone"), Part("e", "7", "id"),
    Part("f", "ada@x.org", "email"), Part("g", "Port Ellery 12345", "city"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "expected"),
    [("00481516", True), ("x^00481516^y", True), ("0048 1516", True), ("555-010-0147", True),
     ("ADA TRANTER", True), ("Tranter^Ada", True), ("Jan van den Berg", True), ("ada@x.org", True),
     ("Tranter", True), ("x tranter", False), ("VIP-TRANTER", True),
     ("http://fhir.tranter.example/codes", False), ("http://x.example/tranter", True),
     ("Berg", False),
     ("van den ziekte", False), ("7", False), ("12345", False), ("2345-7", False), ("", False),
     ("481516", False)],
)  # fmt: skip
def test_what_shows_an_identifier(value: str, expected: bool) -> None:
    shown = find_shown(PARTS)
    assert shown(value) is expected
    assert may_show(shown, ["x", value, "y"]) or not expected


pieces = st.sampled_from(
    ["Ada", "tranter", "Berg", "van", "jan", "0048", "1516", "00481516", "-", "^", " ", "555",
     "0100147"]
)  # fmt: skip


@given(st.lists(st.lists(pieces, max_size=5).map("".join), max_size=4))
def test_the_quick_look_misses_nothing(values: list[str]) -> None:
    shown = find_shown(PARTS)
    assert may_show(shown, values) or not any(map(shown, values))
