"""The compiled look-up of words in a text: hashes of code points, no strings made.

Imported where compiled kernels are wanted, and there alone: importing it loads numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled


@compiled
def _hash(points: Any, start: Any, end: Any, seed: Any) -> Any:
    mixed = seed
    for at in range(start, end):
        mixed = (mixed ^ np.uint64(points[at])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


@compiled
def find_words(
    points: Any, starts: Any, ends: Any, seed: Any,
    slots: Any, hashes: Any, begins: Any, letters: Any, found: Any,
) -> Any:  # fmt: skip
    """Write the id of each word to `found`, -1 for one that is not there; return how many."""
    mask, missing = np.uint64(len(slots) - 1), 0
    for token in range(len(starts)):
        start, end = starts[token], ends[token]
        mixed = _hash(points, start, end, seed)
        slot, number = mixed & mask, -1
        while slots[slot] >= 0:
            word = slots[slot]
            begin = begins[word]
            if hashes[word] == mixed and begins[word + 1] - begin == end - start:
                size = 0
                while size < end - start and letters[begin + size] == points[start + size]:
                    size += 1
                if size == end - start:
                    number = word
                    break
            slot = (slot + np.uint64(1)) & mask
        found[token] = number
        missing += number < 0
    return missing


@compiled
def enter_words(first: Any, last: Any, seed: Any, slots: Any, hashes: Any, begins: Any,
                letters: Any) -> None:  # fmt: skip
    """Enter the words `first` to `last` (exclusive), whose letters are there."""
    mask = np.uint64(len(slots) - 1)
    for word in range(first, last):
        hashes[word] = _hash(letters, begins[word], begins[word + 1], seed)
        slot = hashes[word] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = word
