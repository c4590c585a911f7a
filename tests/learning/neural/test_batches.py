"""Batches: every window exactly once, and tensors that say what the arrays said."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.learning.neural.batches import bucketed_batches, iterate_batches, make_batch
from tests.learning.neural.samples import make_data, window_of

_sizes = st.lists(st.integers(1, 200), min_size=1, max_size=60)


@given(_sizes, st.integers(1, 9), st.none() | st.integers(0, 99))
@settings(max_examples=60)
def test_every_window_is_in_one_batch(sizes: list[int], batch: int, seed: int | None) -> None:
    generator = None if seed is None else np.random.default_rng(seed)
    parts = bucketed_batches(np.array(sizes, dtype=np.int32), batch=batch, generator=generator)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(sizes)))
    assert sorted(map(len, parts), reverse=True)[:-1] == [batch] * (len(parts) - 1)
    assert all(1 <= len(part) <= batch for part in parts)


@given(_sizes, st.integers(1, 9))
def test_without_a_generator_they_stand_in_order_of_length(sizes: list[int], batch: int) -> None:
    array = np.array(sizes, dtype=np.int32)
    parts = bucketed_batches(array, batch=batch, generator=None)
    lengths = array[np.concatenate(parts)].tolist()
    assert lengths == sorted(lengths)


@given(_sizes, st.integers(1, 9), st.integers(0, 99))
def test_lengths_in_a_batch_are_alike(sizes: list[int], batch: int, seed: int) -> None:
    array = np.array(sizes, dtype=np.int32)
    parts = bucketed_batches(array, batch=batch, generator=np.random.default_rng(seed))
    spans = [(int(array[part].min()), int(array[part].max())) for part in parts]
    # Lengths are sorted after each was changed by a tenth at most, so of two batches all of one
    # come before all of the other.
    for (shortest, longest), (least, most) in combinations(spans, 2):
        gaps = (longest * 0.9 - least * 1.1, most * 0.9 - shortest * 1.1)
        assert min(gaps) <= 1e-9


def test_the_seed_decides_and_epochs_differ() -> None:
    sizes = np.random.default_rng(0).integers(1, 50, 40).astype(np.int32)

    def epochs(seed: int) -> list[list[list[int]]]:
        generator = np.random.default_rng(seed)
        return [
            [part.tolist() for part in bucketed_batches(sizes, batch=4, generator=generator)]
            for _ in range(2)
        ]

    assert epochs(1) == epochs(1)
    assert epochs(1)[0] != epochs(1)[1]
    assert epochs(1) != epochs(2)


@given(
    seed=st.integers(0, 99),
    tokens=st.integers(1, 60),
    contextual=st.sampled_from([0, 2]),
    chosen=st.data(),
)
@settings(max_examples=40)
def test_tensors_say_what_the_arrays_said(
    seed: int, tokens: int, contextual: int, chosen: st.DataObject
) -> None:
    data = make_data(seed=seed, tokens=tokens, contextual=contextual)
    picked = chosen.draw(
        st.lists(st.integers(0, len(data.windows) - 1), min_size=1, max_size=5, unique=True)
    )
    batch = make_batch(data, np.array(picked))
    assert len(set(batch.places.flatten().tolist())) <= len(batch.words)
    assert batch.words[0] == 0
    assert not batch.spellings[0].any()
    for row, number in enumerate(picked):
        read, core = window_of(data, number)
        size = read.stop - read.start
        assert batch.lengths[row] == size
        assert batch.firsts[row] == core.start - read.start
        for step in range(batch.places.shape[1]):
            place, real = batch.places[row, step], step < size
            if not real:
                assert place == 0
                assert not batch.features[row, step].any()
                continue
            token = read.start + step
            kind = data.inputs.types[token]
            assert batch.words[place] == data.words[kind]
            assert batch.rare[place] == data.rare[kind]
            assert batch.spellings[place].tolist() == data.spellings[kind].tolist()
            assert batch.features[row, step].tolist() == data.inputs.features[token].tolist()
            if data.contextual is not None:
                assert batch.contextual is not None
                expected = data.contextual[token].astype(np.float32)
                assert batch.contextual[row, step].tolist() == expected.tolist()
        tagged = core.stop - core.start
        assert batch.mask[row].tolist() == [i < tagged for i in range(batch.mask.shape[1])]
        assert batch.tags[row, :tagged].tolist() == data.tags[core].tolist()


def test_an_epoch_reads_every_token_once() -> None:
    data = make_data(seed=3)
    tagged = 0
    for _, batch in iterate_batches(data, batch=3):
        assert batch.places.dtype == torch.int64
        tagged += int(batch.mask.sum())
    assert tagged == len(data.inputs)
