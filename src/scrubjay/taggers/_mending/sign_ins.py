"""User names and passwords behind their keys: "Log in as ocarroll, password Liffey#77".

Notes hold few of them, and a tagger that has read none takes one for a date or for nothing. What a
key stands before is one, unless it is an everyday word ("password reset") or a name ("User: Karen
Holt"); a password has a letter and a figure or a sign, and is no amount, date or address.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.taggers._mending.label_groups import DATES, PERSONS
from scrubjay.taggers._mending.people.person_names import is_common
from scrubjay.text.months import month_words

SOURCE, _SHORTEST_ALONE = "sign-in", 6
"""Signs of a password that no mark parts from its key ("PW T12L" is none)."""


class _Keys(NamedTuple):
    """Keys of a language: what all begin with, those of user names, those that are one before the
    key of a password alone, those of passwords, what may stand behind these, and the label."""

    heads: tuple[str, ...]
    user: str
    unsure: str
    password: str
    link: str
    label: str


_PASSWORD = r"passwords?|passwd|passcode|pass[ ]?phrase|pwd|pw"
_BY_LANGUAGE = {
    "en": _Keys(
        ("pass", "user", "log", "pw"),
        r"user[ -]?names?|user[ -]?id|log(?:ged|s)?[ -]?(?:in|on)[ ](?:as|name|id)|"
        r"(?:log[ -]?(?:in|on)|user)(?=[ ]?[:=])", r"log[ -]?in|logon|user",
        _PASSWORD, r"is[ ](?:still|now)|is|was|(?:set|reset|changed)[ ]to|now|still", "USERNAME",
    ),
    "nl": _Keys(
        ("wachtw", "ww", "pw", "pass", "inlog", "ingelogd", "login", "gebr", "user"),
        r"gebruikers?naam|inlognaam|user[ ]?name|inloggen[ ]als|ingelogd[ ]als|gebruikersn(?=\.?:)|"
        r"(?:inlog|login)(?=[ ]?[:=])", r"inlog(?:code)?|login|gebruiker|user|gebr(?=\.?:)",
        rf"wachtw(?:oord|\.)?|ww|{_PASSWORD}",
        r"(?:is|was)[ ](?:nog[ ](?:steeds|altijd)|nu|weer)|is|was|wordt|blijft|nieuw|nog[ ]steeds",
        "ID",
    ),
    "es": _Keys(
        ("nombre de usu", "usuari", "user", "login", "contrase", "clave", "pass", "pw"),
        r"nombre[ ]de[ ]usuari[oa]|user[ ]?name|login(?=[ ]?[:=])", r"usuari[oa]|user|login",
        rf"contrase[ñn]a|(?<!palabras[ ])(?<!palabra[ ])clave|{_PASSWORD}",
        r"es[ ](?:todavía|aún|ahora)|sigue[ ]siendo|es|era|será", "OTRO_NUMERO_IDENTIF",
    ),
}  # fmt: skip

_NO_ADDRESS = r"(?![\w.+-]{1,40}@[\w-]{1,40}\.\w|https?:|www\.)"
_USER = re.compile(rf"{_NO_ADDRESS}@?[^\W\d_](?:\w|[.-](?=\w)){{2,30}}(?![@/:\\])")
# Letters with a figure or a sign among them, and no amount ("12mm"), code ("C-12") or date.
_SECRET = re.compile(
    rf"{_NO_ADDRESS}(?!\d{{1,4}}(?:[.,]\d{{1,3}})?[^\W\d_]{{1,4}}(?!\w))"
    r"(?!\d{1,2}[-./][^\W\d_]{3,10}[-./]\d{2,4}(?!\w))(?!(?:19|20)\d\d[-./])"
    r"(?=[\w.$!#*&%@+?-]{0,30}[^\W\d_])(?=[\w.$!#*&%@+?-]{0,30}[\d$#*&%@_])"
    r"\w[\w.$!#*&%@+?-]{3,31}(?<![.?-])"
)
_GOES_ON = re.compile(r"[ ]+[^\W\d_]\w")
_YEAR = re.compile(r"(?:19|20)\d\d")
_GLUED = re.compile(r"(?<![\w@./\\-])(?:[a-zß-öø-ÿ]{1,20}[._-])?[a-zß-öø-ÿ]{3,24}\Z")
_LONGEST_GLUED = 48
# What is said of a user name, and is in no list of everyday words.
_SAID = frozenset([
    "zie", "vergeten", "idem", "onbekend", "geblokkeerd", "gewijzigd", "werkt", "verlopen",
    "nodig", "aangevraagd", "hieronder", "kwijt", "geweigerd", "uitgereikt", "opgestuurd",
    "verstrekt", "tbd",
])  # fmt: skip


def may_end_user_name(mention: str) -> bool:
    """Tell whether a date is a year alone, which a user name may end with."""
    return _YEAR.fullmatch(mention) is not None


@cache
def sign_in_heads(language: str) -> tuple[str, ...]:
    """Return what the keys of a language begin with, in small letters."""
    return _BY_LANGUAGE[language].heads if language in _BY_LANGUAGE else ()


@cache
def sign_in_labels(language: str) -> frozenset[str]:
    """Return the label of what is found in a language."""
    return frozenset([_BY_LANGUAGE[language].label] if language in _BY_LANGUAGE else [])


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return the pattern of a key up to its value, with a group for each kind of key."""
    keys = _BY_LANGUAGE[language]
    of = (
        r"(?:[ ](?:for|to|voor|van|del?|para)[ ](?:the[ ]|his[ ]|her[ ]|het[ ]|de[ ]|la[ ]|el[ ])?"
        r"(?:app|portal|portaal|account|wi-?fi|tablet|web|e-?mail|correo|mychart))?"
    )
    return re.compile(
        rf"(?<![^ \t\r\n(])(?:(?P<user>{keys.user})|(?P<unsure>{keys.unsure})|"
        rf"{keys.password}){of}"
        rf"(?P<told>\.?[ \t]?[:=][ \t]{{0,3}}|[ ](?:{keys.link})[ ]|(?=[ ]))[ ]?[\"“«'‘(]?",
        re.IGNORECASE,
    )


@cache
def _password_key(language: str) -> re.Pattern[str]:
    """Return the pattern of the key of a password right behind a user name."""
    return re.compile(
        r"[ ]?(?:[,;/|+&]|\.[ ]|and[ ]|with[ ]|en[ ]|met[ ]|y[ ]|con[ ])?[ ]?(?:la[ ])?"
        rf"(?:{_BY_LANGUAGE[language].password}|pin)(?!\w)",
        re.IGNORECASE,
    )


def add_sign_ins(
    text: str, spans: Sequence[Span], language: str, places: Iterable[int]
) -> tuple[Span, ...]:
    """Return the spans of a text with user names and passwords behind their keys.

    Keys begin at one of the `places`, sorted. Spans within a value become one. One
    that reaches over its border stays, and the value is left out: spans that are sorted and
    disjoint stay so. In a language without keys nothing changes.
    """
    if language not in _BY_LANGUAGE:
        return tuple(spans)
    rows, pattern, done = list(spans), _pattern(language), 0
    for place in places:
        if place < done or (key := pattern.match(text, place)) is None:
            continue
        value = (_USER if key["user"] or key["unsure"] else _SECRET).match(text, key.end())
        if value is not None and _is_value(text, key, value, language):
            done = value.end()
            _put(text, rows, place, *value.span(), _BY_LANGUAGE[language].label)
    return tuple(rows)


def widen_user_names(text: str, spans: Sequence[Span], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with a user name in the place of a year that it ends with.

    A year behind small letters that are a month, an everyday or a clinical word stays a date.
    `spans` are sorted and disjoint, and so are those that are returned.
    """
    rows = list(spans)
    for span in spans:
        year = text[span.start : span.end]
        if span.label not in DATES or not may_end_user_name(year):
            continue
        letters = _GLUED.search(text[max(0, span.start - _LONGEST_GLUED) : span.start])
        if letters is None or text[span.end : span.end + 1].isalnum():
            continue
        if not _tells_of_a_day(re.split("[._-]", letters[0])[-1], language):
            start = span.start - len(letters[0])
            _put(text, rows, start, start, span.end, _BY_LANGUAGE[language].label)
    return tuple(rows)


@text_cache(4096)
def _tells_of_a_day(word: str, language: str) -> bool:
    """Tell whether a word in small letters is one that may stand before a year."""
    return (
        is_common(word, language)
        or is_listed(word, f"{language}.protected", "world.protected")
        or re.fullmatch(month_words(language), word) is not None
    )


def _is_value(text: str, key: re.Match[str], value: re.Match[str], language: str) -> bool:
    """Tell whether what stands behind a key is a user name or a password, by the kind of key."""
    word = value[0].lstrip("@")
    if not (key["user"] or key["unsure"]):
        return bool(key["told"]) or len(word) >= _SHORTEST_ALONE
    if _is_everyday(word.lower(), language):
        return False
    if key["unsure"]:
        return _password_key(language).match(text, value.end()) is not None
    # Or else it may be a name, or begin a sentence: "User: Karen Holt".
    return not (word.isalpha() and word.istitle() and _GOES_ON.match(text, value.end()))


@text_cache(4096)
def _is_everyday(word: str, language: str) -> bool:
    """Tell whether all parts of a word in small letters are everyday words."""
    return all(part in _SAID or is_common(part, language) for part in re.split("[.-]", word))


def _put(text: str, rows: list[Span], key: int, start: int, end: int, label: str) -> None:
    """Put a value among the spans, in the place of those within it and its key.

    A name stays a name.
    """
    first = bisect_right(rows, start, key=attrgetter("end"))
    last = bisect_left(rows, end, key=attrgetter("start"))
    within, value = rows[first:last], text[start:end]
    if within and (within[0].start < key or within[-1].end > end):
        return
    if len(within) == 1 and within[0].label in PERSONS and value.isalpha() and value.istitle():
        return
    found = Span(start, end, label, source=SOURCE)
    if within:
        found = replace(within[0], start=start, end=end, label=label)
    rows[first:last] = [found]
