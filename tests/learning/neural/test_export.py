"""Exported networks: ONNX Runtime gives the scores of torch, and the same tags."""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt
import onnx
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.features._sessions import make_session
from scrubjay.learning.neural.batches import TrainingData
from scrubjay.learning.neural.export import ExportedNetwork, export_network
from scrubjay.taggers._decoding.viterbi import best_path
from scrubjay.taggers._recurrent.fit import SIZES
from tests.learning.neural.samples import (
    ALPHABET,
    CONFIGS,
    FEATURES,
    LONGEST,
    TAGS,
    VOCABULARY,
    all_windows,
    make_data,
    make_network,
)

Scores = npt.NDArray[np.float32]


def _run(exported: ExportedNetwork, data: TrainingData) -> Scores:
    """Return the scores `(t, b, tags)` of all windows, as inference computes them."""
    windows = data.windows
    lengths = windows.sizes()
    places = windows.starts + np.minimum(np.arange(lengths.max())[:, None], lengths - 1)
    numbers = {"words": data.words.astype(np.int64), "spellings": data.spellings.astype(np.int64)}
    (vectors,) = make_session(exported.words, threads=1).run(["vectors"], numbers)
    rows = vectors[data.inputs.types[places]]
    if data.contextual is not None:
        rows = np.concatenate([rows, data.contextual[places].astype(np.float32)], axis=2)
    sequence = make_session(exported.sequence, threads=1)
    feed = {"vectors": rows, "lengths": lengths}
    if "features" in {one.name for one in sequence.get_inputs()}:
        feed["features"] = data.inputs.features[places].astype(np.int64)
    (scores,) = sequence.run(["scores"], feed)
    return np.asarray(scores, dtype=np.float32)


def _tags(scores: Scores, lengths: npt.NDArray[np.int32], moves: object) -> list[list[int]]:
    return [
        best_path(
            scores[:length, row].astype(np.float64),
            np.array([0, length], dtype=np.int32),
            np.asarray(moves, dtype=np.float64),
        ).tolist()
        for row, length in enumerate(lengths.tolist())
    ]


@pytest.mark.parametrize("name", CONFIGS)
@given(seed=st.integers(0, 999), tokens=st.integers(1, 60), contextual=st.sampled_from([0, 3]))
@settings(max_examples=4)
def test_scores_and_tags_are_those_of_torch(
    name: str, seed: int, tokens: int, contextual: int
) -> None:
    network = make_network(name, seed=seed, contextual=contextual)
    data = make_data(seed=seed, tokens=tokens, contextual=contextual)
    found = _run(export_network(network), data)
    with torch.no_grad():
        expected = network(all_windows(data)).transpose(0, 1).numpy()
    lengths = data.windows.sizes()
    real = np.arange(len(expected))[:, None] < lengths
    np.testing.assert_allclose(found[real], expected[real], atol=1e-4, rtol=1e-4)
    moves = network.transitions()
    assert _tags(found, lengths, moves) == _tags(expected, lengths, moves)


def test_padding_and_company_change_no_score() -> None:
    data = make_data(seed=1)
    for name in ("default", "coupled"):
        exported = export_network(make_network(name, seed=1))
        scores = _run(exported, data)
        lengths = data.windows.sizes()
        for row in range(len(lengths)):
            alone = TrainingData(
                data.inputs, _only(data, row), data.words, data.spellings, data.rare, data.tags
            )
            np.testing.assert_allclose(
                scores[: lengths[row], row], _run(exported, alone)[:, 0], atol=1e-5
            )


def _only(data: TrainingData, row: int) -> object:
    windows = data.windows
    one = slice(row, row + 1)
    return type(windows)(
        windows.starts[one], windows.firsts[one], windows.lasts[one], windows.ends[one]
    )


@pytest.mark.parametrize("name", CONFIGS)
def test_graphs_state_their_inputs_and_sizes(name: str) -> None:
    network = make_network(name)
    exported = export_network(network)
    words, sequence = (onnx.load_from_string(file) for file in exported)
    assert [one.name for one in words.graph.input] == ["words", "spellings"]
    reads = ["features"] if network.features is not None else []
    assert [one.name for one in sequence.graph.input] == ["vectors", *reads, "lengths"]
    assert words.ir_version == sequence.ir_version == 8
    stated = [
        json.loads({p.key: p.value for p in g.metadata_props}[SIZES]) for g in (words, sequence)
    ]
    assert stated == [
        {"words": VOCABULARY, "characters": ALPHABET, "longest": LONGEST},
        {"features": list(FEATURES), "tags": TAGS},
    ]


def test_the_same_network_gives_the_same_bytes() -> None:
    for name in ("default", "coupled"):
        assert export_network(make_network(name)) == export_network(make_network(name))


def test_nothing_of_training_is_left() -> None:
    """A network in training mode is exported without dropout."""
    network, data = make_network("locked dropout"), make_data()
    expected = _run(export_network(network), data)
    np.testing.assert_array_equal(_run(export_network(network.train()), data), expected)
