"""How many typing errors part two words: edits, swaps of neighbours among them."""

from __future__ import annotations


def distance(a: str, b: str, limit: int) -> int:
    """Return the number of edits between two words if it is at most `limit`, else any above it.

    An edit inserts, deletes or replaces a character, or swaps two neighbours (optimal string
    alignment: no piece is edited twice). Few edits leave few ways: each is tried where the words
    first differ, so that the time grows with their length alone.
    """
    size = min(len(a), len(b))
    if max(len(a), len(b)) - size > limit:
        return limit + 1
    start = 0
    while start < size and a[start] == b[start]:
        start += 1
    if start == len(a) or start == len(b):
        return len(a) + len(b) - 2 * start
    if not limit:
        return 1
    a, b = a[start:], b[start:]
    found = min(
        distance(a[1:], b[1:], limit - 1),
        distance(a[1:], b, limit - 1),
        distance(a, b[1:], limit - 1),
    )
    if a[:2] == b[1::-1]:
        found = min(found, distance(a[2:], b[2:], limit - 1))
    return 1 + found
