"""The scores of `_tbed_scores.py` on compiled loops: counts in chains, one for each group.

A row of `leads` is (group, next row of the same group, tag, first cell, best, broken): the rules
that change this tag in this group. Its cells are (next cell, right tag, count), one for each tag
that such a rule could give. `best` is the largest count of its cells, `broken` the tokens whose
tag is right already, and the score is their difference. A row that was just met moves to the front
of its chain, since neighbours in a text are alike. `plain` counts, for each group, the tokens that
are rightly `O`, so that most tokens need no row at all. Groups with conditions on tags are
numbered after the others as they are met: those whose tags are all `O`, by far the most frequent,
through the array `beside_o`, the rest by a hash table.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.learning._tbed_index import LongArray, RuleIndex
from scrubjay.learning._tbed_scores import Ties, choose_ties
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray

#: Tokens that are counted at once at the beginning in templates with tags; bounds the spare room
#: of the hash table, which is fast only while it is small.
_CHUNK = 8192

_ROOM = 4096


class CompiledScores:
    """Counts as chains of cells, updated by one compiled loop."""

    def __init__(self, index: RuleIndex, tags: TagArray) -> None:
        self.index = index
        self.tags = tags.astype(np.int16).copy()
        self._statics, self._dynamics, self._offsets = _variant_tables(index)
        self._changed = np.zeros(len(index), dtype=np.bool_)
        self._used = np.zeros(4, dtype=np.int64)  # leads, groups with tags, cells, stale leads
        self._leads: IntArray = np.zeros((_ROOM, 6), dtype=np.int32)
        self._scores: IntArray = np.zeros(_ROOM, dtype=np.int32)
        self._stale: IntArray = np.zeros(_ROOM, dtype=np.int32)
        self._cells: IntArray = np.zeros((_ROOM, 3), dtype=np.int32)
        self._heads: IntArray = np.full(index.static_size + _ROOM, -1, dtype=np.int32)
        self._plain: IntArray = np.zeros(index.static_size + _ROOM, dtype=np.int32)
        dynamic = sum(entry.size for entry in index.templates if entry.is_dynamic)
        self._beside_o: IntArray = np.full(dynamic, -1, dtype=np.int32)
        self._packed: LongArray = np.zeros(_ROOM, dtype=np.int64)
        self._table: LongArray = np.full(4 * _ROOM, -1, dtype=np.int64)
        self._numbers: IntArray = np.zeros(4 * _ROOM, dtype=np.int32)
        plain = (self.tags == 0) & (index.gold == 0)
        for tokens in (np.flatnonzero(plain), np.flatnonzero(~plain)):
            none = tokens[:0]
            self._count(tokens, none, 1)
            for first in range(0, len(tokens), _CHUNK):
                part = tokens[first : first + _CHUNK]
                self._changed[part] = True
                self._count(none, part, 1)
                self._changed[part] = False

    def best(self, *, min_score: int, min_accuracy: float) -> Ties | None:
        """Return every rule of the highest score, or None where none is good enough."""
        used = int(self._used[0])
        scores, fixed = self._scores[:used], self._leads[:used, 4]
        found = choose_ties(scores, fixed, min_score=min_score, min_accuracy=min_accuracy)
        if not len(found):
            return None
        rows = [(lead, target) for lead in found.tolist() for target in self._targets(lead)]
        leads, targets = np.array(rows, dtype=np.int64).T
        groups = self._leads[leads, 0].astype(np.int64)
        dynamic = groups >= self.index.static_size
        numbers = groups[dynamic] - self.index.static_size
        groups[dynamic] = self._packed[numbers] + self.index.static_size
        sources = self._leads[leads, 2].astype(np.int64)
        return Ties(int(scores[found[0]]), groups, sources, targets, fixed[leads].astype(np.int64))

    def _targets(self, lead: int) -> Iterator[int]:
        """Yield the tags whose count is the best of a lead."""
        cell = int(self._leads[lead, 3])
        while cell >= 0:
            following, target, count = self._cells[cell].tolist()
            if count == self._leads[lead, 4]:
                yield target
            cell = following

    def change(self, positions: LongArray, tag: int) -> None:
        """Give the tokens at `positions` (ascending) another tag."""
        near = self.index.reach(positions)
        self._changed[positions] = True
        self._count(positions, near, -1)
        self.tags[positions] = tag
        self._count(positions, near, 1)
        self._changed[positions] = False

    def _count(self, positions: LongArray, near: LongArray, sign: int) -> None:
        if sign > 0:
            cells = self._most_cells(positions) * len(self._statics)
            cells += self._most_cells(near) * len(self._dynamics)
            self._make_room(cells, len(near) * len(self._dynamics))
        _compiled_count()(
            positions,
            near,
            self._changed,
            sign,
            self._statics,
            self._dynamics,
            self._offsets,
            self.index.columns,
            self.tags,
            self.index.gold,
            self.index.segments,
            np.array([self.index.static_size, self.index.tag_count, self.index.tag_width]),
            self._used,
            self._leads,
            self._scores,
            self._stale,
            self._cells,
            self._heads,
            self._plain,
            self._beside_o,
            self._packed,
            self._table,
            self._numbers,
        )

    def _most_cells(self, tokens: LongArray) -> int:
        """Return how many tokens may need a cell in each variant: all that are not rightly `O`."""
        return int(np.count_nonzero((self.tags[tokens] != 0) | (self.index.gold[tokens] != 0)))

    def _make_room(self, cells: int, groups: int) -> None:
        """Grow the arrays where so many new cells and groups might not fit."""
        need = int(self._used[0]) + cells
        if need > len(self._leads):
            size, used = max(need, len(self._leads) * 3 // 2), int(self._used[0])
            for name in ("_leads", "_scores", "_stale"):
                setattr(self, name, _grown(getattr(self, name), size, used))
        need = int(self._used[2]) + cells
        if need > len(self._cells):
            size, used = max(need, len(self._cells) * 3 // 2), int(self._used[2])
            self._cells = _grown(self._cells, size, used)
        need = int(self._used[1]) + groups
        if need > len(self._packed):
            size, used = max(need, len(self._packed) * 3 // 2), int(self._used[1])
            static = self.index.static_size
            self._packed = _grown(self._packed, size, used)
            self._heads = _grown(self._heads, static + size, static + used, fill=-1)
            self._plain = _grown(self._plain, static + size, static + used, fill=0)
        if 2 * need > len(self._table):
            capacity = 1 << (2 * need).bit_length()
            self._table = np.full(capacity, -1, dtype=np.int64)
            self._numbers = np.zeros(capacity, dtype=np.int32)
            packed = self._packed[: int(self._used[1])]
            numbers = np.flatnonzero(packed % self.index.tag_width)
            _compiled_rehash()(packed, numbers, self._table, self._numbers)


def _grown(array: Any, size: int, used: int, *, fill: int | None = None) -> Any:
    """Return a longer array with the same `used` rows; memory beyond them stays untouched."""
    longer = np.empty((size, *array.shape[1:]), dtype=array.dtype)
    longer[:used] = array[:used]
    if fill is not None:
        longer[used:] = fill
    return longer


def _variant_tables(index: RuleIndex) -> tuple[LongArray, LongArray, LongArray]:
    """Return rows (column, base, first variant of the template) and the offsets of tags.

    The first table is that of templates without tags, the second of those with; a column of -1
    is a template on tags alone.
    """
    rows: tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]] = ([], [])
    offsets: list[list[int]] = []
    for entry in index.templates:
        table = rows[entry.is_dynamic]
        first = len(table)
        columns = entry.static.columns if entry.static else (-1,)
        for column, choice in product(columns, entry.tags):
            table.append((column, entry.base, first))
            if entry.is_dynamic:
                offsets.append([*choice, 0, 0, 0][:3])
    plain, dynamic = (np.array(table, dtype=np.int64).reshape(-1, 3) for table in rows)
    return plain, dynamic, np.array(offsets, dtype=np.int64).reshape(-1, 3)


def _count_loop(
    positions: Any,
    near: Any,
    changed: Any,
    sign: Any,
    statics: Any,
    dynamics: Any,
    tag_offsets: Any,
    columns: Any,
    tags: Any,
    gold: Any,
    segments: Any,
    sizes: Any,
    used: Any,
    leads: Any,
    scores: Any,
    stale: Any,
    cells: Any,
    heads: Any,
    plain: Any,
    beside_o: Any,
    packed_keys: Any,
    table: Any,
    numbers: Any,
) -> None:
    """Add `sign` to the counts of `positions` in templates without tags, of `near` in others.

    One long loop: compiled functions that call each other could not be kept on disk.
    """
    static_size, tag_count, tag_width = sizes[0], sizes[1], sizes[2]
    total = len(tags)
    mask = len(table) - 1
    seen = np.empty(max(1, len(dynamics)), dtype=np.int64)
    last_key: Any = np.int64(-1)
    last_group: Any = np.int64(-1)
    for variant in range(len(statics) + len(dynamics)):
        is_static = variant < len(statics)
        number = variant if is_static else variant - len(statics)
        row = statics[number] if is_static else dynamics[number]
        column, base, first = row[0], row[1], row[2]
        if not is_static and number != first:
            continue  # the variants of a template are met together, below
        last = number + 1
        if not is_static:
            while last < len(dynamics) and dynamics[last, 2] == first:
                last += 1
        tokens = positions if is_static else near
        for place in range(len(tokens)):
            token = tokens[place]
            if not is_static and not changed[token]:
                touched = False
                for choice in range(number, last):
                    for part in range(3):
                        offset = tag_offsets[choice, part]
                        if offset != 0 and 0 <= token + offset < total:
                            touched |= changed[token + offset]
                if not touched:
                    continue
            old, right = tags[token], gold[token]
            for choice in range(number, last):
                if is_static:
                    group = np.int64(columns[column, token])
                    if group < 0:
                        continue
                    repeated = False
                    for earlier in range(first, number):
                        if columns[statics[earlier, 0], token] == group:
                            repeated = True
                    if repeated:
                        continue
                    group += base
                else:
                    seen[choice] = -1
                    group = np.int64(0)
                    column = dynamics[choice, 0]
                    if column >= 0:
                        group = np.int64(columns[column, token])
                        if group < 0:
                            continue
                    key = base - static_size + group
                    packed: Any = np.int64(0)
                    for part in range(3):
                        offset = tag_offsets[choice, part]
                        if offset == 0:
                            break
                        there = token + offset
                        if there < 0 or there >= total or segments[there] != segments[token]:
                            packed = -1
                            break
                        packed = packed * tag_count + tags[there]
                    if packed < 0:
                        continue
                    key = key * tag_width + packed
                    repeated = False
                    for earlier in range(first, choice):
                        if seen[earlier] == key:
                            repeated = True
                    if repeated:
                        continue
                    seen[choice] = key
                    if packed == 0:
                        group = np.int64(beside_o[base - static_size + group])
                        if group < 0:
                            group = used[1]
                            beside_o[key // tag_width] = group
                            packed_keys[group] = key
                            used[1] += 1
                        group += static_size
                    elif key == last_key:
                        group = last_group
                    else:
                        mixed = key * -7046029254386353131
                        slot = (mixed ^ (mixed >> 32)) & mask
                        while table[slot] != key and table[slot] >= 0:
                            slot = (slot + 1) & mask
                        if table[slot] < 0:
                            table[slot] = key
                            numbers[slot] = used[1]
                            packed_keys[used[1]] = key
                            used[1] += 1
                        group = static_size + numbers[slot]
                        last_key, last_group = key, group
                # The lead of this group and tag, made where there is none and one is needed.
                lead, before = heads[group], -1
                while lead >= 0 and leads[lead, 2] != old:
                    lead, before = leads[lead, 1], lead
                if old == 0 and right == 0:
                    plain[group] += sign
                    if lead < 0:
                        continue
                if lead < 0:
                    lead = used[0]
                    used[0] += 1
                    leads[lead, 0], leads[lead, 1] = group, heads[group]
                    leads[lead, 2], leads[lead, 3] = old, -1
                    leads[lead, 4] = 0
                    leads[lead, 5] = plain[group] if old == 0 else 0
                    scores[lead] = -leads[lead, 5]
                    heads[group] = lead
                elif before >= 0:
                    leads[before, 1] = leads[lead, 1]
                    leads[lead, 1] = heads[group]
                    heads[group] = lead
                if old == right:
                    leads[lead, 5] += sign
                    scores[lead] -= sign
                    continue
                cell, before = leads[lead, 3], -1
                while cell >= 0 and cells[cell, 1] != right:
                    cell, before = cells[cell, 0], cell
                if cell < 0:
                    cell = used[2]
                    used[2] += 1
                    cells[cell, 0], cells[cell, 1], cells[cell, 2] = leads[lead, 3], right, 0
                    leads[lead, 3] = cell
                elif before >= 0:
                    cells[before, 0] = cells[cell, 0]
                    cells[cell, 0] = leads[lead, 3]
                    leads[lead, 3] = cell
                count = cells[cell, 2] + sign
                cells[cell, 2] = count
                if sign > 0:
                    if count > leads[lead, 4]:
                        leads[lead, 4] = count
                        scores[lead] = count - leads[lead, 5]
                elif count + 1 == leads[lead, 4]:
                    # Another tag may be the best one now: -1 until all is counted.
                    leads[lead, 4] = -1
                    stale[used[3]] = lead
                    used[3] += 1
    for number in range(used[3]):
        lead = stale[number]
        most = 0
        cell = leads[lead, 3]
        while cell >= 0:
            most = max(most, cells[cell, 2])
            cell = cells[cell, 0]
        leads[lead, 4] = most
        scores[lead] = most - leads[lead, 5]
    used[3] = 0


def _rehash_loop(packed: Any, chosen: Any, table: Any, numbers: Any) -> None:
    """Enter the keys of the chosen numbers into an empty hash table."""
    mask = len(table) - 1
    for place in range(len(chosen)):
        number = chosen[place]
        mixed = packed[number] * -7046029254386353131
        slot = (mixed ^ (mixed >> 32)) & mask
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = packed[number]
        numbers[slot] = number


@cache
def _compiled_count() -> Any:
    return compiled(_count_loop)


@cache
def _compiled_rehash() -> Any:
    return compiled(_rehash_loop)
