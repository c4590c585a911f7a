"""The weights of a stored recurrent network, read back out of its graphs.

A model holds graphs that run and cannot be trained. What they are made of is all there, though:
each tensor has its name, or stands before the bias that has one. Weights of 8 bits and of 4 are
read back as the numbers that they stand for, rounded as they were. A network over an encoder has
the encoder's weights besides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from scrubjay.artifacts import Artifact, Manifest, load_artifact
from scrubjay.errors import ConfigError
from scrubjay.features.encoders import GRAPH
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.neural.graphs import Array, torch_gates
from scrubjay.learning.neural.packed_embeddings import PACKED, SCALES, unpack_rows
from scrubjay.learning.neural.rounded_lstms import ROUNDED, SCALE, ZERO
from scrubjay.learning.neural.starting import Start, load_start
from scrubjay.learning.starts import find_network, find_start, told_place
from scrubjay.taggers._recurrent.model import BilstmModel, read_model
from scrubjay.taggers._stored import MISFITS, misfit
from scrubjay.taggers.bilstm import KIND

#: Sections of a configuration that must be those of the model, whole or these keys of them.
_SAME: Mapping[str, tuple[str, ...]] = {
    "tokenizer": (),
    "features": (),
    "words": ("dimension", "form"),
    "characters": (),
    "contextual": ("models",),
    "network": ("decoder", "feature-dimension", "hidden", "layers", "recurrent"),
    "encoder": ("layers", "pieces"),
}

#: The same of a network whose encoder stays as it is: it reads what it was tuned on.
_KEPT: Mapping[str, tuple[str, ...]] = {"encoder": ("layers", "overlap", "pieces", "window")}

#: What stands between a product of 8-bit weights and its bias.
_BETWEEN = ("Mul", "Cast")


def find_weights(
    given: str | Path | None,
    config: BilstmConfig | EncoderBilstmConfig,
    *,
    language: str,
    member: str = "",
) -> Start | None:
    """Return the weights of a file or of a model, by its name or folder, to start from, if any.

    Raises like `load_start` for a file and like `recover_start` for a model; `ConfigError` where
    there is neither, and for the `member` of a file.
    """
    if given is None:
        return None
    place = find_start(given)
    if not place.is_file():
        return recover_start(place, config, language=language, member=member)
    if member:
        raise ConfigError(
            "a file of weights has no members", path=place, hint="Leave --start-member out"
        )
    return load_start(place)


def recover_start(
    folder: Path,
    config: BilstmConfig | EncoderBilstmConfig,
    *,
    language: str,
    member: str = "",
) -> Start:
    """Return the weights of a model, for a training by this configuration to start from.

    Of an ensemble they are those of the `member` of that name, or of the one network of that kind
    among its members. Raises `ConfigError` for a model that is no network of that kind with LSTMs
    and, for characters, convolutions or nothing; for one with contextual embeddings, a tokenizer
    that was fitted to notes or another language; and where the configuration reads or weighs
    something else than the model's (`_SAME`, `_KEPT`). Raises `ArtifactError` where the model is
    damaged.
    """
    artifact = load_artifact(folder)
    try:
        network = find_network(artifact, {config.kind}, member=member)
        return _read_start(network, config, language)
    except ConfigError:
        raise
    except (*MISFITS, StopIteration) as error:
        raise misfit(artifact, error) from None


def _read_start(
    artifact: Artifact, config: BilstmConfig | EncoderBilstmConfig, language: str
) -> Start:
    manifest = artifact.manifest
    theirs: Mapping[str, Any] = manifest.config
    if (
        (manifest.kind, theirs.get("kind")) != (KIND, config.kind)
        or theirs["characters"]["network"] == "lstm"
        or theirs["network"]["recurrent"] != "lstm"
        or theirs.get("contextual", {}).get("models")
        or theirs["tokenizer"].get("train-merges")
    ):
        raise ConfigError(
            f"the model {manifest.name!r} has no weights that a training could start from",
            path=told_place(artifact.folder),
            hint=f"Give a network of the kind {config.kind!r} with plain LSTMs, and without LSTMs "
            "over characters, contextual embeddings and merges of its own; or a file of "
            "--save-weights",
        )
    _require_same(manifest, config, language, told_place(artifact.folder))
    model = read_model(artifact)
    weights = {
        **_word_weights(model, theirs["characters"]),
        **_sequence_weights(model, int(theirs["network"]["layers"])),
    }
    if theirs["network"]["decoder"] == "crf":
        weights["crf.transitions"] = model.transitions.astype(np.float32)
    encoder = ""
    if isinstance(config, EncoderBilstmConfig):
        encoder = str(theirs["encoder"]["sha256"])
        weights = {f"network.{name}": array for name, array in weights.items()}
        weights |= _encoder_weights(_Graph((model.contextual or {})[GRAPH]))
    return Start(
        {name: _tensor(array) for name, array in weights.items()},
        model.inputs,
        model.labels,
        model.scheme,
        encoder,
    )


def _require_same(
    manifest: Manifest,
    config: BilstmConfig | EncoderBilstmConfig,
    language: str,
    folder: Path,
) -> None:
    """Raise `ConfigError` where what the weights were fitted to read is not what would be read."""
    if manifest.language != language:
        raise ConfigError(
            f"the model to start from is for {manifest.language!r}, the notes are in {language!r}",
            path=folder,
        )
    ours, theirs = json.loads(json.dumps(config.table())), manifest.config
    stays = isinstance(config, EncoderBilstmConfig) and not config.encoder.path
    for section, keys in {**_SAME, **(_KEPT if stays else {})}.items():
        one, two = ours.get(section, {}), theirs.get(section, {})
        for key in keys or ({*one} | {*two}):
            if one.get(key) != two.get(key):
                raise ConfigError(
                    f"{key} in [{section}] is not that of the model to start from",
                    path=folder,
                    hint="See `scrubjay models info`, and change the configuration or the model",
                )


class _Graph:
    """The constants of a graph by name, rounded ones as the numbers that they stand for."""

    def __init__(self, content: bytes) -> None:
        try:
            graph = onnx.load_from_string(content).graph
        except Exception as error:  # whatever protobuf raises for bytes that are no message
            raise ValueError(type(error).__name__) from None
        self.nodes = list(graph.node)
        self._arrays = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
        self.makers = {name: node for node in self.nodes for name in node.output}

    def __contains__(self, name: str) -> bool:
        return any(f"{name}{how}" in self._arrays for how in ("", ROUNDED, PACKED))

    def __getitem__(self, name: str) -> Array:
        if name in self._arrays:
            return self._arrays[name]
        if name + PACKED in self._arrays:
            return unpack_rows(self._arrays[name + PACKED], self._arrays[name + SCALES])
        rows, scale = self._arrays[name + ROUNDED].astype(np.float32), self._arrays[name + SCALE]
        if name.endswith(("_w", "_r")):  # weights of LSTMs, which are rounded about 0
            if name + ZERO in self._arrays:
                # The tool of ONNX Runtime gives each direction one scale, we each unit of a gate.
                matrix: Array = rows.transpose(0, 2, 1) * scale.reshape(len(scale), -1, 1)
            else:  # as older releases stored them, in a graph that rounds nothing
                matrix = rows * scale
            return matrix
        found: Array = (rows - self._arrays[name + ZERO].astype(np.float32)) * scale
        return found

    def names(self) -> set[str]:
        """Return the names of all constants, as they were before rounding."""
        return {name.removesuffix(ROUNDED).removesuffix(PACKED) for name in self._arrays}


def _encoder_weights(graph: _Graph) -> dict[str, Array]:
    """Return what has the name of a parameter, and the matrices whose bias has one."""
    found = {name: graph[name] for name in graph.names() if name.endswith((".weight", ".bias"))}
    for node in graph.nodes:
        bias = next((name for name in node.input if name.endswith(".bias")), "")
        if node.op_type != "Add" or bias not in graph:
            continue
        other = next(name for name in node.input if name != bias)
        product = graph.makers[other]
        while product.op_type in _BETWEEN:
            product = graph.makers[product.input[0]]
        if not product.op_type.startswith("MatMul"):
            continue  # what stands before the bias of a normalization
        matrix = product.input[1].removesuffix(ROUNDED)
        found[f"{bias.removesuffix('.bias')}.weight"] = graph[matrix].T
    return found


def _word_weights(model: BilstmModel, settings: Mapping[str, Any]) -> dict[str, Array]:
    """Return words, and what reads characters: narrow kernels without the zeros behind them."""
    graph = _Graph(model.words)
    found: dict[str, Array] = {}
    if "word_table" in graph:
        found["words.weight"] = graph["word_table"]
    if settings["network"] == "none":
        return found
    found["characters.embedding.weight"] = graph["character_table"]
    channels = int(settings["channels"])
    for number, width in enumerate(settings["kernels"]):
        rows = slice(number * channels, (number + 1) * channels)
        place = f"characters.convolutions.{number}"
        found[f"{place}.weight"] = graph["kernels"][rows, :, : int(width)]
        found[f"{place}.bias"] = graph["kernel_bias"][rows]
    return found


def _sequence_weights(model: BilstmModel, layers: int) -> dict[str, Array]:
    """Return features, LSTMs and scores; the graph's order of gates is not that of torch."""
    graph = _Graph(model.sequence)
    found = {
        "scores.weight": graph["score_weights"].T,
        "scores.bias": graph["score_bias"],
    }
    if "feature_table" in graph:
        found["features.table.weight"] = graph["feature_table"]
    for number in range(layers):
        for side, direction in enumerate(("forwards", "backwards")):
            place = f"layers.{number}.{direction}"
            inner, outer = np.split(graph[f"layer{number}_b"][side], 2)
            found[f"{place}.weight_ih_l0"] = torch_gates(graph[f"layer{number}_w"][side])
            found[f"{place}.weight_hh_l0"] = torch_gates(graph[f"layer{number}_r"][side])
            found[f"{place}.bias_ih_l0"] = torch_gates(inner)
            found[f"{place}.bias_hh_l0"] = torch_gates(outer)
    return found


def _tensor(array: Array) -> Tensor:
    return torch.from_numpy(np.array(array, dtype=np.float32, order="C"))
