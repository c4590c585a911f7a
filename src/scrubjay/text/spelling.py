"""Words that are spelled: "H, A, N, N, A, H", "R-O-double S", "N voor Nico, E, L".

The words of those who spell are those of `resources/spelling.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

_LETTER = r"[^\W\d_ªº]"
_GAP = re.compile(r"[ ]?(?P<sign>[-\u2010\u2011\u2013.,·])?[ ]|(?P<glued>[-\u2010\u2011\u2013.,·])")
_MOST = 64
"""Letters of a word, or of several that go on in one another."""


@dataclass(frozen=True, slots=True, repr=False)
class Spelled:
    """What is spelled from a place on.

    `letters` are in small letters, `starts` tells where each of them begins and `ends` where each
    number of them ends (0 for one within "double S"), `sign` parts letters beside a blank ("" for a
    blank alone), and `is_told` says that not all stand for themselves.
    """

    letters: str
    starts: Sequence[int]
    ends: Sequence[int]
    sign: str
    is_told: bool


def read_spelled(text: str, place: int) -> Spelled | None:
    """Return what is spelled from a place on, None for less than two letters."""
    letters, sign, beside, is_told = "", None, "", False
    starts: list[int] = []
    ends = [0]
    while len(letters) < _MOST and (item := _item().match(text, place)) is not None:
        here = _letters_of(item)
        is_phrase = item["one"] is None
        is_told |= is_phrase
        letters += here
        starts += [item.start()] + [0] * (len(here) - 1)
        ends += [0] * (len(here) - 1) + [item.end()]
        gap = _GAP.match(text, item.end())
        if gap is None:
            break
        before = gap["sign"] or gap["glued"] or ""
        further = _item().match(text, gap.end())
        if further is None:
            break
        if not is_phrase and further["one"] is not None:
            if sign is not None and sign != before:
                break
            sign = before
        beside = beside or before
        place = gap.end()
    return (
        Spelled(letters.lower(), starts, ends, beside if sign is None else sign, is_told)
        if len(letters) > 1
        else None
    )


def may_begin() -> re.Pattern[str]:
    """Return what each place matches from which on something may be spelled."""
    return _begin()


def has_phrase(text: str) -> bool:
    """Tell whether somebody may say a letter otherwise than by itself."""
    return _phrase().search(text) is not None


def _letters_of(item: re.Match[str]) -> str:
    twice = item["twice"]
    if twice is not None:
        return 2 * _called().get(twice.lower(), twice)
    return item["one"] or item["own"]


@cache
def _table() -> dict[str, object]:
    file = resources.files("scrubjay.resources").joinpath("spelling.toml")
    return tomllib.loads(file.read_text("utf-8"))


@cache
def _called() -> dict[str, str]:
    letters = _table()["letters"]
    assert isinstance(letters, dict)
    return letters


def _either(key: str) -> str:
    words = _table()[key]
    assert isinstance(words, (list, dict))
    return "|".join(sorted((re.escape(word) for word in words), key=len, reverse=True))


@cache
def _item() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?i:{_either('twice')})[ -](?P<twice>(?i:{_either('letters')})|{_LETTER})"
        rf"|(?P<own>{_LETTER})[ ](?i:{_either('links')})[ ](?i:(?P=own)){_LETTER}{{1,20}}"
        rf"|(?P<one>{_LETTER}(?!['’]{_LETTER})))(?![^\W_])"
    )


@cache
def _begin() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![^\W_])(?<!['’])(?:{_LETTER}(?![^\W_])|(?i:{_either('twice')})[ -](?={_LETTER}))"
    )


@cache
def _phrase() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![^\W_])(?:(?i:{_either('twice')})[ -]|{_LETTER}[ ](?i:{_either('links')})[ ])"
    )
