"""The compiled walk over the letters of texts that tells what capitals they have.

Imported where compiled kernels are wanted, and there alone: importing it loads numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.features._case_walk import (
    BEYOND,
    CAPITAL,
    FACTOR,
    FIRST_SHIFT,
    GAP,
    LEAD,
    LETTER,
    SECOND_SHIFT,
    SLOT_BITS,
    SMALL,
)
from scrubjay.text.one_case import FEWEST_LINES, OF_LINE, UPPER

_FACTOR, _MASK = np.uint64(FACTOR), np.uint64((1 << SLOT_BITS) - 1)
_FIRST, _SECOND = np.uint64(FIRST_SHIFT), np.uint64(SECOND_SHIFT)
_BYTE, _BITS = np.uint64(3), np.uint64(7)


@compiled
def case_loop(signs: Any, bounds: Any, roles: Any, sieve: Any, seen: Any, found: Any) -> int:
    """Write what `Look` tells of each text between `bounds`; return how many words there are.

    The columns of `seen` (texts, 4) are capitals before a small letter, those within sentences,
    whether lines may be in capitals alone, and words. Those are rows of `found` (n, 4), of one text
    behind those of another; what has no room there is counted and not written. A line break stands
    behind each text, and two before the first.
    """
    met, room = 0, len(found)
    for text in range(len(seen)):
        first, last = bounds[text], bounds[text + 1]
        titled = within = upper = lines = words = 0
        before_text = met
        line, before_line, in_line, held, told, some, large = first, met, 0, np.int64(0), 0, 0, 0
        place = first
        while place < last:
            role = np.int64(roles[signs[place]])
            if role & LETTER:
                begin, total, own = place, np.uint64(0), np.int64(0)
                if (
                    role & CAPITAL
                    and roles[signs[place + 1]] & SMALL
                    and roles[signs[place - 1]] & GAP
                    and roles[signs[place - 2]] & LEAD
                ):
                    in_line += 1
                while role & LETTER:
                    own |= role
                    total = (total + np.uint64(signs[place])) * _FACTOR
                    place += 1
                    before, role = role, np.int64(roles[signs[place]])
                    if before & CAPITAL and role & SMALL:
                        told += 1
                held |= own
                if place - begin > 1:
                    some += 1
                    large += not own & SMALL
                if own & CAPITAL:
                    continue
                slot, other = total >> _FIRST & _MASK, total >> _SECOND & _MASK
                if (
                    sieve[slot >> _BYTE] >> (slot & _BITS) & 1
                    and sieve[other >> _BYTE] >> (other & _BITS) & 1
                ):
                    if met < room:
                        found[met, 0] = begin - first
                        found[met, 1] = place - first
                        found[met, 2] = line - first
                    met += 1
                continue
            held |= role
            if signs[place] == ord("\n"):
                for row in range(before_line, min(met, room)):
                    found[row, 3] = in_line
                is_large = not held & SMALL
                if not told and held & BEYOND and (lines or is_large):
                    upper = 1
                elif not told and (
                    (is_large and held & CAPITAL) or (lines and large > UPPER * some)
                ):
                    lines, words = lines + 1, words + some
                elif some:
                    upper |= lines > 0 and words >= max(FEWEST_LINES, OF_LINE * lines)
                    lines = words = 0
                titled, within = titled + told, within + in_line
                line, before_line, in_line, held, told, some, large = (
                    place + 1,
                    met,
                    0,
                    np.int64(0),
                    0,
                    0,
                    0,
                )
            place += 1
        upper |= lines > 0 and words >= max(FEWEST_LINES, OF_LINE * lines)
        seen[text, 0], seen[text, 1], seen[text, 2] = titled, within, upper
        seen[text, 3] = met - before_text
    return met
