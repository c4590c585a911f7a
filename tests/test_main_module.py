"""`python -m scrubjay` is the command, and to import the module runs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scrubjay import __version__


def called(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "scrubjay", *arguments]
    done = subprocess.run(command, capture_output=True, check=False, text=True, encoding="utf-8")
    return done.returncode, done.stdout.replace("\r\n", "\n"), done.stderr


def test_it_works_like_the_command() -> None:
    assert called("--version") == (0, f"scrubjay {__version__}\n", "")


def test_its_refusals_name_the_command_and_have_its_exit_code() -> None:
    code, out, told = called("anonymize")
    assert (code, out) == (2, "")
    assert "Usage: scrubjay [OPTIONS]" in told
    assert "Did you mean 'deid'?" in told


def test_to_import_it_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    import scrubjay.__main__  # noqa: F401

    assert capsys.readouterr() == ("", "")
