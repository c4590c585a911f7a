"""Decoding by marginals, against enumeration of all paths."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from scrubjay.taggers._decoding.chain import ChainDecoder
from scrubjay.taggers._decoding.posterior import MarginalDecoder
from scrubjay.taggers._decoding.probabilities import marginals, stretch_marginals
from scrubjay.tags import allowed_moves, find_scheme

SIZE = 4
BOUNDS = np.array([0, SIZE, SIZE], dtype=np.int32)


def chain(
    scheme: str, labels: tuple[str, ...], seed: int, *, dial: float = 0.0, spread: float = 2.0
) -> tuple[MarginalDecoder, np.ndarray]:
    """Return a decoder with random moves, and random scores of some tokens."""
    random = np.random.default_rng(seed)
    size = 1 + len(labels) * len(find_scheme(scheme).prefixes)
    moves = random.standard_normal((size, size))
    scores = random.standard_normal((SIZE, size)) * spread
    return MarginalDecoder(moves, scheme=scheme, labels=labels, dial=dial), scores


def allowed_paths(decoder: MarginalDecoder) -> list[tuple[int, ...]]:
    """Return every path that the scheme allows and the moves can take."""
    moves = decoder.transitions
    may = allowed_moves(decoder.scheme, len(decoder.labels)) & ~np.isneginf(moves)
    given = ~np.isneginf(moves).all(axis=0)
    return [
        path
        for path in product(np.flatnonzero(given).tolist(), repeat=SIZE)
        if all(may[a, b] for a, b in pairwise(path))
    ]


def best_by_enumeration(decoder: MarginalDecoder, scores: np.ndarray) -> list[int]:
    """Return the path that should be taken: the oracle."""
    paths = allowed_paths(decoder)
    totals = [
        sum(scores[n, tag] for n, tag in enumerate(path))
        + sum(decoder.transitions[a, b] for a, b in pairwise(path))
        for path in paths
    ]
    weights = np.exp(np.array(totals) - max(totals))
    chances = np.zeros_like(scores)
    for path, weight in zip(paths, weights / weights.sum(), strict=True):
        chances[range(SIZE), path] += weight
    logs = np.log(chances + 1e-6)
    logs[:, 0] -= decoder.dial
    return list(max(paths, key=lambda path: logs[range(SIZE), path].sum()))


@pytest.mark.parametrize("dial", [-1.0, 0.0, 2.0])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("scheme", "labels"), [("BIO", ("A", "B")), ("BIOEU", ("A",)), ("BIO", ("A",))]
)
def test_the_path_has_the_largest_product_of_marginals(
    scheme: str, labels: tuple[str, ...], seed: int, dial: float
) -> None:
    decoder, scores = chain(scheme, labels, seed, dial=dial)
    expected = best_by_enumeration(decoder, scores)
    before = scores.copy()
    decoded = decoder.decode(scores, BOUNDS)
    assert decoded.tags.tolist() == expected
    np.testing.assert_array_equal(decoded.scores, before)


def test_a_tag_that_cannot_be_reached_is_never_given() -> None:
    for seed in range(6):
        decoder, scores = chain("BIO", ("A",), seed, dial=20.0)
        moves = decoder.transitions.copy()
        moves[:, 1] = -np.inf
        moves[:, 2] = -np.inf
        decoder = MarginalDecoder(moves, scheme="BIO", labels=("A",), dial=20.0)
        assert not decoder.decode(scores, BOUNDS).tags.any()


def test_it_differs_from_the_best_path_where_many_paths_agree_on_a_token() -> None:
    labels = ("A", "B", "C", "D")
    scores = np.zeros((SIZE, 9))
    scores[1, 0], scores[1, 1::2] = 0.5, 0.2  # PHI of whichever label: four to one
    scores[[0, 2, 3], 0] = 9.0
    moves = np.zeros((9, 9))
    path = ChainDecoder(moves, scheme="BIO", labels=labels).decode(scores.copy(), BOUNDS)
    both = MarginalDecoder(moves, scheme="BIO", labels=labels, dial=0.4)
    assert not path.tags.any()
    assert both.decode(scores.copy(), BOUNDS).tags.tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("spread", [1.0, 30.0, 3000.0])
def test_marginals_of_a_stretch_are_those_of_sums_of_logarithms(spread: float) -> None:
    for seed in range(5):
        decoder, scores = chain("BIOEU", ("A", "B"), seed, spread=spread)
        found = stretch_marginals(scores, decoder.transitions)
        np.testing.assert_allclose(found, marginals(scores, decoder.transitions), atol=1e-9)
        np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-6)


def test_a_stretch_has_the_tags_that_it_has_alone() -> None:
    decoder, first = chain("BIOEU", ("A", "B"), 1)
    second = chain("BIOEU", ("A", "B"), 2)[1]
    both = np.concatenate([first, second])
    together = decoder.decode(both, np.array([0, SIZE, 2 * SIZE], dtype=np.int32)).tags
    alone = [decoder.decode(one, BOUNDS[:2]).tags for one in (first, second)]
    assert together.tolist() == np.concatenate(alone).tolist()
