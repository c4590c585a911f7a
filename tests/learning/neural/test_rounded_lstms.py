"""LSTMs with 8-bit weights: near those before, and the same out of what older releases stored."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="rounding needs the extra `train`")
pytest.importorskip("onnxruntime", reason="running a graph needs the extra `neural`")

import onnx
from onnx import TensorProto, helper, numpy_helper

from scrubjay.errors import ArtifactError
from scrubjay.features._sessions import make_session
from scrubjay.learning.neural.rounded_lstms import ROUNDED, SCALE, round_lstms

UNITS, READ = 6, 10
INPUTS = ["vectors", "w", "r", "b", "lengths"]


def lstm_graph(
    arrays: dict[str, np.ndarray],
    before: list[onnx.NodeProto] | None = None,
    more: list[str] | None = None,
) -> bytes:
    """Return a graph of one LSTM that reads in both directions."""
    lstm = helper.make_node(
        "LSTM", [*INPUTS, *(more or [])], ["states"], direction="bidirectional", hidden_size=UNITS
    )
    graph = helper.make_graph(
        [*(before or []), lstm],
        "lstm",
        [
            helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["t", "b", READ]),
            helper.make_tensor_value_info("lengths", TensorProto.INT32, ["b"]),
        ],
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["t", 2, "b", UNITS])],
        initializer=[numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, {"sizes": "{}"})
    return bytes(model.SerializeToString())


@pytest.fixture(scope="module")
def weights() -> dict[str, np.ndarray]:
    """Matrices whose units differ in size, one of them of zeros."""
    generator = np.random.default_rng(0)
    made = {
        "w": generator.normal(size=(2, 4 * UNITS, READ)),
        "r": generator.normal(size=(2, 4 * UNITS, UNITS)),
        "b": generator.normal(size=(2, 8 * UNITS)),
    }
    made["w"] *= generator.uniform(0.01, 1, size=(2, 4 * UNITS, 1))
    made["w"][1, 3] = 0
    return {name: array.astype(np.float32) for name, array in made.items()}


def stored_graph(weights: dict[str, np.ndarray]) -> bytes:
    """Return the graph of an older release, which multiplies its 8-bit weights out."""
    arrays, nodes = {"b": weights["b"]}, []
    for name in ("w", "r"):
        scale = np.abs(weights[name]).max(axis=-1, keepdims=True) / np.float32(127)
        scale[scale == 0] = 1
        arrays[name + ROUNDED] = np.rint(weights[name] / scale).astype(np.int8)
        arrays[name + SCALE] = scale
        nodes += [
            helper.make_node("Cast", [name + ROUNDED], [f"{name}_whole"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{name}_whole", name + SCALE], [name]),
        ]
    return lstm_graph(arrays, nodes)


def states(graph: bytes) -> np.ndarray:
    vectors = np.random.default_rng(1).normal(size=(30, 1, READ)).astype(np.float32)
    feed = {"vectors": vectors, "lengths": np.array([30], dtype=np.int32)}
    found: np.ndarray = make_session(graph, threads=1).run(["states"], feed)[0]
    return found


def test_states_are_near_those_before(weights: dict[str, np.ndarray]) -> None:
    whole = lstm_graph(weights)
    rounded = round_lstms(whole)
    error = np.abs(states(rounded) - states(whole))
    assert 0 < error.mean() < 0.01
    assert error.max() < 0.1
    assert len(rounded) < len(whole) + 2000


def test_what_an_older_release_stored_keeps_its_weights(weights: dict[str, np.ndarray]) -> None:
    old = stored_graph(weights)
    found = round_lstms(old)
    assert np.array_equal(states(found), states(round_lstms(lstm_graph(weights))))
    model = onnx.load_from_string(found)
    assert [node.op_type for node in model.graph.node] == ["DynamicQuantizeLSTM"]
    read = {name for node in model.graph.node for name in node.input if name}
    assert {one.name for one in model.graph.initializer} <= read
    assert {one.key: one.value for one in model.metadata_props} == {"sizes": "{}"}


def test_it_is_the_same_each_time_and_once_is_enough(weights: dict[str, np.ndarray]) -> None:
    rounded = round_lstms(lstm_graph(weights))
    assert rounded == round_lstms(lstm_graph(weights)) == round_lstms(rounded)


def test_an_lstm_that_reads_more_or_has_no_weights_is_refused(
    weights: dict[str, np.ndarray],
) -> None:
    first = np.zeros((2, 1, UNITS), dtype=np.float32)
    with pytest.raises(ArtifactError, match="reads more than is known"):
        round_lstms(lstm_graph({**weights, "first": first}, more=["first"]))
    missing = {name: array for name, array in weights.items() if name != "w"}
    given = helper.make_node("Identity", ["b"], ["w"])
    with pytest.raises(ArtifactError, match="no weights that could be rounded"):
        round_lstms(lstm_graph(missing, [given]))
