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


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another system")
def test_no_file_of_its_memory_is_left_where_it_crashes() -> None:
    """Texts and keys are in it; workers leave none either."""
    code = (
        "import resource, sys\n"
        "from scrubjay.cli import main\n"
        "told = lambda: print(resource.getrlimit(resource.RLIMIT_CORE)) or 0\n"
        "main.run = told\n"
        "main.main()\n"
    )
    command = ["bash", "-c", 'ulimit -S -c "$(ulimit -H -c)"; exec "$@"', "_", sys.executable]
    done = subprocess.run([*command, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "(0, 0)\n"
