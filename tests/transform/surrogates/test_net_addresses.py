"""Addresses of the net: pattern and range stay, domains are nobody's; no word of a person stays."""

from __future__ import annotations

import ipaddress
import re

import pytest

from tests.transform.surrogates.test_makers import make


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
