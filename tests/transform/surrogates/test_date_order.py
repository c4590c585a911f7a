"""Whether the day or the month comes first in the numeric dates of a document."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates._date_order import (
    DateOrder,
    _signs,
    count_orders,
    count_signs,
    find_order,
)
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.dates import DateMaker
from scrubjay.transform.surrogates.draw import Draw

ENGLISH = words_of("en")
DATE = re.compile(r"[0-9]+/[0-9]+(?:/[0-9]+)?|[0-9]+(?:rd)? November(?: 2025)?|November [0-9]+")


def told(text: str) -> str:
    """Return what a text tells, whose dates are those of a few forms."""
    return find_order([match.group() for match in DATE.finditer(text)], ENGLISH, around=text).told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A date that leaves no choice, whatever else there is.
        ("Seen 3/4/2025 and 13/4/2025 by the PCP, (617) 555-0100", "dmy"),
        ("Seen 3/4/2025 and 4/13/2025 by the GP, +353 87 123 4567", "mdy"),
        # What is written alike everywhere tells nothing.
        ("Seen 3/4/2025 by colorectal surgery, see the literature", "open"),
        ("Seen 3/4/2025 by colorectal surgery, letter to the GP", "dmy"),
        # The same day with its month.
        ("Seen 3rd November 2025; letter of 03/11/2025", "dmy"),
        ("Seen 3rd November; letter of 11/03/2025", "mdy"),
        # A day of the week, in the mention or before it, and in the year of another date.
        ("INR 03/05/24 and 04/05/24 and 07/05/24. Wed 8/5 06:01", "dmy"),
        ("INR 05/03/24 and 05/04/24. Wed 5/8 06:01", "mdy"),
        ("INR 03/05/24. Wed, 8/5/24", "dmy"),
        ("INR 03/05/24. Fri 8/5", "open"),
        # The days go on.
        ("Admitted 08/10/2025. CXR 09/10/2025. Discharged 02/11/2025 after 25 days.", "dmy"),
        ("Admitted 10/08/2025. CXR 10/09/2025. Discharged 11/02/2025 after 25 days.", "mdy"),
        ("Admitted 08/10/2025, letter to the GP, discharged 02/11/2025.", "dmy"),
        # Signs of a country, and how dates are written with their month.
        ("Seen 05/01/2026. Ring +353 87 123 4567.", "dmy"),
        ("Seen 05/01/2026. Phone 087 123 4567.", "dmy"),
        ("Seen 05/01/2026. Address: Cork T12 X2Y4.", "dmy"),
        ("Seen 05/01/2026. Address: Leeds LS1 3EX.", "dmy"),
        ("Seen 05/01/2026 at the NHS clinic.", "dmy"),
        ("Seen 05/01/2026 for anaemia.", "dmy"),
        ("Seen 05/01/2026, again on 12 November", "dmy"),
        ("Seen 05/01/2026, again on November 12", "mdy"),
        ("Seen 05/01/2026 for anemia.", "mdy"),
        ("Seen 05/01/2026. Phone (617) 555-0100.", "mdy"),
        ("Seen 05/01/2026. Lives in Waltham, MA 02139.", "mdy"),
        # Nothing, or as much for one as for the other.
        ("Seen 05/01/2026 by Dr. Nolan", "open"),
        ("Seen 05/01/2026 by the GP for anemia", "open"),
        # No date that may be either.
        ("Seen 05/05/2026 by Dr. Nolan", ""),
        ("Seen in November by the GP", ""),
    ],
)
def test_what_a_document_tells_of_the_order(text: str, expected: str) -> None:
    assert told(text) == expected


def test_a_weekday_beside_a_date_tells_the_order() -> None:
    assert find_order(["Mon 03/11/2025"], ENGLISH).told == "dmy"  # the 3rd of November
    assert find_order(["Tue 03/11/2025"], ENGLISH).told == "mdy"  # the 11th of March
    assert find_order(["Wed 03/11/2025"], ENGLISH).told == "open"


@pytest.mark.parametrize("language", ["es", "nl"])
def test_where_all_put_the_day_first_only_a_date_without_a_choice_tells_otherwise(
    language: str,
) -> None:
    words = words_of(language)
    assert find_order(["10/08/2025", "11/02/2025"], words) == DateOrder(True)
    assert find_order(["10/08/2025", "11/22/2025"], words) == DateOrder(False, "mdy")


@pytest.mark.parametrize("language", ["en", "es", "nl"])
@pytest.mark.parametrize("usual", ["dmy", "mdy"])
def test_what_is_usual_holds_where_a_document_tells_nothing(language: str, usual: str) -> None:
    words = words_of(language)
    assert find_order(["10/08/2025"], words, usual=usual).day_first == (usual == "dmy")
    for text, order in (("25/12/2025", "dmy"), ("12/25/2025", "mdy")):
        found = find_order(["10/08/2025", text], words, usual=usual)
        assert found == DateOrder(order == "dmy", order)
    assert find_order(["Mon 03/11/2025"], ENGLISH, usual=usual).told == "dmy"
    assert find_order(["3/4/2025"], ENGLISH, around="NHS", usual=usual).told == "dmy"


def test_dates_that_begin_with_the_year_are_none_that_may_be_either() -> None:
    assert count_orders("2024-12-20") == (0, 0, 0)
    assert count_orders("3/4/2024") == (0, 0, 1)
    assert count_orders("2.5") == (0, 0, 0)


@given(
    st.lists(st.dates(date(2000, 1, 1), date(2049, 12, 31)), min_size=1, max_size=5),
    st.sampled_from(["dmy", "mdy"]),
    st.integers(0, 50),
)
def test_with_a_set_order_intervals_stay_whatever_the_dates_tell(
    days: list[date], order: str, patient: int
) -> None:
    form = "%d/%m/%Y" if order == "dmy" else "%m/%d/%Y"
    maker = DateMaker(order=order)
    draw = Draw(b"golden-key-golden-key", f"patient {patient}")
    texts = [day.strftime(form) for day in days]
    record = Record("d", f"{patient}", "GP, PCP", "en")
    moved = [(day + timedelta(maker.days(draw))).strftime(form) for day in days]
    assert maker.make_many([(texts, record, draw, frozenset(), ())]) == [moved]


def test_an_unknown_order_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no order 'ymd'"):
        DateMaker(order="ymd")
    with pytest.raises(ConfigError, match="no order 'ymd'"):
        DateMaker(usual="ymd")


#: Signs that begin with a border: what those of the table find, which begin with a letter or a
#: digit, in far more time.
WITH_BORDERS = (
    r"\b00 ?(?:353|44|61|64) [0-9]",
    r"\b0[1-9][0-9]{0,3}[ -][0-9]{3}[ -]?[0-9]{3,4}\b",
    r"\b[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}\b",
    r"\b(?:[AC-FHKNPRTV-Y][0-9]{2}|D6W) (?=[A-Z]*[0-9])[0-9AC-FHKNPRTV-Y]{4}\b",
    r"\b(?:NSW|QLD|VIC|TAS|WA|SA|ACT|NT) [0-9]{4}\b",
    r"\b[2-9][0-9]{2}[-.][2-9][0-9]{2}[-.][0-9]{4}\b",
)
BEGINNINGS = ("00(", "0(", "[A-Z](", "[AC-F", "[NQV", "[2-9](")
SCRAPS = (
    *("00", "353 8", "087 123 4567", "01-234-5678", "LS1 3EX", "W1A 1AA", "T12 X2Y4", "D6W"),
    *("NSW", "QLD", "VIC", "TAS", "WA", "SA", "ACT", "NT", " 2000", "617-555-0100", "617.555.0100"),
    *(" ", " ", "A", "D", "x", "\u00e9", "_", "7", "-", ".", "\n"),
)


@pytest.mark.parametrize(("plain", "head"), list(zip(WITH_BORDERS, BEGINNINGS, strict=True)))
@given(text=st.lists(st.sampled_from(SCRAPS), max_size=12).map("".join))
def test_signs_of_letters_are_those_with_borders(plain: str, head: str, text: str) -> None:
    (form,) = {
        form
        for sign in ENGLISH.order_signs
        for form in sign.forms
        if len(sign.forms) == 1 and form.pattern.startswith(head)
    }
    found, expected = form.search(text), re.search(plain, text)
    assert (found and found.span()) == (expected and expected.span())


@given(st.lists(st.lists(st.sampled_from(SCRAPS), max_size=8).map("".join), max_size=9))
def test_signs_are_remembered_for_the_text_that_they_are_of(texts: list[str]) -> None:
    for text in (*texts, *texts, "\ud800"):
        assert _signs(text, "en") == count_signs(text, "en")
        assert _signs(text, "nl") == 0
