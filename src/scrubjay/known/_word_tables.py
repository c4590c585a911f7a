"""What each character is to words: what it folds to, and whether it is a letter, a digit, or joins.

A letter or digit is folded to one character, so the folded text is as long as the text itself
and an offset in one is an offset in the other.
"""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
import numpy.typing as npt

MARK = "\u0300"
"""What joins a word without being part of its key: combining marks, soft hyphens, zero widths."""
SHORT = 80  # below, setting up arrays costs more than it saves
TABLE_SIZE = 0x2200  # letters of Europe, marks and punctuation
LETTER, DIGIT, JOINS = 1, 2, 3
_PLAIN = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ħ": "h"}


class _Folds(dict[int, str]):
    """Code point -> its folded character, worked out on the first meeting."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_character(chr(code))
        return folded


def _fold_character(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "M" or category == "Cf":
        return MARK
    if category == "Nd":
        return str(unicodedata.digit(character))
    parts = [
        part
        for part in unicodedata.normalize("NFKD", character)
        if unicodedata.category(part)[0] != "M"
    ]
    plain = "".join(parts).casefold()
    return _PLAIN.get(plain, plain) if len(plain) == 1 else character


_FOLDS = _Folds()


class _Letters(dict[int, str]):
    """Code point of a folded character -> the letters of a key that it stands for."""

    def __missing__(self, code: int) -> str:
        letters = self[code] = _letters_of(chr(code))
        return letters


def _letters_of(character: str) -> str:
    plain = unicodedata.normalize("NFKD", character).casefold()
    several = len(plain) > 1 and plain.isascii() and plain.isalpha() and character.isalnum()
    return plain if several else character


LETTERS = _Letters()


def fold(text: str) -> str:
    """Return the text without case and accents, of the same length, character by character."""
    return text.lower() if text.isascii() else text.translate(_FOLDS)


@cache
def fold_table() -> npt.NDArray[np.uint32]:
    """Return the folded character of each of the first code points."""
    return np.array([ord(_FOLDS[code]) for code in range(TABLE_SIZE)], dtype=np.uint32)


@cache
def kind_table() -> npt.NDArray[np.uint8]:
    """Return what each folded character is to words: a letter, a digit, what joins them, or 0.

    What stands for several letters is among what joins: no array has the key of such a word.
    """
    kinds = [
        JOINS if chr(code) == MARK or LETTERS[code] != chr(code)
        else DIGIT if chr(code).isdecimal()
        else LETTER if chr(code).isalnum()
        else 0
        for code in range(TABLE_SIZE)
    ]  # fmt: skip
    return np.array(kinds, dtype=np.uint8)


def narrow_bytes(text: str) -> bytes | None:
    """Return a text of characters below 256 with a byte for each.

    None for one with others, and for one that has what folds to others or joins words.
    """
    if text.isascii():
        return text.encode("ascii")
    try:
        plain = text.encode("latin-1")
    except UnicodeEncodeError:
        return None
    return None if any(odd in plain for odd in _odd_bytes()) else plain


@cache
def narrow_tables() -> tuple[bytes, bytes]:
    """Return for each byte of a narrow text its folded character, or a blank, and its kind."""
    kinds = [int(kind_table()[code]) for code in fold_table()[:256]]
    pairs = zip(fold_table()[:256].tolist(), kinds, strict=True)
    spaced = [code if kind in (LETTER, DIGIT) and code < 256 else ord(" ") for code, kind in pairs]
    return bytes(spaced), bytes(kinds)


@cache
def _odd_bytes() -> tuple[int, ...]:
    """Return the characters below 256 that fold to others, or join words."""
    return tuple(
        place
        for place, code in enumerate(fold_table()[:256].tolist())
        if code > 255 or kind_table()[code] == JOINS
    )


def wide_codes(text: str) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8]] | None:
    """Return the folded code points of a text that is not empty, and what each is to words.

    None where the tables do not have them all, or one joins words.
    """
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    if int(points.max()) >= TABLE_SIZE:
        return None
    codes = fold_table()[points]
    if int(codes.max()) >= TABLE_SIZE:  # a few fold to a letter of another script
        return None
    kinds = kind_table()[codes]
    return None if (kinds == JOINS).any() else (codes, kinds)
