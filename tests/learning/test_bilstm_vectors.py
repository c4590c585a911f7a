"""Vectors that a network begins with: which words have one, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import Manifest, save_artifact
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.features.contextual import ContextualEmbedder
from scrubjay.features.vectors import KIND, WordVectors, vector_files
from scrubjay.learning._bilstm_vectors import (
    KNOWN_WORDS,
    embed_texts,
    find_embedder,
    find_word_vectors,
    fit_word_inputs,
    lay_out_vectors,
)
from scrubjay.learning.bilstm import BilstmLearner
from scrubjay.learning.bilstm_config import BilstmConfig, WordSettings
from scrubjay.learning.charlm_config import CharLMRun
from scrubjay.learning.preparation import Prepared, prepare, silent
from scrubjay.models import load_model
from tests.corpus_samples import make_notes
from tests.tiny_networks import require_packages, tiny_network

require_packages()

TRAIN, DEV = make_notes(16, seed=1), make_notes(6, seed=2)


@pytest.fixture(scope="module")
def data() -> Prepared:
    return prepare(TRAIN, {"name": "subword"}, align="expand")


@pytest.fixture
def save(tmp_path: Path) -> Callable[[WordVectors], str]:
    """Return a saver of vectors that gives the name of the folder."""

    def write(vectors: WordVectors) -> str:
        manifest = Manifest(
            name="v", kind=KIND, language="en", label_set="", labels=(), stores_words=True
        )
        save_artifact(tmp_path / "v", manifest, files=vector_files(vectors), overwrite=True)
        return str(tmp_path / "v")

    return write


def _some_vectors(*words: str, dimension: int = 4) -> WordVectors:
    figures = np.arange(len(words) * dimension, dtype=np.float32)
    return WordVectors(words, figures.reshape(len(words), dimension))


def _find(config: BilstmConfig, data: Prepared, seed: int = 0) -> WordVectors | None:
    return find_word_vectors(config, data, seed=seed, progress=silent)


def _fit(config: BilstmConfig, **settings: Any) -> Any:
    learner = BilstmLearner(config, language="en", name="tiny", device="cpu", threads=1)
    return learner.fit(TRAIN, dev=DEV, **settings)


def test_random_vectors_are_none(data: Prepared) -> None:
    assert _find(tiny_network(), data) is None
    assert _find(tiny_network(words={"dimension": 0, "vectors": "skip-gram"}), data) is None


def test_skip_gram_learns_from_the_training_text(data: Prepared) -> None:
    pytest.importorskip("gensim", reason="skip-gram needs the extra `train`")
    config = tiny_network(words={"vectors": "skip-gram", "dimension": 12, "form": "lower-digits"})
    one, same, other = (_find(config, data, seed) for seed in (1, 1, 2))
    assert one is not None
    assert same is not None
    assert other is not None
    assert one.dimension == 12
    assert one.words == same.words == other.words
    assert np.array_equal(one.matrix, same.matrix)
    assert not np.array_equal(one.matrix, other.matrix)
    text = {word.lower() for tokens in data.batch for word in tokens.words()}
    letters = {word for word in one.words if word.isalpha()}
    assert letters <= text
    assert not any(set(word) & set("123456789") for word in one.words)


def test_vectors_of_another_dimension_are_refused(
    data: Prepared, save: Callable[[WordVectors], str]
) -> None:
    place = save(_some_vectors("a", "b"))
    config = tiny_network(words={"vectors": place, "dimension": 16})
    with pytest.raises(ConfigError) as caught:
        _find(config, data)
    assert str(caught.value) == (
        f"the word vectors {place!r} have 4 figures each, the configuration asks for 16. "
        "Write dimension = 4 in [words], or name other vectors"
    )


def test_unknown_vectors_are_refused(data: Prepared) -> None:
    with pytest.raises(ConfigError, match="unknown word vectors 'nothing'"):
        _find(tiny_network(words={"vectors": "nothing"}), data)


def test_rows_are_laid_out_by_number() -> None:
    vectors = _some_vectors("the", "Anna", "ANNA", "x")
    vocabulary = {"anna": 2, "zzz": 3, "the": 4, "The": 5}
    lower = lay_out_vectors(vectors, WordSettings(form="lower"), vocabulary)
    # Of two words that fold to one the more frequent counts.
    assert np.array_equal(lower[2], vectors.matrix[1])
    assert np.array_equal(lower[4], vectors.matrix[0])
    assert np.isnan(lower[[0, 1, 3]]).all()
    word = lay_out_vectors(vectors, WordSettings(form="word"), vocabulary)
    assert np.array_equal(word[5], vectors.matrix[0])
    assert np.isnan(word[2]).all()


def test_words_with_vectors_are_known_and_begin_with_them(
    data: Prepared, save: Callable[[WordVectors], str]
) -> None:
    place = save(_some_vectors("the", "qqq", "patient", dimension=16))
    config = tiny_network(words={"vectors": place, "min_count": 1000})
    vectors = _find(config, data)
    inputs = fit_word_inputs(config, data, vectors, language="en")
    assert set(inputs.encoder.vocabulary) == {"the", "qqq", "patient"}
    assert KNOWN_WORDS >= 10_000
    frozen = tiny_network(words={"vectors": place}, training={"epochs": 1, "learning_rate": 1e-12})
    detector = _fit(frozen)
    model = detector.tagger.model
    number = model.inputs.vocabulary["qqq"]
    from scrubjay.features._sessions import make_session
    from scrubjay.taggers._recurrent.fit import run_words

    session = make_session(model.words, threads=1)
    spelling = np.zeros((1, model.inputs.longest), dtype=np.int32)
    vector = run_words(session, np.array([number], dtype=np.int32), spelling)[0]
    assert vector[:16] == pytest.approx(np.arange(16, 32), abs=1e-4)


# Words in context


@pytest.fixture(scope="module")
def contextual() -> BilstmConfig:
    """A configuration with language models that are trained in a moment."""
    return tiny_network(
        contextual={"models": "train", "hidden": 8, "epochs": 1},
        characters={"network": "none"},
        training={"epochs": 3},
    )


def test_without_language_models_there_are_none(data: Prepared) -> None:
    found = find_embedder(tiny_network(), data, seed=0, run=CharLMRun(), progress=silent)
    assert found is None


def test_language_models_are_trained_and_travel_with_the_model(
    contextual: BilstmConfig, tmp_path: Path
) -> None:
    detector = _fit(contextual)
    files = detector.files()
    assert {name for name in files if name.startswith("contextual-")} == {
        "contextual-forward.onnx", "contextual-backward.onnx", "contextual-alphabet.json",
    }  # fmt: skip
    curve = [epoch["dev"] for epoch in detector.manifest.metrics["epochs"]]
    found = detector.detect(DEV)
    hits = sum(len(set(s) & set(d.spans)) for s, d in zip(found, DEV, strict=True))
    total = sum(map(len, found)) + sum(len(d.spans) for d in DEV)
    # Training reads half precision: a score at a tie may fall to the other side.
    assert 2 * hits / total == pytest.approx(max(curve), abs=0.02)
    save_artifact(tmp_path / "model", detector.manifest, files=files)
    assert load_model(tmp_path / "model").detect(DEV) == found


def test_embeddings_are_those_of_the_embedder(contextual: BilstmConfig, data: Prepared) -> None:
    run = CharLMRun(threads=1, device="cpu")
    embedder = find_embedder(contextual, data, seed=0, run=run, progress=silent)
    assert isinstance(embedder, ContextualEmbedder)
    rows = embed_texts(embedder, data.batch)
    assert rows.dtype == np.float16
    assert rows.shape == (sum(map(len, data.batch)), 16)
    assert rows == pytest.approx(embedder.embed(data.batch), abs=1e-3)
    assert embed_texts(embedder, []).shape == (0, 16)


def test_a_folder_of_something_else_is_no_language_model(
    data: Prepared, save: Callable[[WordVectors], str]
) -> None:
    config = tiny_network(contextual={"models": save(_some_vectors("a"))})
    with pytest.raises(ArtifactError, match="a model of the kind 'vectors', not 'charlm'"):
        find_embedder(config, data, seed=0, run=CharLMRun(), progress=silent)
