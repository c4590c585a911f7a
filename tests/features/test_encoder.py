"""The encoder against a plain extractor of features as strings."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.features import encoder as encoder_module
from scrubjay.features.encoder import Encoded, Encoder, fit_encoder
from scrubjay.features.lexicons import find_lexicon
from scrubjay.features.positions import POSITION_ATTRIBUTES
from scrubjay.features.resources import make_word_attribute
from scrubjay.features.templates import FeatureConfig, Template, parse_template
from scrubjay.features.words import WORD_ATTRIBUTES
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.corpus_samples import tokenized_notes
from tests.oracles.features import Feature, token_features
from tests.strategies import tokens

DICTIONARIES = {"CITY": frozenset({"millbrook", "dorp"}), "NAME": frozenset({"dr"})}
WORDS = [
    *(name for name in WORD_ATTRIBUTES if name != "number-kind"),
    *("lexicon:en.months", "lexicons:nl", "cluster:es:4", "dictionary:CITY", "dictionary:NAME"),
]
SINGLES = [f"{name}@0" for name in (*WORDS, *POSITION_ATTRIBUTES)]
WINDOWS = ["lower@-2", "lower@1", "suffix2@4", "key@-1", "pattern@1", "lexicon:en.months@-1"]
CROSSES = [
    "lower@-1 lower@0",
    "lower@0 shape@1 key@0",
    "key-distance@0 short-shape@-4",
    "lower@0 lower@0",
    "echo-key@2 section@-2",
]
TEMPLATES = [parse_template(text) for text in (*SINGLES, *WINDOWS, *CROSSES)]


def decode(encoder: Encoder, encoded: Encoded) -> list[set[Feature]]:
    """Return the features of each token, read back from numbers by the encoder's alphabets."""
    features: list[set[Feature]] = [set() for _ in range(len(encoded))]
    for template in encoder.templates:
        columns = [encoder.part_values(encoded, *part) for part in template.parts]
        assert all(column.shape == (len(encoded),) for column in columns)
        alphabets = [encoder.values_of(name) for name, _ in template.parts]
        for token, numbers in enumerate(zip(*columns, strict=True)):
            if all(numbers):
                pairs = zip(alphabets, numbers, strict=True)
                features[token].add((str(template), tuple(a[n - 1] for a, n in pairs)))
    return features


def _expected(
    batch: Sequence[Tokens], scope: str, templates: Sequence[Template] = TEMPLATES
) -> list[set[Feature]]:
    return [
        features
        for drawn in batch
        for features in token_features(templates, drawn, scope=scope, dictionaries=DICTIONARIES)
    ]


def _fit(batch: Sequence[Tokens], scope: str) -> tuple[Encoder, Encoded]:
    config = FeatureConfig({"all": tuple(TEMPLATES)}, scope)
    return fit_encoder(config, batch, dictionaries=DICTIONARIES)


@pytest.mark.parametrize("scope", ["document", "sentence"])
def test_features_are_those_of_the_oracle(scope: str) -> None:
    @settings(max_examples=25)
    @given(st.lists(tokens(), max_size=3))
    def check(batch: list[Tokens]) -> None:
        encoder, encoded = _fit(batch, scope)
        assert decode(encoder, encoded) == _expected(batch, scope)

    check()


@pytest.mark.parametrize("scope", ["document", "sentence"])
def test_features_of_unseen_notes_are_those_with_known_values(scope: str) -> None:
    encoder, _ = _fit(tokenized_notes(4, seed=1), scope)
    unseen = tokenized_notes(4, seed=2)
    known = {name: set(values) for name, values in encoder.alphabets.items()}
    expected = [
        {
            (str(template), values)
            for template, values in ((parse_template(text), values) for text, values in features)
            if all(v in known[name] for (name, _), v in zip(template.parts, values, strict=True))
        }
        for features in _expected(unseen, scope)
    ]
    before = {name: len(alphabet) for name, alphabet in encoder.alphabets.items()}
    assert decode(encoder, encoder.encode(unseen)) == expected
    assert {name: len(alphabet) for name, alphabet in encoder.alphabets.items()} == before


def test_words_are_looked_up_as_attributes_look_them_up() -> None:
    names = ("lexicon:en.surnames", "lexicon:en.cities", "lexicon:en.common")
    listed = [
        word for name in names for word in sorted(find_lexicon(name.partition(":")[2]))[::997]
    ]
    accented = [word.replace("e", "é").replace("i", "ï").replace("a", "å") for word in listed]
    config = FeatureConfig({"all": tuple(parse_template(name) for name in names)})
    words = [w for word in [*listed, *accented, "Méyer", "SMÏTH"] for w in word.upper().split()]
    encoder, _ = fit_encoder(config, [make_tokenizer("whitespace").tokenize(" ".join(words))])
    rows = encoder.word_rows()[encoder.intern(words)]
    for column, name in enumerate(encoder.word_names):
        look, values = make_word_attribute(name, {}), ["", *encoder.values_of(name)]
        assert [values[n] for n in rows[:, column]] == [look(word) or "" for word in words]
    assert rows[-2:].any(axis=1).all()


def test_a_window_ends_where_the_scope_says() -> None:
    batch = [make_tokenizer("subword", sentences="line").tokenize(t) for t in ("a b\nc", "d")]
    for scope, seen in (("document", {"a", "b"}), ("sentence", {"a"})):
        config = FeatureConfig({"all": (parse_template("lower@-1"),)}, scope)
        encoder, encoded = fit_encoder(config, batch)
        values = {value for features in decode(encoder, encoded) for _, (value,) in features}
        assert values == seen


def test_a_batch_changes_nothing() -> None:
    batch = tokenized_notes(5, seed=3)
    encoder, together = _fit(batch, "document")
    alone = [features for drawn in batch for features in decode(encoder, encoder.encode([drawn]))]
    assert decode(encoder, together) == alone
    backwards = decode(encoder, encoder.encode(batch[::-1]))
    assert sorted(map(sorted, backwards)) == sorted(map(sorted, alone))


def test_a_cache_that_starts_afresh_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = [tokenized_notes(2, seed=seed) for seed in range(4)]
    encoder, _ = _fit(batches[0], "document")
    expected = [decode(encoder, encoder.encode(batch)) for batch in batches]
    generation = encoder.generation
    monkeypatch.setattr(encoder_module, "MAX_CACHED_WORDS", 10)
    assert [decode(encoder, encoder.encode(batch)) for batch in batches] == expected
    assert encoder.generation > generation
    assert encoder.word_count < 200


def test_more_words_than_the_table_first_holds() -> None:
    text = " ".join(f"w{number}" for number in range(3000))
    drawn = make_tokenizer("whitespace").tokenize(text)
    config = FeatureConfig({"all": (parse_template("word"), parse_template("length"))})
    encoder, encoded = fit_encoder(config, [drawn])
    assert encoder.word_count == 3001
    assert encoder.word_rows().shape == (3001, 2)
    expected = token_features(encoder.templates, drawn)
    assert decode(encoder, encoded) == expected


def test_a_pickle_leaves_the_cache_behind_and_encodes_alike() -> None:
    batch = tokenized_notes(3, seed=4)
    encoder, _ = _fit(batch, "sentence")
    twin = pickle.loads(pickle.dumps(encoder))
    assert twin.word_count == 1
    assert decode(twin, twin.encode(batch)) == decode(encoder, encoder.encode(batch))


def test_empty_batches_and_texts() -> None:
    blank = make_tokenizer("subword").tokenize(" \n")
    encoder, _ = _fit(tokenized_notes(1, seed=1), "document")
    for batch in ([], [blank], [blank, blank]):
        encoded = encoder.encode(batch)
        assert len(encoded) == 0
        assert encoded.bounds.tolist() == [0]
        assert decode(encoder, encoded) == []
    some = tokenized_notes(1, seed=1)
    mixed = encoder.encode([blank, *some, blank])
    assert decode(encoder, mixed) == _expected(some, "document")


def test_encoding_leaves_its_input_alone() -> None:
    (drawn,) = tokenized_notes(1, seed=5)
    before = [drawn.starts.copy(), drawn.ends.copy(), drawn.sentence_starts.copy()]
    _fit([drawn], "document")
    for array, copy in zip((drawn.starts, drawn.ends, drawn.sentence_starts), before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_bounds_are_those_of_sentences_over_the_whole_batch() -> None:
    tokenizer = make_tokenizer("subword", sentences="line")
    encoder = Encoder([parse_template("lower")], {})
    encoded = encoder.encode([tokenizer.tokenize("a b\nc"), tokenizer.tokenize("d\ne f")])
    assert encoded.bounds.tolist() == [0, 2, 3, 4, 6]


def test_values_and_numbers_begin_at_one() -> None:
    encoder = Encoder([parse_template("lower")], {"lower": {"b": 1, "a": 2}, "shape": {"x": 1}})
    encoded = encoder.encode([make_tokenizer("subword").tokenize("A b c")])
    assert encoder.part_values(encoded, "lower", 0).tolist() == [2, 1, 0]
    assert encoder.part_values(encoded, "lower", 9).tolist() == [0, 0, 0]
    assert list(encoder.alphabets) == ["lower"]


def test_values_are_numbered_as_their_words_come_whatever_the_hash_seed() -> None:
    lexicon = find_lexicon("en.cities")
    words = sorted(word for word in lexicon if word.isalpha())[::97]
    expected = list(dict.fromkeys(str(lexicon[word]) for word in words))
    assert len(expected) > 4
    encoder = Encoder([parse_template("lexicon:en.cities")], {})
    encoder.learn([make_tokenizer("whitespace").tokenize(" ".join(words))])
    assert encoder.values_of("lexicon:en.cities") == expected


@pytest.mark.parametrize(
    "name", ["lowr", "lexicon:en.nothing", "lexicons:fr", "cluster:nl:4", "cluster:en", "phrase:x"]
)
def test_unknown_attributes_are_refused_at_once(name: str) -> None:
    with pytest.raises(ConfigError):
        Encoder([parse_template(name)], {})


def test_words_that_were_met_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = make_tokenizer("whitespace")
    old, common, new = ([f"{kind}{n}" for n in range(20)] for kind in ("old", "common", "new"))
    encoder = Encoder([parse_template("lower"), parse_template("length")], {"length": {"4": 1}})
    monkeypatch.setattr(encoder_module, "MAX_CACHED_WORDS", 60)
    for words in ([*old, *common], [*common, *new]):
        encoder.encode([tokenizer.tokenize(" ".join(words))])
    assert encoder.word_count == 61
    looked_at: list[str] = []
    add = encoder._add
    monkeypatch.setattr(encoder, "_add", lambda words: (looked_at.extend(words), add(words)))
    generation = encoder.generation
    encoded = encoder.encode([tokenizer.tokenize(" ".join([*common[-8:], *new, *old]))])
    assert encoder.generation > generation
    assert encoder.words_from(0)[1:31] == [*common[-10:], *new]
    assert looked_at == old
    values = encoder.part_values(encoded, "length", 0).tolist()
    assert values == [int(len(word) == 4) for word in [*common[-8:], *new, *old]]


def test_words_that_were_looked_at_in_vain_leave_nothing_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where memory ran out half way, the next words get the rows of those that got no id."""
    encoder, _ = _fit(tokenized_notes(3, seed=1), "document")
    other = pickle.loads(pickle.dumps(encoder))
    read = encoder._word_values.read

    def fail(words: Sequence[str]) -> Iterator[Any]:
        yield from islice(read(words), 2)
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(encoder._word_values, "read", fail)
        with pytest.raises(MemoryError):
            encoder.intern(["jAnuary", "mArch"])
    assert encoder.intern(["unmet", "words"]).tolist() == [
        encoder.word_count - 2 + n for n in (0, 1)
    ]
    other.intern(["unmet", "words"])
    np.testing.assert_array_equal(encoder.word_rows()[-2:], other.word_rows()[-2:])
