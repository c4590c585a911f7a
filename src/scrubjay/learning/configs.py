"""Named configurations: the systems of the papers as readable TOML.

A configuration is a file `NAME.toml` under `scrubjay/resources/configs`, or the user's own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.features.templates import FeatureConfig, read_feature_config, write_feature_config
from scrubjay.tags import find_scheme

_SETTINGS = {"name", "kind", "citation", "description", "scheme", "tokenizer", "features"}
_TRAINING = {
    "algorithm", "c1", "c2", "min-frequency", "max-iterations", "delta", "period", "align",
}  # fmt: skip
_ALGORITHMS = {"lbfgs", "ap", "l2sgd", "pa", "arow"}


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
    align: str = "expand"

    def __post_init__(self) -> None:
        if self.algorithm not in _ALGORITHMS:
            raise ConfigError(
                f"unknown training algorithm {self.algorithm!r}",
                hint=f"Known: {', '.join(sorted(_ALGORITHMS))}",
            )
        if self.align not in ("expand", "contract", "strict"):
            raise ConfigError(
                f"unknown alignment {self.align!r}", hint="Known: expand, contract, strict"
            )

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

    def table(self) -> dict[str, Any]:
        """Return the configuration as plain values, as manifests keep it."""
        training = self.training
        return {
            "name": self.name,
            "kind": "crf",
            "citation": self.citation,
            "scheme": self.scheme,
            "tokenizer": dict(self.tokenizer),
            "features": write_feature_config(self.features),
            "training": {
                name.replace("_", "-"): getattr(training, name)
                for name in CrfTraining.__dataclass_fields__
            },
        }


def config_names() -> tuple[str, ...]:
    """Return the names of the shipped configurations, sorted."""
    folder = resources.files("scrubjay.resources") / "configs"
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if ".toml" in file.name)
    )


def find_config(name_or_path: str) -> CrfConfig:
    """Return a shipped configuration by name, or read one from a TOML file.

    Raises `ConfigError` for an unknown name, an unreadable file or an unknown setting.
    """
    if name_or_path in config_names():
        source = resources.files("scrubjay.resources") / "configs" / f"{name_or_path}.toml"
        return parse_config(source.read_text(encoding="utf-8"), origin=name_or_path)
    path = Path(name_or_path)
    if path.suffix != ".toml" or not path.is_file():
        raise ConfigError(
            f"unknown configuration {name_or_path!r}",
            hint=f"Give a TOML file or one of: {', '.join(config_names())}",
        )
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read ({type(error).__name__})", path=path) from error
    return parse_config(text, origin=str(path))


def parse_config(text: str, *, origin: str) -> CrfConfig:
    """Parse a configuration; `origin` names it in errors."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"not valid TOML: {error}", path=origin) from error
    _require(table, _SETTINGS | {"training"}, origin=origin, where="the configuration")
    if table.get("kind") != "crf":
        raise ConfigError('kind must be "crf"', path=origin)
    training = table.get("training", {})
    _require(training, _TRAINING, origin=origin, where="[training]")
    scheme = find_scheme(table.get("scheme", "BIO")).name
    return CrfConfig(
        name=table.get("name", Path(origin).stem),
        features=read_feature_config(table.get("features", {})),
        scheme=scheme,
        tokenizer=table.get("tokenizer", {"name": "subword"}),
        training=CrfTraining(**{key.replace("-", "_"): value for key, value in training.items()}),
        citation=table.get("citation", ""),
    )


def _require(table: Mapping[str, Any], known: set[str], *, origin: str, where: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise ConfigError(
            f"{where} has an unknown setting {unknown[0]!r}",
            path=origin,
            hint=f"Known: {', '.join(sorted(known))}",
        )
