"""The compiled search for parts of odd forms: one walk over the signs of all texts.

Imported where compiled kernels are wanted, and there alone: importing it loads numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.taggers._mending.odd_forms import FACTOR


@compiled
def odd_loop(signs: Any, bounds: Any, pairs: Any, threes: Any, known: Any, held: Any) -> None:
    """Set `held` (texts,) to the bits that `pairs` and `threes` (65,536) of signs of each have.

    Of `threes` those count alone whose signs are `known` (65,536), or any where that is 0; so is it
    with the sign behind the three. Text n lies between two of `bounds`, and three signs at least
    stand behind the last.
    """
    for text in range(len(held)):
        found = np.uint64(0)
        second, third = np.int64(signs[bounds[text]]), np.int64(signs[bounds[text] + 1])
        for place in range(bounds[text], bounds[text + 1]):
            first, second, third = second, third, np.int64(signs[place + 2])
            pair = first << 8 | second
            found |= pairs[pair]
            three = pair ^ third * FACTOR & 0xFFFF
            if threes[three]:
                told = np.int64(known[three])
                fourth = told >> 24
                if told == 0 or (
                    told & 0xFFFFFF == pair << 8 | third
                    and (fourth == 0 or fourth == signs[place + 3])
                ):
                    found |= threes[three]
        held[text] = found
