"""The compiled kernels that read texts: sums of new words, scores of tokens, best paths.

`reading_loop` calls the two others. They stand in one file, since numba, which keeps what it has
compiled, makes a kernel anew when its own file changes, and not when another one does.

All sums are of whole numbers (see `FeatureWeights.units`), so that their order is free. Rows are
padded to a width that a processor adds without a rest. Between what a window may not leave stand
places without words and values, so that nothing has to look where it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from scrubjay.compiling import compiled, compiled_exchange
from scrubjay.features.templates import MAX_CROSSES, MAX_OFFSET

BLOCK = 64
"""Tokens that go through each step together: what they need stays near the processor."""

BEYOND = 2 * MAX_OFFSET
"""How far a key of crosses may lie behind or before a token that gets its weights."""


def scores_loop(
    word_ids: Any, positions: Any, segments: Any, scores: Any,
    word_rows: Any, word_sums: Any, farthest: Any,
    place_sums: Any, place_bases: Any, place_ends: Any, place_parts: Any,
    columns: Any,
    direct_parts: Any, direct_offsets: Any, direct_reaches: Any,
    numbers: Any, number_firsts: Any, cells: Any, direct_bases: Any,
    cross_parts: Any, cross_offsets: Any, radix: Any, counted: Any, reaches: Any,
    slots: Any, mask: Any, sieve: Any, sieve_mask: Any, records: Any, dense: Any,
    tag_count: Any, unit: Any,
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
    all_sums = np.zeros((BLOCK + 2 * BEYOND, width), dtype=word_sums.dtype)
    all_flat = all_sums.reshape(-1)
    sums = all_sums[BEYOND : BEYOND + BLOCK]
    around = np.zeros((BLOCK, width), dtype=word_sums.dtype)
    offsets = word_sums.shape[1]
    by_word = word_sums.reshape(len(word_sums) * offsets, width)
    flat_dense = dense.reshape(-1)
    # Rows are added eight at a time: fewer ways to memory and back. Row 0 has zeros alone.
    tables = len(place_ends)
    most_tables = tables + direct_reaches.sum() + 3
    picked = np.zeros((offsets + 7) // 8 * 8, dtype=np.uint64)
    at_places = np.zeros((most_tables, BLOCK), dtype=np.uint32)
    combined = np.zeros(BLOCK + BEYOND, dtype=np.uint32)
    ids, present, rows = np.zeros((3, BLOCK + 2 * MAX_OFFSET), dtype=np.uint32)
    # One more than there are columns, for crosses of few parts: it is there and counts nothing.
    values = np.ones((len(columns) + 1, BLOCK + 2 * MAX_OFFSET), dtype=np.uint32)
    some = np.ones(len(columns) + 1, dtype=np.bool_)
    key = np.zeros(BLOCK + BEYOND, dtype=np.uint64)
    joint = np.zeros(BLOCK, dtype=np.uint32)
    most = (BLOCK + BEYOND) * len(cross_parts) + 1
    # No number is below 0, which would be counted from the end: a kernel looks at each that may be.
    keys, found, held_there, begun_there = np.zeros((4, most), dtype=np.uint64)
    owners, again, many_there, few_there = np.zeros((4, most), dtype=np.uint64)
    next_one, last_one = np.uint64(1), np.uint64(farthest)
    leads = np.zeros(most, dtype=np.uint64)
    for first in range(MAX_OFFSET, last, BLOCK):
        for step in range(len(ids)):
            token = tokens[first - MAX_OFFSET + step]
            ids[step] = word_ids[token] if token >= 0 else 0
            present[step] = token >= 0
            rows[step] = max(token, 0)
        for number in range(len(columns)):
            column, row = columns[number], values[number]
            seen = np.uint32(0)
            if column < words:
                for step in range(len(ids)):
                    value = np.uint32(word_rows[ids[step], column])
                    row[step] = value
                    seen |= value
            else:
                for step in range(len(ids)):
                    value = np.uint32(positions[rows[step], column - words]) * present[step]
                    row[step] = value
                    seen |= value
            some[number] = seen != 0
        part = 0
        for number in range(tables):
            joint[:] = 0
            while part < place_ends[number]:
                row = values[place_parts[part, 1]]
                shift, radices = MAX_OFFSET + place_parts[part, 0], np.uint32(place_parts[part, 2])
                for step in range(BLOCK):
                    joint[step] = joint[step] * radices + row[step + shift]
                part += 1
            for step in range(BLOCK):
                at_places[number, step] = np.uint32(place_bases[number]) + joint[step]
        # Crosses of few values lead to their rows at once, all others by their keys.
        table = tables
        for order in range(len(direct_parts)):
            one, two, three = direct_parts[order, 0], direct_parts[order, 1], direct_parts[order, 2]
            if not (some[one] and some[two] and some[three]):
                continue
            ones = values[one][MAX_OFFSET + direct_offsets[order, 0] :]
            twos = values[two][MAX_OFFSET + direct_offsets[order, 1] :]
            threes = values[three][MAX_OFFSET + direct_offsets[order, 2] :]
            by_one = numbers[number_firsts[order, 0] :]
            by_two = numbers[number_firsts[order, 1] :]
            by_three = numbers[number_firsts[order, 2] :]
            reach = direct_reaches[order]
            beyond = reach - 1
            met = np.uint64(0)
            if direct_parts[order, 2] == len(columns):  # two parts, as of most
                for step in range(BLOCK + beyond):
                    held = np.uint64(cells[by_one[ones[step]] + by_two[twos[step]]])
                    combined[step] = held * np.uint64(reach)
                    met |= held
            else:
                for step in range(BLOCK + beyond):
                    cell = by_one[ones[step]] + by_two[twos[step]] + by_three[threes[step]]
                    held = np.uint64(cells[cell])
                    combined[step] = held * np.uint64(reach)
                    met |= held
            if met == 0:
                continue
            for number in range(reach):
                base, shift = np.uint32(direct_bases[order] + number), beyond - number
                for step in range(BLOCK):
                    at_places[table, step] = base + combined[step + shift]
                table += 1
        while table % 4:
            at_places[table, :] = 0
            table += 1
        eights = table // 8 * 8
        for step in range(BLOCK):
            if tokens[first + step] < 0:
                continue
            target = around[step]
            for number in range(offsets):
                there = step + MAX_OFFSET + farthest - number
                picked[number] = np.uint64(ids[there]) * np.uint64(offsets) + np.uint64(number)
            # What a token gives itself is added last: a sum of its own, as crosses have one.
            picked[farthest] = 0
            for begin in range(0, len(picked), 8):
                one = by_word[picked[begin]]
                two = by_word[picked[begin + 1]]
                three = by_word[picked[begin + 2]]
                four = by_word[picked[begin + 3]]
                five = by_word[picked[begin + 4]]
                six = by_word[picked[begin + 5]]
                seven = by_word[picked[begin + 6]]
                eighth = by_word[picked[begin + 7]]
                if begin == 0:
                    for tag in range(width):
                        target[tag] = ((one[tag] + two[tag]) + (three[tag] + four[tag])) + (
                            (five[tag] + six[tag]) + (seven[tag] + eighth[tag])
                        )
                else:
                    for tag in range(width):
                        target[tag] += ((one[tag] + two[tag]) + (three[tag] + four[tag])) + (
                            (five[tag] + six[tag]) + (seven[tag] + eighth[tag])
                        )
        for step in range(BLOCK):
            if tokens[first + step] < 0:
                continue
            target = sums[step]
            if eights == 0:
                target[:] = 0
            for begin in range(0, eights, 8):
                one = place_sums[at_places[begin, step]]
                two = place_sums[at_places[begin + 1, step]]
                three = place_sums[at_places[begin + 2, step]]
                four = place_sums[at_places[begin + 3, step]]
                five = place_sums[at_places[begin + 4, step]]
                six = place_sums[at_places[begin + 5, step]]
                seven = place_sums[at_places[begin + 6, step]]
                eighth = place_sums[at_places[begin + 7, step]]
                if begin == 0:
                    for tag in range(width):
                        target[tag] = ((one[tag] + two[tag]) + (three[tag] + four[tag])) + (
                            (five[tag] + six[tag]) + (seven[tag] + eighth[tag])
                        )
                else:
                    for tag in range(width):
                        target[tag] += ((one[tag] + two[tag]) + (three[tag] + four[tag])) + (
                            (five[tag] + six[tag]) + (seven[tag] + eighth[tag])
                        )
            for begin in range(eights, table, 4):
                one = place_sums[at_places[begin, step]]
                two = place_sums[at_places[begin + 1, step]]
                three = place_sums[at_places[begin + 2, step]]
                four = place_sums[at_places[begin + 3, step]]
                for tag in range(width):
                    target[tag] += (one[tag] + two[tag]) + (three[tag] + four[tag])
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
                a, b, c = np.uint64(ones[step]), np.uint64(twos[step]), np.uint64(threes[step])
                code = a * radix[order, 1] + b * counted[order, 1]
                code = code * radix[order, 2] + c * counted[order, 2]
                code = code * np.uint64(MAX_CROSSES) + np.uint64(order)
                key[step] = code if a * b * c != 0 else np.uint64(0)
            for step in range(BLOCK + beyond):
                if key[step] != 0:
                    mix = key[step] * np.uint64(0x9E3779B97F4A7C15)
                    bit = (mix >> np.uint64(32)) & sieve_mask
                    keys[count], owners[count] = key[step], (BEYOND + step - beyond) * width
                    found[count] = mix
                    held = (sieve[bit >> np.uint64(6)] >> (bit & np.uint64(63))) & np.uint64(1)
                    count += held != 0
        # Step by step for all keys: these look-ups do not wait for each other.
        for number in range(count):
            mix = found[number]
            leads[number] = mix >> np.uint64(56)
            found[number] = (mix ^ (mix >> np.uint64(29))) & mask
            held_there[number] = slots[found[number]]
        for number in range(count):
            held = held_there[number]
            fits = held & np.uint64(255) == leads[number]
            begun_there[number] = (held >> np.uint64(8)) * np.uint64(2) if fits else np.uint64(0)
        unclear = 0
        for number in range(count):
            # An empty slot leads to record 0, whose key is none; a key that is not there ends so.
            wrong = np.uint64(records[begun_there[number]]) != keys[number]
            again[unclear] = number
            unclear += wrong and held_there[number] != 0
            if wrong:
                begun_there[number] = np.uint64(0)
        for place in range(unclear):
            number = again[place]
            wanted, leading = keys[number], leads[number]
            slot = (found[number] + np.uint64(1)) & mask
            while slots[slot] != 0:
                held = np.uint64(slots[slot])
                if held & np.uint64(255) == leading:
                    begun = (held >> np.uint64(8)) * np.uint64(2)
                    if np.uint64(records[begun]) == wanted:
                        begun_there[number] = begun
                        break
                slot = (slot + np.uint64(1)) & mask
        many, few = 0, 0
        for number in range(count):
            content = records[begun_there[number] + next_one]
            many_there[many], few_there[few] = number, number
            many += content < 0
            few += content > 0
        for place in range(many):
            number = many_there[place]
            content = -records[begun_there[number] + next_one]
            begin, there = owners[number], np.uint64((content >> 8) * width)
            for at in range(np.uint64((content & 255) * width)):
                all_flat[begin + at] += flat_dense[there + at]
        for place in range(few):
            number = few_there[place]
            begin, begun = owners[number], begun_there[number] + np.uint64(2)
            for entry in range(np.uint64(records[begun - next_one])):
                content = records[begun + entry]
                all_flat[begin + np.uint64(content & 0xFFFFFFFF)] += content >> 32
        for step in range(BLOCK):
            token = tokens[first + step]
            if token >= 0:
                own = by_word[np.uint64(ids[step + MAX_OFFSET]) * np.uint64(offsets) + last_one]
                for tag in range(tag_count):
                    whole = np.int64(own[tag]) + np.int64(around[step, tag])
                    scores[token, tag] = (whole + np.int64(sums[step, tag])) * unit


@cache
def compiled_scores() -> Callable[..., Any]:
    return compiled(scores_loop)


def words_loop(
    values: Any, columns: Any, bases: Any, begins: Any, entries: Any, spare: Any, sums: Any
) -> None:
    """Write the sums (words, offsets * width) of the weights of each word.

    They are in parts of a unit, of `spare` bits, until they are rounded.
    """
    half = (1 << spare) >> 1
    parts = np.zeros(sums.shape[1], dtype=np.int32)
    for word in range(len(values)):
        parts[:] = half
        for part in range(len(columns)):
            row = bases[part] + values[word, columns[part]]
            for entry in range(begins[row], begins[row + 1]):
                parts[entries[entry]["place"]] += entries[entry]["units"]
        for place in range(len(parts)):
            sums[word, place] = parts[place] >> spare


@cache
def compiled_words() -> Callable[..., Any]:
    return compiled(words_loop)


def best_path_loop(
    emissions: Any, bounds: Any, transitions: Any, leads: Any, gains: Any, afters: Any
) -> Any:
    """Look only at moves that may win against those of the tag that leads: see `find_gains`.

    Few tags may come before any (`leads`), and most of these before few others.
    """
    size, width = emissions.shape
    tags = np.zeros(size, dtype=np.int16)
    longest = 0
    for number in range(len(bounds) - 1):
        longest = max(longest, bounds[number + 1] - bounds[number])
    best = np.empty((2, width), dtype=np.float64)
    chosen = np.zeros((longest, width), dtype=np.int16)
    picked = np.zeros(width + 1, dtype=np.int64)
    largest = 0.0
    for before in range(width):
        for after in range(width):
            if np.isfinite(transitions[before, after]):
                largest = max(largest, abs(transitions[before, after]))
    for number in range(len(bounds) - 1):
        begin, end = bounds[number], bounds[number + 1]
        if begin == end:
            continue
        best[0] = emissions[begin]
        for step in range(1, end - begin):
            last, row = best[(step - 1) % 2], best[step % 2]
            leader, top = 0, last[0]
            # Mostly the first tag leads: counting is done for several tags at a time.
            higher = 0
            for before in range(width):
                higher += last[before] > top
            if higher:
                for before in range(1, width):
                    if last[before] > top:
                        leader, top = before, last[before]
            # What rounding may hide counts as no lead at all.
            margin = 1e-9 + 1e-14 * (abs(top) + largest)
            pick = chosen[step]
            least = leads[leader]
            near = 0
            for before in range(width):
                near += last[before] - top >= least[before] - margin
            if near == 1 and least[leader] - margin <= 0.0:  # the leader alone, as mostly
                for after in range(width):
                    row[after] = top + transitions[leader, after] + emissions[begin + step, after]
                    pick[after] = leader
                continue
            # First which tags may come before, without a branch that a processor guesses wrong.
            count = 0
            for before in range(width):
                picked[count] = before
                count += (last[before] - top >= least[before] - margin) & (before != leader)
            for after in range(width):
                row[after] = top + transitions[leader, after]
                pick[after] = leader
            for place in range(count):
                before = picked[place]
                score = last[before]
                needed = top - score - margin
                # Of the tags after, those by which it gains most, until it gains too little.
                for number_after in range(width):
                    if not gains[leader, before, number_after] >= needed:
                        break
                    after = afters[leader, before, number_after]
                    other = score + transitions[before, after]
                    if other > row[after] or (other == row[after] and before < pick[after]):
                        row[after] = other
                        pick[after] = before
            for after in range(width):
                row[after] += emissions[begin + step, after]
        row = best[(end - begin - 1) % 2]
        tag = 0
        for after in range(1, width):
            if row[after] > row[tag]:
                tag = after
        tags[end - 1] = tag
        for step in range(end - begin - 1, 0, -1):
            tag = chosen[step, tag]
            tags[begin + step - 1] = tag
    return tags


@cache
def compiled_best_path() -> Callable[..., Any]:
    return compiled(best_path_loop)


def set_flag(flags: Any, number: Any) -> Any:
    """Set a flag, and tell whether it was set: what `compiled_exchange` does, for one thread."""
    before = flags[number] != 0
    flags[number] = 1
    return before


#: What `reading_loop` calls, by the names that it calls it by: compiled when it is.
_read_scores: Callable[..., Any] = scores_loop
_read_path: Callable[..., Any] = best_path_loop
_set_flag: Callable[..., Any] = set_flag


def reading_loop(
    numbers: Any, parts: Any, begun: Any, done: Any,
    word_ids: Any, positions: Any, segments: Any, scores: Any, tables: Any,
    bounds: Any, unseen: Any, dial: Any, moves: Any, tags: Any,
) -> None:  # fmt: skip
    """Write the scores and the best paths of some parts of a batch, one after another.

    A part is the tokens from its first to its last number in `parts` (k, 4) and the bounds from
    the third to the fourth. Those that another thread has `begun` (k,) are left to it, and what
    others see of a part is whole when it is `done` (k,). `tables` is what `scores_loop` is given
    last, `moves` what `best_path_loop` is.
    """
    for number in numbers:
        if _set_flag(begun, number):
            continue
        first, last, begin, end = parts[number]
        some = scores[first:last]
        _read_scores(
            word_ids[first:last], positions[first:last], segments[first:last], some, *tables
        )
        for tag in unseen:
            some[:, tag] = -np.inf
        some[:, 0] -= dial
        tags[first:last] = _read_path(some, bounds[begin : end + 1] - first, *moves)
        some[:, 0] += dial
        _set_flag(done, number)


@cache
def compiled_reading() -> Callable[..., Any]:
    global _read_scores, _read_path, _set_flag
    _read_scores, _read_path = compiled_scores(), compiled_best_path()
    _set_flag = compiled_exchange()
    return compiled(reading_loop)
