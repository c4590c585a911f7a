"""Phrases in pieces, remembered by their text, are what a search in each new text finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.transform.surrogates import _phrase_pieces
from scrubjay.transform.surrogates._date_writing import ordinal_ending
from scrubjay.transform.surrogates._fresh import Characters, Fresh
from scrubjay.transform.surrogates._phrase_pieces import FACILITY, PLACE, STREET
from scrubjay.transform.surrogates._phrases import Phrases
from scrubjay.transform.surrogates._tables import find_words
from scrubjay.transform.surrogates.draw import Draw

KEY = b"0123456789abcdef"
CUES = st.sampled_from([FACILITY, STREET, PLACE])
TEXTS = st.lists(
    st.sampled_from(
        [
            "Kamer", "kamer", "Ward", "12", "4th", "21ST", "3", "x", "X", "a", "Y", "-", "/", " ",
            ", ", "'", "’", ".", "_", "ray", "Noord", "EMH", "B", "Street", "St.", "Zürich", "٣",
            "\n", "de", "o", "Box", "e\u0301",
        ]
    ),
    max_size=7,
).map("".join)  # fmt: skip


def numbers_plainly(text: str, draw: Draw, language: str, attempt: int) -> str:
    """Replace numbers, then lone letters, each by one expression over the whole text."""

    def number(match: re.Match[str]) -> str:
        characters = Characters(draw, "number", match.group(), str(attempt))
        old = match.group(1) or match.group()
        value = characters.digit_run(old)
        if value == old:
            value = characters.digit_run(old)
        ending = match.group(2)
        return value + ordinal_ending(int(value), ending, "en") if ending else value

    def letter(match: re.Match[str]) -> str:
        if match.group().lower() in find_words(language).keep:
            return match.group()
        return Characters(draw, "letter", match.group(), str(attempt)).like(match.group())

    return _phrase_pieces._LONE_LETTER.sub(letter, _phrase_pieces._DIGITS.sub(number, text))


@given(TEXTS, CUES, st.sampled_from(["en", "es", "nl"]), st.integers(0, 2))
@example("x-ray 12", FACILITY, "en", 0)
@example("Ward 12Noord B.", FACILITY, "nl", 0)
@example("de/12Th.", FACILITY, "en", 0)
def test_pieces_by_the_old_text_are_those_of_the_new_one(
    text: str, cues: tuple[str, ...], language: str, attempt: int
) -> None:
    draw = Draw(KEY, "p")
    phrases = Phrases(Fresh(draw, ()), language)
    numbered = numbers_plainly(text, draw, language, attempt)
    assert phrases.numbers(text, attempt) == numbered
    pieces = _phrase_pieces.pieces_of(text, cues, language)
    if pieces is not None:
        assert "".join(piece for _, piece, _ in pieces) == text
        plainly = _phrase_pieces.runs_of(numbered, cues, language)
        new = phrases._written(pieces, attempt, cues)
        assert new == phrases._written(plainly, attempt, cues)


def test_a_letter_in_a_word_changes_before_the_word_is_looked_at() -> None:
    assert _phrase_pieces.pieces_of("x-ray 12", FACILITY, "en") is None
    assert _phrase_pieces.pieces_of("Ward 12 B", FACILITY, "en") is not None


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("comuna 13", r"comuna \d\d"),
        ("Mz. K Lt. 14", r"Mz\. [A-Z] Lt\. \d\d"),
        ("N-120 pk 512", r"N-\d{3} pk \d{3}"),
        ("N-120, p.k. 512", r"N-\d{3}, p\.k\. \d{3}"),
        ("Torre 3 Depto. 402", r"Torre \d Depto\. \d{3}"),
        ("Colonia Roma Norte", r"Colonia [A-Z].*"),
        ("Villa El Sol 12", r"Villa El [A-Z].* \d\d"),
    ],
)
def test_words_of_spanish_addresses_stay(text: str, pattern: str) -> None:
    for cues in (STREET, PLACE):
        assert re.fullmatch(pattern, Phrases(Fresh(Draw(KEY, "p"), ()), "es").phrase(text, cues, 0))


def test_a_word_of_addresses_inside_the_name_of_a_street_changes() -> None:
    for text in ("Calle de la Torre 5", "C/ Villa 3", "Torre", "Calle Aldea 4", "Calle Colonia"):
        new = Phrases(Fresh(Draw(KEY, "p"), ()), "es").phrase(text, STREET, 0)
        assert not re.search("torre|villa|aldea|colonia", new.lower())


@pytest.mark.parametrize("cues", [STREET, FACILITY])
@pytest.mark.parametrize(
    ("lead", "masculine", "plural"),
    [("del", True, False), ("de la", False, False), ("de los", True, True), ("LAS", False, True)],
)
def test_a_name_behind_an_article_agrees_with_it(
    cues: tuple[str, ...], lead: str, masculine: bool, plural: bool
) -> None:
    phrases = Phrases(Fresh(Draw(KEY, "p"), ()), "es")
    feminine = ["encina", "fuente", "ribera", "cumbre", "vega", "alameda", "acacia"]
    for number in range(40):
        new = phrases.phrase(
            f"Centro {lead} Zorz{'aeiou'[number % 5]}l{number // 5 * 'a'}", cues, 0
        )
        words = new.lower().removeprefix(f"centro {lead.lower()} ").split()
        assert all(word.endswith("s") == plural for word in words)
        assert (words[0].removesuffix("s") in feminine) != masculine
        if len(words) == 2 and words[1][:4] not in ("gran", "verd", "real"):
            assert words[1].rstrip("s").endswith("o" if masculine else "a")


@pytest.mark.parametrize(
    ("text", "cues", "old"),
    [
        ("Li1ac Manor", FACILITY, "ac"),
        ("M1lton Hospita1", FACILITY, "lton"),
        ("Health4Kids Clinic", FACILITY, "Kids"),
        ("77 Be1mont Ave.", STREET, "mont"),
        ("Providence Portland Medical Center", FACILITY, "Providence"),
    ],
)
def test_misread_words_and_names_of_many_facilities_do_not_stay(
    text: str, cues: tuple[str, ...], old: str
) -> None:
    phrases = Phrases(Fresh(Draw(KEY, "a"), ()), "en")
    assert old not in phrases.phrase(text, cues, 0)


def test_numbers_beside_letters_are_no_misread_words() -> None:
    phrases = Phrases(Fresh(Draw(KEY, "a"), ()), "en")
    assert re.fullmatch(r"Ward \d[A-Z]", phrases.phrase("Ward 3B", FACILITY, 0))
