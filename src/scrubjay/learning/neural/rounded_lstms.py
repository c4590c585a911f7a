"""LSTMs of a graph with 8-bit weights, which round what they read as it comes.

Each unit of a gate has a scale of its own, about 0; the tool of ONNX Runtime gives all of them one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ArtifactError

if TYPE_CHECKING:
    import onnx

#: What is put behind the name of a matrix for its numbers, their scales and what stands for 0.
ROUNDED, SCALE, ZERO = "_quantized", "_scale", "_zero_point"

_KIND, _DOMAIN = "DynamicQuantizeLSTM", "com.microsoft"

#: Inputs of an LSTM: what it reads, two matrices, bias, lengths. No others are known here.
_INPUTS = 5

Array = npt.NDArray[Any]


def round_lstms(graph: bytes) -> bytes:
    """Return a graph whose LSTMs have 8-bit weights and compute with them.

    The matrices may be numbers of 32 bits, or 8-bit ones that an older release stored to be
    multiplied out: these stay as they are, to the bit. A graph without LSTMs is returned as it
    came. What an LSTM reads is rounded on one scale for all that is read together: a graph that
    this changes must be run for each window alone.

    Raises `ArtifactError` where an LSTM has other inputs than those of our networks.
    """
    import onnx
    from onnx import helper, numpy_helper

    model: Any = onnx.load_from_string(graph)
    arrays = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    nodes = list(model.graph.node)
    given: dict[str, Array] = {}
    for number, node in enumerate(nodes):
        if node.op_type == "LSTM":
            if len(node.input) != _INPUTS:
                raise ArtifactError("an LSTM of the network reads more than is known here")
            for name in node.input[1:3]:
                given |= _rounded(name, arrays)
            nodes[number] = _rounding(node)
    if not given:
        return graph
    gone = {name.removesuffix(ZERO) for name in given} | given.keys()
    # Of old releases: what multiplies a matrix out.
    inner = {name for node in nodes if gone & set(node.output) for name in node.input}
    nodes = [node for node in nodes if not (gone | inner) & set(node.output)]
    kept = [one for one in model.graph.initializer if one.name not in gone]
    del model.graph.node[:], model.graph.initializer[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(
        [*kept, *(numpy_helper.from_array(array, name) for name, array in given.items())]
    )
    if all(each.domain != _DOMAIN for each in model.opset_import):
        model.opset_import.append(helper.make_opsetid(_DOMAIN, 1))
    return bytes(model.SerializeToString(deterministic=True))


def _rounding(node: onnx.NodeProto) -> onnx.NodeProto:
    """Return the operation that takes the place of an LSTM."""
    from onnx import helper

    read, first, second, bias, lengths = node.input
    inputs = [read, first + ROUNDED, second + ROUNDED, bias, lengths, "", "", ""]
    inputs += [name + how for name in (first, second) for how in (SCALE, ZERO)]
    turned: onnx.NodeProto = helper.make_node(
        _KIND, inputs, list(node.output), name=node.name, domain=_DOMAIN
    )
    turned.attribute.extend(node.attribute)
    return turned


def _rounded(name: str, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return a matrix (sides, units, inputs) as the operation stores it.

    Its numbers are (sides, inputs, units), their scales (sides, units).
    """
    if name in arrays:
        weights = arrays[name]
        scale = np.abs(weights).max(axis=-1, keepdims=True).astype(np.float32) / 127
        scale[scale == 0] = 1
        numbers = np.rint(weights / scale).astype(np.int8)
    elif {name + ROUNDED, name + SCALE} <= arrays.keys():
        numbers, scale = arrays[name + ROUNDED], arrays[name + SCALE]
    else:
        raise ArtifactError("an LSTM of the network has no weights that could be rounded")
    return {
        name + ROUNDED: np.ascontiguousarray(numbers.transpose(0, 2, 1)),
        name + SCALE: scale[:, :, 0],
        name + ZERO: np.zeros(scale.shape[:2], dtype=np.int8),
    }
