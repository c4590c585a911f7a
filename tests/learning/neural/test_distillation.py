"""A student learns its teacher's scores: the loss, what it begins with, what is refused."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import load_artifact
from scrubjay.cli import main as cli
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError
from scrubjay.learning.configs import parse_config
from scrubjay.learning.encoder_bilstm import EncoderBilstmLearner
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig, TeacherSettings
from scrubjay.learning.learners import make_learner, require_teacher
from scrubjay.taggers.bilstm import BilstmDetector
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_crf import tiny_config
from tests.tiny_transformer import (
    TINY_ENCODER_BILSTM,
    TINY_TRANSFORMER,
    PowerCutError,
    cut_power,
    require_packages,
    tiny_encoder_bilstm,
    write_encoder,
)

require_packages()

import torch  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from scrubjay.learning.neural.distillation import Teacher, divergence  # noqa: E402
from scrubjay.learning.neural.starting import load_start, save_start  # noqa: E402

pytestmark = pytest.mark.usefixtures("exports_tried_once")

NOTES = make_notes(6, seed=1)
DEV = make_notes(3, seed=2)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an encoder of three layers, `enc`, and weights fitted over all: `teacher`."""
    folder = tmp_path_factory.mktemp("teacher")
    write_encoder(folder / "enc", layers=3)
    fit(config(folder), save_weights=folder / "teacher", notes=make_notes(12, seed=1))
    return folder


def config(folder: Path, *, layers: int = 0, epochs: int = 2, **training: Any) -> Any:
    """Return a configuration over the first layers of the encoder in a folder, without dropout."""
    found = tiny_encoder_bilstm(folder / "enc", epochs=epochs, patience=0, **training)
    return replace(found, encoder=replace(found.encoder, layers=layers, attention_dropout=0.0))


def fit(config: EncoderBilstmConfig, *, notes: Any = NOTES, **options: Any) -> BilstmDetector:
    calls = {name: options.pop(name) for name in ("dev", "progress", "seed") if name in options}
    learner = EncoderBilstmLearner(config, language="en", name="tiny", device="cpu", **options)
    return learner.fit(notes, **calls)


def still(config: EncoderBilstmConfig, **changed: Any) -> EncoderBilstmConfig:
    """Return a configuration by which weights hardly move, for one epoch."""
    training = replace(config.training, learning_rate=1e-9, head_rate=1e-9, epochs=1, **changed)
    return replace(config, training=training)


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=3),
    st.integers(1, 4),
    st.sampled_from([0.5, 1.0, 2.0, 7.0]),
    st.integers(0, 999),
)
@settings(max_examples=40)
def test_the_divergence_is_the_plain_sum(
    lengths: list[int], tags: int, temperature: float, seed: int
) -> None:
    torch.manual_seed(seed)
    theirs, ours = torch.randn(2, len(lengths), max(lengths), tags) * 3
    total = 0.0
    for row, length in enumerate(lengths):
        for token in range(length):
            powers = [
                [math.exp(score / temperature) for score in scores[row, token].tolist()]
                for scores in (theirs, ours)
            ]
            p, q = ([power / sum(each) for power in each] for each in powers)
            total += sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    mask = torch.arange(max(lengths))[None, :] < torch.tensor(lengths)[:, None]
    found = divergence(theirs, ours, mask, temperature=temperature)
    expected = temperature**2 * total / len(lengths)
    assert float(found) == pytest.approx(expected, rel=1e-4, abs=1e-5)
    assert float(divergence(ours, ours, mask, temperature=temperature)) == 0.0


def test_the_loss_is_shared_out_between_gold_tags_and_teacher(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Any, ...]] = []
    loss = Teacher.loss

    def watched(teacher: Teacher, student: Any, batch: Any) -> torch.Tensor:
        found = loss(teacher, student, batch)
        seen.append((teacher, student, batch, found.detach()))
        return found

    monkeypatch.setattr(Teacher, "loss", watched)
    taught = replace(config(place, layers=1), teacher=TeacherSettings(0.25, 3.0))
    fit(still(taught), teacher=place / "teacher")
    assert seen
    for teacher, student, batch, found in seen:
        inner = teacher._network
        assert not inner.training
        assert not any(weights.requires_grad for weights in inner.parameters())
        assert all(weights.grad is None for weights in inner.parameters())
        with torch.no_grad():
            gold = student.loss(batch)
            kl = divergence(
                inner.emissions(batch), student.emissions(batch), batch.tokens.mask, temperature=3.0
            )
        assert float(kl) > 0
        torch.testing.assert_close(found, 0.75 * gold + 0.25 * kl, rtol=1e-4, atol=1e-4)


def test_a_student_that_equals_its_teacher_has_nothing_to_learn_from_it(place: Path) -> None:
    alike = still(config(place))
    taught = fit(alike, teacher=place / "teacher")
    alone = fit(alike, start_from=place / "teacher")
    # Its divergence is 0, so the loss is the half of the other one's.
    losses = [one.manifest.metrics["epochs"][0]["loss"] for one in (taught, alone)]
    assert losses[0] == pytest.approx(losses[1] / 2, rel=1e-4)
    assert taught.detect(DEV) == alone.detect(DEV)


def test_a_student_begins_with_the_first_layers_and_what_is_above(
    place: Path, tmp_path: Path
) -> None:
    fit(still(config(place, layers=2)), teacher=place / "teacher", save_weights=tmp_path / "w")
    theirs, ours = load_start(place / "teacher"), load_start(tmp_path / "w")
    assert ours.labels == theirs.labels
    cut = {name for name in theirs.weights if name.startswith("encoder.encoder.layer.2.")}
    assert cut
    assert ours.weights.keys() == theirs.weights.keys() - cut
    for name, weights in ours.weights.items():
        torch.testing.assert_close(weights, theirs.weights[name], rtol=1e-4, atol=1e-6)


def test_other_weights_to_start_from_win(place: Path, tmp_path: Path) -> None:
    small = config(place, layers=1)
    fit(small, teacher=place / "teacher", save_weights=tmp_path / "first", seed=5)
    both = fit(
        still(small), start_from=tmp_path / "first", teacher=place / "teacher",
        save_weights=tmp_path / "second",
    )  # fmt: skip
    first, second = load_start(tmp_path / "first"), load_start(tmp_path / "second")
    for name, weights in first.weights.items():
        torch.testing.assert_close(second.weights[name], weights, rtol=1e-4, atol=1e-6)
    assert {"start", "teacher"} <= both.manifest.training_data.keys()
    fit(small, notes=make_notes(3, seed=7), save_weights=tmp_path / "apart")
    with pytest.raises(ConfigError, match="number features or labels otherwise than the weights"):
        fit(
            small, notes=make_notes(3, seed=7), start_from=tmp_path / "apart",
            teacher=place / "teacher",
        )  # fmt: skip


def test_an_interrupted_training_goes_on_with_the_same_teacher(place: Path, tmp_path: Path) -> None:
    taught = partial(fit, config(place, layers=1, epochs=3), dev=DEV)
    whole = taught(teacher=place / "teacher")
    saved = tmp_path / "state"

    with pytest.raises(PowerCutError):
        taught(teacher=place / "teacher", checkpoint=saved, progress=cut_power)
    kept = load_start(place / "teacher")
    moved = {**kept.weights, "network.scores.bias": kept.weights["network.scores.bias"] + 1.0}
    save_start(tmp_path / "other", replace(kept, weights=moved))
    for other in ({}, {"teacher": tmp_path / "other"}):
        with pytest.raises(ConfigError, match="another training"):
            taught(checkpoint=saved, **other)
    resumed = taught(teacher=place / "teacher", checkpoint=saved)
    assert resumed.files() == whole.files()
    assert resumed.manifest == whole.manifest


def test_a_teacher_that_does_not_fit_is_refused(place: Path, tmp_path: Path) -> None:
    teacher, small = place / "teacher", config(place, layers=1)
    taught = partial(fit, teacher=teacher)
    strange = [Document("a", "Zara came.", (Span(0, 4, "STRANGER"),))]
    with pytest.raises(ConfigError, match="weights of the teacher have no label STRANGER"):
        taught(small, notes=strange)
    with pytest.raises(ConfigError, match="the teacher are those of another scheme of tags"):
        taught(replace(small, network=replace(small.network, scheme="BIO")))
    inner = replace(small.network.network, hidden=18)
    with pytest.raises(ConfigError, match="the teacher are those of a network of other sizes"):
        taught(replace(small, network=replace(small.network, network=inner)))
    write_encoder(tmp_path / "enc", layers=3, seed=1)
    with pytest.raises(ConfigError, match="the teacher are those of another encoder"):
        taught(config(tmp_path, layers=1))
    fit(still(small), save_weights=tmp_path / "shallow")
    for layers, wanted in ((2, 2), (0, 3)):
        with pytest.raises(ConfigError, match=f"has 1 layers of the encoder, its student {wanted}"):
            fit(config(place, layers=layers), teacher=tmp_path / "shallow")
    (tmp_path / "none").write_bytes(b"no weights")
    with pytest.raises(FormatError, match="not weights of the teacher"):
        fit(small, teacher=tmp_path / "none")
    for nothing in (tmp_path / "nowhere", tmp_path, Path("en")):
        with pytest.raises(ConfigError, match="there are no weights of a teacher"):
            fit(small, teacher=nothing)


def test_other_kinds_have_no_teacher(place: Path) -> None:
    require_teacher(tiny_config(), None)
    with pytest.raises(ConfigError, match="has no teacher"):
        make_learner(tiny_config(), language="en", teacher=place / "teacher")
    with pytest.raises(ConfigError, match="'teacher'"):
        parse_config(TINY_TRANSFORMER + "[teacher]\nshare = 0.3\n", origin="tiny.toml")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("share = 1.0", r"\[teacher\] share must be below 1"),
        ("share = 0.0", r"\[teacher\] share must be above 0"),
        ("temperature = 0.0", r"\[teacher\] temperature must be above 0"),
        ("heat = 2.0", "'heat'"),
    ],
)
def test_settings_of_a_teacher_are_checked(line: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_config(f"{TINY_ENCODER_BILSTM}[teacher]\n{line}\n", origin="tiny.toml")


def test_a_student_is_trained_by_the_same_command(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(NOTES, tmp_path / "notes")
    text = TINY_ENCODER_BILSTM.replace("epochs = 8", "epochs = 1")
    text = text.replace("window = 48", "window = 48\nlayers = 1")
    (tmp_path / "small.toml").write_text(f"{text}[teacher]\nshare = 0.25\n")
    call = [
        "train", str(tmp_path / "notes"), "--encoder", str(place / "enc"), "--device", "cpu",
        "--teacher", str(place / "teacher"), "--out", str(tmp_path / "model"),
    ]  # fmt: skip
    assert cli.run([*call[:2], *call[4:], "--config", "zhao2020-crf"]) == 2
    assert "the training of 'zhao2020-crf' has no teacher" in " ".join(
        capsys.readouterr().err.split()
    )
    assert cli.run([*call, "--config", str(tmp_path / "small.toml")]) == 0
    manifest = load_artifact(tmp_path / "model").manifest
    digest = hashlib.sha256((place / "teacher").read_bytes()).hexdigest()
    teacher = dict(manifest.training_data["teacher"])
    assert teacher.pop("training-data")["documents"] > 0
    assert teacher == {"name": "teacher", "sha256": digest}
    assert manifest.config["teacher"] == {"share": 0.25, "temperature": 2.0}
    assert "start" not in manifest.training_data
    call[call.index(str(place / "teacher"))] = str(tmp_path / "nowhere")
    assert cli.run([*call, "--overwrite", "--config", str(tmp_path / "small.toml")]) == 2
    assert "there are no weights of a teacher" in " ".join(capsys.readouterr().err.split())
