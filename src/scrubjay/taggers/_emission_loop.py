"""The compiled kernels of emission scores: the sums of new words, the scores of tokens.

All sums are of whole numbers (see `FeatureWeights.scale`), so that their order is free. Rows
are padded to a width that a processor adds without a rest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.features.templates import MAX_CROSSES

BLOCK = 64
"""Tokens that go through each step together: what they need stays near the processor."""


def scores_loop(
    word_ids: Any, word_rows: Any, positions: Any, segments: Any,
    word_sums: Any, farthest: Any,
    place_sums: Any, place_bases: Any, place_ends: Any, place_parts: Any,
    columns: Any, column_offsets: Any, cross_parts: Any, radix: Any, counted: Any,
    slots: Any, mask: Any, sieve: Any, sieve_mask: Any, entries: Any, dense: Any,
    tag_count: Any, unit: Any,
) -> Any:  # fmt: skip
    size, words, width = len(word_ids), word_rows.shape[1], word_sums.shape[2]
    scores = np.zeros((size, tag_count), dtype=np.float64)
    sums = np.zeros((BLOCK, width), dtype=np.int32)
    flat = sums.reshape(BLOCK * width)
    offsets = word_sums.shape[1]
    nearest = farthest - offsets + 1
    by_word = word_sums.reshape(len(word_sums), offsets * width)
    # One more than there are columns, for crosses of few parts: it is there and counts nothing.
    values = np.ones((len(columns) + 1, BLOCK), dtype=np.uint64)
    some = np.ones(len(columns) + 1, dtype=np.bool_)
    key, mixed = np.zeros(BLOCK, dtype=np.uint64), np.zeros(BLOCK, dtype=np.uint64)
    complete = np.zeros(BLOCK, dtype=np.uint64)
    most = BLOCK * len(cross_parts) + 1
    keys, places = np.zeros(most, dtype=np.uint64), np.zeros(most, dtype=np.uint64)
    owners, dense_owners, sparse_owners = np.zeros((3, most), dtype=np.int32)
    dense_rows, begins, ends = np.zeros((3, most), dtype=np.int32)
    for first in range(0, size, BLOCK):
        here = min(size - first, BLOCK)
        sums[:here] = 0
        # Each word gives its sums to the tokens around it: they lie side by side, as they do.
        for there in range(max(0, first + nearest), min(size, first + here + farthest)):
            low, high = max(there - farthest, first), min(there - nearest, first + here - 1)
            while low <= high and segments[low] != segments[there]:
                low += 1
            while low <= high and segments[high] != segments[there]:
                high -= 1
            begin, count = (low - there + farthest) * width, (high - low + 1) * width
            target = flat[(low - first) * width : (high - first + 1) * width]
            more = by_word[word_ids[there], begin : begin + count]
            for place in range(count):
                target[place] += more[place]
        for token in range(first, first + here):
            row = sums[token - first]
            part = 0
            for number in range(len(place_ends)):
                joint = 0
                while part < place_ends[number]:
                    there = token + place_parts[part, 0]
                    joint *= place_parts[part, 2]
                    if 0 <= there < size and segments[there] == segments[token]:
                        joint += positions[there, place_parts[part, 1]]
                    part += 1
                other = place_sums[place_bases[number] + joint]
                for tag in range(width):
                    row[tag] += other[tag]
        for number in range(len(columns)):
            column, offset = columns[number], column_offsets[number]
            seen = np.uint64(0)
            for step in range(here):
                there = first + step + offset
                value = 0
                if 0 <= there < size and segments[there] == segments[first + step]:
                    if column < words:
                        value = word_rows[word_ids[there], column]
                    else:
                        value = positions[there, column - words]
                values[number, step] = value
                seen |= np.uint64(value)
            some[number] = seen != 0
        # First the keys of a cross for all tokens at once, then which of them may be there at all.
        count = 0
        for order in range(len(cross_parts)):
            one, two, three = cross_parts[order, 0], cross_parts[order, 1], cross_parts[order, 2]
            if not (some[one] and some[two] and some[three]):
                continue
            for step in range(here):
                a, b, c = values[one, step], values[two, step], values[three, step]
                code = a * radix[order, 1] + b * counted[order, 1]
                code = code * radix[order, 2] + c * counted[order, 2]
                key[step] = code * np.uint64(MAX_CROSSES) + np.uint64(order)
                mixed[step] = key[step] * np.uint64(0x9E3779B97F4A7C15)
                complete[step] = a * b * c
            for step in range(here):
                if complete[step] != 0:
                    mix = mixed[step]
                    bit = (mix >> np.uint64(32)) & sieve_mask
                    keys[count], owners[count] = key[step], step
                    places[count] = (mix ^ (mix >> np.uint64(29))) & mask
                    held = (sieve[bit >> np.uint64(6)] >> (bit & np.uint64(63))) & np.uint64(1)
                    count += held != 0
        # These look-ups do not wait for each other.
        many, few = 0, 0
        for number in range(count):
            wanted, slot, begin, end = keys[number], places[number], 0, 0
            while slots[slot]["end"] != 0:
                if slots[slot]["key"] == wanted:
                    begin, end = slots[slot]["begin"], slots[slot]["end"]
                    break
                slot = (slot + np.uint64(1)) & mask
            dense_rows[many], dense_owners[many] = begin, owners[number]
            begins[few], ends[few], sparse_owners[few] = begin, end, owners[number]
            many += end < 0
            few += end > 0
        for number in range(many):
            row, other = sums[dense_owners[number]], dense[dense_rows[number]]
            for tag in range(width):
                row[tag] += other[tag]
        for number in range(few):
            row = sums[sparse_owners[number]]
            for entry in range(begins[number], ends[number]):
                row[entries[entry]["tag"]] += entries[entry]["units"]
        for step in range(here):
            for tag in range(tag_count):
                scores[first + step, tag] = sums[step, tag] * unit
    return scores


@cache
def compiled_scores() -> Callable[..., Any]:
    return compiled(scores_loop)


def words_loop(
    values: Any, numbers: Any, columns: Any, bases: Any, rows: Any,
    indptr: Any, tags: Any, units: Any, sums: Any,
) -> None:  # fmt: skip
    """Add the weights of each word to `sums` (words, offsets, width), attribute by attribute."""
    for word in range(len(values)):
        for part in range(len(columns)):
            row = rows[bases[part] + values[word, columns[part]]]
            if row >= 0:
                number = numbers[part]
                for entry in range(indptr[row], indptr[row + 1]):
                    sums[word, number, tags[entry]] += units[entry]


@cache
def compiled_words() -> Callable[..., Any]:
    return compiled(words_loop)
