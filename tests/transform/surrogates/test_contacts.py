"""Contacts: layout, lines and ranges stay, domains are nobody's; what tells the person goes."""

from __future__ import annotations

import ipaddress
import re

import pytest

from scrubjay.text.digit_words import digit_words
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
    return "".join(str(digit_words("en").index(word)) for word in re.findall("[a-z]+", said))


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


@pytest.mark.parametrize(
    ("kind", "text", "pattern"),
    [
        ("email", "j.smith85@gmail.com", r"[a-z]\.[a-z]+[1-9]\d@gmail\.example"),
        ("email", "HEZ@QUARRY.example", r"[A-Z]{3}@[A-Z]+\.example"),
        ("email", "fk@dps-hr.example.org", r"[a-z]{2}@[a-z]+-[a-z]{2}\.example\.org"),
        ("url", "https://portal.frontrange.example/docs", r"https://portal\.[a-z]+\.example/docs"),
        ("url", "www.parkzicht.nl/rx/4471", r"www\.[a-z]+\.example/[a-z]{2}/[1-9]\d{3}"),
        ("url", "staurea-liver.example", r"[a-z]+-[a-z]+\.example"),
        ("url", "http://10.1.2.3:8080/x", r"http://10\.\d+\.\d+\.\d+:\d{4}/[a-z]"),
        ("url", "someone@post.example", r"[a-z]+@[a-z]+\.example"),
        ("username", "rleota7", r"[a-z]+\d"),
        ("username", "pa_mhuerta", r"[a-z]{2}_[a-z]+"),
    ],
)
def test_addresses_of_the_net_keep_their_pattern(kind: str, text: str, pattern: str) -> None:
    [new] = make(kind, [text])
    assert re.fullmatch(pattern, new)


@pytest.mark.parametrize(
    ("kind", "text", "domain"),
    [
        ("email", "k.brown@cedarclinic.com", r"[a-z]+\.example"),
        ("email", "p.jones@mft.nhs.uk", r"[a-z]{3}\.nhs\.example"),
        ("email", "ANA@HOTMAIL.COM", r"HOTMAIL\.EXAMPLE"),
        ("email", "jan@xs4all.nl", r"[a-z]+\d[a-z]+\.example"),
        ("url", "http://www.olvg.nl:8080/poli", r"www\.[a-z]+\.example"),
        ("url", "hospitalclinic.cat", r"[a-z]+\.example"),
        ("url", "https://ward.example.org/x", r"[a-z]+\.example\.org"),
        ("email", "m@unit.invalid", r"[a-z]+\.invalid"),
    ],
)
def test_a_domain_is_one_that_nobody_can_have(kind: str, text: str, domain: str) -> None:
    [new] = make(kind, [text])
    assert re.fullmatch(domain, re.split("[:/]", re.split("@|://", new)[-1])[0])


def test_a_host_without_a_domain_stays_without_one() -> None:
    [new] = make("email", ["jsmith@ward"])
    assert re.fullmatch("[a-z]+@[a-z]+", new)


def test_no_word_of_an_address_is_left() -> None:
    [new] = make("url", ["https://hoyt-clinic.example.org/jane/doe?id=411#kidney"])
    assert not re.search("hoyt|clinic|jane|doe|411|kidney", new)


@pytest.mark.parametrize(
    "text", ["10.44.8.21", "172.20.4.61", "192.168.14.22", "169.254.7.7", "127.0.0.9"]
)
def test_private_net_addresses_stay_private(text: str) -> None:
    [new] = make("ip", [text])
    assert ipaddress.ip_address(new).is_private
    assert new != text


def test_public_net_addresses_stay_public() -> None:
    for number in range(60):
        [new] = make("ip", [f"68.114.203.{number}"])
        assert ipaddress.ip_address(new).is_global


@pytest.mark.parametrize("text", ["2601:40a:8200:51::9c", "2001:db8:41::7e", "fe80::1ff:fe23:4567"])
def test_addresses_of_version_6_stay_what_they_are(text: str) -> None:
    [new] = make("ip", [text])
    assert ipaddress.ip_address(new).version == 6
    assert new[0] == text[0]
    assert [c for c in new if c == ":"] == [c for c in text if c == ":"]


def test_hardware_addresses_keep_pattern_and_case() -> None:
    assert re.fullmatch(r"(?:[0-9A-F]{2}:){5}[0-9A-F]{2}", make("ip", ["00:1A:2B:3C:4D:5E"])[0])
