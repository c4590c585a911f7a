"""Processes that hold text: heard, killed, silent, and gone with the one that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from scrubjay.batch import child
from scrubjay.batch.child import Child, become_child
from scrubjay.errors import WorkerError

SECONDS = 30.0


def echo(pipe: Connection, word: str) -> None:
    """Say a word into the pipe and another one aloud, then whatever is asked."""
    become_child()
    os.write(1, b"aloud")
    pipe.send(word)
    while True:
        pipe.send(pipe.recv())


def speak_once(pipe: Connection, word: str) -> None:
    """Say a word, and listen no more."""
    become_child()
    pipe.send(word)
    time.sleep(2 * SECONDS)


def die(pipe: Connection) -> None:
    """End without a word."""


def wait(pipe: Connection) -> None:
    """Say nothing."""
    time.sleep(SECONDS)


def start_and_tell(told: str) -> None:
    """Start a child, write its number to a file, and wait."""
    one = Child(speak_once, "up")
    one.hear_first()
    Path(told).write_text(str(one.number))
    time.sleep(SECONDS)


def is_running(number: int) -> bool:
    """Tell whether a process is there and no corpse."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_it_answers_in_silence_and_passes_over_signals(capfd: pytest.CaptureFixture[str]) -> None:
    one = Child(echo, "up")
    assert one.hear_first() == "up"
    assert one.number is not None
    for each in (signal.SIGINT, signal.SIGTERM):
        os.kill(one.number, each)
    one.pipe.send("still")
    assert one.pipe.recv() == "still"
    one.kill()
    with pytest.raises((EOFError, OSError)):
        one.pipe.recv()
    one.end()
    assert capfd.readouterr().out == ""


def test_one_that_never_speaks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = Child(die)
    heard = dead.hear_first()
    assert isinstance(heard, WorkerError)
    assert "died" in str(heard)
    dead.end()
    monkeypatch.setattr(child, "START_SECONDS", 0.1)
    slow = Child(wait)
    heard = slow.hear_first()
    assert isinstance(heard, WorkerError)
    assert "too long" in str(heard)
    slow.end()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc")
def test_it_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    told = tmp_path / "number"
    code = f"from tests.batch.test_child import start_and_tell; start_and_tell({str(told)!r})"
    parent = subprocess.Popen([sys.executable, "-c", code])
    end = time.monotonic() + SECONDS
    while not (told.exists() and told.read_text()) and time.monotonic() < end:
        time.sleep(0.05)
    number = int(told.read_text())
    assert is_running(number)
    parent.kill()
    parent.wait()
    while is_running(number) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_running(number)
