"""Whether a mention reads as a date, an age or a ZIP code, so that it may stay."""

from __future__ import annotations

import pytest
from hypothesis import given

from scrubjay.transform.plain_mentions import reads_as, reads_as_age, reads_as_date
from tests.strategies import texts

DATES = {
    "en": [
        "3/4/2021", "3 May 2021", "Mon 3/4/21 at 3pm", "Mon, Jan 5", "Easter Monday", "Th 2/16",
        "MWF", "Mon Tue", "early March", "Monday Night", "3/4/21 10:00 AM EST", "MAY 2020",
        "the 3rd of May", "June and July 2012", "Christmas Eve", "May Day", "Spring 2011", "May",
        "yesterday 3/4", "l2/O7/2O68", "12.vi", "1990's", "nineteen ninety-eight", "Wednesdays",
        "tomorrow, Tues", "Febuary 3", "3/4/21 10:00 EST", "MONDAY NIGHT", "May Twenty-First",
        "2021-03-04T10:00:00Z",
    ],
    "es": [
        "lunes 3 de mayo", "mar 4 may", "finales de mayo", "lun y mar", "22-VI", "Semana Santa",
        "Nochebuena de 2019", "3 de marzo del 2020", "10 Jan 1983", "16/V/2021",
    ],
    "nl": [
        "ma 3 mei", "ma en di", "woensdag 3 maart", "begin mei", "2e kerstdag", "vrijdagmiddag",
        "1e paasdag 2020", "heden 14/5", "Thu 6 Feb 2025", "I2 november",
    ],
}  # fmt: skip
NO_DATES = {
    "en": [
        "Mon Rivera", "Tue Banks", "Wed Fields", "Dec. Banks", "3/4 Smith", "May Lee", "MON RICE",
        "tue rice", "mon banks", "3/4/2021 Rivera", "Rivera 3/4/2021", "Mon/Rivera", "mon WOLF",
        "W Lee", "Friday Dr. Lee", "2021 Rivera", "14:00 Rivera",
        # Names that look like words of dates, or are such.
        "Mon Marsh", "Mon Marc", "3/4 Marc", "Fri May", "FRI MAY", "Fri June", "3/4 May",
        "3/4/2021 April", "3/4 Summers", "Mon Day", "Tue Early", "3/4 Noon", "Mon St. Kevin's Day",
        "O Oll 3/4", "Mon 3/4 May", "FRI DAY", "3/4/21 SUMMERS",
    ],
    "es": [
        "lun Rivera", "mar Bravo", "lun Reyes", "lun Domingo", "mar Abril", "3/4 Julio",
        "3 de mayo Ana", "mié de la Cruz", "jue García", "LUN REYES", "lun Diez",
        "3/4 Yuly", "3/4 yuly",
    ],
    "nl": [
        "ma Jansen", "ma Jan", "di Mei", "vr de Vries", "do van Dam", "do de Wit", "ma de boer",
        "3/4 Bakker", "ma 3 mei Jansen",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"), [(name, text) for name, rows in DATES.items() for text in rows]
)
def test_dates_in_their_words(language: str, text: str) -> None:
    assert reads_as("date", text, language)


@pytest.mark.parametrize(
    ("language", "text"), [(name, text) for name, rows in NO_DATES.items() for text in rows]
)
def test_names_with_the_words_of_dates(language: str, text: str) -> None:
    assert not reads_as("date", text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *[("en", each) for each in ("45", "45M", "45 yo", "45 Year Old", "45-year-old", "newborn")],
        *[("en", each) for each in ("late 40s", "sixty-one", "93 years and 2 months", "4/12")],
        ("es", "45 años"), ("es", "60 y pico"), ("nl", "45 jr"), ("nl", "dertiende"),
    ],
)  # fmt: skip
def test_ages_in_their_words(language: str, text: str) -> None:
    assert reads_as("age", text, language)


@pytest.mark.parametrize("text", ["45 Rivera", "45 rivera", "45 Early", "Rivera", "Lee, 45 yo"])
def test_names_with_ages(text: str) -> None:
    assert not reads_as("age", text, "en")


def test_zip_codes() -> None:
    for text in ("02139", "02139-1234", "TX 77001", "1234 AB", "SW1A 1AA", "1234AB"):
        assert reads_as("zip", text)
    for text in ("77001 Rivera", "Rivera TX 77001", "77001 LEE"):
        assert not reads_as("zip", text)


def test_of_places_it_cannot_be_told() -> None:
    assert reads_as("city", "Rivera TX 77001", "en")


@given(texts())
def test_any_text_is_told(text: str) -> None:
    for language in ("", "en", "es", "nl"):
        assert reads_as_date(text, language) in (True, False)
        assert reads_as_age(text, language) in (True, False)
        assert not reads_as_date(f"3/4 Quillonesque {text}", language)
