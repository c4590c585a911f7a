"""Configurations of trainings that start from models: theirs, changed as one likes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.artifacts import load_artifact
from scrubjay.errors import ConfigError
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.configs import find_config
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.start_configs import DEFAULT, EPOCHS, find_start_config, start_table
from scrubjay.learning.starts import find_network
from scrubjay.learning.training import TrainingRequest, train_model
from scrubjay.models import find_model
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_networks import TINY_NETWORK, require_packages


def test_without_a_model_it_is_the_one_that_is_named(tmp_path: Path) -> None:
    assert find_start_config(None, None) == find_config(DEFAULT)
    assert find_start_config("zhao2020-blstm", None) == find_config("zhao2020-blstm")
    (tmp_path / "weights").write_bytes(b"weights")
    assert find_start_config("zhao2020-blstm", tmp_path / "weights") == find_config(
        "zhao2020-blstm"
    )


def test_the_model_gives_everything_and_goes_on_gently() -> None:
    network = find_network(load_artifact(find_model("es")), {"bilstm"}, member="blstm")
    theirs = network.manifest.config
    config = find_start_config(None, "es", member="blstm")
    assert isinstance(config, BilstmConfig)
    table = json.loads(json.dumps(config.table()))
    rate = theirs["training"]["learning-rate"]
    assert table == {
        **start_table(network),
        "training": {**theirs["training"], "epochs": EPOCHS, "learning-rate": rate / 2},
    }
    assert table["features"] == theirs["features"]
    assert "recall-dial" in theirs


def test_a_file_without_a_kind_changes_some_settings(tmp_path: Path) -> None:
    (tmp_path / "few.toml").write_text("[training]\nepochs = 5\n", "utf-8")
    few = find_start_config(str(tmp_path / "few.toml"), "es", member="second")
    whole = find_start_config(None, "es", member="second")
    theirs = find_network(load_artifact(find_model("es")), {"bilstm"}, member="second")
    training = few.table()["training"]
    assert training == {**theirs.manifest.config["training"], "epochs": 5}
    assert {**few.table(), "training": {}} == {**whole.table(), "training": {}}
    with pytest.raises(ConfigError, match="kind must be one of"):
        find_start_config(str(tmp_path / "few.toml"), None)
    (tmp_path / "odd.toml").write_text("[training]\nepoch = 5\n", "utf-8")
    with pytest.raises(ConfigError, match="epoch") as caught:
        find_start_config(str(tmp_path / "odd.toml"), "es", member="second")
    assert caught.value.path == str(tmp_path / "odd.toml")


def test_a_file_with_a_kind_is_taken_whole() -> None:
    assert find_start_config("zhao2020-blstm", "es") == find_config("zhao2020-blstm")


def test_a_network_over_an_encoder_keeps_no_path_of_it() -> None:
    config = find_start_config(None, "en", member="network")
    assert isinstance(config, EncoderBilstmConfig)
    network = find_network(load_artifact(find_model("en")), {config.kind})
    theirs = network.manifest.config
    assert config.encoder.layers == theirs["encoder"]["layers"]
    assert config.training.epochs == EPOCHS
    for name in ("learning-rate", "head-rate"):
        assert config.table()["training"][name] == theirs["training"][name] / 4


def test_models_without_such_a_network_or_with_several_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"several networks .* blstm, second"):
        find_start_config(None, "es")
    with pytest.raises(ConfigError, match="no weights that a training could start from"):
        find_start_config(None, "es-fast")
    with pytest.raises(ConfigError, match="no member 'crf' that is such a network"):
        find_start_config(None, "es", member="crf")


def test_a_whole_training_goes_on_from_a_model(tmp_path: Path) -> None:
    require_packages()
    write_notes(make_notes(12, seed=1), tmp_path / "many")
    write_notes(make_notes(3, seed=2), tmp_path / "few")
    (tmp_path / "tiny.toml").write_text(TINY_NETWORK, "utf-8")
    (tmp_path / "few.toml").write_text("[training]\nepochs = 1\n", "utf-8")
    first = TrainingRequest(
        corpora=(tmp_path / "many",), out=tmp_path / "first", config=str(tmp_path / "tiny.toml"),
        language="en", device="cpu", save_weights=tmp_path / "weights",
    )  # fmt: skip
    train_model(first, progress=lambda stage, share: None)
    told = {}
    for config in ("few.toml", None):
        request = replace(
            first, corpora=(tmp_path / "few",), out=tmp_path / "second", overwrite=True,
            config=config and str(tmp_path / config), start_from=tmp_path / "first",
        )  # fmt: skip
        train_model(request, progress=lambda stage, share: None)
        manifest = load_artifact(tmp_path / "second").manifest
        told[config] = manifest.config["training"]
        assert manifest.training_data["start"]["name"] == "first"
        assert {**manifest.config, "training": {}} == {
            **load_artifact(tmp_path / "first").manifest.config, "training": {}
        }  # fmt: skip
    assert (told["few.toml"]["epochs"], told["few.toml"]["learning-rate"]) == (1, 0.02)
    assert (told[None]["epochs"], told[None]["learning-rate"]) == (EPOCHS, 0.01)
    with pytest.raises(ConfigError, match="starts from no weights"):
        train_model(
            replace(request, start_from=tmp_path / "weights"), progress=lambda stage, share: None
        )
