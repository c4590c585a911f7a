"""The compiled kernels of emission scores: the sums of new words, the scores of tokens.

All sums are of whole numbers (see `FeatureWeights.scale`), so that their order is free. Rows are
padded to a width that a processor adds without a rest. Between what a window may not leave stand
places without words and values, so that nothing has to look where it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.features.templates import MAX_CROSSES, MAX_OFFSET

BLOCK = 64
"""Tokens that go through each step together: what they need stays near the processor."""

BEYOND = 2 * MAX_OFFSET
"""How far a key of crosses may lie behind or before a token that gets its weights."""


def scores_loop(
    word_ids: Any, word_rows: Any, positions: Any, segments: Any,
    word_sums: Any, farthest: Any,
    place_sums: Any, place_bases: Any, place_ends: Any, place_parts: Any,
    columns: Any,
    cross_parts: Any, cross_offsets: Any, radix: Any, counted: Any, reaches: Any,
    slots: Any, mask: Any, sieve: Any, sieve_mask: Any, records: Any, dense: Any,
    tag_count: Any, unit: Any, scores: Any,
) -> None:  # fmt: skip
    size, words, width = len(word_ids), word_rows.shape[1], word_sums.shape[2]
    # Where each token stands among the places, and the token of each place, -1 for none.
    gaps = 1
    for token in range(1, size):
        gaps += segments[token] != segments[token - 1]
    tokens = np.full(size + gaps * MAX_OFFSET + BLOCK + MAX_OFFSET, -1, dtype=np.int64)
    place = MAX_OFFSET
    for token in range(size):
        if token and segments[token] != segments[token - 1]:
            place += MAX_OFFSET
        tokens[place] = token
        place += 1
    last = place
    # Crosses may reach beyond a block: what they add there is left.
    all_sums = np.zeros((BLOCK + 2 * BEYOND, width), dtype=np.int32)
    all_flat = all_sums.reshape(-1)
    sums, flat = all_sums[BEYOND : BEYOND + BLOCK], all_flat[BEYOND * width :]
    offsets = word_sums.shape[1]
    nearest = farthest - offsets + 1
    by_word = word_sums.reshape(len(word_sums), offsets * width)
    flat_dense = dense.reshape(-1)
    # One more than there are columns, for crosses of few parts: it is there and counts nothing.
    values = np.ones((len(columns) + 1, BLOCK + 2 * MAX_OFFSET), dtype=np.uint64)
    some = np.ones(len(columns) + 1, dtype=np.bool_)
    key, mixed, complete = np.zeros((3, BLOCK + BEYOND), dtype=np.uint64)
    joint = np.zeros(BLOCK, dtype=np.uint64)
    most = (BLOCK + BEYOND) * len(cross_parts) + 1
    keys, found = np.zeros(most, dtype=np.uint64), np.zeros(most, dtype=np.uint64)
    owners, dense_owners, sparse_owners = np.zeros((3, most), dtype=np.int64)
    dense_rows, heights, begins, ends = np.zeros((4, most), dtype=np.int64)
    leads = np.zeros(most, dtype=np.uint64)
    for first in range(MAX_OFFSET, last, BLOCK):
        begin, end = first - MAX_OFFSET, first + BLOCK + MAX_OFFSET
        all_flat[:] = 0
        # Each word gives its sums to the tokens around it: they lie side by side, as they do.
        for there in range(first + nearest, first + BLOCK + farthest):
            token = tokens[there]
            if token < 0 or offsets == 0:
                continue
            low, high = max(there - farthest, first), min(there - nearest, first + BLOCK - 1)
            skipped = (low - there + farthest) * width
            target = flat[(low - first) * width : (high - first + 1) * width]
            more = by_word[word_ids[token], skipped : skipped + (high - low + 1) * width]
            for number in range(len(target)):
                target[number] += more[number]
        for number in range(len(columns)):
            column, row = columns[number], values[number]
            seen = np.uint64(0)
            for there in range(begin, end):
                token = tokens[there]
                value = np.uint64(0)
                if token >= 0:
                    if column < words:
                        value = np.uint64(word_rows[word_ids[token], column])
                    else:
                        value = np.uint64(positions[token, column - words])
                row[there - begin] = value
                seen |= value
            some[number] = seen != 0
        part = 0
        for number in range(len(place_ends)):
            joint[:] = 0
            while part < place_ends[number]:
                row = values[place_parts[part, 1]]
                shift, radices = MAX_OFFSET + place_parts[part, 0], np.uint64(place_parts[part, 2])
                for step in range(BLOCK):
                    joint[step] = joint[step] * radices + row[step + shift]
                part += 1
            for step in range(BLOCK):
                if joint[step] != 0:
                    target = sums[step]
                    more = place_sums[place_bases[number] + np.int64(joint[step])]
                    for tag in range(width):
                        target[tag] += more[tag]
        # First the keys of a family for all tokens at once, then which of them may be there at all.
        count = 0
        for order in range(len(cross_parts)):
            one, two, three = cross_parts[order, 0], cross_parts[order, 1], cross_parts[order, 2]
            if not (some[one] and some[two] and some[three]):
                continue
            ones = values[one][MAX_OFFSET + cross_offsets[order, 0] :]
            twos = values[two][MAX_OFFSET + cross_offsets[order, 1] :]
            threes = values[three][MAX_OFFSET + cross_offsets[order, 2] :]
            beyond = reaches[order] - 1
            for step in range(BLOCK + beyond):
                a, b, c = ones[step], twos[step], threes[step]
                code = a * radix[order, 1] + b * counted[order, 1]
                code = code * radix[order, 2] + c * counted[order, 2]
                key[step] = code * np.uint64(MAX_CROSSES) + np.uint64(order)
                mixed[step] = key[step] * np.uint64(0x9E3779B97F4A7C15)
                complete[step] = a * b * c
            for step in range(BLOCK + beyond):
                if complete[step] != 0:
                    mix = mixed[step]
                    bit = (mix >> np.uint64(32)) & sieve_mask
                    keys[count], owners[count] = key[step], (BEYOND + step - beyond) * width
                    found[count] = (mix ^ (mix >> np.uint64(29))) & mask
                    leads[count] = mix >> np.uint64(56)
                    held = (sieve[bit >> np.uint64(6)] >> (bit & np.uint64(63))) & np.uint64(1)
                    count += held != 0
        # These look-ups do not wait for each other.
        many, few = 0, 0
        for number in range(count):
            wanted, slot, leading = keys[number], found[number], leads[number]
            begun: Any = 0
            content: Any = 0
            while slots[slot] != 0:
                held = np.uint64(slots[slot])
                if held & np.uint64(255) == leading:
                    begun = np.int64(held >> np.uint64(8)) * 2
                    if np.uint64(records[begun]) == wanted:
                        content = records[begun + 1]
                        break
                slot = (slot + np.uint64(1)) & mask
            begins[few], ends[few] = begun + 2, begun + 2 + content
            dense_rows[many], heights[many] = -content >> 8, -content & 255
            dense_owners[many], sparse_owners[few] = owners[number], owners[number]
            many += content < 0
            few += content > 0
        for number in range(many):
            below, begun = dense_owners[number], dense_rows[number] * width
            target = all_flat[below : below + heights[number] * width]
            more = flat_dense[begun : begun + heights[number] * width]
            for place in range(len(target)):
                target[place] += more[place]
        for number in range(few):
            target = all_flat[sparse_owners[number] :]
            for entry in range(begins[number], ends[number]):
                target[records[entry] & 0xFFFFFFFF] += records[entry] >> 32
        for step in range(BLOCK):
            token = tokens[first + step]
            if token >= 0:
                for tag in range(tag_count):
                    scores[token, tag] = sums[step, tag] * unit


@cache
def compiled_scores() -> Callable[..., Any]:
    return compiled(scores_loop)


def words_loop(values: Any, columns: Any, bases: Any, begins: Any, entries: Any, sums: Any) -> None:
    """Add the weights of each word to `sums` (words, offsets * width), attribute by attribute."""
    for word in range(len(values)):
        target = sums[word]
        for part in range(len(columns)):
            row = bases[part] + values[word, columns[part]]
            for entry in range(begins[row], begins[row + 1]):
                target[entries[entry]["place"]] += entries[entry]["units"]


@cache
def compiled_words() -> Callable[..., Any]:
    return compiled(words_loop)
