"""What stands above the encoder of a model is trained, and the encoder stays as it is stored."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import Manifest, load_artifact, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.features.encoders import GRAPH
from scrubjay.learning.encoder_bilstm import EncoderBilstmLearner
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.learners import require_teacher
from scrubjay.learning.requirements import require_ready, require_trainer
from scrubjay.learning.start_configs import EPOCHS, find_start_config
from scrubjay.learning.training import TrainingRequest, train_model
from scrubjay.taggers.bilstm import BilstmDetector
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_transformer import (
    PowerCutError,
    cut_power,
    require_packages,
    tiny_encoder,
    tiny_encoder_bilstm,
)

require_packages()

import torch  # noqa: E402

from scrubjay.learning.neural.quantization import quantize  # noqa: E402
from scrubjay.learning.neural.recovering import recover_start  # noqa: E402
from scrubjay.learning.neural.starting import load_start  # noqa: E402
from scrubjay.taggers._combining.pool import Pool  # noqa: E402
from scrubjay.taggers.ensemble import EnsembleDetector  # noqa: E402
from scrubjay.taggers.members import Member  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_torch_thread", "exports_tried_once")

NOTES, MORE, DEV = make_notes(20, seed=1), make_notes(20, seed=3), make_notes(8, seed=2)


@pytest.fixture(scope="module")
def whole() -> BilstmDetector:
    """A network that was tuned with its encoder, not for long."""
    config = tiny_encoder_bilstm(tiny_encoder(), epochs=3, patience=0)
    learner = EncoderBilstmLearner(config, language="en", name="whole", device="cpu")
    return learner.fit(NOTES)


@pytest.fixture(scope="module")
def place(whole: BilstmDetector, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as models: whole, in 8 bits, and as a member of an ensemble."""
    folder = tmp_path_factory.mktemp("heads")
    small = quantize(whole)
    save_artifact(folder / "whole", whole.manifest, files=whole.files())
    save_artifact(folder / "small", small.manifest, files=small.files())
    manifest = Manifest(
        name="pool", kind="ensemble", language="en", label_set="", labels=whole.labels,
        stores_words=True,
    )  # fmt: skip
    members = [Member("network", small, small.manifest)]
    pool = EnsembleDetector(members, Pool(("network",), (1.0,)), manifest=manifest)
    save_artifact(folder / "pool", manifest, files=pool.files())
    return folder


def head_config(start: Path, **training: Any) -> EncoderBilstmConfig:
    config = find_start_config(None, start)
    assert isinstance(config, EncoderBilstmConfig)
    settings = {"head_rate": 1e-2, "batch": 4, "patience": 0, **training}
    return replace(config, training=replace(config.training, **settings))


def fit(start: Path, notes: Sequence[Document] = MORE, **options: Any) -> BilstmDetector:
    fitting = {name: options.pop(name) for name in ("dev", "seed", "progress") if name in options}
    places = {name: options.pop(name) for name in ("checkpoint", "save_weights") if name in options}
    learner = EncoderBilstmLearner(
        head_config(start, **options), language="en", name="head", device="cpu", start_from=start,
        **places,
    )  # fmt: skip
    return learner.fit(notes, **fitting)


def encoder_files(detector: BilstmDetector) -> dict[str, bytes]:
    return dict(detector.tagger.model.contextual or {})


@pytest.mark.parametrize("name", ["whole", "small", "pool"])
def test_the_encoder_stays_byte_for_byte_and_the_rest_learns(
    whole: BilstmDetector, place: Path, name: str
) -> None:
    before = whole if name == "whole" else quantize(whole)
    after = fit(place / name, epochs=2)
    assert encoder_files(after) == encoder_files(before)
    assert after.files()["inputs.json"] == before.files()["inputs.json"]
    assert after.labels == before.labels
    changed = {file for file, content in after.files().items() if content != before.files()[file]}
    assert {"sequence.onnx", "transitions.npy", "words.onnx"} == changed
    losses = [epoch["loss"] for epoch in after.manifest.metrics["epochs"]]
    assert losses[1] < losses[0] < whole.manifest.metrics["epochs"][0]["loss"]
    started = after.manifest.training_data["start"]
    assert started["name"] == name
    assert "it was not trained" in after.manifest.notes
    assert "it was not trained" not in whole.manifest.notes
    theirs, ours = whole.manifest.config["encoder"], after.manifest.config["encoder"]
    assert ours == {**theirs, "path": ""}


def test_a_still_training_changes_nothing_and_rounds_back_to_what_it_was(
    whole: BilstmDetector, place: Path, tmp_path: Path
) -> None:
    still = fit(place / "whole", notes=MORE[:3], epochs=1, head_rate=1e-12)
    assert still.labels == whole.labels
    assert still.detect(DEV) == whole.detect(DEV)
    small = quantize(whole)
    again = quantize(fit(place / "small", notes=MORE[:3], epochs=1, head_rate=1e-12))
    assert encoder_files(again) == encoder_files(small)
    assert again.detect(DEV) == small.detect(DEV)
    save_artifact(tmp_path / "again", again.manifest, files=again.files())
    one, two = (
        recover_start(folder, head_config(folder), language="en").weights
        for folder in (place / "small", tmp_path / "again")
    )
    assert one.keys() == two.keys()
    for key, weights in one.items():
        assert torch.allclose(weights, two[key], atol=1e-6), key


def test_what_it_learns_on_is_what_it_reads_as_a_model(place: Path) -> None:
    fitted = fit(place / "whole", dev=DEV, epochs=3)
    right = predicted = gold = 0
    for note, spans in zip(DEV, fitted.detect(DEV), strict=True):
        found = {(span.start, span.end, span.label) for span in spans}
        wanted = {(span.start, span.end, span.label) for span in note.spans}
        right += len(found & wanted)
        predicted, gold = predicted + len(found), gold + len(wanted)
    best = max(epoch["dev"] for epoch in fitted.manifest.metrics["epochs"])
    assert 2 * right / (predicted + gold) == pytest.approx(best, abs=1e-6)
    assert best > 0.1


def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(
    place: Path, tmp_path: Path
) -> None:
    start, state = place / "small", tmp_path / "state"
    unbroken = fit(start, dev=DEV, epochs=3)
    with pytest.raises(PowerCutError):
        fit(start, dev=DEV, epochs=3, checkpoint=state, progress=cut_power)
    resumed = fit(start, dev=DEV, epochs=3, checkpoint=state)
    assert resumed.files() == unbroken.files()
    assert [{**epoch, "seconds": 0} for epoch in resumed.manifest.metrics["epochs"]] == [
        {**epoch, "seconds": 0} for epoch in unbroken.manifest.metrics["epochs"]
    ]
    with pytest.raises(ConfigError, match="another training: its start"):
        fit(place / "whole", dev=DEV, epochs=3, checkpoint=state)


def test_its_weights_go_on_with_an_encoder_that_is_tuned(place: Path, tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    first = fit(place / "whole", epochs=2, save_weights=weights)
    kept = load_start(weights)
    assert any(name.startswith("encoder.") for name in kept.weights)
    config = tiny_encoder_bilstm(
        tiny_encoder(), epochs=1, patience=0, learning_rate=1e-9, head_rate=1e-9
    )
    learner = EncoderBilstmLearner(
        config, language="en", name="both", device="cpu", start_from=weights
    )
    assert learner.fit(NOTES[:3]).detect(DEV) == first.detect(DEV)
    with pytest.raises(ConfigError, match="no encoder is given"):
        require_ready(head_config(weights), language="en", start_from=weights)


def test_a_whole_training_of_a_member_needs_no_configuration(place: Path, tmp_path: Path) -> None:
    write_notes(MORE, tmp_path / "notes")
    request = TrainingRequest(
        corpora=(tmp_path / "notes",), out=tmp_path / "head", config=None, language="en",
        device="cpu", start_from=place / "pool", start_member="network",
    )  # fmt: skip
    train_model(request, progress=lambda stage, share: None)
    saved = load_artifact(tmp_path / "head")
    pool = load_artifact(place / "pool")
    name = f"contextual-{GRAPH}"
    assert saved.read(name) == pool.read(f"network.{name}")
    assert len(saved.manifest.metrics["epochs"]) == EPOCHS
    assert saved.manifest.training_data["start"]["member"] == "network"


def test_packages_of_the_encoder_are_not_needed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = {"transformers", "onnxscript"}
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name in absent else find(name, *a)
    )
    start = place / "pool"
    require_trainer(head_config(start), start_from=start)
    tuned = tiny_encoder_bilstm(tiny_encoder())
    for given in (None, start):
        with pytest.raises(MissingExtraError, match="transformers"):
            require_trainer(tuned, start_from=given)


def test_what_is_refused(place: Path) -> None:
    start = place / "pool"
    config = head_config(start)
    require_ready(config, language="en", start_from=start)
    with pytest.raises(ConfigError, match="no encoder is given"):
        require_ready(config, language="en")
    with pytest.raises(ConfigError, match="no encoder that could learn from a teacher"):
        require_teacher(config, place / "whole/manifest.json")
    learner = EncoderBilstmLearner(config, language="en", device="cpu", start_from=start)
    for setting in ("window", "overlap"):
        changed: dict[str, Any] = {setting: 20}
        other = replace(config, encoder=replace(config.encoder, **changed))
        with pytest.raises(ConfigError, match=rf"{setting} in \[encoder\] is not that of"):
            replace(learner, config=other).fit(MORE)
    strange = [Document("a", "Zara came.", (Span(0, 4, "STRANGER"),))]
    with pytest.raises(ConfigError, match="no label STRANGER"):
        learner.fit(strange)
    with pytest.raises(ConfigError, match="is for 'en', the notes are in 'nl'"):
        replace(learner, language="nl").fit(MORE)


def test_texts_without_tokens_are_embedded_as_nothing(whole: BilstmDetector) -> None:
    from scrubjay.features.encoders import EncoderEmbedder
    from scrubjay.learning._bilstm_vectors import embed_texts

    embedder = EncoderEmbedder(encoder_files(whole))
    batch = [whole.tokenizer.tokenize(text) for text in ("", *(n.text for n in NOTES), "")]
    found = embed_texts(embedder, batch)
    np.testing.assert_array_equal(found, embedder.embed(batch).astype(np.float16))
    assert embed_texts(embedder, batch[:1]).shape == (0, embedder.dimension)
