"""A character language model as an ONNX graph: character numbers in, states out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from scrubjay.learning.neural.graphs import IR_VERSION, OPSET, lstm_gates

Weights = Mapping[str, npt.NDArray[np.float32]]


def export_charlm(weights: Weights) -> bytes:
    """Return the embedding and the LSTM of a model (the weights of `CharLM`) as a graph.

    Inputs: `ids` (int64, T x B), `hidden` and `cell` (float32, 1 x B x H). Outputs: `states`
    (float32, T x B x H), `last_hidden` and `last_cell`. The softmax over the next character is
    left out: states are all that a tagger needs.
    """
    hidden = weights["recurrent.weight_hh_l0"].shape[1]
    bias = np.concatenate(
        [lstm_gates(weights["recurrent.bias_ih_l0"]), lstm_gates(weights["recurrent.bias_hh_l0"])]
    )
    constants = {
        "characters": weights["embedding.weight"],
        "input_weights": lstm_gates(weights["recurrent.weight_ih_l0"])[None],
        "state_weights": lstm_gates(weights["recurrent.weight_hh_l0"])[None],
        "bias": bias[None],
    }
    initializers = [
        numpy_helper.from_array(np.ascontiguousarray(array, dtype=np.float32), name)
        for name, array in constants.items()
    ]
    initializers.append(numpy_helper.from_array(np.array([1], dtype=np.int64), "directions"))
    nodes = [
        helper.make_node("Gather", ["characters", "ids"], ["embedded"]),
        helper.make_node(
            "LSTM",
            ["embedded", "input_weights", "state_weights", "bias", "", "hidden", "cell"],
            ["by_direction", "last_hidden", "last_cell"],
            hidden_size=hidden,
        ),
        helper.make_node("Squeeze", ["by_direction", "directions"], ["states"]),
    ]
    kept = [1, "B", hidden]
    graph = helper.make_graph(
        nodes,
        "character language model",
        [
            helper.make_tensor_value_info("ids", TensorProto.INT64, ["T", "B"]),
            helper.make_tensor_value_info("hidden", TensorProto.FLOAT, kept),
            helper.make_tensor_value_info("cell", TensorProto.FLOAT, kept),
        ],
        [
            helper.make_tensor_value_info("states", TensorProto.FLOAT, ["T", "B", hidden]),
            helper.make_tensor_value_info("last_hidden", TensorProto.FLOAT, kept),
            helper.make_tensor_value_info("last_cell", TensorProto.FLOAT, kept),
        ],
        initializer=initializers,
    )
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="scrubjay",
    )
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
