"""Nicknames beside a name and behind what tells of them are found; quoted complaints are not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.nicknames import OPENING
from scrubjay.taggers.mending import mend


def added(marked: str) -> list[str]:
    """Return the names that mending finds beside the marked mentions."""
    document = parse_inline(marked)
    found = mend(document.text, document.spans, "en")
    assert [span for span in found if span in document.spans] == list(document.spans)
    assert all(span.label in ("DOCTOR", "PATIENT") for span in found if span.source == "nickname")
    return [document.text[span.start : span.end] for span in found if span not in document.spans]


@pytest.mark.parametrize(
    ("marked", "names"),
    [
        ('Church (<PATIENT>Wilbur</PATIENT>, "Web") 70M', ["Web"]),
        ("cousin <PATIENT>Sukhdev</PATIENT>('Sukha') brought him", ["Sukha"]),
        ("<DOCTOR>Rudolf</DOCTOR> “Dòfi” <DOCTOR>Kelly</DOCTOR>, neurology", ["Dòfi"]),
        ('<PATIENT>Wardell</PATIENT> "Boots" <PATIENT>Chenoweth</PATIENT> 64', ["Boots"]),
        ('naming: Armistice "<PATIENT>Art</PATIENT>". Slept.', ["Armistice"]),
        ('Chidubem ("Chidi") <PATIENT>Nkemelu</PATIENT>', ["Chidubem", "Chidi"]),
        ('<PATIENT>Thandeka "Tata" Mkhize</PATIENT>. Tata came, Tatara not', ["Tata"]),
        ('<PATIENT>Bo</PATIENT> ("Teuzinho") seen. Told Teuzinho so.', ["Teuzinho", "Teuzinho"]),
    ],
)
def test_where_one_part_is_a_person_so_is_the_other(marked: str, names: list[str]) -> None:
    assert added(marked) == names


def test_a_nickname_has_the_label_of_the_name() -> None:
    document = parse_inline('per <DOCTOR>Dolores</DOCTOR> "Lolya". Lolya rang.')
    found = mend(document.text, document.spans, "en")
    assert [span.label for span in found] == ["DOCTOR"] * 3


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('pt goes by "Skip" 85', "Skip"),
        ('No visitors. Answers to "Chief".', "Chief"),
        ('nicknamed "Dusty" by all', "Dusty"),
        ('likes to be called "TRUDY"', "TRUDY"),
    ],
)
def test_what_somebody_is_called(text: str, name: str) -> None:
    assert added(text) == [name]


@pytest.mark.parametrize(
    "marked",
    [
        'says "Help" and pain "Sharp", denies "Blackouts"',
        '<PATIENT>Ann</PATIENT> "Help", <PATIENT>Rosa</PATIENT> "Tylenol"',
        'told <DOCTOR>Rao</DOCTOR>, "Stop it". per <PATIENT>Alphonse</PATIENT>, "DFO"',
        'Son "<PATIENT>Art</PATIENT>", Mom "<PATIENT>Bea</PATIENT>", boat "Sukha"',
        'ALIAS "<PATIENT>NELLIE</PATIENT>"',
        'goes by "Monday". Answers to "Commands".',
        'dog, a pit mix, answers to "Nugget"',
        'app called "Calm", a drug known as "Tranq", so-called "Kelly" lesion',
        'the field is called "Stage". aka "Lisinopril"',
        "it's O'Hara's 'Normal' gait",
    ],
)
def test_what_is_no_nickname(marked: str) -> None:
    assert added(marked) == []


def test_first_names_alone_stand_before_a_nickname() -> None:
    assert added('Tattoo "<PATIENT>Chantal</PATIENT>" on neck') == []


def test_other_languages_have_none() -> None:
    assert mend('Ann "Chidi"', (Span(0, 3, "NAME"),), "nl") == (Span(0, 3, "NAME"),)


def test_everyday_words_are_sought_nowhere_else() -> None:
    marked = '(<PATIENT>Wilbur</PATIENT>, "Web") Web site shown. Dusty room. Goes by "Dusty".'
    assert added(marked) == ["Web", "Dusty"]


def test_what_was_found_stays() -> None:
    text = 'goes by "Sparky". Ann "Chidi"'
    spans = (Span(8, 16, "CITY"), Span(18, 21, "PATIENT"), Span(22, 29, "ORGANIZATION"))
    assert mend(text, spans, "en") == spans


PIECES = st.sampled_from(['"', "“", "'", "«", "Art", "É", "art", " ", "x", "?", "\n", "漢", "1"])


@given(st.lists(st.lists(PIECES, max_size=9).map("".join), max_size=4))
def test_no_place_is_left_out(texts: list[str]) -> None:
    for text, cues in zip(texts, find_cues(texts, "en"), strict=True):
        quotes = [m.start() for m in re.finditer(rf"(?<![^\W\d_])[{OPENING}](?=[A-ZÉ])", text)]
        assert set(quotes) <= set(cues.quotes)
