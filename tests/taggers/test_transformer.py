"""The transformer tagger over graphs written by hand: a table of scores instead of an encoder.

A table does not look around, so the scores of a token are known whatever the windows are.
"""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

from scrubjay.artifacts import Manifest, encode_array, load_artifact, save_artifact
from scrubjay.document import Document
from scrubjay.errors import ArtifactError
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.models import audit_model, load_model
from scrubjay.taggers._decoding.chain_detector import ChainDetector
from scrubjay.taggers.transformer import (
    INPUT,
    OUTPUT,
    TransformerDetector,
    TransformerModel,
    TransformerTagger,
)
from scrubjay.text.tokenizers import make_tokenizer
from tests.strategies import texts
from tests.tiny_transformer import tiny_definition

onnx = pytest.importorskip("onnx", reason="graphs are written with the extra `train`")
for package in ("onnxruntime", "tokenizers"):
    pytest.importorskip(package, reason="networks run with the extra `neural`")

LABELS = ("DATE", "DOCTOR")
TAGS = 5


def table_graph(table: npt.NDArray[np.float32]) -> bytes:
    """Return a graph that looks the scores of each sub-token up."""
    helper = onnx.helper
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", INPUT], [OUTPUT], axis=0)],
        "table",
        [helper.make_tensor_value_info(INPUT, onnx.TensorProto.INT64, [1, "s"])],
        [helper.make_tensor_value_info(OUTPUT, onnx.TensorProto.FLOAT, [1, "s", table.shape[1]])],
        [onnx.numpy_helper.from_array(table, "table")],
    )
    opset = [helper.make_opsetid("", 18)]
    content: bytes = helper.make_model(graph, opset_imports=opset, ir_version=9).SerializeToString()
    return content


def make_model(*, window: int = 12, overlap: int = 4, pieces: str = "first") -> TransformerModel:
    definition = tiny_definition()
    random = np.random.default_rng(5)
    size = len(json.loads(definition)["model"]["vocab"])
    table = random.normal(size=(size, TAGS)).astype(np.float32)
    transitions = random.normal(size=(TAGS, TAGS))
    return TransformerModel(
        table_graph(table),
        SubtokenEncoder(definition, window=window, overlap=overlap, pieces=pieces),
        transitions,
        random.normal(size=TAGS).astype(np.float32),
        "BIO",
        LABELS,
    )


def table_of(model: TransformerModel) -> npt.NDArray[np.float32]:
    """Return the table in a model's graph."""
    graph = onnx.load_model_from_string(model.network).graph
    table: npt.NDArray[np.float32] = onnx.numpy_helper.to_array(graph.initializer[0])
    return table


def make_detector(model: TransformerModel) -> TransformerDetector:
    manifest = Manifest(
        name="table",
        kind="transformer",
        language="en",
        label_set="",
        labels=LABELS,
        stores_words=False,
        tokenizer={"name": "subword"},
    )
    return TransformerDetector(
        make_tokenizer("subword"), TransformerTagger(model), manifest=manifest
    )


@pytest.mark.parametrize("pieces", ["first", "mean"])
def test_windows_change_no_score(pieces: str) -> None:
    tagger = TransformerTagger(make_model(pieces=pieces))
    table = table_of(tagger.model)

    @settings(max_examples=40)
    @given(texts(max_pieces=30))
    def check(text: str) -> None:
        tokens = make_tokenizer("subword").tokenize(text)
        found = tagger.model.subtokens.encode(tokens)
        scores = tagger.emissions(tokens)
        assert scores.shape == (len(tokens), TAGS)
        stops = np.repeat(found.stops, np.diff(found.bounds)).tolist()
        for place, stop in enumerate(stops):
            read = found.ids[found.begins[place] : min(int(found.ends[place]), stop)]
            expected = table[read].mean(axis=0) if len(read) else tagger.model.bias
            np.testing.assert_allclose(scores[place], expected, atol=1e-5)

    check()


def test_a_long_document_is_tagged_as_in_one_window() -> None:
    short = make_model()
    long = replace(short, subtokens=SubtokenEncoder(tiny_definition(), window=100_000, overlap=64))
    text = "Seen by Dr. Castell on 3/4/2019 \u200b\U0001f468\u200d\u2695\ufe0f\r\n" * 200
    batch = [make_tokenizer("subword").tokenize(text)]
    (one,), (other,) = (TransformerTagger(model).tag(batch) for model in (short, long))
    assert one.tolist() == other.tolist()
    assert len(set(one.tolist())) > 2


def test_tags_that_training_never_saw_are_not_given() -> None:
    model = make_model()
    for unseen in (1, 4):
        model.transitions[unseen, :] = -np.inf
        model.transitions[:, unseen] = -np.inf
    tokens = make_tokenizer("subword").tokenize("Seen by Dr. Castell on 3/4/2019 " * 20)
    (tags,) = TransformerTagger(model, dial=3.0).tag([tokens])
    assert set(tags.tolist()) <= {0, 2, 3}
    assert len(set(tags.tolist())) > 1


def test_a_turned_dial_keeps_the_session() -> None:
    detector = make_detector(make_model())
    turned = detector.with_dial(2.0)
    assert turned.tagger.dial == 2.0
    assert turned.tagger.network is detector.tagger.network
    twin = pickle.loads(pickle.dumps(turned))
    assert twin.tagger.dial == 2.0
    note = Document("a", "Seen by Dr. Castell on 3/4/2019")
    assert twin.detect([note]) == turned.detect([note])


def test_a_saved_model_is_the_same(tmp_path: Path) -> None:
    detector = make_detector(make_model(pieces="mean"))
    save_artifact(tmp_path / "m", detector.manifest, files=detector.files())
    loaded = load_model(tmp_path / "m")
    assert isinstance(loaded, ChainDetector)
    assert isinstance(loaded.tagger, TransformerTagger)
    assert loaded.files() == detector.files()
    note = Document("a", "Seen by Dr. Castell on 3/4/2019 " * 9)
    assert loaded.detect([note]) == detector.detect([note]) != [()]
    assert audit_model(tmp_path / "m").words == ()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("encoder.onnx", b"\x00not a graph"),
        ("encoder.onnx", b""),
        ("tokenizer.json", b"{}"),
        ("tokenizer.json", b"\xff"),
        ("windows.json", b"[]"),
        ("windows.json", b'{"window": 4, "overlap": 9, "pieces": "first"}'),
        ("windows.json", b'{"window": 12, "overlap": 4, "pieces": "last"}'),
        ("bias.npy", "transitions.npy"),
        ("transitions.npy", "bias.npy"),
    ],
)
def test_parts_that_do_not_fit_are_refused(tmp_path: Path, name: str, content: Any) -> None:
    detector = make_detector(make_model())
    files = detector.files()
    files[name] = content if isinstance(content, bytes) else files[content]
    save_artifact(tmp_path / "m", detector.manifest, files=files)
    with pytest.raises(ArtifactError):
        load_model(tmp_path / "m")


@pytest.mark.parametrize("name", ["transitions.npy", "bias.npy"])
@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_scores_that_are_no_numbers_are_refused(tmp_path: Path, name: str, odd: float) -> None:
    detector = make_detector(make_model())
    model = detector.tagger.model
    array = (model.bias if name == "bias.npy" else model.transitions).copy()
    array.flat[-1] = odd
    files = detector.files() | {name: encode_array(array)}
    save_artifact(tmp_path / "m", detector.manifest, files=files)
    with pytest.raises(ArtifactError, match="do not fit together"):
        load_model(tmp_path / "m")


def test_a_graph_of_other_tags_is_refused(tmp_path: Path) -> None:
    detector = make_detector(make_model())
    narrow = table_of(detector.tagger.model)[:, :3]
    files = detector.files() | {"encoder.onnx": table_graph(narrow)}
    save_artifact(tmp_path / "m", detector.manifest, files=files)
    with pytest.raises(ArtifactError, match="does not score the tags"):
        load_model(tmp_path / "m")
    assert load_artifact(tmp_path / "m").manifest.kind == "transformer"
