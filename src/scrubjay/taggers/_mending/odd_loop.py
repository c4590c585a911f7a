"""The compiled search for parts of odd forms: one walk over the signs of all texts.

Imported where compiled kernels are wanted, and there alone: importing it loads numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled


@compiled
def odd_loop(signs: Any, bounds: Any, pairs: Any, held: Any) -> None:
    """Set `held` (texts,) to the bits of `pairs` (65,536) that two signs in a row of each have.

    Text n lies between two of `bounds`, and at least one sign stands behind the last.
    """
    for text in range(len(held)):
        found = np.uint64(0)
        for place in range(bounds[text], bounds[text + 1]):
            found |= pairs[np.int64(signs[place]) << 8 | np.int64(signs[place + 1])]
        held[text] = found
