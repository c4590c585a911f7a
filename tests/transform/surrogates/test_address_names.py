"""Addresses follow the names of the document, and agree with documents that have no names."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.transform.operators import Mention, Record
from scrubjay.transform.surrogates._initials import is_taken
from scrubjay.transform.surrogates.operator import Surrogate

KEY = b"0123456789abcdef0123456789abcdef"


def replace(*rows: tuple[str, str], language: str = "en", patient: str = "p") -> list[str]:
    mentions, text = [], ""
    for label, words in rows:
        span = Span(len(text), len(text) + len(words), label)
        mentions.append(Mention(span, words, "d", patient))
        text += words + " ; "
    return Surrogate(KEY).replace_all(mentions, Record("d", patient, text, language))


# Pattern of the address; {g} and {l} are the names, {G} and {L} their first letters.
SHAPES = (
    "{g}.{l}", "{l}.{g}", "{g}{l}", "{G}{l}", "{G}.{l}", "{l}{G}", "{l}_{g}", "{g}", "{l}",
    "{g}{L}", "{g}-{l}",
)  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("order", [("PATIENT", "EMAIL"), ("EMAIL", "PATIENT")])
@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_an_address_is_built_of_the_new_name(shape: str, order: tuple[str, str], case) -> None:  # type: ignore[no-untyped-def]
    def address(given: str, last: str, host: str = "com") -> str:
        plain = re.sub(r"[^a-z]", "", given.lower()), re.sub(r"[^a-z]", "", last.lower())
        built = shape.format(g=plain[0], l=plain[1], G=plain[0][0], L=plain[1][0])
        return f"{case(built)}@gmail.{host}"

    rows = {"PATIENT": "John Smith", "EMAIL": address("John", "Smith")}
    found = dict(zip(order, replace(*((label, rows[label]) for label in order)), strict=True))
    given, _, last = found["PATIENT"].partition(" ")
    assert found["EMAIL"] == address(given, last, "example")


@pytest.mark.parametrize(
    ("language", "name"), [("en", "Laura Smith-Jones"), ("es", "Laura García López")]
)
def test_two_surnames_may_be_glued_in_an_address(language: str, name: str) -> None:
    def address(full: str, host: str = "com") -> str:
        given, *lasts = re.split("[ -]", full)
        return f"{given[0]}{''.join(lasts)}@gmail.{host}".lower()

    old = address(name).replace("í", "i").replace("ó", "o")
    new, mail = replace(("PATIENT", name), ("EMAIL", old), language=language)
    plain = unicodedata.normalize("NFKD", address(new, "example"))
    assert mail == "".join(c for c in plain if not unicodedata.combining(c))


def test_digits_hosts_and_other_persons_have_draws_of_their_own() -> None:
    name, mail, login, other = replace(
        ("PATIENT", "John Smith"),
        ("EMAIL", "jsmith77@partners.org"),
        ("USERNAME", "SMITHJ"),
        ("EMAIL", "mary.jones@gmail.com"),
    )
    given, last = name.lower().split()
    assert re.fullmatch(rf"{given[0]}{last}[1-9]\d@[a-z]+\.example", mail)
    assert "77@" not in mail
    assert "partners" not in mail
    assert login == f"{last}{given[0]}".upper()
    assert not {given, last} & set(re.findall("[a-z]+", other))


def test_accents_and_particles() -> None:
    name, mail = replace(
        ("PATIENT", "María García Pérez"), ("EMAIL", "maria.garcia.perez@gmail.com"), language="es"
    )
    given, first, second = name.lower().split()
    assert mail == f"{given}.{first}.{second}@gmail.example"


def test_documents_without_the_name_agree_where_it_can_be_told() -> None:
    rows = (("EMAIL", "john.smith@gmail.com"), ("USERNAME", "grelmiksot"))
    with_names = replace(("PATIENT", "John Smith"), ("PATIENT", "Mrs. Grelmiksot"), *rows)
    assert with_names[2:] == replace(*rows)
    assert with_names[2:] != replace(*rows, patient="q")


LOCAL = st.text("abjohnsmith.-_+7éÉß漢 ", min_size=1, max_size=20)


@given(LOCAL, st.sampled_from(["", "@gmail.com", "@ward.example.org", "@"]))
def test_no_address_stays_and_marks_do(local: str, host: str) -> None:
    old = local + host
    name, new = replace(("PATIENT", "John Smith"), ("EMAIL", old))
    assert name != "John Smith"
    assert new.strip().casefold() != old.strip().casefold()
    assert "smith" not in new.casefold()


@pytest.mark.parametrize("patient", ["p", "q", "r", "s"])
@pytest.mark.parametrize(
    ("name", "login", "shape"),
    [
        ("Flores M", "mflores_evs", "{initials}{last}_"),
        ("Flores, M", "floresm", "{last}{initials}"),
        ("M. Flores", "MFLORES", "{initials}{last}"),
        ("Flores", "flores", "{last}"),
        ("Jane Q. Doe", "jqdoe", "{initials}{last}"),
        ("Doe, Jane Q.", "doejq7", "{last}{initials}"),
    ],
)
def test_a_login_follows_a_name_of_which_initials_are_known(
    name: str, login: str, shape: str, patient: str
) -> None:
    new, made = replace(("PATIENT", name), ("USERNAME", login), patient=patient)
    words = re.findall(r"[A-Za-z]+", new)
    last = words[0] if name.startswith(("Flores", "Doe")) else words[-1]
    words.remove(last)
    initials = "".join(word[0] for word in words)
    assert made.lower().startswith(shape.format(initials=initials, last=last).lower())
    assert made.isupper() == login.isupper()


def test_letters_of_a_login_make_no_word() -> None:
    for number in range(200):
        (new,) = replace(("USERNAME", "evs"), patient=f"p{number}")
        assert not is_taken(new)


@pytest.mark.parametrize("patient", ["p", "q", "r", "s"])
@pytest.mark.parametrize(
    ("name", "login"),
    [("L. Abernathy-Stokes", "las"), ("Laura Smith-Jones", "lsj"), ("Laura Smith-Jones", "LSJ")],
)
def test_a_login_of_initials_follows_a_person_with_two_surnames(
    name: str, login: str, patient: str
) -> None:
    new, made = replace(("DOCTOR", name), ("USERNAME", login), patient=patient)
    initials = "".join(word[0] for word in re.findall(r"[^\W\d_]+", new))
    assert made.lower() == initials.lower()
    assert made.isupper() == login.isupper()


def test_a_login_that_is_an_article_becomes_none() -> None:
    for number in range(20):
        (new,) = replace(("USERNAME", "las"), patient=f"p{number}")
        assert new not in ("el", "la", "las")
        assert len(new) == 3
