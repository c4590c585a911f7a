"""`scrubjay compile`: afterwards no kernel that finds PHI is left to compile."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay import kernel_cache
from scrubjay.batch import kernels
from scrubjay.cli import main as cli

_READ = """
import sys
from scrubjay import compiling, kernel_cache
from scrubjay.batch.kernels import network_free
from scrubjay.detectors import drop_scores
from scrubjay.document import Document
from scrubjay.models import load_model

compiling.compile_from_now_on()
notes = [Document(str(n), "Seen by Dr. Ann Lee, 12 Elm St, on 3/4/2019.\\n" * n) for n in range(9)]
for name in network_free():
    for model in (load_model(name), drop_scores(load_model(name))):
        model.detect(notes)
        for note in notes:
            model.detect([note])
print(kernel_cache.TALLY.compiled, kernel_cache.TALLY.loaded)
"""


def _run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
    return done.stdout.decode()


def test_afterwards_nothing_is_left_to_compile() -> None:
    pytest.importorskip("numba")
    told = _run("-m", "scrubjay", "compile", "en-fast")  # other tests need what is compiled here
    assert "kernel" in told
    again = _run("-m", "scrubjay", "compile", "en-fast")
    assert "were there already, in " in again
    assert "compiled" not in again
    counts = [sum(map(int, re.findall(r"(\d+) kernel", each))) for each in (told, again)]
    assert counts[0] == counts[1] > 0
    compiled, loaded = map(int, _run("-c", _READ).split())
    assert compiled == 0
    assert loaded


def test_without_numba_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernels, "has_numba", lambda: False)
    assert cli.run(["compile"]) == 2
    assert "pip install -c constraints.txt '.[fast]'" in capsys.readouterr().err


@pytest.mark.parametrize("folder", ["", "elsewhere"])
def test_where_nothing_can_be_kept_it_is_told_before_the_work(
    folder: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """In no folder at all, or in another than the one that was asked for."""
    monkeypatch.setattr(kernels, "has_numba", lambda: True)
    monkeypatch.setattr(kernels, "are_kept", lambda: False)
    monkeypatch.setattr(kernels, "keeping_folder", lambda: tmp_path if folder else None)
    monkeypatch.setattr(kernels, "_read", pytest.fail)
    if folder:
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / folder))
    else:
        monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert cli.run(["compile"]) == 2
    assert "Set NUMBA_CACHE_DIR to a folder that can be written to" in capsys.readouterr().err


def test_kernels_that_could_not_be_kept_are_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tally = kernel_cache.Tally()
    monkeypatch.setattr(kernels, "TALLY", tally)
    monkeypatch.setattr(kernels, "has_numba", lambda: True)
    monkeypatch.setattr(kernels, "keeping_folder", lambda: tmp_path)
    monkeypatch.setattr(kernels, "compile_from_now_on", lambda: None)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)

    def read(name: str) -> None:
        tally.compiled += 1
        tally.lost += name == "en-fast"

    monkeypatch.setattr(kernels, "_read", read)
    assert cli.run(["compile", "es-fast"]) == 0
    assert cli.run(["compile", "en-fast"]) == 2
    assert "1 compiled kernel could not be kept. " in capsys.readouterr().err
