"""What Safe Harbor lets stay of ages, dates and ZIP codes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.languages import LANGUAGES
from scrubjay.transform._ages import age_words
from scrubjay.transform.edits import apply_edits
from scrubjay.transform.operators import Mention, Record
from scrubjay.transform.policy import find_policy, parse_policy
from scrubjay.transform.safe_harbor import SafeAge, SafeDate, SafeZip, restricted_zips
from tests.strategies import texts
from tests.transform.alone import replace_alone


def one(operator: SafeAge | SafeDate | SafeZip, marked: str, label: str, language: str = "") -> str:
    """Return what stands in the place of the mention between `<` and `>`."""
    start, end = marked.index("<"), marked.index(">") - 1
    text = marked.replace("<", "", 1).replace(">", "", 1)
    mention = Mention(Span(start, end, label), text[start:end], "d")
    return operator.replace_all([mention], Record("d", "", text, language))[0]


@pytest.mark.parametrize(
    ("language", "marked", "expected"),
    [
        ("en", "<89>-year-old", "89"),
        ("en", "<90>-year-old", "90+"),
        ("en", "<93-year-old> man", "90+-year-old"),
        ("en", "<89.9> years", "89.9"),
        ("en", "<102>F", "90+"),
        ("en", "<93F>", "90+F"),
        ("en", "<93 y/o>", "90+ y/o"),
        ("en", "<80s>", "80s"),
        ("en", "<'80s>", "'80s"),
        ("en", "<90s>", "90+"),
        ("en", "<late 90s>", "90+"),
        ("en", "<early eighties>", "early eighties"),
        ("en", "her <nineties>", "90+"),
        ("en", "<nonagenarian>", "90+"),
        ("en", "<octogenarian>", "octogenarian"),
        ("en", "<Centenarian>", "90+"),
        ("en", "<turned 95>", "turned 90+"),
        ("en", "<ninety-five years old>", "90+ years old"),
        ("en", "<Ninety  Five>", "90+"),
        ("en", "<one hundred and two>", "90+"),
        ("en", "<eighty-nine>", "eighty-nine"),
        ("en", "<85-95>", "90+"),
        ("en", "<70-75>", "70-75"),
        ("en", "<93 years 2 months>", "90+"),
        ("en", "<2 years 3 months>", "2 years 3 months"),
        ("en", "<96 months>", "96 months"),
        ("en", "<100 weeks>", "100 weeks"),
        ("en", "<92>-day-old", "92"),
        ("en", "<92> days old", "92"),
        ("en", "aged <92>\nDays in hospital", "90+"),
        ("en", "<1100 months>", "90+"),
        ("en", "<33,000 days>", "[AGE-1]"),
        ("en", "<33,000> days", "[AGE-1]"),
        ("en", "<4.700 weeks>", "[AGE-1]"),
        ("en", "<2.5 years>", "2.5 years"),
        ("en", "<140>", "[AGE-1]"),
        ("en", "<elderly>", "[AGE-1]"),
        ("en", "<95th>", "[AGE-1]"),
        ("en", "<66 yo John>", "[AGE-1]"),
        ("en", "<3/4/10>", "[AGE-1]"),
        ("en", "<3.4.10>", "[AGE-1]"),
        ("en", "<2010>", "[AGE-1]"),
        ("en", "<9O>-year-old", "[AGE-1]"),
        ("en", "<1O3>", "[AGE-1]"),
        ("en", "<9 3>", "[AGE-1]"),
        ("es", "<93 años>", "90+ años"),
        ("es", "<37 años de edad>", "37 años de edad"),
        ("es", "<noventa y cinco años>", "90+ años"),
        ("es", "<veintidós años>", "veintidós años"),
        ("es", "<nonagenaria>", "90+"),
        ("es", "<93 h>", "90+ h"),
        ("es", "<18 meses>", "18 meses"),
        ("es", "<ciento dos años>", "90+ años"),
        ("nl", "<93-jarige>", "90+-jarige"),
        ("nl", "<93jarige>", "90+jarige"),
        ("nl", "<negentigjarige>", "90+jarige"),
        ("nl", "<vijfennegentig jaar>", "90+ jaar"),
        ("nl", "<tweeënnegentig>", "90+"),
        ("nl", "<zevenentachtig jaar>", "zevenentachtig jaar"),
        ("nl", "<honderdtwee>", "90+"),
        ("nl", "<14 maanden>", "14 maanden"),
        ("", "<noventa>", "90+"),
        ("fr", "<91>", "90+"),
    ],
)
def test_ages(language: str, marked: str, expected: str) -> None:
    assert one(SafeAge(), marked, "AGE", language) == expected


@given(st.integers(0, 130), st.sampled_from(["{}", "{} years old", "aged {}", "{}yo", "({})"]))
def test_no_age_of_90_or_more_stays(age: int, form: str) -> None:
    text = form.format(age)
    new = replace_alone(SafeAge(), Mention(Span(0, len(text), "AGE"), text, "d"))
    assert new == (text if age < 90 else form.format("90+"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_in_words_is_read_alike(language: str) -> None:
    words = age_words(language)
    assert set(range(130)) <= set(words.values.values())
    for phrase, value in words.values.items():
        new = SafeAge().replace_all(
            [Mention(Span(0, len(phrase), "AGE"), phrase, "d")], Record("d", "", phrase, language)
        )
        assert new == [phrase if value < 90 else "90+"]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("<3/4/2010>", "2010"),
        ("<2010-03-04>", "2010"),
        ("<20100304>", "2010"),
        ("<04.03.2010>", "2010"),
        ("<March 4, 2010>", "2010"),
        ("<Christmas 2010>", "2010"),
        ("<2010>", "2010"),
        ("<4 March 98>", "1998"),
        ("<4-mar-10>", "2010"),
        ("<3/4/2010 - 3/6/2011>", "2010-2011"),
        ("<3/4/2010 - 3/6/2010>", "2010"),
        ("<3/4/2010 2015>", "2010"),
        ("<3/4/10>", "2010"),
        ("<3/4/26>", "1926"),
        ("summer of <'98>", "1998"),
        ("<Monday>", "[DATE-1]"),
        ("<3/4>", "[DATE-1]"),
        ("<20:15>", "[DATE-1]"),
        ("<2015 hrs>", "[DATE-1]"),
        ("<617-55-1234>", "[DATE-1]"),
        ("<617-555-1234>", "[DATE-1]"),
        ("<31/02/2012>", "2012"),
        ("<98-3-4>", "1998"),
        ("<1990s>", "1990"),
        ("<in the 90s>", "[DATE-1]"),
        ("DOB <3/4/1919>", "[DATE-1]"),
        ("DOB <3/4/1920>", "[DATE-1]"),
        ("DOB <3/4/1921>", "1921"),
        ("smoked since <1915>", "[DATE-1]"),
        ("DOB <3/4/07>", "[DATE-1]"),
        ("nacida el <3/4/07>", "[DATE-1]"),
        ("geboren <3-4-07>", "[DATE-1]"),
        ("seen on <3/4/07>", "2007"),
        ("DOB <3/4/60>", "1960"),
    ],
)
def test_dates(marked: str, expected: str) -> None:
    assert one(SafeDate(reference=2010), marked, "DATE") == expected


def test_the_latest_year_of_the_record_counts_where_it_is_later() -> None:
    text = "Born 3/4/2040. Seen 5/6/2151, again 7/6/51."
    mentions = [
        Mention(Span(match.start(), match.end(), "DATE"), match[0], "d")
        for match in re.finditer(r"[\d/]+\d", text)
    ]
    new = SafeDate(reference=2010).replace_all(mentions, Record("d", "", text, "en"))
    assert new == ["[DATE-1]", "2151", "2151"]


@given(st.integers(1850, 2150), st.integers(1950, 2100))
def test_no_year_that_tells_an_age_over_89_stays(year: int, reference: int) -> None:
    new = replace_alone(
        SafeDate(reference=reference), Mention(Span(0, 8, "DATE"), f"3/4/{year}", "d")
    )
    told = max(reference, year) - year > 89
    assert new == ("[DATE-1]" if told else str(year))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("02139", "021"),
        ("02139-4307", "021"),
        ("021394307", "021"),
        (" 02139\n", " 021\n"),
        ("03601", "000"),
        ("036", "000"),
        ("06301", "000"),
        ("77201", "000"),
        ("2139", "[ZIP-1]"),
        ("MA 02139", "[ZIP-1]"),
        ("SW1A 1AA", "[ZIP-1]"),
        ("٠٢١٣٩", "[ZIP-1]"),
    ],
)
def test_zip_codes(written: str, expected: str) -> None:
    assert replace_alone(SafeZip(), Mention(Span(0, 9, "ZIP"), written, "d")) == expected


def test_zip_tables_have_versions_and_the_union_is_the_default() -> None:
    sizes = {census: len(restricted_zips(census)) for census in ("2000", "2010", "2020", "union")}
    assert sizes == {"2000": 17, "2010": 14, "2020": 18, "union": 23}
    mention = Mention(Span(0, 5, "ZIP"), "06301", "d")
    assert replace_alone(SafeZip("2010"), mention) == "063"
    assert replace_alone(SafeZip("2000"), mention) == "000"
    with pytest.raises(ConfigError, match="no ZIP table of the census '1990'"):
        SafeZip("1990")


def test_a_postal_code_of_another_country_is_no_zip_code() -> None:
    assert one(SafeZip(), "<28013> Madrid", "ZIP", "es") == "[ZIP-1]"


@given(texts())
def test_any_text_gets_a_replacement_that_is_safe(text: str) -> None:
    span = Span(0, max(1, len(text)), "X")
    for operator in (SafeAge(), SafeDate(reference=2020), SafeZip()):
        new = replace_alone(operator, Mention(span, text, "d"))
        assert (
            new == "[X-1]"
            or re.fullmatch(r"\s*\d{3}\s*|[12]\d{3}(-[12]\d{3})*", new)
            or (isinstance(operator, SafeAge))
        )


def test_the_preset_keeps_states_and_countries_alone() -> None:
    text = "Ann, 93, of Waltham, MA 03601, USA, since 3/4/2019, MRN 123"
    labels = {
        "Ann": "PATIENT", "93": "AGE", "Waltham": "CITY", "MA": "STATE", "03601": "ZIP",
        "USA": "COUNTRY", "3/4/2019": "DATE", "123": "MEDICALRECORD",
    }  # fmt: skip
    spans = [
        Span(text.index(word), text.index(word) + len(word), label)
        for word, label in labels.items()
    ]
    edits = find_policy("safe-harbor").plan(Document("d", text), spans, language="en")
    assert [edit.replacement for edit in edits] == [
        "[PATIENT-1]", "90+", "[CITY-1]", "MA", "000", "USA", "2019", "[MEDICALRECORD-1]",
    ]  # fmt: skip


def test_a_year_is_written_as_the_policy_says() -> None:
    policy = parse_policy(
        {
            "default": "redact",
            "kinds": {
                "date": {
                    "operator": "safe-date", "reference": 2026,
                    "year": "[DATE {year}]", "template": "[{label}]",
                }
            },
        }
    )  # fmt: skip
    text = "In the spring of 2019, on Tuesday and from 1998 to 2001, not in 1931."
    found = ["spring of 2019", "Tuesday", "1998 to 2001", "1931"]
    spans = [Span(text.index(each), text.index(each) + len(each), "DATE") for each in found]
    new = apply_edits(text, policy.plan(Document("1", text), spans, language="en")).text
    assert new == "In the [DATE 2019], on [DATE] and from [DATE 1998-2001], not in [DATE]."


@pytest.mark.parametrize("year", ["", "[DATE]", "{year}{number}", "{year!r}", "{year:>9}"])
def test_how_a_year_is_written_holds_the_year(year: str) -> None:
    with pytest.raises(ConfigError, match="the year of the operator 'safe-date' must hold"):
        SafeDate(year=year)


def test_of_places_in_spanish_countries_alone_stay() -> None:
    text = "De Sevilla, provincia de Cádiz, Andalucía, 41001, España, nacida en Cuba."
    labels = dict.fromkeys(("Sevilla", "Cádiz", "Andalucía", "41001"), "TERRITORIO")
    labels |= {"España": "PAIS", "Cuba": "PAIS"}
    spans = [Span(text.index(w), text.index(w) + len(w), label) for w, label in labels.items()]
    plan = find_policy("safe-harbor").plan(Document("1", text), spans, language="es")
    assert apply_edits(text, plan).text == (
        "De [TERRITORIO-1], provincia de [TERRITORIO-2], [TERRITORIO-3], [TERRITORIO-4], España, "
        "nacida en Cuba."
    )
