"""What a network will read: vocabulary, characters and features of the training data."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scrubjay.errors import ConfigError
from scrubjay.features.inputs import fold_word
from scrubjay.features.templates import FeatureConfig, parse_template
from scrubjay.learning._bilstm_inputs import FittedInputs, fit_inputs
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.preparation import Prepared, prepare
from tests.corpus_samples import make_notes
from tests.tiny_networks import tiny_network


@pytest.fixture(scope="module")
def data() -> Prepared:
    return prepare(make_notes(20, seed=1), {"name": "subword"}, align="expand")


def _fit(data: Prepared, config: BilstmConfig, **settings: Any) -> FittedInputs:
    return fit_inputs(config, data, language="en", **settings)


def _frequencies(data: Prepared, form: str) -> Counter[str]:
    return Counter(fold_word(word, form) for tokens in data.batch for word in tokens.words())


@pytest.mark.parametrize("form", ["lower", "lower-digits", "word"])
@pytest.mark.parametrize("least", [1, 3])
def test_words_are_numbered_by_falling_frequency(data: Prepared, form: str, least: int) -> None:
    fitted = _fit(data, tiny_network(words={"form": form, "min_count": least}))
    frequencies = _frequencies(data, form)
    vocabulary = fitted.encoder.vocabulary
    assert set(vocabulary) == {word for word, count in frequencies.items() if count >= least}
    assert sorted(vocabulary.values()) == list(range(2, 2 + len(vocabulary)))
    counts = [frequencies[word] for word in sorted(vocabulary, key=vocabulary.__getitem__)]
    assert counts == sorted(counts, reverse=True)
    assert fitted.counts.tolist() == [0, 0, *counts]


def test_rare_words_are_those_seen_and_seldom(data: Prepared) -> None:
    fitted = _fit(data, tiny_network(), known={"zzz": 0, "the": 1}, most_known=2)
    rare = fitted.rare(most=2)
    frequencies = _frequencies(data, "lower")
    for word, number in fitted.encoder.vocabulary.items():
        assert rare[number] == (0 < frequencies[word] <= 2), word
    assert not rare[:2].any()
    assert fitted.counts[fitted.encoder.vocabulary["zzz"]] == 0


def test_words_with_vectors_join_the_vocabulary(data: Prepared) -> None:
    frequencies = _frequencies(data, "lower")
    single = next(word for word, count in frequencies.items() if count == 1)
    known = {"zzz": 0, "xxx": 1, "yyy": 2, "aaa": 3, single: 4}
    config = tiny_network(words={"min_count": 2})
    vocabulary = _fit(data, config, known=known, most_known=3).encoder.vocabulary
    # A word of the text is known at any rank, another one among the first alone.
    assert single in vocabulary
    assert list(vocabulary)[-3:] == ["zzz", "xxx", "yyy"]
    assert "aaa" not in vocabulary
    assert sorted(vocabulary.values()) == list(range(2, 2 + len(vocabulary)))
    plain = _fit(data, config).encoder.vocabulary
    assert set(vocabulary) - set(plain) == {single, "zzz", "xxx", "yyy"}


def test_what_the_network_leaves_out_is_not_stored(data: Prepared) -> None:
    config = tiny_network(
        words={"dimension": 0}, characters={"network": "none"}, network={"feature_dimension": 0}
    )
    encoder = _fit(data, config, known={"aaa": 0}, most_known=1).encoder
    assert (encoder.vocabulary, encoder.characters, encoder.feature_sizes()) == ({}, {}, [])
    full = _fit(data, tiny_network()).encoder
    assert set(full.characters) == {c for note in data.documents for c in note.text}


def test_rare_values_of_features_are_nothing(data: Prepared) -> None:
    full, cut = (
        _fit(data, tiny_network(network={"feature_min_count": least})).encoder for least in (1, 6)
    )
    before = full.encode(data.batch).features
    after = cut.encode(data.batch).features
    assert before.shape == after.shape
    for column, template in enumerate(cut.encoder.templates):
        name = template.parts[0][0]
        old, new = full.encoder.values_of(name), cut.encoder.values_of(name)
        counts = np.bincount(before[:, column], minlength=len(old) + 1)
        assert new == [v for n, v in enumerate(old, start=1) if counts[n] >= 6]
        names = np.array(["", *new])[after[:, column]]
        expected = [v if v in new else "" for v in np.array(["", *old])[before[:, column]]]
        assert names.tolist() == expected


def test_features_that_no_language_has_are_refused(data: Prepared) -> None:
    features = FeatureConfig({"all": (parse_template("cluster:6"),)})
    with pytest.raises(ConfigError, match="none of the features exists for language 'xx'"):
        fit_inputs(replace(tiny_network(), features=features), data, language="xx")
