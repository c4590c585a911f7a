"""The nth weekday of a month stays one, and short years stay as far apart as they were."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.dates import DateMaker
from scrubjay.transform.surrogates.draw import Draw, fold
from scrubjay.transform.surrogates.parsed_dates import ParsedDate, parse_date
from tests.transform.surrogates.alone import alone
from tests.transform.surrogates.shifting import shift_dates

KEY = b"golden-key-golden-key"
ENDINGS = ("st", "nd", "rd", "th", "th")
patients = st.text(max_size=8)
days = st.dates(date(1930, 1, 1), date(2080, 12, 31))
languages = st.sampled_from(["en", "es", "nl"])


def make(texts: list[str], patient: str, language: str = "en") -> tuple[list[str], int]:
    draw, maker = Draw(KEY, patient), DateMaker()
    record = Record("note-1", patient, "", language)
    return alone(maker.make_many)(texts, record, draw, avoid=frozenset()), maker.days(draw)


def nth_weekday(day: date, language: str, *, last: bool = False) -> str:
    words = words_of(language)
    nth = words.nths[-1 if last else (day.day - 1) // 7]
    of = {"en": "of", "es": "de", "nl": "van"}[language]
    gap = " de " if language == "es" else " "
    month = words.months[0][day.month - 1]
    return f"{nth} {words.weekdays[0][day.weekday()]} {of} {month}{gap}{day.year}"


def is_last(day: date) -> bool:
    return day.day + 7 > monthrange(day.year, day.month)[1]


@given(patients, days, languages)
def test_it_becomes_the_nth_weekday_that_the_shifted_day_is(
    patient: str, day: date, language: str
) -> None:
    (new,), amount = make([nth_weekday(day, language)], patient, language)
    assert new == nth_weekday(day + timedelta(amount), language)


@given(patients, days, languages)
def test_the_last_one_is_the_last_one_or_told_by_its_number(
    patient: str, day: date, language: str
) -> None:
    day += timedelta(7 * ((monthrange(day.year, day.month)[1] - day.day) // 7))
    (new,), amount = make([nth_weekday(day, language, last=True)], patient, language)
    moved = day + timedelta(amount)
    assert new == nth_weekday(moved, language, last=is_last(moved))


@given(patients, days)
def test_it_goes_with_the_whole_dates_of_its_document(patient: str, day: date) -> None:
    nth = (day.day - 1) // 7
    texts = [f"{day:%m/%d/%Y}", f"{nth + 1}{ENDINGS[nth]} {day:%A} of {day:%B}"]
    (whole, new), amount = make(texts, patient)
    moved = day + timedelta(amount)
    nth = (moved.day - 1) // 7
    assert whole.endswith(f"{moved.year}")
    assert new == f"{nth + 1}{ENDINGS[nth]} {moved:%A} of {moved:%B}"


@given(patients, st.integers(1, 5), st.sampled_from(words_of("en").weekdays[0]), st.booleans())
def test_without_a_month_the_weekday_moves(
    patient: str, nth: int, weekday: str, keep_weekday: bool
) -> None:
    text = f"every {nth}{ENDINGS[nth - 1]} {weekday}"
    maker = alone(DateMaker(keep_weekday=keep_weekday).make_many)
    record = Record("d", patient, "", "en")
    (new,) = maker([text], record, Draw(KEY, patient), avoid=frozenset())
    found = re.fullmatch(r"([1-5])(st|nd|rd|th) (\w+day)", new)
    assert found is not None
    assert found[2] == ENDINGS[int(found[1]) - 1]
    assert (found[3] == weekday) == keep_weekday
    assert (int(found[1]) == nth) != keep_weekday


def test_it_tells_its_month_and_its_year() -> None:
    assert parse_date("2nd Tuesday of Feb 2024", "en") == ParsedDate(2024, 2)
    assert parse_date("laatste vrijdag van mei", "nl") == ParsedDate(None, 5)


@pytest.mark.parametrize("year", ["0001", "9999"])
def test_one_at_the_end_of_the_calendar_is_another_all_the_same(year: str) -> None:
    for month, amount in (("January", -300), ("December", 300)):
        text = f"2nd Tuesday of {month} {year}"
        (new,) = shift_dates([text], "en", days=amount, draw=Draw(KEY, "p"))
        assert fold(new) != fold(text)


FORMS = ["'{a:02d}-'{b:02d}", "'{a:02d}–'{b:02d}", "'{a:02d}-{b:02d}", "'{a:02d} to '{b:02d}"]


@given(patients, st.integers(0, 99), st.integers(1, 30), st.sampled_from(FORMS))
def test_short_years_of_a_range_stay_as_far_apart(
    patient: str, first: int, span: int, form: str
) -> None:
    text = form.format(a=first, b=(first + span) % 100)
    (new,), amount = make([text], patient)
    one, other = map(int, re.findall("[0-9]{2}", new))
    assert (other - one) % 100 == span
    assert new == form.format(a=one, b=other)
    moved = (one - first + 50) % 100 - 50
    assert abs(moved - amount / 365.2425) <= 1
    assert moved != 0


@given(patients, st.integers(1940, 2020), st.integers(1, 30), st.sampled_from([2, 4]))
def test_whole_years_of_a_range_stay_as_far_apart(
    patient: str, first: int, span: int, size: int
) -> None:
    last = first + span
    if size == 2 and last % 100 <= max(12, first % 100):
        return  # 2010-12 is a month
    (new,), _ = make([f"{first}-{str(last)[-size:]}"], patient)
    one, other = new.split("-")
    assert (int(other) - int(one)) % 100 == span
    assert len(other) == size


def test_years_of_a_range_go_with_a_whole_date_of_one_of_them() -> None:
    draw = Draw(KEY, "p")
    for amount in (500, -500):
        whole, years, lone = shift_dates(
            ["12/15/2011", "2009-2011", "2011"], "en", days=amount, draw=draw
        )
        year = whole.split("/")[-1]
        assert years == f"{int(year) - 2}-{year}"
        assert lone == year
