"""`scrubjay models turn`: a model with its recall dial at another place."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.artifacts import save_artifact
from scrubjay.cli import main as cli
from scrubjay.detectors import turn_recall_dial
from scrubjay.learning.crf import CrfLearner
from scrubjay.models import describe_model, load_model
from tests.corpus_samples import make_notes
from tests.tiny_crf import tiny_config

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")


@pytest.fixture(scope="module")
def crf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    fitted = CrfLearner(tiny_config(), language="en", label_set="i2b2-2014").fit(make_notes(8))
    folder = tmp_path_factory.mktemp("models") / "crf"
    save_artifact(folder, fitted.manifest, files=fitted.files())
    return folder


def test_the_dial_stays_where_it_was_turned(crf: Path, tmp_path: Path) -> None:
    out = tmp_path / "turned"
    assert cli.run(["models", "turn", str(crf), "--recall-dial", "3", "--out", str(out)]) == 0
    manifest = describe_model(str(out)).manifest
    assert manifest.config["recall-dial"] == 3.0
    assert "turned to 3" in manifest.notes
    notes = [note.with_spans(()) for note in make_notes(6, seed=5)]
    found = load_model(str(out)).detect(notes)
    assert found == turn_recall_dial(load_model(str(crf)), 3.0).detect(notes)
    assert found != load_model(str(crf)).detect(notes)


def test_what_cannot_be_turned_is_refused(
    crf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "turned"
    assert cli.run(["models", "turn", str(crf), "--recall-dial", "200", "--out", str(out)]) == 2
    assert "must be a number from" in capsys.readouterr().err
    assert not out.exists()
