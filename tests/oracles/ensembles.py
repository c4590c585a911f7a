"""Plain, slow versions of what an ensemble computes fast."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from scrubjay.taggers._combining.candidates import Candidates

Place = tuple[int, int, int]


def places(candidates: Candidates) -> list[Place]:
    """Return `(document, start, end)` of each candidate."""
    columns = (candidates.documents, candidates.starts, candidates.ends)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def clash(one: Place, other: Place) -> bool:
    """Tell whether two candidates share a character."""
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]


def best_sum(candidates: Candidates, weights: Sequence[int]) -> int:
    """Return the largest sum of weights of any disjoint set, by trying every set."""
    where = places(candidates)
    best = 0
    for size in range(len(where) + 1):
        for rows in combinations(range(len(where)), size):
            if not any(clash(where[a], where[b]) for a, b in combinations(rows, 2)):
                best = max(best, sum(weights[row] for row in rows))
    return best


def all_pairs(candidates: Candidates) -> set[tuple[int, int]]:
    """Return every pair of different rows that share a character, in both orders."""
    where = places(candidates)
    size = range(len(where))
    return {(a, b) for a in size for b in size if a != b and clash(where[a], where[b])}


def rbf_margin(
    row: Sequence[float],
    support: Sequence[Sequence[float]],
    dual: Sequence[float],
    intercept: float,
    gamma: float,
) -> float:
    """Return the margin of one scaled row, term by term."""
    total = intercept
    for vector, weight in zip(support, dual, strict=True):
        square = sum((a - b) ** 2 for a, b in zip(row, vector, strict=True))
        total += weight * math.exp(-gamma * square)
    return total


def rival_flags(candidates: Candidates, row: int) -> tuple[list[list[bool]], int]:
    """Return for each kind of rivalry which members propose such a rival, and how many rivals."""
    members = candidates.proposed.shape[1]
    flags = [[False] * members for _ in range(3)]
    rivals = 0
    where = places(candidates)
    for other in range(len(where)):
        if other == row or not clash(where[row], where[other]):
            continue
        rivals += 1
        same_borders = where[row] == where[other]
        same_label = candidates.labels[row] == candidates.labels[other]
        kind = 0 if same_borders else 1 if same_label else 2
        for member in range(members):
            flags[kind][member] |= bool(candidates.proposed[other, member])
    return flags, rivals
