"""Weights read back out of stored networks: what another training of them begins with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import Manifest, load_artifact, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError, FormatError
from scrubjay.learning.bilstm import BilstmLearner
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.taggers._combining.pool import Pool
from scrubjay.taggers.bilstm import BilstmDetector, BilstmTagger, load_bilstm
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.members import Member
from tests.corpus_samples import make_notes
from tests.tiny_networks import require_packages, tiny_network
from tests.tiny_transformer import PowerCutError, cut_power

require_packages()

import torch  # noqa: E402

from scrubjay.learning.neural.quantization import _quantize, quantize  # noqa: E402
from scrubjay.learning.neural.recovering import find_weights, recover_start  # noqa: E402
from scrubjay.learning.neural.starting import load_start  # noqa: E402

NOTES, OTHERS, DEV = make_notes(24, seed=1), make_notes(3, seed=3), make_notes(6, seed=2)

CONFIGS = {
    "words": tiny_network(training={"epochs": 3}),
    "layers": tiny_network(network={"layers": 2}, training={"epochs": 2}),
    "softmax": tiny_network(
        network={"decoder": "softmax", "feature_dimension": 0},
        characters={"network": "none"},
        training={"epochs": 2},
    ),
    "no words": tiny_network(words={"dimension": 0}, training={"epochs": 2}),
}


def fit(config: BilstmConfig, notes: Any = NOTES, **settings: Any) -> BilstmDetector:
    fitting = {name: settings.pop(name) for name in ("progress", "seed") if name in settings}
    learner = BilstmLearner(config, language="en", name="tiny", device="cpu", threads=1, **settings)
    return learner.fit(notes, **fitting)


def still(config: BilstmConfig) -> BilstmConfig:
    """Return the configuration of a training that moves next to nothing."""
    training = replace(config.training, learning_rate=1e-12, least_rate=1e-12, epochs=1)
    return replace(config, training=training)


def store(detector: BilstmDetector, place: Path) -> Path:
    save_artifact(place, detector.manifest, files=detector.files())
    return place


def scores(detector: BilstmDetector) -> Any:
    return detector.tagger.read([detector.tokenizer.tokenize(note.text) for note in DEV]).scores


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The weights and models of a training by each configuration."""
    folder = tmp_path_factory.mktemp("networks")
    for name, config in CONFIGS.items():
        store(fit(config, save_weights=folder / f"{name}.weights"), folder / name)
    return folder


def by_one_scale(detector: BilstmDetector) -> BilstmDetector:
    """Return the network with 8-bit LSTMs as the tool of ONNX Runtime makes them."""
    model = detector.tagger.model
    small = replace(
        model,
        words=_quantize(model.words, ["Gather"]),
        sequence=_quantize(model.sequence, ["Gather", "LSTM"]),
    )
    return BilstmDetector(detector.tokenizer, BilstmTagger(small), manifest=detector.manifest)


@pytest.mark.parametrize("name", CONFIGS)
def test_weights_come_back_to_the_bit_and_a_still_training_keeps_them(
    place: Path, name: str
) -> None:
    kept = load_start(place / f"{name}.weights")
    found = recover_start(place / name, CONFIGS[name], language="en")
    assert (found.labels, found.scheme, found.encoder) == (kept.labels, kept.scheme, "")
    assert kept.weights.keys() - found.weights.keys() <= {"features.offsets"}
    for key, weights in found.weights.items():
        assert torch.equal(weights, kept.weights[key]), key
    before = load_bilstm(load_artifact(place / name))
    for start in (place / name, place / f"{name}.weights"):
        again = fit(still(CONFIGS[name]), OTHERS, start_from=start)
        assert again.labels == before.labels
        np.testing.assert_allclose(scores(again), scores(before), atol=1e-4)
        assert again.detect(DEV) == before.detect(DEV)
        assert again.files()["inputs.json"] == before.files()["inputs.json"]
    assert fit(still(CONFIGS[name]), OTHERS).labels != before.labels


@pytest.mark.parametrize("rounded", [quantize, by_one_scale])
def test_weights_in_8_bits_are_the_numbers_that_they_stand_for(
    place: Path, tmp_path: Path, rounded: Any
) -> None:
    config = CONFIGS["words"]
    whole = load_start(place / "words.weights").weights
    small = rounded(load_bilstm(load_artifact(place / "words")))
    found = recover_start(store(small, tmp_path / "small"), config, language="en").weights
    for name, weights in found.items():
        reach = float(whole[name].abs().max()) or 1.0
        assert torch.allclose(weights, whole[name], atol=reach / 100, rtol=0.0), name
    assert not torch.equal(found["layers.0.forwards.weight_ih_l0"],
                           whole["layers.0.forwards.weight_ih_l0"])  # fmt: skip
    again = fit(still(config), OTHERS, start_from=tmp_path / "small")
    # What an LSTM with 8-bit weights reads is rounded besides.
    assert np.abs(scores(again) - scores(small)).mean() < 0.05 * scores(small).std()


def test_a_training_that_starts_is_better_from_its_first_epoch(place: Path) -> None:
    config = CONFIGS["words"]
    anew, on = fit(config), fit(config, start_from=place / "words")
    losses = [one.manifest.metrics["epochs"][0]["loss"] for one in (on, anew)]
    assert losses[0] < losses[1] / 2


def test_an_interrupted_training_goes_on_and_the_start_is_part_of_what_it_is(
    place: Path, tmp_path: Path
) -> None:
    config, state = CONFIGS["words"], tmp_path / "state"

    whole = fit(config, OTHERS, start_from=place / "words")
    with pytest.raises(PowerCutError):
        fit(config, OTHERS, start_from=place / "words", checkpoint=state, progress=cut_power)
    with pytest.raises(ConfigError, match="another training: its start is not the same"):
        fit(config, OTHERS, start_from=place / "words.weights", checkpoint=state)
    resumed = fit(config, OTHERS, start_from=place / "words", checkpoint=state)
    assert resumed.files() == whole.files()
    assert resumed.manifest == whole.manifest


def pool(place: Path, names: tuple[str, ...], out: Path) -> Path:
    """Store an ensemble of networks of the same configuration."""
    detector = load_bilstm(load_artifact(place / "words"))
    manifest = Manifest(
        name="pool", kind="ensemble", language="en", label_set="", labels=detector.labels,
        stores_words=True,
    )  # fmt: skip
    members = [Member(name, detector, detector.manifest) for name in names]
    whole = EnsembleDetector(members, Pool(names, (1.0,) * len(names)), manifest=manifest)
    save_artifact(out, manifest, files=whole.files())
    return out


def test_a_member_of_an_ensemble_is_named_where_there_are_several(
    place: Path, tmp_path: Path
) -> None:
    config = CONFIGS["words"]
    several = pool(place, ("one", "two"), tmp_path / "several")
    single = pool(place, ("one",), tmp_path / "single")
    told = fit(still(config), OTHERS, start_from=several, start_member="two")
    start = told.manifest.training_data["start"]
    assert (start["name"], start["member"], len(start["sha256"])) == ("several", "two", 64)
    untold = fit(still(config), OTHERS, start_from=single)
    assert "member" not in untold.manifest.training_data["start"]
    assert told.files() == untold.files()
    with pytest.raises(ConfigError, match=r"several networks .* --start-member: one, two"):
        recover_start(several, config, language="en")
    with pytest.raises(ConfigError, match=r"no member 'crf' .* Networks of 'pool': one, two"):
        recover_start(several, config, language="en", member="crf")
    with pytest.raises(ConfigError, match=r"no member 'one' .* Leave the name"):
        recover_start(place / "words", config, language="en", member="one")
    with pytest.raises(ConfigError, match="a file of weights has no members"):
        find_weights(place / "words.weights", config, language="en", member="one")
    with pytest.raises(ConfigError, match="no model that 'one' could be a member of"):
        fit(config, OTHERS, start_member="one")


@pytest.mark.parametrize(
    ("section", "values", "told"),
    [
        ("words", {"dimension": 17}, r"dimension in \[words\]"),
        ("words", {"form": "lower-digits"}, r"form in \[words\]"),
        ("characters", {"longest": 13}, r"longest in \[characters\]"),
        ("characters", {"kernels": (2,)}, r"kernels in \[characters\]"),
        ("network", {"hidden": 17}, r"hidden in \[network\]"),
        ("network", {"layers": 2}, r"layers in \[network\]"),
        ("network", {"decoder": "softmax"}, r"decoder in \[network\]"),
    ],
)
def test_what_reads_or_weighs_otherwise_is_refused(
    place: Path, section: str, values: dict[str, Any], told: str
) -> None:
    other = tiny_network(**{section: values})
    with pytest.raises(ConfigError, match=told):
        recover_start(place / "words", other, language="en")
    with pytest.raises(ConfigError, match=r"of other sizes|in \[words\] or longest"):
        fit(other, OTHERS, start_from=place / "words.weights")


def test_what_does_not_fit_is_refused(place: Path, tmp_path: Path) -> None:
    config, words = CONFIGS["words"], place / "words"
    with pytest.raises(ConfigError, match=r"in \[tokenizer\] is not that of the model"):
        fit(replace(config, tokenizer={"name": "whitespace"}), OTHERS, start_from=words)
    with pytest.raises(ConfigError, match=r"groups in \[features\] is not that of the model"):
        fit(replace(config, features=CONFIGS["words"].features.__class__({})), OTHERS,
            start_from=words)  # fmt: skip
    with pytest.raises(ConfigError, match="those of another scheme of tags"):
        fit(replace(config, scheme="BIOEU"), OTHERS, start_from=words)
    with pytest.raises(ConfigError, match="is for 'en', the notes are in 'nl'"):
        recover_start(words, config, language="nl")
    strange = [Document("a", "Zara came.", (Span(0, 4, "STRANGER"),))]
    with pytest.raises(ConfigError, match="no label STRANGER"):
        fit(config, strange, start_from=words)
    contextual = replace(config, contextual=replace(config.contextual, models="train"))
    for given in ({"start_from": words}, {"save_weights": tmp_path / "weights"}):
        with pytest.raises(ConfigError, match="contextual embeddings starts from no weights"):
            fit(contextual, OTHERS, **given)
    with pytest.raises(FormatError, match="not weights to start from"):
        fit(config, OTHERS, start_from=words / "manifest.json")
    detector = load_bilstm(load_artifact(words))
    files = {**detector.files(), "sequence.onnx": b"no graph"}
    save_artifact(tmp_path / "odd", detector.manifest, files=files)
    with pytest.raises(ArtifactError, match="do not fit together"):
        recover_start(tmp_path / "odd", config, language="en")


@pytest.mark.parametrize(
    ("section", "values"),
    [
        ("network", {"recurrent": "coupled"}),
        ("characters", {"network": "lstm"}),
        ("contextual", {"models": "train"}),
        ("tokenizer", {"train-merges": 40}),
    ],
)
def test_networks_that_cannot_be_read_back_are_refused(
    place: Path, tmp_path: Path, section: str, values: dict[str, Any]
) -> None:
    detector = load_bilstm(load_artifact(place / "words"))
    theirs = detector.manifest.config
    other = replace(
        detector.manifest, config={**theirs, section: {**theirs[section], **values}}, files={}
    )
    save_artifact(tmp_path / "other", other, files=detector.files())
    with pytest.raises(ConfigError, match=r"no weights that a training .* kind 'bilstm'"):
        recover_start(tmp_path / "other", CONFIGS["words"], language="en")
