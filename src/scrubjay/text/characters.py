"""The class of each character of a text, as an array.

A *unit* is a character together with the combining marks and joiners that follow it, so that
no token border ever parts a letter from its accent: decomposed text (NFD) is cut exactly
where composed text (NFC) is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from operator import ne

import numpy as np
import numpy.typing as npt

ByteArray = npt.NDArray[np.uint8]
IntArray = npt.NDArray[np.int32]

SPACE, LOWER, UPPER, DIGIT, OTHER, MARK = range(6)

# U+200B and U+FEFF are format characters too, but they part words instead of joining them.
_PARTING_FORMATS = "\u200b\ufeff"
BMP_SIZE = 0x10000
"""Characters of the basic plane."""

TraitArray = npt.NDArray[np.uint16]

KIND = 7
"""The bits of the kind among the traits of a character."""

#: What a character is besides its kind, each a bit above the three of the kind: what begins and
#: ends lines (`str.splitlines`), what `\\w` takes, and what `str` says of it. `CHANGES` is what
#: `str.upper` changes.
BREAK, WORD, ALPHA, LOWERED, UPPERED, TITLED, CHANGES = (1 << bit for bit in range(3, 10))
_LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The units of one text.

    `kinds` (uint8, shape `(u,)`) holds `SPACE`, `LOWER` (every letter that is not upper
    case, caseless scripts too), `UPPER` (upper and title case), `DIGIT` (category Nd) or
    `OTHER`. `offsets` (int32, shape `(u + 1,)`) holds the character at which each unit
    begins and the length of the text; it is None where every character is a unit.
    """

    kinds: ByteArray
    offsets: IntArray | None

    def to_characters(self, units: npt.NDArray[np.intp]) -> IntArray:
        """Return the character offsets (int32) of unit indices, the end of the text included."""
        if self.offsets is None:
            return units.astype(np.int32)
        return self.offsets[units]


def kind_of(character: str) -> int:
    """Return the class of one character; `MARK` for what belongs to the character before it.

    White space is what `str.isspace` says, U+001C to U+001F included.
    """
    if character.isspace():
        return SPACE
    category = unicodedata.category(character)
    if category[0] == "L":
        return UPPER if category in ("Lu", "Lt") else LOWER
    if category == "Nd":
        return DIGIT
    if category[0] == "M" or (category == "Cf" and character not in _PARTING_FORMATS):
        return MARK
    return OTHER


@cache
def _kinds_of_bmp() -> ByteArray:
    table = np.fromiter((kind_of(chr(code)) for code in range(BMP_SIZE)), np.uint8, BMP_SIZE)
    table.setflags(write=False)
    return table


@cache
def traits_of_bmp() -> TraitArray:
    """Return kind and traits of each character of the basic plane (uint16, shape `(65536,)`)."""
    characters = list(map(chr, range(BMP_SIZE)))

    def tell(answers: Iterable[bool]) -> npt.NDArray[np.bool_]:
        return np.fromiter(answers, np.bool_, BMP_SIZE)

    uppered = tell(map(str.isupper, characters))
    table = _kinds_of_bmp().astype(np.uint16)
    for trait, has in (
        (WORD, tell(map(str.isalnum, characters))),
        (ALPHA, tell(map(str.isalpha, characters))),
        (LOWERED, tell(map(str.islower, characters))),
        (UPPERED, uppered),
        (TITLED, tell(map(str.istitle, characters)) & ~uppered),
        (CHANGES, tell(map(ne, map(str.upper, characters), characters))),
    ):
        table[has] |= trait
    table[ord("_")] |= WORD
    table[list(map(ord, _LINE_BREAKS))] |= BREAK
    table.setflags(write=False)
    return table


@cache
def _kinds_of_latin() -> bytes:
    return bytes(kind_of(chr(code)) for code in range(256))


def _raw_kinds(text: str) -> ByteArray:
    try:
        latin = text.encode("latin-1")
    except UnicodeEncodeError:
        pass
    else:
        return np.frombuffer(latin.translate(_kinds_of_latin()), np.uint8)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    beyond = points >= BMP_SIZE
    if not beyond.any():
        return _kinds_of_bmp()[points]
    kinds = _kinds_of_bmp()[np.where(beyond, 0, points)]
    distinct, inverse = np.unique(points[beyond], return_inverse=True)
    found = np.array([kind_of(chr(code)) for code in distinct.tolist()], np.uint8)
    kinds[beyond] = found[inverse]
    return kinds


def classify(text: str) -> Units:
    """Return the units of a text and their classes.

    A mark at the start of the text or after white space has no character to belong to; it
    begins a unit of class `OTHER`.
    """
    kinds = _raw_kinds(text)
    marks = kinds == MARK
    if not marks.any():
        return Units(kinds, None)
    kinds = kinds.copy()
    orphans = marks.copy()
    orphans[1:] &= kinds[:-1] == SPACE
    kinds[orphans] = OTHER
    offsets = np.flatnonzero(~marks | orphans)
    return Units(kinds[offsets], np.append(offsets, len(text)).astype(np.int32))
