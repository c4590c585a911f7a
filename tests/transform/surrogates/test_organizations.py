"""Institutions and jobs: cue words, short forms, towns inside names, articles and gender."""

from __future__ import annotations

import re

import pytest

from scrubjay.transform.surrogates._tables import find_words
from tests.transform.surrogates.test_makers import make


@pytest.mark.parametrize(
    ("language", "text", "pattern"),
    [
        ("en", "Elyria Memorial Hospital", r"[A-Z].* Memorial Hospital"),
        ("en", "ATTAKAPAS GENERAL HOSPITAL", r"[A-Z][A-Z .]+ GENERAL HOSPITAL"),
        ("en", "General Hospital", r"[A-Z].* General Hospital"),
        ("es", "Hospital Universitario de Getafe", r"Hospital Universitario de [A-ZÁÉÍÓÚ].*"),
        ("es", "Hospital General", r"Hospital General [A-ZÁÉÍÓÚ].*"),
        ("nl", "Deventer Ziekenhuis", r"[A-Z].* Ziekenhuis"),
        ("nl", "Stichting Steun & Rust", r"Stichting [A-Z].* & [A-Z].*"),
    ],
)
def test_words_that_say_what_it_is_stay(language: str, text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, make("hospital", [text], language)[0])


def test_a_short_form_is_that_of_the_new_name() -> None:
    whole, short = make("hospital", ["Elyria Memorial Hospital", "EMH"])
    assert short == "".join(word[0] for word in re.findall(r"[\w']+", whole)).upper()


def test_a_short_form_alone_is_as_long() -> None:
    assert re.fullmatch(r"[A-Z]{4}", make("hospital", ["UMCG"], "nl")[0])


def test_a_town_in_a_name_goes_where_the_town_goes() -> None:
    town = make("city", ["Boston"])[0]
    assert make("hospital", ["Boston Medical Center"])[0] == f"{town} Medical Center"


@pytest.mark.parametrize("text", ["actor", "engineer", "office manager"])
def test_jobs_fit_the_article(text: str) -> None:
    assert make("profession", [text])[0][0] in "aeiou"


@pytest.mark.parametrize(
    ("language", "text"), [("es", "soldadora"), ("es", "pescador"), ("nl", "naaister"),
                           ("nl", "kapitein")]
)  # fmt: skip
def test_jobs_keep_their_gender_as_far_as_it_shows(language: str, text: str) -> None:
    ends = find_words(language).feminine
    new = make("profession", [text], language)[0]
    assert new.split()[0].endswith(ends) == text.endswith(ends)


@pytest.mark.parametrize("text", ["SHEEPHERDER", "Mecánico", "koerier"])
def test_jobs_keep_their_case(text: str) -> None:
    new = make("profession", [text], "es")[0]
    assert (new.isupper(), new[0].isupper()) == (text.isupper(), text[0].isupper())
