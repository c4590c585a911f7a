"""What a recurrent tagger's network will read, found out from the training data: no torch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Alphabet, Encoded, Encoder, fit_encoder
from scrubjay.features.inputs import FIRST_NUMBER, InputEncoder, fold_word
from scrubjay.features.resources import expand_attributes
from scrubjay.features.templates import FeatureConfig
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.preparation import Prepared, training_dictionaries
from scrubjay.text.tokens import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class FittedInputs:
    """An encoder for the network's inputs, and how often the training text has each word.

    `counts` (v,) are indexed by vocabulary numbers; words that come from vectors alone have 0.
    """

    encoder: InputEncoder
    counts: IntArray

    def rare(self, *, most: int) -> npt.NDArray[np.bool_]:
        """Return by vocabulary number whether a word was seen, and `most` times or less."""
        return (self.counts > 0) & (self.counts <= most)


def fit_inputs(
    config: BilstmConfig,
    data: Prepared,
    *,
    language: str,
    known: Mapping[str, int] | None = None,
    most_known: int = 0,
) -> FittedInputs:
    """Number the words, characters and feature values of the training data.

    `known` are folded words that have vectors, with their ranks: words of the training text
    among them enter the vocabulary however seldom they are, and so do the first `most_known`.
    What the network leaves out by its configuration is not numbered, and so not stored either.
    Raises `ConfigError` for features of which none exists for the language.
    """
    seen: Counter[str] = Counter()
    characters: set[str] = set()
    for tokens in data.batch:
        seen.update(tokens.words())
        characters.update(tokens.text)
    folded: Counter[str] = Counter()
    for word, count in seen.items():
        folded[fold_word(word, config.words.form)] += count
    vocabulary = _vocabulary(config, folded, known or {}, most_known)
    encoder = InputEncoder(
        _fit_features(config, data, language=language),
        vocabulary,
        _numbered(sorted(characters) if config.characters.network != "none" else ()),
        form=config.words.form,
        longest=config.characters.longest,
    )
    counts = np.zeros(FIRST_NUMBER + len(vocabulary), dtype=np.int32)
    for word, number in vocabulary.items():
        counts[number] = folded[word]
    return FittedInputs(encoder, counts)


def known_inputs(encoder: InputEncoder) -> FittedInputs:
    """Return inputs that are numbered already: no word counts as seen, nor so as a rare one."""
    return FittedInputs(encoder, np.zeros(FIRST_NUMBER + len(encoder.vocabulary), dtype=np.int32))


def _vocabulary(
    config: BilstmConfig, folded: Counter[str], known: Mapping[str, int], most_known: int
) -> dict[str, int]:
    """Number the words: those of the text by falling frequency, then the others by rank."""
    if config.words.dimension == 0:
        return {}
    least = config.words.min_count
    kept = [word for word, count in folded.items() if count >= least or word in known]
    kept.sort(key=lambda word: (-folded[word], word))
    others = [word for word, rank in known.items() if rank < most_known]
    others.sort(key=known.__getitem__)
    return _numbered(dict.fromkeys([*kept, *others]))


def _numbered(values: Iterable[str]) -> dict[str, int]:
    return {value: number for number, value in enumerate(values, start=FIRST_NUMBER)}


def _fit_features(config: BilstmConfig, data: Prepared, *, language: str) -> Encoder:
    """Return the encoder of the features, with the values that are frequent enough."""
    if config.network.feature_dimension == 0 or not config.features.templates():
        return Encoder((), {})
    features = expand_attributes(config.features, language=language, labels=data.labels)
    if not features.templates():
        raise ConfigError(f"none of the features exists for language {language!r}")
    dictionaries = training_dictionaries(data.batch, data.aligned, features)
    encoder, encoded = fit_encoder(features, data.batch, dictionaries=dictionaries)
    return _without_rare(encoder, encoded, features, least=config.network.feature_min_count)


def _without_rare(
    encoder: Encoder, encoded: Encoded, features: FeatureConfig, *, least: int
) -> Encoder:
    """Return an encoder that knows only values seen `least` times: others are "nothing" to it."""
    if least <= 1:
        return encoder
    alphabets: dict[str, Alphabet] = {}
    for name, alphabet in encoder.alphabets.items():
        counts = np.bincount(encoder.part_values(encoded, name, 0), minlength=len(alphabet) + 1)
        kept = [value for value, number in alphabet.items() if counts[number] >= least]
        alphabets[name] = {value: number for number, value in enumerate(kept, start=1)}
    return Encoder(
        encoder.templates, alphabets, scope=features.scope, dictionaries=encoder.dictionaries
    )
