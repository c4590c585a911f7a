"""A whole training: what is saved, and what is refused before any work is done."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import load_artifact
from scrubjay.corpora import read_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import (
    ArtifactError,
    ConfigError,
    FormatError,
    InputError,
    LabelError,
    MissingExtraError,
    OutputError,
    ScrubjayError,
)
from scrubjay.learning.adaptation import AdaptationRequest
from scrubjay.learning.crf import CrfLearner
from scrubjay.learning.dial import measure
from scrubjay.learning.preparation import fingerprint
from scrubjay.learning.training import TrainingRequest, TrainingResult, train_model
from scrubjay.models import audit_model, load_model
from scrubjay.taggers.crf import stored_words
from tests.corpus_samples import LABELS, make_notes, write_notes
from tests.tiny_crf import TINY
from tests.toys import CANARY

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `train`, `dev` and `tiny.toml`."""
    folder = tmp_path_factory.mktemp("corpora")
    write_notes(make_notes(25, seed=1), folder / "train")
    write_notes(make_notes(10, seed=2), folder / "dev")
    (folder / "tiny.toml").write_text(TINY)
    return folder


Ask = Callable[..., TrainingRequest]


@pytest.fixture
def ask(corpora: Path, tmp_path: Path) -> Ask:
    """Return a maker of requests: small, into a new folder, with some settings changed."""

    def make(**changes: Any) -> TrainingRequest:
        request = TrainingRequest(
            corpora=(corpora / "train",),
            out=tmp_path / "out" / "model",
            config=str(corpora / "tiny.toml"),
            language="en",
        )
        return replace(request, **changes)

    return make


def _silent(stage: str, share: float) -> None:
    """Report nothing."""


def _train(request: TrainingRequest) -> TrainingResult:
    return train_model(request, progress=_silent)


@pytest.fixture
def never_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make training itself fail, so that a test proves that nothing got that far."""

    def fit(*arguments: object, **settings: object) -> None:
        raise AssertionError("training began")

    monkeypatch.setattr(CrfLearner, "fit", fit)


def _refused(request: TrainingRequest, kind: type[ScrubjayError], message: str) -> None:
    """Assert that a request is refused, without a trace on the disk or text in the message."""
    parent = request.out.parent
    before = sorted(parent.iterdir()) if parent.is_dir() else None
    with pytest.raises(kind, match=message) as caught:
        _train(request)
    assert CANARY not in str(caught.value)
    assert (sorted(parent.iterdir()) if parent.is_dir() else None) == before


# What is saved


def test_a_model_is_saved_measured_and_found_again(ask: Ask, corpora: Path) -> None:
    request = ask(dev=(corpora / "dev",), seed=3, name="mine")
    result = _train(request)
    assert result.folder == request.out
    assert result.seconds > 0
    manifest = load_artifact(request.out).manifest
    assert manifest == result.manifest
    assert (manifest.name, manifest.kind, manifest.language) == ("mine", "crf", "en")
    assert (manifest.label_set, manifest.labels) == ("i2b2-2014", LABELS)
    assert (manifest.seed, manifest.scheme, manifest.stores_words) == (3, "BIO", True)
    assert manifest.config["name"] == "tiny"
    assert manifest.config["recall-dial"] == 0.0
    train = list(read_corpus(corpora / "train"))
    assert manifest.training_data["documents"] == 25
    assert manifest.training_data["spans"] == sum(len(document.spans) for document in train)
    assert manifest.training_data["fingerprint"] == fingerprint(train)
    dev = manifest.metrics["dev"]
    assert dev["documents"] == 10
    assert result.dev is not None
    assert result.dev.i2b2 is not None
    strict = result.dev.i2b2["Strict"].counts
    assert dev["strict"] == {
        "precision": strict.precision,
        "recall": strict.recall,
        "f1": strict.f1,
    }
    assert 0.7 < dev["strict"]["f1"] <= 1.0
    # The figures are those of the saved model, not of one that was left behind in memory.
    counts = measure(load_model(request.out), list(read_corpus(corpora / "dev")))
    assert dev["binary-token-recall"] == counts.recall
    assert [path.name for path in request.out.parent.iterdir()] == ["model"]


def test_the_manifest_holds_no_text(ask: Ask, corpora: Path) -> None:
    """Words of the training data stand in the files that the audit reads, and only there."""
    _train(ask())
    manifest = (ask().out / "manifest.json").read_text()
    mentions = {
        document.text[span.start : span.end]
        for document in read_corpus(corpora / "train")
        for span in document.spans
        if len(span) > 4
    }
    assert len(mentions) > 50
    assert not [mention for mention in mentions if mention in manifest]


def test_the_audit_tells_every_stored_word(ask: Ask, corpora: Path) -> None:
    request = ask()
    _train(request)
    artifact = load_artifact(request.out)
    words = set(stored_words(artifact))
    report = audit_model(request.out, corpus=read_corpus(corpora / "train"))
    assert set(report.words) == words
    assert report.declared
    assert report.stored_mention_words
    text = "".join(artifact.read(name).decode("latin-1") for name in artifact.manifest.files)
    mentions = {
        document.text[span.start : span.end].lower()
        for document in make_notes(25, seed=1)
        for span in document.spans
    }
    single = {word for mention in mentions for word in mention.split() if word.isalpha()}
    for word in single:
        assert (f'"{word}"' in text) == (word in words), word


def test_the_same_request_gives_the_same_bytes(ask: Ask, tmp_path: Path) -> None:
    for name in ("a", "b"):
        _train(ask(out=tmp_path / name, name="model", seed=4))
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "b").iterdir())
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_several_corpora_are_trained_on_together(ask: Ask, corpora: Path) -> None:
    result = _train(ask(corpora=(corpora / "train", corpora / "dev")))
    assert result.manifest.training_data["documents"] == 35
    assert result.manifest.metrics == {}
    assert result.dev is None


def test_copies_with_other_phi_are_counted_and_leave_the_fingerprint(
    ask: Ask, corpora: Path
) -> None:
    data = _train(ask(swap_copies=1)).manifest.training_data
    assert (data["documents"], data["swap-copies"]) == (50, 1)
    assert data["fingerprint"] == fingerprint(list(read_corpus(corpora / "train")))


def test_a_recall_that_is_asked_for_is_reached_on_dev(ask: Ask, corpora: Path) -> None:
    few = write_notes(make_notes(4, seed=1), ask().out.parent.parent / "few")
    plain = _train(ask(corpora=(few,), dev=(corpora / "dev",)))
    recall = plain.manifest.metrics["dev"]["binary-token-recall"]
    assert recall < 0.985
    turned = _train(ask(corpora=(few,), dev=(corpora / "dev",), min_recall=0.985, overwrite=True))
    dial = turned.manifest.config["recall-dial"]
    assert dial > 0
    assert turned.manifest.metrics["dev"]["binary-token-recall"] >= 0.985
    loaded: Any = load_model(turned.folder)
    assert loaded.tagger.dial == dial


def test_overwriting_replaces_the_whole_model(ask: Ask) -> None:
    request = ask()
    first = _train(request).manifest
    second = _train(replace(request, seed=9, overwrite=True)).manifest
    assert (first.seed, second.seed) == (0, 9)
    assert load_artifact(request.out).manifest == second
    assert [path.name for path in request.out.parent.iterdir()] == ["model"]


def test_a_label_set_is_guessed_or_none(ask: Ask, tmp_path: Path) -> None:
    odd = [Document(f"o{n}", "seen by Anna today", (Span(8, 12, "OWN-LABEL"),)) for n in range(3)]
    (tmp_path / "odd.jsonl").write_text(
        "".join(
            json.dumps(
                {
                    "id": document.id,
                    "text": document.text,
                    "spans": [{"start": 8, "end": 12, "label": "OWN-LABEL"}],
                }
            )
            + "\n"
            for document in odd
        )
    )
    manifest = _train(ask(corpora=(tmp_path / "odd.jsonl",))).manifest
    assert (manifest.label_set, manifest.labels) == ("", ("OWN-LABEL",))


def test_stages_are_reported_in_order(ask: Ask, corpora: Path) -> None:
    stages: list[str] = []
    train_model(
        ask(dev=(corpora / "dev",), min_recall=0.5),
        progress=lambda stage, share: stages.append(stage),
    )
    assert list(dict.fromkeys(stages)) == ["read", "tokenize", "features", "train", "dial"]


# What is refused, before training


@pytest.mark.usefixtures("never_fit")
class TestRefusals:
    """Every refusal here comes before training and leaves nothing behind."""

    def test_an_existing_model(self, ask: Ask) -> None:
        out = ask().out
        out.mkdir(parents=True)
        (out / "manifest.json").write_text("{}")
        _refused(ask(), OutputError, "a model is already there")
        assert (out / "manifest.json").read_text() == "{}"

    @pytest.mark.parametrize("overwrite", [False, True])
    def test_a_folder_of_something_else(self, ask: Ask, overwrite: bool) -> None:
        out = ask().out
        out.mkdir(parents=True)
        (out / "thesis.txt").write_text(CANARY)
        _refused(ask(overwrite=overwrite), OutputError, "holds files that are no model")
        assert (out / "thesis.txt").read_text() == CANARY

    @pytest.mark.parametrize("overwrite", [False, True])
    def test_a_file(self, ask: Ask, overwrite: bool) -> None:
        out = ask().out
        out.parent.mkdir()
        out.write_text(CANARY)
        _refused(ask(overwrite=overwrite), OutputError, "taken by a file")

    def test_the_input_as_output(self, ask: Ask, corpora: Path) -> None:
        before = sorted((corpora / "train").iterdir())
        for overwrite in (False, True):
            with pytest.raises(OutputError, match="no model"):
                _train(ask(out=corpora / "train", overwrite=overwrite))
        assert sorted((corpora / "train").iterdir()) == before

    def test_a_folder_below_a_file(self, ask: Ask, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        _refused(ask(out=tmp_path / "file" / "a" / "b"), OutputError, "cannot be written")

    def test_a_folder_that_cannot_be_written(
        self, ask: Ask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(**settings: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("tempfile.TemporaryFile", refuse)
        _refused(ask(), OutputError, r"model: cannot be written \(Permission denied\)")

    def test_a_checkpoint_that_cannot_be_written(self, ask: Ask, tmp_path: Path) -> None:
        missing = ask(checkpoint=tmp_path / "none" / "state")
        _refused(missing, OutputError, "none/state: its folder does not exist. Create it first")
        _refused(ask(checkpoint=tmp_path), OutputError, "is a folder. Give the name of a file")

    def test_dev_that_was_trained_on(self, ask: Ask, corpora: Path, tmp_path: Path) -> None:
        mixed = write_notes([*make_notes(2, seed=9), *make_notes(3, seed=1)], tmp_path / "mixed")
        told = "3 dev documents .* first 'note-1-000'.*corpus split"
        _refused(ask(dev=(mixed,)), InputError, told)
        _refused(ask(dev=(corpora / "train",)), InputError, "25 dev documents")

    def test_a_recall_without_dev(self, ask: Ask) -> None:
        _refused(ask(min_recall=0.9), ConfigError, "--min-recall needs dev data")

    def test_a_recall_that_is_none(self, ask: Ask, corpora: Path) -> None:
        request = ask(min_recall=95.0, dev=(corpora / "dev",))
        _refused(request, ConfigError, "above 0 and at most at 1")

    def test_a_recall_on_dev_without_phi(self, ask: Ask, tmp_path: Path) -> None:
        bare = [note.with_spans(()) for note in make_notes(2, seed=8)]
        dev = write_notes(bare, tmp_path / "bare")
        _refused(ask(min_recall=0.9, dev=(dev,)), InputError, "no PHI to choose the recall dial on")

    def test_labels_outside_the_label_set(self, ask: Ask, corpora: Path, tmp_path: Path) -> None:
        _refused(ask(label_set="meddocan"), LabelError, r"\Adocument .note-1-000., .*DOCTOR")
        odd = [Document("odd", "seen by Anna", (Span(8, 12, "NOMBRE"),))]
        (tmp_path / "odd.jsonl").write_text(
            '{"id": "odd", "text": "seen by Anna", '
            '"spans": [{"start": 8, "end": 12, "label": "NOMBRE"}]}\n'
        )
        assert list(read_corpus(tmp_path / "odd.jsonl")) == odd
        _refused(
            ask(label_set="i2b2-2014", dev=(tmp_path / "odd.jsonl",)),
            LabelError,
            r"\Adocument 'odd', \[8, 12\): .*NOMBRE",
        )

    def test_a_label_that_makes_the_set_unknown(self, ask: Ask, tmp_path: Path) -> None:
        notes = make_notes(3, seed=4)
        span = replace(notes[1].spans[0], label="DOKTOR")
        notes[1] = notes[1].with_spans([span, *notes[1].spans[1:]])
        corpus = write_notes(notes, tmp_path / "odd")
        place = rf"'DOKTOR' \(document '{notes[1].id}', \[{span.start}, {span.end}\)\)"
        for config in ("zhao2020-tbed", "crf-patterns"):
            _refused(
                ask(config=config, corpora=(corpus,)),
                ConfigError,
                rf"set that is known; the nearest set, 'i2b2-2014', does not have {place}\.",
            )

    def test_a_model_inside_a_corpus(self, ask: Ask, corpora: Path) -> None:
        inside = corpora / "train" / "model"
        _refused(ask(out=inside), OutputError, "inside the folder of the input")
        dev = corpora / "dev"
        _refused(ask(out=dev / "model", dev=(dev,)), OutputError, "inside the folder of the input")

    def test_an_unknown_configuration(self, ask: Ask) -> None:
        _refused(ask(config="nothing"), ConfigError, "unknown configuration 'nothing'")

    def test_no_such_corpus(self, ask: Ask, tmp_path: Path) -> None:
        _refused(ask(corpora=(tmp_path / "nothing",)), InputError, "nothing")

    def test_a_corpus_that_breaks_its_format(self, ask: Ask, tmp_path: Path) -> None:
        (tmp_path / "bad").mkdir()
        (tmp_path / "bad" / "a.xml").write_text(f"<deIdi2b2><TEXT>{CANARY}</TEX></deIdi2b2>")
        _refused(ask(corpora=(tmp_path / "bad",)), FormatError, "a.xml")


@pytest.fixture
def never_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make reading itself fail, so that a test proves that no corpus was looked at."""

    def read(*arguments: object, **settings: object) -> None:
        raise AssertionError("a corpus was read")

    monkeypatch.setattr("scrubjay.learning.training.read_corpus", read)


@pytest.mark.usefixtures("never_read")
class TestBeforeReading:
    """What the corpora have no say in is refused before they are read."""

    def test_an_absent_package(self, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pycrfsuite", None)
        _refused(ask(), MissingExtraError, r"'python-crfsuite'.*scrubjay\[train\]")

    def test_a_language(self, ask: Ask) -> None:
        _refused(ask(config="he2015", language="fr"), ConfigError, "no lexicons .* 'fr'")
        _refused(ask(swap_copies=1, language="fr"), ConfigError, "no lists for language 'fr'")

    def test_an_encoder_that_is_not_there(
        self, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "torch", None)
        request = ask(config="transformer", encoder=str(tmp_path / "gone"))
        _refused(request, ConfigError, "gone: no such folder. Encoders are never downloaded")

    def test_a_label_set(self, ask: Ask) -> None:
        _refused(ask(label_set="i2b2-2031"), ScrubjayError, "i2b2-2031")


# What the learner refuses, still before CRFsuite runs


def test_a_corpus_without_phi_is_refused(ask: Ask, tmp_path: Path) -> None:
    bare = write_notes([note.with_spans(()) for note in make_notes(2)], tmp_path / "bare")
    _refused(ask(corpora=(bare,)), InputError, "no PHI")


def test_a_training_that_breaks_off_leaves_nothing(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object, **settings: object) -> None:
        raise KeyboardInterrupt

    request = ask()
    monkeypatch.setattr("scrubjay.learning.crf.read_crfsuite", fail)
    with pytest.raises(KeyboardInterrupt):
        _train(request)
    assert not request.out.parent.exists()


def test_a_saving_that_breaks_off_keeps_the_older_model(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = ask()
    _train(request)
    before = {path.name: path.read_bytes() for path in request.out.iterdir()}

    def fail(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("scrubjay.artifacts._write_durably", fail)
    with pytest.raises(OutputError, match="No space left"):
        _train(replace(request, seed=1, overwrite=True))
    assert {path.name: path.read_bytes() for path in request.out.iterdir()} == before
    assert [path.name for path in request.out.parent.iterdir()] == ["model"]


def test_an_altered_model_is_refused(ask: Ask) -> None:
    request = ask()
    _train(request)
    for path in sorted(request.out.iterdir()):
        whole = path.read_bytes()
        for changed in (whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1]), b""):
            path.write_bytes(changed)
            with pytest.raises(ArtifactError):
                load_model(request.out)
        path.write_bytes(whole)
    assert load_model(request.out).labels == LABELS


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ({"corpora": "notes"}, "corpora must be a tuple"),
        ({"corpora": Path("notes")}, "corpora must be a tuple"),
        ({"corpora": ("notes",)}, "corpora must be a tuple"),
        ({"dev": "notes"}, "dev must be a tuple"),
        ({"out": "model"}, "out is a str"),
    ],
)
@pytest.mark.parametrize("request_of", [TrainingRequest, AdaptationRequest])
def test_places_that_are_no_paths_are_refused(
    request_of: Any, places: dict[str, Any], message: str
) -> None:
    other = {"config": None, "language": "en"} if request_of is TrainingRequest else {"model": "en"}
    given = {"corpora": (Path("notes"),), "out": Path("model")} | places
    with pytest.raises(ConfigError, match=message):
        request_of(**given, **other)
