"""Texts of a batch as one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.text.joined import join_texts
from scrubjay.text.tokens import Tokens
from tests.strategies import tokens


@given(st.lists(tokens(), min_size=1, max_size=4))
def test_tokens_and_sentences_are_those_of_the_texts(batch: list[Tokens]) -> None:
    joined = join_texts(batch)
    words = [word for drawn in batch for word in drawn.words()]
    assert joined.words(np.arange(len(joined.starts), dtype=np.int32)) == words
    for number, drawn in enumerate(batch):
        begin, end = joined.first_characters[number : number + 2].tolist()
        assert joined.text[begin:end] == drawn.text + "\n"
        first, last = joined.first_tokens[number : number + 2].tolist()
        assert last - first == len(drawn)
        starts = [bound - first for bound in joined.bounds.tolist() if first <= bound < last]
        assert starts == drawn.sentence_starts.tolist()
    assert joined.bounds[-1] == len(words)
    assert joined.text not in repr(joined) or len(joined.text) < 3
    assert len(joined.points) == len(joined.signs) == len(joined.text)
