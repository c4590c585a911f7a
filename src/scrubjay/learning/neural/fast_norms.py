"""Layer normalization of an encoder spelled out, so that ONNX Runtime computes it faster.

Its own operation adds up the numbers of a row one after another. `InstanceNormalization` does the
same work on many at once; there each token is a channel. Sums are added up in another order;
nothing else differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scrubjay.features.encoders import INPUT

if TYPE_CHECKING:
    import onnx

_KIND = "LayerNormalization"

#: Values of the graph: how many sub-tokens a window has, and a one and a zero for each of them.
_SIZE, _ONES, _ZEROS = "norm_size", "norm_ones", "norm_zeros"

#: What an operation takes for the least variance where it is not told.
_EPSILON = 1e-5


def spell_norms(graph: bytes) -> bytes:
    """Return an encoder's graph with the normalizations of its states (1, s, d) spelled out.

    The weights stay as they are, and a graph without such an operation is returned as it came.
    """
    import onnx
    from onnx import helper, numpy_helper

    model: Any = onnx.load_from_string(graph)
    nodes: list[onnx.NodeProto] = [helper.make_node("Shape", [INPUT], [_SIZE], start=1, end=2)]
    for name, value in ((_ONES, 1), (_ZEROS, 0)):
        filled = numpy_helper.from_array(np.array([value], dtype=np.float32))
        nodes.append(helper.make_node("ConstantOfShape", [_SIZE], [name], value=filled))
    for node in model.graph.node:
        nodes += _spelled(node) if _is_plain(node) else [node]
    if len(nodes) == len(model.graph.node) + 3:
        return graph
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return bytes(model.SerializeToString(deterministic=True))


def _is_plain(node: onnx.NodeProto) -> bool:
    """Tell whether an operation normalizes the last axis, with weights and bias, for one result."""
    axes = [one.i for one in node.attribute if one.name == "axis"]
    if node.op_type != _KIND or axes not in ([], [-1], [2]):
        return False
    return len(node.input) == 3 and sum(map(bool, node.output)) == 1


def _spelled(node: onnx.NodeProto) -> list[onnx.NodeProto]:
    from onnx import helper

    read, weights, bias = node.input
    output = node.output[0]
    epsilon = next((one.f for one in node.attribute if one.name == "epsilon"), _EPSILON)
    even, weighed = f"{output}_even", f"{output}_weighed"
    return [
        helper.make_node("InstanceNormalization", [read, _ONES, _ZEROS], [even], epsilon=epsilon),
        helper.make_node("Mul", [even, weights], [weighed]),
        helper.make_node("Add", [weighed, bias], [output]),
    ]
