"""What stands behind "a" or "an" fits it: jobs, nationalities, towns and words for ages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates import ages
from scrubjay.transform.surrogates._articles import article_before, wants_an
from scrubjay.transform.surrogates._tables import find_words
from scrubjay.transform.surrogates.draw import Draw
from scrubjay.transform.surrogates.maker import Maker
from tests.transform.surrogates.test_makers import KEY, MAKERS

PATIENTS = [f"patient {number}" for number in range(12)]


def replace(kind: str, text: str, mention: str, patient: str) -> str:
    """Return the surrogate of a mention of a text."""
    maker: Maker = ages.make if kind == "age" else MAKERS[kind]
    record, draw = Record("d", patient, text, "en"), Draw(KEY, patient)
    return maker([mention], record, draw, avoid=frozenset([mention]))[0]


@pytest.mark.parametrize(
    ("kind", "text", "mention"),
    [
        ("profession", "He was a uranium miner.", "uranium miner"),
        ("profession", "She is a university lecturer.", "university lecturer"),
        ("profession", "He is an HVAC estimator.", "HVAC estimator"),
        ("profession", "works as an hourly clerk", "hourly clerk"),
        ("profession", "AN RN", "RN"),
        ("country", "an Irish man", "Irish"),
        ("country", "A Uruguayan man", "Uruguayan"),
        ("city", "a Dublin native", "Dublin"),
        ("city", "an\nOxford graduate", "Oxford"),
        ("age", "an octogenarian", "octogenarian"),
        ("age", "a sexagenarian", "sexagenarian"),
    ],
)
def test_what_stands_behind_an_article_fits_it(kind: str, text: str, mention: str) -> None:
    an = article_before(text, mention)
    assert an is not None
    made = [replace(kind, text, mention, patient) for patient in PATIENTS]
    assert [wants_an(new) for new in made] == [an] * len(made)


def test_a_job_is_the_same_with_an_article_and_without() -> None:
    for job in ("engineer", "baker", "university lecturer"):
        article = "an" if wants_an(job) else "a"
        for patient in PATIENTS:
            there = replace("profession", f"{article} {job}", job, patient)
            assert there == replace("profession", f"Job: {job}", job, patient)


@pytest.mark.parametrize(
    ("word", "an"),
    [
        ("uranium miner", False), ("university", False), ("unemployed man", True),
        ("uninsured", True), ("union organizer", False), ("urologist", False), ("usher", True),
        ("upholsterer", True), ("umpire", True), ("European", False), ("Ukrainian", False),
        ("hourly clerk", True), ("house painter", False), ("heir", True), ("one-time cook", False),
        ("HVAC estimator", True), ("NASA engineer", False), ("MRI technician", True),
        ("US marine", False), ("BAKER", False), ("ENGINEER", True), ("83-year-old", True),
        ("18-year-old", True), ("180", False), ("90", False), ("", False), ("***", False),
    ],
)  # fmt: skip
def test_articles_go_by_the_sound(word: str, an: bool) -> None:
    assert wants_an(word) == an


@given(st.text("aAnN eb\n8", max_size=30), st.sampled_from(["e", "b", "8"]))
def test_an_article_is_one_only_as_a_word_of_its_own(text: str, mention: str) -> None:
    found = article_before(text, mention)
    words = f"x {text}".lower().replace(mention, f" {mention} ").split()
    if found is not None:
        assert ("an" if found else "a") in words


def test_jobs_keep_their_number() -> None:
    singular = find_words("en").jobs
    for patient in PATIENTS:
        new = replace("profession", "Both parents are teachers.", "teachers", patient)
        assert new not in singular
        assert new.endswith(("s", "men"))
        assert replace("profession", "a teacher", "teacher", patient) in singular


def test_new_jobs_are_persons_and_no_clinicians() -> None:
    jobs = find_words("en").jobs
    assert len(jobs) == len({*jobs}) > 300
    for word in ("ologist", "orthop", "nurse ", "doctor", "surgeon", "therap", "optical", "offcer"):
        clinical = [job for job in jobs if word in job]
        assert not [job for job in clinical if job not in _SCIENTISTS]


_SCIENTISTS = {
    "anthropologist", "archaeologist", "ecologist", "geologist", "hydrologist", "meteorologist",
    "ornithologist", "zoologist",
}  # fmt: skip
