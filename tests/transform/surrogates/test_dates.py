"""Surrogates of dates: formats kept, intervals exact, nothing left as it was."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates._date_mentions import read_mention
from scrubjay.transform.surrogates._date_shifting import Habits, Shifter
from scrubjay.transform.surrogates._date_tokens import _is_slip
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.dates import MIN_DAYS, DateMaker
from scrubjay.transform.surrogates.draw import Draw, fold
from scrubjay.transform.surrogates.parsed_dates import ParsedDate, parse_date, parse_dates
from tests.oracles.distance import plain_distance
from tests.transform.surrogates.alone import alone
from tests.transform.surrogates.shifting import shift_dates

KEY = b"golden-key-golden-key"
dates = DateMaker()
make = alone(dates.make_many)
GOLDEN = Path(__file__).parents[2] / "golden" / "dates.tsv"
LANGUAGES = ("en", "es", "nl")
MONTHS = words_of("en").months

patients = st.text(max_size=8)
days = st.dates(date(1930, 1, 1), date(2080, 12, 31))


def cases() -> list[tuple[str, int, str, str]]:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(row[0], int(row[1]), row[2], row[3]) for row in rows]


def record(language: str = "en") -> Record:
    return Record("note-1", "p1", "", language)


def shifted(text: str, language: str = "en", *, days: int = 227) -> str:
    return shift_dates([text], language, days=days, draw=Draw(KEY, "patient"))[0]


@pytest.mark.parametrize(("language", "amount", "text", "expected"), cases())
def test_golden_formats(language: str, amount: int, text: str, expected: str) -> None:
    assert shifted(text, language, days=amount) == expected


def test_golden_formats_are_many_and_none_stays() -> None:
    found = {(language, text) for language, _, text, _ in cases()}
    assert len(found) >= 150
    assert all(fold(text) != fold(expected) for _, _, text, expected in cases())


FORMATS = {
    "{m:02d}/{d:02d}/{y}": "en",
    "{m}/{d}/{y}": "en",
    "{y}-{m:02d}-{d:02d}": "en",
    "{d:02d}-{m:02d}-{y}": "nl",
    "{d}.{m}.{y}": "nl",
    "{d:02d}/{m:02d}/{y}": "es",
    "{y}{m:02d}{d:02d}": "en",
    "{name} {d}, {y}": "en",
    "{d}-{short}-{y}": "en",
    "{d} {name} {y}": "en",
}


def write(form: str, day: date) -> str:
    name, short = MONTHS[0][day.month - 1], MONTHS[1][day.month - 1]
    return form.format(y=day.year, m=day.month, d=day.day, name=name, short=short)


def read(text: str, form: str) -> date:
    found = parse_date(text, FORMATS[form])
    assert found is not None
    return date(found.year or 0, found.month or 0, found.day or 0)


@given(patients, days, days, st.sampled_from(sorted(FORMATS)), st.booleans())
def test_intervals_are_exact_in_every_document(
    patient: str, one: date, other: date, form: str, keep_weekday: bool
) -> None:
    maker = alone(DateMaker(keep_weekday=keep_weekday).make_many)
    draw, language = Draw(KEY, patient), FORMATS[form]
    first = maker([write(form, one)], record(language), draw, avoid=frozenset())[0]
    second = maker([write(form, other)], record(language), draw, avoid=frozenset())[0]
    moved = (read(first, form), read(second, form))
    assert moved[1] - moved[0] == other - one
    assert abs((moved[0] - one).days) >= MIN_DAYS
    assert (moved[0].weekday() == one.weekday()) == keep_weekday


@given(patients, days, st.sampled_from(sorted(FORMATS)))
def test_the_written_date_is_the_shifted_date_in_the_same_format(
    patient: str, day: date, form: str
) -> None:
    draw = Draw(KEY, patient)
    text = make([write(form, day)], record(FORMATS[form]), draw, avoid=frozenset())[0]
    moved = write(form, day + timedelta(dates.days(draw)))
    # Whether 10/11 is written with zeros cannot be seen from it alone.
    assert text == moved or (text.replace("/0", "/").lstrip("0") == moved.lstrip("0")
                             or text.replace("-0", "-").lstrip("0") == moved.lstrip("0")
                             or text.replace(".0", ".").lstrip("0") == moved)  # fmt: skip


@given(patients, st.sampled_from(LANGUAGES), st.booleans())
def test_parts_of_dates_never_stay(patient: str, language: str, keep_weekday: bool) -> None:
    words, draw = words_of(language), Draw(KEY, patient)
    texts = [*words.months[0], *words.seasons[0], "1998", "'07", "5 " + words.months[0][0]]
    if not keep_weekday:
        texts += [*words.weekdays[0], *words.weekdays[1]]
    maker = alone(DateMaker(keep_weekday=keep_weekday).make_many)
    new = maker(texts, record(language), draw, avoid=frozenset())
    assert [a for a, b in zip(texts, new, strict=True) if fold(a) == fold(b)] == []


def test_weekdays_stay_where_they_are_kept() -> None:
    maker = alone(DateMaker(keep_weekday=True).make_many)
    new = maker(["Monday", "Mon 3/4/2019"], record(), Draw(KEY, "p"), avoid=frozenset())
    assert new[0] == "Monday"
    assert new[1].startswith("Mon ")
    assert new[1] != "Mon 3/4/2019"


@given(st.text(max_size=30), st.sampled_from(LANGUAGES))
def test_any_text_becomes_another_one(text: str, language: str) -> None:
    new = shifted(text, language)
    assert fold(new) != fold(text)
    assert any(c.isalnum() for c in new)


PIECES = [
    "1", "3", "12", "28", "31", "00", "99", "2012", "1999", "'98", "-", "/", ".", ", ", " ",
    " ", " to ", "May", "may", "Feb", "Sept.", "mayo", "enero", "mei", "mrt", "Monday", "ma",
    "Fridays", "spring", "otoño", "Christmas", "Navidad", "Pasen", "week", "Q", "the", "de", "en",
    "y", "first", "noughties",
    "st", "th", "s", "V", "M", "10:30", "T", "Rajab", "nineties", "años", "jaren", "20120506",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9), st.sampled_from(LANGUAGES),
       st.integers(0, 1093))  # fmt: skip
def test_any_heap_of_pieces_of_dates_becomes_another(
    pieces: list[str], language: str, number: int
) -> None:
    text = "".join(pieces)
    new = shifted(text, language, days=dates.days(Draw(KEY, str(number))))
    assert fold(new) != fold(text)
    assert "rajab" not in new.lower()


PLAIN = st.sampled_from(
    [
        "{d}{m}{y}",
        "{d}{m}",
        "{m}{d}{y}",
        "{y}{m}{d}",
        "{m}{y}",
        "{w} {d}{m}{y}",
        "{m} {d}, {y}",
        "{y}",
        "{w}",
        "{w}, {w}",
        "{w} {y}",
    ]
)


@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)
    | st.builds(
        lambda form, d, m, y, w: form.format(d=d, m=m, y=y, w=w),
        PLAIN,
        st.sampled_from(["29", "3", "03", "28th", "31", "1ste"]),
        st.sampled_from(["/2", "-02-", " feb ", " May. ", ".5.", "Sept. ", " mayo ", "-MAR-", "/"]),
        st.sampled_from(["2012", "/99", "'04", " of 2011", "-1900"]),
        st.sampled_from(["Mon", "ma", "Fridays", "lunes", "V"]),
    ),
    st.sampled_from(LANGUAGES),
    st.integers(-1095, 1095),
    st.sampled_from([1, 2001, 2012]),
    st.booleans(),
    st.dictionaries(st.tuples(st.sampled_from("/-."), st.booleans(), st.booleans()), st.booleans()),
)
def test_one_plain_date_moves_as_any_group_of_dates(
    text: str,
    language: str,
    amount: int,
    year: int,
    day_first: bool,
    padded: dict[tuple[str, bool, bool], bool],
) -> None:
    reading = read_mention(text, language, day_first=day_first)
    habits, context = Habits(day_first, padded), (year, None)
    shifter = Shifter(words_of(language), amount, Draw(KEY, "p"), habits, frozenset())
    if reading.is_plain:
        plain = shifter.shift_plain(reading, context)
        if plain and fold(plain) != fold(text):
            assert plain == shifter.shift_any(text, reading, context)


@pytest.mark.parametrize("form", ["{} 3 May 2012", "{}", "3/4/2012 {}", "{} 1998", "the {} of May"])
@pytest.mark.parametrize("word", ["Xandrovik", "Quillbeam", "Þorrablót", "Zvezdna"])
def test_words_that_nobody_knows_are_left_out(word: str, form: str) -> None:
    assert word.lower() not in shifted(form.format(word)).lower()


def test_order_and_zeros_come_from_the_other_dates_of_the_document() -> None:
    draw = Draw(KEY, "p")
    new = shift_dates(["25/12/2011", "3/4/2012"], "en", days=227, draw=draw)
    assert new == ["8/8/2012", "16/11/2012"]
    assert shift_dates(["1/4/2012", "12/15/2012"], "en", days=227, draw=draw)[1] == "7/30/2013"
    assert shift_dates(["01/04/2012", "12/15/2012"], "en", days=227, draw=draw)[1] == "07/30/2013"


def test_the_year_comes_from_the_date_before() -> None:
    draw = Draw(KEY, "p")
    # 2012 has a 29th of February, 2013 has none.
    assert shift_dates(["1/5/2012", "2/1"], "en", days=30, draw=draw)[1] == "3/2"
    assert shift_dates(["1/5/2013", "2/1"], "en", days=30, draw=draw)[1] == "3/3"


@pytest.mark.parametrize(
    ("before", "day", "expected"),
    [
        # 30 days after 1 February are 2 March in leap years, 3 March in others.
        (["1/5/2012", "1997", "March 1998"], "2/1", "3/2"),
        (["1997", "1/5/2012"], "2/1", "3/2"),
        (["1/5/2012", "Spring 2009"], "Feb 1", "Mar 2"),
        (["1/5/2012", "5/12/2003"], "2/1", "3/2"),  # history
        (["1/2/1953", "1/5/2012"], "2/1", "3/2"),  # a birth before
        (["12/30/2011", "1/3"], "2/1", "3/2"),
        (["20111230"], "2/1", "3/2"),
        (["12/30/2012"], "2/1", "3/3"),
        (["1/5/2013", "12/31/9999"], "2/1", "3/3"),
        (["1/5/2012", "1/5/2013"], "2/1", "3/3"),  # visits in their order
        (["1997", "2012"], "2/1", "3/2"),
        (["1/5/2012"], "2/1/2013", "3/3/2013"),
    ],
)
def test_the_year_is_that_of_visits_rather_than_of_history(
    before: list[str], day: str, expected: str
) -> None:
    assert shift_dates([*before, day], "en", days=30, draw=Draw(KEY, "p"))[-1] == expected


def test_the_days_between_are_exact_over_the_turn_of_the_year() -> None:
    new = shift_dates(["12/30/2011", "1/3", "2/1"], "en", days=60, draw=Draw(KEY, "p"))
    assert new == ["02/28/2012", "3/3", "4/1"]


@pytest.mark.parametrize("year", ["0001", "9999", "2299"])
def test_years_at_the_ends_of_the_calendar_bring_no_error(year: str) -> None:
    for day in ("12/1", "1/1"):
        new = shift_dates([f"1/1/{year}", f"12/31/{year}", day], "en", days=30, draw=Draw(KEY, "p"))
        assert len(new) == 3


def test_a_day_alone_takes_the_month_beside_it() -> None:
    new = shift_dates(["12", "13", "14 May 2012"], "en", days=227, draw=Draw(KEY, "p"))
    assert new == ["25", "26", "27 December 2012"]


def test_days_that_fall_into_two_months_are_written_with_both() -> None:
    assert shifted("12-14 May 2012", days=18) == "30 May-1 June 2012"
    assert shifted("May 12-14, 2012", days=18) == "May 30-June 1, 2012"
    assert shifted("12 y 14 de mayo", "es", days=18) == "30 de mayo y 1 de junio"
    assert shifted("12-14/5", "nl", days=18) == "30/5-1/6"


def test_case_and_glue_stay() -> None:
    assert shifted("MONDAY,MAY 7,2012") == "THURSDAY,DECEMBER 20,2012"
    assert shifted("monday may 7") == "thursday december 20"
    assert shifted("7may2012") == "20dec2012"
    assert shifted("May 12,\r\n2012") == "December 25,\r\n2012"
    assert shifted("Jan. 5, 2012") == "Aug. 19, 2012"
    assert shifted("Oct. 5, 2012") == "May 20, 2013"  # whole now: no full stop


def test_digits_of_other_scripts_are_understood() -> None:
    assert shifted("\uff13/\uff14/\uff12\uff10\uff11\uff12") == shifted("3/4/2012")


def test_years_beyond_the_calendar_are_still_replaced() -> None:
    assert shifted("12/31/1000", days=-1000) != "12/31/1000"
    assert shifted("Christmas 2999", days=227) != "Christmas 2999"


def test_an_unknown_language_is_read_as_english() -> None:
    assert shifted("March 3, 2012", "xx") == "October 16, 2012"
    assert shifted("3 marzo 2012", "") == "16 octubre 2012"


def test_the_same_in_another_process() -> None:
    code = (
        "from scrubjay.transform.surrogates.dates import DateMaker\n"
        "from scrubjay.transform.surrogates.draw import Draw\n"
        "from scrubjay.transform.operators import Record\n"
        "texts = ['3/4/2012', 'homecoming', '31/31/2012', 'Monday']\n"
        f"wanted = texts, Record('d', 'p', '', 'en'), Draw({KEY!r}, 'p'), frozenset(), ()\n"
        "print(*DateMaker().make_many([wanted]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7",
        "PYTHONPATH": str(Path(__file__).parents[3] / "src")},
    )  # fmt: skip
    texts = ["3/4/2012", "homecoming", "31/31/2012", "Monday"]
    new = make(texts, Record("d", "p", "", "en"), Draw(KEY, "p"), avoid=frozenset())
    assert run.stdout.strip() == repr(new)


@given(patients, st.integers(400, 4000), st.booleans())
def test_shifts_are_within_their_bounds(patient: str, most: int, keep_weekday: bool) -> None:
    amount = DateMaker(keep_weekday=keep_weekday, max_days=most).days(Draw(KEY, patient))
    assert MIN_DAYS <= abs(amount) <= most
    assert (amount % 7 == 0) == keep_weekday


@given(patients, st.integers(400, 4000), st.booleans(), st.sampled_from(["past", "future"]))
def test_shifts_in_one_direction(patient: str, most: int, keep_weekday: bool, way: str) -> None:
    maker = DateMaker(keep_weekday=keep_weekday, max_days=most, direction=way)
    amount = maker.days(Draw(KEY, patient))
    assert MIN_DAYS <= (-amount if way == "past" else amount) <= most
    assert (amount % 7 == 0) == keep_weekday
    year = 365.2425
    assert min(abs(amount) % year, year - abs(amount) % year) >= 50


@given(
    patients, st.dates(date(1950, 1, 1), date(2049, 12, 31)), st.sampled_from(["past", "future"])
)
def test_whatever_tells_a_year_moves_in_that_direction(patient: str, day: date, way: str) -> None:
    texts = [day.isoformat(), f"{day:%B} {day.year}", f"Spring {day.year}", f"Q3 {day.year}"]
    record = Record("d", patient, "", "en")
    for old in ([texts[0]], texts[1:2], texts[2:3], texts[3:], [str(day.year)], texts):
        maker = alone(DateMaker(direction=way).make_many)
        new = maker(old, record, Draw(KEY, patient), avoid=frozenset())
        for one, other in zip(old, new, strict=True):
            (before,), (after,) = parse_dates(one, "en"), parse_dates(other, "en")
            assert before.year is not None
            assert after.year is not None
            moved = (after.year, after.month or 0, after.day or 0) > (
                before.year, before.month or 0, before.day or 0
            )  # fmt: skip
            same_year_later_season = after.kind != "date" and after.year == before.year
            assert same_year_later_season or moved == (way == "future"), (one, other)


def test_both_directions_are_drawn_unless_one_is_set() -> None:
    amounts = [dates.days(Draw(KEY, str(number))) for number in range(200)]
    assert 60 < sum(amount < 0 for amount in amounts) < 140
    back = [DateMaker(direction="past").days(Draw(KEY, str(number))) for number in range(200)]
    assert len(set(back)) > 150
    with pytest.raises(ConfigError, match="no direction 'back'"):
        DateMaker(direction="back")


def test_shifts_of_different_directions_have_nothing_to_do_with_each_other() -> None:
    ways = ("", "past", "future")
    makers = [DateMaker(direction=way) for way in ways]
    shifts = [[each.days(Draw(KEY, str(n))) for each in makers] for n in range(300)]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        same = sum(abs(days[one]) == abs(days[other]) for days in shifts)
        assert same < 10, (ways[one], ways[other])
    # Nor does the place of one among its shifts tell that of the other.
    for mirror in (False, True):
        order = sorted(range(300), key=lambda n: shifts[n][1], reverse=mirror)
        near = sum(shifts[n][2] < 642 for n in order[:100])
        assert near < 75
    assert dates.days(Draw(KEY, "1")) == shifts[1][0]


def test_patients_and_keys_have_shifts_of_their_own() -> None:
    amounts = {dates.days(Draw(KEY, str(number))) for number in range(200)}
    assert len(amounts) > 150
    assert dates.days(Draw(KEY, "1")) != dates.days(Draw(KEY[::-1], "1"))


@pytest.mark.parametrize("most", [0, 399, 36501])
def test_a_bound_that_leaves_no_shifts_is_refused(most: int) -> None:
    with pytest.raises(ConfigError, match="largest shift of dates"):
        DateMaker(max_days=most)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("3/4/2012", "en", ParsedDate(2012, 3, 4)),
        ("3/4/2012", "es", ParsedDate(2012, 4, 3)),
        ("13/4/2012", "en", ParsedDate(2012, 4, 13)),
        ("3/4/35", "en", ParsedDate(2035, 3, 4, short_year=True)),
        ("May 2012", "en", ParsedDate(2012, 5)),
        ("mayo de 1998", "es", ParsedDate(1998, 5)),
        ("31/02/1998", "es", ParsedDate(1998, 2, 31)),
        ("99/99/1998", "es", ParsedDate(1998)),
        ("12 mei '98", "nl", ParsedDate(1998, 5, 12, short_year=True)),
        ("14 Rajab 2012", "en", ParsedDate(2012, None, 14)),
        ("winter 2012", "en", ParsedDate(2012, kind="season")),
        ("1990s", "en", ParsedDate(1990, kind="decade")),
        ("jaren tachtig", "nl", ParsedDate(1980, kind="decade", short_year=True)),
        ("3/4", "en", ParsedDate(None, 3, 4)),
        ("nineteen ninety-eight", "en", ParsedDate(1998)),
        ("20120506", "en", ParsedDate(2012, 5, 6)),
        ("Monday", "en", None),
        ("homecoming", "en", ParsedDate(kind="holiday")),
        ("", "en", None),
    ],
)
def test_dates_are_read(text: str, language: str, expected: ParsedDate | None) -> None:
    assert parse_date(text, language) == expected


def test_all_dates_of_a_range_are_read() -> None:
    found = parse_dates("Dec 30 - Jan 2, 2013", "en")
    assert found == (ParsedDate(2012, 12, 30), ParsedDate(2013, 1, 2))
    years = [each.year for each in parse_dates("2010-2012", "en")]
    assert years == [2010, 2012]


@given(days, st.sampled_from(sorted(FORMATS)))
def test_what_is_written_is_read(day: date, form: str) -> None:
    assert read(write(form, day), form) == day or (
        day.day <= 12 and "/" in form  # either order
    )


@given(
    st.text("abejmnruy", min_size=1, max_size=9) | st.sampled_from(MONTHS[0]),
    st.sampled_from([month.lower() for month in MONTHS[0]]),
)
def test_a_slip_is_a_word_of_few_differences(word: str, month: str) -> None:
    assert _is_slip(word, month) == (plain_distance(word, month) <= (len(month) + 2) // 5)


@pytest.mark.parametrize(
    ("language", "text", "new"),
    [
        ("en", "3 3 99", "3 4 99"),
        ("en", "03 03 99", "03 04 99"),
        ("en", "12 31 98", "01 01 99"),
        ("nl", "31 12 98", "01 01 99"),
        ("es", "3 11 05", "4 11 05"),
    ],
)
def test_numbers_with_blanks_between_are_a_date_of_two_digits_for_the_year(
    language: str, text: str, new: str
) -> None:
    assert shifted(text, language, days=1) == new


def test_days_with_blanks_between_them_share_the_month_behind_them() -> None:
    assert shifted("12 13 14 May", days=1) == "13 14 15 May"
