"""Embeddings in 4 bits: the graph gives the rows that its steps and scales stand for."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.errors import ArtifactError, ConfigError

pytest.importorskip("onnx", reason="packing needs the extra `train`")
pytest.importorskip("onnxruntime", reason="running a graph needs the extra `neural`")

import onnx
from onnx import TensorProto, helper, numpy_helper

from scrubjay.features._sessions import make_session
from scrubjay.features.encoders import INPUT, OUTPUT
from scrubjay.learning.neural.packed_embeddings import (
    PACKED,
    SCALES,
    pack_embeddings,
    round_blocks,
    unpack_rows,
)
from scrubjay.learning.neural.quantization import _quantize

NAME = "embeddings.weight"


def lookup_graph(rows: np.ndarray) -> bytes:
    """Return a graph that gives the rows of a table by their numbers."""
    node = helper.make_node("Gather", [NAME, INPUT], [OUTPUT])
    graph = helper.make_graph(
        [node],
        "lookup",
        [helper.make_tensor_value_info(INPUT, TensorProto.INT64, [1, "s"])],
        [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, [1, "s", rows.shape[1]])],
        initializer=[numpy_helper.from_array(rows, NAME)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    helper.set_model_props(model, {"windows-alone": "true"})
    return bytes(model.SerializeToString())


def all_rows(graph: bytes, count: int) -> np.ndarray:
    """Return what a graph gives for each number."""
    given: np.ndarray = make_session(graph, threads=1).run(
        [OUTPUT], {INPUT: np.arange(count)[None]}
    )[0][0]
    return given


def stored_rows(graph: bytes, block: int) -> np.ndarray:
    """Return the rows that a packed graph stores, one number after another."""
    arrays = {
        one.name: numpy_helper.to_array(one)
        for one in onnx.load_from_string(graph).graph.initializer
    }
    packed, scales = arrays[NAME + PACKED], arrays[NAME + SCALES]
    rows = np.empty((len(packed), 2 * packed.shape[1]), dtype=np.float32)
    for number, place in np.ndindex(*rows.shape):
        half = int(packed[number, place // 2]) >> (4 if place % 2 else 0) & 15
        step = half - 16 if half > 7 else half
        # The product of a step and a scale is rounded to 16 bits.
        rows[number, place] = np.float16(step * np.float32(scales[number, place // block]))
    return rows


def old_graph(rows: np.ndarray, block: int) -> bytes:
    """Return the graph of an older release, which has an operation for rows of 4 bits."""
    steps, scales = round_blocks(rows, block=block)
    halves = (steps.reshape(-1, 2) & 15).astype(np.uint8)
    raw = (halves[:, 0] | halves[:, 1] << 4).tobytes()
    nodes = [
        helper.make_node(
            "GatherBlockQuantized", [NAME + PACKED, INPUT, NAME + SCALES], ["narrow"],
            domain="com.microsoft", block_size=block, gather_axis=0, quantize_axis=1,
        ),
        helper.make_node("Cast", ["narrow"], [OUTPUT], to=TensorProto.FLOAT),
    ]  # fmt: skip
    model = onnx.load_from_string(lookup_graph(rows))
    del model.graph.node[:], model.graph.initializer[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(
        [
            helper.make_tensor(NAME + PACKED, TensorProto.INT4, steps.shape, raw, raw=True),
            numpy_helper.from_array(scales, NAME + SCALES),
        ]
    )
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    model.ir_version = 10
    return bytes(model.SerializeToString())


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    """Rows of very different sizes, one of them of zeros, one with a single large number."""
    generator = np.random.default_rng(0)
    made: np.ndarray = generator.normal(size=(40, 64)) * generator.uniform(0.001, 3, size=(40, 1))
    made[7] = 0.0
    made[8, 3] = -50.0
    return made.astype(np.float32)


@pytest.mark.parametrize("block", [16, 32, 64])
def test_the_graph_gives_what_it_stores_and_nearly_what_was_given(
    rows: np.ndarray, block: int
) -> None:
    packed = pack_embeddings(lookup_graph(rows), block=block)
    given, stored = all_rows(packed, len(rows)), stored_rows(packed, block)
    np.testing.assert_array_equal(given, stored)
    largest = np.abs(rows.reshape(len(rows), -1, block)).max(axis=-1).repeat(block, axis=-1)
    assert (np.abs(given - rows) <= 0.301 * largest.reshape(rows.shape)).all()
    assert not given[7].any()
    usual = np.arange(len(rows)) != 8
    assert np.linalg.norm((given - rows)[usual]) < 0.12 * np.linalg.norm(rows[usual])


def test_smaller_blocks_are_nearer_and_no_scale_is_worse_than_that_of_the_largest(
    rows: np.ndarray,
) -> None:
    errors = []
    for block in (16, 32, 64):
        steps, scales = round_blocks(rows, block=block)
        assert steps.min() >= -8
        assert steps.max() <= 7
        errors.append(float(((unpack_rows(steps, scales) - rows) ** 2).sum()))
        cut = rows.reshape(len(rows), -1, block)
        plain = np.abs(cut).max(axis=-1, keepdims=True) / 7
        plain[plain == 0] = 1
        assert errors[-1] <= (((np.rint(cut / plain) * plain) - cut) ** 2).sum()
    assert errors == sorted(errors)


def test_a_table_of_8_bits_is_packed_as_the_numbers_that_it_stands_for(rows: np.ndarray) -> None:
    whole = lookup_graph(rows[:7])
    eight = _quantize(whole, ["Gather"])
    packed = pack_embeddings(eight)
    np.testing.assert_allclose(
        all_rows(packed, 7), all_rows(pack_embeddings(lookup_graph(all_rows(eight, 7))), 7)
    )


@pytest.mark.parametrize("block", [16, 64])
def test_rows_that_an_older_release_packed_keep_their_steps(rows: np.ndarray, block: int) -> None:
    old = old_graph(rows, block)
    packed = pack_embeddings(old)
    anew = pack_embeddings(lookup_graph(rows), block=block)
    np.testing.assert_array_equal(all_rows(packed, len(rows)), all_rows(anew, len(rows)))
    np.testing.assert_array_equal(all_rows(packed, len(rows)), all_rows(old, len(rows)))
    kinds = {node.op_type for node in onnx.load_from_string(packed).graph.node}
    assert "GatherBlockQuantized" not in kinds


def test_windows_of_any_length_are_looked_up(rows: np.ndarray) -> None:
    session = make_session(pack_embeddings(lookup_graph(rows)), threads=1)
    everything = all_rows(pack_embeddings(lookup_graph(rows)), len(rows))
    for size in (1, 2, 7, 300):
        ids = np.random.default_rng(size).integers(0, len(rows), size=(1, size))
        found = session.run([OUTPUT], {INPUT: ids})[0]
        np.testing.assert_array_equal(found, everything[ids])


def test_it_is_smaller_keeps_its_metadata_and_is_the_same_each_time() -> None:
    rows = np.random.default_rng(1).normal(size=(500, 384)).astype(np.float32)
    whole = lookup_graph(rows)
    eight, packed = _quantize(whole, ["Gather"]), pack_embeddings(whole)
    assert len(packed) < 0.66 * len(eight)
    assert packed == pack_embeddings(whole)
    model = onnx.load_from_string(packed)
    assert {one.key: one.value for one in model.metadata_props} == {"windows-alone": "true"}
    onnx.checker.check_model(model)


@pytest.mark.parametrize("block", [0, 8, 24, 128])
def test_a_block_that_does_not_fit_is_refused(rows: np.ndarray, block: int) -> None:
    with pytest.raises(ConfigError, match=f"blocks of {block}"):
        pack_embeddings(lookup_graph(rows), block=block)


def test_a_graph_without_a_table_is_refused(rows: np.ndarray) -> None:
    other = onnx.load_from_string(lookup_graph(rows))
    other.graph.node[0].input[0] = "elsewhere"
    with pytest.raises(ArtifactError, match="Leave it as it is"):
        pack_embeddings(other.SerializeToString())


def test_rows_that_are_packed_already_are_refused(rows: np.ndarray) -> None:
    with pytest.raises(ArtifactError, match="packed already"):
        pack_embeddings(pack_embeddings(lookup_graph(rows)))


def test_a_graph_of_an_old_version_is_refused(rows: np.ndarray) -> None:
    old = onnx.load_from_string(lookup_graph(rows))
    old.opset_import[0].version = 17
    with pytest.raises(ArtifactError, match="version 18"):
        pack_embeddings(old.SerializeToString())
