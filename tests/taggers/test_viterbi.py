"""The decoding kernels against the enumeration of every path."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.taggers._decoding import viterbi as _viterbi
from scrubjay.taggers._decoding.viterbi import (
    FloatArray,
    best_path,
    best_path_numpy,
    find_moves,
)
from scrubjay.taggers._reading_loops import best_path_loop, compiled_best_path

Case = tuple[FloatArray, npt.NDArray[np.int32], FloatArray]


def needs_numba() -> None:
    pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")


def loop_path(emissions: Any, bounds: Any, transitions: Any) -> Any:
    return best_path_loop(emissions, bounds, *find_moves(transitions))


def _compiled_path(emissions: Any, bounds: Any, transitions: Any) -> Any:
    needs_numba()
    return compiled_best_path()(emissions, bounds, *find_moves(transitions))


PATH_KERNELS: dict[str, Callable[..., Any]] = {
    "numpy": best_path_numpy,
    "loop": loop_path,
    "compiled": _compiled_path,
}


def _path_score(emissions: FloatArray, transitions: FloatArray, path: tuple[int, ...]) -> float:
    score = sum(emissions[token, tag] for token, tag in enumerate(path))
    return float(score + sum(transitions[pair] for pair in itertools.pairwise(path)))


def all_paths(emissions: FloatArray, transitions: FloatArray) -> dict[tuple[int, ...], float]:
    size, width = emissions.shape
    return {
        path: _path_score(emissions, transitions, path)
        for path in itertools.product(range(width), repeat=size)
    }


def sentences_of(case: Case) -> list[FloatArray]:
    emissions, bounds, _ = case
    return [emissions[begin:end] for begin, end in itertools.pairwise(bounds.tolist())]


@st.composite
def cases(draw: st.DrawFn, *, scores: st.SearchStrategy[float] | None = None) -> Case:
    """A few sentences, empty ones included, and scores; by default quarters, so that sums tie."""
    number = st.integers(-8, 8).map(lambda value: value / 4) if scores is None else scores
    width = draw(st.integers(1, 3))
    sizes = draw(st.lists(st.integers(0, 4), max_size=4))
    total = sum(sizes)
    flat = draw(st.lists(number, min_size=total * width, max_size=total * width))
    steps = draw(st.lists(number, min_size=width * width, max_size=width * width))
    return (
        np.array(flat, dtype=np.float64).reshape(total, width),
        np.cumsum([0, *sizes], dtype=np.int32),
        np.array(steps, dtype=np.float64).reshape(width, width),
    )


@pytest.mark.parametrize("kernel", PATH_KERNELS)
def test_no_path_scores_higher(kernel: str) -> None:
    @settings(max_examples=60)
    @given(cases())
    def check(case: Case) -> None:
        emissions, bounds, transitions = case
        tags = PATH_KERNELS[kernel](emissions, bounds, transitions)
        assert tags.dtype == np.int16
        assert tags.shape == (len(emissions),)
        for (begin, end), scores in zip(
            itertools.pairwise(bounds.tolist()), sentences_of(case), strict=True
        ):
            path = tuple(tags[begin:end].tolist())
            paths = all_paths(scores, transitions)
            # Quarters add up exactly, so that equality is what is meant.
            assert paths[path] == max(paths.values())

    check()


@settings(max_examples=60)
@given(cases())
def test_all_kernels_choose_the_same_of_equal_paths(case: Case) -> None:
    expected = best_path_numpy(*case).tolist()
    assert loop_path(*case).tolist() == expected
    assert best_path(*case).tolist() == expected


@pytest.mark.parametrize("kernel", PATH_KERNELS)
def test_ties_go_to_the_smallest_tag(kernel: str) -> None:
    nothing = np.zeros((5, 4))
    bounds = np.array([0, 2, 2, 5], dtype=np.int32)
    assert PATH_KERNELS[kernel](nothing, bounds, np.zeros((4, 4))).tolist() == [0] * 5
    second = np.tile([-1.0, 2.0, 2.0, 0.0], (5, 1))
    assert PATH_KERNELS[kernel](second, bounds, np.zeros((4, 4))).tolist() == [1] * 5


@pytest.mark.parametrize("kernel", PATH_KERNELS)
def test_tags_out_of_reach_are_never_chosen(kernel: str) -> None:
    emissions = np.array([[-np.inf, -5.0, -7.0], [-np.inf, -9.0, -1.0], [-np.inf, -3.0, -3.0]])
    transitions = np.zeros((3, 3))
    transitions[0], transitions[:, 0], transitions[1, 2] = -np.inf, -np.inf, -np.inf
    tags = PATH_KERNELS[kernel](emissions, np.array([0, 3], dtype=np.int32), transitions)
    assert tags.tolist() == [2, 2, 1]


def test_blocks_of_sentences_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(5)
    bounds = np.cumsum([0, *generator.integers(0, 9, size=40)], dtype=np.int32)
    emissions, transitions = generator.normal(size=(bounds[-1], 5)), generator.normal(size=(5, 5))
    whole = best_path_numpy(emissions, bounds, transitions)
    monkeypatch.setattr(_viterbi, "SENTENCES_AT_ONCE", 3)
    assert best_path_numpy(emissions, bounds, transitions).tolist() == whole.tolist()
    assert loop_path(emissions, bounds, transitions).tolist() == whole.tolist()
