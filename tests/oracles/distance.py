"""The distance of two words by the table of the textbooks."""

from __future__ import annotations


def plain_distance(first: str, second: str) -> int:
    """Return the distance of two words (optimal string alignment)."""
    table = [[max(i, j) if 0 in (i, j) else 0 for j in range(len(second) + 1)]
             for i in range(len(first) + 1)]  # fmt: skip
    for i in range(1, len(first) + 1):
        for j in range(1, len(second) + 1):
            same = first[i - 1] == second[j - 1]
            best = min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1] - same) + 1
            if i > 1 and j > 1 and first[i - 1] == second[j - 2] and first[i - 2] == second[j - 1]:
                best = min(best, table[i - 2][j - 2] + 1)
            table[i][j] = best
    return table[-1][-1]
