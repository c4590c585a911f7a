"""`scrubjay models quantize`: a smaller model beside the one it was made of."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="quantizing needs the extra `train`")
pytest.importorskip("onnxruntime", reason="recurrent taggers need the extra `neural`")

from scrubjay.artifacts import save_artifact
from scrubjay.cli import main as cli
from scrubjay.models import describe_model, load_model
from scrubjay.taggers import kinds
from tests.corpus_samples import make_notes
from tests.tiny_bilstm import tiny_detector, tiny_model
from tests.toys import ship_toy_model


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder with the model `m`; the model `toy` is shipped."""
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    table = {**kinds.KINDS, "bilstm": "scrubjay.taggers.bilstm"}
    monkeypatch.setattr(kinds, "KINDS", table)
    detector = tiny_detector(tiny_model(hidden=32)[0])
    save_artifact(tmp_path / "m", detector.manifest, files=detector.files())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_model_is_quantized(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["models", "quantize", "m", "--out", "small"]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "small: " in shown.err
    assert describe_model("small").size < describe_model("m").size
    assert any(load_model("small").detect(make_notes(3, seed=2)))


def test_a_place_that_is_taken_and_other_models_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["models", "quantize", "m", "--out", "m"]) == 2
    assert "already there. Choose another folder, or replace the model with --overwrite" in (
        capsys.readouterr().err
    )
    assert cli.run(["models", "quantize", "toy", "--out", "small"]) == 2
    assert "only recurrent taggers" in capsys.readouterr().err
    assert not (folder / "small").exists()
    assert cli.run(["models", "quantize", "m", "--out", "m", "--overwrite"]) == 0
    assert load_model("m").detect(make_notes(3, seed=2))
