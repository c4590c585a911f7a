"""A table from the keys of feature crosses to their rows, quick to say that there is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.text.tokens import IntArray

KeyArray = npt.NDArray[np.uint64]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_SIEVE_SHIFT = np.uint64(32)
_SIXTY = np.uint64(63)


@dataclass(frozen=True, slots=True, eq=False)
class CrossTable:
    """Open addressing over exact 64-bit keys; an empty slot has row -1.

    Most keys that are looked for are not there: `sieve` has a bit for each hash of a key that is,
    small enough to stay near the processor; `sieve_mask` bounds the numbers of its bits.
    """

    keys: KeyArray
    rows: IntArray
    mask: np.uint64
    sieve: KeyArray
    sieve_mask: np.uint64

    def find(self, keys: KeyArray) -> IntArray:
        """Return the row of each key, -1 where there is none."""
        slots = _slots(keys, self.mask)
        found = self.rows[slots]
        pending = np.flatnonzero((found >= 0) & (self.keys[slots] != keys))
        while len(pending):
            slots[pending] = (slots[pending] + 1) & np.int64(self.mask)
            found[pending] = self.rows[slots[pending]]
            wrong = (found[pending] >= 0) & (self.keys[slots[pending]] != keys[pending])
            pending = pending[wrong]
        return found


def _slots(keys: KeyArray, mask: np.uint64) -> npt.NDArray[np.int64]:
    mixed = keys * _MIX
    return ((mixed ^ (mixed >> _SHIFT)) & mask).astype(np.int64)


def leading_bits(keys: KeyArray) -> KeyArray:
    """Return the highest 8 bits of the hash of each key, which tell most keys in a slot apart."""
    return (keys * _MIX) >> np.uint64(56)


def build_table(keys: KeyArray, rows: IntArray) -> CrossTable:
    size = 1 << max(4, int(np.ceil(np.log2(max(1, len(keys)) * 2.5))))
    mask = np.uint64(size - 1)
    table_keys = np.zeros(size, dtype=np.uint64)
    table_rows = np.full(size, -1, dtype=np.int32)
    slots = _slots(keys, mask)
    pending = np.arange(len(keys))
    while len(pending):
        # Of all keys that want a free slot the first gets it; the others step on.
        free = table_rows[slots[pending]] < 0
        slot, first = np.unique(slots[pending[free]], return_index=True)
        winners = pending[free][first]
        table_keys[slot], table_rows[slot] = keys[winners], rows[winners]
        lost = np.ones(len(keys), dtype=bool)
        lost[winners] = False
        pending = pending[lost[pending]]
        slots[pending] = (slots[pending] + 1) & np.int64(mask)
    return CrossTable(table_keys, table_rows, mask, *_make_sieve(keys))


def _make_sieve(keys: KeyArray) -> tuple[KeyArray, np.uint64]:
    """Return the bits of a sieve, 64 to a number, and the mask of their numbers."""
    size = 1 << max(6, int(np.ceil(np.log2(max(1, len(keys)) * 8))))
    mask = np.uint64(size - 1)
    bits = ((keys * _MIX) >> _SIEVE_SHIFT) & mask
    sieve = np.zeros(size >> 6, dtype=np.uint64)
    np.bitwise_or.at(
        sieve, (bits >> np.uint64(6)).astype(np.int64), np.uint64(1) << (bits & _SIXTY)
    )
    return sieve, mask
