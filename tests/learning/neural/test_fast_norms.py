"""Normalizations spelled out give what the operation gives, and what is worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tiny_transformer import require_packages, tiny_encoder

require_packages()

import onnx  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from scrubjay.features._sessions import make_session  # noqa: E402
from scrubjay.features.encoders import INPUT, OUTPUT  # noqa: E402
from scrubjay.learning.neural.encoders import load_encoder  # noqa: E402
from scrubjay.learning.neural.fast_norms import spell_norms  # noqa: E402
from scrubjay.learning.neural.token_classifier_export import export_encoder  # noqa: E402

WIDTH = 8


def norm_graph(rows: np.ndarray, weights: np.ndarray, bias: np.ndarray, **settings: float) -> bytes:
    """Return a graph that looks rows up and normalizes them."""
    nodes = [
        helper.make_node("Gather", ["rows", INPUT], ["found"]),
        helper.make_node("LayerNormalization", ["found", "weights", "bias"], [OUTPUT], **settings),
    ]
    graph = helper.make_graph(
        nodes,
        "norm",
        [helper.make_tensor_value_info(INPUT, TensorProto.INT64, [1, "s"])],
        [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, [1, "s", WIDTH])],
        initializer=[
            numpy_helper.from_array(array.astype(np.float32), name)
            for name, array in (("rows", rows), ("weights", weights), ("bias", bias))
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    return bytes(model.SerializeToString())


def kinds(graph: bytes) -> list[str]:
    return [node.op_type for node in onnx.load_from_string(graph).graph.node]


@pytest.mark.parametrize("settings", [{}, {"epsilon": 1e-12}, {"epsilon": 0.5, "axis": -1}])
def test_rows_are_normalized_as_by_hand(settings: dict[str, float]) -> None:
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(6, WIDTH)) * [[1e-4], [1], [1], [30], [1], [1]] + 3
    weights, bias = generator.normal(size=(2, WIDTH))
    spelled = spell_norms(norm_graph(rows, weights, bias, **settings))
    assert "LayerNormalization" not in kinds(spelled)
    ids = np.array([[3, 0, 5, 5, 1]])
    found = make_session(spelled, threads=1).run([OUTPUT], {INPUT: ids})[0][0]
    for row, number in zip(found, ids[0].tolist(), strict=True):
        whole = rows[number].astype(np.float32).astype(np.float64)
        even = (whole - whole.mean()) / np.sqrt(whole.var() + settings.get("epsilon", 1e-5))
        np.testing.assert_allclose(row, even * weights + bias, atol=2e-3 if number == 0 else 1e-5)


def test_states_of_an_encoder_stay_the_same() -> None:
    graph = export_encoder(load_encoder(str(tiny_encoder())).module, window=48)
    spelled = spell_norms(graph)
    assert kinds(graph).count("LayerNormalization") == kinds(spelled).count("InstanceNormalization")
    assert spell_norms(spelled) == spelled == spell_norms(graph)
    plain, fast = make_session(graph, threads=1), make_session(spelled, threads=1)
    generator = np.random.default_rng(0)
    for size in (3, 17, 48):
        feed = {INPUT: generator.integers(5, 30, size=(1, size))}
        expected = plain.run([OUTPUT], feed)[0]
        np.testing.assert_allclose(fast.run([OUTPUT], feed)[0], expected, atol=1e-4)


def test_other_normalizations_are_left_alone() -> None:
    rows, ones = np.ones((3, WIDTH)), np.ones(WIDTH)
    over_all = norm_graph(rows, ones, ones, axis=1)
    assert spell_norms(over_all) == over_all
