"""Ages that the dates of a note tell are what its moved dates tell."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.batch.proof import Proved, Prover
from scrubjay.corpora.inline import parse_inline
from scrubjay.deidentifier import Deidentified, Deidentifier
from scrubjay.document import Document, Span
from scrubjay.transform.operators import Mention, Record
from scrubjay.transform.policy import find_policy
from scrubjay.transform.surrogates._age_reading import DAYS, MONTHS, WEEKS, YEARS, other_unit
from scrubjay.transform.surrogates._told_ages import is_of_relative, months_between, told_ages
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.operator import Surrogate

KEY = b"0123456789abcdef0123456789abcdef"
patients = st.text("abcdefgh", max_size=4)
births = st.dates(date(1930, 1, 1), date(2015, 12, 31))


def replaced(marked: str, patient: str = "p", language: str = "en") -> str:
    document = parse_inline(marked)
    text = document.text
    mentions = [Mention(s, text[s.start : s.end], "d", patient) for s in document.spans]
    made = Surrogate(KEY).replace_all(mentions, Record("d", patient, text, language))
    pieces, place = [], 0
    for span, new in zip(document.spans, made, strict=True):
        pieces += [text[place : span.start], new]
        place = span.end
    return "".join([*pieces, text[place:]])


def read(text: str, language: str) -> list[date]:
    order = "mdy" if language == "en" else "dmy"
    found = re.findall(r"([0-9]{1,2})[/-]([0-9]{1,2})[/-]([0-9]{4})", text)
    return [
        date(int(year), *map(int, (one, two) if order == "mdy" else (two, one)))
        for one, two, year in found
    ]


def write(day: date, language: str) -> str:
    form = "{0:%m}/{0:%d}/{0:%Y}" if language == "en" else "{0:%d}-{0:%m}-{0:%Y}"
    return form.format(day)


NOTES = {
    "en": "<AGE>{age}</AGE>-year-old, DOB <DATE>{born}</DATE>, seen <DATE>{seen}</DATE>.",
    "nl": "Geboren <DATE>{born}</DATE>, gezien <DATE>{seen}</DATE>: <AGE>{age}</AGE> jaar.",
    "es": "Nacido el <DATE>{born}</DATE>, visto el <DATE>{seen}</DATE>: <AGE>{age}</AGE> años.",
}


@given(patients, births, st.integers(366, 89 * 365), st.sampled_from(["en", "es", "nl"]))
@example("p", date(1952, 11, 19), 26032, "en")  # 71
def test_an_age_is_what_the_moved_dates_tell(
    patient: str, born: date, passed: int, language: str
) -> None:
    seen = born + timedelta(passed)
    age = months_between(born, seen) // 12
    marked = NOTES[language].format(age=age, born=write(born, language), seen=write(seen, language))
    new = replaced(marked, patient, language)
    one, other = read(new, language)
    assert other - one == seen - born
    told = re.search(r"\b([0-9]{1,2})(?= jaar| años|-year)", new)
    assert told is not None
    assert int(told[1]) == min(months_between(one, other) // 12, 89)


@given(
    patients,
    births,
    st.integers(31, 6 * 365),
    st.sampled_from(["<AGE>{}</AGE> MO", "<AGE>{}</AGE>-month-old", "<AGE>{} months</AGE>"]),
)
def test_an_age_in_months_is_what_the_moved_dates_tell(
    patient: str, born: date, passed: int, form: str
) -> None:
    seen = born + timedelta(passed)
    months = months_between(born, seen)
    if not 1 < months <= 72:
        return
    head = f"WELL CHILD {form.format(months)} "
    dates = f"DOB <DATE>{write(born, 'en')}</DATE> seen <DATE>{write(seen, 'en')}</DATE>"
    new = replaced(head + dates, patient)
    one, other = read(new, "en")
    told = re.search(r"WELL CHILD ([0-9]+)", new)
    assert told is not None
    assert int(told[1]) == months_between(one, other)


@given(births, st.integers(0, 40000), st.integers(-1095, 1095))
def test_all_that_is_told_is_told_by_the_moved_dates(born: date, passed: int, days: int) -> None:
    seen = born + timedelta(passed)
    moved = born + timedelta(days), seen + timedelta(days)
    months = months_between(*moved)
    for (unit, _), new in told_ages([born], [seen], days).items():
        if unit == YEARS:
            assert new == min(months // 12, 89)
        elif unit == MONTHS:
            assert new in (months, months_between(moved[0], moved[1] + timedelta(10)))
        else:
            assert new == passed // {WEEKS: 7, DAYS: 1}[unit]


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ("<AGE>71</AGE> yo, DOB <DATE>11/19/1952</DATE>, seen <DATE>2/27/2024</DATE>", "71 yo"),
        ("<AGE>seventy-one</AGE>, born <DATE>Nov 19, 1952</DATE>, <DATE>2/27/24</DATE>",
         "seventy-one,"),
        ("an <AGE>81 yo</AGE> (DOB <DATE>3/4/41</DATE>) on <DATE>4/5/2022</DATE>", "an 81 yo"),
        ("<AGE>1 year 3 months</AGE>, DOB <DATE>6/9/22</DATE>, <DATE>9/12/23</DATE>",
         "1 year 3 months"),
        ("<AGE>9/12</AGE> DOB <DATE>6/9/22</DATE>, <DATE>3/19/23</DATE>", "9/12 "),
        ("<AGE>3 wk</AGE> old DOB <DATE>6/9/22</DATE>, <DATE>7/1/22</DATE>", "3 wk"),
        ("<AGE>octogenarian</AGE>, <AGE>81</AGE>, DOB <DATE>3/4/41</DATE>, <DATE>4/5/2022</DATE>",
         "octogenarian, 81"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("patient", ["a", "b", "c", "d"])
def test_it_stays_in_its_form(note: str, kept: str, patient: str) -> None:
    assert replaced(note, patient).startswith(kept)


@pytest.mark.parametrize(
    ("language", "birth"),
    [
        ("en", "D.O.B. "), ("en", "Date of birth: "), ("en", "born on "), ("nl", "Geb: "),
        ("nl", "geb "), ("nl", "Geboortedatum: "), ("es", "F. Nac.: "), ("es", "FN "),
        ("es", "F.Nac. "), ("es", "Fecha de nacimiento: "), ("es", "nacida el "),
    ],
)  # fmt: skip
def test_a_birth_is_told_by_the_word_before_it(language: str, birth: str) -> None:
    unit = {"en": " yo", "nl": " jaar", "es": " años"}[language]
    note = f"{birth}<DATE>19-11-1952</DATE>, <DATE>27-02-2024</DATE>, <AGE>71{unit}</AGE>."
    for patient in "abcd":
        assert replaced(note, patient, language).endswith(f", 71{unit}.")


@pytest.mark.parametrize("patient", ["a", "b", "c", "d"])
@pytest.mark.parametrize(
    "age",
    [
        "wife, <AGE>71</AGE>.", "Her sister is <AGE>71</AGE>.", "<AGE>71</AGE> year old brother.",
        "a <AGE>68</AGE> yo.", "<AGE>96</AGE> yo.", "in her <AGE>70s</AGE>.",
    ],
)  # fmt: skip
def test_other_ages_move_as_before(age: str, patient: str) -> None:
    dates = " DOB <DATE>11/19/1952</DATE>, seen <DATE>2/27/2024</DATE>"
    assert replaced(age + dates, patient).split(".")[0] == replaced(age, patient).split(".")[0]


def test_without_a_word_for_a_birth_dates_tell_nothing() -> None:
    note = "<AGE>71</AGE> yo, MI <DATE>11/19/1952</DATE>, seen <DATE>2/27/2024</DATE>"
    assert not replaced(note).startswith("71 yo")


def test_of_a_birth_that_is_a_year_the_age_is_one_of_two() -> None:
    for patient in "abcdefgh":
        note = "<AGE>71</AGE> yo, born in <DATE>1952</DATE>, seen <DATE>2/27/2024</DATE>"
        new = re.fullmatch(r"(\d+) yo, born in (\d{4}), seen .+/(\d{4})", replaced(note, patient))
        assert new is not None
        age, born, seen = map(int, new.groups())
        assert seen - born - age in (0, 1)


def test_the_birth_and_the_visit_may_stand_in_other_documents_of_the_record() -> None:
    marked = [
        "Mrs. Roe is a <AGE>71</AGE>-year-old cook. Seen <DATE>2/27/2024</DATE>.",
        "DOB <DATE>11/19/1952</DATE>",
        "<AGE>71</AGE> yo.",
    ]
    documents = [parse_inline(each) for each in marked]
    policy = find_policy("surrogate", key=KEY)
    for order in ([0, 1, 2], [2, 1, 0]):
        together = [(documents[n], documents[n].spans, "p") for n in order]
        plans = policy.plan_all(together, language="en", shared=[0] * 3)
        for (document, _, _), edits in zip(together, plans, strict=True):
            assert not isinstance(edits, Exception)
            if "7" in document.text[:25]:
                assert edits[0].replacement == "71"


def test_an_age_that_stays_is_proved_beside_the_same_one_that_does_not() -> None:
    marked = (
        "A <AGE>71-year-old</AGE>, DOB <DATE>11/19/1952</DATE>, seen <DATE>2/27/2024</DATE>. "
        "His wife, a <AGE>71-year-old</AGE>, came."
    )
    document = parse_inline(marked)
    policy = find_policy("surrogate", key=KEY)
    note = Document("a", document.text)
    deidentifier = Deidentifier(_Nothing(), policy, language="en")
    ((result,),) = deidentifier.transform_records([[(note, document.spans)]])
    assert isinstance(result, Deidentified)
    assert result.document.text.startswith("A 71-year-old,")
    assert result.document.text.count("71-year-old") == 1
    ((proved,),) = Prover(policy, "en").prove([[(note, result)]])
    assert isinstance(proved, Proved)


class _Nothing:
    """Finds nothing."""

    labels = ("AGE", "DATE")

    def detect(self, documents: list[Document]) -> list[tuple[Span, ...]]:
        return [() for _ in documents]


@pytest.mark.parametrize(
    ("text", "age", "told"),
    [
        ("wife, also 71", "71", True),
        ("Wife died. 71", "71", False),
        ("71 year old son", "71", True),
        ("71 year old, lives with her niece", "71", False),
        ("WELL CHILD 15 MO", "15", False),
        ("madre de 71", "71", False),  # no English
    ],
)
def test_relatives_are_told_by_words_near(text: str, age: str, told: bool) -> None:
    place = text.index(age)
    assert is_of_relative(text, Span(place, place + len(age), "AGE"), "en") == told


@pytest.mark.parametrize(
    ("marked", "pattern"),
    [
        ("WELL CHILD <AGE>15</AGE> <PATIENT>MO</PATIENT>", r"WELL CHILD 1[2-8] MONTHS"),
        ("<AGE>6</AGE>-<PATIENT>wks</PATIENT>", r"[4578]-weeks"),
        ("<AGE>45</AGE> <PATIENT>Ed</PATIENT>", r"4[1-9] (?!Ed)\w+"),
        ("<PATIENT>MO</PATIENT> <AGE>15</AGE>", r"(?!MO)\w+ 1[1-7]"),
    ],
)
def test_a_unit_that_was_taken_for_a_name_stays_a_unit(marked: str, pattern: str) -> None:
    for patient in "abcd":
        assert re.fullmatch(pattern, replaced(marked, patient))


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_another_word_for_a_unit_is_one_of_the_same(language: str) -> None:
    words = words_of(language)
    for unit in words.ages.small_units:
        other = other_unit(unit, words)
        assert other != unit
        assert not other or other[0] == unit[0]


def test_an_age_in_months_whose_unit_stands_behind_it_changes_by_little() -> None:
    for patient in "abcdefgh":
        new = re.fullmatch(r"WELL CHILD (\d+) MO", replaced("WELL CHILD <AGE>22</AGE> MO", patient))
        assert new is not None
        assert 0 < abs(int(new[1]) - 22) <= 3
