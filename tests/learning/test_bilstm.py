"""Training of recurrent taggers: what it learns, repeats, resumes, and refuses."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, InputError, MissingExtraError
from scrubjay.learning.bilstm import BilstmLearner
from scrubjay.learning.bilstm_config import BilstmConfig
from tests.corpus_samples import make_notes
from tests.tiny_networks import require_packages, tiny_network
from tests.toys import CANARY

require_packages()

TRAIN, DEV = make_notes(24, seed=1), make_notes(8, seed=2)


def learner(config: BilstmConfig | None = None, **settings: Any) -> BilstmLearner:
    settings = {"device": "cpu", "threads": 1, **settings}
    return BilstmLearner(config or tiny_network(), language="en", name="tiny", **settings)


def short(epochs: int = 2, **training: Any) -> BilstmConfig:
    return tiny_network(training={"epochs": epochs, **training})


def f1(found: Sequence[Sequence[Span]], gold: Sequence[Document]) -> float:
    """Return the strict F1, counted plainly."""
    hits = sum(len(set(spans) & set(d.spans)) for spans, d in zip(found, gold, strict=True))
    return 2 * hits / (sum(map(len, found)) + sum(len(document.spans) for document in gold))


# What is learned


def test_it_learns_and_keeps_the_best_epoch() -> None:
    detector = learner().fit(TRAIN, dev=DEV)
    metrics = detector.manifest.metrics
    assert [epoch["number"] for epoch in metrics["epochs"]] == list(range(1, 9))
    curve = [epoch["dev"] for epoch in metrics["epochs"]]
    assert metrics["epoch-kept"] == curve.index(max(curve)) + 1
    assert max(curve) > 0.85
    assert metrics["epochs"][-1]["loss"] < metrics["epochs"][0]["loss"] / 4
    # What ONNX Runtime finds is what torch found when it measured that epoch.
    assert f1(detector.detect(DEV), DEV) == pytest.approx(max(curve), abs=1e-6)


@pytest.mark.parametrize(
    "config",
    [
        tiny_network(network={"decoder": "softmax"}, characters={"network": "none"}),
        tiny_network(network={"recurrent": "coupled"}, characters={"network": "lstm"}),
        tiny_network(words={"dimension": 0}, windows={"size": 0, "context": 0}),
        tiny_network(network={"feature_dimension": 0, "layers": 2, "dropout_kind": "locked"}),
        replace(tiny_network(training={"average": 0.9}), scheme="BIOEU"),
    ],
)
def test_every_kind_of_network_is_measured_as_it_will_tag(config: BilstmConfig) -> None:
    config = replace(config, training=replace(config.training, epochs=3))
    detector = learner(config).fit(TRAIN[:10], dev=DEV)
    metrics = detector.manifest.metrics
    best = metrics["epochs"][metrics["epoch-kept"] - 1]["dev"]
    assert best > 0.0
    assert f1(detector.detect(DEV), DEV) == pytest.approx(best, abs=1e-6)


def test_the_manifest_tells_what_was_done() -> None:
    manifest = learner(short(), label_set="i2b2-2014").fit(TRAIN, seed=5).manifest
    assert (manifest.name, manifest.kind, manifest.seed) == ("tiny", "bilstm", 5)
    assert manifest.stores_words
    assert manifest.label_set == "i2b2-2014"
    assert manifest.config == short().table()
    assert manifest.training_data["documents"] == len(TRAIN)
    assert [epoch["dev"] for epoch in manifest.metrics["epochs"]] == [None, None]
    assert manifest.metrics["epoch-kept"] == 2


def test_progress_tells_epochs_and_figures() -> None:
    told: list[tuple[str, float]] = []
    learner(short()).fit(TRAIN, dev=DEV, progress=lambda stage, share: told.append((stage, share)))
    assert [stage for stage, _ in told[:3]] == ["tokenize", "features", "train"]
    assert [share for _, share in told[2:]] == sorted(share for _, share in told[2:])
    first, second = (line for line in dict.fromkeys(line for line, _ in told) if ": epoch" in line)
    assert next(share for line, share in told if line == first) == 0.5
    assert told[-1] == (second, 1.0)
    assert first.startswith("train: epoch 1 of 2, dev F1 0.")
    assert second.startswith("train: epoch 2 of 2, dev F1 0.")
    assert "(best 0." in second


def test_a_seed_gives_one_model_and_another_a_different_one() -> None:
    one, same, other = (
        learner(short()).fit(TRAIN, dev=DEV, seed=seed).files() for seed in (1, 1, 2)
    )
    assert one == same
    assert one["sequence.onnx"] != other["sequence.onnx"]
    assert one["inputs.json"] == other["inputs.json"]


def test_torch_is_left_as_it_was() -> None:
    import torch

    torch.manual_seed(3)
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    learner(short(1)).fit(TRAIN[:4])
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_num_threads() == threads
    assert float(torch.tensor(1e-310, dtype=torch.float64) * 1.0) > 0.0


def test_a_corpus_smaller_than_a_batch() -> None:
    note = Document("one", "Seen by Dr. Abend.", (Span(12, 17, "DOCTOR"),))
    config = short(30, batch=64, early_stop=0)
    detector = learner(config).fit([note], dev=[replace(note, id="two")])
    assert detector.detect([note]) == [note.spans]


def test_dev_with_labels_that_training_lacks_counts_them_as_missed() -> None:
    odd = [replace(d, spans=tuple(replace(s, label="ODD") for s in d.spans)) for d in DEV]
    metrics = learner(short()).fit(TRAIN, dev=odd).manifest.metrics
    assert [epoch["dev"] for epoch in metrics["epochs"]] == [0.0, 0.0]
    assert metrics["epoch-kept"] == 1


def test_dev_without_phi_or_without_text_measures_nothing() -> None:
    for bodies in ([""], ["", "no one\n"]):
        dev = [Document(str(n), body) for n, body in enumerate(bodies)]
        metrics = learner(short()).fit(TRAIN[:5], dev=dev).manifest.metrics
        assert [epoch["dev"] for epoch in metrics["epochs"]] == [None, None]


# Interrupted and resumed


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Make training stop as by Ctrl-C once so many epochs are saved."""
    from scrubjay.learning.neural.state_files import StateFile

    save = StateFile.save

    def after(epochs: int) -> None:
        def interrupted(file: StateFile, state: dict[str, Any]) -> None:
            save(file, state)
            if len(state["run"]["epochs"]) == epochs:
                raise KeyboardInterrupt

        monkeypatch.setattr(StateFile, "save", interrupted)

    yield after
    monkeypatch.undo()


@pytest.mark.parametrize(
    "training",
    [{"average": 0.9, "schedule": "cosine", "warm_up": 4}, {"optimizer": "sgd", "clip": 1.0}],
)
def test_interrupted_and_resumed_is_uninterrupted(
    tmp_path: Path,
    interrupt: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
    training: dict[str, Any],
) -> None:
    config = short(4, **training)
    whole = learner(config).fit(TRAIN, dev=DEV)
    place = tmp_path / "state"
    for epochs in (1, 3):
        interrupt(epochs)
        with pytest.raises(KeyboardInterrupt):
            learner(config, checkpoint=place).fit(TRAIN, dev=DEV)
        assert [path.name for path in tmp_path.iterdir()] == ["state"]
    monkeypatch.undo()
    told: list[str] = []
    resumed = learner(config, checkpoint=place).fit(
        TRAIN, dev=DEV, progress=lambda stage, share: told.append(stage)
    )
    assert told[-1].startswith("train: epoch 4 of 4")
    assert not any(line.startswith(("train: epoch 1 ", "train: epoch 2 ")) for line in told)
    assert resumed.files() == whole.files()
    assert resumed.manifest == whole.manifest


def test_the_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "state"
    learner(short(1), checkpoint=place).fit(TRAIN[:5], dev=DEV)
    before = place.read_bytes()
    for config, train, dev, seed, what in (
        (short(2), TRAIN[:5], DEV, 0, "configuration"),
        (short(1), TRAIN[:6], DEV, 0, "training corpus"),
        (short(1), TRAIN[:5], DEV[:3], 0, "dev corpus"),
        (short(1), TRAIN[:5], DEV, 1, "seed"),
        (short(3), TRAIN[:6], DEV, 0, "configuration, training corpus"),
    ):
        with pytest.raises(ConfigError, match=rf"another training: its {what} (is|are) not"):
            learner(config, checkpoint=place).fit(train, dev=dev, seed=seed)
    assert place.read_bytes() == before


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "thesis.txt"
    place.write_text(CANARY)
    with pytest.raises(FormatError, match="not the checkpoint of a training") as caught:
        learner(short(1), checkpoint=place).fit(TRAIN[:4])
    assert CANARY not in str(caught.value)
    assert place.read_text() == CANARY


# What is refused


@pytest.mark.parametrize("absent", ["torch", "onnx", "onnxruntime"])
def test_without_a_package_the_install_command_is_named(
    absent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == absent else find(name)
    )
    with pytest.raises(MissingExtraError) as caught:
        learner().fit(TRAIN)
    assert str(caught.value) == (
        f"this needs the package '{absent}', which is not installed. "
        "Install it, in a clone of Scrubjay, with: pip install -c constraints.txt '.[train]' "
        '(where Scrubjay came from a package index: pip install "scrubjay[train]")'
    )


def test_a_corpus_without_phi_is_refused() -> None:
    with pytest.raises(InputError, match="the training corpus has no PHI"):
        learner().fit([Document("a", CANARY)])


@pytest.mark.parametrize(
    ("device", "message"),
    [
        ("cuda", "the device 'cuda' was asked for, but torch finds no GPU"),
        ("tpu", "unknown device 'tpu'. Known: auto, cpu, cuda"),
    ],
)
def test_a_device_that_is_not_there_is_refused(
    device: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(ConfigError, match=message):
        learner(device=device).fit(TRAIN[:4])


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError(
            "[enforce fail at alloc_cpu.cpp:126] DefaultCPUAllocator: can't allocate memory"
        ),
    ],
)
def test_a_lack_of_memory_comes_with_advice(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object, **settings: object) -> None:
        raise error

    monkeypatch.setattr("scrubjay.learning.neural.fitting.train_network", fail)
    with pytest.raises(
        ConfigError, match=r"out of memory\. Lower training\.batch or windows\.size"
    ):
        learner().fit(TRAIN[:4])


def test_other_errors_pass_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **settings: object) -> None:
        raise RuntimeError("something else")

    monkeypatch.setattr("scrubjay.learning.neural.fitting.train_network", fail)
    with pytest.raises(RuntimeError, match="something else"):
        learner().fit(TRAIN[:4])


def test_a_training_that_comes_apart_is_stopped(tmp_path: Path) -> None:
    config = short(3, optimizer="sgd", learning_rate=1e30, clip=0.0)
    with pytest.raises(ConfigError, match=r"training came apart in epoch 1: its loss is (nan|inf)"):
        learner(config, checkpoint=tmp_path / "state").fit(TRAIN[:8])
    assert not (tmp_path / "state").exists()
