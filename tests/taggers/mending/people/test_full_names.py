"""A first name beside a surname is a person; terms, titles and everyday words are none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scrubjay
from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Document, Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.full_names import find_full_names
from scrubjay.taggers._mending.people.person_keys import find_telling


def added(marked: str, language: str = "en") -> list[str]:
    """Return the names that are found beside the marked mentions."""
    document = parse_inline(marked)
    known = find_telling(language)
    assert known is not None
    blanks = [match.start() for match in re.finditer(" ", document.text)]
    found = find_full_names(document.text, blanks, known, document.spans)
    return [document.text[start:end] for start, end, _ in found]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mary White seen. Abd: soft", "Mary White"),
        ("plan.\nJohn Lachman here for knee", "John Lachman"),
        ("Susan Crohn refused.", "Susan Crohn"),
        ("Will Rossi has diabetes", "Will Rossi"),
        ("(Patricia O’Brien)", "Patricia O’Brien"),
        ("Will <PATIENT>White</PATIENT> fell", "Will White"),
        ("<PATIENT>Mary</PATIENT> Lachman fell", "Mary Lachman"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert added(text) == [name]


@pytest.mark.parametrize(
    ("text", "name", "language"),
    [
        ("Pieter van der Berg gezien", "Pieter van der Berg", "nl"),
        ("Belde Johanna Bakker terug", "Johanna Bakker", "nl"),
        ("Carmen Navarro acude", "Carmen Navarro", "es"),
        ("Carmen Álvarez acude", "Carmen Álvarez", "es"),
    ],
)
def test_names_of_other_languages(text: str, name: str, language: str) -> None:
    assert added(text, language) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "no Bence Jones protein",
        "Charles Bonnet visions",
        "Susan Crohn disease",  # what follows tells
        "Will White",  # both are everyday words, and nothing was found
        "Discussed With Family",
        "Chest Pain. Hip Fracture.",
        "<HOSPITAL>Mary White Hospital</HOSPITAL>",
        "<PATIENT>Mary White</PATIENT>",
        "Don <PATIENT>Chuy</PATIENT>",
        "MARY WHITE",
        "Mary white cells",
        "Ellen\nvan Poel",
    ],
)
def test_what_is_none(text: str) -> None:
    assert added(text) == []


PIECES = st.sampled_from(
    ["Mary", "White", "mary", "van", "der", " ", " ", "\n", "(", "É", "漢", "-"]
)


@given(st.lists(st.lists(PIECES, max_size=12).map("".join), max_size=4))
def test_no_place_is_left_out(texts: list[str]) -> None:
    known = find_telling("en")
    assert known is not None
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        everywhere = [match.start() for match in re.finditer(" ", text)]
        whole = list(find_full_names(text, everywhere, known, ()))
        assert list(find_full_names(text, cues.names, known, ())) == whole


@given(st.lists(PIECES, max_size=14).map("".join))
def test_places_lie_within_the_text(text: str) -> None:
    known = find_telling("en")
    assert known is not None
    rows = tuple(
        Span(match.start(), match.end(), "PATIENT") for match in re.finditer("White", text)
    )
    for start, end, label in find_full_names(text, range(len(text)), known, rows):
        assert 0 <= start < end <= len(text)
        assert text[start].isupper()
        assert label == "PATIENT"


def test_a_shipped_model_finds_them() -> None:
    text = "Mary Smith seen today. Abd soft."
    [document] = scrubjay.load("en-fast").detect([Document("note", text)])
    assert [text[span.start : span.end] for span in document.spans] == ["Mary Smith"]
