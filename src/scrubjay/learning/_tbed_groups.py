"""Numbering equal keys: the same key, the same small number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.taggers._viterbi import compiled, use_compiled
from scrubjay.text.tokens import IntArray

LongArray = npt.NDArray[np.int64]

#: A table of this many entries for each key is cheaper than sorting or hashing.
_DENSE = 4


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """`ids` (n,) number the keys, -1 for none; `places` (groups,) index one key of each group."""

    ids: IntArray
    places: LongArray


def group_keys(keys: LongArray, limit: int, *, least: int = 1) -> Groups:
    """Number equal keys in `[0, limit)`; negative keys and those seen less than `least` get -1.

    The numbers are those of first occurrence or of the order of keys; they mean nothing else.
    """
    if limit <= _DENSE * len(keys) + 1024:
        ids, count = keys.astype(np.int32), limit
    elif use_compiled(len(keys)):
        capacity = 1 << max(10, int(2 * len(keys)).bit_length())
        ids = np.empty(len(keys), dtype=np.int32)
        count = _compiled_number()(
            keys, ids, np.full(capacity, -1, dtype=np.int64), np.empty(capacity, dtype=np.int32)
        )
    else:
        _, inverse = np.unique(keys, return_inverse=True)
        ids = inverse.astype(np.int32)
        count = int(ids.max(initial=-1)) + 1
        ids[keys < 0] = -1
    return _keep_frequent(ids, count, least)


def _keep_frequent(ids: IntArray, count: int, least: int) -> Groups:
    """Renumber the groups that are frequent enough."""
    sizes = np.bincount(ids + 1, minlength=count + 1)[1:]
    kept = sizes >= max(1, least)
    numbers = np.full(count + 1, -1, dtype=np.int32)
    numbers[:-1][kept] = np.arange(np.count_nonzero(kept), dtype=np.int32)
    ids = numbers[ids]
    places = np.zeros(np.count_nonzero(kept), dtype=np.int64)
    members = np.flatnonzero(ids >= 0)[::-1]
    places[ids[members]] = members
    return Groups(ids, places)


def _number_loop(keys: Any, ids: Any, table: Any, numbers: Any) -> int:
    """Number the keys through a hash table with open addressing; negative keys get -1."""
    mask = len(table) - 1
    count = 0
    for index in range(len(keys)):
        key = keys[index]
        if key < 0:
            ids[index] = -1
            continue
        mixed = key * -7046029254386353131
        slot = (mixed ^ (mixed >> 32)) & mask
        while table[slot] != key and table[slot] >= 0:
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot] = key
            numbers[slot] = count
            count += 1
        ids[index] = numbers[slot]
    return count


@cache
def _compiled_number() -> Any:
    return compiled(_number_loop)
