"""Attention of an exported encoder as one operation of ONNX Runtime, with the same weights.

An export of PyTorch spells attention out: it cuts heads apart, scales, masks nothing (a window
has no padding), guards against rows without any weight, and puts the heads together again. ONNX
Runtime has all of it as `MultiHeadAttention`, which is faster. Sums are added up in another
order; nothing else differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scrubjay.errors import ArtifactError

if TYPE_CHECKING:
    import onnx

_DOMAIN = "com.microsoft"


@dataclass(frozen=True, slots=True)
class _Attention:
    """The inputs (b, s, d) of one attention, its output (b, s, d), its heads and its scale."""

    query: str
    key: str
    value: str
    output: str
    heads: int
    scale: float


def fuse_attention(graph: bytes) -> bytes:
    """Return an encoder's graph with each attention as one operation.

    Raises `ArtifactError` where an attention is not spelled out as PyTorch does: nothing is
    guessed.
    """
    import onnx
    from onnx import helper

    model = onnx.load_from_string(graph)
    makers = {name: node for node in model.graph.node for name in node.output}
    arrays = {t.name: onnx.numpy_helper.to_array(t) for t in model.graph.initializer}
    found = [
        _read_attention(node, model.graph, makers, arrays)
        for node in model.graph.node
        if node.op_type == "Softmax"
    ]
    replaced = {attention.output: attention for attention in found}
    nodes = [
        _fused(replaced[node.output[0]]) if node.output[0] in replaced else node
        for node in model.graph.node
    ]
    _keep_used(model.graph, nodes)
    if found and all(each.domain != _DOMAIN for each in model.opset_import):
        model.opset_import.append(helper.make_opsetid(_DOMAIN, 1))
    written: bytes = model.SerializeToString()
    return written


def _fused(attention: _Attention) -> onnx.NodeProto:
    from onnx import helper

    node: onnx.NodeProto = helper.make_node(
        "MultiHeadAttention",
        [attention.query, attention.key, attention.value],
        [attention.output],
        domain=_DOMAIN,
        num_heads=attention.heads,
        scale=attention.scale,
    )
    return node


def _read_attention(
    softmax: onnx.NodeProto,
    graph: onnx.GraphProto,
    makers: Mapping[str, onnx.NodeProto],
    arrays: Mapping[str, np.ndarray],
) -> _Attention:
    """Read an attention around its softmax; raises `ArtifactError` for any other form."""

    def before(node: onnx.NodeProto, kind: str, place: int = 0) -> onnx.NodeProto:
        found = makers.get(node.input[place])
        if found is None or found.op_type != kind:
            raise _other_form(kind)
        return found

    def after(node: onnx.NodeProto, kind: str) -> onnx.NodeProto:
        users: list[onnx.NodeProto] = [
            each for each in graph.node if each.op_type == kind and node.output[0] in each.input
        ]
        if not users:
            raise _other_form(kind)
        return users[0]

    masked = before(softmax, "Add")
    product = before(masked, "MatMul")
    scaled_query, scaled_key = before(product, "Mul"), before(product, "Mul", 1)
    factors = [arrays.get(node.input[1]) for node in (scaled_query, scaled_key)]
    turned_key = before(before(before(scaled_key, "Reshape"), "Transpose"), "Reshape")
    query = before(before(scaled_query, "Transpose"), "Reshape")
    key = before(before(turned_key, "Transpose"), "Reshape")
    weighed = after(after(softmax, "Where"), "MatMul")
    value = before(before(weighed, "Transpose", 1), "Reshape")
    output = after(after(weighed, "Transpose"), "Reshape")
    shape = arrays.get(query.input[1])
    one, other = factors
    if shape is None or shape.shape != (4,) or one is None or other is None:
        raise _other_form("constant")
    scale = float(one) * float(other)
    return _Attention(
        query.input[0], key.input[0], value.input[0], output.output[0], int(shape[2]), scale
    )


def _other_form(kind: str) -> ArtifactError:
    return ArtifactError(
        f"an attention of the encoder is not in the form known here: no {kind} where one was "
        "looked for. Leave the encoder as it is"
    )


def _keep_used(graph: onnx.GraphProto, nodes: list[onnx.NodeProto]) -> None:
    """Leave of the nodes and arrays what the outputs need."""
    needed = {output.name for output in graph.output}
    kept = []
    for node in reversed(nodes):
        if needed & set(node.output):
            kept.append(node)
            needed.update(node.input)
    arrays = [array for array in graph.initializer if array.name in needed]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(reversed(kept))
    graph.initializer.extend(arrays)
