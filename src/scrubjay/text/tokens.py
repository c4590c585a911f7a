"""Tokens as offset arrays, and the exact mapping between characters and tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from scrubjay.document import Span

IntArray = npt.NDArray[np.int32]
AlignmentMode = Literal["strict", "contract", "expand"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tokens:
    """The tokens of one text, as arrays.

    `starts` and `ends` (int32, shape `(n,)`) are half-open character offsets, ascending and
    without overlap; every non-space character of `text` lies in exactly one token.
    `sentence_starts` (int32, shape `(s,)`) are the indices of the first token of each
    sentence; it is empty where there is no token and begins with 0 otherwise.
    """

    text: str
    starts: IntArray
    ends: IntArray
    sentence_starts: IntArray

    def __len__(self) -> int:
        return len(self.starts)

    def __repr__(self) -> str:
        return f"Tokens({len(self)} tokens, {len(self.sentence_starts)} sentences)"

    def words(self) -> list[str]:
        """Return the surface form of each token."""
        text = self.text
        return [text[s:e] for s, e in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]

    def sentence_bounds(self) -> IntArray:
        """Return `sentence_starts` with the number of tokens appended (shape `(s + 1,)`)."""
        return np.append(self.sentence_starts, np.int32(len(self))).astype(np.int32)

    def token_range(
        self, start: int, end: int, *, mode: AlignmentMode = "expand"
    ) -> tuple[int, int] | None:
        """Return the half-open token range of the characters `[start, end)`, or None.

        `strict` demands that both borders are token borders, `contract` takes the tokens
        wholly inside, `expand` every token that shares a character. None where no token fits.
        """
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left"))
        if first >= last:
            return None
        begins = int(self.starts[first]) >= start
        finishes = int(self.ends[last - 1]) <= end
        if mode == "expand" or (begins and finishes):
            exact = int(self.starts[first]) == start and int(self.ends[last - 1]) == end
            return (first, last) if mode != "strict" or exact else None
        if mode == "strict":
            return None
        first, last = first + (not begins), last - (not finishes)
        return (first, last) if first < last else None


@dataclass(frozen=True, slots=True)
class Alignment:
    """Spans laid on tokens, and what did not fit.

    `ranges` are `(first, last, label)` with `last` exclusive, sorted and disjoint.
    `misaligned` are the spans whose borders are not those of tokens, because they fall inside a
    token or in white space; with `strict` and `contract` these may be missing from `ranges`.
    `collided` are the spans that lost their tokens to a longer span. `empty` are the spans
    without any token (white space alone). All are sorted.
    """

    ranges: tuple[tuple[int, int, str], ...]
    misaligned: tuple[Span, ...] = ()
    collided: tuple[Span, ...] = ()
    empty: tuple[Span, ...] = ()


def align_spans(
    tokens: Tokens, spans: Iterable[Span], *, mode: AlignmentMode = "expand"
) -> Alignment:
    """Lay spans on tokens by a named policy; nothing is dropped without being counted.

    Where two spans claim one token, the longer keeps it (the earlier of equals).
    """
    claimed = np.zeros(len(tokens), dtype=bool)
    ranges: list[tuple[int, int, str]] = []
    misaligned: list[Span] = []
    collided: list[Span] = []
    empty: list[Span] = []
    for span in sorted(spans, key=lambda span: (-len(span), span)):
        widest = tokens.token_range(span.start, span.end, mode="expand")
        if widest is None:
            empty.append(span)
            continue
        if tokens.token_range(span.start, span.end, mode="strict") is None:
            misaligned.append(span)
        found = tokens.token_range(span.start, span.end, mode=mode)
        if found is None:
            continue
        if claimed[found[0] : found[1]].any():
            collided.append(span)
            continue
        claimed[found[0] : found[1]] = True
        ranges.append((found[0], found[1], span.label))
    return Alignment(
        tuple(sorted(ranges)),
        tuple(sorted(misaligned)),
        tuple(sorted(collided)),
        tuple(sorted(empty)),
    )
