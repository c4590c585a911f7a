"""`scrubjay adapt` from the command line: what it tells, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from scrubjay.artifacts import Manifest, is_private, save_artifact
from scrubjay.cli import main as cli
from scrubjay.cli.adapt import _summarize
from scrubjay.learning.adaptation import AdaptationResult
from scrubjay.learning.crf import CrfLearner
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_crf import tiny_config

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")


def test_it_tells_what_it_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fitted = CrfLearner(tiny_config(), language="en", label_set="i2b2-2014").fit(make_notes(8))
    save_artifact(tmp_path / "crf", fitted.manifest, files=fitted.files())
    write_notes(make_notes(6, seed=1), tmp_path / "notes")
    call = ["adapt", str(tmp_path / "crf"), str(tmp_path / "notes"), "--out", str(tmp_path / "new")]
    assert cli.run([*call, "--folds", "2", "--weight", "1"]) == 0
    captured = capsys.readouterr()
    told = " ".join(captured.err.split())
    summary = json.loads(captured.out)
    assert (summary["name"], summary["adaptation"]) == ("new", "weights")
    assert summary["training_data"]["weight"] == 1.0
    # The parent by its name and hash; its own account is in the manifest.
    assert set(summary["training_data"]["parent"]) == {"name", "manifest-sha256"}
    manifest = json.loads((tmp_path / "new" / "manifest.json").read_text())
    assert manifest["training_data"]["parent"]["training-data"]["documents"] == 8
    assert "each unseen:" in told
    assert "(2 folds by document)" in told
    call_without = [*call[:-1], str(tmp_path / "same"), "--folds", "0", "--weight", "1"]
    assert cli.run(call_without) == 0
    without = capsys.readouterr()
    assert json.loads(without.out)["metrics"] == {}
    assert "igures" not in without.err
    assert "each unseen" not in without.err
    same = [(tmp_path / name / "weights.npy").read_bytes() for name in ("new", "same")]
    assert same[0] == same[1]
    # It may hold words of the notes.
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "new").iterdir()} == {0o600}
    # So may what is made of it.
    small = tmp_path / "small"
    call_prune = ["models", "prune", str(tmp_path / "new"), "--least", "0.2", "--out", str(small)]
    assert cli.run(call_prune) == 0
    assert is_private(small)
    assert {file.stat().st_mode & 0o777 for file in small.iterdir()} == {0o600}
    capsys.readouterr()
    assert cli.run(call) == 2
    assert "a model is already there" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("metrics", "on"),
    [
        ({"adaptation": (0.8769, 0.8541)}, "on these notes, each unseen, the new"),
        ({"dev": (0.8, 0.7)}, "on dev the new"),
        ({"adaptation": (0.8, 0.7), "dev": (0.8, None)}, "each unseen, and on dev the new"),
        ({"adaptation": (0.8, 0.8), "dev": (None, 0.1)}, ""),
        ({"adaptation": (0.8, 0.7), "dev": (0.7, 0.8)}, "on these notes, each unseen, the new"),
        ({}, ""),
    ],
)
def test_a_model_that_became_worse_is_warned_of(
    metrics: dict[str, tuple[float | None, float | None]],
    on: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found: dict[str, Any] = {}
    for name, pair in metrics.items():
        before, after = ({"strict": {"f1": f1}} for f1 in pair)
        if name == "dev":
            found |= {"dev-before": before, "dev": after}
        else:
            found[name] = {"before": before, "after": after, "folds": 5, "by": "document"}
    manifest = Manifest(
        name="new", kind="crf", language="en", label_set="i2b2-2014", labels=(),
        stores_words=False, metrics=found,
        training_data={"parent": {"name": "en", "manifest-sha256": "0"}},
    )  # fmt: skip
    result = AdaptationResult(Path("new"), manifest, "weights", 1.0)
    _summarize(result, Console(stderr=True, width=500), folds=5)
    told = capsys.readouterr().err
    assert ("warning: " in told) == bool(on)
    assert on in told
    if on:
        assert "Keep that one, or adapt it with more notes" in told.splitlines()[-1]


def test_a_part_of_taggers_cannot_be_adapted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["adapt", "nowhere", str(tmp_path / "notes"), "--out", str(tmp_path / "new")]
    assert cli.run(call) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: unknown model 'nowhere'")
