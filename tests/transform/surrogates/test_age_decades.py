"""Words for decades of life go with the ages that a document tells."""

from __future__ import annotations

import re

import pytest

from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates.ages import make
from scrubjay.transform.surrogates.draw import Draw
from tests.transform.surrogates.test_makers import KEY

PATIENTS = [f"patient {number}" for number in range(12)]
WORDS = {"sexagenarian": 60, "septuagenarian": 70, "octogenarian": 80, "nonagenarian": 90}
TENS = {"sixties": 60, "seventies": 70, "eighties": 80}


def ages(text: str, mentions: list[str], patient: str, language: str = "en") -> list[str]:
    record = Record("d", patient, text, language)
    return make(mentions, record, Draw(KEY, patient), avoid=frozenset(mentions))


def decade(text: str) -> int:
    """Return the decade that a word or figures tell."""
    known = WORDS.get(text.lower()) or TENS.get(text.lower())
    return known or int(re.sub(r"\D", "", text)) // 10 * 10


@pytest.mark.parametrize(
    ("word", "age"),
    [("octogenarian", 81), ("Septuagenarian", 79), ("nonagenarian", 93), ("80s", 81),
     ("80's", 89), ("eighties", 84), ("seventies", 71)],
)  # fmt: skip
@pytest.mark.parametrize("patient", PATIENTS)
def test_a_word_for_a_decade_goes_with_the_age(word: str, age: int, patient: str) -> None:
    new, number = ages(f"{word}, {age}", [word, str(age)], patient)
    assert decade(new) == int(number) // 10 * 10
    assert new.lower() != word.lower()


@pytest.mark.parametrize("patient", PATIENTS)
def test_the_article_before_the_word_holds_for_the_age(patient: str) -> None:
    new, number = ages("an octogenarian, 81", ["octogenarian", "81"], patient)
    assert new == f"{number}-year-old"
    assert number[0] == "8"


@pytest.mark.parametrize(
    ("language", "word", "age", "pattern"),
    [("es", "octogenaria", "81 años", r"septuagenaria|de 8\d años"),
     ("nl", "tachtiger", "81 jaar", r"zeventiger|8\d-jarige")],
)  # fmt: skip
def test_other_languages_do_so_too(language: str, word: str, age: str, pattern: str) -> None:
    for patient in PATIENTS:
        new, number = ages(f"{word}, {age}", [word, age], patient, language)
        assert re.fullmatch(pattern, new)
        assert ("8" in new or "tacht" in new) == (number[0] == "8")


@pytest.mark.parametrize("patient", PATIENTS)
def test_ages_over_89_one_year_apart_stay_so(patient: str) -> None:
    new = [int(age) for age in ages("94, turns 95", ["94", "95"], patient)]
    assert new[1] - new[0] == 1
    assert not {*new} & {94, 95}
