"""The units in which weights are added up: whole numbers, as narrow as a model lets them be.

Whole numbers add up to the same in any order, and narrow ones are added many at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError
from scrubjay.text.tokens import IntArray

#: The types of sums, and how many units a weight of 1 is at least where they are of that type: none
#: so few that what rounding does shows in what is found.
_COARSEST: dict[np.dtype[Any], float] = {
    np.dtype(np.int16): 2.0**6,
    np.dtype(np.int32): 2.0**10,
}

_FINEST = 2.0**26  # units of a weight of 1, where weights are so small that there is room for more
_SPARE = 12  # bits of the parts of a unit, where sums are narrow


@dataclass(frozen=True, slots=True)
class Units:
    """How many units a weight of 1 is, a power of two, and the type in which sums of them fit.

    Where many weights are added up once for all, they are counted in parts of a unit, and their sum
    is rounded: `spare` is how many bits these parts have.
    """

    scale: float
    kind: np.dtype[Any]
    spare: int

    def count(self, weights: npt.NDArray[np.float32]) -> IntArray:
        """Return weights in whole units."""
        return np.rint(weights.astype(np.float64) * self.scale).astype(self.kind)

    def count_parts(self, weights: npt.NDArray[np.float32]) -> IntArray:
        """Return weights in parts of units."""
        parts = weights.astype(np.float64) * (self.scale * 2.0**self.spare)
        return np.rint(parts).astype(np.int32)

    def round(self, parts: IntArray) -> IntArray:
        """Return sums of parts of units in whole units, halves upwards."""
        return ((parts + ((1 << self.spare) >> 1)) >> self.spare).astype(self.kind)


def find_units(bound: float, *, rounded: int) -> Units:
    """Return the units of sums that lie within `bound`, of so many weights that are rounded.

    Raises `ConfigError` where the bound is no finite number or so large that units would be too
    coarse.
    """
    for kind, coarsest in _COARSEST.items():
        # What rounding adds is half a unit for each.
        room = float(np.iinfo(str(kind)).max - rounded)
        if bound * coarsest <= room:
            fitting = 2.0 ** np.floor(np.log2(room / bound)) if bound else _FINEST
            spare = _SPARE if kind.itemsize < 4 else 0
            return Units(min(_FINEST, float(fitting)), kind, spare)
    raise ConfigError("weights are too large or no finite numbers: train the model again")
