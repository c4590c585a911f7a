"""Probabilities of segments and marginals against the enumeration of every path."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.taggers._decoding import probabilities as module
from scrubjay.taggers._decoding.probabilities import (
    _probabilities_loop,
    _steps_loop,
    marginals,
    segment_probabilities,
)
from scrubjay.taggers._decoding.viterbi import FloatArray, best_path, best_path_numpy
from tests.taggers.test_viterbi import Case, all_paths, cases, loop_path, needs_numba, sentences_of


@settings(max_examples=40)
@given(cases())
def test_marginals_are_shares_ofall_paths(case: Case) -> None:
    _, _, transitions = case
    for scores in filter(len, sentences_of(case)):
        paths = all_paths(scores, transitions)
        total = sum(map(np.exp, paths.values()))
        expected = np.zeros(scores.shape)
        for path, score in paths.items():
            for token, tag in enumerate(path):
                expected[token, tag] += np.exp(score) / total
        np.testing.assert_allclose(marginals(scores, transitions), expected, atol=1e-12)


def _share(scores: FloatArray, transitions: FloatArray, first: int, tags: list[int]) -> float:
    """Return the share of all paths of one sentence that run through `tags` from `first` on."""
    paths = all_paths(scores, transitions)
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
        patch.setattr(module, "use_compiled", lambda size, late: kernel != "numpy")
        module._find_steps.cache_clear()  # of another kernel
        if kernel == "loop":
            patch.setattr(module, "_compiled_probabilities", lambda: _probabilities_loop)
            patch.setattr(module, "_compiled_steps", lambda: _steps_loop)
        elif kernel == "compiled":
            needs_numba()
        table = np.array(segments, dtype=np.int64).reshape(-1, 2)
        emissions, bounds, transitions = case
        with np.errstate(all="ignore"):
            return segment_probabilities(emissions, bounds, transitions, table, tags)


KERNELS = ("numpy", "loop", "compiled")


@pytest.mark.parametrize("kernel", KERNELS)
def test_segments_have_their_share_ofall_paths(kernel: str) -> None:
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
def test_a_segment_over_a_border_joins_itssentences_of(kernel: str) -> None:
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


@pytest.mark.parametrize("seed", range(4))
def test_kernels_agree_where_one_tag_leads(seed: int) -> None:
    """Scores as those of a trained CRF, where most tags are left out of the sums."""
    generator = np.random.default_rng(seed)
    width, size = 17, 120
    emissions = generator.normal(scale=6.0, size=(size, width))
    emissions[:, 0] += 12.0
    transitions = np.where(
        generator.random((width, width)) < 0.1, generator.normal(scale=8.0, size=(width, width)), 0
    )
    transitions[3], transitions[:, 3] = -np.inf, -np.inf
    emissions[:, 3] = -np.inf
    bounds = np.array([0, 1, 50, 50, 120], dtype=np.int32)
    tags = best_path_numpy(emissions, bounds, transitions)
    segments = [(0, 1), (1, 3), (7, 8), (40, 50), (60, 61), (118, 120)]
    case = (emissions, bounds, transitions)
    assert loop_path(*case).tolist() == tags.tolist()
    expected = _probabilities("numpy", case, segments, tags)
    assert expected.min() > 0
    for kernel in KERNELS[1:]:
        np.testing.assert_allclose(
            _probabilities(kernel, case, segments, tags), expected, rtol=1e-9
        )


def _stretches_by_hand(
    bounds: list[int], segments: list[tuple[int, int]]
) -> tuple[list[list[int]], list[int]]:
    """Join the sentences of one segment after another."""
    stretches: list[list[int]] = []
    owner = []
    for first, last in segments:
        begin = max(bound for bound in bounds if bound <= first)
        end = min(bound for bound in bounds if bound >= last)
        if stretches and begin < stretches[-1][1]:
            stretches[-1][1] = max(end, stretches[-1][1])
        else:
            stretches.append([begin, end])
        owner.append(len(stretches) - 1)
    return stretches, owner


@pytest.mark.parametrize("seed", range(40))
def test_sentences_are_joined_as_by_hand(seed: int) -> None:
    generator = np.random.default_rng(seed)
    bounds = [0, *np.cumsum(generator.integers(0, 6, size=8)).tolist()]
    cuts = np.sort(generator.integers(0, bounds[-1] + 1, size=12)).tolist()
    segments = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=True) if a < b]
    table = np.array(segments, dtype=np.int64).reshape(-1, 2)
    stretches, owner = module._join_sentences(np.array(bounds, dtype=np.int32), table)
    assert (stretches.tolist(), owner.tolist()) == _stretches_by_hand(bounds, segments)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("kernel", KERNELS[1:])
def test_parts_on_several_threads_have_the_same_values(
    kernel: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(threads)
    emissions, transitions = generator.normal(size=(60, 5)), generator.normal(size=(5, 5))
    bounds = np.array([0, 1, 8, 8, 20, 27, 40, 41, 60], dtype=np.int32)
    tags = best_path_numpy(emissions, bounds, transitions)
    segments = [(0, 1), (2, 3), (6, 9), (20, 21), (22, 27), (30, 31), (40, 41), (45, 60)]
    case = (emissions, bounds, transitions)
    parts: list[list[slice]] = []
    cut = module._cut_evenly

    def watched(stretches: npt.NDArray[np.int64], threads: int) -> list[slice]:
        parts.append(cut(stretches, threads))
        return parts[-1]

    monkeypatch.setattr(module, "_cut_evenly", watched)
    monkeypatch.setattr(module, "usable_threads", lambda: 1)
    whole = _probabilities(kernel, case, segments, tags)
    monkeypatch.setattr(module, "usable_threads", lambda: threads)
    monkeypatch.setattr(module, "_TOKENS_APART", 4)
    assert _probabilities(kernel, case, segments, tags).tolist() == whole.tolist()
    assert len(parts[0]) == 1
    assert (len(parts[1]) > 1) == (threads > 1)


def test_parts_are_of_about_one_size() -> None:
    ends = np.arange(1, 101, dtype=np.int64) * 100
    stretches = np.stack([ends - 100, ends], axis=1)
    parts = module._cut_evenly(stretches, 2)
    assert [part.stop - part.start for part in parts] == [25, 25, 25, 25]
    assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
    assert module._cut_evenly(stretches[:10], 2) == [slice(0, 10)]
    assert module._cut_evenly(stretches[:0], 2) == []
