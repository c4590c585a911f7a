"""Tag schemes as tables: spans over tokens <-> one integer tag per token.

A tag is an integer: 0 is `O`, and label `k` of the label list owns the block that starts at
`1 + k * len(scheme.prefixes)`, one tag per prefix, in the order of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError

TagArray = npt.NDArray[np.int16]
IndexArray = npt.NDArray[np.int64]
TokenRange = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Scheme:
    """A tag scheme: which prefix the first, inner, last and only token of a span takes."""

    name: str
    prefixes: tuple[str, ...]
    first: int
    inner: int
    last: int
    only: int

    def tag_names(self, labels: Sequence[str]) -> tuple[str, ...]:
        """Return the name of each tag, `O` first: `("O", "B-DATE", "I-DATE", ...)`."""
        named = (f"{prefix}-{label}" for label in labels for prefix in self.prefixes)
        return ("O", *named)


SCHEMES = {
    "BIO": Scheme("BIO", ("B", "I"), first=0, inner=1, last=1, only=0),
    "BIOEU": Scheme("BIOEU", ("B", "I", "E", "U"), first=0, inner=1, last=2, only=3),
}


def find_scheme(name: str) -> Scheme:
    """Return the scheme of that name; raises `ConfigError` for an unknown one."""
    try:
        return SCHEMES[name]
    except KeyError:
        known = ", ".join(SCHEMES)
        raise ConfigError(f"unknown tag scheme {name!r}", hint=f"Known: {known}") from None


def encode_tags(
    ranges: Iterable[TokenRange], size: int, *, scheme: Scheme, labels: Sequence[str]
) -> TagArray:
    """Return the tags (int16, shape `(size,)`) of disjoint token ranges."""
    index = {label: number for number, label in enumerate(labels)}
    tags = np.zeros(size, dtype=np.int16)
    for first, last, label in ranges:
        base = 1 + index[label] * len(scheme.prefixes)
        tags[first:last] = base + scheme.inner
        tags[first] = base + scheme.first
        tags[last - 1] = base + (scheme.last if last - first > 1 else scheme.only)
    return tags


def allowed_moves(scheme: Scheme, labels: int) -> npt.NDArray[np.bool_]:
    """Return which tag (column) may follow which (row) in tags that `encode_tags` makes.

    The shape is (tags, tags) for so many labels, `O` first.
    """
    width = len(scheme.prefixes)
    prefixes = np.concatenate([[-1], np.tile(np.arange(width), labels)])
    owners = np.concatenate([[-1], np.repeat(np.arange(labels), width)])
    begins = np.isin(prefixes, [-1, scheme.first, scheme.only])
    # In schemes without a last tag a span may end anywhere.
    open_ended = scheme.last == scheme.inner
    ends = np.isin(prefixes, [-1, scheme.last, scheme.only]) | open_ended
    goes_on = np.isin(prefixes, [scheme.first, scheme.inner])
    inside = np.isin(prefixes, [scheme.inner, scheme.last])
    within = goes_on[:, None] & inside & (owners[:, None] == owners)
    allowed: npt.NDArray[np.bool_] = (ends[:, None] & begins) | within
    return allowed


def decode_tags(tags: TagArray, *, scheme: Scheme, labels: Sequence[str]) -> list[TokenRange]:
    """Return the token ranges of a tag sequence, repaired where it is not well formed.

    A span begins at a tag of another label, after `O`, or at a prefix that begins a span; it
    ends before the next beginning or after a prefix that ends one. So an `I-` without its
    `B-` begins a span (Trienes 2020, section 4.4), and no tagged token is ever lost.
    """
    width = len(scheme.prefixes)
    begins = {scheme.first, scheme.only}
    closes = {scheme.last, scheme.only} - {scheme.inner, scheme.first}
    ranges: list[TokenRange] = []
    start, end, current, closed = -1, -1, -1, True
    for position in np.flatnonzero(tags).tolist():
        label, prefix = divmod(int(tags[position]) - 1, width)
        gap = start < 0 or position != end
        if gap or closed or label != current or prefix in begins:
            if start >= 0:
                ranges.append((start, end, labels[current]))
            start, current = position, label
        end = position + 1
        closed = prefix in closes
    if start >= 0:
        ranges.append((start, end, labels[current]))
    return ranges


@cache
def _borders(scheme: Scheme) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return which prefixes of a scheme begin a span whatever stands before, and which end one."""
    prefixes = range(len(scheme.prefixes))
    closing = {scheme.last, scheme.only} - {scheme.inner, scheme.first}
    begins = [prefix in (scheme.first, scheme.only) for prefix in prefixes]
    return np.array(begins), np.array([prefix in closing for prefix in prefixes])


def decode_joined(
    tags: TagArray, offsets: npt.NDArray[np.integer[Any]], *, scheme: Scheme
) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Return what `decode_tags` finds in each of several texts, whose tags follow each other.

    Text `i` has the tags from `offsets[i]` to `offsets[i + 1]`. The three arrays are the first
    token of each range and the one after its last, counted in all tags, and the number of its
    label.
    """
    places = np.flatnonzero(tags)
    texts = np.searchsorted(offsets, places, side="right")
    labels, prefixes = np.divmod(tags[places].astype(np.int64) - 1, len(scheme.prefixes))
    begins, closes = _borders(scheme)
    joins = np.zeros(len(places), dtype=np.bool_)
    joins[1:] = places[1:] - places[:-1] == 1
    joins[1:] &= (labels[1:] == labels[:-1]) & (texts[1:] == texts[:-1])
    joins[1:] &= ~(begins[prefixes[1:]] | closes[prefixes[:-1]])
    starts = np.flatnonzero(~joins)
    lasts = np.append(starts[1:], len(places))[: len(starts)] - 1
    return places[starts], places[lasts] + 1, labels[starts]
