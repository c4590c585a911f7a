"""A phrase in pieces: its names, numbers and letters, which change, and what stays between them.

"Elyria Memorial Hospital" is a name, and words that say what it is. Which words those are depends
on the kind of phrase: its cues (`FACILITY`, `STREET`, `PLACE`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, partial
from operator import itemgetter

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import Lexicon, find_lexicon, look_up
from scrubjay.transform.surrogates._street_names import (
    AFTER,
    BEFORE,
    NAME,
    STEM,
    WHOLE,
    Word,
    is_opener,
    kind_of_word,
    renamed_words,
)
from scrubjay.transform.surrogates._tables import find_words
from scrubjay.transform.surrogates.draw import fold

WORD = re.compile(r"(?<!\w)[^\W\d_](?:[\w\u0300-\u036f'’-]*[^\W_])?\.?")
_DIGITS = re.compile(r"(\d+)(st|nd|rd|th)?(?![^\W\d_])|\d+", re.IGNORECASE)
_LONE_LETTER = re.compile(r"(?<![^\W_'’.])[A-Za-z](?![^\W_]|['’./])|(?<=\d)[A-Za-z](?![^\W_])")
_STREET_WORD = re.compile(rf"(?<!\w)[^\W\d_]/|{WORD.pattern}")  # "C/" of "C/ del Puente", too
_LONGEST_ACRONYM = 6
_NAMES_OF_MANY = frozenset({"mercy", "providence"})
"""Words of facilities that many are called by: they are names."""

FACILITY = ("facility-words", "organization-words")
STREET = ("street-words",)
PLACE = ("facility-words", "organization-words", "street-words")

STAYS, NAMED, ACRONYM, NUMBER, LETTER, NAMED_BEFORE, NAMED_AFTER, STEM_BEFORE = range(8)
"""What becomes of a piece. The last three say what a street is, and get a name beside them."""

BESIDE = frozenset({NAMED_BEFORE, NAMED_AFTER, STEM_BEFORE})
_RENAMED = {WHOLE: NAMED, BEFORE: NAMED_BEFORE, AFTER: NAMED_AFTER, STEM: STEM_BEFORE}
Piece = tuple[int, str, str]
"""A stretch of a phrase: what becomes of it, its text, and the folded text of a name or an acronym;
of a number the ending of an ordinal."""

Part = tuple[int, int, Piece]
"""A number or a letter that changes, with its start and end."""


@text_cache(4096)  # places and institutions of notes are often the same
def pieces_of(text: str, cues: tuple[str, ...], language: str) -> tuple[Piece, ...] | None:
    """Return a text in pieces: names, numbers and letters that change, and what is between them.

    None where a letter in a word ("x-ray") changes before the word can be looked at.
    """
    parts = parts_that_change(text, language)
    letters = [start for start, _, piece in parts if piece[0] == LETTER]
    if letters:
        for match in WORD.finditer(text):
            word, (start, end) = match.group().rstrip("."), match.span()
            place = bisect_left(letters, start) if len(word) > 1 else len(letters)
            if place < len(letters) and letters[place] < end:
                return None
    pieces: list[Piece] = []
    position = 0
    for run in runs_of(text, cues, language):
        end = position + len(run[1])
        pieces += cut(text, position, end, parts) if run[0] == STAYS else [run]
        position = end
    return tuple(pieces)


def parts_that_change(text: str, language: str) -> list[Part]:
    """Return the numbers of a text, and the letters that stand alone or behind one, in order."""
    keep = find_words(language).keep
    numbers = [
        (*found.span(), (NUMBER, found[0], found[2] or "")) for found in _DIGITS.finditer(text)
    ]
    letters = [
        (*found.span(), (LETTER, found[0], ""))
        for found in _LONE_LETTER.finditer(text)
        if found[0].lower() not in keep
    ]
    return sorted([*numbers, *letters]) if letters else numbers


def cut(text: str, start: int, end: int, parts: Sequence[Part]) -> list[Piece]:
    """Return a stretch of a text in pieces; none of the sorted parts reaches over its borders."""
    pieces: list[Piece] = []
    for number in range(bisect_left(parts, start, key=itemgetter(0)), len(parts)):
        first, last, piece = parts[number]
        if first >= end:
            break
        if first > start:
            pieces.append((STAYS, text[start:first], ""))
        pieces.append(piece)
        start = last
    if start < end:
        pieces.append((STAYS, text[start:end], ""))
    return pieces


def runs_of(text: str, cues: tuple[str, ...], language: str) -> list[Piece]:
    """Return a text in pieces: the runs of words that are names, and what is between them.

    Which these are does not depend on the digits in it, nor on letters that are no words.
    """
    runs: list[tuple[int, int]] = []
    mixed = cues != STREET and any(map(str.isupper, text))
    for match in WORD.finditer(text):
        word = match.group()
        if stays(word, cues, language, mixed):
            continue
        if cues != FACILITY and is_opener(match, find_words(language)):
            continue
        start, end = match.span()
        end -= word.endswith(".") and len(word) > 3
        if runs and text[runs[-1][1] : start].isspace():
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    changes = []
    for start, end in runs:
        run = text[start:end]
        alone = run == text or not text.isupper()
        kind = ACRONYM if alone and _is_acronym(run, language) else NAMED
        changes.append((start, end, (kind, run, fold(run))))
    if cues == STREET:
        renamed = _renamed_in(text, language)
        # A name among words of streets goes with them.
        changes = [
            each
            for each in changes
            if not any(start <= each[0] and each[1] <= end for start, end, _ in renamed)
        ]
        changes = sorted([*changes, *renamed])
    pieces: list[Piece] = []
    position = 0
    for start, end, piece in changes:
        if start > position:
            pieces.append((STAYS, text[position:start], ""))
        pieces.append(piece)
        position = end
    if position < len(text):
        pieces.append((STAYS, text[position:], ""))
    return pieces


def _renamed_in(text: str, language: str) -> list[Part]:
    """Return what changes in a street besides the words that are names by themselves."""
    found = [
        Word(*match.span(), street_kind(match.group(), language))
        for match in _STREET_WORD.finditer(text)
    ]
    return [
        (start, end, (_RENAMED[how], text[start:end], key))
        for start, end, how, key in renamed_words(text, found, find_words(language))
    ]


@text_cache(8192)
def street_kind(word: str, language: str) -> int:
    """Return what a word is in the name of a street (`_street_names`)."""
    return kind_of_word(word, find_words(language), partial(is_cue, cues=STREET, language=language))


def _is_acronym(run: str, language: str) -> bool:
    return run.isupper() and len(run) <= _LONGEST_ACRONYM and not is_common(run, language)


def is_cue(word: str, cues: tuple[str, ...], language: str) -> bool:
    """Tell whether a word says what a thing is ("Avenue"), with or without a full stop."""
    plain = word.rstrip(".")
    if plain.lower() in _NAMES_OF_MANY:
        return False
    for lexicon in _lexicons_of(cues, language):
        if look_up(lexicon, word) is not None:
            return True
        if plain != word and look_up(lexicon, plain) is not None:
            return True
    return cues == STREET and plain.lower() in find_words(language).ways


@cache
def _lexicons_of(cues: tuple[str, ...], language: str) -> list[Lexicon]:
    return [find_lexicon(f"{language}.{cue}") for cue in cues]


@text_cache(8192)
def stays(word: str, cues: tuple[str, ...], language: str, mixed: bool) -> bool:
    """Tell whether a word is no name: a cue, a letter, a small word of the language.

    In a text with capitals (`mixed`) common words in lower case are none either, but in streets:
    those are named after pears and mills.
    """
    if cues == STREET:
        return street_kind(word, language) != NAME
    plain = word.rstrip(".")
    if len(plain) == 1 or any(map(str.isdigit, word)):
        return True
    words = find_words(language)
    if plain.lower() in words.services:
        return False
    kinds = (words.kinds, words.firms) if cues == FACILITY else ()
    if plain.lower() in words.keep or any(plain.lower() in kind for kind in kinds):
        return True
    if is_cue(word, cues, language):
        return True
    return word.islower() and mixed and is_common(word, language)


def is_common(word: str, language: str) -> bool:
    """Tell whether a word is an everyday one of a language."""
    return look_up(find_lexicon(f"{language}.common"), word) is not None


def is_firm(text: str, language: str) -> bool:
    """Tell whether a name of several words is that of a firm: it begins or ends as such do."""
    words = text.split()
    if not language or len(words) < 2:
        return False
    firms = find_words(language).firms
    return words[-1].rstrip(".,").lower() in firms or (
        not find_words(language).lead and words[0].lower() in firms
    )
