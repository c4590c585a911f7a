"""Model files of CRFsuite, read bit by bit, against what the library itself says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.errors import ArtifactError
from scrubjay.learning._crfsuite import read_crfsuite

pycrfsuite: Any = pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")

DATA = [
    (["a:1", "b:2"], "7"),
    (["a:2"], "0"),
    (["ñ:\U0001d504", "a:1"], "12"),
    (["a:3", "b:2", "long" * 40], "0"),
    (["a:1"], "7"),
]


def _train(path: Path, *, algorithm: str = "lbfgs") -> Path:
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.select(algorithm)
    trainer.set_params({"max_iterations": 20})
    for shift in range(6):
        rows = DATA[shift:] + DATA[:shift]
        trainer.append([features for features, _ in rows], [tag for _, tag in rows])
    trainer.train(str(path))
    return path


@pytest.mark.parametrize("algorithm", ["lbfgs", "ap", "l2sgd"])
def test_weights_are_those_that_the_library_tells(algorithm: str, tmp_path: Path) -> None:
    path = _train(tmp_path / "model", algorithm=algorithm)
    weights = read_crfsuite(path)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    info = tagger.info()
    assert set(weights.labels) == set(info.labels) == {"0", "7", "12"}
    assert set(weights.attributes) == set(info.attributes)
    assert "ñ:\U0001d504" in weights.attributes
    states = {
        (weights.attributes[row["source"]], weights.labels[row["target"]]): row["weight"]
        for row in weights.states
    }
    moves = {
        (weights.labels[row["source"]], weights.labels[row["target"]]): row["weight"]
        for row in weights.transitions
    }
    for ours, theirs in ((states, info.state_features), (moves, info.transitions)):
        assert len(ours) > 2
        assert set(ours) == set(theirs)
        for key, weight in ours.items():
            assert weight == pytest.approx(theirs[key], abs=5e-7)


def test_weights_are_not_rounded(tmp_path: Path) -> None:
    weights = read_crfsuite(_train(tmp_path / "model")).states["weight"]
    assert not np.allclose(weights, weights.round(6), rtol=0, atol=1e-9)


def test_labels_are_numbered_as_they_were_met(tmp_path: Path) -> None:
    assert read_crfsuite(_train(tmp_path / "model")).labels == ("7", "0", "12")


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    whole = _train(tmp_path / "model").read_bytes()
    path = tmp_path / "damaged"
    for content in (
        b"",
        b"lCRF",
        b"XXXX" + whole[4:],
        whole[:8] + b"XXXX" + whole[12:],
        b"\0" * 900,
    ):
        path.write_bytes(content)
        with pytest.raises(ArtifactError, match="damaged: no CRFsuite"):
            read_crfsuite(path)


def test_no_truncation_is_read_as_a_model(tmp_path: Path) -> None:
    whole = _train(tmp_path / "model").read_bytes()
    path = tmp_path / "damaged"
    for size in range(0, len(whole) - 40, 97):
        path.write_bytes(whole[:size])
        with pytest.raises(ArtifactError):
            read_crfsuite(path)
