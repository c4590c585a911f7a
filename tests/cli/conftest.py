"""What the tests of commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.cli.main import run
from tests.toys import RaisingDetector, ship_toy_model

Refusal = Callable[..., str]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ship the model `toy`, which finds dates alone, and make the folder the current one."""
    ship_toy_model(monkeypatch, tmp_path / "shipped", detector=RaisingDetector())
    monkeypatch.delenv("SCRUBJAY_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Refusal:
    """Return what gives the error of a command that is called in the folder of the test.

    It ends with code 2, shows nothing else, and leaves the folder as it is.
    """

    def content() -> dict[Path, bytes | None]:
        return {path: path.read_bytes() if path.is_file() else None for path in tmp_path.rglob("*")}

    def refuse(*arguments: str) -> str:
        monkeypatch.chdir(tmp_path)
        before = content()
        assert run([*arguments]) == 2
        shown = capsys.readouterr()
        assert shown.err.startswith("error: ")
        assert shown.out == ""
        assert content() == before
        return shown.err

    return refuse
