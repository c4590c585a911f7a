"""The loss of a linear chain and its gradient, and a minimiser for it (L-BFGS), by arrays alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray

Objective = Callable[[FloatArray], tuple[float, FloatArray]]

#: Pairs of steps and gradients that L-BFGS remembers.
_MEMORY = 6

#: Halvings of a step before a search along a line gives up.
_HALVINGS = 20


def chain_loss(
    emissions: FloatArray, bounds: IntArray, transitions: FloatArray, tags: TagArray
) -> tuple[float, FloatArray, FloatArray]:
    """Return minus the log probability of the tags, and its gradients.

    `emissions` (n, tags) and `tags` (n,) are of all sentences, which `bounds` (s + 1,) delimit;
    the gradients are those by the emissions and by the transitions. Scores of -inf are moves and
    tags that cannot be: their gradient is 0. The loss is inf or nan where the scores of a
    sentence lie so far apart that no double holds their ratio.
    """
    sizes = np.diff(bounds).astype(np.int64)
    order = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
    starts, sizes = bounds[:-1][order].astype(np.int64), sizes[order]
    # Sentences advance together; those that are still going on are the first ones.
    alive = [int(k) for k in np.searchsorted(-sizes, -np.arange(sizes[0]), side="left")]
    with np.errstate(all="ignore"):
        top = emissions.max(axis=1, keepdims=True)
        potentials, steps = np.exp(emissions - top), np.exp(transitions)
        forward, scale = np.empty_like(potentials), np.empty(len(potentials))
        for step, count in enumerate(alive):
            here = starts[:count] + step
            row = potentials[here]
            if step:
                row *= forward[here - 1] @ steps
            scale[here] = row.sum(axis=1)
            forward[here] = row / scale[here, None]
        backward, moves = np.ones_like(potentials), np.zeros_like(transitions)
        for step in range(len(alive) - 1, 0, -1):
            here = starts[: alive[step]] + step
            ahead = potentials[here] * backward[here] / scale[here, None]
            moves += forward[here - 1].T @ ahead
            backward[here - 1] = ahead @ steps.T
        total = float(np.log(scale).sum() + top.sum())
    inner = np.ones(len(tags), dtype=bool)
    inner[starts] = False
    ends = np.flatnonzero(inner)
    before, after = tags[ends - 1], tags[ends]
    by_emission = forward * backward
    by_move = moves * steps
    everyone = np.arange(len(tags))
    gold = float(emissions[everyone, tags].sum() + transitions[before, after].sum())
    by_emission[everyone, tags] -= 1.0
    np.subtract.at(by_move, (before, after), 1.0)
    return total - gold, by_emission, by_move


def minimise(
    objective: Objective,
    start: FloatArray,
    *,
    iterations: int,
    tolerance: float = 1e-4,
    report: Callable[[float], None] = lambda share: None,
) -> FloatArray:
    """Return where a smooth function is least, sought by L-BFGS from `start`.

    `objective` gives value and gradient. It ends after so many iterations, or where one lessens
    the value by less than `tolerance` of itself. Where no step lessens it, the best place so far
    is returned.
    """
    place = start.copy()
    value, gradient = objective(place)
    steps: list[FloatArray] = []
    changes: list[FloatArray] = []
    for iteration in range(iterations):
        direction = -_smooth(gradient, steps, changes)
        slope = float(direction @ gradient)
        if slope >= 0.0:
            break
        length = 1.0 if steps else min(1.0, 1.0 / float(np.linalg.norm(gradient)))
        for _ in range(_HALVINGS):
            moved = place + length * direction
            found, ahead = objective(moved)
            if found <= value + 1e-4 * length * slope:  # false for nan, too
                break
            length /= 2
        else:
            break
        step, change = moved - place, ahead - gradient
        if float(step @ change) > 1e-12 * float(change @ change):
            steps, changes = [*steps, step][-_MEMORY:], [*changes, change][-_MEMORY:]
        gained = value - found
        place, value, gradient = moved, found, ahead
        report((iteration + 1) / iterations)
        if gained <= tolerance * abs(value):
            break
    return place


def _smooth(
    gradient: FloatArray, steps: list[FloatArray], changes: list[FloatArray]
) -> npt.NDArray[np.float64]:
    """Return the gradient times the estimate of the inverse Hessian (two-loop recursion)."""
    result = gradient.copy()
    shares: list[float] = []
    for step, change in zip(reversed(steps), reversed(changes), strict=True):
        shares.append(float(step @ result) / float(step @ change))
        result -= shares[-1] * change
    if steps:
        result *= float(steps[-1] @ changes[-1]) / float(changes[-1] @ changes[-1])
    for step, change, share in zip(steps, changes, reversed(shares), strict=True):
        result += (share - float(change @ result) / float(step @ change)) * step
    return result
