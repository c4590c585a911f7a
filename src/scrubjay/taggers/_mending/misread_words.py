"""Words of scanned notes whose letters were read as digits, and numbers the other way about.

"0ctober l4, 2OO8" is a day, "te1. 96 23O Ol 55" a telephone, "de S9 años" an age and "MERCY
HOSP1TAL" a hospital, of which taggers have read nothing such. An everyday word or a drug is nobody
for a digit in it ("eva1uation", "Coumad1n").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import is_listed
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.odd_form_table import BY_LANGUAGE
from scrubjay.taggers._mending.people.person_names import is_common
from scrubjay.taggers._mending.uncovered import Found
from scrubjay.text.months import month_words

HOSPITAL = "HOSPITAL"
WORDS = frozenset({
    *PERSONS, "STREET", "CITY", "STATE", "COUNTRY", "HOSPITAL", "ORGANIZATION", "LOCATION-OTHER",
    "CALLE", "TERRITORIO", "INSTITUCION", "ADDRESS", "ORGANIZATION_COMPANY", "CARE_INSTITUTE",
})  # fmt: skip
"""Labels of mentions that an everyday word with a digit in it is none of."""

_DIGITS = str.maketrans("OoIlS", "00115")
_FEWEST_DIGITS, _SHORTEST, _KEPT = 4, 6, 4096
"""Figures of a telephone that were read as such, signs of a word, and words that are remembered."""

_MONTH = r"(?P<month>[^\W_]{3,10}+)\.?"
_NUMBER, _YEAR = r"(?P<day>[\dOIl]{1,2})", r"(?P<year>(?:[1lI]9|2[0O])[\dOIl]{2})"
_DAYS = (
    re.compile(rf"(?<!\w){_MONTH}[ ]{_NUMBER}(?:st|nd|rd|th)?(?:,?[ ]{_YEAR})?(?![\w.:/-]\w|\w)"),
    re.compile(
        rf"(?<![\w.,/-]){_NUMBER}(?:st|nd|rd|th|e)?[ ](?:(?:de|of)[ ])?{_MONTH}"
        rf"(?:,?[ ](?:del?[ ])?{_YEAR})?(?!\w)"
    ),
)
_MOST_DAYS = 31
_PHONE = re.compile(
    r"(?<!\w)(?i:te[l1I](?:ef[o0][o0]?n[o0]?|éf[o0]n[o0])?|tfn[o0]|tf[o0]|ph[o0]ne|ph|fax|m[o0]bie[l1]|"
    r"m[óo0]vi[l1]|be[l1]t|ca[l1][l1]s?)(?:[ ](?i:from|at|op|al))?[.:]{0,2}[ ]{1,2}"
    r"(?P<phone>[+(]?[\dOolI](?:[\dOolI]|[ ().-]{1,2}(?=[\dOolI(])){6,20}+)(?!\w)"
)
_FEWEST_SIGNS, _MOST_SIGNS = 7, 13
_AGE = {
    "en": r"(?<![\w.,/-])(?P<age>[SOlI]\d|\d[SOlI])(?=[ -](?:years?|yrs?|y)[ -/]?o(?:ld)?(?!\w))",
    "nl": r"(?<![\w.,/-])(?P<age>(?:[SOlI]\d|\d[SOlI])[ ]jaar)(?=[ ]oud(?!\w))",
    "es": r"(?<!\w)(?:paciente|var[óo]n|mujer|ni[ñn][oa]|se[ñn]ora?|edad)(?:,?[ ]de|:)?[ ]"
          r"(?P<age>(?:[SOlI]\d|\d[SOlI])[ ]a[ñn][o0]s)(?!\w)",
}  # fmt: skip
_HOSPITAL = r"(?:H[O0]SP[I1l]TA[L1l]|[CG][L1l][I1l]N[I1l]C)"
_CAP = r"[A-ZÀ-Þ][A-ZÀ-Þ01l'’.-]{1,20}"
_PLACED = {
    "en": rf"(?<![\w-])(?:{_CAP}[ ]){{1,3}}?(?P<sign>{_HOSPITAL})(?!\w)",
    "es": rf"(?<![\w-])(?P<sign>{_HOSPITAL}A?)(?:[ ]{_CAP}){{1,5}}+(?!\w)",
}
_INSIDE = re.compile(r"(?=[^\W_]{6,24}\Z)[^\W\d_]+(?:[01][^\W\d_]+)+")


def find_misread(text: str, language: str) -> Iterator[Found]:
    """Yield where days, telephones, ages and hospitals stand that were misread."""
    labels = BY_LANGUAGE[language]
    for form in _DAYS:
        for day in form.finditer(text):
            if _is_day(day, language):
                yield *day.span(), labels.date
    for phone in _PHONE.finditer(text):
        if _is_phone(phone["phone"]):
            yield *phone.span("phone"), labels.phone
    for age in re.finditer(_AGE[language], text):
        yield *age.span("age"), labels.age
    for place in re.finditer(_PLACED[language], text) if language in _PLACED else ():
        if not (place["sign"].isalpha() and place["sign"].isupper()):
            yield *place.span(), HOSPITAL


def may_be_misread(mention: str) -> bool:
    """Tell whether a mention is a single word with a digit or two between its letters."""
    return _INSIDE.fullmatch(mention) is not None


@text_cache(_KEPT)
def is_misread_word(mention: str, language: str) -> bool:
    """Tell whether a word is an everyday one or a drug, were it read rightly, and no name."""
    terms = protected_terms(language)
    lists = (
        f"{language}.surnames",
        f"{language}.first-names",
        "world.surnames",
        f"{language}.cities",
    )
    return any(
        (is_common(word, language) or terms.get(word) == "drug") and not is_listed(word, *lists)
        for word in _read_again(mention)
    )


def _read_again(word: str) -> Iterator[str]:
    """Yield what a word may be with letters for its digits, in small letters."""
    signs = [{"0": "o", "1": "li"}.get(sign, sign) for sign in word.lower()]
    yield from ("".join(one) for one in product(*signs))


@cache
def _months(language: str) -> re.Pattern[str]:
    return re.compile(month_words(language), re.IGNORECASE)


def _is_day(day: re.Match[str], language: str) -> bool:
    """Tell whether a day of a month is one, and a part of it misread."""
    number, month = day["day"], day["month"]
    told = number.translate(_DIGITS)
    is_misread = not month.isalpha() or (len(number) > 1 and not number.isdigit())
    if not is_misread or not told.isdigit() or not 0 < int(told) <= _MOST_DAYS:
        return False
    return sum(map(str.isdigit, month)) < _FEWEST_DIGITS - 1 and any(
        _months(language).fullmatch(word) for word in _read_again(month)
    )


def _is_phone(mention: str) -> bool:
    """Tell whether a telephone has letters among its figures, and as many signs as one has."""
    signs = [sign for sign in mention if sign.isalnum()]
    figures = sum(map(str.isdigit, signs))
    return _FEWEST_SIGNS <= len(signs) <= _MOST_SIGNS and _FEWEST_DIGITS <= figures < len(signs)
