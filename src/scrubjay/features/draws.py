"""Drawing from lists at random, frequent entries more often than others."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True, repr=False)
class Pool:
    """Entries with their cumulative weights, or all alike."""

    entries: tuple[str, ...]
    cumulative: tuple[float, ...] = ()

    def __repr__(self) -> str:
        return f"Pool({len(self.entries)} entries)"

    def draw(self, rng: Random) -> str:
        """Return an entry; the same random number gives the same one."""
        if not self.cumulative:
            return self.entries[int(rng.random() * len(self.entries))]
        point = rng.random() * self.cumulative[-1]
        return self.entries[min(bisect_left(self.cumulative, point), len(self.entries) - 1)]


def weight(group: int) -> float:
    """Return how much an entry of a lexicon weighs: the square root of its frequency.

    `group` is its class in the lexicon, half a decade of rank; frequency falls as 1/rank (Zipf). An
    entry of unknown frequency (0) counts as one of class 8.
    """
    return float(10 ** (-(group or 8) / 4))
