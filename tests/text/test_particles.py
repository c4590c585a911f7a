"""Particles of names: each list is as it is written here, wherever its words come from."""

from __future__ import annotations

import re

import pytest

from scrubjay.corpora import _swap_names
from scrubjay.features.lexicons import find_lexicon
from scrubjay.known import eponyms, people
from scrubjay.synthesis import pools
from scrubjay.taggers._mending.people import person_names
from scrubjay.text.particles import COMMON, FREQUENT, WITHIN
from scrubjay.transform.name_words import find_name_words
from scrubjay.transform.surrogates import case

PARTICLES = {
    "of known people": """
        van von vander vanden der den de del della di da dos du des ter ten te la las los y e i bin
        ibn bint st san santa af zu het op aan in vd al el le abu""",
    "of names that are mended": """
        van von der den de del della di da dos du la las los le ter ten te vd het el al bin ibn""",
    "kept where names are swapped": """
        van von vander vanden der den de del della di da dos du des ter ten te la las los y i e bin
        ibn bint st san santa af zu het op aan in vd jr sr ii iii iv md phd rn np pa dr dra mr mrs
        ms miss prof sra srta dhr mevr mw don doña""",
    "around eponyms": "van von der den ter ten de del la las los da di du",
    "in small letters": """
        de del la las los el y i e da do dos di du des of the and on upon under in at by for aan
        den der van het op bij te ten ter en 's 't von le al""",
    "of synthetic names": """
        van von vander de der den del della dello di da das dos do du des la las le los el ter ten
        te op aan het in 't 's af av zu zum zur und am an bei y e en and of the upon on sur sous
        lez près d' l' al bin bint ibn""",
}
LISTS = {
    "of known people": people.PARTICLES,
    "of names that are mended": person_names.PARTICLES,
    "kept where names are swapped": _swap_names._KEPT,
    "around eponyms": COMMON,
    "in small letters": case.SMALL_WORDS,
    "of synthetic names": pools._PARTICLES,
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_as_it_is_written(name: str) -> None:
    assert frozenset(PARTICLES[name].split()) == LISTS[name]


def test_particles_around_an_eponym() -> None:
    for word in PARTICLES["around eponyms"].split():
        assert re.fullmatch(eponyms._PARTICLES, f"{word} ") is not None
    assert re.fullmatch(eponyms._PARTICLES, "de la \tvan ") is not None
    for text in ("de", "de la van der ", "dela ", "al ", "x "):
        assert re.fullmatch(eponyms._PARTICLES, text) is None


def test_the_lists_lie_in_each_other() -> None:
    assert COMMON < FREQUENT < WITHIN
    # What is a particle of a known person is one to those who make surrogates of names, too.
    assert people.PARTICLES - find_name_words().particles == {"abu"}
    for language in ("en", "es", "nl"):
        assert find_lexicon(f"{language}.particles").keys() >= {"van", "de", "la", "von"}
