"""Words that surrogates keep, where they are mentions by themselves: none is left, none fails.

A title, a particle, a provider of mail or the word that says what a thing is stays in a surrogate
("Captain Trent" -> "Captain Weaver"). Where the document has it as a mention of its own, the proof
would find it there, and the document would be lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.transform.policy import find_policy
from tests.safety.mention_runs import Row, prove_mentions

POLICY = find_policy("surrogate", key=b"0123456789abcdef0123456789abcdef")

MENTIONS: dict[str, dict[str, list[str]]] = {
    "en": {
        "PATIENT": [
            "Captain Trent", "Reverend Amos Trent Senior", "Maria della Robbia", "Jan van der Berg",
            "Trent, Captain James", "Professor Ann Lee, PharmD", "Commander and Mrs. Trent",
            "Lt. Col. James Trent", "Joaquin Santa Cruz", "Don Quill Junior", "LtCol Trent",
        ],
        "HOSPITAL": ["Elyria Memorial Hospital", "St. Luke's Regional Medical Center", "Mercy"],
        "ORGANIZATION": ["Trent Brothers Limited", "First National Bank", "Local Union 1234567"],
        "STREET": ["12 Cedar Street", "400 Captain Boulevard Apartment 12345"],
        "CITY": ["Fort Worth", "North Adams"],
        "STATE": ["North Carolina", "Ohio"],
        "LOCATION-OTHER": ["Cuyahoga County Courthouse", "P.O. Box 12345"],
        "DATE": ["April 3, 2011", "Wednesday", "Christmas Eve", "Spring 2011", "June"],
        "AGE": ["45 years", "sixty-one", "seventeen months"],
        "PROFESSION": ["Captain", "senior engineer"],
        "PHONE": ["617-555-0134 extension 12345", "pager 5551234"],
        "EMAIL": ["jim.trent@gmail.com", "captain@hotmail.com"],
        "URL": ["https://www.elyria.org/portal/results", "gmail.com", "webmail.elyria.edu"],
        "IPADDR": ["192.168.10.12", "2001:db8::7e", "fe80::12"],
        "MEDICALRECORD": ["MRN 00714482", "Account number 1234567"],
    },
    "nl": {
        "PATIENT": [
            "Jan van der Berg", "mevrouw de Vries-van den Broek", "prof. dr. Kapitein Smit",
            "van 't Hoff", "zuster Clementine", "dominee Abraham Kuiper senior",
        ],
        "HOSPITAL": ["Academisch Ziekenhuis Maastricht", "polikliniek Noord"],
        "STREET": ["Burgemeester de Vlugtlaan 12"],
        "DATE": ["woensdag 3 maart"],
        "EMAIL": ["p.smit@ziggo.nl"],
        "PHONE": ["toestel 12345"],
    },
    "es": {
        "NOMBRE_SUJETO_ASISTENCIA": [
            "Don José de la Cruz García", "Sor María del Carmen", "Capitán Juan Pérez", "Doña Inés",
        ],
        "HOSPITAL": ["Hospital Universitario La Paz", "Centro de Salud Norte"],
        "CALLE": ["Avenida de la Constitución 12, 28013 Madrid"],
        "TERRITORIO": ["Comunidad de Madrid"],
        "FECHAS": ["miércoles 3 de marzo"],
        "CORREO_ELECTRONICO": ["ana@hotmail.com"],
    },
}  # fmt: skip
_WORD = re.compile(r"[\w'’]+")


@st.composite
def documents(draw: st.DrawFn, language: str) -> list[Row]:
    """Return mentions, and stretches of whole words out of them as mentions of their own."""
    labels = st.sampled_from(sorted(MENTIONS[language]))
    one = labels.flatmap(
        lambda label: st.tuples(st.just(label), st.sampled_from(MENTIONS[language][label]))
    )
    rows = draw(st.lists(one, min_size=1, max_size=4))
    for label, mention in draw(st.lists(st.sampled_from(rows), min_size=1, max_size=3)):
        words = list(_WORD.finditer(mention))
        first = draw(st.integers(0, len(words) - 1))
        last = draw(st.integers(first, len(words) - 1))
        part = mention[words[first].start() : words[last].end()]
        case = draw(st.sampled_from([str, str, str.title, str.upper]))
        rows.append((draw(st.just(label) | labels), case(part)))
    return draw(st.permutations(rows))


def proved(rows: Sequence[Row], language: str, *, gap: str = " | ") -> list[str]:
    """Return the surrogates of a document of mentions; raises where it fails."""
    run = prove_mentions(rows, language, POLICY, head="seen ", gap=gap, end="end")
    return [edit.replacement for edit in run.edits]


@given(documents("en"), st.sampled_from([" | ", "\n", " "]))
@example([("PATIENT", "Captain"), ("PATIENT", "Captain Trent")], " | ")
def test_english_documents_are_proved(rows: list[Row], gap: str) -> None:
    proved(rows, "en", gap=gap)


@given(documents("nl"))
def test_dutch_documents_are_proved(rows: list[Row]) -> None:
    proved(rows, "nl")


@given(documents("es"))
def test_spanish_documents_are_proved(rows: list[Row]) -> None:
    proved(rows, "es")


@pytest.mark.parametrize(
    ("language", "whole", "part", "form"),
    [
        ("en", ("PATIENT", "Captain Trent"), ("PATIENT", "Captain"), r"[A-Z]\w+ [A-Z]\w+"),
        ("en", ("PATIENT", "TRENT, CAPTAIN"), ("DOCTOR", "Captain"), r"[A-Z]+, [A-Z]+"),
        ("en", ("PATIENT", "Amos Trent, Junior"), ("PATIENT", "Junior"), r"\w+ \w+, \w+"),
        ("nl", ("PATIENT", "Jan van der Berg"), ("PATIENT", "van der"), r"\w+ [a-z]+ [a-z]+ \w+"),
        ("en", ("EMAIL", "jim@gmail.com"), ("URL", "gmail.com"), r"[a-z]+@[a-z]+\.example"),
        ("en", ("EMAIL", "jim@gmail.com"), ("URL", "gmail"), r"[a-z]+@[a-z]+\.example"),
        ("en", ("PHONE", "pager 5551234"), ("PHONE", "pager"), r"[a-z]+ \d{7}"),
        ("en", ("IPADDR", "192.168.10.12"), ("IPADDR", "192.168"), r"10\.\d+\.\d+\.\d+"),
        ("en", ("IPADDR", "fe80::12"), ("IPADDR", "fe80"), r"[0-9a-f]{4}::[0-9a-f]{2}"),
        ("en", ("IDNUM", "account 1234567"), ("IDNUM", "Account"), r"[a-z]{7} \d{7}"),
        ("en", ("HOSPITAL", "Elyria Hospital"), ("HOSPITAL", "Hospital"), r"[\w ]+"),
    ],
)
def test_a_kept_word_that_is_a_mention_becomes_another(
    language: str, whole: Row, part: Row, form: str
) -> None:
    new, new_part = proved([whole, part], language)
    assert re.fullmatch(form, new), new
    assert part[1].lower() not in new.lower()
    assert "[" not in new_part + new


def test_kept_words_that_are_no_mention_stay() -> None:
    assert proved([("PATIENT", "Captain Trent"), ("PATIENT", "Trent")], "en")[0].startswith(
        "Captain "
    )
    assert proved([("EMAIL", "jim@gmail.com"), ("URL", "elyria.org")], "en")[0].endswith(
        "@gmail.example"
    )
