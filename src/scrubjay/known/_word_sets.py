"""Which words are in a text, without their places: a quick look at what cannot be in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from scrubjay.known._word_tables import (
    DIGIT,
    LETTER,
    SHORT,
    narrow_bytes,
    narrow_tables,
    wide_codes,
)
from scrubjay.known.words import split_words

_BLANK = ord(" ")


def words_among(text: str, wanted: set[str]) -> set[str]:
    """Return those of the wanted keys that are keys of words of a text (`split_words`).

    Runs of letters and runs of digits are looked for apart, so that those that touch part.
    """
    found: set[str] = set()
    for words in _all_words(text):
        # So no set of all words is made.
        found.update(wanted.intersection(words))
    return found


def _all_words(text: str) -> Sequence[Iterable[str]]:
    """Return all keys of the words of a text, in some parts."""
    plain = narrow_bytes(text)
    if plain is not None:
        letters, digits = _tables()
        return (
            plain.translate(letters).decode("latin-1").split(),
            plain.translate(digits).decode("latin-1").split(),
        )
    wide = wide_codes(text) if len(text) >= SHORT else None
    if wide is None:
        return (split_words(text).keys,)
    codes, kinds = wide
    return _words_of(codes, kinds == LETTER), _words_of(codes, kinds == DIGIT)


@cache
def _tables() -> tuple[bytes, bytes]:
    """Return what the first 256 characters are among letters alone, and among digits alone."""
    spaced, kinds = narrow_tables()
    pairs = list(zip(spaced, kinds, strict=True))
    letters, digits = (
        bytes(code if kind == wanted else _BLANK for code, kind in pairs)
        for wanted in (LETTER, DIGIT)
    )
    return letters, digits


def _words_of(codes: npt.NDArray[np.uint32], inside: npt.NDArray[np.bool_]) -> list[str]:
    """Return the runs of the characters that are inside."""
    plain = np.where(inside, codes, np.uint32(_BLANK))
    return plain.tobytes().decode("utf-32-le", "surrogatepass").split()
