"""Texts as streams: the split, the order, the columns."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from scrubjay.errors import InputError
from scrubjay.features.alphabet import BORDER
from scrubjay.learning.charlm_config import CharLMConfig
from scrubjay.learning.neural.charlm_data import columns, epoch_stream, join, prepare_texts

CONFIG = CharLMConfig(batch=4, held_out=0.1, min_count=1)
TEXTS = [f"text {number} says {chr(65 + number) * 100}" for number in range(26)]


def test_whole_documents_are_held_out() -> None:
    data = prepare_texts(TEXTS, CONFIG)
    sizes = [sum(map(len, part)) for part in (data.training, data.held_out)]
    assert sum(sizes) == data.characters == sum(map(len, TEXTS))
    assert 0.1 <= sizes[1] / sum(sizes) < 0.2
    assert len(data.training) + len(data.held_out) == len(TEXTS)
    again = prepare_texts(TEXTS, CONFIG)
    assert all((a == b).all() for a, b in zip(data.held_out, again.held_out, strict=True))


def test_characters_of_held_out_text_alone_are_unknown() -> None:
    data = prepare_texts(TEXTS, CONFIG)
    assert len(data.held_out) == 3
    assert all((text == 0).sum() >= 100 for text in data.held_out)


def test_one_document_is_cut_in_two() -> None:
    data = prepare_texts(["", "ab c" * 1000], CONFIG)
    assert [len(text) for text in (*data.training, *data.held_out)] == [3600, 400]


def test_a_text_that_is_most_of_the_corpus_is_trained_on() -> None:
    for seed in range(8):
        config = CharLMConfig(batch=4, held_out=0.1, min_count=1, seed=seed)
        data = prepare_texts(["a" * 9000, "b" * 600, "c" * 600], config)
        assert max(map(len, data.training)) == 9000


@pytest.mark.parametrize("texts", [[], ["", ""], ["secret " * 10]])
def test_too_little_text_is_refused(texts: list[str]) -> None:
    with pytest.raises(InputError, match="too few to learn") as caught:
        prepare_texts(texts, CONFIG)
    assert "secret" not in str(caught.value)


def test_both_directions_read_the_same_characters() -> None:
    data = prepare_texts(TEXTS, CONFIG)
    forward, backward = data.reading("forward"), data.reading("backward")
    for ahead, behind in zip(forward[0], backward[0], strict=True):
        assert ahead.tolist() == behind.tolist()[::-1]
    assert Counter(forward[1].tolist()) == Counter(backward[1].tolist())


def test_an_epoch_holds_each_text_once_in_an_order_of_its_own() -> None:
    texts = [np.full(size, size + 2, dtype=np.int32) for size in range(1, 9)]
    first, second = (epoch_stream(texts, seed=5, epoch=epoch) for epoch in (0, 1))
    assert first.tolist() != second.tolist()
    assert sorted(first.tolist()) == sorted(second.tolist()) == sorted(join(texts).tolist())
    assert (first == BORDER).sum() == 9
    assert first[0] == first[-1] == BORDER
    assert first.tolist() == epoch_stream(texts, seed=5, epoch=0).tolist()


def test_columns_are_runs_of_the_stream() -> None:
    read, following = columns(np.arange(12, dtype=np.int32), 3)
    assert read.T.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert (following == read + 1).all()
    assert columns(np.arange(3, dtype=np.int32), 9)[0].shape == (1, 2)
