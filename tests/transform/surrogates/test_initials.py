"""Initials of surrogates are no credential, no role and no term of notes."""

from __future__ import annotations

import pytest

from scrubjay.transform.operators import Record
from scrubjay.transform.person_names import parse_name
from scrubjay.transform.surrogates._initials import are_initials, is_taken, widened
from scrubjay.transform.surrogates.draw import Draw
from scrubjay.transform.surrogates.names import make_many
from tests.transform.surrogates.alone import alone

make = alone(make_many)
KEY = b"0123456789abcdef0123456789abcdef"


def test_initials_become_no_term_and_still_are_those_of_the_person() -> None:
    longer = 0
    for number in range(300):
        texts = ["John Smith", "JS", "J.S.", "js"]
        record = Record("d", f"p{number}", "John Smith came. JS called. J.S. and js", "en")
        full, plain, dotted, small = make(
            texts, record, Draw(KEY, f"p{number}"), avoid=frozenset(texts)
        )
        given, last = full.split()
        assert not is_taken(plain)
        assert not is_taken(dotted)
        assert plain[0] + plain[-1] == given[0] + last[0]
        assert dotted.replace(".", "") == plain == small.upper()
        longer += len(plain) > 2
    assert 0 < longer < 100


def test_initials_of_nobody_that_is_known_become_no_term() -> None:
    for number in range(200):
        record = Record("d", f"p{number}", "KL called", "en")
        assert not is_taken(make(["KL"], record, Draw(KEY, f"p{number}"), avoid=frozenset())[0])


@pytest.mark.parametrize(
    ("text", "wider"), [("MD", "MBD"), ("M.D.", "M.B.D."), ("m d", "m b d"), ("M", "M"), ("", "")]
)
def test_a_letter_is_put_between_two(text: str, wider: str) -> None:
    assert widened(text, lambda at: "b") == wider


def test_initials_alone_are_told_from_names() -> None:
    assert are_initials(parse_name("JS"))
    assert not are_initials(parse_name("J. Smith"))


@pytest.mark.parametrize("old", ["las", "la", "LAS"])
def test_initials_that_are_an_article_elsewhere_are_those_of_a_person(old: str) -> None:
    texts = ["L. Abernathy-Stokes", old]
    for number in range(20):
        draw = Draw(KEY, f"p{number}")
        record = Record("d", f"p{number}", f"Dictated by {texts[0]}, MD. /{old}", "en")
        full, short = make(texts, record, draw, avoid=frozenset(texts))
        letters = "".join(word[0] for word in full.replace("-", " ").split())[: len(old)]
        assert short.lower() == letters.lower() or is_taken(letters)
        assert short.islower() == old.islower()
