"""What the text of a cell looks like: a name, initials, an age, a day, a telephone, a number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import find_lexicon, lexicon_names, look_up
from scrubjay.taggers._mending.tables import headings
from scrubjay.taggers._mending.tables.headings import heading_kind
from scrubjay.taggers._mending.tables.layout import Cell
from scrubjay.text.months import month_words
from scrubjay.text.particles import WITHIN

_KEPT = 8192
_ENGLISH = "en"
_OF_PLACES = frozenset({headings.PLAIN, headings.ROOM})

_WORD = r"[^\W\d_]+(?:[-'’.][^\W\d_]+)*\.?"
_WORDS = re.compile(_WORD)
_NAME = re.compile(rf"{_WORD}(?:,?[ ]{{1,2}}{_WORD}){{0,4}}")
_AFTER_NAME = re.compile(r"[ ]{0,2}(?:\Z|[(\[]|[x×][ ]?\d|[-–—][ ]|,[ ]|[ ]\?)")
_TITLE = re.compile(r"[\"'“]?(?P<word>[^\W\d_]+)\.?[ ]+")
_PLACE = re.compile(r"(?P<word>[^\W\d_]+)[ ]?\d{1,3}[^\W\d_]?[ ]+")
_PART, _PARTING = re.compile(r"[ ]*[/+&;][ ]*"), frozenset("/+&;")
_INITIALS = re.compile(r"[^\W\d_](?:\.?[^\W\d_]){1,3}\.?|[^\W\d_]\.")
_AGE = re.compile(
    r"(?:[MFVHmfvh][ ]?/?[ ]?)?(?P<number>\d{1,3})"
    r"(?P<unit>[ ]?(?:y/o|yo|yrs?|y|jaar|jr|j|años|a|m|w|mnd|wk))?"
    r"(?:[ ]?/?[ ]?[MFVmfv])?(?:/(?:7|12|52))?"
)
_OLDEST = 110
_MONTH = rf"{month_words('en', 'es', 'nl')}|mrz|dez"
_DAY = re.compile(
    rf"(?P<day>\d{{1,2}})(?P<sign>[-/.])(?P<month>\d{{1,2}})(?:(?P=sign)'?(?:\d\d){{1,2}})?|"
    rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}[- .]?(?:{_MONTH})[a-z]*\.?(?:[- .]'?(?:\d\d){{1,2}})?|"
    rf"(?:{_MONTH})[a-z]*\.?[ ]\d{{1,2}}|(?:19|20)\d\d",
    re.IGNORECASE,
)
_MOST_DAYS, _MOST_MONTHS = 31, 12
_PHONE = re.compile(r"(?:[+(]?\d[\d ()./-]{1,18}\d)(?:[ ]?(?:x|ext\.?)[ ]?\d{1,6})?")
_FEWEST_DIGITS, _MANY_DIGITS = 3, 7
_WHOLE_DAY = re.compile(
    rf"(?:\d{{1,2}}([-/.])\d{{1,2}}\1(?:\d\d){{1,2}}|\d{{4}}([-/.])\d{{1,2}}\2\d{{1,2}})(?!\d)|"
    rf"(?:\d{{1,2}}[- .]?)?(?:{_MONTH})|\d{{1,2}}[-/.]\d{{1,2}}[ ]+\d\d[:.]?\d\d(?!\d)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[A-Z0-9][A-Z0-9 ./-]*")
_ROOM = re.compile(r"(?:[^\W\d_]{1,3}[ .-]?)?\d{1,4}(?:[-./]\d{1,3})?[^\W\d_]?")
_LOGIN = re.compile(r"(?=.{4,32}\Z)[A-Za-z]+[0-9]*(?:[\\._-]?[A-Za-z0-9]+)*")
_VALUE = re.compile(
    r"[<>≤≥~±][ ]?\d+(?:[.,]\d+)?|\d+,\d+|0\.\d+|"
    r"[<>≤≥~±]?[ ]?\d+(?:[.,/-]\d+)*[ ]?(?:%|°C?|[kmµu]?g|mcg|ml|mL|[lL]|cm|mm|sec|s|bpm|x|"
    r"IU|IE|UI|U|(?:mmol|µmol|umol|mg|g|µg|ug|mEq|U|IU|ng)/(?:d?[lL]|kg|h|ml|mL|min)|mmHg|mmol|cmH2O|"
    r"(?:ml|mL|L|l)/(?:h|min|kg)|/?min)",
)  # fmt: skip
_SCORE = re.compile(r"(?P<got>\d{1,3})/(?P<of>\d{1,3})")
_SEXES = frozenset(
    ["f", "m", "h", "v", "fem", "masc", "fem.", "masc.", "femenino", "masculino", "femenina",
     "masculina", "mujer", "hombre", "varón"]
)  # fmt: skip
_FIGURES, _LETTERS = re.compile(r"\d"), re.compile(r"[^\W\d_]")


def parts_of(text: str, cell: Cell) -> Iterator[Cell]:
    """Yield what strokes and the like part in a cell: "dp/tg" are two."""
    start, end = cell
    if _PARTING.isdisjoint(text[start:end]):
        yield cell
        return
    for sign in _PART.finditer(text, start, end):
        if start < sign.start():
            yield start, sign.start()
        start = sign.end()
    if start < end:
        yield start, end


def begin_of_name(text: str, cell: Cell, language: str) -> int:
    """Return where a name in a cell begins: behind titles and beds, "Sr. Alka", "bed 4 Salt"."""
    start, end = cell
    place = _PLACE.match(text, start, end)
    if place is not None and heading_kind(place["word"], language) in _OF_PLACES:
        start = place.end()
    title = _TITLE.match(text, start, end)
    while title is not None and _is_title(title["word"], language):
        start = title.end()
        title = _TITLE.match(text, start, end)
    return start


@text_cache(_KEPT)
def _is_title(word: str, language: str) -> bool:
    lower = word.lower()
    return lower in _titles(language) or f"{lower}." in _titles(language)


@cache
def _titles(language: str) -> frozenset[str]:
    name = f"{language}.titles"
    listed = find_lexicon(name) if name in lexicon_names() else ()
    return frozenset(listed) | {"dr", "mr", "mrs", "ms", "miss", "pt"}


def end_of_name(text: str, start: int, end: int) -> int:
    """Return the end of what may be a name there, without letters behind it that are a credential.

    It is `start` where there is none, or where the cell goes on in another way.
    """
    name = _NAME.match(text, start, end)
    if name is None or not ends_there(text, name.end(), end):
        return start
    words = [one.span() for one in _WORDS.finditer(text, *name.span())]
    while len(words) > 1 and _is_credential(text[slice(*words[-1])]):
        words.pop()
    return words[-1][1]


def ends_there(text: str, place: int, end: int) -> bool:
    """Tell whether a cell has nothing more of what ends at a place, but brackets and the like."""
    return place >= end or _AFTER_NAME.match(text[place:end]) is not None


@text_cache(_KEPT)
def _is_credential(word: str) -> bool:
    return (
        word.isupper()
        and len(word) > 1
        and look_up(find_lexicon("en.credentials"), word) is not None
    )


def is_initials(mention: str) -> bool:
    """Tell whether a mention is two to four letters in one case, or with one small one: "CtB"."""
    return _INITIALS.fullmatch(mention) is not None and (
        mention.islower() or sum(sign.islower() for sign in mention) <= 1 < len(mention)
    )


def is_capitalised(name: str) -> bool:
    """Tell whether all words of a name begin with a capital, but for particles before the last."""
    words = _WORDS.findall(name)
    if not words or words[-1][0].islower():
        return False
    return all(word[0].isupper() or word.lower() in WITHIN for word in words)


def age_in(text: str, cell: Cell, language: str) -> Cell | None:
    """Return where the age in a cell of ages is; in English without its unit."""
    age = _AGE.fullmatch(text, *cell)
    if age is None or int(age["number"]) > _OLDEST:
        return None
    if language != _ENGLISH or not age["unit"]:
        return age.start("number"), age.end("unit" if age["unit"] else "number")
    return age.span("number") if "y" in age["unit"] else None


def is_day(mention: str) -> bool:
    """Tell whether a cell may be a day, a month or a year."""
    day = _DAY.fullmatch(mention)
    if day is None:
        return False
    if day["day"] is None:
        return True
    low, high = sorted((int(day["day"]), int(day["month"])))
    return 0 < low <= _MOST_MONTHS and high <= _MOST_DAYS


def is_phone(mention: str) -> bool:
    """Tell whether a cell may be a telephone, an extension or a bleep."""
    return (
        _PHONE.fullmatch(mention) is not None and len(_FIGURES.findall(mention)) >= _FEWEST_DIGITS
    )


def is_long_phone(mention: str) -> bool:
    """Tell whether a cell may be a telephone rather than an angle or a count."""
    return is_phone(mention) and len(_FIGURES.findall(mention)) > _FEWEST_DIGITS


def is_whole(mention: str) -> bool:
    """Tell whether a cell is a day with its year or a time, or a telephone with all its figures."""
    return _WHOLE_DAY.match(mention) is not None or (
        _PHONE.fullmatch(mention) is not None and len(_FIGURES.findall(mention)) >= _MANY_DIGITS
    )


def is_number(mention: str) -> bool:
    """Tell whether a cell may be the number of a patient, an order, a specimen."""
    return (
        _NUMBER.fullmatch(mention) is not None and len(_FIGURES.findall(mention)) > _FEWEST_DIGITS
    )


def is_value(mention: str) -> bool:
    """Tell whether a cell is a measure: with its unit, a share, a limit, a decimal comma, a score.

    A score is no day of any month: "15/28".
    """
    if _VALUE.fullmatch(mention):
        return True
    score = _SCORE.fullmatch(mention)
    return (
        score is not None
        and int(score["of"]) > _MOST_MONTHS
        and (int(score["of"]) > _MOST_DAYS or int(score["got"]) > _MOST_MONTHS)
    )


def is_room(mention: str) -> bool:
    """Tell whether a cell may be a room or a bed: "12", "M13", "iso 1", "4-2"."""
    return _ROOM.fullmatch(mention) is not None


def is_login(mention: str) -> bool:
    """Tell whether a cell may be what somebody signs in by: "kmoriarty", "RHEUM07", "hp\\tlee"."""
    return _LOGIN.fullmatch(mention) is not None


def is_sex(mention: str) -> bool:
    """Tell whether a cell tells of a sex in Spanish."""
    return mention.lower() in _SEXES


@text_cache(_KEPT)
def pattern_of(mention: str) -> str:
    """Return what a mention looks like, figures as 9 and letters as A: "M12" as "A99"."""
    return _LETTERS.sub("A", _FIGURES.sub("9", mention))
