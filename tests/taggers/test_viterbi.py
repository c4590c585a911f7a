"""The decoding kernels against the enumeration of every path."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.taggers import _viterbi
from scrubjay.taggers._viterbi import (
    FloatArray,
    _best_path_loop,
    _probabilities_loop,
    best_path,
    best_path_numpy,
    marginals,
    segment_probabilities,
)

Case = tuple[FloatArray, npt.NDArray[np.int32], FloatArray]


def _needs_numba() -> None:
    pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")


def _compiled_path(*arguments: Any) -> Any:
    _needs_numba()
    return _viterbi._compiled_best_path()(*arguments)


PATH_KERNELS: dict[str, Callable[..., Any]] = {
    "numpy": best_path_numpy,
    "loop": _best_path_loop,
    "compiled": _compiled_path,
}


def _path_score(emissions: FloatArray, transitions: FloatArray, path: tuple[int, ...]) -> float:
    score = sum(emissions[token, tag] for token, tag in enumerate(path))
    return float(score + sum(transitions[pair] for pair in itertools.pairwise(path)))


def _all_paths(emissions: FloatArray, transitions: FloatArray) -> dict[tuple[int, ...], float]:
    size, width = emissions.shape
    return {
        path: _path_score(emissions, transitions, path)
        for path in itertools.product(range(width), repeat=size)
    }


def _sentences(case: Case) -> list[FloatArray]:
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
            itertools.pairwise(bounds.tolist()), _sentences(case), strict=True
        ):
            path = tuple(tags[begin:end].tolist())
            paths = _all_paths(scores, transitions)
            # Quarters add up exactly, so that equality is what is meant.
            assert paths[path] == max(paths.values())

    check()


@settings(max_examples=60)
@given(cases())
def test_all_kernels_choose_the_same_of_equal_paths(case: Case) -> None:
    expected = best_path_numpy(*case).tolist()
    assert _best_path_loop(*case).tolist() == expected
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
    assert _best_path_loop(emissions, bounds, transitions).tolist() == whole.tolist()


@settings(max_examples=40)
@given(cases())
def test_marginals_are_shares_of_all_paths(case: Case) -> None:
    _, _, transitions = case
    for scores in filter(len, _sentences(case)):
        paths = _all_paths(scores, transitions)
        total = sum(map(np.exp, paths.values()))
        expected = np.zeros(scores.shape)
        for path, score in paths.items():
            for token, tag in enumerate(path):
                expected[token, tag] += np.exp(score) / total
        np.testing.assert_allclose(marginals(scores, transitions), expected, atol=1e-12)


def _share(scores: FloatArray, transitions: FloatArray, first: int, tags: list[int]) -> float:
    """Return the share of all paths of one sentence that run through `tags` from `first` on."""
    paths = _all_paths(scores, transitions)
    inside = [
        np.exp(score)
        for path, score in paths.items()
        if path[first : first + len(tags)] == tuple(tags)
    ]
    return float(sum(inside) / sum(map(np.exp, paths.values())))


@st.composite
def segmented(draw: st.DrawFn) -> tuple[Case, npt.NDArray[np.int16], list[tuple[int, int]]]:
    """A case with any tags and disjoint segments that do not leave their sentence."""
    case = draw(cases())
    emissions, bounds, transitions = case
    tag = st.integers(0, len(transitions) - 1)
    tags = draw(st.lists(tag, min_size=len(emissions), max_size=len(emissions)))
    segments: list[tuple[int, int]] = []
    for begin, end in itertools.pairwise(bounds.tolist()):
        cuts = sorted(draw(st.sets(st.integers(begin, end), max_size=4)))
        segments.extend(zip(cuts[::2], cuts[1::2], strict=False))
    return case, np.array(tags, dtype=np.int16), segments


def _probabilities(
    kernel: str,
    case: Case,
    segments: list[tuple[int, int]],
    tags: npt.NDArray[np.int16],
) -> FloatArray:
    """Run the public function with one of its kernels forced."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_viterbi, "use_compiled", lambda size: kernel != "numpy")
        if kernel == "loop":
            patch.setattr(_viterbi, "_compiled_probabilities", lambda: _probabilities_loop)
        elif kernel == "compiled":
            _needs_numba()
        table = np.array(segments, dtype=np.int64).reshape(-1, 2)
        emissions, bounds, transitions = case
        with np.errstate(all="ignore"):
            return segment_probabilities(emissions, bounds, transitions, table, tags)


KERNELS = ("numpy", "loop", "compiled")


@pytest.mark.parametrize("kernel", KERNELS)
def test_segments_have_their_share_of_all_paths(kernel: str) -> None:
    @settings(max_examples=40)
    @given(segmented())
    def check(drawn: tuple[Case, npt.NDArray[np.int16], list[tuple[int, int]]]) -> None:
        case, tags, segments = drawn
        emissions, bounds, transitions = case
        values = _probabilities(kernel, case, segments, tags)
        assert values.shape == (len(segments),)
        for (first, last), value in zip(segments, values.tolist(), strict=True):
            sentence = int(np.searchsorted(bounds, first, side="right")) - 1
            begin, end = int(bounds[sentence]), int(bounds[sentence + 1])
            path = tags[first:last].tolist()
            expected = _share(emissions[begin:end], transitions, first - begin, path)
            assert value == pytest.approx(expected, abs=1e-12)

    check()


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_segment_over_a_border_joins_its_sentences(kernel: str) -> None:
    generator = np.random.default_rng(8)
    emissions, transitions = generator.normal(size=(7, 3)), generator.normal(size=(3, 3))
    bounds = np.array([0, 1, 3, 5, 7], dtype=np.int32)
    tags = np.array([1, 1, 2, 2, 0, 1, 2], dtype=np.int16)
    segments = [(0, 1), (2, 4), (4, 5), (6, 7)]
    values = _probabilities(kernel, (emissions, bounds, transitions), segments, tags)
    expected = [
        _share(emissions[0:1], transitions, 0, [1]),
        _share(emissions[1:5], transitions, 1, [2, 2]),
        _share(emissions[1:5], transitions, 3, [0]),
        _share(emissions[5:7], transitions, 1, [2]),
    ]
    np.testing.assert_allclose(values, expected, atol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("scale", [300.0, 3_000.0, 3e6])
def test_scores_far_apart_still_give_probabilities(kernel: str, scale: float) -> None:
    """Online algorithms grow weights whose exponentials no double holds."""
    emissions = scale * np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]])
    transitions = scale * np.array([[0.0, -4.0], [3.0, 0.0]])
    bounds = np.array([0, 3], dtype=np.int32)
    case = (emissions, bounds, transitions)
    tags = best_path(*case)
    assert tags.tolist() == [1, 1, 0]
    values = _probabilities(kernel, case, [(0, 1), (0, 3), (2, 3)], tags)
    np.testing.assert_allclose(values, [1.0, 1.0, 1.0], atol=1e-9)
    other = _probabilities(kernel, case, [(0, 1)], np.zeros(3, dtype=np.int16))
    assert other.tolist() == pytest.approx([0.0], abs=1e-9)
    assert np.isfinite(marginals(emissions, transitions)).all()


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_token_that_no_double_can_reach_still_has_a_probability(kernel: str) -> None:
    """All scaled forward values of the second token vanish; its best path is certain anyway."""
    emissions = np.array([[2000.0, 0.0], [0.0, 1500.0]])
    transitions = np.array([[0.0, -2000.0], [0.0, 0.0]])
    case = (emissions, np.array([0, 2], dtype=np.int32), transitions)
    tags = best_path(*case)
    assert tags.tolist() == [0, 0]
    np.testing.assert_allclose(_probabilities(kernel, case, [(0, 2), (1, 2)], tags), [1.0, 1.0])


def test_no_segments_and_no_tokens() -> None:
    empty = (np.zeros((0, 3)), np.array([0], dtype=np.int32), np.zeros((3, 3)))
    for kernel in KERNELS:
        assert _probabilities(kernel, empty, [], np.zeros(0, dtype=np.int16)).shape == (0,)
    assert best_path(*empty).shape == (0,)


def test_small_batches_do_not_wait_for_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    workload = _viterbi.Workload()
    assert not workload.grow(_viterbi.COMPILE_FROM - 1)
    assert workload.grow(1) == _viterbi._numba_installed()


def test_kernels_compile_where_no_cache_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    numba = pytest.importorskip("numba")
    real = numba.njit

    def without_cache(**settings: Any) -> Any:
        if settings.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return real(**settings)

    monkeypatch.setattr(numba, "njit", without_cache)
    kernel = _viterbi.compiled(lambda number: number + 1)
    assert kernel(1) == 2
