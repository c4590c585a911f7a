"""Telephone numbers: layout and line stay, and prefixes are those of a place."""

from __future__ import annotations

import re

import pytest

from scrubjay.text.numerals import numerals
from scrubjay.transform.surrogates._tables import find_places
from tests.transform.surrogates.test_makers import make


@pytest.mark.parametrize(
    ("language", "text", "pattern"),
    [
        ("en", "(617) 555-0134 ext 22", r"\([2-9]\d\d\) [2-9]\d\d-\d{4} ext [1-9]\d"),
        ("en", "1-800-555-0199", r"1-800-[2-9]\d\d-\d{4}"),
        ("en", "555-2210", r"[2-9]\d\d-\d{4}"),
        ("en", "x3316", r"x[1-9]\d{3}"),
        ("en", "x2-HELP", r"x\d-[A-Z]{4}"),
        ("en", "+44 7700 900123", r"\+44 7\d{3} \d{6}"),
        ("en", "02 5550 4470", r"0\d \d{4} \d{4}"),
        ("es", "667 051 570", r"6\d\d \d{3} \d{3}"),
        ("es", "+34 91 336 87 85", r"\+34 9\d \d{3} \d\d \d\d"),
        ("es", "902 100 200", r"902 \d{3} \d{3}"),
        ("nl", "06-21449087", r"06-[1-9]\d{7}"),
        ("nl", "+31 6 41 09 22 67", r"\+31 6 \d\d \d\d \d\d \d\d"),
        ("nl", "0341 - 46 90 00", r"0\d{3} - \d\d \d\d \d\d"),
        ("nl", "0800-1234567", r"0800-\d{7}"),
        ("nl", "2216", r"[1-9]\d{3}"),
    ],
)
def test_telephone_numbers_keep_layout_and_kind_of_line(
    language: str, text: str, pattern: str
) -> None:
    [new] = make("phone", [text], language)
    assert re.fullmatch(pattern, new)


@pytest.mark.parametrize(
    ("language", "text", "size"), [("en", "614-200-3000", 3), ("es", "91 336 87 85", 2),
                                   ("nl", "071 278 9941", 3)]
)  # fmt: skip
def test_prefixes_are_those_of_a_place(language: str, text: str, size: int) -> None:
    [new] = make("phone", [text], language)
    assert re.sub(r"\D", "", new)[:size] in find_places(language).phones


@pytest.mark.parametrize(
    ("language", "text", "pattern"),
    [
        ("nl", "nul zes, twaalf vierendertig 56 78", r"nul zes, D D D D \d\d \d\d"),
        ("nl", "06 twaalf vierendertig zesenvijftig achtenzeventig", "06 D D D D D D D D"),
        ("es", "seiscientos doce, treinta y cuatro, doble cinco, siete dos",
         "seis D D, D D, D D, D D"),
        ("en", "one eight hundred five five five, double two one nine",
         "one eight zero zero D D D, D D D D"),
        ("en", "oh seven seven double one, four double two, triple three",
         "zero seven D D D, D D D, D D D"),
    ],
)  # fmt: skip
def test_a_dictated_number_keeps_its_kind_of_line(language: str, text: str, pattern: str) -> None:
    [new] = make("phone", [text], language)
    assert re.fullmatch(pattern.replace("D", "[a-z]+"), new)


def digits_of(said: str) -> str:
    return "".join(str(numerals("en").index(word)) for word in re.findall("[a-z]+", said))


@pytest.mark.parametrize("state", ["MA", "IL", "CA"])
def test_written_and_dictated_numbers_go_where_their_towns_go(state: str) -> None:
    places = find_places("en")
    old = {
        "MA": ("Boston", "617-555-0134", "six seventeen, five five five, oh one three four"),
        "IL": ("Chicago", "(312) 555-0134", "three one two, five five five, oh one double four"),
        "CA": ("Los Angeles", "213.555.0134", "two thirteen five five five oh one three four"),
    }[state]
    town = make("city", [old[0]])[0]
    [area] = [a for a in places.areas.values() if a.country == "us" and town in a.towns]
    written, said = make("phone", [*old[1:]])
    assert re.sub(r"\D", "", written)[:3] in area.phones
    assert digits_of(said)[:3] in area.phones
    assert digits_of(said)[3] not in "01"


def test_no_prefix_of_america_is_in_two_areas() -> None:
    places = find_places("en")
    for country in ("us", "ca"):
        assert len({p for c, p in places.own_phones if c == country}) >= 40
    both = {p for c, p in places.own_phones if c == "us"} & {
        p for c, p in places.own_phones if c == "ca"
    }
    assert not both


def test_a_prefix_goes_where_its_town_goes() -> None:
    town, phone = make("city", ["Columbus"])[0], make("phone", ["614-200-3000"])[0]
    places = find_places("en")
    assert places.phones[phone[:3]] == next(
        area.key for area in places.areas.values() if area.country == "us" and town in area.towns
    )


def test_the_end_of_a_number_stays_its_end() -> None:
    whole, ending = make("phone", ["617-555-0134", "0134"])
    assert whole.endswith(ending)
