"""Surrogates of ages: another number of the same stage of life, in the same form."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates._articles import wants_an
from scrubjay.transform.surrogates.ages import _article_of, make
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.draw import Draw, fold

KEY = b"golden-key-golden-key"
LANGUAGES = ("en", "es", "nl")
patients = st.text(max_size=8)


def ages(texts: list[str], language: str = "en", patient: str = "p") -> list[str]:
    record = Record("note-1", patient, "", language)
    return make(texts, record, Draw(KEY, patient), avoid=frozenset(texts))


@given(patients, st.integers(0, 130))
def test_an_age_stays_in_its_stage_of_life(patient: str, age: int) -> None:
    new = int(ages([str(age)], patient=patient)[0])
    assert new != age
    if age >= 90:
        assert 90 <= new <= 99
    elif age >= 18:
        assert 18 <= new <= 89
        assert abs(new - age) <= 8
    else:
        assert 0 < new <= 17


@pytest.mark.parametrize("age", [7, 8, 10, 11, 12, 19, 45, 79, 80, 83, 89, 85])
@pytest.mark.parametrize("patient", ["a", "b", "c", "d", "e"])
def test_an_age_fits_the_article_before_it(patient: str, age: int) -> None:
    def is_an(number: int) -> bool:
        return number in (8, 11, 18) or 80 <= number <= 89

    article = "an" if is_an(age) else "A"
    record = Record("n", patient, f"{article} {age}-year-old, aged {age}, came.", "en")
    texts = [f"{age}-year-old", str(age)]
    new = make(texts, record, Draw(KEY, patient), avoid=frozenset(texts))
    assert new[0] == f"{new[1]}-year-old"
    assert is_an(int(new[1])) == is_an(age)


def test_where_no_age_fits_the_article_it_is_told_as_about_right() -> None:
    record = Record("n", "p", "an 18-year-old", "en")
    new = make(["18-year-old"], record, Draw(KEY, "p"), avoid=frozenset(["18-year-old"]))
    assert re.fullmatch(r"approx\. (19|2[0-9])-year-old", new[0])


@given(
    patients,
    st.integers(0, 120),
    st.sampled_from(["{}", "{}-year-old", "{} year old", "{} yo", "{} y/o"]),
    st.booleans(),
)
def test_an_article_agrees_before_all_ages(
    patient: str, age: int, form: str, is_spelled: bool
) -> None:
    cardinals = words_of("en").cardinals
    number = cardinals[age] if is_spelled and age < len(cardinals) else str(age)
    mention = form.format(number)
    article = "an" if wants_an(mention) else "a"
    record = Record("n", patient, f"She is {article} {mention}.", "en")
    new = make([mention], record, Draw(KEY, patient), avoid=frozenset([mention]))
    assert wants_an(new[0]) == (article == "an")
    told = re.fullmatch(r"(?:approx\. )?(\d+).*", new[0])
    if told:  # the same stage of life
        assert (int(told[1]) < 18, int(told[1]) < 90) == (age < 18, age < 90)


@given(patients, st.lists(st.integers(30, 70), min_size=2, max_size=2, unique=True))
def test_ages_of_a_patient_move_together(patient: str, pair: list[int]) -> None:
    draw = Draw(KEY, patient)
    new = make([str(age) for age in pair], Record("d", patient, "", "en"), draw, avoid=frozenset())
    assert int(new[1]) - int(new[0]) == pair[1] - pair[0]


@given(patients, st.lists(st.integers(1, 95), min_size=1, max_size=12))
def test_no_age_is_an_original_of_the_record(patient: str, originals: list[int]) -> None:
    texts = [str(age) for age in originals]
    new = ages(texts, patient=patient)
    assert not set(new) & set(texts)


@given(st.text(max_size=20), st.sampled_from(LANGUAGES))
def test_any_text_becomes_another_age(text: str, language: str) -> None:
    new = ages([text], language)[0]
    assert fold(new) != fold(text)
    assert any(c.isalnum() for c in new)


@pytest.mark.parametrize(
    ("text", "language", "pattern"),
    [
        ("62-year-old", "en", r"\d\d-year-old"),
        ("1 year", "en", r"[2-9] years"),
        ("1 month", "en", r"[2-9] months"),
        ("sixty-one", "en", r"(fifty|sixty)-[a-z]+"),
        ("Sixty-one", "en", r"(Fifty|Sixty)-[a-z]+"),
        ("SIXTY-ONE", "en", r"(FIFTY|SIXTY)-[A-Z]+"),
        ("50s", "en", r"[46]0s"),
        ("forties", "en", r"thirties|fifties"),
        ("early 40s", "en", r"early [35]0s"),
        ("2.5", "en", r"\d\.5"),
        ("9/12", "en", r"(?!9)\d+/12"),
        ("newborn", "en", r"neonate"),
        ("nonagenarian", "en", r"centenarian"),
        ("62 años", "es", r"\d\d años"),
        ("78 anys", "es", r"\d\d anys"),
        ("1 año", "es", r"[2-9] años"),
        ("un mes", "es", r"(dos|tres|cuatro) meses"),
        ("9 años y 9 meses", "es", r"\d+ años y \d+ meses"),
        ("Recién nacida", "es", r"Neonata"),
        ("treinta y un años", "es", r"(veinti\w+|treinta y \w+|treinta) años"),
        ("99años", "es", r"9\daños"),
        ("62 jaar", "nl", r"\d\d jaar"),
        ("41jr", "nl", r"\d\djr"),
        ("1 maand", "nl", r"[2-9] maanden"),
        ("tweeënzestig", "nl", r"\w*(vijftig|zestig)"),
        ("zestiger", "nl", r"vijftiger|zeventiger"),
        ("drieënveertigjarige", "nl", r"\w{4,}(?<!jarig)jarige"),
        ("eenentwintigjarig", "nl", r"\w{4,}(?<!jarig)jarig"),
    ],
)
def test_the_form_stays(text: str, language: str, pattern: str) -> None:
    for patient in ("a", "b", "c", "d"):
        new = ages([text], language, patient)[0]
        assert re.fullmatch(pattern, new)
        assert fold(new) != fold(text)


def test_words_that_nobody_knows_are_left_out() -> None:
    assert "xandrovik" not in ages(["62 yo Xandrovik"])[0].lower()
    assert ages(["Xandrovik"])[0].isdigit()


def test_a_record_that_holds_every_age_fails() -> None:
    every = frozenset(str(age) for age in range(130))
    with pytest.raises(ConfigError, match="no surrogate is left"):
        make(["40"], Record("d", "p", "", "en"), Draw(KEY, "p"), avoid=every)


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_in_words_are_read_as_they_are_written(language: str) -> None:
    for age, name in enumerate(words_of(language).cardinals[:90]):
        new = ages([name], language)[0]
        assert new != name, age
        assert new.lower() in words_of(language).cardinals


@pytest.mark.parametrize(
    ("language", "text", "pattern"),
    [
        ("en", "12th", r"1[0-7]th"),
        ("en", "93rd", r"9(0th|1st|2nd|[4-9]th)"),
        ("en", "22ND", r"(18|19|20|2[4-6])TH|21ST|23RD"),
        ("nl", "haar 12e", r"haar 1[0-7]e"),
        ("nl", "19de", r"18de|2\d?ste"),
        ("es", "15º", r"1[0-7]º"),
    ],
)
@pytest.mark.parametrize("patient", ["a", "b", "c", "d"])
def test_an_ordinal_stays_one(language: str, text: str, pattern: str, patient: str) -> None:
    (new,) = ages([text], language, patient)
    assert re.search(pattern, new)
    assert re.search(r"\d(?:st|nd|rd|th|e|de|ste|º)\b", new, re.IGNORECASE)


_PLAIN_ARTICLE = re.compile(
    r"(?<!\w)(an?)\s+([0-9]{1,3})(?![0-9_]|[.,][0-9])", re.IGNORECASE | re.ASCII
)


def _find_articles(number: int, text: str) -> set[bool]:
    """Return which articles stand before a number, by a look at each article of the text."""
    found = _PLAIN_ARTICLE.findall(text)
    return {len(article) == 2 for article, figures in found if int(figures) == number}


_PIECES = [
    *("a", "A", "n", "N", "a ", "An ", "é", "x", " ", "\n", "\t", "\u00a0", " " * 15),
    *("0", "00", "1", "8", "82", ".", ",", "_"),
]


@given(st.lists(st.sampled_from(_PIECES)), st.sampled_from([0, 1, 8, 18, 81, 82, 828]))
def test_the_article_of_a_number_is_found_as_by_the_plain_expression(
    pieces: list[str], number: int
) -> None:
    text = "".join(pieces)
    found = _find_articles(number, text)
    assert _article_of(number, text) == (found.pop() if len(found) == 1 else None)


def test_an_age_behind_both_articles_does_not_hide_those_behind_it() -> None:
    text = "an 83-year-old, a 83 year old, an 8 year old, a 91-year-old, a007"
    told = {number: _article_of(number, text) for number in (7, 8, 83, 91)}
    assert told == {7: None, 8: True, 83: None, 91: False}


@given(
    st.lists(st.integers(90, 104), min_size=2, max_size=4, unique=True),
    st.sampled_from(["en", "nl", "es"]),
    st.sampled_from(["p", "q", "r"]),
)
def test_ages_over_89_keep_their_order(originals: list[int], language: str, patient: str) -> None:
    unit = {"en": "years", "nl": "jaar", "es": "años"}[language]
    made = ages([f"{age} {unit}" for age in originals], language, patient)
    new = [int(text.split()[0]) for text in made]
    pairs = sorted(zip(originals, new, strict=True))
    assert [age for _, age in pairs] == sorted({*new})
    assert all(90 <= age <= 99 and age != old for old, age in pairs)


def test_an_age_over_89_in_order_is_what_it_is_alone() -> None:
    for patient in "abcdefgh":
        alone = [ages([f"{age} jaar"], "nl", patient)[0] for age in (91, 94)]
        if "90 jaar" < alone[0] < alone[1] and not {*alone} & {"91 jaar", "94 jaar"}:
            assert ages(["91 jaar", "94 jaar"], "nl", patient) == alone
            return
    raise AssertionError
