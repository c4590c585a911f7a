"""`--html`, `--json` and `--determination`: whole files or none, and never over the input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.cli.main import run
from tests.cli.test_evaluate import CANARY, corpora
from tests.reports.pages import read_page

__all__ = ["corpora"]


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_evaluate_writes_a_page_without_text(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    assert run(["evaluate", *corpora, "--html", str(page), "--json", str(figures)]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("# Evaluation")
    markup = page.read_text("utf-8")
    text = read_page(markup).text
    assert "Recall by label" in text
    assert "gold" in text
    assert CANARY not in markup + shown.out + shown.err
    assert json.loads(figures.read_text("utf-8"))["documents"] == 1
    assert files_of(tmp_path) == ["figures.json", "gold", "page.html", "predicted"]
    first = page.read_bytes()
    assert run(["evaluate", *corpora, "--html", str(page)]) == 0
    assert page.read_bytes() == first


@pytest.mark.skipif(os.name == "nt", reason="no POSIX permissions")
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("errors", ["--show-text", "--html", "--json", "--worksheet"]),
        ("risk", ["--show-text", "--html", "--json", "--determination"]),
        ("evaluate", ["--html", "--json"]),
        ("adjudicate", ["--show-text", "--worksheet"]),
    ],
)
def test_what_may_hold_text_is_its_owners_alone(
    corpora: tuple[str, str], tmp_path: Path, command: str, options: list[str]
) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    places = {option: folder / f"{option[2:]}.csv" for option in options if option != "--show-text"}
    call = [command, *corpora]
    for option in options:
        call += [option, str(places[option])] if option in places else [option]
    old = os.umask(0o022)
    try:
        assert run(call) == 0
    finally:
        os.umask(old)
    found = {path: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert found == dict.fromkeys(places.values(), 0o600)


@pytest.mark.parametrize("option", ["--html", "--json"])
def test_a_report_never_replaces_the_input(
    corpora: tuple[str, str],
    option: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = [path.read_bytes() for path in sorted(Path(corpora[0]).iterdir())]
    for target in (f"{corpora[0]}/a.txt", f"{corpora[1]}/new.html", corpora[0]):
        assert run(["evaluate", *corpora, option, target]) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert shown.err.startswith("error: ")
    assert [path.read_bytes() for path in sorted(Path(corpora[0]).iterdir())] == before
    assert files_of(Path(corpora[1])) == ["a.ann", "a.txt"]


def test_one_file_cannot_hold_both(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = str(tmp_path / "report")
    assert run(["evaluate", *corpora, "--html", target, "--json", target]) == 2
    assert "is named for JSON and for HTML" in capsys.readouterr().err
    assert not Path(target).exists()


@pytest.mark.parametrize("module", ["jinja2", "scipy.special"])
def test_an_absent_package_is_named_before_anything_is_written(
    corpora: tuple[str, str],
    tmp_path: Path,
    module: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from scrubjay.reports import html

    html._environment.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    target, figures = tmp_path / "page.html", tmp_path / "figures.json"
    assert run(["evaluate", *corpora, "--html", str(target), "--json", str(figures)]) == 2
    assert 'pip install "scrubjay[report]"' in capsys.readouterr().err
    assert files_of(tmp_path) == ["gold", "predicted"]
    assert run(["evaluate", *corpora]) == 0
    html._environment.cache_clear()


def test_risk_writes_the_determination(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts, target = tmp_path / "facts.toml", tmp_path / "determination.html"
    facts.write_text('[release]\nrecipients = "a university"\n')
    call = ["risk", *corpora, "--determination", str(target)]
    assert run([*call, "--facts", str(facts), "--show-text"]) == 0
    markup = target.read_text("utf-8")
    assert "a university" in read_page(markup).text
    assert CANARY not in markup
    capsys.readouterr()
    assert run(["risk", *corpora, "--facts", str(facts)]) == 2
    assert "Give --determination" in capsys.readouterr().err
    assert run(["risk", *corpora, "--determination", str(facts), "--facts", str(facts)]) == 2
    assert "is part of the input" in capsys.readouterr().err
    assert facts.read_text().startswith("[release]")
    assert run([*call, "--html", str(target)]) == 2
    assert "is named twice" in capsys.readouterr().err
    facts.write_text("[relase]\n")
    target.unlink()
    assert run([*call, "--facts", str(facts)]) == 2
    assert not target.exists()


def test_a_dial_is_shown_and_written(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, figures = tmp_path / "dial.html", tmp_path / "dial.json"
    call = ["models", "dial", "en", str(fixtures / "en-notes"), "--format", "i2b2", "--at", "4,0"]
    assert run([*call, "--html", str(page), "--json", str(figures)]) == 0
    assert capsys.readouterr().out.startswith("# Positions of the dial\ndial\tgold\trecall")
    record = json.loads(figures.read_text("utf-8"))
    low, high = record["points"]
    assert (low["dial"], high["dial"]) == (0.0, 4.0)
    assert low["recall"] <= high["recall"]
    assert "Precision over recall" in read_page(page.read_text("utf-8")).text
    assert run([*call[:-1], "4;0"]) == 2
    assert "Give positions such as 0,2,4" in capsys.readouterr().err


def test_a_dial_needs_gold_with_spans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("Seen today.", "utf-8")
    assert run(["models", "dial", "en", str(tmp_path), "--at", "0"]) == 2
    assert "gold has no spans in 1 document" in capsys.readouterr().err


def _console(*arguments: str, out: Path, err: Path | None = None) -> int:
    """Run the console command with its standard streams in files, and return its exit code."""
    call = [sys.executable, "-m", "scrubjay.cli.main", *arguments]
    with out.open("wb") as stdout, (err or out.with_name("err")).open("wb") as stderr:
        return subprocess.run(call, stdout=stdout, stderr=stderr, check=False).returncode


needs_streams = pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such stream")


@needs_streams
@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_json_in_the_stream_of_the_tables_stands_alone(
    corpora: tuple[str, str], tmp_path: Path, name: str
) -> None:
    for command in (["evaluate", *corpora], ["corpus", "stats", corpora[0]]):
        assert _console(*command, "--json", name, out=tmp_path / "out") == 0
        assert json.loads((tmp_path / "out").read_text("utf-8"))["documents"] == 1


@needs_streams
def test_json_in_the_stream_of_errors_leaves_the_tables(
    corpora: tuple[str, str], tmp_path: Path
) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    assert _console("evaluate", *corpora, "--json", "/dev/stderr", out=out) == 0
    assert out.read_text("utf-8").startswith("# Evaluation")
    assert json.loads(err.read_text("utf-8"))["documents"] == 1


@needs_streams
def test_a_page_in_the_stream_of_the_tables_stands_alone(
    corpora: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["evaluate", *corpora, "--html", "/dev/stdout"]
    assert _console(*call, out=tmp_path / "out") == 0
    assert (tmp_path / "out").read_text("utf-8").rstrip().endswith("</html>")
    for name in ("-", "/dev/stdout"):
        assert run([*call, "--json", name]) == 2
        assert "is named for JSON and for HTML" in capsys.readouterr().err
