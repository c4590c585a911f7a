"""Numbering equal keys: the same key, the same small number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import compiled, use_compiled
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

    Groups are numbered in the order of their first members.
    """
    if limit <= _DENSE * len(keys) + 1024:
        ids, count = np.maximum(keys, -1).astype(np.int32), limit
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
    """Renumber the groups that are frequent enough, in the order of their first members."""
    if use_compiled(len(ids)):
        places = np.empty(count, dtype=np.int64)
        kept = _compiled_renumber()(ids, max(1, least), np.zeros((count, 2), np.int32), places)
        return Groups(ids, places[:kept].copy())
    sizes = np.bincount(ids + 1, minlength=count + 1)[1:]
    frequent = sizes >= max(1, least)
    found, first = np.unique(ids, return_index=True)
    places = np.sort(first[(found >= 0) & frequent[found]]).astype(np.int64)
    numbers = np.full(count + 1, -1, dtype=np.int32)
    numbers[ids[places]] = np.arange(len(places), dtype=np.int32)
    return Groups(numbers[ids], places)


def _renumber_loop(ids: Any, least: Any, table: Any, places: Any) -> int:
    """Renumber ids in place; a row of `table` is (size, new number + 1) of an old one."""
    for index in range(len(ids)):
        if ids[index] >= 0:
            table[ids[index], 0] += 1
    count = 0
    for index in range(len(ids)):
        old = ids[index]
        if old < 0:
            continue
        if table[old, 0] < least:
            ids[index] = -1
            continue
        if table[old, 1] == 0:
            places[count] = index
            count += 1
            table[old, 1] = count
        ids[index] = table[old, 1] - 1
    return count


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


@cache
def _compiled_renumber() -> Any:
    return compiled(_renumber_loop)
