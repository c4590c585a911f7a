"""Surrogates of telephone, fax and pager numbers.

Layout stays: "(617) 555-0134 ext 22" keeps its brackets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scrubjay.transform.surrogates._fresh import LONGER, Characters, Fresh, keep_ends, may_stay
from scrubjay.transform.surrogates._numbers import Irish, Prefix, new_number, place_of_area
from scrubjay.transform.surrogates._phone_reading import Phone, read_phone
from scrubjay.transform.surrogates._said_numbers import say_another
from scrubjay.transform.surrogates._scene import Scene
from scrubjay.transform.surrogates._tables import find_places, language_of
from scrubjay.transform.surrogates.draw import Draw, fold

if TYPE_CHECKING:
    from scrubjay.transform.operators import Record

_DIGITS = re.compile(r"\d+")
_LETTER, _LETTERS = re.compile(r"[^\W\d_]"), re.compile(r"[^\W\d_]+")
_PHONE_WORDS = frozenset({
    "ext", "ex", "x", "extension", "extensión", "int", "toestel", "tst", "tel", "tlf", "tfno",
    "telf", "fax", "phone", "cell", "home", "work", "pager", "beeper", "mobile", "móvil", "fijo",
    "mobiel", "or", "and", "y", "o", "en", "of",
})  # fmt: skip


def make(
    mention_texts: Sequence[str], record: Record, draw: Draw, *, avoid: frozenset[str]
) -> list[str]:
    """Return telephone, fax and pager numbers of the same layout (`maker.Maker`).

    An area whose region is in the tables goes where its towns go. The last digits of a longer
    number of the document, given alone, become the last ones of its surrogate.
    """
    fresh = Fresh(draw, avoid)
    language = language_of(record.language)
    scenes: list[Scene] = []

    def prefix(old: str, country: str) -> str | None:
        if not scenes:
            scenes.append(Scene(record, fresh))
        return scenes[0].phone(old, country)

    own = find_places(record.language).own_phones

    def irish(prefix: str) -> bool:
        return ("ie", prefix) in own

    def renew(digits: str, characters: Characters) -> str:
        return new_number(
            digits,
            international=False,
            language=language,
            prefix=prefix,
            characters=characters,
            first=len(digits),
            irish=irish,
        )

    made: dict[str, str] = {}
    for text in sorted(set(mention_texts), key=lambda text: (-len(text), text)):
        before, core, after = keep_ends(text)
        new = _phone_ending(core, made, fresh) or fresh.until(
            core,
            lambda attempt, told, core=core: (  # type: ignore[misc]
                say_another(core, draw, attempt, language=language, renew=renew, among_words=True)
                or _phone(core, language, prefix, draw, attempt, told, irish)
            ),
        )
        made[text] = before + new + after
    return [made[text] for text in mention_texts]


def _phone(
    text: str,
    language: str,
    prefix: Prefix,
    draw: Draw,
    attempt: int,
    told: frozenset[str],
    irish: Irish,
) -> str:
    """Return the surrogate of a telephone number at an attempt.

    `told` are words that it may not keep (`Fresh.until`), here as in what follows.
    """
    read = read_phone(text)
    digits, head, tail = read.digits, read.head, read.tail
    characters = Characters(draw, "phone", digits or fold(text), str(attempt))
    new = digits
    if digits.isascii() and digits:
        new = new_number(
            digits,
            international=read.international,
            language=language,
            prefix=prefix,
            characters=characters,
            first=next((last for _, _, last in read.runs), 0),
            irish=irish,
        )
    runs = read.runs if len(new) == len(digits) else _resized(read, len(new) - len(digits))
    if runs and new.isascii():
        head = "".join([between + new[first:last] for between, first, last in runs])
    else:
        head = "".join([characters.like(c) if c.isdecimal() else c for c in head])
    more = characters.filler(1) if attempt >= LONGER or read.is_blank else ""
    if tail:
        tail = _DIGITS.sub(lambda match: characters.digit_run(match.group()), tail)
    return _letters(head, characters, told) + _letters(tail, characters, told) + more


def _resized(read: Phone, more: int) -> list[tuple[str, int, int]]:
    """Return the runs of a number whose area has more digits, or fewer; none where it cannot."""
    place = place_of_area(read.digits, international=read.international)
    moved = [
        (between, first + more * (first > place), last + more * (last > place))
        for between, first, last in read.runs
    ]
    return moved if all(first <= last for _, first, last in moved) else []


def _letters(text: str, characters: Characters, told: frozenset[str]) -> str:
    """Return the text with its letters replaced, but for words of telephones ("ext")."""
    if _LETTER.search(text) is None:
        return text

    def other(match: re.Match[str]) -> str:
        run = match.group()
        kept = run.lower() in _PHONE_WORDS and may_stay(run, told)
        return run if kept else "".join(map(characters.like, run))

    return _LETTERS.sub(other, text)


def _phone_ending(text: str, made: Mapping[str, str], fresh: Fresh) -> str | None:
    if not (text.isascii() and text.isdigit() and len(text) == 4):
        return None
    for longer, new in made.items():
        if len(longer) > len(text) and "".join(_DIGITS.findall(longer)).endswith(text):
            ending = "".join(_DIGITS.findall(new))[-len(text) :]
            if ending != text and ending not in fresh.refused:
                return ending
    return None
