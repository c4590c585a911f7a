"""The decoding kernels of linear-chain models: the best path.

They take `emissions` (n, tags) of a batch, `bounds` (s + 1,) of its sentences and
`transitions` (tags, tags) from row to column. Each kernel exists as plain numpy, batched over
sentences, and is compiled by numba where that is installed and the work is worth it; both
give the same paths, ties going to the smallest tag (CRFsuite's go to the tag that it met first
in training). Scores of -inf are allowed, as long as each token has one tag in reach.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import use_compiled
from scrubjay.taggers._reading_loops import compiled_best_path
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray

FloatArray = npt.NDArray[np.float64]

Moves = tuple[FloatArray, FloatArray, FloatArray, npt.NDArray[np.int16]]

_KERNEL = ("taggers/_reading_loops.py", "best_path_loop")

#: Sentences that the numpy kernel advances together; bounds its memory on large batches.
SENTENCES_AT_ONCE = 512

#: Tables of moves of which it is kept which tags may come before which.
_KEPT_LEADS = 16
#: Tables of moves of which the gains are kept: they take ten bytes for each triple of tags.
_KEPT_GAINS = 4


def best_path(emissions: FloatArray, bounds: IntArray, transitions: FloatArray) -> TagArray:
    """Return the best tag of every token (int16, shape `(n,)`), sentence by sentence."""
    if use_compiled(len(emissions), late=_KERNEL):
        tags: TagArray = compiled_best_path()(
            np.ascontiguousarray(emissions), bounds, *find_moves(transitions)
        )
        return tags
    return best_path_numpy(emissions, bounds, transitions)


def find_moves(transitions: FloatArray) -> Moves:
    """Return what the compiled kernel is given of moves: themselves, and what may be gained."""
    moves = np.ascontiguousarray(transitions)
    return moves, *find_gains(moves.tobytes(), len(moves))


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
def find_gains(
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
