"""A character language model as an ONNX graph: character numbers in, states out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from onnx import TensorProto

from scrubjay.learning.neural.graphs import Graph, lstm_gates

Weights = Mapping[str, npt.NDArray[np.float32]]


def export_charlm(weights: Weights) -> bytes:
    """Return the embedding and the LSTM of a model (the weights of `CharLM`) as a graph.

    Inputs: `ids` (int64, T x B), `hidden` and `cell` (float32, 1 x B x H). Outputs: `states`
    (float32, T x B x H), `last_hidden` and `last_cell`. The softmax over the next character is
    left out: states are all that a tagger needs.
    """
    graph = Graph()
    size = weights["recurrent.weight_hh_l0"].shape[1]
    kept: list[str | int] = [1, "B", size]
    ids = graph.input("ids", TensorProto.INT64, ["T", "B"])
    hidden = graph.input("hidden", TensorProto.FLOAT, kept)
    cell = graph.input("cell", TensorProto.FLOAT, kept)
    first, second, *biases = (
        lstm_gates(weights[f"recurrent.{name}_l0"])
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    by_direction, last_hidden, last_cell = graph.add(
        "LSTM",
        graph.table(weights["embedding.weight"], "characters", ids),
        graph.constant(first[None], "input_weights"),
        graph.constant(second[None], "state_weights"),
        graph.constant(np.concatenate(biases)[None], "bias"),
        "",
        hidden,
        cell,
        outputs=3,
        hidden_size=size,
    )
    return graph.finish(
        {
            "states": (graph.add("Squeeze", by_direction, graph.integers(1)), ["T", "B", size]),
            "last_hidden": (last_hidden, kept),
            "last_cell": (last_cell, kept),
        },
        name="character language model",
    )
