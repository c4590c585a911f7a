"""Embeddings of an encoder's sub-tokens in 4 bits: not much over half of what they take in 8.

The rows of a vocabulary are most of a small encoder, and a note reads few of them. They are
rounded to sixteen steps in blocks of neighbouring numbers, each block with a scale of its own. Two
steps are a byte, which plain operations take apart: ONNX Runtime has one for such rows
(`GatherBlockQuantized`), which takes three times as long. The other weights stay as they are.
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

#: Numbers that share a scale: a power of two, 16 or more.
BLOCK = 16

#: What is put behind the name of a table for its steps and for the scales of its blocks.
PACKED, SCALES = "_packed", "_scales"

#: What older releases had for packed rows.
_KIND = "GatherBlockQuantized"

#: What is put behind the name of a table for the shapes of its rows.
_BLOCKS, _ROWS = "_blocks", "_rows"

#: The versions of ONNX that have all operations used here begin with this.
_VERSION = 18

#: Where the last step lies, as shares of the largest number of a block: each is tried. Between the
#: steps a number is off by less where the largest is cut off.
_ENDS = np.linspace(0.7, 1.0, 13)

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Table:
    """A table (rows, width) as a graph reads it: the operations, and the arrays that they read.

    `packed` are its steps and scales, where it was packed before.
    """

    name: str
    rows: Floats
    nodes: tuple[onnx.NodeProto, ...]
    arrays: frozenset[str]
    packed: tuple[Array, Array] | None = None


def pack_embeddings(graph: bytes, *, block: int = BLOCK) -> bytes:
    """Return an encoder's graph with the table that sub-tokens are looked up in stored in 4 bits.

    The table may have 32-bit numbers, or the 8-bit ones that `quantize` made of them; one that an
    older release packed keeps its steps and scales, whatever `block` says.

    Raises `ConfigError` where the rows cannot be cut into blocks of so many numbers, and
    `ArtifactError` where no such table is in the graph.
    """
    import onnx
    from onnx import numpy_helper

    model: Any = onnx.load_from_string(graph)
    table = _find_table(model.graph)
    if any(one.version < _VERSION for one in model.opset_import if one.domain in ("", "ai.onnx")):
        raise ArtifactError(f"packed rows need a graph of version {_VERSION} of ONNX or later")
    steps, scales = table.packed or round_blocks(table.rows, block=block)
    left = [one for one in model.graph.node if one not in table.nodes]
    arrays = [one for one in model.graph.initializer if one.name not in table.arrays]
    del model.graph.node[:], model.graph.initializer[:]
    model.graph.node.extend([*_look_up(table.name, table.nodes[-1].output[0]), *left])
    model.graph.initializer.extend(arrays)
    stored = {
        PACKED: _pack(steps),
        SCALES: scales,
        _BLOCKS: np.array([1, -1, scales.shape[1], steps.shape[1] // scales.shape[1]]),
        _ROWS: np.array([1, -1, steps.shape[1]]),
    }
    model.graph.initializer.extend(
        numpy_helper.from_array(array, table.name + how) for how, array in stored.items()
    )
    return bytes(model.SerializeToString(deterministic=True))


def _look_up(name: str, output: str) -> list[onnx.NodeProto]:
    """Return the operations that look up the rows of a packed table."""
    from onnx import TensorProto, helper, numpy_helper

    def made(how: str) -> str:
        return f"{output}_{how}"

    constants = {
        "signs": np.array(0x88, dtype=np.uint8),
        "lower": np.array(0x0F, dtype=np.uint8),
        "half": np.array(4, dtype=np.uint8),
        "first": np.array([0]),
        "last": np.array([3]),
        "middle": np.array(8, dtype=np.float32),
    }
    node = helper.make_node
    return [
        *(
            node("Constant", [], [made(how)], value=numpy_helper.from_array(array))
            for how, array in constants.items()
        ),
        node("Gather", [name + PACKED, INPUT], [made("bytes")]),
        # From 0 to 15 in the place of -8 to 7.
        node("BitwiseXor", [made("bytes"), made("signs")], [made("above")]),
        node("BitwiseAnd", [made("above"), made("lower")], [made("ones")]),
        node("BitShift", [made("above"), made("half")], [made("others")], direction="RIGHT"),
        node("Unsqueeze", [made("ones"), made("first")], [made("one")]),
        node("Unsqueeze", [made("others"), made("first")], [made("other")]),
        node("Concat", [made("one"), made("other")], [made("both")], axis=0),
        node("Transpose", [made("both")], [made("turned")], perm=[1, 2, 3, 0]),
        node("Cast", [made("turned")], [made("whole")], to=TensorProto.FLOAT),
        node("Sub", [made("whole"), made("middle")], [made("steps")]),
        node("Reshape", [made("steps"), name + _BLOCKS], [made("cut")]),
        node("Gather", [name + SCALES, INPUT], [made("scales")]),
        node("Cast", [made("scales")], [made("factors")], to=TensorProto.FLOAT),
        node("Unsqueeze", [made("factors"), made("last")], [made("blocks")]),
        node("Mul", [made("cut"), made("blocks")], [made("multiplied")]),
        # Rounded to 16 bits, as the operation of ONNX Runtime does: the rows are the same.
        node("Cast", [made("multiplied")], [made("short")], to=TensorProto.FLOAT16),
        node("Cast", [made("short")], [made("long")], to=TensorProto.FLOAT),
        node("Reshape", [made("long"), name + _ROWS], [output]),
    ]


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


def unpack_rows(packed: Array, scales: Array) -> Floats:
    """Return the numbers (n, width) that a packed table stands for, with scales (n, blocks).

    The table has two steps in a byte, (n, width / 2), or is the array of numbers of 4 bits,
    (n, width), that older releases stored.
    """
    steps = _unpack(packed) if packed.dtype == np.uint8 else packed
    cut = steps.astype(np.float32).reshape(*scales.shape, -1)
    rows: Floats = (cut * scales.astype(np.float32)[..., None]).reshape(steps.shape)
    return rows


def _steps(cut: Floats, scales: npt.NDArray[np.float16]) -> Floats:
    steps: Floats = np.clip(np.rint(cut / scales.astype(np.float32)), -8, 7)
    return steps


def _pack(steps: Array) -> npt.NDArray[np.uint8]:
    """Return two steps in a byte, (n, width / 2), the first in its lower half."""
    halves = steps.astype(np.int8).reshape(len(steps), -1, 2).view(np.uint8) & np.uint8(15)
    packed: npt.NDArray[np.uint8] = halves[..., 0] | (halves[..., 1] << np.uint8(4))
    return packed


def _unpack(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]:
    """Return the steps that stand in bytes, twice as many along the last axis."""
    halves = np.stack([packed & np.uint8(15), packed >> np.uint8(4)], axis=-1)
    steps = ((halves ^ np.uint8(8)).astype(np.int8) - np.int8(8)).reshape(*packed.shape[:-1], -1)
    return steps


def _find_table(graph: onnx.GraphProto) -> _Table:
    """Return the table that the graph looks its input up in."""
    from onnx import numpy_helper

    stored = {one.name: one for one in graph.initializer}
    for one in graph.node:
        if one.op_type == _KIND and one.input[0] in stored and one.input[1] == INPUT:
            return _packed_before(one, graph)
    gathers = [
        one
        for one in graph.node
        if one.op_type == "Gather" and one.input[0] in stored and one.input[1] == INPUT
    ]
    if any(one.input[0].endswith(PACKED) for one in gathers):
        raise ArtifactError("the rows of the encoder are packed already. Leave it as it is")
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


def _packed_before(node: onnx.NodeProto, graph: onnx.GraphProto) -> _Table:
    """Return a table that an older release packed."""
    from onnx import numpy_helper

    stored = {one.name: one for one in graph.initializer}
    users = tuple(one for one in graph.node if node.output[0] in one.input)
    if [one.op_type for one in users] != ["Cast"]:
        raise ArtifactError("the packed rows of the encoder are read in a way not known here")
    name, scale = node.input[0], node.input[2]
    steps, scales = (numpy_helper.to_array(stored[one]) for one in (name, scale))
    return _Table(
        name.removesuffix(PACKED),
        unpack_rows(steps, scales),
        (node, *users),
        frozenset([name, scale]),
        (steps, scales),
    )
