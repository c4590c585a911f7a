"""Sub-tokens of pre-trained encoders on our tokens: nothing shifts and nothing is lost."""

from __future__ import annotations

import json
import pickle
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.features.subtokens import (
    PIECES,
    SubtokenEncoder,
    align_subtokens,
    cut_subtokens,
)
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.oracles.subtokens import first_piece, touching
from tests.strategies import texts, tokens
from tests.tiny_transformer import small_encoder, tiny_definition

pytest.importorskip("tokenizers", reason="encoders need the extra `neural`")

KINDS = ("bert", "bytes", "metaspace")


def make_encoder(kind: str = "bert", *, pieces: str = "first", window: int = 12) -> SubtokenEncoder:
    return SubtokenEncoder(tiny_definition(kind), window=window, overlap=4, pieces=pieces)


@cache
def plain_tokenizer(definition: str) -> Any:
    """Return the tokenizer of the package."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(definition)
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    return tokenizer


def offsets_of(encoder: SubtokenEncoder, text: str) -> list[tuple[int, int]]:
    """Return the characters of each sub-token, as the package tells them."""
    encoding = plain_tokenizer(encoder.definition).encode(text, add_special_tokens=False)
    found: list[tuple[int, int]] = encoding.offsets
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_token_is_read_off_the_sub_tokens_that_touch_it(kind: str) -> None:
    first, mean = make_encoder(kind), make_encoder(kind, pieces="mean")

    @settings(max_examples=60)
    @given(tokens())
    def check(cut: Tokens) -> None:
        offsets = offsets_of(first, cut.text)
        one, all_ = first.encode(cut), mean.encode(cut)
        for place, token in enumerate(zip(cut.starts.tolist(), cut.ends.tolist(), strict=True)):
            touched = touching(cut.text, token, offsets)
            read = list(range(all_.begins[place], all_.ends[place]))
            # White space that stands between two pieces of one token may be a piece of its own.
            assert [number for number in read if number in touched] == touched
            assert not touched or (read[0], read[-1]) == (touched[0], touched[-1])
            if touched:
                only = list(range(one.begins[place], one.ends[place]))
                assert only == first_piece(cut.text, token, offsets)

    check()


@pytest.mark.parametrize("pieces", PIECES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_token_is_scored_once_inside_its_window(kind: str, pieces: str) -> None:
    encoder = make_encoder(kind, pieces=pieces)

    @settings(max_examples=40)
    @given(texts(max_pieces=40))
    def check(text: str) -> None:
        cut = make_tokenizer("subword").tokenize(text)
        found = encoder.encode(cut)
        assert found.bounds[0] == 0
        assert found.bounds[-1] == len(cut)
        assert (np.diff(found.bounds) >= 0).all()
        for window in range(found.windows):
            assert len(encoder.window_ids(found, window)) <= encoder.window
            first, last = found.bounds[window : window + 2].tolist()
            weights = found.pooling(window)
            assert weights.shape == (last - first, found.stops[window] - found.starts[window])
            has = found.begins[first:last] < found.ends[first:last]
            np.testing.assert_allclose(weights.sum(axis=1), has, atol=1e-6)
            assert (found.begins[first:last][has] >= found.starts[window]).all()
            assert (found.begins[first:last][has] < found.stops[window]).all()
            values = np.random.default_rng(window).standard_normal((weights.shape[1], 3))
            pooled = found.pool(window, values.astype(np.float32))
            assert pooled.dtype == np.float32
            np.testing.assert_allclose(pooled, weights @ values, atol=1e-5)

    check()


@given(st.integers(0, 400), st.integers(2, 40), st.data())
@settings(max_examples=100)
def test_windows_cover_everything_and_take_over_in_the_middle(
    size: int, room: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, room - 1))
    starts, stops, cuts = cut_subtokens(size, room=room, overlap=overlap)
    assert len(starts) == len(stops) == len(cuts) >= 1
    assert (starts[0], stops[-1], cuts[0]) == (0, size, 0)
    assert ((stops - starts) <= room).all()
    if size > room:
        assert ((stops - starts) == room).all()
    for number in range(size):
        window = int(np.searchsorted(cuts, number, side="right")) - 1
        assert starts[window] <= number < stops[window]
        # What is read on each side: half the overlap, or all there is.
        assert number - starts[window] >= min(overlap // 2, number)
        assert stops[window] - 1 - number >= min((overlap - 1) // 2, size - 1 - number)


def test_a_document_of_any_length_loses_nothing() -> None:
    encoder = make_encoder(window=64)
    text = "Seen by Dr. O'Halloran on 3/4/2019 \U0001f468\u200d\u2695\ufe0f\r\n" * 3000
    cut = make_tokenizer("subword").tokenize(text)
    found = encoder.encode(cut)
    assert found.windows > 500
    scored = np.diff(found.bounds)
    assert scored.sum() == len(cut)
    assert scored.min() > 0
    # The last line is read like the first.
    lines = found.ids[found.begins].reshape(3000, -1)
    assert (lines == lines[0]).all()


def test_names_of_special_sub_tokens_in_a_note_are_text() -> None:
    encoder = make_encoder()
    cut = make_tokenizer("subword").tokenize("[SEP] a [CLS] [PAD]")
    vocabulary = json.loads(encoder.definition)["model"]["vocab"]
    special = {vocabulary[name] for name in ("[PAD]", "[CLS]", "[SEP]")}
    assert special.isdisjoint(encoder.encode(cut).ids.tolist())
    assert encoder.prefix.tolist() == [vocabulary["[CLS]"]]
    assert encoder.suffix.tolist() == [vocabulary["[SEP]"]]


def test_tokens_without_sub_tokens_are_kept() -> None:
    cut = make_tokenizer("subword").tokenize("a \u200b\u200b b \u0301")
    encoder = make_encoder()
    found = encoder.encode(cut)
    none = found.begins == found.ends
    assert none.any()
    assert not none.all()
    assert found.bounds[-1] == len(cut)


def test_lone_surrogates_shift_nothing() -> None:
    encoder = make_encoder()
    words = make_tokenizer("whitespace")
    plain = encoder.encode(words.tokenize("ab \ufffd\ufffd Dr. cd"))
    odd = encoder.encode(words.tokenize("ab \ud83d\udc00 Dr. cd"))
    assert odd.ids.tolist() == plain.ids.tolist()
    assert odd.begins.tolist() == plain.begins.tolist()


def test_texts_without_tokens() -> None:
    encoder = make_encoder()
    for text in ("", " \r\n\u00a0"):
        found = encoder.encode(make_tokenizer("subword").tokenize(text))
        assert found.bounds.tolist() == [0, 0]
        assert found.begins.shape == (0,)


def test_a_sub_token_over_two_tokens_is_that_of_both() -> None:
    cut = Tokens("ab12", *(np.array(x, dtype=np.int32) for x in ([0, 2], [2, 4], [0])))
    offsets = np.array([[0, 1], [1, 3], [3, 4]], dtype=np.int32)
    begins, ends = align_subtokens(cut, offsets, pieces="mean")
    assert list(zip(begins.tolist(), ends.tolist(), strict=True)) == [(0, 2), (1, 3)]
    begins, ends = align_subtokens(cut, offsets, pieces="first")
    assert list(zip(begins.tolist(), ends.tolist(), strict=True)) == [(0, 1), (2, 3)]


def test_it_travels_to_worker_processes() -> None:
    encoder = make_encoder(pieces="mean")
    twin = pickle.loads(pickle.dumps(encoder))
    cut = make_tokenizer("subword").tokenize("Seen by Dr. Castell")
    assert (twin.window, twin.overlap, twin.pieces) == (12, 4, "mean")
    assert twin.encode(cut).ids.tolist() == encoder.encode(cut).ids.tolist()


def test_a_real_tokenizer_reads_odd_texts() -> None:
    definition = (small_encoder() / "tokenizer.json").read_text(encoding="utf-8")
    encoder = SubtokenEncoder(definition, window=32, overlap=8)

    @settings(max_examples=40)
    @given(tokens(text=texts(max_pieces=30)))
    def check(cut: Tokens) -> None:
        offsets = offsets_of(encoder, cut.text)
        found = encoder.encode(cut)
        for place, token in enumerate(zip(cut.starts.tolist(), cut.ends.tolist(), strict=True)):
            if touching(cut.text, token, offsets):
                read = list(range(found.begins[place], found.ends[place]))
                assert read == first_piece(cut.text, token, offsets)

    check()


def test_what_cannot_be_used_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    definition = tiny_definition()
    with pytest.raises(ConfigError, match="unknown pieces 'last'"):
        SubtokenEncoder(definition, pieces="last")
    with pytest.raises(ConfigError, match="2 of them special, cannot overlap by 10"):
        SubtokenEncoder(definition, window=12, overlap=10)
    for broken in ("", "{}", '{"model": {"type": "Unheard"}}'):
        with pytest.raises(ConfigError, match="tokenizer cannot be read"):
            SubtokenEncoder(broken)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r'pip install "scrubjay\[neural\]"'):
        SubtokenEncoder(definition)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(texts(), st.data())
def test_windows_over_ranges_read_what_stands_around_them(kind: str, text: str, data: Any) -> None:
    encoder = make_encoder(kind, pieces="mean")
    cut_up = make_tokenizer("subword").tokenize(text)
    marks = sorted(data.draw(st.sets(st.integers(0, len(cut_up)), max_size=6)))
    ranges = np.array(marks[: len(marks) // 2 * 2], dtype=np.int64).reshape(-1, 2)
    whole, some = encoder.encode(cut_up), encoder.encode(cut_up, ranges=ranges)
    for name in ("ids", "begins", "ends"):
        assert (getattr(some, name) == getattr(whole, name)).all()
    assert some.bounds[0] == 0
    assert some.bounds[-1] == len(cut_up)
    assert (np.diff(some.bounds) >= 0).all()
    room = encoder.window - len(encoder.prefix) - len(encoder.suffix)
    asked = {token for first, last in ranges.tolist() for token in range(first, last)}
    for number in range(some.windows):
        start, stop = int(some.starts[number]), int(some.stops[number])
        assert 0 <= stop - start <= room
        for token in range(*some.bounds[number : number + 2].tolist()):
            begin, end = int(some.begins[token]), int(some.ends[token])
            if token not in asked:
                assert start == stop
            elif begin < end and end - begin <= encoder.overlap // 2:
                assert start <= max(0, begin - encoder.overlap // 4)
                assert stop >= min(len(some.ids), end)
    everything = encoder.encode(cut_up, ranges=np.array([[0, len(cut_up)]])[: len(cut_up)])
    scored = [size for size in np.diff(everything.bounds).tolist() if size]
    if len(whole.ids):
        assert scored == [size for size in np.diff(whole.bounds).tolist() if size]
