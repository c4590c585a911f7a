"""What the dates of one document tell of each other: their order of numbers, their years."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates._date_order import DateOrder
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.dates import DateMaker
from scrubjay.transform.surrogates.draw import Draw
from scrubjay.transform.surrogates.maker import Wanted
from tests.transform.surrogates.shifting import shift_dates

DAY_FIRST = ("{d:02d}/{m:02d}/{y}", "{d}-{m}-{y}", "{d}.{m}.{y}")
MONTH_FIRST = ("{m:02d}/{d:02d}/{y}", "{m}-{d}-{y}", "{m}/{d}/{y}")
YEAR_FIRST = ("{y}-{m:02d}-{d:02d}", "{y}/{m:02d}/{d:02d}", "{y}{m:02d}{d:02d}", "{y}.{m}.{d}")
WORDS = {"en": "{d} {name} {y}", "es": "{d} de {name} de {y}", "nl": "{d} {name} {y}"}

days = st.dates(date(1930, 1, 1), date(2080, 12, 31))


def together(
    texts: list[str], language: str, amount: int = 227, order: DateOrder | None = None
) -> list[str]:
    draw = Draw(b"golden-key-golden-key", "p")
    return shift_dates(texts, language, days=amount, draw=draw, order=order)


def write(form: str, day: date, language: str) -> str:
    name = words_of(language).months[0][day.month - 1]
    return form.format(y=day.year, m=day.month, d=day.day, name=name)


def bare(text: str) -> str:
    """Return a date without its leading zeros, which cannot be seen from 10/11 alone."""
    return re.sub(r"(?<![0-9])0(?=[0-9])", "", text)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[tuple[str, date]]]:
    """Draw whole dates, each in a format of its own; numbers in the order of the language."""
    language = draw(st.sampled_from(["en", "es", "nl"]))
    numeric = MONTH_FIRST if language == "en" else DAY_FIRST
    forms = st.sampled_from([*numeric, *YEAR_FIRST, WORDS[language]])
    return language, draw(st.lists(st.tuples(forms, days), min_size=2, max_size=6))


@given(documents(), st.integers(190, 1095) | st.integers(-1095, -190))
def test_intervals_stay_between_whole_dates_of_all_formats(
    document: tuple[str, list[tuple[str, date]]], amount: int
) -> None:
    language, dates = document
    texts = [write(form, day, language) for form, day in dates]
    moved = [write(form, day + timedelta(amount), language) for form, day in dates]
    new = together(texts, language, amount, DateOrder(day_first=language != "en"))
    assert [bare(each) for each in new] == [bare(each) for each in moved]


@pytest.mark.parametrize("iso", ["2024-12-20", "2024/12/20", "2024.12.20", "2024 - 12 - 20"])
@pytest.mark.parametrize("language", ["es", "nl"])
def test_a_date_that_begins_with_the_year_tells_no_order(language: str, iso: str) -> None:
    assert together(["07/01/2025", iso], language)[0] == "22/08/2025"
    assert together([iso, "07-01-2025"], language)[1] == "22-08-2025"
    assert together([f"{iso}, 07/01/2025"], language)[0].endswith("22/08/2025")


def test_beside_year_first_dates_the_others_still_tell_the_order() -> None:
    assert together(["07/01/2025", "2024-12-20", "13/12/2024"], "en")[0] == "22/08/2025"
    assert together(["07/01/2025", "2024-12-20"], "en")[0] == "02/13/2026"
    assert together(["2024-20-12", "07/01/2025"], "en")[1] == "02/13/2026"
    assert together(["07/01/2025", "2024-12-20", "12/13/2024"], "es")[0] == "02/13/2026"
    assert together(["2024-12-20 to 3/14/2025", "07/01/2025"], "nl")[1] == "02/13/2026"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("6 de agosto de 2.023", "20 de marzo de 2.024"),
        ("6/8/2.023", "20/3/2.024"),
        ("agosto de 2.023", "marzo de 2.024"),
        ("2.023", "2.024"),
        ("30 de febrero de 2.023", "31 de septiembre de 2.024"),
    ],
)
def test_a_year_with_a_point_is_a_year_and_keeps_the_point(old: str, new: str) -> None:
    assert together([old], "es") == [new]


def test_a_point_between_other_numbers_makes_no_year() -> None:
    assert together(["3.10.2023", "3.10.2.023"], "es") == ["17.5.2024", "17.5.2.024"]


def test_a_day_whose_weekday_moves_may_keep_its_number() -> None:
    texts = ["domingo 28", "viernes 26 de enero", "22/01/2024"]
    moved = ["jueves 28", "martes 26 de noviembre", "22/11/2024"]
    assert together(texts, "es", 305) == moved
    assert together(["el 28", *texts[1:]], "es", 305) == ["el 1", *moved[1:]]
    assert together(texts, "es", 609)[0] == "domingo 1"  # whole weeks: the weekday stays


@pytest.mark.parametrize("birth", ["30 de mayo del 49", "30/05/49", "30-5-'49"])
def test_a_birth_in_two_digits_gives_its_year_to_no_other_date(birth: str) -> None:
    moved = together([birth, "15/01/2024", "18/01"], "es", 505)[1:]
    assert moved == ["03/06/2025", "06/06"]
    assert together(["15/01/2024", birth, "18/01"], "es", 505)[2] == "06/06"
    assert together([birth, "15/01/24", "18/01"], "es", 505)[2] == "06/06"


def test_two_digits_near_the_present_give_their_year() -> None:
    assert together(["12/3/1949", "15/01/24", "18/01"], "es", 505)[2] == "06/06"
    assert together(["15/12/2043", "15/01/44", "3/03"], "es", -226)[2] == "21/07"  # 2044 is leap


def test_a_year_alone_goes_where_the_date_of_that_year_goes() -> None:
    assert together(["1-1-1960", "1960"], "es", -500) == ["19-8-1958", "1958"]
    assert together(["1960", "1-1-1960", "'60"], "es", -500)[::2] == ["1958", "'58"]
    assert together(["1960 y 1961", "1-1-1960"], "es", -500)[0] == "1958 y 1959"  # as far apart


def test_a_year_alone_goes_with_its_middle_where_its_dates_part_or_stay_in_it() -> None:
    assert together(["1-1-1960", "1960"], "es", 200)[1] == "1961"
    assert together(["1-1-1960", "31-12-1960", "1960"], "es", -500)[2] == "1959"
    assert together(["enero de 1960", "1960"], "es", -500)[1] == "1959"


KEY = b"0123456789abcdef0123456789abcdef"


def of_record(*documents: list[str], together: bool = True) -> list[list[str]]:
    """Return the dates of each document of a record, or of each on its own, as surrogates."""
    maker, draw = DateMaker(), Draw(KEY, "patient p")
    wanted: list[Wanted] = [
        (texts, Record(f"d{n}", "p", ". ".join(texts), "en", 0 if together else -1), draw,
         frozenset(texts), ())
        for n, texts in enumerate(documents)
    ]  # fmt: skip
    found = maker.make_many(wanted)
    assert not any(isinstance(each, Exception) for each in found)
    return [each for each in found if not isinstance(each, Exception)]


@given(st.dates(date(2020, 1, 1), date(2027, 12, 1)), st.integers(0, 20))
def test_a_document_without_a_year_lives_in_that_of_the_record(day: date, later: int) -> None:
    whole, bare_day = day, day + timedelta(later)
    months = words_of("en").months[0]
    written = [months[each.month - 1] for each in (whole, bare_day)]
    one = [f"{whole.day} {written[0]} {whole.year}"]
    other = [f"{bare_day.day} {written[1]}", "5 May 1961"]
    birth = ["5 May 1961", *one]
    shift = DateMaker().days(Draw(KEY, "patient p"))
    moved = bare_day + timedelta(shift)
    wanted = f"{moved.day} {months[moved.month - 1]}"
    if (bare_day.month, bare_day.day) != (2, 29):
        for documents in ([one, other[:1]], [other[:1], one], [birth, other], [other, birth]):
            new = of_record(*documents)
            assert wanted in [each for texts in new for each in texts]


def test_a_document_of_another_time_keeps_its_years() -> None:
    old = ["12 March 2012", "3 April"]
    assert of_record(old, ["1 June 2025"])[0] == of_record(old, together=False)[0]


def test_a_record_shares_the_order_of_its_dates() -> None:
    told, quiet = ["14/03/2025"], ["3/11/2025"]
    apart = of_record(told, quiet, together=False)
    for documents in ([told, quiet], [quiet, told]):
        new = {old: each for texts, made in zip(documents, of_record(*documents), strict=True)
               for old, each in zip(texts, made, strict=True)}  # fmt: skip
        one, other = (new["14/03/2025"], new["3/11/2025"])
        days = [datetime.strptime(each, "%d/%m/%Y") for each in (one, other)]
        assert (days[1] - days[0]).days == (date(2025, 11, 3) - date(2025, 3, 14)).days
    assert apart[0] == [one]
    assert apart[1] != [other]


def test_a_document_that_tells_its_order_keeps_it_beside_others() -> None:
    own = ["03/14/2025", "3/11/2025"]
    record = of_record(["14/03/2025"], ["15/03/2025"], own)
    assert record[2] == of_record(own, together=False)[0]
