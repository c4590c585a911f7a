"""Configuration of recurrent taggers over a tuned encoder (kind "encoder-bilstm").

A pre-trained encoder reads sub-tokens; its states, pooled to our tokens, stand beside features
and characters before a BiLSTM-CRF, and all of it is trained together. What comes out is a
recurrent tagger ("bilstm") that carries its encoder, as others carry character language models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scrubjay.errors import require_choice
from scrubjay.features.subtokens import PIECES
from scrubjay.features.templates import FeatureConfig, require_known, write_feature_config
from scrubjay.learning.bilstm_config import (
    BilstmConfig,
    CharacterSettings,
    NetworkSettings,
    WindowSettings,
    build_bilstm_config,
)
from scrubjay.learning.sections import (
    COMMON,
    read_section,
    write_common,
    write_encoder,
    write_section,
)
from scrubjay.learning.transformer_config import TransformerTraining, read_tuning

TUNED = ("all", "layers")


@dataclass(frozen=True, slots=True)
class EncoderInput:
    """The pre-trained encoder that a recurrent tagger reads.

    `path` is a folder in the format of Hugging Face on this machine, never a name to download.
    `window`, `overlap` and `pieces` are those of `features.subtokens.SubtokenEncoder`, in
    sub-tokens. The first `layers` of the encoder are taken, 0 is all of them. `tuned` is "all",
    or "layers": the embeddings of sub-tokens then stay as they are, so that a sub-token that the
    training text lacks is no stranger to the layers above.
    """

    path: str = ""
    window: int = 192
    overlap: int = 48
    pieces: str = "mean"
    layers: int = 0
    tuned: str = "layers"
    attention_dropout: float = 0.1

    def __post_init__(self) -> None:
        require_choice("encoder.pieces", self.pieces, PIECES)
        require_choice("encoder.tuned", self.tuned, TUNED)


@dataclass(frozen=True, slots=True)
class TeacherSettings:
    """How a network learns from another one, where it is given one.

    `share` is that of the teacher in the loss, above 0 and below 1; the gold tags have the rest.
    `temperature` divides the scores of both before they are compared: the higher, the more the
    less likely tags count.
    """

    share: float = 0.5
    temperature: float = 2.0


@dataclass(frozen=True, slots=True)
class EncoderBilstmConfig:
    """A recurrent tagger over a tuned encoder: `network` without words, encoder and training."""

    network: BilstmConfig
    encoder: EncoderInput = field(default_factory=EncoderInput)
    training: TransformerTraining = field(default_factory=TransformerTraining)
    teacher: TeacherSettings = field(default_factory=TeacherSettings)

    @property
    def kind(self) -> str:
        """The kind of configuration; its model is of the kind "bilstm"."""
        return "encoder-bilstm"

    @property
    def name(self) -> str:
        return self.network.name

    @property
    def citation(self) -> str:
        return self.network.citation

    @property
    def scheme(self) -> str:
        return self.network.scheme

    @property
    def tokenizer(self) -> Mapping[str, Any]:
        return self.network.tokenizer

    @property
    def features(self) -> FeatureConfig:
        return self.network.features

    def table(self) -> dict[str, Any]:
        """Return the configuration as plain values, as manifests keep it.

        Of the encoder's path only the last part is told: the rest is about a machine.
        """
        return {
            **write_common(self),
            "features": write_feature_config(self.features),
            **{name: write_section(getattr(self.network, name)) for name in _NETWORK},
            "encoder": write_encoder(self.encoder),
            "training": write_section(self.training),
            "teacher": write_section(self.teacher),
        }


_NETWORK: Mapping[str, type] = {
    "characters": CharacterSettings,
    "network": NetworkSettings,
    "windows": WindowSettings,
}


def build_encoder_bilstm_config(
    table: Mapping[str, Any], *, default_name: str
) -> EncoderBilstmConfig:
    """Build a configuration from its table; the errors do not name the file yet."""
    own = ("encoder", "training", "teacher")
    require_known(table, COMMON | {"features", *own} | _NETWORK.keys(), where="the configuration")
    rest = {name: value for name, value in table.items() if name not in own}
    # Words are left out: the encoder's sub-tokens stand for them.
    words = {"words": {"dimension": 0}}
    return EncoderBilstmConfig(
        build_bilstm_config(rest | words, default_name=default_name),
        read_section(
            EncoderInput,
            table.get("encoder", {}),
            where="[encoder]",
            may_be_zero={"overlap", "layers", "attention_dropout"},
            shares={"attention_dropout"},
        ),
        read_tuning(table.get("training", {})),
        read_section(
            TeacherSettings, table.get("teacher", {}), where="[teacher]", shares={"share"}
        ),
    )
