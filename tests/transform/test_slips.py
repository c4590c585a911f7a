"""Slips are found among many words as if each were compared with each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform import _slips, coreference
from scrubjay.transform._slips import Slips
from scrubjay.transform.coreference import cluster_names
from scrubjay.transform.person_names import parse_name
from scrubjay.transform.same_person import LONG, is_misspelled

ROOTS = ("hollis", "jansen", "smith", "grimaldian", "vandermeer", "abab", "a" * 17, "ab" * 10)


@st.composite
def words(draw: st.DrawFn) -> str:
    word = draw(st.sampled_from(ROOTS))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(word) - 1))
        letter = draw(st.sampled_from(["", "a", "b", "n", word[at] * 2, word[at::-1][:2]]))
        word = (word[:at] + letter + word[at + draw(st.integers(1, 2)) :]) or "a"
    return word


@given(st.lists(words(), max_size=12), words())
def test_all_slips_are_found(met: list[str], word: str) -> None:
    slips = Slips()
    for number, other in enumerate(met):
        slips.add(other)
        if number % 3 == 0:
            list(slips.like(word))
    expected = {
        other
        for other in met
        if is_misspelled(word, other) or is_misspelled(other, word)
        if len(other) >= LONG
    }
    assert sorted(slips.like(word)) == sorted(expected)


GIVEN = st.sampled_from(["John", "Jon", "Peggy", "Margaret", "J.", "J. Q.", "Quincy", "Taylor", ""])
LAST = st.one_of(words().map(str.capitalize), st.sampled_from(["Taylor", "James", ""]))
BEFORE = st.sampled_from(["", "", "Mr. ", "Ms. ", "his son "])


@given(st.lists(st.tuples(BEFORE, GIVEN, LAST), min_size=1, max_size=30))
def test_persons_are_those_of_a_look_at_each(rows: list[tuple[str, str, str]]) -> None:
    names = [parse_name(f"{before}{first} {last}".strip(), "en") for before, first, last in rows]
    found = []
    for few in (0, 3, 10**6):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(coreference, "_FEW", few)
            found.append(cluster_names(names))
    assert found[0] == found[1] == found[2]


def test_many_strange_names_are_hardly_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def counted(word: str, other: str) -> bool:
        compared.append(word)
        return is_misspelled(word, other)

    monkeypatch.setattr(_slips, "is_misspelled", counted)
    pieces = ("ba", "ke", "mo", "tri", "sal", "ven", "dor", "gu")
    rows = [f"Ann S{a}{b}{c}{a}" for a in pieces for b in pieces for c in pieces]
    cluster_names([parse_name(row, "en") for row in rows])
    assert len(compared) < 20 * len(rows)  # not len(rows) ** 2 / 2, which is 256 for each


def test_a_name_with_a_title_is_that_without_one_far_away() -> None:
    others = [f"Rosa Quill{a}{b}x" for a in "abcdefghijklmnopqrstuvwxyz" for b in "bcdfghjklm" * 4]
    names = ["Mr. John Hollis", *others, "John Hollis"]
    found = cluster_names([parse_name(name, "en") for name in names])
    assert len(names) > coreference.MANY
    assert found[0] == found[-1]
