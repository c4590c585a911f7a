"""A recurrent tagger for tests with random weights, and what its networks compute, in numpy.

The graphs keep to the inputs and outputs that `BilstmModel` states; nothing is trained.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import Manifest
from scrubjay.document import Document
from scrubjay.features.encoder import fit_encoder
from scrubjay.features.inputs import InputEncoder, fold_word
from scrubjay.features.templates import FeatureConfig, parse_template
from scrubjay.taggers._recurrent.fit import SIZES, sequence_sizes, word_sizes
from scrubjay.taggers.bilstm import BilstmDetector, BilstmModel, BilstmTagger
from scrubjay.tags import find_scheme
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.corpus_samples import LABELS, make_notes

Array = npt.NDArray[Any]

FEATURES = ("short-shape", "suffix2", "key", "sentence-begins", "dictionary:CITY")
KERNELS = (2, 3)


@dataclass
class Weights:
    """Named arrays of both networks, drawn at random."""

    words: dict[str, Array] = field(default_factory=dict)
    sequence: dict[str, Array] = field(default_factory=dict)


def draw_weights(
    inputs: InputEncoder,
    *,
    tags: int,
    hidden: int = 8,
    dimension: int = 6,
    characters: int = 4,
    channels: int = 3,
    feature_dimension: int = 2,
    contextual: int = 0,
    seed: int = 0,
) -> Weights:
    """Return weights for the sizes of an encoder."""
    random = np.random.default_rng(seed)

    def draw(*shape: int, scale: float = 1.0) -> Array:
        return (random.standard_normal(shape) * scale).astype(np.float32)

    made = Weights()
    made.words["word_table"] = draw(len(inputs.vocabulary) + 2, dimension)
    made.words["character_table"] = draw(len(inputs.characters) + 2, characters)
    for width in KERNELS:
        made.words[f"kernel{width}"] = draw(channels, characters, width, scale=0.5)
        made.words[f"bias{width}"] = draw(channels, scale=0.5)
    sizes = inputs.feature_sizes()
    width = dimension + channels * len(KERNELS) + contextual
    if sizes:
        made.sequence["starts"] = np.cumsum([0, *sizes[:-1]]).astype(np.int64)
        made.sequence["feature_table"] = draw(sum(sizes), feature_dimension)
        width += feature_dimension * len(sizes)
    made.sequence["w"] = draw(2, 4 * hidden, width, scale=width**-0.5)
    made.sequence["r"] = draw(2, 4 * hidden, hidden, scale=hidden**-0.5)
    made.sequence["b"] = draw(2, 8 * hidden, scale=0.1)
    made.sequence["scores_w"] = draw(2 * hidden, tags, scale=4 * hidden**-0.5)
    made.sequence["scores_b"] = draw(tags)
    made.sequence["scores_b"][0] += 2.0
    return made


def words_graph(weights: Weights, inputs: InputEncoder) -> bytes:
    """Return the graph of the word network."""
    from onnx import TensorProto, helper

    constants = {
        **weights.words,
        "pads": np.array([0, 0, 0, max(KERNELS) - 1]),
        "zero": np.array(0),
        "last": np.array([2]),
    }
    node = helper.make_node
    nodes = [
        node("Gather", ["word_table", "words"], ["word"]),
        node("Pad", ["spellings", "pads", "zero"], ["padded"]),
        node("Gather", ["character_table", "padded"], ["rows"]),
        node("Transpose", ["rows"], ["columns"], perm=[0, 2, 1]),
    ]
    for width in KERNELS:
        nodes.append(node("Conv", ["columns", f"kernel{width}", f"bias{width}"], [f"conv{width}"]))
        nodes.append(node("ReduceMax", [f"conv{width}", "last"], [f"max{width}"], keepdims=0))
    nodes.append(node("Concat", ["word", *(f"max{w}" for w in KERNELS)], ["vectors"], axis=1))
    info = helper.make_tensor_value_info
    return _graph(
        nodes,
        [
            info("words", TensorProto.INT64, ["w"]),
            info("spellings", TensorProto.INT64, ["w", inputs.longest]),
        ],
        info("vectors", TensorProto.FLOAT, ["w", None]),
        constants,
        word_sizes(inputs),
    )


def sequence_graph(weights: Weights, inputs: InputEncoder) -> bytes:
    """Return the graph of the sequence network."""
    from onnx import TensorProto, helper

    constants = dict(weights.sequence)
    hidden, tags = constants["r"].shape[2], len(constants["scores_b"])
    node, info = helper.make_node, helper.make_tensor_value_info
    taken = [info("vectors", TensorProto.FLOAT, ["t", "b", None])]
    nodes = []
    source = "vectors"
    if "starts" in constants:
        count = len(constants["starts"])
        taken.append(info("features", TensorProto.INT64, ["t", "b", count]))
        constants["flat"] = np.array([0, 0, count * constants["feature_table"].shape[1]])
        nodes += [
            node("Add", ["features", "starts"], ["places"]),
            node("Gather", ["feature_table", "places"], ["embedded"]),
            node("Reshape", ["embedded", "flat"], ["side"]),
            node("Concat", ["vectors", "side"], ["all"], axis=2),
        ]
        source = "all"
    taken.append(info("lengths", TensorProto.INT32, ["b"]))
    constants["both"] = np.array([0, 0, 2 * hidden])
    nodes += [
        node(
            "LSTM", [source, "w", "r", "b", "lengths"], ["states"],
            direction="bidirectional", hidden_size=hidden,
        ),
        node("Transpose", ["states"], ["turned"], perm=[0, 2, 1, 3]),
        node("Reshape", ["turned", "both"], ["joined"]),
        node("MatMul", ["joined", "scores_w"], ["product"]),
        node("Add", ["product", "scores_b"], ["scores"]),
    ]  # fmt: skip
    scores = info("scores", TensorProto.FLOAT, ["t", "b", tags])
    return _graph(nodes, taken, scores, constants, sequence_sizes(inputs, tags=tags))


def _graph(
    nodes: list[Any],
    inputs: list[Any],
    output: Any,
    constants: dict[str, Array],
    sizes: dict[str, Any],
) -> bytes:
    from onnx import checker, helper, numpy_helper

    stored = [numpy_helper.from_array(np.asarray(v), name) for name, v in constants.items()]
    graph = helper.make_graph(nodes, "network", inputs, [output], stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    helper.set_model_props(model, {SIZES: json.dumps(sizes)})
    checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


# The same in numpy, word by word and token by token.


def plain_word_vector(weights: Weights, number: int, spelling: Sequence[int]) -> Array:
    """Return the vector of one word."""
    table = weights.words
    rows = table["character_table"][[*spelling, *[0] * (max(KERNELS) - 1)]]
    parts = [table["word_table"][number]]
    for width in KERNELS:
        kernel = table[f"kernel{width}"]
        found = [
            np.einsum("oiw,wi->o", kernel, rows[at : at + width]) + table[f"bias{width}"]
            for at in range(len(rows) - width + 1)
        ]
        parts.append(np.max(found, axis=0))
    return np.concatenate(parts)


def plain_scores(weights: Weights, vectors: Array, features: Array) -> Array:
    """Return the scores (t, tags) of one window from its vectors (t, d) and features (t, f)."""
    table = weights.sequence
    if "starts" in table:
        side = table["feature_table"][features + table["starts"]].reshape(len(vectors), -1)
        vectors = np.concatenate([vectors, side], axis=1)
    ahead = _plain_lstm(table, 0, vectors)
    behind = _plain_lstm(table, 1, vectors[::-1])[::-1]
    scores: Array = np.concatenate([ahead, behind], axis=1) @ table["scores_w"]
    return scores + table["scores_b"]


def _plain_lstm(table: dict[str, Array], direction: int, vectors: Array) -> Array:
    """Return the states of one direction; ONNX orders the gates input, output, forget, cell."""
    w, r, b = (table[name][direction].astype(np.float64) for name in ("w", "r", "b"))
    hidden = r.shape[1]
    state, cell = np.zeros(hidden), np.zeros(hidden)
    states = []
    for vector in vectors:
        gates = w @ vector + b[: 4 * hidden] + r @ state + b[4 * hidden :]
        enter, leave, keep = (
            1 / (1 + np.exp(-gates[n * hidden : (n + 1) * hidden])) for n in range(3)
        )
        cell = keep * cell + enter * np.tanh(gates[3 * hidden :])
        state = leave * np.tanh(cell)
        states.append(state)
    return np.array(states)


def fit_inputs(
    documents: Sequence[Document], *, features: Sequence[str] = FEATURES, longest: int = 10
) -> InputEncoder:
    """Return an encoder that knows every word, character and value of some documents."""
    tokenizer = make_tokenizer("subword")
    batch: list[Tokens] = [tokenizer.tokenize(document.text) for document in documents]
    config = FeatureConfig({"all": tuple(map(parse_template, features))})
    encoder, _ = fit_encoder(config, batch, dictionaries={"CITY": frozenset({"millbrook"})})
    words = dict.fromkeys(fold_word(w, "lower") for tokens in batch for w in tokens.words())
    characters = sorted({c for document in documents for c in document.text})
    return InputEncoder(
        encoder,
        {word: number for number, word in enumerate(words, start=2)},
        {character: number for number, character in enumerate(characters, start=2)},
        longest=longest,
    )


def tiny_model(
    *,
    features: Sequence[str] = FEATURES,
    labels: tuple[str, ...] = LABELS,
    scheme: str = "BIO",
    size: int = 12,
    context: int = 4,
    **sizes: Any,
) -> tuple[BilstmModel, Weights]:
    """Return a model that knows ten notes, and its weights; `sizes` are `draw_weights`'s."""
    inputs = fit_inputs(make_notes(10, seed=1), features=features)
    tags = 1 + len(labels) * len(find_scheme(scheme).prefixes)
    weights = draw_weights(inputs, tags=tags, **sizes)
    moves = np.random.default_rng(1).standard_normal((tags, tags))
    model = BilstmModel(
        inputs,
        words_graph(weights, inputs),
        sequence_graph(weights, inputs),
        moves,
        scheme,
        labels,
        window_size=size,
        window_context=context,
    )
    return model, weights


def tiny_detector(model: BilstmModel) -> BilstmDetector:
    """Return a detector of a model."""
    tokenizer = make_tokenizer("subword")
    manifest = Manifest(
        name="tiny",
        kind="bilstm",
        language="en",
        label_set="i2b2-2014",
        labels=model.labels,
        scheme=model.scheme,
        tokenizer={"name": tokenizer.name, **tokenizer.parameters()},
        stores_words=True,
    )
    return BilstmDetector(tokenizer, BilstmTagger(model), manifest=manifest)
