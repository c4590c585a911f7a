"""Batches encoded by kernels against batches encoded text by text."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.features import _place_reader
from scrubjay.features import encoder as encoder_module
from scrubjay.features._word_table import WordTable
from scrubjay.features.encoder import Encoded, Encoder, fit_encoder
from scrubjay.features.positions import POSITION_ATTRIBUTES
from scrubjay.features.templates import FeatureConfig, parse_template
from scrubjay.text.joined import join_texts
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.corpus_samples import make_notes
from tests.strategies import CLINICAL_PIECES, NASTY_PIECES, tokens

pytest.importorskip("numba")

PIECES = (
    *CLINICAL_PIECES,
    *NASTY_PIECES,
    *("\n", "\n", ": ", ":", " ", " ", "//", "10:30", "3 mg", "12", "Name:", "PLAN", "Plan"),
    *("** Past medical history **", "seen by Ann. ", "a@b.example", "www.example.org/3/4/2019"),
    *("Www.example.org", "http://a.b", "- ", "x" * 45, "²:3", "4:5", "\t", "_", "May "),
)
"""What layout and patterns are made of."""

SINGLES = [f"{name}@0" for name in POSITION_ATTRIBUTES]
REST = ["phrase:en.cities@0", "protected:en@0", "lower@0", "word@-1"]


def _notes() -> list[Tokens]:
    tokenizer = make_tokenizer("subword")
    return [tokenizer.tokenize(document.text) for document in make_notes(12, seed=5)]


def _encoder(scope: str = "document", names: Sequence[str] = (*SINGLES, *REST)) -> Encoder:
    texts = [
        "Name: Ann\nPLAN\nAge: 3 mg\nname: Ann\nPast medical history",
        "key : 10:30 a@b.example",
    ]
    fitted = [*_notes(), *(make_tokenizer("subword").tokenize(text) for text in texts)]
    config = FeatureConfig({"all": tuple(map(parse_template, names))}, scope)
    return fit_encoder(config, fitted)[0]


def _encode(encoder: Encoder, batch: Sequence[Tokens], *, compiled: bool) -> Encoded:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder_module, "use_compiled", lambda size, **_: compiled)
        return encoder.encode(batch)


def _require_same(one: Encoded, other: Encoded) -> None:
    for name in ("word_ids", "positions", "bounds", "segments"):
        first, second = getattr(one, name), getattr(other, name)
        np.testing.assert_array_equal(first, second, err_msg=name)
        assert first.dtype == second.dtype == np.int32, name


def _drawn() -> st.SearchStrategy[Tokens]:
    return tokens(text=st.lists(st.sampled_from(PIECES), max_size=14).map("".join))


ENCODERS = {scope: _encoder(scope) for scope in ("document", "sentence")}


@given(st.lists(st.one_of(tokens(), _drawn()), max_size=4), st.sampled_from(sorted(ENCODERS)))
def test_kernels_encode_as_text_by_text(batch: list[Tokens], scope: str) -> None:
    encoder = ENCODERS[scope]
    plain = _encode(encoder, batch, compiled=False)
    _require_same(_encode(encoder, batch, compiled=True), plain)


@pytest.mark.parametrize("blank", ["\u00a0", "\x1e", "\u3000", "\x0b", "\u2028", "\x85"])
def test_a_blank_of_any_kind_is_no_word_of_a_heading(blank: str) -> None:
    text = f"Plan: 3 mg\nPast {blank} medical history {blank}\nAnn"
    encoder, batch = _encoder(names=["section@0"]), [make_tokenizer("subword").tokenize(text)]
    encoder.learn(batch)
    plain = _encode(encoder, batch, compiled=False)
    assert len(set(plain.positions[:, 0].tolist())) == 3
    _require_same(_encode(encoder, batch, compiled=True), plain)


def test_notes_are_encoded_alike_from_a_cache_that_is_empty() -> None:
    batches = [_notes()[:5], _notes()[5:], _notes()]
    one, other = _encoder(), _encoder()
    one._forget()
    other._forget()
    for batch in batches:
        _require_same(_encode(one, batch, compiled=True), _encode(other, batch, compiled=False))
        assert one.words_from(0) == other.words_from(0)


def test_some_attributes_alone() -> None:
    names = ["pattern-kind@0", "lower@0", "section@-1"]
    encoder, batch = _encoder(names=names), _notes()
    plain = _encode(encoder, batch, compiled=False)
    _require_same(_encode(encoder, batch, compiled=True), plain)
    nowhere = _encoder(names=["lower@0"])
    assert _encode(nowhere, batch, compiled=True).positions.shape == (len(plain), 0)


def test_what_is_learned_later_is_known_to_kernels() -> None:
    batch = _notes()
    encoder = Encoder([parse_template(name) for name in SINGLES], {})
    assert not _encode(encoder, batch, compiled=True).positions.any()
    encoder.learn(batch)
    known = _encode(encoder, batch, compiled=True)
    assert known.positions.any()
    _require_same(known, _encode(encoder, batch, compiled=False))


def test_a_cache_of_names_that_starts_afresh_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoder, batch = _encoder(), _notes()
    expected = _encode(encoder, batch, compiled=True)
    monkeypatch.setattr(_place_reader, "MAX_CACHED_NAMES", 1)
    for _ in range(2):
        _require_same(_encode(encoder, batch, compiled=True), expected)
        assert encoder._place_reader is not None
        assert len(encoder._place_reader._cache) < 200


def test_a_table_of_words_grows() -> None:
    words = [f"w{number}{'x' * (number % 40)}" for number in range(5000)]
    table = WordTable()
    for first in range(0, len(words), 700):
        table.add(words[first : first + 700])
    assert table.count == len(words) + 1
    drawn = make_tokenizer("whitespace").tokenize(" ".join([*words, "w", "\U0001f468", "w1x"]))
    ids, missing = table.find(join_texts([drawn]))
    assert ids.tolist() == [*range(1, len(words) + 1), -1, -1, 2]
    assert missing == 2
    assert "w1" not in repr(table)


def test_threads_that_meet_the_same_words_agree() -> None:
    encoder, batch = _encoder(), _notes()
    expected = [w for drawn in batch for w in drawn.words()]
    encoder._forget()
    found: list[list[str]] = []

    def encode() -> None:
        ids = encoder._find_ids(join_texts(batch))
        words = encoder.words_from(0)
        found.append([words[number] for number in ids.tolist()])

    threads = [threading.Thread(target=encode) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
    assert encoder._table.count == encoder.word_count
