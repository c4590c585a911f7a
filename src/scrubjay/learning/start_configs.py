"""The configuration of a training that starts from a model: the model's own, changed or not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scrubjay.artifacts import Artifact, load_artifact
from scrubjay.errors import ConfigError
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.configs import Config, build_config, find_config, read_config_table
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.ensemble_config import merge_tables
from scrubjay.learning.preparation import require_packages
from scrubjay.learning.starts import STARTING, find_network, find_start, told_place

#: The configuration of a training that is told none and starts from nothing.
DEFAULT = "zhao2020-crf"

#: How a training goes on that is told nothing else: so many epochs, and these shares of the rates.
EPOCHS = 3
SHARES: Mapping[str, float] = {"bilstm": 0.5, "encoder-bilstm": 0.25}

#: Windows of a batch at most then: few notes would make few steps of the batches of a GPU.
BATCH = 16

#: Settings that are no model's: a manifest tells what was done to it since, too.
_KNOWN = {
    "bilstm": BilstmConfig("").table().keys(),
    "encoder-bilstm": EncoderBilstmConfig(BilstmConfig("")).table().keys(),
}


def find_start_config(
    given: str | None, start_from: str | Path | None, *, member: str = ""
) -> Config:
    """Return the configuration by its name or path, or that of what is to start from.

    A file without a `kind` changes settings of the model's, or of those that a file of weights
    tells. With none given, that training goes on for `EPOCHS` epochs at a lower rate (`SHARES`), in
    batches of `BATCH` windows at most.
    With nothing to start from it is `DEFAULT`.

    Raises like `find_config` and `load_start`, and `ConfigError` where the model has no such
    network, or several and no `member` says which, and for a file that tells no configuration.
    """
    place = None if start_from is None else find_start(start_from)
    if place is None:
        return find_config(given or DEFAULT)
    changes = read_config_table(given) if given else {}
    if "kind" in changes:
        return build_config(changes, origin=str(given))
    if place.is_file():
        table = _file_table(place)
    else:
        table = start_table(find_network(load_artifact(place), STARTING, member=member))
    if not given:
        changes = _gently(build_config(table, origin=str(start_from)))
    return build_config(merge_tables(table, changes), origin=given or str(start_from))


def start_table(network: Artifact) -> dict[str, Any]:
    """Return the configuration that a network was trained by, for another training of it.

    Word vectors, which are among its weights, are not looked for again, and the path of an encoder
    is left out: the model carries its own. Raises `ConfigError` for a model of another kind.
    """
    theirs = network.manifest.config
    kind = theirs.get("kind")
    if kind not in _KNOWN:
        raise ConfigError(
            f"the model {network.manifest.name!r} has no weights that a training could start from",
            path=told_place(network.folder),
            hint="Give a recurrent network, or an ensemble that has one",
        )
    table = _for_another(theirs)
    if "encoder" in table:
        table["encoder"] |= {"path": ""}
    return table


def _file_table(weights: Path) -> dict[str, Any]:
    """Return the configuration that a file of weights tells; raises where it tells none."""
    require_packages("torch", extra="train")
    from scrubjay.learning.neural.starting import load_start

    config = load_start(weights, look=True).config
    if config.get("kind") not in _KNOWN:
        raise ConfigError(
            "the file of weights does not tell its configuration, as those of older releases",
            path=weights,
            hint="Give the whole one that they were trained with, its kind too, by --config",
        )
    return _for_another(config)


def _for_another(theirs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration of a finished training, for another one.

    The path of an encoder that is not there is left out.
    """
    kind = theirs["kind"]
    table: dict[str, Any] = {key: theirs[key] for key in _KNOWN[kind] if key in theirs}
    if "words" in table:
        table["words"] = {**table["words"], "vectors": "random"}
    if "encoder" in table:
        encoder = {key: x for key, x in table["encoder"].items() if key != "sha256"}
        path = encoder.get("path", "")
        table["encoder"] = {**encoder, "path": path if path and Path(path).is_dir() else ""}
    return table


def _gently(config: Config) -> dict[str, Any]:
    """Return the settings of a training that goes on from weights that are good already."""
    training = config.table()["training"]
    rates = {name: training[name] for name in ("learning-rate", "head-rate") if name in training}
    slower = {name: rate * SHARES[config.kind] for name, rate in rates.items()}
    batch = min(BATCH, training["batch"])
    return {"training": {"epochs": EPOCHS, "batch": batch, **slower}}
