"""The configuration of transformers: what a file may say, and what a manifest keeps of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.errors import ConfigError
from scrubjay.learning.configs import find_config, find_crf_config, parse_config
from scrubjay.learning.learners import make_learner
from scrubjay.learning.transformer_config import (
    EncoderSettings,
    TransformerConfig,
    TransformerTraining,
    with_encoder,
)


def parse(body: str = "") -> TransformerConfig:
    config = parse_config(f'kind = "transformer"\n{body}', origin="mine.toml")
    assert isinstance(config, TransformerConfig)
    return config


def test_the_preset_states_the_defaults() -> None:
    preset = find_config("transformer")
    assert isinstance(preset, TransformerConfig)
    assert preset.encoder == EncoderSettings()
    assert preset.training == TransformerTraining()
    assert preset.kind == "transformer"


def test_a_file_of_ones_own() -> None:
    config = parse(
        '[encoder]\npath = "models/beto"\nwindow = 128\noverlap = 0\npieces = "mean"\n'
        'decoder = "softmax"\n[training]\nhead-rate = 1\nwarm-up = 0\npatience = 0\n'
    )
    assert config.name == "mine"
    assert config.encoder == EncoderSettings(
        "models/beto", window=128, overlap=0, pieces="mean", decoder="softmax"
    )
    assert config.training.head_rate == 1.0
    assert (config.training.warm_up, config.training.patience) == (0.0, 0)


def test_a_manifest_keeps_no_path() -> None:
    table = parse('[encoder]\npath = "/home/somebody/models/beto/"').table()
    assert table["encoder"]["path"] == "beto"
    assert table["training"]["learning-rate"] == 5e-5


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("epochs = 3", "unknown setting 'epochs'"),
        ("encoder = 3", r"\[encoder\] must be a table"),
        ("name = 3", "name must be a string"),
        ('scheme = "IOB9"', "unknown tag scheme"),
        ("[encoder]\nstride = 3", "unknown setting 'stride'"),
        ("[encoder]\npath = 3", r"\[encoder\] path must be a string"),
        ("[encoder]\nwindow = 0", r"\[encoder\] window must be above 0"),
        ("[encoder]\nwindow = 12.5", r"\[encoder\] window must be a whole number"),
        ("[encoder]\nwindow = true", r"\[encoder\] window must be a whole number"),
        ("[encoder]\noverlap = -1", r"\[encoder\] overlap must be at least 0"),
        ("[encoder]\ndropout = 1.0", r"\[encoder\] dropout must be below 1"),
        ('[encoder]\npieces = "last"', "unknown encoder.pieces 'last'"),
        ('[encoder]\ndecoder = "beam"', "unknown encoder.decoder 'beam'"),
        ("[training]\nlearning-rate = inf", r"learning-rate must be above 0"),
        ("[training]\nlearning-rate = nan", r"learning-rate must be above 0"),
        ('[training]\nbatch = "16"', r"batch must be a whole number"),
        ('[training]\nprecision = "half"', "unknown training.precision 'half'"),
        ('[training]\nalign = "drop"', "unknown training.align 'drop'"),
    ],
)
def test_what_a_file_may_not_say(body: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        parse(body)
    assert caught.value.path == "mine.toml"


def test_the_encoder_of_the_command_line() -> None:
    assert with_encoder(parse(), "models/beto").encoder.path == "models/beto"
    crf = find_crf_config("zhao2020-crf")
    assert with_encoder(crf, None) is crf
    with pytest.raises(ConfigError, match="for configurations with an encoder"):
        with_encoder(crf, "models/beto")


def test_a_learner_is_made_without_torch(tmp_path: Path) -> None:
    learner = make_learner(parse(), language="es", checkpoint=tmp_path / "state", device="cpu")
    assert type(learner).__name__ == "TransformerLearner"
