"""A trained network as two ONNX graphs, for inference without torch.

`words` gives vectors of distinct words: `words` int64 (w,), `spellings` int64 (w, longest) ->
`vectors` float32 (w, d). `sequence` gives the scores of tokens: `vectors` float32 (t, b, d), time
first, with contextual embeddings after the words' own values, `features` int64 (t, b, f) where
the network reads any, `lengths` int32 (b,) -> `scores` float32 (t, b, tags). Scores of padding
mean nothing. Each states its sizes as JSON in its metadata.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np
from onnx import TensorProto
from torch import Tensor, nn

from scrubjay.learning.neural.characters import CharacterCnn, CharacterLstm
from scrubjay.learning.neural.coupled import CoupledLstm
from scrubjay.learning.neural.graphs import Array, Graph, lstm_gates
from scrubjay.learning.neural.network import Network
from scrubjay.learning.neural.recurrent import Bidirectional
from scrubjay.taggers._recurrent.fit import SIZES


class ExportedNetwork(NamedTuple):
    """The two graphs of a network, as files."""

    words: bytes
    sequence: bytes


def export_network(network: Network) -> ExportedNetwork:
    """Return the graphs of a network; nothing of training is left in them."""
    return ExportedNetwork(_words_graph(network), _sequence_graph(network))


def _words_graph(network: Network) -> bytes:
    graph = Graph()
    longest = network.config.characters.longest
    words = graph.input("words", TensorProto.INT64, ["w"])
    spellings = graph.input("spellings", TensorProto.INT64, ["w", longest])
    parts: list[str] = []
    if network.words is not None:
        parts.append(graph.table(_array(network.words.weight), "word_table", words))
    if isinstance(network.characters, CharacterCnn):
        parts.append(_convolve(graph, network.characters, spellings))
    elif isinstance(network.characters, CharacterLstm):
        parts.append(_spell(graph, network.characters, spellings))
    if parts:
        vectors = graph.add("Concat", *parts, axis=1)
    else:  # (w, 0)
        count = graph.add("Concat", graph.add("Shape", words), graph.integers(0), axis=0)
        vectors = graph.add("ConstantOfShape", count)
    sizes = {
        "words": network.sizes.vocabulary,
        "characters": network.sizes.alphabet,
        "longest": longest,
    }
    return graph.finish(
        {"vectors": (vectors, ["w", network.word_dimension])},
        name="words",
        metadata={SIZES: json.dumps(sizes)},
    )


def _convolve(graph: Graph, layer: CharacterCnn, spellings: str) -> str:
    """Convolve over the characters of each word and keep the maxima."""
    pads = graph.integers(0, 0, 0, layer.widest - 1)
    padded = graph.add("Pad", spellings, pads, graph.constant(np.array(0, dtype=np.int64)))
    rows = graph.table(_array(layer.embedding.weight), "character_table", padded)
    weights, bias = layer.matrix()
    found = graph.add(
        "Conv",
        graph.add("Transpose", rows, perm=[0, 2, 1]),
        graph.constant(_array(weights), "kernels"),
        graph.constant(_array(bias), "kernel_bias"),
    )
    return str(graph.add("ReduceMax", found, axes=[2], keepdims=0))


def _spell(graph: Graph, layer: CharacterLstm, spellings: str) -> str:
    """Read the characters of each word in both directions and keep the last states."""
    zero = graph.constant(np.array(0, dtype=np.int64))
    real = graph.add("Cast", graph.add("Greater", spellings, zero), to=TensorProto.INT64)
    counted = graph.add("ReduceSum", real, graph.integers(1), keepdims=0)
    lengths = graph.add("Max", counted, graph.integers(1))
    turned = graph.add("Transpose", spellings, perm=[1, 0])
    rows = graph.table(_array(layer.embedding.weight), "character_table", turned)
    _, last = _read(graph, layer.lstm, rows, lengths, name="characters")
    return last


def _sequence_graph(network: Network) -> bytes:
    graph = Graph()
    width = network.word_dimension + network.sizes.contextual
    vectors = graph.input("vectors", TensorProto.FLOAT, ["t", "b", width])
    parts = [vectors] if width else []
    if network.features is not None:
        embedding = network.features
        shape: list[str | int] = ["t", "b", len(network.sizes.features)]
        numbers = graph.input("features", TensorProto.INT64, shape)
        places = graph.add("Add", numbers, graph.constant(_array(embedding.offsets), "offsets"))
        rows = graph.table(_array(embedding.table.weight), "feature_table", places)
        parts.append(graph.add("Reshape", rows, graph.integers(0, 0, embedding.dimension)))
    taken = graph.input("lengths", TensorProto.INT32, ["b"])
    lengths = graph.add("Cast", taken, to=TensorProto.INT64)
    hidden = graph.add("Concat", *parts, axis=2)
    for number, layer in enumerate(network.layers):
        assert isinstance(layer, Bidirectional)
        hidden, _ = _read(graph, layer, hidden, lengths, name=f"layer{number}")
    scores = graph.add(
        "MatMul", hidden, graph.constant(_array(network.scores.weight).T, "score_weights")
    )
    scores = graph.add("Add", scores, graph.constant(_array(network.scores.bias), "score_bias"))
    sizes = {"features": list(network.sizes.features), "tags": network.sizes.tags}
    return graph.finish(
        {"scores": (scores, ["t", "b", network.sizes.tags])},
        name="sequence",
        metadata={SIZES: json.dumps(sizes)},
    )


def _read(
    graph: Graph, layer: Bidirectional, rows: str, lengths: str, *, name: str
) -> tuple[str, str]:
    """Add a layer over rows (t, b, d); returns its states (t, b, 2h) and the last ones (b, 2h)."""
    if isinstance(layer.forwards, CoupledLstm):
        return _read_coupled(graph, layer, rows, lengths, name=name)
    directions = [layer.forwards, layer.backwards]
    weights = [
        np.stack([lstm_gates(_array(_parameter(one, f"{kind}_l0"))) for one in directions])
        for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    ]
    states, last, _ = graph.add(
        "LSTM",
        rows,
        graph.constant(weights[0], f"{name}_w"),
        graph.constant(weights[1], f"{name}_r"),
        graph.constant(np.concatenate(weights[2:], axis=1), f"{name}_b"),
        graph.add("Cast", lengths, to=TensorProto.INT32),
        outputs=3,
        direction="bidirectional",
        hidden_size=layer.hidden,
    )
    return _join(graph, states, layer.hidden), str(
        graph.add(
            "Reshape",
            graph.add("Transpose", last, perm=[1, 0, 2]),
            graph.integers(0, 2 * layer.hidden),
        )
    )


def _read_coupled(
    graph: Graph, layer: Bidirectional, rows: str, lengths: str, *, name: str
) -> tuple[str, str]:
    """The layer as one scan of both directions: ONNX's LSTM has peepholes within a cell alone."""
    hidden = layer.hidden
    gates = []
    for side, one in (("ahead", layer.forwards), ("behind", layer.backwards)):
        seen = rows if side == "ahead" else _mirror(graph, rows, lengths)
        weights = _array(_parameter(one, "weight_ih")).T
        product = graph.add("MatMul", seen, graph.constant(weights, f"{name}_w_{side}"))
        bias = graph.constant(_array(_parameter(one, "bias_ih")), f"{name}_b_{side}")
        gates.append(graph.add("Unsqueeze", graph.add("Add", product, bias), graph.integers(1)))
    together = graph.add("Concat", *gates, axis=1)  # (t, 2, b, 3h)
    count = graph.add("Shape", lengths)
    shape = graph.add("Concat", graph.integers(2), count, graph.integers(hidden), axis=0)
    zeros = graph.add("ConstantOfShape", shape)
    matrices = [_array(one.recurrence()) for one in (layer.forwards, layer.backwards)]  # type: ignore[operator]
    recurrence = graph.constant(np.stack(matrices), f"{name}_r")
    _, _, states = graph.add(
        "Scan",
        zeros,
        zeros,
        together,
        outputs=3,
        num_scan_inputs=1,
        body=_coupled_step(recurrence, hidden, prefix=f"{name}_step_"),
    )
    ahead, behind = (
        graph.add("Gather", states, graph.constant(np.array(side, dtype=np.int64)), axis=1)
        for side in (0, 1)
    )
    last = [_last(graph, side, lengths) for side in (ahead, behind)]
    both = graph.add("Concat", ahead, _mirror(graph, behind, lengths), axis=2)
    return str(both), str(graph.add("Concat", *last, axis=1))


def _coupled_step(recurrence: str, hidden: int, *, prefix: str) -> Any:
    """One step of `CoupledLstm` for both directions, by its equations."""
    body = Graph(prefix)
    kept: list[str | int] = [2, "b", hidden]
    state = body.input("state", TensorProto.FLOAT, kept)
    cell = body.input("cell", TensorProto.FLOAT, kept)
    seen = body.input("seen", TensorProto.FLOAT, [2, "b", 3 * hidden])
    remembered = body.add("MatMul", body.add("Concat", state, cell, axis=2), recurrence)
    gates = body.add("Add", remembered, seen)
    sizes = body.integers(2 * hidden, hidden)
    opened, candidate = body.add("Split", gates, sizes, outputs=2, axis=2)
    halves = body.integers(hidden, hidden)
    entry, exit_ = body.add("Split", body.add("Sigmoid", opened), halves, outputs=2, axis=2)
    change = body.add("Sub", body.add("Tanh", candidate), cell)
    after = body.add("Add", cell, body.add("Mul", entry, change))
    shown = body.add("Mul", exit_, body.add("Tanh", after))
    out = body.add("Identity", shown)
    return body.body([(shown, kept), (after, kept), (out, kept)])


def _mirror(graph: Graph, rows: str, lengths: str) -> str:
    """Reverse rows (t, b, d) within their lengths."""
    return str(graph.add("ReverseSequence", rows, lengths, time_axis=0, batch_axis=1))


def _last(graph: Graph, states: str, lengths: str) -> str:
    """Return of states (t, b, h) those of each row's last token, (b, h)."""
    turned = graph.add("Transpose", states, perm=[1, 0, 2])
    ends = graph.add("Sub", lengths, graph.integers(1))
    places = graph.add("Unsqueeze", ends, graph.integers(1))
    return str(graph.add("GatherND", turned, places, batch_dims=1))


def _join(graph: Graph, states: str, hidden: int) -> str:
    """Bring the two directions of states (t, 2, b, h) side by side: (t, b, 2h)."""
    turned = graph.add("Transpose", states, perm=[0, 2, 1, 3])
    return str(graph.add("Reshape", turned, graph.integers(0, 0, 2 * hidden)))


def _parameter(layer: nn.Module, name: str) -> Tensor:
    return layer.get_parameter(name)


def _array(tensor: Tensor) -> Array:
    array: Array = tensor.detach().cpu().numpy()
    return array
