"""Standard output that takes a part of what it is given: nothing is lost without a word."""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scrubjay.cli import main as cli
from scrubjay.cli._streams import WholeWrites
from tests.toys import ship_toy_model

_SIZE = 8192
_NOTE = "Seen by Dr. Quill on 3/4. Nothing else of note. " * 400


class _Sparing(io.RawIOBase):
    """Takes three bytes at a time, and of all no more than `room`; without any, nothing now."""

    def __init__(self, room: int | None) -> None:
        super().__init__()
        self.taken = b""
        self.room = room

    def writable(self) -> bool:
        return True

    def write(self, data: object, /) -> int | None:
        piece = bytes(data)[:3]  # type: ignore[call-overload]
        if self.room is not None and len(self.taken) >= self.room:
            return None
        self.taken += piece
        return len(piece)


def test_all_is_written() -> None:
    raw = _Sparing(None)
    assert WholeWrites(raw).write(b"0123456789") == 10
    assert raw.taken == b"0123456789"


def test_what_cannot_be_written_is_an_error() -> None:
    with pytest.raises(BlockingIOError):
        WholeWrites(_Sparing(6)).write(b"0123456789")


@contextmanager
def _small_files() -> Iterator[None]:
    """Let no file become larger than some bytes, as `ulimit -f` does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_SIZE, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


_WRITES = """
import resource, sys
from scrubjay.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
sys.argv = ["scrubjay", "--help"]
main.main()
"""


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("name", ["file", "/dev/full"])
def test_output_that_is_cut_off_is_told(name: str, unbuffered: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with (tmp_path / name).open("wb") as stream:
        done = subprocess.run(
            [sys.executable, "-c", _WRITES], stdout=stream, stderr=subprocess.PIPE, env=environment
        )
    told = done.stderr.decode()
    assert done.returncode == 2
    assert told.startswith("error: standard output: cannot be written (")
    assert told.count("\n") == 1


@pytest.mark.parametrize("resume", [[], ["--resume"]])
def test_a_limit_of_files_ends_a_run_and_says_what_to_do(
    resume: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ship_toy_model(monkeypatch, tmp_path / "shipped")
    monkeypatch.chdir(tmp_path)
    Path("notes").mkdir()
    Path("notes", "a.txt").write_text(_NOTE)
    call = ["deid", "notes", "--out", "out", "--model", "toy", *resume]
    with _small_files():
        assert cli.run(call) == 2
    told = capsys.readouterr().err
    assert "cannot be written (File too large). Files may not become so large here" in told
    assert "when that is mended, give the same call again: no document was done yet" in told
    assert not Path("out").exists()
    assert cli.run(call) == 0
