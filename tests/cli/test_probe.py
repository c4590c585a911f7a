"""`scrubjay models probe`: tables, JSON and HTML, and calls that cannot be."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from scrubjay import models
from scrubjay.cli import main as cli
from scrubjay.models import find_model
from tests.toys import CANARY, ship_toy_model

pytest.importorskip("scipy", reason="intervals need the extra `report`")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder; the model `toy`, which finds dates, is shipped."""
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_tables_go_to_the_screen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["models", "probe", "toy", "--sentences", "2"]) == 0
    shown = capsys.readouterr().out
    tables = [line for line in shown.splitlines() if line.startswith("# ")]
    assert tables == [
        "# Terms taken for PHI",
        "# Names of the same words",
        "# Protected terms in carrier sentences",
        "# Names by origin in the same sentences",
    ]
    assert "\tDutch\t" not in shown
    assert "\nDutch\t" in shown


def test_an_absent_extra_is_named_before_the_model_runs(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    monkeypatch.setattr(models, "load_model", lambda name: pytest.fail("the model was loaded"))
    assert cli.run(["models", "probe", "toy"]) == 2
    assert 'pip install "scrubjay[report]"' in capsys.readouterr().err


def test_a_corpus_shows_terms_and_no_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"{CANARY} took <DATE>3/4/2019</DATE> Lasix. Foley 3/5/2019 out."
    (folder / "a.inline").write_text(text)
    call = ["models", "probe", "toy", "--corpus", "a.inline", "--format", "inline"]
    assert cli.run([*call, "--sentences", "0", "--json", "-"]) == 0
    shown = capsys.readouterr().out
    assert CANARY not in shown
    record = json.loads(shown)
    assert record["origins"] is None
    assert record["terms"]["terms_hit"]["of"] == 2
    assert record["model"] == "toy"
    (miss,) = [one for one in record["probes"]["misses"] if one["label"] == "KEEP"]
    assert miss["text"][miss["start"] : miss["end"]] == "7.38/42/91"


def test_a_page_is_written_beside_json(folder: Path) -> None:
    pytest.importorskip("jinja2", reason="pages need the extra `report`")
    call = ["models", "probe", "toy", "--sentences", "1", "--list"]
    assert cli.run([*call, "--html", "p.html", "--json", "p.json"]) == 0
    page = (folder / "p.html").read_text(encoding="utf-8")
    assert "Names by origin" in page
    assert "Probes that went wrong" in page
    misses = json.loads((folder / "p.json").read_text(encoding="utf-8"))["probes"]["misses"]
    assert {miss["label"] for miss in misses} >= {"DOCTOR", "PATIENT"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "unknown model"),
        (["toy", "--language", "tlh"], "there are no probes for 'tlh'"),
        (["toy", "--json", "none/p.json"], "its folder does not exist"),
        (["toy", "--corpus", "gone"], "gone"),
    ],
)
def test_bad_calls_end_with_2(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert cli.run(["models", "probe", *words]) == 2
    assert message in capsys.readouterr().err


def test_the_page_of_probes_is_that_of_the_shipped_models_and_probes() -> None:
    from scripts.write_probe_tables import TARGET, hashes, measured_models

    page = TARGET.read_text(encoding="utf-8")
    assert measured_models()
    for model in measured_models():
        assert find_model(model).is_dir()
        assert f"({hashes(model)})" in page, "run scripts/write_probe_tables.py"
