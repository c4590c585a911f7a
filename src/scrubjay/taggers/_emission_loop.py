"""The compiled kernels of emission scores: the sums of new words, the scores of tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.features.templates import MAX_CROSSES


def scores_loop(
    word_ids: Any, word_rows: Any, positions: Any, segments: Any,
    word_sums: Any, offsets: Any,
    place_sums: Any, place_bases: Any, place_ends: Any, place_parts: Any,
    columns: Any, column_offsets: Any, cross_parts: Any, radix: Any,
    slots: Any, mask: Any, sieve: Any, sieve_mask: Any, entries: Any,
) -> Any:  # fmt: skip
    size, words, width = len(word_ids), word_rows.shape[1], word_sums.shape[2]
    scores = np.zeros((size, width), dtype=np.float64)
    crossed = np.zeros(width, dtype=np.float64)
    # One more than there are columns, for crosses of few parts: it is there and counts nothing.
    values = np.zeros(len(columns) + 1, dtype=np.uint64)
    present = np.ones(len(columns) + 1, dtype=np.bool_)
    begins = np.zeros(cross_parts.shape[0], dtype=np.int64)
    ends = np.zeros(cross_parts.shape[0], dtype=np.int64)
    firsts = np.zeros(cross_parts.shape[0], dtype=np.float64)
    sifted = np.zeros((2, cross_parts.shape[0] + 1), dtype=np.uint64)
    # Each word gives its sums to the tokens around it: they lie side by side. Offsets ascend, so
    # a token gets them in the order of its words; what is no word has no sums.
    for there in range(size):
        word = word_ids[there]
        for number in range(len(offsets)):
            token = there - offsets[number]
            if 0 <= token < size and segments[there] == segments[token]:
                score = scores[token]
                for tag in range(width):
                    score[tag] += word_sums[word, number, tag]
    for token in range(size):
        score = scores[token]
        part = 0
        for number in range(len(place_ends)):
            row = 0
            while part < place_ends[number]:
                there = token + place_parts[part, 0]
                row *= place_parts[part, 2]
                if 0 <= there < size and segments[there] == segments[token]:
                    row += positions[there, place_parts[part, 1]]
                part += 1
            row += place_bases[number]
            for tag in range(width):
                score[tag] += place_sums[row, tag]
        for number in range(len(columns)):
            there = token + column_offsets[number]
            value = 0
            if 0 <= there < size and segments[there] == segments[token]:
                if columns[number] < words:
                    value = word_rows[word_ids[there], columns[number]]
                else:
                    value = positions[there, columns[number] - words]
            values[number] = value
            present[number] = value != 0
        # First which keys may be there at all: these look-ups do not wait for each other.
        count = 0
        for order in range(cross_parts.shape[0]):
            complete = True
            for part in range(cross_parts.shape[1]):
                if not present[cross_parts[order, part]]:
                    complete = False
                    break
            if not complete:
                continue
            key = np.uint64(0)
            for part in range(cross_parts.shape[1]):
                key = key * radix[order, part] + values[cross_parts[order, part]]
            key = key * np.uint64(MAX_CROSSES) + np.uint64(order)
            mixed = key * np.uint64(0x9E3779B97F4A7C15)
            bit = (mixed >> np.uint64(32)) & sieve_mask
            there_is = (sieve[bit >> np.uint64(6)] >> (bit & np.uint64(63))) & np.uint64(1) != 0
            sifted[0, count] = key
            sifted[1, count] = (mixed ^ (mixed >> np.uint64(29))) & mask
            count += there_is
        found = 0
        for number in range(count):
            key, slot = sifted[0, number], sifted[1, number]
            while slots[slot]["end"] > 0:
                if slots[slot]["key"] == key:
                    begins[found], ends[found] = slots[slot]["begin"], slots[slot]["end"]
                    found += 1
                    break
                slot = (slot + np.uint64(1)) & mask
        # Then the first weight of each, again without waiting, which brings the others near.
        for number in range(found):
            firsts[number] = entries[begins[number]]["weight"]
        for number in range(found):
            crossed[entries[begins[number]]["tag"]] += firsts[number]
            for entry in range(begins[number] + 1, ends[number]):
                crossed[entries[entry]["tag"]] += entries[entry]["weight"]
        if found:
            for tag in range(width):
                score[tag] += crossed[tag]
                crossed[tag] = 0.0
    return scores


@cache
def compiled_scores() -> Callable[..., Any]:
    return compiled(scores_loop)


def words_loop(
    values: Any, numbers: Any, columns: Any, bases: Any, rows: Any,
    indptr: Any, tags: Any, weights: Any, sums: Any,
) -> None:  # fmt: skip
    """Add the weights of each word to `sums` (words, offsets, tags), attribute by attribute."""
    for word in range(len(values)):
        for part in range(len(columns)):
            row = rows[bases[part] + values[word, columns[part]]]
            if row >= 0:
                number = numbers[part]
                for entry in range(indptr[row], indptr[row + 1]):
                    sums[word, number, tags[entry]] += weights[entry]


@cache
def compiled_words() -> Callable[..., Any]:
    return compiled(words_loop)
