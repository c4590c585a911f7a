"""What slots are filled from: how names are written, composed and shaped."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from scrubjay.features.protected import PROTECTED_KINDS, protected_terms
from scrubjay.synthesis.ages import write_age
from scrubjay.synthesis.clinical import abbreviation
from scrubjay.synthesis.codes import fill_shape
from scrubjay.synthesis.generation import generate
from scrubjay.synthesis.grammar import parse_grammar, read_templates
from scrubjay.synthesis.people import Person, write_name
from scrubjay.synthesis.pools import Half, split_list, title
from scrubjay.synthesis.sources import find_sources

PERSON = Person("Ana", "Berta", "de la Cruz", "", "Annie", female=True, style=0.6)


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("", "Ana de la Cruz"),
        ("first", "Ana"),
        ("last", "de la Cruz"),
        ("last-first", "de la Cruz, Ana"),
        ("last-initial", "de la Cruz, A."),
        ("first-initial", "Ana D."),
        ("initials", "AC"),
        ("formal", "A. de la Cruz"),
        ("nick", "Annie"),
        ("upper", "DE LA CRUZ, ANA"),
        ("full", "Ana Berta de la Cruz"),
        ("lower", "ana de la cruz"),
        ("first-lower", "ana"),
        ("last-lower", "de la cruz"),
    ],
)
def test_forms_of_names(form: str, name: str) -> None:
    assert write_name(PERSON, form, "en") == name


@pytest.mark.parametrize(
    ("entry", "written"),
    [
        ("o'brien", "O'Brien"), ("mcdonald", "McDonald"), ("de la cruz", "de la Cruz"),
        ("ndung'u", "Ndung'u"), ("okonkwo-reyes", "Okonkwo-Reyes"), ("'t hoen", "'t Hoen"),
        ("fort wayne", "Fort Wayne"), ("op", "Op"),
    ],
)  # fmt: skip
def test_capitals(entry: str, written: str) -> None:
    assert title(entry) == written


def test_lists() -> None:
    assert split_list("a b_c\nd") == ["a", "b c", "d"]
    assert split_list("a b|\n c | d") == ["a b", "c", "d"]


def test_shapes() -> None:
    made = fill_shape("'SN' 89-AX-aY-PPP", Random(1), prefixes=("0612",), year=2019)
    assert re.fullmatch(r"SN [1-9]\d-[A-Z][A-Z\d]-[a-z]19-0612", made)


def test_abbreviations() -> None:
    assert abbreviation("Cedar Hollow Medical Center") == "CHMC"
    assert abbreviation("MGH") == "MGH"
    assert abbreviation("St. Luke's") == "SL"
    assert abbreviation("Kaiser") == "KAI"


@pytest.mark.parametrize(
    ("age", "language", "word"),
    [
        (72, "en", "seventy-two"), (100, "en", "one hundred"), (15, "en", "fifteen"),
        (72, "nl", "tweeënzeventig"), (81, "nl", "eenentachtig"), (90, "nl", "negentig"),
        (72, "es", "setenta y dos"), (28, "es", "veintiocho"), (101, "es", "ciento un"),
    ],
)  # fmt: skip
def test_ages_in_words(age: int, language: str, word: str) -> None:
    assert write_age(age, "word", language, Random(0)) == word


def test_ages_with_their_unit() -> None:
    assert write_age(72, "years", "es", Random(0)) == "72 años"
    assert {write_age(45, "decade", "en", Random(seed)) for seed in range(40)} == {
        "40s", "40's", "forties",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("language", "kind", "least"),
    [("en", "hospital", 900), ("en", "employer", 900), ("nl", "home", 900), ("es", "street", 900)],
)
def test_names_are_many(language: str, kind: str, least: int) -> None:
    composer, rng = find_sources(language, "all").composer, Random(4)
    assert len({composer.draw(kind, rng) for _ in range(1000)}) >= least


@pytest.mark.parametrize("language", ["en", "nl", "es"])
def test_persons_and_jobs_have_a_long_tail(language: str) -> None:
    sources, rng = find_sources(language, "train"), Random(9)
    people = [sources.crowd.draw(rng) for _ in range(2000)]
    assert len({person.last for person in people}) > 1000
    assert len({person.first for person in people}) > 700
    assert len({sources.profession(rng) for _ in range(1000)}) > 300


@pytest.mark.parametrize("language", ["en", "nl", "es"])
@pytest.mark.parametrize("kind", PROTECTED_KINDS)
def test_terms_are_protected_ones_of_their_kind(language: str, kind: str) -> None:
    sources, rng = find_sources(language, "train"), Random(3)
    known = protected_terms(language)
    kinds = set(known.values())
    for _ in range(50):
        term = sources.terms[kind].draw(rng)
        assert known[term] == kind if kind in kinds else term in known


@pytest.mark.parametrize("names", ["train", "dev"])
def test_terms_of_a_half_are_in_no_other(names: Half) -> None:
    pool = set(find_sources("en", names).terms["device"].entries)
    other = set(find_sources("en", "dev" if names == "train" else "train").terms["device"].entries)
    assert pool
    assert not pool & other


def test_terms_are_written_in_several_cases(tmp_path: Path) -> None:
    block = "=== document x\n" + "{term.eponym}\n" * 60
    (tmp_path / "x.txt").write_text(block, encoding="utf-8")
    grammar = parse_grammar(read_templates("nl", tmp_path), language="nl")
    (note,) = generate("nl", 1, 5, grammar=grammar)
    lines = note.text.splitlines()
    assert {line.islower() for line in lines} == {line.isupper() for line in lines} == {True, False}
