"""The decoding kernels of linear-chain models: best path, and probabilities of segments.

All take `emissions` (n, tags) of a batch, `bounds` (s + 1,) of its sentences and
`transitions` (tags, tags) from row to column. Each kernel exists as plain numpy, batched over
sentences, and is compiled by numba where that is installed and the work is worth it; both
give the same paths, ties going to the smallest tag (CRFsuite's go to the tag that it met first
in training). Scores of -inf are allowed, as long as each token has one tag in reach.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray

FloatArray = npt.NDArray[np.float64]
Segments = npt.NDArray[np.int64]

#: Tokens that pass through numpy kernels before the compiled ones are loaded. Their first use
#: on a machine costs seconds of compiling, later ones half a second: small runs do without.
COMPILE_FROM = 500_000

#: Sentences that the numpy kernel advances together; bounds its memory on large batches.
SENTENCES_AT_ONCE = 512


@cache
def _numba_installed() -> bool:
    return importlib.util.find_spec("numba") is not None


class Workload:
    """Counts the tokens of a process, to tell when compiled kernels pay for themselves."""

    def __init__(self) -> None:
        self.tokens = 0

    def grow(self, size: int) -> bool:
        """Add a batch; tell whether it should run on compiled kernels."""
        self.tokens += size
        return _numba_installed() and (self.tokens >= COMPILE_FROM or "numba" in sys.modules)


_WORKLOAD = Workload()


def use_compiled(size: int) -> bool:
    """Count a pass over `size` tokens; tell whether it should run on compiled kernels."""
    return _WORKLOAD.grow(size)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel with numba, cached on disk where there is a place to write to."""
    import numba

    result: Callable[..., Any]
    try:
        result = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # read-only package folder and home
        result = numba.njit(nogil=True)(function)
    return result


def best_path(emissions: FloatArray, bounds: IntArray, transitions: FloatArray) -> TagArray:
    """Return the best tag of every token (int16, shape `(n,)`), sentence by sentence."""
    if use_compiled(len(emissions)):
        tags: TagArray = _compiled_best_path()(
            np.ascontiguousarray(emissions), bounds, np.ascontiguousarray(transitions)
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
    for first in range(0, len(order), SENTENCES_AT_ONCE):
        block = slice(first, first + SENTENCES_AT_ONCE)
        _advance(emissions, transitions, starts[block], sizes[order[block]], best=best, tags=tags)
    return tags


def _advance(
    emissions: FloatArray,
    transitions: FloatArray,
    starts: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    *,
    best: FloatArray,
    tags: TagArray,
) -> None:
    """Write the best scores and the path of sentences that are sorted by size, longest first."""
    best[starts] = emissions[starts]
    for step in range(1, int(sizes[0])):
        alive = int(np.searchsorted(-sizes, -step, side="left"))
        here = starts[:alive] + step
        scores = best[here - 1][:, :, None] + transitions[None]
        best[here] = scores.max(axis=1) + emissions[here]
    ends = starts + sizes - 1
    tags[ends] = best[ends].argmax(axis=1)
    for step in range(int(sizes[0]) - 1, 0, -1):
        alive = int(np.searchsorted(-sizes, -step, side="left"))
        here = starts[:alive] + step
        scores = best[here - 1] + transitions.T[tags[here]]
        tags[here - 1] = scores.argmax(axis=1)


def _best_path_loop(emissions: Any, bounds: Any, transitions: Any) -> Any:
    size, width = emissions.shape
    tags = np.zeros(size, dtype=np.int16)
    backward = np.ascontiguousarray(transitions.T)
    longest = 0
    for number in range(len(bounds) - 1):
        longest = max(longest, bounds[number + 1] - bounds[number])
    best = np.empty((longest, width), dtype=np.float64)
    for number in range(len(bounds) - 1):
        begin, end = bounds[number], bounds[number + 1]
        if begin == end:
            continue
        best[0] = emissions[begin]
        for step in range(1, end - begin):
            row = best[step]
            for after in range(width):
                row[after] = -np.inf
            for before in range(width):
                score = best[step - 1, before]
                for after in range(width):
                    row[after] = max(row[after], score + transitions[before, after])
            for after in range(width):
                row[after] += emissions[begin + step, after]
        tag = 0
        for after in range(1, width):
            if best[end - begin - 1, after] > best[end - begin - 1, tag]:
                tag = after
        tags[end - 1] = tag
        for step in range(end - begin - 1, 0, -1):
            chosen, top = 0, best[step - 1, 0] + backward[tag, 0]
            for before in range(1, width):
                score = best[step - 1, before] + backward[tag, before]
                if score > top:
                    chosen, top = before, score
            tag = chosen
            tags[begin + step - 1] = tag
    return tags


@cache
def _compiled_best_path() -> Callable[..., Any]:
    return compiled(_best_path_loop)


def segment_probabilities(
    emissions: FloatArray,
    bounds: IntArray,
    transitions: FloatArray,
    segments: Segments,
    tags: TagArray,
) -> FloatArray:
    """Return the probability of the tag sequence of each segment (shape `(k,)`).

    `tags` (n,) is the path; `segments` (k, 2) are half-open token ranges, sorted. A probability
    is exact: the share of all paths over the segment's sentences that run through its tags.
    Sentences that a segment joins are taken as one.
    """
    joined, owner = _join_sentences(bounds, segments)
    arguments = (emissions, joined, transitions, segments, owner, tags)
    values: FloatArray
    if use_compiled(len(emissions)):
        values = _compiled_probabilities()(*map(np.ascontiguousarray, arguments))
    else:
        values = _probabilities_numpy(*arguments)
    # Scores too far apart for the ratio of two doubles leave nan, inf or more than 1.
    for number in np.flatnonzero(~(values <= 1.0 + 1e-6)).tolist():
        begin, end = joined[owner[number]].tolist()
        values[number] = _probability_by_logs(
            emissions[begin:end], transitions, segments[number] - begin, tags[begin:end]
        )
    return np.minimum(values, 1.0)


def _join_sentences(bounds: IntArray, segments: Segments) -> tuple[Segments, IntArray]:
    """Return stretches `(begin, end)` of sentences that hold segments, and each one's stretch."""
    first = np.searchsorted(bounds, segments[:, 0], side="right") - 1
    last = np.searchsorted(bounds, segments[:, 1] - 1, side="right") - 1
    stretches: list[tuple[int, int]] = []
    owner = np.zeros(len(segments), dtype=np.int32)
    for number, (one, other) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        begin, end = int(bounds[one]), int(bounds[other + 1])
        if stretches and begin < stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], max(end, stretches[-1][1]))
        else:
            stretches.append((begin, end))
        owner[number] = len(stretches) - 1
    return np.array(stretches, dtype=np.int64).reshape(-1, 2), owner


def _probabilities_numpy(
    emissions: FloatArray,
    stretches: Segments,
    transitions: FloatArray,
    segments: Segments,
    owner: IntArray,
    tags: TagArray,
) -> FloatArray:
    values = np.zeros(len(segments))
    with np.errstate(all="ignore"):
        for number, (begin, end) in enumerate(stretches.tolist()):
            chosen = np.flatnonzero(owner == number)
            values[chosen] = _stretch_probabilities(
                emissions[begin:end], transitions, segments[chosen] - begin, tags[begin:end]
            )
    return values


def _stretch_probabilities(
    emissions: FloatArray, transitions: FloatArray, segments: Segments, tags: TagArray
) -> FloatArray:
    forward, backward, scale = _forward_backward(emissions, transitions)
    potentials = np.exp(emissions - emissions.max(axis=1, keepdims=True))
    steps = np.exp(transitions)
    found = np.empty(len(segments))
    for number, (first, last) in enumerate(segments.tolist()):
        value = forward[first, tags[first]]
        for token in range(first + 1, last):
            here = tags[token]
            value *= steps[tags[token - 1], here] * potentials[token, here] / scale[token]
        found[number] = value * backward[last - 1, tags[last - 1]]
    return found


def _forward_backward(
    emissions: FloatArray, transitions: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return scaled forward and backward variables and the scale of each token.

    `forward[t] * backward[t]` are the marginals of token `t`. Some are not finite where scores
    lie so far apart that a double cannot hold their ratio.
    """
    potentials = np.exp(emissions - emissions.max(axis=1, keepdims=True))
    steps = np.exp(transitions)
    size = len(emissions)
    forward, backward = np.empty_like(potentials), np.ones_like(potentials)
    scale = np.empty(size)
    row = potentials[0]
    for token in range(size):
        if token:
            row = (forward[token - 1] @ steps) * potentials[token]
        scale[token] = row.sum()
        forward[token] = row / scale[token]
    for token in range(size - 2, -1, -1):
        backward[token] = steps @ (potentials[token + 1] * backward[token + 1]) / scale[token + 1]
    return forward, backward, scale


def marginals(emissions: FloatArray, transitions: FloatArray) -> FloatArray:
    """Return the marginal probability of every tag at every token of one sentence."""
    forward, backward, total = _log_forward_backward(emissions, transitions)
    return np.exp(np.minimum(forward + backward - total, 0.0))


def _log_forward_backward(
    emissions: FloatArray, transitions: FloatArray
) -> tuple[FloatArray, FloatArray, float]:
    """Return forward and backward variables and the sum over all paths, as logarithms.

    Slower than `_forward_backward`, and good for scores of any size.
    """
    forward, backward = emissions.copy(), np.zeros_like(emissions)
    for token in range(1, len(emissions)):
        forward[token] += np.logaddexp.reduce(forward[token - 1][:, None] + transitions, axis=0)
    for token in range(len(emissions) - 2, -1, -1):
        ahead = emissions[token + 1] + backward[token + 1]
        backward[token] = np.logaddexp.reduce(transitions + ahead, axis=1)
    return forward, backward, float(np.logaddexp.reduce(forward[-1]))


def _probability_by_logs(
    emissions: FloatArray,
    transitions: FloatArray,
    segment: npt.NDArray[np.int64],
    tags: TagArray,
) -> float:
    first, last = segment.tolist()
    forward, backward, total = _log_forward_backward(emissions, transitions)
    value = forward[first, tags[first]] + backward[last - 1, tags[last - 1]] - total
    for token in range(first + 1, last):
        value += transitions[tags[token - 1], tags[token]] + emissions[token, tags[token]]
    return float(np.exp(min(0.0, value)))


def _probabilities_loop(
    emissions: Any, stretches: Any, transitions: Any, segments: Any, owner: Any, tags: Any
) -> Any:
    width = emissions.shape[1]
    values = np.zeros(len(segments), dtype=np.float64)
    steps = np.exp(transitions)
    across = np.ascontiguousarray(steps.T)
    longest = 0
    for stretch in range(len(stretches)):
        longest = max(longest, stretches[stretch, 1] - stretches[stretch, 0])
    potentials = np.empty((longest, width), dtype=np.float64)
    forward = np.empty((longest, width), dtype=np.float64)
    backward = np.empty((longest, width), dtype=np.float64)
    scale = np.empty(longest, dtype=np.float64)
    weighted = np.empty(width, dtype=np.float64)
    segment = 0
    for stretch in range(len(stretches)):
        begin = stretches[stretch, 0]
        size = stretches[stretch, 1] - begin
        for token in range(size):
            top = emissions[begin + token].max()
            for tag in range(width):
                potentials[token, tag] = np.exp(emissions[begin + token, tag] - top)
            row = forward[token]
            if token == 0:
                row[:] = potentials[0]
            else:
                row[:] = 0.0
                for before in range(width):
                    weight = forward[token - 1, before]
                    for tag in range(width):
                        row[tag] += weight * steps[before, tag]
                for tag in range(width):
                    row[tag] *= potentials[token, tag]
            scale[token] = row.sum()
            if scale[token] == 0.0:
                scale[token] = np.nan
            for tag in range(width):
                row[tag] /= scale[token]
        backward[size - 1] = 1.0
        for token in range(size - 2, -1, -1):
            for tag in range(width):
                weighted[tag] = potentials[token + 1, tag] * backward[token + 1, tag]
                weighted[tag] /= scale[token + 1]
            row = backward[token]
            row[:] = 0.0
            for after in range(width):
                weight = weighted[after]
                for tag in range(width):
                    row[tag] += weight * across[after, tag]
        while segment < len(segments) and owner[segment] == stretch:
            first, last = segments[segment, 0] - begin, segments[segment, 1] - begin
            value = forward[first, tags[begin + first]]
            for token in range(first + 1, last):
                here = tags[begin + token]
                step = steps[tags[begin + token - 1], here]
                value *= step * potentials[token, here] / scale[token]
            values[segment] = value * backward[last - 1, tags[begin + last - 1]]
            segment += 1
    return values


@cache
def _compiled_probabilities() -> Callable[..., Any]:
    return compiled(_probabilities_loop)
