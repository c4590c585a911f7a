"""Codes: pattern, check digits, the same number in other layouts, endings of longer ones."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubjay.text.numerals import numerals
from scrubjay.transform.surrogates._check_digits import SCHEMES, curp_check, find_scheme
from tests.transform.surrogates.test_makers import make


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("00-71-4482", r"00-[1-9]\d-\d{4}"),
        ("PJN7720813", r"[A-Z]{3}[1-9]\d{6}"),
        ("26-2043-1177-p", r"\d\d-\d{4}-\d{4}-[a-z]"),
        ("MRN 440187", r"MRN [1-9]\d{5}"),
        ("DOTSY 2", r"[A-Z]{5} [1-9]"),
        ("xxx-xx-5519", r"xxx-xx-\d{4}"),
        ("00719/C", r"00\d{3}/[A-Z]"),
        ("***", r"[1-9]{3}"),
        ("0000", r"[1-9]{4}"),
        ("1047\n22", r"\d{4}\n\d\d"),
    ],
)
def test_the_pattern_stays(text: str, pattern: str) -> None:
    [new] = make("id", [text])
    assert re.fullmatch(pattern, new)
    assert new != text


def test_one_number_in_two_layouts_stays_one_number() -> None:
    apart, glued = make("id", ["00-71-4482", "00714482"])
    assert apart.replace("-", "") == glued


numbers = st.integers(10**3, 10**7).map(str) | st.from_regex("[1-9][0-9]{2,14}", fullmatch=True)


@given(numbers, st.integers(1, 5), st.sampled_from(["en", "es", "nl"]))
@example("481516", 2, "en")
@example("11222333", 1, "nl")  # of the Netherlands, with its zero
def test_zeros_before_a_number_make_no_other_one(number: str, zeros: int, language: str) -> None:
    padded = "0" * zeros + number
    scheme = find_scheme(padded)
    if scheme is not None and scheme.name == "insz":
        return  # its zeros are a year
    [bare] = make("id", [number], language)
    [behind] = make("id", [padded], language)
    assert behind == f"{'0' * zeros}{bare}"


@given(st.integers(0, 10**7 - 1))
def test_a_valid_number_that_begins_with_a_zero_becomes_a_valid_one(number: int) -> None:
    bsn = next(scheme for scheme in SCHEMES if scheme.name == "bsn")
    padded = bsn.repair(f"0{number:07d}0")
    if padded is None or padded[1] == "0":
        return
    [new] = make("id", [padded], "nl")
    assert bsn.holds(new)
    assert new[0] == "0"


def test_the_last_digits_stay_those_of_the_number() -> None:
    whole, ending = make("ssn", ["512-33-0917", "0917"])
    assert whole.endswith(ending)
    whole, ending = make("id", ["MRN 00714482", "4482"])
    assert whole.endswith(ending)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("4111 1111 1111 1111", "en"), ("NL91 ABNA 0417 1643 00", "nl"), ("12345678-Z", "es"),
        ("x1234567l", "es"), ("943 476 5919", "en"), ("1M8GDM9AXKP042788", "en"),
        ("AB1234563", "en"), ("111222333", "nl"), ("28/12345678/40", "es"),
        ("85.07.30-033.28", "nl"),
    ],
)  # fmt: skip
def test_a_valid_number_becomes_a_valid_number(text: str, language: str) -> None:
    [new] = make("id", [text], language)
    old_code, new_code = (re.sub(r"\W", "", one).upper() for one in (text, new))
    scheme = find_scheme(old_code)
    assert scheme is not None
    assert scheme.holds(new_code)
    assert new_code != old_code
    assert new_code[: scheme.kept] == old_code[: scheme.kept]
    assert [c.isalnum() for c in new] == [c.isalnum() for c in text]
    assert new.islower() == text.islower()


@settings(max_examples=100)
@given(st.integers(0, 10**9 - 1))
def test_social_security_numbers_are_of_possible_areas(number: int) -> None:
    text = f"{number:09d}"
    [new] = make("ssn", [f"{text[:3]}-{text[3:5]}-{text[5:]}"])
    area, group, serial = new.split("-")
    assert area not in ("000", "666")
    assert (area[0] == "9") == (text[0] == "9")
    assert group != "00"
    assert serial != "0000"


def test_a_dutch_social_security_number_passes_the_eleven_test() -> None:
    [new] = make("ssn", ["111222333"], "nl")
    assert sum(int(d) * w for d, w in zip(new, (9, 8, 7, 6, 5, 4, 3, 2, -1), strict=True)) % 11 == 0


@pytest.mark.parametrize("kind", ["id", "phone", "zip"])
@pytest.mark.parametrize(
    ("text", "language", "pattern"),
    [
        ("seis cinco cinco once veintidós treinta y tres", "es", r"D D D D D D D D D"),
        ("seiscientos cinco, doble tres", "es", "D D, D D"),
        ("five five five, one two one two", "en", "D D D, D D D D"),
        ("Oh two one three-nine", "en", "D D D D-D"),
        ("one eight hundred five five five double two", "en", "D D D D D D D D D"),
        ("area code SIX ONE SEVEN", "en", "area code D D D"),
        ("B seven seven twenty-one", "en", "[A-Z] D D D D"),
        ("nul zes, dubbel vier eenentwintig", "nl", "D D, D D D D"),
        ("nul zes, driemaal vier", "nl", "D D, D D D"),
    ],
)
def test_a_dictated_number_becomes_as_many_other_digits_in_words(
    text: str, language: str, pattern: str, kind: str
) -> None:
    small = {
        "en": "zero one two three four five six seven eight nine",
        "es": "cero uno dos tres cuatro cinco seis siete ocho nueve",
        "nl": "nul een twee drie vier vijf zes zeven acht negen",
    }[language]
    [new] = make(kind, [text], language)
    digit = f"(?i:{'|'.join(small.split())})"
    assert re.fullmatch(pattern.replace("D", digit), new)
    assert new != text


@pytest.mark.parametrize("text", ["X-4471820-T", "Y1234567A", "z 0012345 b"])
def test_a_foreigners_number_of_spain_stays_one_though_its_letter_is_wrong(text: str) -> None:
    for kind in ("id", "ssn"):
        [new] = make(kind, [text], "es")
        scheme = find_scheme(re.sub(r"\W", "", new).upper())
        assert scheme is not None
        assert (scheme.name, new[0]) == ("nie", text[0])


@pytest.mark.parametrize("text", ["GOMC850412HDFRRS09", "BADD110313MCMLNSA1"])
def test_a_mexican_number_keeps_a_date_and_a_sex_that_can_be(text: str) -> None:
    for number in range(30):
        old = f"{text[:4]}{(int(text[4:6]) + number) % 100:02d}{text[6:]}"
        [new] = make("id", [old], "es")
        assert re.fullmatch(
            r"[A-Z][AEIOU][A-Z]{2}\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|1\d|2[0-8])[HM][A-Z]{2}"
            r"[B-DF-HJ-NP-TV-Z]{3}[A-Z0-9]\d",
            new,
        )
        assert new[10] == old[10]


def test_the_last_digit_of_a_mexican_number_is_a_valid_check_digit() -> None:
    # Examples that are published with the algorithm and in libraries for it.
    assert curp_check("HEGG560427MVZRRL0") == "4"
    assert curp_check("SABC560626MDFLRN0") == "1"


@pytest.mark.parametrize("kind", ["id", "ip"])
def test_a_net_address_among_ids_has_parts_that_can_be(kind: str) -> None:
    for number in range(40):
        [new] = make(kind, [f"95.48.42.{number + 200}"], "es")
        assert all(int(part) <= 255 for part in new.split("."))
    [new] = make("id", ["00.71.44.820"], "es")
    assert re.fullmatch(r"00\.\d\d\.\d\d\.\d{3}", new)


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("es", "cuatro cuatro uno nueve cero dos punto", "{} punto"),
        ("es", "coma historia cuatro cuatro uno nueve cero dos", "coma historia {}"),
        ("nl", "patientnummer vier vier een nul twee punt", "patientnummer {} punt"),
        ("en", "policy number five five one two period", "policy number {} period"),
    ],
)  # fmt: skip
def test_a_number_in_words_stays_one_beside_other_words(
    language: str, text: str, kept: str
) -> None:
    (new,) = make("id", [text], language)
    head, tail = kept.split("{}")
    assert new.startswith(head)
    assert new.endswith(tail)
    words = new.removeprefix(head).removesuffix(tail).split()
    assert all(word in numerals(language)[:10] for word in words)
    assert len(words) == sum(word in numerals(language)[:10] for word in text.split())
    assert new != text


def test_a_word_that_nobody_knows_beside_a_number_in_words_changes() -> None:
    (new,) = make("id", ["xavrina cuatro cuatro uno"], "es")
    assert "xavrina" not in new
