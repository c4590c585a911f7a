"""Vectors that a recurrent tagger's network begins with: of words, and of words in context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import load_artifact
from scrubjay.cores import run_all
from scrubjay.errors import ConfigError
from scrubjay.features.contextual import ContextualEmbedder, load_contextual
from scrubjay.features.encoders import EncoderEmbedder
from scrubjay.features.inputs import FIRST_NUMBER, fold_word
from scrubjay.features.vectors import WordVectors, find_vectors
from scrubjay.learning._bilstm_inputs import FittedInputs, fit_inputs
from scrubjay.learning.bilstm_config import BilstmConfig, WordSettings
from scrubjay.learning.charlm_config import DIRECTIONS, CharLMConfig, CharLMRun
from scrubjay.learning.preparation import Prepared, Progress
from scrubjay.learning.pretraining import (
    VectorConfig,
    sentences_of,
    train_charlm,
    train_vectors,
)
from scrubjay.text.tokens import Tokens

#: So many of the most frequent words of given vectors are known without the training text.
KNOWN_WORDS = 30_000

#: Texts embedded at once; bounds the memory that single precision takes.
_TEXTS_AT_ONCE = 32

Rows = npt.NDArray[np.float32]


def find_word_vectors(
    config: BilstmConfig, data: Prepared, *, seed: int, progress: Progress
) -> WordVectors | None:
    """Return the vectors that the configuration names, or trains on the training text.

    None stands for random ones. Raises `ConfigError` where their dimension is not the
    configuration's, and what `find_vectors` and `train_vectors` raise.
    """
    words = config.words
    if words.dimension == 0 or words.vectors == "random":
        return None
    if words.vectors == "skip-gram":
        sentences = [
            [fold_word(word, words.form) for word in sentence]
            for sentence in sentences_of(data.batch)
        ]
        settings = VectorConfig(dimension=words.dimension, seed=seed)
        return train_vectors(sentences, settings, progress=progress)
    vectors = find_vectors(words.vectors)
    if vectors.dimension != words.dimension:
        raise ConfigError(
            f"the word vectors {words.vectors!r} have {vectors.dimension} figures each, the "
            f"configuration asks for {words.dimension}",
            hint=f"Write dimension = {vectors.dimension} in [words], or name other vectors",
        )
    return vectors


def vector_rows(vectors: WordVectors, settings: WordSettings) -> dict[str, int]:
    """Return the row of each folded word, of several words that fold to one the first."""
    rows: dict[str, int] = {}
    for row, word in enumerate(vectors.words):
        rows.setdefault(fold_word(word, settings.form), row)
    return rows


def fit_word_inputs(
    config: BilstmConfig, data: Prepared, vectors: WordVectors | None, *, language: str
) -> FittedInputs:
    """Number what the network reads; words that have vectors are known however seldom they are.

    Of vectors that were not fitted to the training text, the `KNOWN_WORDS` most frequent are
    known without it.
    """
    known = vector_rows(vectors, config.words) if vectors is not None else {}
    return fit_inputs(config, data, language=language, known=known, most_known=KNOWN_WORDS)


def lay_out_vectors(
    vectors: WordVectors, settings: WordSettings, vocabulary: Mapping[str, int]
) -> Rows:
    """Return the vectors by vocabulary number, NaN where none is known.

    Shape `(v, dimension)`, v counting the two numbers of padding and the unknown word. Where
    words keep their case, one that has no vector as it stands gets that of its lower-case form.
    """
    rows = vector_rows(vectors, settings)
    matrix = np.full((FIRST_NUMBER + len(vocabulary), vectors.dimension), np.nan, dtype=np.float32)
    for word, number in vocabulary.items():
        row = rows.get(word, rows.get(word.lower(), -1))
        if row >= 0:
            matrix[number] = vectors.matrix[row]
    return matrix


def find_embedder(
    config: BilstmConfig,
    data: Prepared,
    *,
    seed: int,
    run: CharLMRun,
    progress: Progress,
) -> ContextualEmbedder | None:
    """Return the character language models of the configuration, trained first if it says so.

    None where it names none. Raises what `load_artifact`, `load_contextual` and `train_charlm`
    raise.
    """
    settings = config.contextual
    if not settings.models:
        return None
    if settings.models == "train":
        texts = [document.text for document in data.documents]
        sizes = CharLMConfig(hidden=settings.hidden, epochs=settings.epochs, seed=seed)
        trained = train_charlm(texts, sizes, run, progress=_as_one(progress))
        return ContextualEmbedder(trained.files)
    return load_contextual(load_artifact(Path(settings.models)))


def _as_one(progress: Progress) -> Progress:
    """Return a progress for both directions, which learn side by side, as one stage."""
    done: dict[str, float] = {}

    def show(direction: str, share: float) -> None:
        done[direction] = share
        progress("language models", sum(done.values()) / len(DIRECTIONS))

    return show


def embed_texts(
    embedder: ContextualEmbedder | EncoderEmbedder, batch: Sequence[Tokens]
) -> npt.NDArray[np.float16]:
    """Return the vectors of all tokens in half precision, `(n, dimension)`."""
    bounds = np.cumsum([0, *(len(tokens) for tokens in batch)]).tolist()
    vectors = np.empty((bounds[-1], embedder.dimension), dtype=np.float16)

    def embed(part: slice) -> None:
        some = batch[part]
        vectors[bounds[part.start] : bounds[part.start + len(some)]] = embedder.embed(some)

    run_all(embed, [slice(at, at + _TEXTS_AT_ONCE) for at in range(0, len(batch), _TEXTS_AT_ONCE)])
    return vectors
