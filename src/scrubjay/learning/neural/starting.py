"""Weights of a finished training, for another one to start from or to learn from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from scrubjay.errors import ConfigError, FormatError
from scrubjay.features.inputs import InputEncoder
from scrubjay.learning.neural.state_files import save_tensors
from scrubjay.taggers._recurrent.model import build_inputs, describe_inputs

_KIND = "scrubjay-weights-1"

#: What weights are called, by what they are for.
START, TEACHER = "weights to start from", "weights of the teacher"

#: What tensors of a network that do not reach its scores, or are no weights, are called.
_IDLE = (
    ".pooler.dense.weight", ".pooler.dense.bias", ".pooler.weight", ".pooler.bias",
    "features.offsets",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """The weights of a network, and what its inputs and outputs are numbered by.

    The file holds the weights and parts of words of the training data: it is as confidential as
    the model.
    """

    weights: Mapping[str, Tensor]
    inputs: InputEncoder
    labels: tuple[str, ...]
    scheme: str
    encoder: str
    """Fingerprint of the encoder that was tuned, "" for a network over words."""
    role: str = START
    """What errors call them."""
    config: Mapping[str, Any] = field(default_factory=dict)
    """The configuration of the training, {} where a file of an older release does not tell it."""
    training_data: Mapping[str, Any] = field(default_factory=dict)
    """What a manifest tells of the training, {} where it is not known."""

    def require(self, *, labels: tuple[str, ...], scheme: str, encoder: str, path: Path) -> None:
        """Raise `ConfigError` unless a training for these labels could start from here."""
        if not set(labels) <= set(self.labels):
            unknown = ", ".join(sorted(set(labels) - set(self.labels)))
            raise ConfigError(
                f"the {self.role} have no label {unknown}",
                path=path,
                hint="Convert the labels, or train without these weights",
            )
        for what, own, theirs in (
            ("scheme of tags", self.scheme, scheme),
            ("encoder", self.encoder, encoder),
        ):
            if own != theirs:
                raise ConfigError(
                    f"the {self.role} are those of another {what}",
                    path=path,
                    hint="Give the configuration and the encoder that they were trained with",
                )

    def require_same(self, other: Start, path: Path) -> None:
        """Raise `ConfigError` unless another start numbers its inputs and outputs alike."""
        if (self.labels, describe_inputs(self.inputs)) != (
            other.labels,
            describe_inputs(other.inputs),
        ):
            raise ConfigError(
                f"the {self.role} number features or labels otherwise than the {other.role}",
                path=path,
                hint="Give weights of which one training started from the other",
            )


def save_start(path: Path, start: Start) -> None:
    """Write a start in one step; raises `OutputError` where it cannot be written."""
    content = {
        "kind": _KIND,
        "weights": dict(start.weights),
        "inputs": describe_inputs(start.inputs),
        "labels": list(start.labels),
        "scheme": start.scheme,
        "encoder": start.encoder,
        "facts": json.dumps({"config": start.config, "training-data": start.training_data}),
    }
    save_tensors(path, content, "the file of weights")


def load_start(path: Path, *, role: str = START, look: bool = False) -> Start:
    """Read a start; raises `FormatError` where there is none.

    To `look` is to leave the weights in the file, for whoever wants to know what else it tells.
    """
    try:
        content: dict[str, Any] = torch.load(
            path, map_location="cpu", weights_only=True, mmap=look or None
        )
        if content["kind"] != _KIND:
            raise ValueError(content["kind"])
        facts = json.loads(content.get("facts", "{}"))
        return Start(
            dict(content["weights"]),
            build_inputs(content["inputs"], model=path.name),
            tuple(content["labels"]),
            str(content["scheme"]),
            str(content["encoder"]),
            role,
            dict(facts.get("config", {})),
            dict(facts.get("training-data", {})),
        )
    except Exception as error:  # pickles with code, cut zip files, other tensors
        raise FormatError(
            f"not {role}, or damaged ones ({type(error).__name__})",
            path=path,
            hint="Give a file that --save-weights has written",
        ) from None


def put_weights(network: torch.nn.Module, start: Start) -> None:
    """Give a network the weights; raises `ConfigError` where its sizes are others.

    What no score depends on, a model does not hold: it stays as it is.
    """
    own = network.state_dict()
    idle = {name: x for name, x in own.items() if name.endswith(_IDLE)}
    if any(name.startswith("encoder.") for name in own.keys() - idle.keys() - start.weights.keys()):
        raise ConfigError(
            f"not all weights of the encoder are among the {start.role}",
            hint="Give a file of --save-weights",
        )
    try:
        network.load_state_dict({**idle, **start.weights})
    except RuntimeError:
        raise ConfigError(
            f"the {start.role} are those of a network of other sizes",
            hint="Give the configuration that they were trained with",
        ) from None
