"""Fused attention gives the states of the graph that spells it out."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.errors import ArtifactError
from tests.tiny_transformer import require_packages, tiny_encoder

require_packages()

import onnx  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402

from scrubjay.features._sessions import make_session  # noqa: E402
from scrubjay.features.encoders import INPUT, OUTPUT  # noqa: E402
from scrubjay.learning.neural.encoders import load_encoder  # noqa: E402
from scrubjay.learning.neural.fused_attention import fuse_attention  # noqa: E402
from scrubjay.learning.neural.token_classifier_export import export_encoder  # noqa: E402


def test_states_stay_the_same() -> None:
    graph = export_encoder(load_encoder(str(tiny_encoder())).module, window=48)
    fused = fuse_attention(graph)
    kinds = [node.op_type for node in onnx.load_from_string(fused).graph.node]
    assert "Softmax" not in kinds
    assert kinds.count("MultiHeadAttention") >= 1
    assert len(fused) < len(graph)
    plain, fast = make_session(graph, threads=1), make_session(fused, threads=1)
    generator = np.random.default_rng(0)
    for size in (3, 17, 48):
        feed = {INPUT: generator.integers(5, 30, size=(1, size))}
        expected = plain.run([OUTPUT], feed)[0]
        np.testing.assert_allclose(fast.run([OUTPUT], feed)[0], expected, atol=1e-4)


def test_another_form_of_attention_is_refused() -> None:
    node = helper.make_node("Softmax", ["x"], ["y"])
    shape = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2])
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2])
    model = helper.make_model(helper.make_graph([node], "other", [shape], [result]))
    with pytest.raises(ArtifactError, match="not in the form known here"):
        fuse_attention(model.SerializeToString())
