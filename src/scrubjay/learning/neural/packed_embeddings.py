"""Embeddings of an encoder's sub-tokens in 4 bits: not much over half of what they take in 8.

The rows of a vocabulary are most of a small encoder, and a note reads few of them. They are
rounded to sixteen steps in blocks of neighbouring numbers, each block with a scale of its own, and
ONNX Runtime (`GatherBlockQuantized`, 1.20 and later) multiplies out the rows that a window reads.
The other weights stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.features.encoders import INPUT

if TYPE_CHECKING:
    import onnx

#: Numbers that share a scale: ONNX Runtime takes powers of two from 16 on.
BLOCK = 16

#: What is put behind the name of a table for its steps and for the scales of its blocks.
PACKED, SCALES = "_packed", "_scales"

_KIND, _DOMAIN = "GatherBlockQuantized", "com.microsoft"

#: Where the last step lies, as shares of the largest number of a block: each is tried. Between the
#: steps a number is off by less where the largest is cut off.
_ENDS = np.linspace(0.7, 1.0, 13)

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Table:
    """A table (rows, width) as a graph reads it: the operations, what they read and give."""

    name: str
    rows: Floats
    nodes: tuple[onnx.NodeProto, ...]
    arrays: frozenset[str]


def pack_embeddings(graph: bytes, *, block: int = BLOCK) -> bytes:
    """Return an encoder's graph with the table that sub-tokens are looked up in stored in 4 bits.

    The table may have 32-bit numbers, or the 8-bit ones that `quantize` made of them.

    Raises `ConfigError` where the rows cannot be cut into blocks of so many numbers, and
    `ArtifactError` where no such table is in the graph.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model: Any = onnx.load_from_string(graph)
    table = _find_table(model.graph)
    steps, scales = round_blocks(table.rows, block=block)
    name, output = table.name, table.nodes[-1].output[0]
    looked_up = helper.make_node(
        _KIND,
        [name + PACKED, INPUT, name + SCALES],
        [output + PACKED],
        domain=_DOMAIN,
        block_size=block,
        gather_axis=0,
        quantize_axis=1,
    )
    widened = helper.make_node("Cast", [output + PACKED], [output], to=TensorProto.FLOAT)
    nodes = [looked_up, widened, *(one for one in model.graph.node if one not in table.nodes)]
    arrays = [one for one in model.graph.initializer if one.name not in table.arrays]
    del model.graph.node[:], model.graph.initializer[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(arrays)
    raw = _pack(steps).tobytes()
    model.graph.initializer.extend(
        [
            helper.make_tensor(name + PACKED, TensorProto.INT4, steps.shape, raw, raw=True),
            numpy_helper.from_array(scales, name + SCALES),
        ]
    )
    if all(each.domain != _DOMAIN for each in model.opset_import):
        model.opset_import.append(helper.make_opsetid(_DOMAIN, 1))
    # Numbers of 4 bits came with ONNX 1.16, in its format 10.
    model.ir_version = max(model.ir_version, 10)
    return bytes(model.SerializeToString(deterministic=True))


def round_blocks(
    rows: Floats, *, block: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float16]]:
    """Return the steps (-8 to 7) of rows (n, width), and the scale of each block (n, width/block).

    The scale of a block is the one of several that leaves the least squared error. It is below 0
    where that puts the eighth step on the side that needs it. Raises `ConfigError` for a block
    that is no power of two from 16 on, or is no part of the width.
    """
    if block < 16 or block & (block - 1) or rows.shape[1] % block:
        raise ConfigError(
            f"rows of {rows.shape[1]} numbers cannot be cut into blocks of {block}",
            hint="Give a power of two, 16 or more, that divides their width",
        )
    cut = rows.reshape(len(rows), -1, block)
    places = np.abs(cut).argmax(axis=-1, keepdims=True)
    largest = np.take_along_axis(cut, places, axis=-1)
    best = np.full(largest.shape, np.inf)
    scales = np.ones(largest.shape, dtype=np.float16)
    for end in (*_ENDS, *-_ENDS):
        tried = (largest * end / -8).astype(np.float16)
        tried[tried == 0] = 1
        error = ((_steps(cut, tried) * tried.astype(np.float32) - cut) ** 2).sum(-1, keepdims=True)
        better = error < best
        best[better], scales[better] = error[better], tried[better]
    return _steps(cut, scales).astype(np.int8).reshape(rows.shape), scales[..., 0]


def unpack_rows(steps: Array, scales: Array) -> Floats:
    """Return the numbers (n, width) that steps (n, width) and scales (n, blocks) stand for."""
    cut = steps.astype(np.float32).reshape(*scales.shape, -1)
    rows: Floats = (cut * scales.astype(np.float32)[..., None]).reshape(steps.shape)
    return rows


def _steps(cut: Floats, scales: npt.NDArray[np.float16]) -> Floats:
    steps: Floats = np.clip(np.rint(cut / scales.astype(np.float32)), -8, 7)
    return steps


def _pack(steps: npt.NDArray[np.int8]) -> npt.NDArray[np.uint8]:
    """Return two steps in a byte, the first in its lower half, as ONNX stores them."""
    halves = steps.reshape(-1, 2).view(np.uint8) & np.uint8(15)
    packed: npt.NDArray[np.uint8] = halves[:, 0] | (halves[:, 1] << np.uint8(4))
    return packed


def _find_table(graph: onnx.GraphProto) -> _Table:
    """Return the table that the graph looks its input up in."""
    from onnx import numpy_helper

    stored = {one.name: one for one in graph.initializer}
    gathers = [
        one
        for one in graph.node
        if one.op_type == "Gather" and one.input[0] in stored and one.input[1] == INPUT
    ]
    if len(gathers) != 1:
        raise ArtifactError(
            "the encoder's graph does not look sub-tokens up in one table of numbers of 8 bits or "
            "more. Leave it as it is"
        )
    gather = gathers[0]
    name = gather.input[0]
    rows = numpy_helper.to_array(stored[name]).astype(np.float32)
    widened = [one for one in graph.node if gather.output[0] in one.input]
    if [one.op_type for one in widened] != ["DequantizeLinear"]:
        return _Table(name, rows, (gather,), frozenset([name]))
    _, scale, zero = widened[0].input
    factor, middle = (
        numpy_helper.to_array(stored[one]).astype(np.float32) for one in (scale, zero)
    )
    return _Table(
        name.removesuffix("_quantized"),
        (rows - middle) * factor,
        (gather, widened[0]),
        frozenset([name, scale, zero]),
    )
