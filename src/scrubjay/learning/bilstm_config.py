"""Configuration of recurrent taggers (kind "bilstm"): what the network reads and how it learns.

One kind of network holds the systems of three papers: words, characters and features side by
side, a bidirectional LSTM over them, and a CRF or a softmax over its tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from scrubjay.errors import ConfigError, require_choice
from scrubjay.features.inputs import FORMS
from scrubjay.features.positions import is_position_attribute
from scrubjay.features.templates import (
    FeatureConfig,
    read_feature_config,
    require_known,
    require_table,
    write_feature_config,
)
from scrubjay.features.words import find_word_attribute
from scrubjay.learning.sections import (
    COMMON,
    read_common,
    read_section,
    write_common,
    write_section,
)
from scrubjay.text.tokens import AlignmentMode


@dataclass(frozen=True, slots=True)
class WordSettings:
    """Word embeddings: `vectors` is "random", "skip-gram" (trained on the training text), or a
    name or folder for `find_vectors`; `dimension` 0 leaves words out.

    A word enters the vocabulary with `min_count` occurrences in the training text, or if the
    vectors have it. In training a word seen `rare_count` times or less is taken for an unknown
    one at the rate `unknown_rate`. `form` is how words are folded (`features.inputs.FORMS`).
    """

    vectors: str = "random"
    dimension: int = 128
    form: str = "lower"
    min_count: int = 1
    rare_count: int = 1
    unknown_rate: float = 0.5

    def __post_init__(self) -> None:
        require_choice("words.form", self.form, FORMS)


@dataclass(frozen=True, slots=True)
class CharacterSettings:
    """Character embeddings of each word: a CNN (Zhao 2020), a BiLSTM (Jiang 2017) or none.

    `dimension` is that of one character; the CNN has `channels` per kernel, the LSTM `hidden`
    units per direction. Words are seen with up to `longest` characters.
    """

    network: str = "cnn"
    dimension: int = 16
    kernels: tuple[int, ...] = (2, 3, 4, 5)
    channels: int = 8
    hidden: int = 25
    longest: int = 24

    def __post_init__(self) -> None:
        require_choice("characters.network", self.network, ("cnn", "lstm", "none"))
        if not self.kernels or min(self.kernels) < 1 or max(self.kernels) > self.longest:
            raise ConfigError(
                "characters.kernels must be whole numbers from 1 to characters.longest"
            )


@dataclass(frozen=True, slots=True)
class ContextualSettings:
    """Contextual string embeddings: a folder of character language models, "" for none.

    "train" fits them to the training text before the tagger, with these sizes.
    """

    models: str = ""
    hidden: int = 256
    epochs: int = 5


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """The layers: `recurrent` is "lstm" or "coupled" (Jiang 2017, Appendix C).

    `dropout` acts before and after the recurrent layer, on single values or ("locked") on
    the same values at every token of a window; `word_dropout` drops whole tokens.
    `feature_dimension` is that of each feature, `decoder` "crf" (the lattice) or "softmax".
    """

    recurrent: str = "lstm"
    hidden: int = 128
    layers: int = 1
    dropout: float = 0.5
    dropout_kind: str = "plain"
    word_dropout: float = 0.0
    feature_dimension: int = 4
    feature_min_count: int = 1
    decoder: str = "crf"

    def __post_init__(self) -> None:
        require_choice("network.recurrent", self.recurrent, ("lstm", "coupled"))
        require_choice("network.decoder", self.decoder, ("crf", "softmax"))
        require_choice("network.dropout-kind", self.dropout_kind, ("plain", "locked"))


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """Whole sentences with up to `size` tokens are tagged together, `context` tokens read with
    them on both sides (`taggers._recurrent.windows`). `size` 0 tags each sentence alone.
    """

    size: int = 96
    context: int = 24


@dataclass(frozen=True, slots=True)
class BilstmTraining:
    """How the network learns.

    `batch` counts windows, `clip` bounds the norm of the gradient (0: no bound). `schedule` is
    "constant", "cosine" (down to 1 % over the epochs), "linear" or "plateau" (the rate is halved
    after `patience` epochs without a better training loss; training ends below `least_rate`).
    With dev data training stops after `early_stop` epochs without a better strict F1 (0: never)
    and keeps the best epoch. `average` > 0 keeps a moving average of the weights with that decay.
    """

    optimizer: str = "adam"
    learning_rate: float = 0.001
    weight_decay: float = 0.0
    schedule: str = "constant"
    patience: int = 3
    least_rate: float = 1e-4
    warm_up: int = 0
    epochs: int = 50
    early_stop: int = 8
    batch: int = 32
    clip: float = 10.0
    average: float = 0.0
    align: AlignmentMode = "expand"

    def __post_init__(self) -> None:
        require_choice("training.optimizer", self.optimizer, ("adam", "adamw", "sgd"))
        require_choice(
            "training.schedule", self.schedule, ("constant", "cosine", "linear", "plateau")
        )
        require_choice("training.align", self.align, get_args(AlignmentMode))
        if self.schedule == "plateau" and self.learning_rate < self.least_rate:
            raise ConfigError(
                "training.learning-rate is below training.least-rate, so training would not begin"
            )


@dataclass(frozen=True, slots=True)
class BilstmConfig:
    """A recurrent tagger: tokenizer, tag scheme, inputs, layers and training."""

    name: str
    features: FeatureConfig = field(default_factory=lambda: FeatureConfig({}))
    scheme: str = "BIO"
    tokenizer: Mapping[str, Any] = field(default_factory=lambda: {"name": "subword"})
    words: WordSettings = field(default_factory=WordSettings)
    characters: CharacterSettings = field(default_factory=CharacterSettings)
    contextual: ContextualSettings = field(default_factory=ContextualSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    windows: WindowSettings = field(default_factory=WindowSettings)
    training: BilstmTraining = field(default_factory=BilstmTraining)
    citation: str = ""

    @property
    def kind(self) -> str:
        """The kind of model that is trained from it."""
        return "bilstm"

    def table(self) -> dict[str, Any]:
        """Return the configuration as plain values, as manifests keep it.

        Of the paths of vectors and language models only the last part is told: the rest is about
        a machine.
        """
        sections = {name: write_section(getattr(self, name)) for name in _SECTIONS}
        for section, setting in (("words", "vectors"), ("contextual", "models")):
            sections[section][setting] = Path(sections[section][setting]).name
        return {
            **write_common(self),
            "features": write_feature_config(self.features),
            **sections,
        }


_SECTIONS: Mapping[str, type] = {
    "words": WordSettings,
    "characters": CharacterSettings,
    "contextual": ContextualSettings,
    "network": NetworkSettings,
    "windows": WindowSettings,
    "training": BilstmTraining,
}

#: Settings that may be 0; every other number is above 0.
_MAY_BE_ZERO = {
    "dimension", "feature_dimension", "unknown_rate", "rare_count", "dropout", "word_dropout",
    "context", "weight_decay", "warm_up", "early_stop", "clip", "average", "least_rate", "size",
}  # fmt: skip

#: Settings that are shares, below 1.
_SHARES = {"unknown_rate", "dropout", "word_dropout", "average"}


def build_bilstm_config(table: Mapping[str, Any], *, default_name: str) -> BilstmConfig:
    """Build a configuration from its table; the errors do not name the file yet."""
    require_known(table, COMMON | {"features"} | _SECTIONS.keys(), where="the configuration")
    sections: dict[str, Any] = {
        name: read_section(
            kind,
            table.get(name, {}),
            where=f"[{name}]",
            may_be_zero=_MAY_BE_ZERO,
            shares=_SHARES,
        )
        for name, kind in _SECTIONS.items()
    }
    features = FeatureConfig({})
    if "features" in table:
        features = read_feature_config(require_table(table["features"], where="[features]"))
    _require_single(features)
    config = BilstmConfig(
        features=features, **read_common(table, default_name=default_name), **sections
    )
    _require_inputs(config)
    return config


def _require_single(features: FeatureConfig) -> None:
    """Refuse crosses and offsets: the network combines and looks around by itself."""
    for template in features.templates():
        if template.is_cross or template.parts[0][1] != 0:
            raise ConfigError(
                f"feature {str(template)!r}: a network takes single attributes at offset 0"
            )
        name = template.parts[0][0]
        if ":" not in name and not is_position_attribute(name):
            find_word_attribute(name)


def _require_inputs(config: BilstmConfig) -> None:
    if (
        config.words.dimension == 0
        and config.characters.network == "none"
        and not config.contextual.models
        and (config.network.feature_dimension == 0 or not config.features.templates())
    ):
        raise ConfigError("the network has nothing to read: no words, characters or features")
