"""The compiled kernel of the sieve: finds the anchors of texts and walks from each of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.taggers._search.automaton import GOES_ON, LONGEST_WALK, MATCHES, UNKNOWN
from scrubjay.taggers._search.steps import BEGIN, END, OTHER

LETTER, DIGIT = 1, 2
"""Kinds of characters; all others are 0."""

NONE = -2
"""In the place of a node: there is nothing to walk for."""

SALT = 0x9E3779B97F4A7C15
FACTOR = 0x100000001B3


def sieve_loop(
    all_codes: Any, bounds: Any, kinds: Any, lowers: Any, openings: Any,
    slots: Any, words: Any, store: Any, has_forms: Any, starts: Any,
    number_start: int, code_start: int,
    rows: Any, ends: Any, behind: Any,
    heads: Any, signs: Any, sign_store: Any, held: Any, counts: Any,
) -> Any:  # fmt: skip
    """Return the places at which something may match, and the nodes that tell what.

    The texts lie one after another between `bounds`. A place is counted from the begin of its text;
    `counts` is set to how many each has. The node is `UNKNOWN` where a walk came to what was not
    worked out yet. `held` (texts, signs) is set for each sign that a text holds. Of the other
    arrays `sieve_tables.Tables` tells.
    """
    places = np.empty(2 * len(all_codes), dtype=np.int32)
    begins = np.empty(2 * len(all_codes), dtype=np.int32)
    nodes = np.empty(2 * len(all_codes), dtype=np.int32)
    mask = np.uint64(len(slots) - 1)
    found = 0
    for text in range(len(bounds) - 1):
        codes = all_codes[bounds[text] : bounds[text + 1]]
        size = len(codes)
        for place in range(size):
            code = codes[place]
            if code < OTHER:
                for sign in range(heads[code], heads[code + 1]):
                    begin, end = signs[sign], signs[sign + 1]
                    if held[text, sign] or place + end - begin > size:
                        continue
                    at = begin + 1
                    while at < end and codes[place + at - begin] == sign_store[at]:
                        at += 1
                    held[text, sign] = at == end
        # First the anchors: each has its place, and a walk that begins there or behind the word.
        count = before = found
        place = 0
        while place < size:
            kind = kinds[codes[place]]
            first = place
            if kind == LETTER:
                key = np.uint64(0)
                odd = False
                while place < size and kinds[codes[place]] == LETTER:
                    lower = lowers[codes[place]]
                    odd |= lower == 0
                    key = (key ^ np.uint64(lower)) * np.uint64(FACTOR)
                    place += 1
                node = UNKNOWN if odd else NONE
                known = -1
                # The word as a key, in small letters; then, where that matters, as it is written.
                for written in range(2):
                    if odd or (written and (known < 0 or not has_forms[known])):
                        break
                    if written:
                        key = np.uint64(SALT)
                        for at in range(first, place):
                            key = (key ^ np.uint64(codes[at])) * np.uint64(FACTOR)
                    slot = (key ^ (key >> np.uint64(32))) & mask
                    while slots[slot] >= 0:
                        word = slots[slot]
                        begin = words[word, 0]
                        same = words[word, 1] == place - first and words[word, 2] == written
                        for at in range(first, place):
                            if not same:
                                break
                            code = codes[at] if written else lowers[codes[at]]
                            same = store[begin + at - first] == code
                        if same:
                            known = word
                            node = starts[word]
                            break
                        slot = (slot + np.uint64(1)) & mask
                if node != NONE:
                    places[count], begins[count], nodes[count] = first, place, node
                    count += 1
                if code_start != NONE and place < size and kinds[codes[place]] == DIGIT:
                    places[count], begins[count], nodes[count] = first, first, code_start
                    count += 1
            elif kind == DIGIT:
                for _ in range(2):  # signs that may belong to the number
                    for opening in openings:
                        if first and codes[first - 1] == opening:
                            first -= 1
                            break
                for at in range(first, place + 1 if number_start != NONE else first):
                    places[count], begins[count], nodes[count] = at, at, number_start
                    count += 1
                while place < size and kinds[codes[place]] == DIGIT:
                    place += 1
            else:
                place += 1
        # Then the walks; what may match is kept, in the place of what was looked at before.
        for anchor in range(before, count):
            node, place, at = nodes[anchor], places[anchor], begins[anchor]
            if node >= len(rows):  # made just now, by another thread
                node = UNKNOWN
            if node >= 0:
                node = rows[node, min(codes[at - 1], OTHER) if at else BEGIN]
            limit = at + LONGEST_WALK
            while node >= 0 and ends[node] == GOES_ON:
                if at == size:
                    node = rows[node, END]
                elif at == limit:
                    node = UNKNOWN
                else:
                    node = rows[node, min(codes[at], OTHER)]
                    at += 1
            if node >= 0 and ends[node] == MATCHES:
                back = behind[node] if node < len(behind) else UNKNOWN
                if back != NONE:  # some ask for what stands before the place
                    node, at = back if back < len(rows) else UNKNOWN, place
                    if node >= 0:
                        node = rows[node, END]
                    while node >= 0 and ends[node] == GOES_ON:
                        at -= 1
                        if at < 0:
                            node = rows[node, BEGIN]
                        elif at < place - LONGEST_WALK:
                            node = UNKNOWN
                        else:
                            node = rows[node, min(codes[at], OTHER)]
            if node < 0 or ends[node] == MATCHES:
                places[found], nodes[found] = place, node
                found += 1
        counts[text] = found - before
    return places[:found], nodes[:found]


@cache
def compiled_sieve() -> Callable[..., Any]:
    return compiled(sieve_loop)
