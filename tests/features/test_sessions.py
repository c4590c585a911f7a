"""Sessions of ONNX Runtime: 8-bit products are exact on every processor."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.features._sessions import make_session

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

#: Weights whose products with full steps are over 16 bits, two and two.
WIDTH, LARGEST = 64, 127


def _dynamic_product(signs: np.ndarray) -> bytes:
    """Return a graph as `models quantize` writes them: a step, a product of 8 bits, a scale."""
    from onnx import TensorProto, helper, numpy_helper

    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["steps", "scale", "zero"]),
        helper.make_node("MatMulInteger", ["steps", "w", "zero"], ["sums"]),
        helper.make_node("Cast", ["sums"], ["large"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["large", "scale"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, WIDTH])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, signs.shape[1]])],
        [numpy_helper.from_array((signs * LARGEST).astype(np.int8), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return bytes(model.SerializeToString())


def test_products_of_full_steps_are_not_cut_off_at_16_bits() -> None:
    signs = np.ones((WIDTH, 8))
    signs[:, 1::2] = -1
    steps = np.ones((2, WIDTH), np.float32)
    steps[1, ::2] = 0
    (found,) = make_session(_dynamic_product(signs), threads=1).run(None, {"x": steps})
    np.testing.assert_allclose(found, LARGEST * steps @ signs, rtol=1e-5)
