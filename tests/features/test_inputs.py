"""What a network sees of tokens, against a lookup of every token by itself."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoder, fit_encoder
from scrubjay.features.inputs import PADDING, UNKNOWN, InputEncoder, fold_word
from scrubjay.features.templates import FeatureConfig, parse_template
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.corpus_samples import make_notes
from tests.strategies import texts

FEATURES = ("short-shape", "suffix2", "sentence-begins", "key")
TOKENIZER = make_tokenizer("subword")


def tokenize(bodies: list[str]) -> list[Tokens]:
    """Return the tokens of some texts."""
    return [TOKENIZER.tokenize(body) for body in bodies]


def make_encoder(*, form: str = "lower", longest: int = 7) -> InputEncoder:
    """Return an encoder that knows some invented notes."""
    batch = tokenize([note.text for note in make_notes(5, seed=1)])
    config = FeatureConfig({"all": tuple(map(parse_template, FEATURES))})
    encoder, _ = fit_encoder(config, batch)
    words = dict.fromkeys(fold_word(w, form) for tokens in batch for w in tokens.words())
    letters = sorted({c for word in words for c in word})
    return InputEncoder(
        encoder,
        {word: number for number, word in enumerate(words, start=2)},
        {letter: number for number, letter in enumerate(letters, start=2)},
        form=form,
        longest=longest,
    )


ENCODER = make_encoder()


@settings(max_examples=60)
@given(st.lists(texts(), max_size=4))
def test_each_token_is_what_a_lookup_of_it_alone_gives(bodies: list[str]) -> None:
    batch = tokenize(bodies)
    inputs = ENCODER.encode(batch)
    words = [word for tokens in batch for word in tokens.words()]
    assert len(inputs) == len(words)
    assert inputs.documents.tolist() == np.cumsum([0, *map(len, batch)]).tolist()
    assert inputs.bounds[-1] == len(words)
    table, spellings = ENCODER.word_numbers(), ENCODER.spellings()
    assert len(table) == len(spellings) == ENCODER.encoder.word_count
    for number, word in zip(inputs.types.tolist(), words, strict=True):
        assert table[number] == ENCODER.vocabulary.get(word.lower(), UNKNOWN)
        seen = word if len(word) <= 7 else word[:4] + word[-3:]
        expected = [ENCODER.characters.get(c, UNKNOWN) for c in seen]
        assert spellings[number].tolist() == expected + [PADDING] * (7 - len(seen))
    encoded = ENCODER.encoder.encode(batch)
    for column, name in enumerate(FEATURES):
        values = ENCODER.encoder.part_values(encoded, name, 0)
        assert inputs.features[:, column].tolist() == values.tolist()
        assert (inputs.features[:, column] < ENCODER.feature_sizes()[column]).all()


@settings(max_examples=30)
@given(st.lists(texts(), min_size=1, max_size=3))
def test_a_text_is_encoded_the_same_whatever_else_is_in_the_batch(bodies: list[str]) -> None:
    batch = tokenize(bodies)
    together = ENCODER.encode(batch)
    for number, tokens in enumerate(batch):
        alone = ENCODER.encode([tokens])
        begin, end = together.documents[number : number + 2]
        assert alone.types.tolist() == together.types[begin:end].tolist()
        assert alone.features.tolist() == together.features[begin:end].tolist()


def test_type_0_is_padding() -> None:
    encoder = make_encoder()
    encoder.encode(tokenize(["Seen by Dr. Castell"]))
    assert encoder.word_numbers()[0] == PADDING
    assert encoder.spellings()[0].tolist() == [PADDING] * 7


def test_without_features_there_are_no_columns() -> None:
    encoder = InputEncoder(Encoder([], {}), {"seen": 2}, {"s": 2})
    inputs = encoder.encode(tokenize(["Seen by", ""]))
    assert inputs.features.shape == (2, 0)
    assert encoder.feature_sizes() == []
    assert encoder.word_numbers()[inputs.types].tolist() == [2, UNKNOWN]
    assert encoder.encode([]).documents.tolist() == [0]


@pytest.mark.parametrize(
    ("form", "expected"),
    [("lower", "b12-ñ"), ("lower-digits", "b00-ñ"), ("word", "B12-Ñ")],
)
def test_words_are_folded(form: str, expected: str) -> None:
    assert fold_word("B12-Ñ", form) == expected
    encoder = InputEncoder(Encoder([], {}), {expected: 2}, {}, form=form)
    tokens = make_tokenizer("whitespace").tokenize("B12-Ñ")
    (number,) = encoder.encode([tokens]).types
    assert encoder.word_numbers()[number] == 2


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"unknown word form 'title'.*lower-digits"):
        InputEncoder(Encoder([], {}), {}, {}, form="title")


def test_the_cache_starts_afresh_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = make_encoder()
    batch = tokenize([note.text for note in make_notes(6, seed=3)])

    def look_up(tokens: Tokens) -> list[int]:
        types = encoder.encode([tokens]).types
        numbers: list[int] = encoder.word_numbers()[types].tolist()
        return numbers

    expected = [look_up(tokens) for tokens in batch]
    generation = encoder.generation
    monkeypatch.setattr("scrubjay.features.encoder.MAX_CACHED_WORDS", 10)
    found = [look_up(tokens) for tokens in batch]
    assert encoder.generation > generation
    assert found == expected


def test_a_pickle_leaves_the_cache_behind_and_encodes_the_same() -> None:
    encoder = make_encoder()
    size = len(pickle.dumps(encoder))
    batch = tokenize([note.text for note in make_notes(6, seed=3)])
    inputs = encoder.encode(batch)
    words = encoder.word_numbers()[inputs.types]
    assert len(pickle.dumps(encoder)) == size
    twin = pickle.loads(pickle.dumps(encoder))
    other = twin.encode(batch)
    assert twin.word_numbers()[other.types].tolist() == words.tolist()
    assert other.features.tolist() == inputs.features.tolist()
