"""The decoding kernels of linear-chain models: the best path.

They take `emissions` (n, tags) of a batch, `bounds` (s + 1,) of its sentences and
`transitions` (tags, tags) from row to column. Each kernel exists as plain numpy, batched over
sentences, and is compiled by numba where that is installed and the work is worth it; both
give the same paths, ties going to the smallest tag (CRFsuite's go to the tag that it met first
in training). Scores of -inf are allowed, as long as each token has one tag in reach.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import compiled, use_compiled
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray

FloatArray = npt.NDArray[np.float64]

_KERNEL = ("taggers/_viterbi.py", "_best_path_loop")

#: Sentences that the numpy kernel advances together; bounds its memory on large batches.
SENTENCES_AT_ONCE = 512

#: Tables of moves of which it is kept which tags may come before which.
_KEPT_LEADS = 16
#: Tables of moves of which the gains are kept: they take ten bytes for each triple of tags.
_KEPT_GAINS = 4


def best_path(emissions: FloatArray, bounds: IntArray, transitions: FloatArray) -> TagArray:
    """Return the best tag of every token (int16, shape `(n,)`), sentence by sentence."""
    if use_compiled(len(emissions), late=_KERNEL):
        moves = np.ascontiguousarray(transitions)
        tags: TagArray = _compiled_best_path()(
            np.ascontiguousarray(emissions),
            bounds,
            moves,
            *_find_gains(moves.tobytes(), len(moves)),
        )
        return tags
    return best_path_numpy(emissions, bounds, transitions)


def best_path_numpy(emissions: FloatArray, bounds: IntArray, transitions: FloatArray) -> TagArray:
    """The numpy kernel: sentences advance together, the longest alone at the end."""
    tags = np.zeros(len(emissions), dtype=np.int16)
    best = np.empty_like(emissions)
    sizes = np.diff(bounds).astype(np.int64)
    order = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
    starts = bounds[:-1][order].astype(np.int64)
    leads = _find_leads(np.ascontiguousarray(transitions).tobytes(), len(transitions))
    for first in range(0, len(order), SENTENCES_AT_ONCE):
        block = slice(first, first + SENTENCES_AT_ONCE)
        _advance(
            emissions, transitions, leads, starts[block], sizes[order[block]], best=best, tags=tags
        )
    return tags


@lru_cache(_KEPT_LEADS)
def _find_leads(transitions: bytes, width: int) -> FloatArray:
    """Return by how much a tag (columns) may trail the leader (rows) and still come before another.

    Where it trails by more, the leader is the better one before whatever tag comes after.
    """
    moves = np.frombuffer(transitions, dtype=np.float64).reshape(width, width)
    leads = np.empty((width, width), dtype=np.float64)
    never = np.isneginf(moves)
    with np.errstate(invalid="ignore"):
        for leader in range(width):
            leads[leader] = np.where(never, np.inf, moves[leader] - moves).min(axis=1)
    return leads


@lru_cache(_KEPT_GAINS)
def _find_gains(
    transitions: bytes, width: int
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.int16]]:
    """Return the leads, and for a leader and a tag before what that tag gains by its moves.

    Gains (leader, before, width) are by how much more its moves score than those of the leader, the
    greatest first; the tags after, to which the moves lead, are in the same order.
    """
    moves = np.frombuffer(transitions, dtype=np.float64).reshape(width, width)
    gains = np.empty((width, width, width), dtype=np.float64)
    afters = np.empty((width, width, width), dtype=np.int16)
    never = np.isneginf(moves)
    with np.errstate(invalid="ignore"):
        for leader in range(width):
            gained = np.where(never, -np.inf, moves - moves[leader])
            order = np.argsort(-gained, axis=1, kind="stable")
            afters[leader] = order
            gains[leader] = np.take_along_axis(gained, order, axis=1)
    return _find_leads(transitions, width), gains, afters


def _advance(
    emissions: FloatArray,
    transitions: FloatArray,
    leads: FloatArray,
    starts: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    *,
    best: FloatArray,
    tags: TagArray,
) -> None:
    """Write the best scores and the path of sentences that are sorted by size, longest first.

    Only tags that may come before any are looked at: the one that leads, and few others.
    """
    best[starts] = emissions[starts]
    finite = np.abs(transitions[np.isfinite(transitions)])
    largest = float(finite.max()) if len(finite) else 0.0
    for step in range(1, int(sizes[0])):
        alive = int(np.searchsorted(-sizes, -step, side="left"))
        here = starts[:alive] + step
        last = best[here - 1]
        leaders = last.argmax(axis=1)
        top = last[np.arange(alive), leaders]
        # What rounding may hide counts as no lead at all.
        margin = 1e-9 + 1e-14 * (np.abs(top) + largest)
        near = last - top[:, None] >= leads[leaders] - margin[:, None]
        near[np.arange(alive), leaders] = True
        rows, before = np.nonzero(near)
        scores = last[rows, before][:, None] + transitions[before]
        if len(rows) > alive:
            scores = np.maximum.reduceat(scores, np.flatnonzero(np.diff(rows, prepend=-1)))
        best[here] = scores + emissions[here]
    ends = starts + sizes - 1
    tags[ends] = best[ends].argmax(axis=1)
    for step in range(int(sizes[0]) - 1, 0, -1):
        alive = int(np.searchsorted(-sizes, -step, side="left"))
        here = starts[:alive] + step
        scores = best[here - 1] + transitions.T[tags[here]]
        tags[here - 1] = scores.argmax(axis=1)


def _best_path_loop(
    emissions: Any, bounds: Any, transitions: Any, leads: Any, gains: Any, afters: Any
) -> Any:
    """Look only at moves that may win against those of the tag that leads: see `_find_gains`.

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
def _compiled_best_path() -> Callable[..., Any]:
    return compiled(_best_path_loop)
