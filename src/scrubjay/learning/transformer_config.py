"""The configuration of a transformer tagger: an encoder on disk, its windows, how it is tuned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, get_args

from scrubjay.errors import ConfigError, require_choice
from scrubjay.features.subtokens import PIECES
from scrubjay.features.templates import require_known
from scrubjay.learning.sections import (
    COMMON,
    read_common,
    read_section,
    write_common,
    write_encoder,
    write_section,
)
from scrubjay.text.tokens import AlignmentMode

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """The pre-trained encoder and what is read off it.

    `path` is a folder in the format of Hugging Face on this machine, never a name to download.
    `window`, `overlap` and `pieces` are those of `features.subtokens.SubtokenEncoder`, in
    sub-tokens. `decoder` is "crf" (transitions are learned) or "softmax" (each token alone);
    `dropout` acts on the encoder's output.
    """

    path: str = ""
    window: int = 256
    overlap: int = 64
    pieces: str = "first"
    decoder: str = "crf"
    dropout: float = 0.1

    def __post_init__(self) -> None:
        require_choice("encoder.pieces", self.pieces, PIECES)
        require_choice("encoder.decoder", self.decoder, ("crf", "softmax"))


@dataclass(frozen=True, slots=True)
class TransformerTraining:
    """How the encoder is tuned: AdamW, a warm-up over the share `warm_up` of all steps, then a
    linear decay to 0.

    `learning_rate` is the encoder's, `head_rate` that of the new layers. `batch` counts windows,
    `clip` bounds the norm of the gradient (0: no bound). With dev data training stops after
    `patience` epochs without a better strict F1 (0: never) and keeps the best epoch. `precision`
    "auto" takes bfloat16 where an accelerator has it, "bfloat16" always, "full" never.
    """

    learning_rate: float = 5e-5
    head_rate: float = 1e-3
    weight_decay: float = 0.01
    warm_up: float = 0.1
    epochs: int = 10
    patience: int = 3
    batch: int = 16
    clip: float = 1.0
    precision: str = "auto"
    align: AlignmentMode = "expand"

    def __post_init__(self) -> None:
        require_choice("training.precision", self.precision, ("auto", "full", "bfloat16"))
        require_choice("training.align", self.align, get_args(AlignmentMode))


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """A transformer tagger: tokenizer, tag scheme, encoder, training."""

    name: str
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    training: TransformerTraining = field(default_factory=TransformerTraining)
    scheme: str = "BIO"
    tokenizer: Mapping[str, Any] = field(default_factory=lambda: {"name": "subword"})
    citation: str = ""

    @property
    def kind(self) -> str:
        """The kind of model that is trained from it."""
        return "transformer"

    def table(self) -> dict[str, Any]:
        """Return the configuration as plain values, as manifests keep it.

        Of the encoder's path only the last part is told: the rest is about a machine.
        """
        return {
            **write_common(self),
            "encoder": write_encoder(self.encoder),
            "training": write_section(self.training),
        }


def build_transformer_config(table: Mapping[str, Any], *, default_name: str) -> TransformerConfig:
    """Build a configuration from its table; the errors do not name the file yet."""
    require_known(table, COMMON | {"encoder", "training"}, where="the configuration")
    return TransformerConfig(
        **read_common(table, default_name=default_name),
        encoder=read_section(
            EncoderSettings,
            table.get("encoder", {}),
            where="[encoder]",
            may_be_zero={"overlap", "dropout"},
            shares={"dropout"},
        ),
        training=read_tuning(table.get("training", {})),
    )


def read_tuning(table: Any) -> TransformerTraining:
    """Return how an encoder is tuned from its section; raises `ConfigError`."""
    return read_section(
        TransformerTraining,
        table,
        where="[training]",
        may_be_zero={"weight_decay", "warm_up", "patience", "clip"},
        shares={"warm_up"},
    )


def with_encoder(config: C, path: str | None) -> C:
    """Return a configuration with the encoder of another folder; None changes nothing.

    Raises `ConfigError` for a configuration that has no encoder.
    """
    if path is None:
        return config
    encoder = getattr(config, "encoder", None)
    if encoder is None:
        raise ConfigError(
            "--encoder is for configurations with an encoder",
            hint="Leave it out, or give --config transformer or encoder-blstm",
        )
    return replace(config, encoder=replace(encoder, path=path))  # type: ignore[type-var]
