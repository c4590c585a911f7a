"""The compiled kernel of contexts: one walk reads what stands around the persons of all texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np

from scrubjay.compiling import compiled

WORDS, NEAR = 8, 72
"""Tokens looked at on each side, and characters in which they stand."""

MOST_KEY, LATE, MOST_LINES = 40, 400, 4
"""Characters of a key, those that end a text in which lines are counted, and how many of these."""

PERSON, EDGE, LINE, BLANK_LINE, FIRST_FREE, MOST_DIGITS = 1, 2, 3, 4, 16, 4
"""Numbers of what is no word; digits have one by how many they are."""

_SIGNS = 0x3000
"""Signs that the tables know; a text with any other is rare, and read by the plain way."""

_RARE, _LETTER, _DIGIT, _SPACE, _OTHER, _COUNTED = 0, 1, 2, 4, 8, 16
"""What a sign may be: a bit for each. A letter or digit may be counted, not spelled."""

_BREAK, _COLON, _PRIME, _QUOTE = 0x0A, 0x3A, 0x27, 0x2019
_LEFT, _RIGHT, _KEY = range(3)


def context_loop(
    points: Any, bounds: Any, firsts: Any, people: Any,
    kinds: Any, spellings: Any, remainders: Any,
    masked: Any, around: Any, keys: Any, lines: Any, is_rare: Any,
) -> None:  # fmt: skip
    """Write what `contexts` tells of the persons of texts that lie between `bounds`.

    `people` (persons, 2 or more) begin with start and end of each in its text; those of a text lie
    between two of `firsts`. `around` (persons, 2 * WORDS), `keys` and `lines` (persons,) are
    written, but for texts that are set to be rare (texts,). `masked` has room for the longest text.
    `sign_tables` tells of the tables.
    """
    nearest = np.empty(WORDS, dtype=np.uint32)
    for text in range(len(bounds) - 1):
        size = place = 0
        signs = points[bounds[text] : bounds[text + 1]]
        for person in range(firsts[text], firsts[text + 1] + 1):
            is_last = person == firsts[text + 1]
            for at in range(place, len(signs) if is_last else people[person, 0]):
                sign = min(signs[at], np.uint32(_SIGNS))
                if kinds[sign] == _RARE:
                    is_rare[text] = True
                masked[size] = sign
                size += 1
            if not is_last:
                masked[size] = 0
                size += 1
                place = people[person, 1]
        if is_rare[text]:
            continue
        line = before = shift = 0
        for person in range(firsts[text], firsts[text + 1]):
            here, place = people[person, 0] - shift, people[person, 1]
            shift = place - here - 1
            at = here
            while at > before and masked[at - 1] != _BREAK:
                at -= 1
            if at > before:
                line = at
            before = here
            last = min(here, line + MOST_KEY)
            colon = line
            while colon < last and masked[colon] != _COLON:
                colon += 1
            keys[person] = 0
            for part in range(3):
                at, stop, count = max(0, here - NEAR), here, 0
                if part == _RIGHT:
                    at, stop = here + 1, min(size, here + 1 + NEAR)
                elif part == _KEY:
                    at, stop = line, colon if colon < last else line
                while at < stop and not (part == _RIGHT and count == WORDS):
                    sign = masked[at]
                    kind = kinds[sign]
                    end, breaks = at + 1, 1
                    if part == _KEY:
                        end = stop
                    elif kind & _LETTER:
                        while end < stop and (
                            kinds[masked[end]] & _LETTER
                            or (
                                (masked[end] == _PRIME or masked[end] == _QUOTE)
                                and end + 1 < stop
                                and kinds[masked[end + 1]] & _LETTER
                            )
                        ):
                            end += 1
                    elif kind & _DIGIT:
                        while end < stop and kinds[masked[end]] & _DIGIT:
                            end += 1
                    elif sign == _BREAK:
                        while end < stop and kinds[masked[end]] & _SPACE:
                            breaks += masked[end] == _BREAK
                            end += 1
                    elif kind & _SPACE:
                        at = end
                        continue
                    if sign == 0 and end == at + 1:
                        number = np.uint32(PERSON)
                    elif sign == _BREAK:
                        number = np.uint32(BLANK_LINE if breaks > 1 else LINE)
                    elif kind & _COUNTED:
                        number = np.uint32(FIRST_FREE + min(end - at, MOST_DIGITS))
                    else:
                        number = np.uint32(0xFFFF_FFFF)
                        for letter in range(at, end):
                            spelled = spellings[masked[letter]]
                            while True:
                                byte = (number ^ spelled) & np.uint32(0xFF)
                                number = remainders[byte] ^ (number >> np.uint32(8))
                                spelled >>= np.uint32(8)
                                if spelled == 0:
                                    break
                        number ^= np.uint32(0xFFFF_FFFF)
                    if part == _KEY:
                        keys[person] = number
                    else:
                        nearest[count % WORDS] = number
                        count += 1
                    at = end
                known = min(count, WORDS)
                if part == _LEFT:
                    for slot in range(WORDS):
                        around[person, slot] = EDGE
                    for slot in range(known):
                        around[person, WORDS - known + slot] = nearest[
                            (count - known + slot) % WORDS
                        ]
                elif part == _RIGHT:
                    for slot in range(WORDS):
                        around[person, WORDS + slot] = (
                            nearest[slot] if slot < known else np.uint32(EDGE)
                        )
            met = MOST_LINES
            if len(signs) - place < LATE:
                met = 0
                for at in range(place, len(signs) - 1):
                    met += signs[at] == _BREAK
            lines[person] = min(met, MOST_LINES)


@cache
def compiled_contexts() -> Callable[..., Any]:
    return compiled(context_loop)


@cache
def sign_tables() -> tuple[Any, Any, Any]:
    """Return what signs are, the bytes of their small letters, and crc32 byte by byte (256).

    The bytes are those of UTF-8, the first of them lowest.
    """
    signs = "".join(map(chr, range(_SIGNS)))
    kinds = np.zeros(_SIGNS + 1, dtype=np.uint8)
    spellings = np.zeros(_SIGNS + 1, dtype=np.uint32)
    for kind, pattern in (
        (_LETTER, r"[^\W\d_]"), (_DIGIT, r"\d"), (_SPACE, r"\s"), (_OTHER, r"[^\s\w]|_"),
    ):  # fmt: skip
        kinds[[match.start() for match in re.finditer(pattern, signs)]] = kind
    for code, sign in enumerate(signs):
        lower = "'" if code == _QUOTE else sign.lower()
        if sign == "Σ" or len(lower) > 1:  # its small letter depends on what follows, or is several
            kinds[code] = _RARE
        else:
            spellings[code] = int.from_bytes(lower.encode("utf-8"), "little")
            kinds[code] |= _COUNTED * sign.isdigit()
    # A sum of one byte begins with the remainder of the byte and all bits that it is mixed with.
    remainders = np.array(
        [crc32(bytes([byte ^ 0xFF])) ^ 0xFF00_0000 for byte in range(256)], dtype=np.uint32
    )
    return kinds, spellings, remainders
