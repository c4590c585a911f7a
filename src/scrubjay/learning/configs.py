"""Named configurations: the systems of the papers as readable TOML.

A configuration is a file `NAME.toml` under `scrubjay/resources/configs`, or the user's own. Its
`kind` says which learner it is for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, get_args

from scrubjay.errors import ConfigError, require_choice
from scrubjay.features.positions import is_position_attribute
from scrubjay.features.templates import (
    FeatureConfig,
    read_feature_config,
    require_known,
    require_table,
    write_feature_config,
)
from scrubjay.features.words import find_word_attribute
from scrubjay.files import parse_toml
from scrubjay.learning._named import read_named, shipped_names
from scrubjay.learning.bilstm_config import BilstmConfig, build_bilstm_config
from scrubjay.learning.encoder_bilstm_config import (
    EncoderBilstmConfig,
    build_encoder_bilstm_config,
)
from scrubjay.learning.ensemble_config import (
    EnsembleConfig,
    FindMember,
    build_ensemble_config,
    merge_tables,
)
from scrubjay.learning.sections import (
    COMMON,
    read_common,
    read_section,
    write_common,
    write_section,
)
from scrubjay.learning.tbed_config import TbedConfig, build_tbed_config
from scrubjay.learning.transformer_config import TransformerConfig, build_transformer_config
from scrubjay.near_names import suggest_near
from scrubjay.text.tokens import AlignmentMode

_ALGORITHMS = ("ap", "arow", "l2sgd", "lbfgs", "pa")


@dataclass(frozen=True, slots=True)
class CrfTraining:
    """How CRFsuite trains: `c1` and `c2` weigh the L1 and L2 norms, `min_frequency` cuts off.

    `delta` and `period` stop L-BFGS when the objective improved by less than `delta` over the
    last `period` iterations.
    """

    algorithm: str = "lbfgs"
    c1: float = 0.05
    c2: float = 0.01
    min_frequency: int = 1
    max_iterations: int = 150
    delta: float = 1e-4
    period: int = 10
    align: AlignmentMode = "expand"

    def __post_init__(self) -> None:
        require_choice("training.algorithm", self.algorithm, _ALGORITHMS)
        require_choice("training.align", self.align, get_args(AlignmentMode))

    def parameters(self) -> dict[str, float]:
        """Return the parameters of this algorithm by CRFsuite's names."""
        common = {"feature.minfreq": self.min_frequency, "max_iterations": self.max_iterations}
        if self.algorithm == "lbfgs":
            return {
                **common, "c1": self.c1, "c2": self.c2, "delta": self.delta, "period": self.period
            }  # fmt: skip
        return {**common, "c2": self.c2} if self.algorithm == "l2sgd" else dict(common)


@dataclass(frozen=True, slots=True)
class CrfConfig:
    """A CRF system: tokenizer, tag scheme, features, training, and the table it follows."""

    name: str
    features: FeatureConfig
    scheme: str = "BIO"
    tokenizer: Mapping[str, Any] = field(default_factory=lambda: {"name": "subword"})
    training: CrfTraining = field(default_factory=CrfTraining)
    citation: str = ""

    @property
    def kind(self) -> str:
        """The kind of model that is trained from it."""
        return "crf"

    def table(self) -> dict[str, Any]:
        """Return the configuration as plain values, as manifests keep it."""
        return {
            **write_common(self),
            "features": write_feature_config(self.features),
            "training": write_section(self.training),
        }


Config = (
    CrfConfig | TbedConfig | BilstmConfig | EncoderBilstmConfig | EnsembleConfig | TransformerConfig
)


def config_names() -> tuple[str, ...]:
    """Return the names of the shipped configurations, sorted."""
    return shipped_names("configs")


def find_config(name_or_path: str) -> Config:
    """Return a shipped configuration by name, or read one from a TOML file.

    Raises `ConfigError` for an unknown name, an unreadable file or an unknown setting.
    """
    return build_config(read_config_table(name_or_path), origin=name_or_path)


def read_config_table(name_or_path: str) -> dict[str, Any]:
    """Return the table of a configuration as its TOML has it, for those who change settings.

    Raises `ConfigError` for an unknown name, an unreadable file and what is no TOML.
    """
    return parse_toml(config_source(name_or_path), path=name_or_path)


def config_source(name_or_path: str) -> str:
    """Return a configuration as it is written, by its name or its path.

    Raises `ConfigError` for an unknown name and an unreadable file.
    """
    text, _ = read_named(
        name_or_path,
        config_names(),
        kind="configuration",
        folder="configs",
        nearest=suggest_near(name_or_path.casefold(), config_names()),
    )
    return text


def find_crf_config(name_or_path: str) -> CrfConfig:
    """Return a configuration of a CRF; raises like `find_config`, and for one of another kind."""
    config = find_config(name_or_path)
    if not isinstance(config, CrfConfig):
        raise ConfigError(f"{config.name!r} is no configuration of a CRF but of {config.kind!r}")
    return config


def parse_config(text: str, *, origin: str) -> Config:
    """Parse a configuration; `origin` names it in errors."""
    return build_config(parse_toml(text, path=origin), origin=origin)


def build_config(table: Mapping[str, Any], *, origin: str) -> Config:
    """Build a configuration from its table; `origin` names it in errors."""
    builders: dict[Any, Callable[..., Config]] = {
        "crf": _build_crf_config,
        "tbed": build_tbed_config,
        "bilstm": build_bilstm_config,
        "encoder-bilstm": build_encoder_bilstm_config,
        "ensemble": partial(build_ensemble_config, find_member=_member_finder(Path(origin).parent)),
        "transformer": build_transformer_config,
    }
    kind = table.get("kind")
    try:
        if not isinstance(kind, str) or kind not in builders:
            raise ConfigError(f"kind must be one of: {', '.join(builders)}")
        return builders[kind](table, default_name=Path(origin).stem)
    except ConfigError as error:
        raise ConfigError(error.what, path=origin, hint=error.hint) from None


def _member_finder(folder: Path) -> FindMember:
    """Return a function that finds the configurations of members, files beside `folder` too."""

    def find_member(name_or_path: str, changes: Mapping[str, Any]) -> Config:
        if not name_or_path:
            return build_config(changes, origin=str(changes.get("name", "member")))
        beside = folder / name_or_path
        if name_or_path.endswith(".toml") and beside.is_file():
            name_or_path = str(beside)
        table = merge_tables(read_config_table(name_or_path), changes)
        if table.get("kind") == "ensemble":  # before it is built: it may name itself
            raise ConfigError("the member is an ensemble; name its members instead")
        return build_config(table, origin=name_or_path)

    return find_member


def _build_crf_config(table: Mapping[str, Any], *, default_name: str) -> CrfConfig:
    """Build a configuration from its table; the errors do not name the file yet."""
    require_known(table, COMMON | {"features", "training"}, where="the configuration")
    features = read_feature_config(require_table(table.get("features", {}), where="[features]"))
    _require_attributes(features)
    return CrfConfig(
        features=features,
        training=read_section(
            CrfTraining,
            table.get("training", {}),
            where="[training]",
            may_be_zero={"c1", "c2", "min_frequency", "max_iterations", "delta", "period"},
        ),
        **read_common(table, default_name=default_name),
    )


def _require_attributes(features: FeatureConfig) -> None:
    """Raise `ConfigError` for an unknown attribute; those with a colon wait for the language."""
    for template in features.templates():
        for name, _ in template.parts:
            if ":" not in name and not is_position_attribute(name):
                find_word_attribute(name)
