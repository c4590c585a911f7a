"""What somebody signs in with is found behind its key: "Log in as ocarroll, password Liffey#77".

A tagger passes user names of letters alone over, and takes a password for a date, a town or a
number, or leaves one half of it. A password holds a letter and a figure or sign; one of letters
alone cannot be told from what is said of it ("password reset"). A user name of letters is no
everyday word. Right behind a key that stands in sentences, too ("login tmurphy", "usuario jgil"),
it is an initial with a listed surname, or stands before a password.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.people.person_names import is_common, rank_of

SOURCE = "sign-in"

_KEPT, _SHORTEST, _SHORTEST_ALONE = 4096, 4, 6
"""Words remembered, letters of a surname behind an initial and signs of a password, and of one that
no mark parts from its key ("PW T12L")."""


@dataclass(frozen=True, slots=True)
class _Keys:
    """Keys of a language: `sure` and `unsure` ones of user names, those of passwords and of PINs.

    `heads` are what all of them begin with, in small letters.
    """

    heads: tuple[str, ...]
    sure: str
    unsure: str
    password: str
    pin: str
    link: str
    label: str
    pin_label: str


_PASSWORD = r"passwords?|passwd|passcode|pass[ ]?phrase|pwd|pw"
_BY_LANGUAGE = {
    "en": _Keys(
        ("pass", "user", "log", "pw", "pin"),
        r"user[ -]?names?|user[ -]?id|log[ -]?(?:in|on)[ ](?:as|name|id)|"
        r"(?:logs|logged)[ ](?:in|on)[ ]as|log[ -]?(?:in|on)(?=[ ]?[:=]|[ ]is[ ])|"
        r"user(?=[ ]?[:=])",
        r"log[ -]?in|logon|user",
        _PASSWORD, "pin", r"is[ ](?:still|now)|is|was|(?:set|reset|changed)[ ]to|now|still",
        "USERNAME", "IDNUM",
    ),
    "nl": _Keys(
        ("wachtw", "ww", "pw", "pass", "inlog", "ingelogd", "login", "gebr", "user", "pin"),
        r"gebruikers?naam|inlognaam|user[ ]?name|inloggen[ ]als|ingelogd[ ]als|"
        r"gebruikersn(?=\.?:)|(?:inlog|login)(?=[ ]?[:=]|[ ]is[ ])",
        r"inlog(?:code)?|login|gebruiker|user|gebr(?=\.?:)",
        rf"wachtw(?:oord|\.)?|ww|{_PASSWORD}", "pincode|pin",
        r"(?:is|was)[ ](?:nog[ ](?:steeds|altijd)|nu|weer)|is|was|wordt|blijft|nieuw|nog[ ]steeds",
        "ID", "ID",
    ),
    "es": _Keys(
        ("nombre de usu", "usuari", "user", "login", "contrase", "pass", "pw"),
        r"nombre[ ]de[ ]usuari[oa]|user[ ]?name|login(?=[ ]?[:=])",
        r"usuari[oa]|user|login",
        rf"contrase[ñn]a|{_PASSWORD}", "(?!)",
        r"es[ ](?:todavía|aún|ahora)|sigue[ ]siendo|es|era|será", "OTRO_NUMERO_IDENTIF",
        "OTRO_NUMERO_IDENTIF",
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
_PIN = re.compile(r"\d{4,8}(?![\w%]|[.,/:-]\d|[ ]?(?:mm|cm|mg|ml)(?!\w))")
# What is said of a user name, and is in no list of everyday words.
_SAID = frozenset([
    "zie", "vergeten", "idem", "onbekend", "geblokkeerd", "gewijzigd", "werkt", "verlopen",
    "nodig", "aangevraagd", "hieronder", "kwijt", "geweigerd", "uitgereikt", "opgestuurd",
    "verstrekt", "tbd",
])  # fmt: skip
_GOES_ON = re.compile(r"[ ]+[^\W\d_]\w")


@cache
def sign_in_heads(language: str) -> tuple[bytes, ...]:
    """Return what the keys of a language begin with, in small letters."""
    keys = _BY_LANGUAGE.get(language)
    return tuple(head.encode() for head in keys.heads) if keys else ()


@cache
def sign_in_labels(language: str) -> frozenset[str]:
    """Return the labels of what is found in a language."""
    keys = _BY_LANGUAGE.get(language)
    return frozenset([keys.label, keys.pin_label]) if keys else frozenset()


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return the pattern of a key up to its value, with a group for each kind of key."""
    keys = _BY_LANGUAGE[language]
    of = (
        r"(?:[ ](?:for|to|voor|van|del?|para)[ ](?:the[ ]|his[ ]|her[ ]|het[ ]|de[ ]|la[ ]|el[ ])?"
        r"(?:app|portal|portaal|account|wi-?fi|tablet|web|e-?mail|correo|mychart))?"
    )
    return re.compile(
        rf"(?<![^\W_])(?:(?P<sure>{keys.sure})|(?P<unsure>{keys.unsure})|"
        rf"(?P<password>{keys.password})|(?P<pin>{keys.pin})){of}"
        rf"(?:(?P<mark>\.?[ \t]?[:=][ \t]{{0,3}})|[ ](?P<link>(?:{keys.link})[ ])?)[\"“«'‘(]?",
        re.IGNORECASE,
    )


@cache
def _password_key(language: str) -> re.Pattern[str]:
    """Return the pattern of the key of a password right behind a user name."""
    keys = _BY_LANGUAGE[language]
    return re.compile(
        r"[ ]?(?:[,;/|+&]|\.[ ]|and[ ]|with[ ]|en[ ]|met[ ]|y[ ]|con[ ])?[ ]?(?:la[ ])?"
        rf"(?:{keys.password}|clave|pin)(?!\w)",
        re.IGNORECASE,
    )


def add_sign_ins(
    text: str, spans: Sequence[Span], language: str, places: Sequence[int] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text with user names, passwords and PINs behind their keys.

    Keys begin at one of the `places`, sorted; None is all. Spans within a value become one. One
    that reaches over its border stays, and the value is left out: spans that are sorted and
    disjoint stay so. In a language without keys nothing changes.
    """
    if language not in _BY_LANGUAGE:
        return tuple(spans)
    rows, pattern, done = list(spans), _pattern(language), 0
    for place in range(len(text)) if places is None else places:
        if place < done:
            continue
        key = pattern.match(text, place)
        found = _read_value(text, key, language) if key else None
        if found is not None:
            done = found[1]
            _put(text, rows, place, *found)
    return tuple(rows)


def _read_value(text: str, key: re.Match[str], language: str) -> tuple[int, int, str] | None:
    """Return where the value of a key stands, and its label."""
    keys, place = _BY_LANGUAGE[language], key.end()
    if key["pin"]:
        is_key = key["mark"] or key["link"] or key["pin"].isupper() or len(key["pin"]) > 3
        pin = _PIN.match(text, place) if is_key else None
        return (*pin.span(), keys.pin_label) if pin else None
    if key["password"]:
        is_told = key["mark"] or key["link"]
        if (is_told or key[0].lower().startswith("passcode")) and (pin := _PIN.match(text, place)):
            return *pin.span(), keys.pin_label
        value = _SECRET.match(text, place)
        if value is None:
            return None
        least = _SHORTEST if is_told else _SHORTEST_ALONE
        return (*value.span(), keys.label) if value.end() - place >= least else None
    user = _USER.match(text, place)
    if user is None or not _is_user(text, user, language, sure=key["sure"] is not None):
        return None
    return *user.span(), keys.label


def _is_user(text: str, user: re.Match[str], language: str, *, sure: bool) -> bool:
    """Tell whether a word is a user name, behind a key that is `sure` or not."""
    word = user[0].lstrip("@")
    if any(sign.isdigit() or sign == "_" for sign in word):
        return sure  # patterns and taggers know the others
    if _is_everyday(word.lower(), language):
        return False
    if _password_key(language).match(text, user.end()):
        return True
    if sure:
        # Or else it may be a name, or begin a sentence: "User: Karen Holt".
        return not (word.isalpha() and word.istitle() and _GOES_ON.match(text, user.end()))
    return word.islower() and _is_built(word, language)


@text_cache(_KEPT)
def _is_everyday(word: str, language: str) -> bool:
    """Tell whether all parts of a word in small letters are everyday words."""
    return all(part in _SAID or is_common(part, language) for part in re.split("[.-]", word))


@text_cache(_KEPT)
def _is_built(word: str, language: str) -> bool:
    """Tell whether a word is an initial or two with a listed surname, in Basque spelling, too."""
    for count in (1, 2):
        rest = word[count:].lstrip(".")
        if len(rest) < _SHORTEST:
            return False
        spanish = rest.replace("gi", "gui").replace("ge", "gue").replace("tx", "ch")
        if any(
            rank_of("surnames", form, of) for form in (rest, spanish) for of in (language, "en")
        ):
            return True
    return False


def _put(text: str, rows: list[Span], key: int, start: int, end: int, label: str) -> None:
    """Put a value among the spans, in the place of those within it and its key.

    A name stays a name, and a number that was found whole has its own label.
    """
    first = bisect_right(rows, start, key=attrgetter("end"))
    last = bisect_left(rows, end, key=attrgetter("start"))
    within = rows[first:last]
    if within and (within[0].start < key or within[-1].end > end):
        return
    if len(within) == 1:
        value = text[start:end]
        if within[0].label in PERSONS and value.isalpha() and value.istitle():
            return
        if value.isdigit() and within[0].start == start and within[0].end == end:
            return
    found = Span(start, end, label, source=SOURCE)
    if within:
        found = replace(within[0], start=start, end=end, label=label)
    rows[first:last] = [found]
