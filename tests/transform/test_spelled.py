"""Names that are spelled letter by letter are read as names and spelled anew."""

from __future__ import annotations

import pytest

from scrubjay.transform._spelled import is_spelled, spell
from scrubjay.transform.coreference import cluster_names
from scrubjay.transform.operators import Record
from scrubjay.transform.person_names import parse_name
from scrubjay.transform.surrogates.draw import Draw
from scrubjay.transform.surrogates.names import make_many
from tests.transform.surrogates.alone import alone

make = alone(make_many)
KEY = b"0123456789abcdef0123456789abcdef"


def rendered(*texts: str) -> list[str]:
    record = Record("d", "p", ", that is ".join(texts), "en")
    return make(texts, record, Draw(KEY, "p"), avoid=frozenset(texts))


@pytest.mark.parametrize(
    ("mention", "keys"),
    [
        ("J O H A N S S O N", ["johansson"]),
        ("W-I-L-L-I-A-M-S", ["williams"]),
        ("O T T O", ["otto"]),
        ("l e e", ["lee"]),
        ("J. O. H. N.", ["john"]),
        ("P Ü T Z", ["putz"]),
        ("J O H A N S S\nO N", ["johansson"]),
        ("J O H A N S S O N, C A R O L", ["johansson", "carol"]),
        ("Zywk Z-Y-W-K", ["zywk", "zywk"]),
        ("van D I J K", ["van", "dijk"]),
        ("Mr. Q U A D", ["mr", "quad"]),
        ("Li, L I", ["li", "li"]),
        ("Kok, K. O. K.", ["kok", "kok"]),
        ("N as in Nancy, A, double S, E, R", ["nasser"]),
        ("B de Barcelona, A, doble erre, O", ["barro"]),
        ("Roe, R-O-E-double B", ["roe", "roebb"]),
        # Initials.
        ("J F M W", ["j", "f", "m", "w"]),
        ("J.A.M.", ["j", "a", "m"]),
        ("J. A. M. W.", ["j", "a", "m", "w"]),
        ("J A M van Dijk", ["j", "a", "m", "van", "dijk"]),
        ("K A M", ["k", "a", "m"]),
        ("J F", ["j", "f"]),
    ],
)
def test_letters_that_spell_a_name_are_one_part(mention: str, keys: list[str]) -> None:
    assert [part.key for part in parse_name(mention).parts] == keys


def test_a_spelled_name_is_of_the_person_who_bears_it() -> None:
    names = map(parse_name, ("Carol Johansson", "Ann Lee", "J-O-H-A-N-S-S-O-N"))
    carol, ann, spelled = cluster_names(list(names))
    assert carol == spelled != ann


def test_it_becomes_the_new_name_spelled_likewise() -> None:
    full, wide, small, odd = rendered(
        "Carol Johansson", "J O H A N S S O N", "j-o-h-a-n-s-s-o-n", "J. o. h. a. n. s. s. o. n."
    )
    last = full.split()[1]
    assert wide == " ".join(last.upper())
    assert small == "-".join(last.lower())
    assert odd == ". ".join(last) + "."


@pytest.mark.parametrize("spelled", ["L I", "l-i", "L, I", "L. I"])
def test_initials_that_spell_a_name_of_the_document_become_its_new_name(spelled: str) -> None:
    last = rendered("Ann Li", "Mr. Moore", spelled)
    gap = spelled[1:-1]
    name = last[0].split()[1].lower()
    assert last[2].lower() == gap.join(name)


@pytest.mark.parametrize(
    ("spelled", "gap"),
    [("R-O-double S", "-"), ("R, O, S as in Sam, S", ", "), ("R van Roe, O, dubbel S", ", ")],
)
def test_what_is_spelled_with_phrases_becomes_letters_alone(spelled: str, gap: str) -> None:
    full, letters = rendered("Carol Ross", spelled)
    assert letters == gap.join(full.split()[1].upper())
    assert is_spelled(letters)


def test_surnames_with_a_small_article_are_written_as_names() -> None:
    (new,) = rendered("Anna d'Hont")
    assert new.split()[-1].istitle()


def test_that_of_nobody_becomes_any_name_and_no_cipher() -> None:
    for old in ("O T T O", "W-I-L-L-I-A-M-S-O-N", "Q U A R B E N"):
        sizes = set()
        for number in range(12):
            record = Record("d", f"p{number}", old, "en")
            (new,) = make([old], record, Draw(KEY, f"p{number}"), avoid=frozenset([old]))
            assert is_spelled(new)
            sizes.add(len(new))
        assert len(sizes) > 1


def test_a_name_of_two_words_is_spelled_by_its_letters_alone() -> None:
    assert spell("o'brien", "A-B-C") == "O-B-R-I-E-N"
    assert spell("de la cruz", "A b c") == "D e l a c r u z"
