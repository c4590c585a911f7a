"""Characters as small numbers, for kernels: all that patterns and layout tell apart.

Two characters have the same sign where no expression of `patterns.py` and no rule of `layout.py`
can tell one from the other: `k`, `K` and the sign of kelvin, as `re.IGNORECASE` sees them, or all
letters of no month and no unit. The signs of decimals, of letters and of all that `\\w` takes
follow each other, so that a kernel asks for a class by a range.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import numpy.typing as npt

ByteArray = npt.NDArray[np.uint8]
PointArray = npt.NDArray[np.uint32]

_DECIMALS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyzñµºª"
_MARKS = "\n :./,-+()'’%°\u00a0"

OTHER = 0
#: What `\d` takes: those of other scripts, then 0 to 9.
DECIMAL, ZERO = 1, 2
NINE = ZERO + 9
#: What `str.isalpha` takes: letters of no expression, then those of some.
LETTER, FIRST_LETTER = NINE + 1, NINE + 2
LAST_LETTER = LETTER + len(_LETTERS)
#: What `\w` takes besides: numbers that are digits for `str.isdigit` (superscripts), other numbers
#: and what else is alphanumeric, the underscore, in this order.
DIGIT, WORD, UNDERSCORE = LAST_LETTER + 1, LAST_LETTER + 2, LAST_LETTER + 3
LAST_WORD = UNDERSCORE
_FIRST_MARK = LAST_WORD + 1
COUNT = _FIRST_MARK + len(_MARKS)

BMP_SIZE = 0x10000


def sign_of_listed(character: str) -> int:
    """Return the sign of a character that has one of its own (letters in lower case)."""
    for first, characters in (
        (ZERO, _DECIMALS),
        (FIRST_LETTER, _LETTERS),
        (UNDERSCORE, "_"),
        (_FIRST_MARK, _MARKS),
    ):
        if character in characters:
            return first + characters.index(character)
    raise ValueError(f"U+{ord(character):04X} has no sign of its own")


NEWLINE, SPACE, COLON, STOP, SLASH, COMMA, HYPHEN = map(sign_of_listed, "\n :./,-")
PLUS, OPEN, CLOSE, QUOTE, CURLED, PERCENT, HARD_SPACE = map(sign_of_listed, "+()'’%\u00a0")
ONE, TWO = map(sign_of_listed, "12")


def _class_of(character: str) -> int:
    """Return the sign of a character that has none of its own."""
    if character.isdecimal():
        return DECIMAL
    if character.isalpha():
        return LETTER
    if character.isdigit():
        return DIGIT
    return WORD if character.isalnum() else OTHER


@cache
def signs_of_bmp() -> ByteArray:
    """Return the sign of each character of the basic plane, shape `(65536,)`."""
    characters = "".join(map(chr, range(BMP_SIZE)))
    table = np.fromiter(map(_class_of, characters), np.uint8, BMP_SIZE)
    for listed in _DECIMALS + _LETTERS + "_" + _MARKS:
        # What `re` takes for the character, whatever its case.
        for same in re.finditer(re.escape(listed), characters, re.IGNORECASE):
            table[same.start()] = sign_of_listed(listed)
    table.setflags(write=False)
    return table


def code_points(text: str) -> PointArray:
    """Return the code points of a text (uint32)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def read_signs(points: PointArray) -> ByteArray:
    """Return the sign of each code point, shape `(n,)`."""
    beyond = np.flatnonzero(points >= BMP_SIZE)
    if not len(beyond):
        return signs_of_bmp()[points.astype(np.intp)]
    signs = signs_of_bmp()[np.minimum(points, BMP_SIZE - 1)]
    distinct, inverse = np.unique(points[beyond], return_inverse=True)
    found = [_class_of(chr(point)) for point in distinct.tolist()]
    signs[beyond] = np.array(found, dtype=np.uint8)[inverse]
    return signs
