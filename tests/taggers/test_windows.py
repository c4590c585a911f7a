"""Windows over sentences: every token is tagged once, by a window of its own document."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.taggers._recurrent.windows import LONGEST_SENTENCE, Windows, cut_ranges, cut_windows

Corpus = list[list[int]]
"""For each document the sizes of its sentences."""

corpora = st.lists(st.lists(st.integers(1, 30), max_size=8), max_size=5)


def cut(corpus: Corpus, *, size: int, context: int) -> Windows:
    """Return the windows of documents with sentences of these sizes."""
    bounds = np.cumsum([0, *(n for sentences in corpus for n in sentences)], dtype=np.int32)
    documents = np.cumsum([0, *map(sum, corpus)], dtype=np.int32)
    return cut_windows(bounds, documents, size=size, context=context)


def plain_cores(sentences: list[int], size: int) -> list[int]:
    """Return the sizes of a document's cores: the oracle, one sentence at a time."""
    cores: list[int] = []
    joined = 0
    for length in sentences:
        if joined and joined + length > size:
            cores.append(joined)
            joined = 0
        joined += length
        while joined > size:  # one sentence alone
            parts = -(-joined // size)
            cores.append(-(-joined // parts))
            joined -= cores[-1]
    return [*cores, joined] if joined else cores


@given(corpora, st.integers(1, 40), st.integers(0, 10))
def test_cores_share_out_the_tokens_in_whole_sentences(
    corpus: Corpus, size: int, context: int
) -> None:
    windows = cut(corpus, size=size, context=context)
    sizes = (windows.lasts - windows.firsts).tolist()
    assert sizes == [n for sentences in corpus for n in plain_cores(sentences, size)]
    assert max(sizes, default=0) <= size
    borders = [0, *np.cumsum(sizes).tolist()]
    assert windows.firsts.tolist() == borders[:-1]
    assert windows.lasts.tolist() == borders[1:]
    if len(windows):
        assert windows.bounds().tolist() == borders


@given(corpora, st.integers(0, 40), st.integers(0, 10))
def test_context_reaches_as_far_as_the_document(corpus: Corpus, size: int, context: int) -> None:
    windows = cut(corpus, size=size, context=context)
    assert (windows.sizes() == windows.ends - windows.starts).all()
    documents = np.cumsum([0, *map(sum, corpus)])
    for start, first, last, end in zip(
        windows.starts, windows.firsts, windows.lasts, windows.ends, strict=True
    ):
        owner = int(np.searchsorted(documents, first, side="right")) - 1
        begin, stop = documents[owner], documents[owner + 1]
        assert begin <= first < last <= stop
        assert start == max(begin, first - context)
        assert end == min(stop, last + context)


@given(corpora, st.integers(0, 40), st.integers(0, 10))
def test_a_document_is_cut_the_same_whatever_else_is_in_the_batch(
    corpus: Corpus, size: int, context: int
) -> None:
    together = cut(corpus, size=size, context=context)
    found: list[list[int]] = []
    offset = 0
    for sentences in corpus:
        alone = cut([sentences], size=size, context=context)
        columns = (alone.starts, alone.firsts, alone.lasts, alone.ends)
        found.extend([int(x) + offset for x in row] for row in zip(*columns, strict=True))
        offset += sum(sentences)
    rows = zip(together.starts, together.firsts, together.lasts, together.ends, strict=True)
    assert [[int(x) for x in row] for row in rows] == found


@given(corpora)
def test_with_size_0_each_sentence_stands_alone(corpus: Corpus) -> None:
    windows = cut(corpus, size=0, context=0)
    assert windows.sizes().tolist() == [n for sentences in corpus for n in sentences]


def test_an_endless_sentence_is_cut_even_with_size_0() -> None:
    windows = cut([[3, 2 * LONGEST_SENTENCE + 1, 5]], size=0, context=0)
    sizes = windows.sizes().tolist()
    assert (sizes[0], sizes[-1]) == (3, 5)
    assert max(sizes) <= LONGEST_SENTENCE
    assert sum(sizes) == 2 * LONGEST_SENTENCE + 9
    assert all(one - other <= 1 for one, other in pairwise(sizes[1:-1]))


@pytest.mark.parametrize("corpus", [[], [[]], [[], []]])
def test_nothing_gives_no_windows(corpus: Corpus) -> None:
    windows = cut(corpus, size=5, context=2)
    assert len(windows) == 0
    assert windows.sizes().tolist() == []


@given(corpora, st.integers(0, 30), st.integers(0, 9), st.data())
def test_windows_over_ranges_tag_them_and_nothing_else(
    corpus: Corpus, size: int, context: int, data: st.DataObject
) -> None:
    bounds = np.cumsum([0, *(n for sentences in corpus for n in sentences)], dtype=np.int32)
    borders = np.cumsum([0, *map(sum, corpus)], dtype=np.int32)
    texts = [pair for pair in pairwise(borders.tolist()) if pair[0] < pair[1]]
    wanted: list[list[int]] = []
    for begin, end in texts:
        inner = st.sets(st.integers(begin, end), max_size=6).map(sorted)
        marks = data.draw(st.one_of(inner, st.just([begin, end])))
        wanted += [list(pair) for pair in zip(marks[::2], marks[1::2], strict=False)]
    ranges = np.array(wanted, dtype=np.int64).reshape(-1, 2)
    windows = cut_ranges(ranges, bounds, borders, size=size, context=context)
    plain = cut(corpus, size=size, context=context)
    usual = {*zip(plain.firsts.tolist(), plain.lasts.tolist(), strict=True)}
    read: set[int] = set()
    tagged: list[int] = []
    columns = (windows.starts, windows.firsts, windows.lasts, windows.ends)
    for start, first, last, end in zip(*(column.tolist() for column in columns), strict=True):
        text = next(pair for pair in texts if first in range(*pair))
        assert 0 < last - first <= (size or LONGEST_SENTENCE)
        assert (start, end) == (max(text[0], first - context), min(text[1], last + context))
        assert [*text] not in wanted or (first, last) in usual
        tagged += range(first, last)
        read |= {*range(start, end)}
    assert tagged == [token for first, last in wanted for token in range(first, last)]
    reads = windows.reads().tolist()
    assert [token for first, last in reads for token in range(first, last)] == sorted(read)
    assert all(one[1] <= other[0] for one, other in pairwise(reads))
