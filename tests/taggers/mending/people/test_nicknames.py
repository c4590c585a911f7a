"""Nicknames beside a name and behind what tells of them are found; quoted complaints are not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers._mending.people.nicknames import CALLS, OPENING
from scrubjay.taggers.mending import mend

PERSON = {"en": "PATIENT", "nl": "NAME", "es": "NOMBRE_SUJETO_ASISTENCIA"}


def added(marked: str, language: str = "en") -> list[str]:
    """Return the names that mending finds beside the marked mentions."""
    document = parse_inline(marked)
    found = mend(document.text, document.spans, language)
    assert [span for span in found if span in document.spans] == list(document.spans)
    assert all(
        span.label in ("DOCTOR", PERSON[language]) for span in found if span.source == "nickname"
    )
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
    ("text", "name", "language"),
    [
        ("She goes by Tiny at home", "Tiny", "en"),
        ('pt goes by "Skip" 85', "Skip", "en"),
        ("PT GOES BY TEYANGA. SEEN", "TEYANGA", "en"),
        ("They want it so. Likes to be called Sparky.", "Sparky", "en"),
        ("Nickname: Nio  Rehab no.", "Nio", "en"),
        ("nicknamed Dusty by all", "Dusty", "en"),
        ('No visitors. Answers to "Chief".', "Chief", "en"),
        ('man known as "Deacon", no ID', "Deacon", "en"),
        ('AKA "TRUDY"', "TRUDY", "en"),
        ("opname, roepnaam Sjefke, 81 jaar", "Sjefke", "nl"),
        ('bijnaam "Sjefke"', "Sjefke", "nl"),
        ('le dicen "Chucho" en casa', "Chucho", "es"),
        ("apodado Chuchito, vive solo", "Chuchito", "es"),
    ],
)
def test_what_somebody_is_called(text: str, name: str, language: str) -> None:
    assert added(text, language) == [name]


@pytest.mark.parametrize(
    "marked",
    [
        'says "Help" and pain "Sharp", denies "Blackouts"',
        '<PATIENT>Ann</PATIENT> "Help", <PATIENT>Rosa</PATIENT> "Tylenol"',
        'told <DOCTOR>Rao</DOCTOR>, "Stop it". per <PATIENT>Alphonse</PATIENT>, "DFO"',
        'Son "<PATIENT>Art</PATIENT>", Mom "<PATIENT>Bea</PATIENT>", boat "Sukha"',
        'ALIAS "<PATIENT>NELLIE</PATIENT>"',
        "goes by bus, goes by Uber, will go by Friday, she goes by She/They",
        "GOES BY BUS. GOES BY EMS. GOES BY TRAIN",
        'goes by Medicaid. Answers to "Commands".',
        "Nickname: None. nickname: Yes. Nickname    DOB 1/2. Nickname   Age",
        "Nickname: Allergies: none. needs to be called Monday, to be called Tuesday",
        'dog, a pit mix, answers to "Nugget"',
        'app called "Calm", a drug known as "Tranq", so-called "Kelly" lesion',
        'the field is called "Stage". aka "Lisinopril"',
        "it's O'Hara's 'Normal' gait",
    ],
)
def test_what_is_no_nickname(marked: str) -> None:
    assert added(marked) == []


def test_other_languages_have_listed_first_names_alone() -> None:
    assert added('Tattoo "<NAME>Chantal</NAME>" in hals', "nl") == []
    assert added('Tattoo "<PATIENT>Chantal</PATIENT>" on neck') == []
    assert added('Johanna "<NAME>Jopie</NAME>" gezien', "nl") == ["Johanna"]


def test_everyday_words_are_sought_nowhere_else() -> None:
    marked = '(<PATIENT>Wilbur</PATIENT>, "Web") Web site shown. Dusty room. Goes by Dusty.'
    assert added(marked) == ["Web", "Dusty"]


def test_what_was_found_stays() -> None:
    text = 'goes by Sparky. Ann "Chidi"'
    spans = (Span(8, 14, "CITY"), Span(16, 19, "PATIENT"), Span(20, 27, "ORGANIZATION"))
    assert mend(text, spans, "en") == spans


PIECES = st.sampled_from([
    '"', "“", "'", "«", "Art", "É", "art", " ", "x", "goes by ", "GOES BY ", "to be called ", "?",
    "Nickname", "nickname: ", "roepnaam", "apodado", "\n", "漢", "1",
])  # fmt: skip


@given(
    st.lists(st.lists(PIECES, max_size=9).map("".join), max_size=4), st.sampled_from(list(CALLS))
)
def test_no_place_is_left_out(texts: list[str], language: str) -> None:
    for text, cues in zip(texts, find_cues(texts, language), strict=True):
        quotes = [m.start() for m in re.finditer(rf"(?<![^\W\d_])[{OPENING}](?=[A-ZÉ])", text)]
        calls = [
            place
            for place in range(len(text) + 1)
            if text[:place].lower().endswith(tuple(end.decode() for end in CALLS[language]))
        ]
        assert set(quotes) <= set(cues.quotes)
        assert cues.calls == calls
