"""The stages of a training as lines, where there is no terminal: what is done, and what is left."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path

import pytest
from rich.console import Console

from scrubjay.artifacts import save_artifact
from scrubjay.cli import _progress
from scrubjay.cli._progress import StageLines, in_lines, waiting
from scrubjay.learning.crf import CrfLearner
from tests.calls import run
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_crf import tiny_config


def test_a_stage_is_told_when_it_begins_and_each_minute() -> None:
    now = [0.0]
    written = io.StringIO()
    lines = StageLines(Console(file=written, width=20), clock=lambda: now[0])
    for at, stage, share in (
        (0, "read", 0.0),
        (1, "adapt: fold 1 of 5: features", 0.0),
        (2, "adapt: fold 1 of 5: iteration 1 of 40", 0.01),
        (31, "adapt: fold 2 of 5: features", 0.2),
        (60, "adapt: fold 2 of 5: iteration 9 of 40", 0.25),
        (92, "adapt: fold 2 of 5: iteration 20 of 40", 0.26),
        (95, "dev", 0.0),
    ):
        now[0] = at
        lines.tell(stage, share)
    assert written.getvalue().splitlines() == [
        "read; 0:00:00 so far",
        "adapt: fold 1 of 5: features; 0:00:01 so far",
        "adapt: fold 2 of 5: features; 20% of adapt, about 0:02:00 left of it; 0:00:31 so far",
        "adapt: fold 2 of 5: iteration 20 of 40; 26% of adapt, about 0:04:19 left of it; "
        "0:01:32 so far",
        "dev; 0:01:35 so far",
    ]


def test_a_terminal_has_bars_and_no_lines() -> None:
    def show(stage: str, share: float) -> None:
        raise AssertionError

    assert in_lines(Console(file=io.StringIO(), force_terminal=True), show) is show
    assert in_lines(Console(file=io.StringIO()), show) is not show


def test_adapt_tells_its_folds_into_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    fitted = CrfLearner(tiny_config(), language="en", label_set="i2b2-2014").fit(make_notes(8))
    save_artifact(tmp_path / "crf", fitted.manifest, files=fitted.files())
    write_notes(make_notes(6, seed=1), tmp_path / "notes")
    call = ("adapt", tmp_path / "crf", tmp_path / "notes", "--out", tmp_path / "new")
    assert run(*call, "--folds", "2") == 0
    told = capsys.readouterr().err.splitlines()
    parts = [line.partition(";")[0] for line in told]
    assert parts[:2] == ["read", "measure: the model as it is, on 6 notes"]
    folds = [part for part in parts if part.startswith("adapt: ")]
    assert folds == [
        "adapt: fold 1 of 2: features",
        "adapt: fold 2 of 2: features",
        "adapt: the model: features",
    ]


def test_what_is_waited_for_is_told_again_and_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with waiting("still loading"):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(_progress, "_WAIT_SECONDS", 0.01)
    asked = threading.Event()

    def tell() -> str:
        asked.set()
        return "workers that are ready: 1 of 2"

    with waiting("still loading", tell) as over:
        assert asked.wait(60.0)
        over()
    told = capsys.readouterr().err.splitlines()[0]
    assert told == "still loading; workers that are ready: 1 of 2; 0:00:00 so far"


@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_a_run_tells_its_start_apart_from_its_rate(
    place: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (place / "a.txt").write_text("Seen 3/4/2019.")
    assert run(command, "a.txt", "--out", "out", "--model", "toy", "--summary", "-") == 0
    shown = capsys.readouterr()
    start = json.loads(shown.out)["startup_seconds"]
    assert start > 0.0
    assert f" documents/s, after {start:.1f} s to start); " in shown.err
