"""Samples of examples: the same whatever the order, and no text where none is asked for."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.analysis._samples import SHAPE_LENGTH, Sample, around, name_hash, short_shape


@given(st.lists(st.integers(), unique=True), st.integers(-1, 8), st.randoms())
def test_a_sample_is_the_smallest_hashes_in_any_order(
    names: list[int], size: int, rng: Random
) -> None:
    wanted = sorted(names, key=lambda name: int.from_bytes(name_hash((name,))))[: max(0, size)]
    rng.shuffle(names)
    sample: Sample[int] = Sample(size)
    made = []
    for name in names:

        def make(name: int = name) -> int:
            made.append(name)
            return name

        sample.offer((name,), make)
    assert sorted(sample.examples()) == sorted(wanted)
    assert set(wanted) <= set(made)
    if size < 1:
        assert made == []


def test_what_stands_around_a_place() -> None:
    assert around("abcdef", 2, 4, None) == {}
    assert around("abcdef", 2, 4, 1) == {"before": "b", "text": "cd", "after": "e"}
    assert around("abcdef", 0, 6, 9) == {"before": "", "text": "abcdef", "after": ""}


def test_a_long_shape_is_cut() -> None:
    long = short_shape("a1" * SHAPE_LENGTH)
    assert len(long) == SHAPE_LENGTH
    assert long.endswith("…")
    assert name_hash(("\ud800",)) == name_hash(("\ud800",)) != name_hash(("x",))
