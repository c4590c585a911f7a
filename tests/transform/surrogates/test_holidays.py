"""Holidays of a document keep their order, among themselves and among its dates."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.surrogates._date_mentions import Reading, read_mention
from scrubjay.transform.surrogates._holidays import settle_holidays
from scrubjay.transform.surrogates._named_times import move_named
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.draw import Draw
from tests.transform.surrogates.shifting import shift_dates

DRAW = Draw(b"0123456789abcdef0123456789abcdef", "p")
LANGUAGES = ("en", "es", "nl")


def shifted(texts: list[str], days: int, language: str = "en") -> list[str]:
    return shift_dates(texts, language, days=days, draw=DRAW)


def day_of(text: str, language: str, year: int) -> date:
    """Return the day that a holiday or a written day tells, in a year."""
    words = words_of(language)
    for holiday in words.holidays:
        if holiday.names[0] == text:
            return holiday.day(year)
    (group,) = read_mention(text, language, day_first=words.day_first).groups
    tokens = read_mention(text, language, day_first=words.day_first).tokens
    assert group.month is not None
    return date(year, tokens[group.month].value, tokens[group.days[0]].value)


@given(
    st.sampled_from(LANGUAGES),
    st.lists(st.tuples(st.integers(0, 60), st.integers(2018, 2022)), min_size=1, max_size=6),
    st.lists(st.dates(date(2018, 1, 1), date(2022, 12, 31)), max_size=4),
    st.integers(-1095, 1095),
)
def test_the_order_of_holidays_and_dates_is_kept(
    language: str, drawn: list[tuple[int, int]], days_of: list[date], days: int
) -> None:
    words = words_of(language)
    named = [(words.holidays[n % len(words.holidays)], year) for n, year in drawn]
    texts = [f"{holiday.names[0]} {year}" for holiday, year in named]
    texts += [day.isoformat() for day in days_of]
    readings = [read_mention(text, language, day_first=words.day_first) for text in texts]
    contexts = [(2020, None) for _ in texts]
    found = settle_holidays(readings, contexts, words, days=days)
    old, new = [], []
    for (_, number, year), (text, moved) in found.items():
        old.append(words.holidays[number].day(year))
        new.append(day_of(text, language, moved))
        assert abs((new[-1] - old[-1]).days - days) <= 45
    old += days_of
    new += [day + timedelta(days) for day in days_of]

    def sign(first: date, second: date) -> int:
        return (first > second) - (first < second)

    for one in range(len(old)):
        for two in range(one):
            assert sign(old[one], old[two]) == sign(new[one], new[two])


@given(st.sampled_from(LANGUAGES), st.integers(0, 60), st.integers(-1095, 1095))
def test_a_lone_holiday_becomes_the_nearest_other_one(
    language: str, number: int, days: int
) -> None:
    words = words_of(language)
    name = words.holidays[number % len(words.holidays)].names[0]
    reading: Reading = read_mention(f"{name} 2019", language, day_first=words.day_first)
    (group,) = reading.groups
    token = reading.tokens[group.main or 0]
    (found,) = settle_holidays([reading], [(2019, None)], words, days=days).values()
    nearest = move_named("holiday", token, 2019, words, days=days)
    target = words.holidays[token.value].day(2019) + timedelta(days)
    if abs((day_of(*nearest[:1], language, nearest[1]) - target).days) < 45:
        assert found == nearest


def test_where_no_holiday_fits_the_day_is_written() -> None:
    texts = ["12/20/2022", "Christmas", "12/27/2022", "CHRISTMAS 2022"]
    assert shifted(texts, 240) == ["08/17/2023", "August 22", "08/24/2023", "AUGUST 22 2023"]
    assert shifted(["20-12-2022", "Kerst", "27-12-2022"], 240, "nl")[1] == "22 augustus"
    assert shifted(["20/12/2022", "Navidad", "27/12/2022"], 240, "es")[1] == "22 de agosto"


@pytest.mark.parametrize("days", [-900, -500, -250, 250, 400, 777, 1000])
def test_holidays_without_a_year_go_on_from_the_one_before(days: int) -> None:
    words = words_of("en")
    texts = ["Thanksgiving 2023", "Christmas", "New Year's Day", "Groundhog Day"]
    year, last = 0, date.min
    for number, text in enumerate(shifted(texts, days)):
        name = text
        if number == 0:
            name, _, told = text.rpartition(" ")
            year = int(told)
        day = next(
            day for step in (0, 1) if (day := day_of(name, words.language, year + step)) > last
        )
        assert 0 <= (day - date(2023, 11, 23)).days - days + 45 <= 200
        year, last = day.year, day


def test_a_holiday_takes_the_year_next_to_a_whole_date() -> None:
    seen, fell = shifted(["12/29/2023", "New Year's Day"], 400)
    assert seen == "02/01/2025"
    assert fell == "Groundhog Day"  # 2/4/2025 is nearest, not in 2024


@pytest.mark.parametrize("article", ["el", "la", "los", "las"])
@pytest.mark.parametrize("days", [-1000, -700, -222, 222, 300, 480, 650, 1000])
@pytest.mark.parametrize("inside", [False, True])
def test_a_spanish_holiday_fits_the_article_before_it(
    article: str, days: int, *, inside: bool
) -> None:
    old = {"el": "Día de la Madre", "la": "Nochevieja", "los": "Reyes", "las": "Navidades"}[article]
    text = f"Vino {article} {old}."
    mentions = [f"{article} {old}"] if inside else [old]
    (new,) = shift_dates(mentions, "es", days=days, draw=DRAW, around=text)
    new = new.removeprefix(f"{article} ") if inside else new
    by_article = {dict(each.behind).get(article) for each in words_of("es").holidays}
    if new not in by_article:  # "la 3 de mayo" would not do
        start = {"el": "", "la": "noche del ", "los": "días del ", "las": "fechas del "}[article]
        assert re.fullmatch(rf"{start}[0-9]+ de [a-z]+", new)


def test_the_article_in_a_contraction_counts_too() -> None:
    for text in ("antes del Día de la Madre", "vino al Día de la Madre"):
        new = shift_dates(["Día de la Madre"], "es", days=160, draw=DRAW, around=text)
        assert new == ["Pilar"]
    alone = shift_dates(["Día de la Madre"], "es", days=160, draw=DRAW, around="Día de la Madre")
    assert alone == ["el Pilar"]


def test_names_behind_articles_are_read_as_their_holidays() -> None:
    words = words_of("es")
    for number, holiday in enumerate(words.holidays):
        for name in dict(holiday.behind).values():
            (token,) = read_mention(name, "es", day_first=True).tokens
            assert (token.kind, token.value) == ("holiday", number)


@pytest.mark.parametrize("feast", ["St Patrick's Day 2021", "Christmas 2021", "May Day 2021"])
def test_no_note_with_signs_of_britain_or_ireland_is_given_a_feast_of_america(feast: str) -> None:
    american = {h.names[0] for h in words_of("en").holidays if h.american}

    def given_american(around: str) -> int:
        made = [
            shift_dates([feast], "en", days=days, draw=DRAW, around=f"{feast} {around}")
            for days in range(-200, 200, 3)
        ]
        return sum(any(name in new for name in american) for (new,) in made)

    assert given_american("seen at home")
    assert not given_american("seen by her GP, Tuam H54 X8P2")


def test_a_feast_that_no_table_has_keeps_its_first_word() -> None:
    draw = Draw(b"0123456789abcdef", "p")
    for feast in ("día de San Braulio", "Día de la Virgen de Xil"):
        (new,) = shift_dates([feast], "es", days=300, draw=draw, around=f"Vino el {feast}.")
        assert re.match("d[ií]a d", new, re.IGNORECASE)
        assert new.lower() != feast.lower()
    known = "día de San Esteban"
    (new,) = shift_dates([known], "es", days=300, draw=draw, around=f"Vino el {known}.")
    articles = [dict(holiday.behind).get("el") for holiday in words_of("es").holidays]
    assert new in articles or re.fullmatch("[0-9]{1,2} de [a-z]+", new)
