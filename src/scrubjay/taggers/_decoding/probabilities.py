"""Probabilities along a decoded path, and marginals: forward and backward through sentences.

As in `viterbi.py`, each kernel exists as plain numpy and is compiled by numba where that is
installed and the work is worth it. The compiled one leaves out of its sums what cannot change
them: at most one part in 10^13 at a token.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import compiled, use_compiled
from scrubjay.cores import run_all, usable_threads
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray

_KERNEL = ("taggers/_decoding/probabilities.py", "_probabilities_loop")

#: Tokens that are worth another thread.
_TOKENS_APART = 2000

#: Tokens that a part reaches over at most, and that sentences joined by mentions are taken as one
#: up to; bounds memory.
_TOKENS_AT_ONCE = 32_768

#: Tables of moves of which the gains are kept.
_KEPT_STEPS = 4

Segments = npt.NDArray[np.int64]


class Rows(Protocol):
    """Emission scores by token: an array (n, tags), or what sums those of some tokens anew."""

    def __len__(self) -> int: ...

    def __getitem__(self, tokens: slice, /) -> FloatArray: ...


def segment_probabilities(
    emissions: Rows,
    bounds: IntArray,
    transitions: FloatArray,
    segments: Segments,
    tags: TagArray,
) -> FloatArray:
    """Return the probability of the tag sequence of each segment (shape `(k,)`).

    `tags` (n,) is the path; `segments` (k, 2) are half-open token ranges, sorted. A probability
    is exact: the share of all paths over the segment's sentences that run through its tags.
    Sentences that a segment joins are taken as one, unless they have tens of thousands of tokens:
    then each is alone, and what a segment has in them is multiplied.
    """
    joined, owner = _join_sentences(bounds, segments)
    if (joined[:, 1] - joined[:, 0] > _TOKENS_AT_ONCE).any():
        pieces, owners = _cut_long(bounds, joined, segments, owner)
        if len(pieces) > len(segments):
            values = segment_probabilities(emissions, bounds, transitions, pieces, tags)
            return np.multiply.reduceat(values, np.searchsorted(owners, np.arange(len(segments))))
    if use_compiled(len(emissions), late=_KERNEL):
        values = _by_parts(emissions, joined, transitions, segments, owner, tags)
    else:
        values = _probabilities_numpy(emissions, joined, transitions, segments, owner, tags)
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
    begins, ends = bounds[first].astype(np.int64), bounds[last + 1].astype(np.int64)
    reached = np.maximum.accumulate(ends)
    fresh = np.ones(len(segments), dtype=np.bool_)
    fresh[1:] = begins[1:] >= reached[:-1]
    owner = np.cumsum(fresh, dtype=np.int32) - np.int32(1)
    final = np.ones(len(segments), dtype=np.bool_)
    final[:-1] = fresh[1:]
    return np.stack([begins[fresh], reached[final]], axis=1), owner


def _cut_long(
    bounds: IntArray, joined: Segments, segments: Segments, owner: IntArray
) -> tuple[Segments, npt.NDArray[np.int64]]:
    """Return the segments (m, 2), cut at sentences in long stretches, and of which each is."""
    long = (joined[:, 1] - joined[:, 0] > _TOKENS_AT_ONCE)[owner]
    first = np.searchsorted(bounds, segments[:, 0], side="right")
    last = np.searchsorted(bounds, segments[:, 1] - 1, side="right")
    counts = np.where(long, last - first, 0) + 1
    owners = np.repeat(np.arange(len(segments)), counts)
    starts = np.cumsum(counts) - counts
    pieces = segments[owners]
    inner = np.setdiff1d(np.arange(len(owners)), starts, assume_unique=True)
    pieces[inner, 0] = bounds[first[owners[inner]] + inner - starts[owners[inner]] - 1]
    pieces[inner - 1, 1] = pieces[inner, 0]
    return pieces, owners


def _by_parts(
    emissions: Rows,
    stretches: Segments,
    transitions: FloatArray,
    segments: Segments,
    owner: IntArray,
    tags: TagArray,
) -> FloatArray:
    """Return what `_probabilities_numpy` does, by the compiled kernel, on several threads.

    Stretches have nothing to do with each other: a value is the same in any part.
    """
    kernel = _compiled_probabilities()
    steps = _find_steps(np.ascontiguousarray(transitions).tobytes(), len(transitions))
    values = np.zeros(len(segments))

    def fill(part: slice) -> None:
        own = stretches[part]
        begin, end = int(own[0, 0]), int(own[-1, 1])
        first, last = np.searchsorted(owner, [part.start, part.stop]).tolist()
        arguments = (
            _potentials(emissions[begin:end], own - begin),
            own,
            *steps,
            segments[first:last],
            owner[first:last] - np.int32(part.start),
            tags,
        )
        values[first:last] = kernel(*map(np.ascontiguousarray, arguments))

    run_all(fill, _cut_evenly(stretches, usable_threads()))
    return values


def _cut_evenly(stretches: Segments, threads: int) -> list[slice]:
    """Return the stretches in a few parts for each thread, with about the same number of tokens."""
    done = np.cumsum(stretches[:, 1] - stretches[:, 0])
    tokens = int(done[-1]) if len(done) else 0
    parts = min(2 * threads, tokens // _TOKENS_APART) if threads > 1 else 1
    cuts = np.searchsorted(done, np.arange(1, parts) * tokens // max(1, parts), side="left") + 1
    # Among tokens that are asked for may lie many that are not.
    reached = np.flatnonzero(np.diff(stretches[:, 0] // _TOKENS_AT_ONCE)) + 1
    marks = sorted({0, *cuts.tolist(), *reached.tolist(), len(stretches)})
    return [slice(begin, end) for begin, end in pairwise(marks)]


def _potentials(emissions: FloatArray, stretches: Segments) -> FloatArray:
    """Return the exponentials of the tokens of all stretches, each token's largest being 1."""
    chosen = np.zeros(len(emissions) + 1, dtype=np.int8)
    np.add.at(chosen, stretches[:, 0], 1)
    np.add.at(chosen, stretches[:, 1], -1)
    rows = emissions[np.flatnonzero(np.cumsum(chosen, dtype=np.int8)[:-1])]
    rows -= rows.max(axis=1, keepdims=True, initial=-np.inf)
    with np.errstate(all="ignore"):
        potentials: FloatArray = np.exp(rows, out=rows)
    return potentials


def _probabilities_numpy(
    emissions: Rows,
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


def stretch_marginals(emissions: FloatArray, transitions: FloatArray) -> FloatArray:
    """Return what `marginals` does, faster where scores do not lie too far apart."""
    with np.errstate(all="ignore"):
        forward, backward, _ = _forward_backward(emissions, transitions)
        found: FloatArray = forward * backward
    # A sum that is not near 1, or no number, tells that a double could not hold some ratio.
    fine = bool((np.abs(found.sum(axis=1) - 1.0) < 1e-6).all())
    return found if fine else marginals(emissions, transitions)


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


@lru_cache(_KEPT_STEPS)
def _find_steps(transitions: bytes, width: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return what `_steps_loop` tells of moves (width, width), once for many batches."""
    moves = np.frombuffer(transitions, dtype=np.float64).reshape(width, width)
    steps: tuple[FloatArray, FloatArray, FloatArray] = _compiled_steps()(moves)
    return steps


def _steps_loop(transitions: Any) -> Any:
    """Return the exponentials of moves, the same from column to row, and what tags may gain.

    Gains (2, leader, tag) are how many times more a tag can add to a sum than the tag that leads,
    going on and back.
    """
    width = len(transitions)
    steps = np.exp(transitions)
    gains = np.empty((2, width, width), dtype=np.float64)
    for leader in range(width):
        for other in range(width):
            most_on, most_back = -np.inf, -np.inf
            for tag in range(width):
                if transitions[other, tag] > -np.inf:
                    gained = transitions[other, tag] - transitions[leader, tag]
                    most_on = max(most_on, gained)
                if transitions[tag, other] > -np.inf:
                    gained = transitions[tag, other] - transitions[tag, leader]
                    most_back = max(most_back, gained)
            gains[0, leader, other] = np.exp(most_on)
            gains[1, leader, other] = np.exp(most_back)
    return steps, np.ascontiguousarray(steps.T), gains


def _probabilities_loop(
    potentials: Any, stretches: Any, steps: Any, across: Any, gains: Any,
    segments: Any, owner: Any, tags: Any,
) -> Any:  # fmt: skip
    """Return what `_probabilities_numpy` does, of the potentials of the stretches' tokens.

    `_steps_loop` tells of `steps`, `across` and `gains`.

    A tag is left out of the sum over the tags at a token where the tag with the most weight
    adds 10^13 times as much to each term.
    """
    width = potentials.shape[1]
    values = np.zeros(len(segments), dtype=np.float64)
    longest = 0
    for stretch in range(len(stretches)):
        longest = max(longest, stretches[stretch, 1] - stretches[stretch, 0])
    forward = np.empty((longest, width), dtype=np.float64)
    backward = np.empty((2, width), dtype=np.float64)
    scale = np.empty(longest, dtype=np.float64)
    weighted = np.empty(width, dtype=np.float64)
    picked = np.zeros(width + 4, dtype=np.int64)
    weights = np.zeros(width + 4, dtype=np.float64)
    segment, origin = 0, 0
    for stretch in range(len(stretches)):
        begin = stretches[stretch, 0]
        size = stretches[stretch, 1] - begin
        for token in range(size):
            row = forward[token]
            if token == 0:
                row[:] = potentials[origin]
            else:
                row[:] = 0.0
                last = forward[token - 1]
                leader = 0
                for before in range(1, width):
                    if last[before] > last[leader]:
                        leader = before
                least = 1e-13 * last[leader]
                count = 0
                for before in range(width):
                    if not last[before] * gains[0, leader, before] < least:
                        picked[count], weights[count] = before, last[before]
                        count += 1
                while count % 4:
                    picked[count], weights[count] = picked[count - 1], 0.0
                    count += 1
                for at in range(0, count, 4):  # four at once: fewer ways to memory and back
                    one, two, three, four = weights[at : at + 4]
                    first_row, second_row = steps[picked[at]], steps[picked[at + 1]]
                    third_row, fourth_row = steps[picked[at + 2]], steps[picked[at + 3]]
                    for tag in range(width):
                        row[tag] += (one * first_row[tag] + two * second_row[tag]) + (
                            three * third_row[tag] + four * fourth_row[tag]
                        )
                for tag in range(width):
                    row[tag] *= potentials[origin + token, tag]
            total = row.sum()
            if total == 0.0:
                total = np.nan
            scale[token] = total
            for tag in range(width):
                row[tag] /= total
        first_segment = segment
        while segment < len(segments) and owner[segment] == stretch:
            segment += 1
        asked = segment - 1
        backward[(size - 1) % 2] = 1.0
        for token in range(size - 1, -1, -1):
            row = backward[token % 2]
            if token < size - 1:
                later = backward[(token + 1) % 2]
                leader = 0
                for tag in range(width):
                    weighted[tag] = potentials[origin + token + 1, tag] * later[tag]
                    weighted[tag] /= scale[token + 1]
                    if weighted[tag] > weighted[leader]:
                        leader = tag
                least = 1e-13 * weighted[leader]
                row[:] = 0.0
                count = 0
                for after in range(width):
                    if not weighted[after] * gains[1, leader, after] < least:
                        picked[count], weights[count] = after, weighted[after]
                        count += 1
                while count % 4:
                    picked[count], weights[count] = picked[count - 1], 0.0
                    count += 1
                for at in range(0, count, 4):
                    one, two, three, four = weights[at : at + 4]
                    first_row, second_row = across[picked[at]], across[picked[at + 1]]
                    third_row, fourth_row = across[picked[at + 2]], across[picked[at + 3]]
                    for tag in range(width):
                        row[tag] += (one * first_row[tag] + two * second_row[tag]) + (
                            three * third_row[tag] + four * fourth_row[tag]
                        )
            while asked >= first_segment and segments[asked, 1] - begin - 1 == token:
                first, last_token = segments[asked, 0] - begin, segments[asked, 1] - begin
                value = forward[first, tags[begin + first]]
                for place in range(first + 1, last_token):
                    here = tags[begin + place]
                    step = steps[tags[begin + place - 1], here]
                    value *= step * potentials[origin + place, here] / scale[place]
                values[asked] = value * row[tags[begin + token]]
                asked -= 1
            if asked < first_segment:
                break
        origin += size
    return values


@cache
def _compiled_steps() -> Callable[..., Any]:
    return compiled(_steps_loop)


@cache
def _compiled_probabilities() -> Callable[..., Any]:
    return compiled(_probabilities_loop)
