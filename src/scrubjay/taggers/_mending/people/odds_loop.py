"""The compiled kernel of the labels of persons: what `contexts` and `person_labels` work out.

Imported where compiled kernels are wanted, and there alone: importing it loads numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.taggers._mending.people.context_loop import BLANK_LINE, EDGE, LINE, WORDS
from scrubjay.taggers._mending.people.contexts import (
    BAGS,
    BEFORE_IT,
    BEHIND_IT,
    BUCKETS,
    COLUMNS,
    COUNT,
    EDGES,
    HEAD,
    KEY,
    L0,
    LOOK,
    MOST_ALIKE,
    MOST_BEFORE,
    MOST_PERSONS,
    NEARER,
    ORDER,
    OTHERS,
    PLACE,
    R0,
    SHAPE,
    SLOTS,
    TAIL,
)

_BITS = 0xFFFF_FFFF


@compiled
def _mix(one: Any, other: Any) -> Any:
    mixed = (one ^ (other * 0x9E37_79B1 & _BITS)) * 0x85EB_CA77 & _BITS
    mixed = (mixed ^ (mixed >> 15)) * 0xC2B2_AE35 & _BITS
    return mixed ^ (mixed >> 13)


@compiled
def _is_edge(token: Any) -> Any:
    return token in (EDGE, LINE, BLANK_LINE)


@compiled
def _add(sums: Any, weights: Any, token: Any, kind: Any) -> None:
    bucket = _mix(token, kind) & (BUCKETS - 1)
    for label in range(len(sums)):
        sums[label] += weights[bucket, label]


@compiled
def odds_loop(
    around: Any, keys: Any, lines: Any, people: Any, firsts: Any, sizes: Any, before: Any,
    mixes: Any, weights: Any, offsets: Any, counts: Any, odds: Any,
) -> None:  # fmt: skip
    """Write the log-odds (persons, labels) that `person_labels` chooses by.

    `around`, `keys` and `lines` are what `contexts.read_around` gives for the `people` of texts of
    these `sizes`; those of a text lie between two of `firsts`. `before` are the labels that were
    found, and `counts` the step of `weights`, the trust, and how much the same and others count.
    """
    step, trust, same, others = counts
    words = 1 + people[:, 4:].max()
    met, earliest = np.zeros(words, np.int64), np.full(words, len(people))
    totals, whole = np.zeros((words, len(offsets))), np.zeros(len(offsets))
    shares, sums = np.empty_like(odds), np.empty(len(offsets), np.int64)
    slots = np.empty(SLOTS, np.int64)
    for text in range(len(sizes)):
        first, last = firsts[text], firsts[text + 1]
        for person in range(first, last):
            for word in people[person, 4:]:
                if word:
                    met[word] += 1
                    earliest[word] = min(earliest[word], person)
        whole[:] = 0
        for person in range(first, last):
            start, end = people[person, 0], people[person, 1]
            for place in range(4):
                slots[L0 + place] = around[person, WORDS - 1 - place]
                slots[R0 + place] = around[person, WORDS + place]
            slots[LOOK], slots[SHAPE] = people[person, 2], people[person, 3]
            slots[KEY] = keys[person]
            slots[PLACE] = 5 * start // sizes[text] + 8 * (start < HEAD) + 32 * lines[person]
            slots[PLACE] += 16 * (sizes[text] - end < TAIL)
            alike, is_again = 1, False
            for word in people[person, 4:]:
                if word:
                    alike = max(alike, met[word])
                    is_again |= earliest[word] < person
            slots[OTHERS] = min(alike - 1, MOST_ALIKE) + 8 * is_again
            slots[ORDER] = min(person - first, MOST_BEFORE)
            slots[COUNT] = min(last - first, MOST_PERSONS)
            slots[EDGES] = _is_edge(slots[L0]) * 2 + _is_edge(slots[R0])
            slots[BEFORE_IT] = people[person - 1, 2] if person > first else 0
            slots[BEHIND_IT] = people[person + 1, 2] if person < last - 1 else 0
            for mix in range(len(mixes)):
                slots[mixes[mix, 0]] = _mix(slots[mixes[mix, 1]], slots[mixes[mix, 2]])
            sums[:] = 0
            for slot in range(COLUMNS):
                _add(sums, weights, slots[slot], slot + 1)
            for side in range(2):
                is_past = False
                for place in range(WORDS):
                    token = np.int64(around[person, WORDS + place if side else WORDS - 1 - place])
                    is_past |= token == BLANK_LINE
                    token = np.int64(EDGE) if is_past else token
                    _add(sums, weights, token, BAGS + side)
                    if place < NEARER:
                        _add(sums, weights, token, BAGS + 2 + side)
            total = 0.0
            for label in range(len(offsets)):
                odds[person, label] = sums[label] * step + offsets[label]
                odds[person, label] += trust * (label == before[person])
            most = odds[person].max()
            for label in range(len(offsets)):
                shares[person, label] = np.exp(odds[person, label] - most)
                total += shares[person, label]
            for label in range(len(offsets)):
                shares[person, label] = shares[person, label] / total - 1.0 / len(offsets)
                whole[label] += shares[person, label]
                for word in people[person, 4:]:
                    totals[word, label] += shares[person, label]
        for person in range(first, last):
            for label in range(len(offsets)):
                share, told, mentions = shares[person, label], 0.0, 0
                for word in people[person, 4:]:
                    if word:
                        told += totals[word, label] - share
                        mentions += met[word] - 1
                odds[person, label] += same * told / np.sqrt(max(mentions, 1))
                odds[person, label] += others * (whole[label] - share) / max(last - first - 1, 1)
