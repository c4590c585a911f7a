"""Families of crosses: which belong together, and what is laid out of their weights."""

from __future__ import annotations

import numpy as np

from scrubjay.taggers._linear.cross_families import (
    FeatureRows,
    _lay_hashes,
    find_families,
    lay_slots,
    plan_families,
)
from scrubjay.taggers._linear.cross_table import build_table
from scrubjay.taggers._linear.emission_plan import Cross

#: Columns 0 and 1 with 10 and 20 values.
CROSSES = [
    Cross(0, (0, 1), (-1, 0), (10, 20)),
    Cross(1, (0, 0), (0, 1), (10, 10)),
    Cross(2, (1, 0), (3, 2), (20, 10)),  # the first, three places on, its parts the other way round
    Cross(3, (0, 1), (0, -1), (10, 20)),  # the other order in the text: no shift of the first
    Cross(4, (0, 0), (-2, -1), (10, 10)),
]


def test_crosses_that_are_shifts_of_one_another_are_one_family() -> None:
    families = find_families(CROSSES)
    assert [[member[0] for member in family.members] for family in families] == [
        [0, 2],
        [1, 4],
        [3],
    ]
    assert [family.shifts for family in families] == [(-1, 2), (-2, 0), (-1, -1)]
    assert [family.reach for family in families] == [4, 3, 1]
    assert families[0].members[1][1] == (1, 0)
    plan = plan_families(families, np.array([1, 0]))
    assert plan.parts.tolist() == [[1, 0, 2], [1, 1, 2], [1, 0, 2]]
    assert plan.offsets.tolist() == [[-1, 0, -1], [-2, -1, -2], [0, -1, -1]]


def test_a_key_has_the_weights_of_all_that_read_it() -> None:
    families = find_families(CROSSES)
    rows = FeatureRows(
        templates=np.array([0, 2, 3], dtype=np.uint16),
        values=np.array([[7, 9, 0], [9, 7, 0], [7, 9, 0]], dtype=np.int32),
        indptr=np.array([0, 2, 3, 4], dtype=np.int32),
        tags=np.array([0, 4, 5, 1], dtype=np.uint16),
        units=np.array([-3, 8, 5, 6], dtype=np.int32),
    )
    found = lay_slots(families, rows, width=16)
    assert np.count_nonzero(found.slots) == 2
    assert len(found.dense) == 0
    contents = {}
    for begin in (2 * (slot >> 8) for slot in found.slots.tolist() if slot):
        key, size = found.records[begin : begin + 2].tolist()
        entries = found.records[begin + 2 : begin + 2 + size].tolist()
        contents[key] = {entry & 0xFFFFFFFF: entry >> 32 for entry in entries}
    # At the token three before its largest shift, the first cross; at that itself, the third.
    assert sorted(contents.values(), key=len) == [{1: 6}, {3 * 16: -3, 3 * 16 + 4: 8, 5: 5}]


def test_slots_are_wider_where_records_begin_far_away() -> None:
    table = build_table(np.arange(3, dtype=np.uint64), np.arange(3, dtype=np.int32))
    for begins, kind in (([2, 4, 2**25 - 2], np.uint32), ([2, 4, 2**25], np.uint64)):
        slots = _lay_hashes(table, np.array(begins))
        assert slots.dtype == kind
        assert sorted(2 * (slot >> 8) for slot in slots.tolist() if slot) == begins
