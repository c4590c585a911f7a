"""Pretraining from raw text: both directions, what is saved, what is refused."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import load_artifact
from scrubjay.errors import ConfigError, InputError, MissingExtraError, OutputError
from scrubjay.features.contextual import load_contextual
from scrubjay.features.vectors import find_vectors
from scrubjay.learning.charlm_config import CharLMConfig, CharLMRun
from scrubjay.learning.pretraining import (
    RawText,
    VectorConfig,
    pretrain_charlm,
    pretrain_vectors,
    sentences_of,
    train_charlm,
    train_vectors,
)
from scrubjay.text.tokenizers import make_tokenizer

TINY = CharLMConfig(hidden=8, embedding=4, batch=8, window=32, epochs=1, min_count=1)
ONE = CharLMRun(threads=1, device="cpu")
DAYS = ("lunes", "martes", "jueves")
TEXTS = [
    f"El {DAYS[number % 3]} vino {name} con dolor. No hay fiebre.\nCita el {DAYS[number % 2]}.\n"
    for number, name in enumerate(["Ana", "Luis", "Eva", "Juan", "Rosa"] * 8)
]


@pytest.fixture
def raw(tmp_path: Path) -> RawText:
    folder = tmp_path / "raw"
    folder.mkdir()
    for number, text in enumerate(TEXTS):
        (folder / f"{number:02}.txt").write_text(text, "utf-8")
    return RawText(paths=(folder,), out=tmp_path / "out", language="es")


def test_both_directions_are_trained_and_told_of() -> None:
    shares: dict[str, list[float]] = {}
    seen: list[str] = []
    trained = train_charlm(
        TEXTS,
        TINY,
        ONE,
        progress=lambda stage, share: shares.setdefault(stage, []).append(share),
        report=lambda point: seen.append(point.direction),
    )
    assert sorted(shares) == ["backward", "forward"]
    assert all(told == sorted(told) and told[-1] == 1.0 for told in shares.values())
    assert seen == [point.direction for point in trained.history]
    assert trained.ended == "epochs"
    assert trained.files["forward.onnx"] != trained.files["backward.onnx"]
    # Side by side the directions learn what they learn one after the other.
    beside = train_charlm(TEXTS, TINY, replace(ONE, threads=2))
    assert beside.files == trained.files


def test_the_models_are_saved_with_what_they_hold(raw: RawText) -> None:
    result = pretrain_charlm(raw, TINY, ONE)
    artifact = load_artifact(raw.out)
    manifest = artifact.manifest
    assert manifest == result.manifest
    assert (manifest.kind, manifest.language, manifest.stores_words) == ("charlm", "es", False)
    assert "by heart" in manifest.notes
    assert manifest.training_data["characters"] == sum(map(len, TEXTS))
    assert manifest.config["network"]["hidden"] == 8
    assert set(manifest.metrics["held-out-bits-per-character"]) == {"forward", "backward"}
    embedder = load_contextual(artifact)
    tokens = make_tokenizer("subword").tokenize(TEXTS[0])
    assert embedder.embed([tokens]).shape == (len(tokens), 16)


def test_a_checkpoint_is_used_and_then_removed(raw: RawText, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    run = replace(ONE, checkpoint=saved, minutes=1e-9)
    assert pretrain_charlm(raw, TINY, run).manifest.config["ended"] == "time"
    assert sorted(path.name for path in saved.iterdir()) == ["backward.state", "forward.state"]
    with pytest.raises(ConfigError, match="another training"):
        train_charlm(TEXTS, replace(TINY, hidden=9), run)
    with pytest.raises(ConfigError, match="another training"):
        train_charlm([*TEXTS, "More."], TINY, run)
    pretrain_charlm(replace(raw, overwrite=True), TINY, replace(run, minutes=None))
    assert not saved.exists()
    whole = train_charlm(TEXTS, TINY, ONE)
    assert load_artifact(raw.out).read("forward.onnx") == whole.files["forward.onnx"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hidden": 0}, "hidden must be 1 or more"),
        ({"dropout": 1.0}, "dropout must be below 1"),
        ({"learning_rate": -1.0}, "learning-rate must not be negative"),
        ({"held_out": 0.9}, "held-out must be"),
        ({"optimizer": "adagrad"}, "Known: adam, sgd"),
        ({"seed": -1}, "seed must not be negative"),
        ({"clip": float("nan")}, "clip must not be negative"),
    ],
)
def test_wrong_settings_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        CharLMConfig(**given)


def test_wrong_runs_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for given in ({"minutes": 0.0}, {"threads": -1}, {"checkpoint": tmp_path / "file"}):
        with pytest.raises(ConfigError):
            CharLMRun(**given)
    with pytest.raises(ConfigError, match="device"):
        train_charlm(TEXTS, TINY, replace(ONE, device="abacus"))


def test_places_and_texts_are_looked_at_first(raw: RawText, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no language code"):
        replace(raw, language="Spanish")
    raw.out.mkdir()
    (raw.out / "precious").touch()
    with pytest.raises(OutputError, match="no model"):
        pretrain_charlm(raw, TINY, ONE)
    with pytest.raises(OutputError, match="inside the folder of the input"):
        pretrain_vectors(replace(raw, out=raw.paths[0] / "out"), VectorConfig())
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "a.txt").write_text(" \n")
    with pytest.raises(InputError, match="no text to learn from"):
        pretrain_vectors(replace(raw, paths=(empty,), out=tmp_path / "v"), VectorConfig())


@pytest.mark.parametrize("package", ["torch", "onnx", "gensim"])
def test_missing_packages_are_named(
    package: str, raw: RawText, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == package else find(name)
    )
    call = partial(pretrain_vectors, raw, VectorConfig())
    if package != "gensim":
        call = partial(pretrain_charlm, raw, TINY, ONE)
    with pytest.raises(MissingExtraError, match=r'pip install "scrubjay\[train\]"') as caught:
        call()
    assert repr(package) in str(caught.value)


# Word vectors


def test_vectors_are_the_same_each_time_and_lower_case() -> None:
    tokenizer = make_tokenizer("subword")
    sentences = sentences_of(map(tokenizer.tokenize, TEXTS))
    assert sum(map(len, sentences)) == sum(len(tokenizer.tokenize(text)) for text in TEXTS)
    config = VectorConfig(dimension=8, epochs=3, min_count=8)
    shares: list[float] = []
    vectors = train_vectors(sentences, config, progress=lambda stage, share: shares.append(share))
    assert vectors.words[0] == "."
    assert {"el", "fiebre", "ana"} <= set(vectors.words)
    assert not any(word != word.lower() for word in vectors.words)
    assert vectors.matrix.shape == (len(vectors), 8)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    again = train_vectors(sentences, config)
    np.testing.assert_array_equal(again.matrix, vectors.matrix)
    other = train_vectors(sentences, replace(config, seed=1))
    assert not np.array_equal(other.matrix, vectors.matrix)


def test_vectors_are_saved(raw: RawText) -> None:
    config = VectorConfig(dimension=8, epochs=2, min_count=8)
    result = pretrain_vectors(raw, config)
    assert result.manifest.stores_words
    assert result.manifest.tokenizer["name"] == "subword"
    found = find_vectors(raw.out)
    assert len(found) == result.manifest.training_data["vocabulary"]
    assert "fiebre" in found


def test_words_that_are_too_rare_are_refused() -> None:
    with pytest.raises(InputError, match="no word occurs 99 times"):
        train_vectors([["secret"]], VectorConfig(min_count=99))
    with pytest.raises(ConfigError, match="min-count"):
        VectorConfig(min_count=0)
