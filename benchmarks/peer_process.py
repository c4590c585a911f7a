"""Environments of peers, and the processes that run in them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Piece = tuple[int, int, str]
MARKER = "peer.json"
INSTALL_SECONDS = 900
FIRST_START_SECONDS = 3600


class PeerError(Exception):
    """A peer that could not be installed, started, or asked; never holds text of a note."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What a peer found in each text, and its time: CPU seconds, and seconds on the clock."""

    spans: tuple[tuple[Piece, ...], ...]
    seconds: float
    clock: float
    load_seconds: float
    load_clock: float


def prepare_environment(
    folder: Path, requirements: Path, drop: Sequence[str], command: Sequence[str]
) -> Path:
    """Return the Python of an environment with exactly those requirements, made if need be.

    What a peer builds at its first start is built here, so that no figure holds it. Raises
    `PeerError` where pip or the first start fails; the next call begins anew.
    """
    key = hashlib.sha256(requirements.read_bytes() + json.dumps(sorted(drop)).encode())
    place = folder / f"{requirements.stem}-{key.hexdigest()[:10]}"
    python = place / "bin" / "python"
    if (place / MARKER).exists():
        return python
    if place.exists():
        shutil.rmtree(place)
    venv.create(place, with_pip=True)
    _install(python, requirements)
    (packages,) = place.glob("lib/python*/site-packages")
    for path in drop:
        shutil.rmtree(packages / path)
    began = time.perf_counter()
    ask([str(python), *command], [], limit=FIRST_START_SECONDS)
    facts = {"first-start-seconds": round(time.perf_counter() - began, 1)}
    (place / MARKER).write_text(json.dumps(facts) + "\n", encoding="utf-8")
    return python


def _install(python: Path, requirements: Path) -> None:
    command = [python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", requirements]
    try:
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, timeout=INSTALL_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise PeerError(f"pip took more than {INSTALL_SECONDS} s") from None
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise PeerError(f"pip failed: {errors[-1] if errors else f'exit {done.returncode}'}")


def ask(
    command: Sequence[str], texts: Iterable[str], *, limit: float, warm_up: Sequence[str] = ()
) -> Answers:
    """Run an adapter over texts, one at a time, on one thread; `warm_up` before them, uncounted.

    Raises `PeerError` where it ends early, takes more than `limit` seconds, or answers with
    anything but spans inside the text. Its stderr is thrown away: it may hold text.
    """
    with _started(command, limit) as (process, load_seconds, load_clock):
        for number, text in enumerate(warm_up):
            _send(process, {"text": text}, f"note {number} of those before")
            _receive(process, f"note {number} of those before")
        began = time.perf_counter()
        found, seconds = [], 0.0
        for number, text in enumerate(texts):
            _send(process, {"text": text}, f"note {number}")
            answer = _receive(process, f"note {number}")
            found.append(_checked(answer, len(text), number))
            seconds += float(answer["seconds"])
        clock = time.perf_counter() - began
    return Answers(tuple(found), seconds, clock, load_seconds, load_clock)


@dataclass(frozen=True, slots=True)
class Many:
    """How many spans a peer found in many texts at once, and its time, as in `Answers`."""

    spans: int
    seconds: float
    clock: float


def ask_many(command: Sequence[str], parts: Sequence[Sequence[str]], *, limit: float) -> list[Many]:
    """Run an adapter over each part of the texts at once, on one thread; raises as `ask`."""
    answers = []
    with _started(command, limit) as (process, _, _):
        for number, texts in enumerate(parts):
            began = time.perf_counter()
            _send(process, {"texts": list(texts)}, f"part {number}")
            answer = _receive(process, f"part {number}")
            clock = time.perf_counter() - began
            spans = answer.get("spans")
            if not isinstance(spans, list) or len(spans) != len(texts):
                raise PeerError(f"its answer at part {number} is not one for each text")
            answers.append(Many(sum(map(len, spans)), float(answer["seconds"]), clock))
    return answers


@contextmanager
def _started(
    command: Sequence[str], limit: float
) -> Iterator[tuple[subprocess.Popen[str], float, float]]:
    """Give a process of an adapter that is ready, and the seconds that took: CPU, clock."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    began = time.perf_counter()
    with subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env={**os.environ, **threads, "PYTHONIOENCODING": "utf-8", "PYTHONHASHSEED": "0"},
    ) as process:
        timer = threading.Timer(limit, process.kill)
        timer.start()
        try:
            ready = _receive(process, "its start")
            if ready.get("ready") is not True:
                raise PeerError("it did not say that it is ready")
            yield process, float(ready["seconds"]), time.perf_counter() - began
        finally:
            timer.cancel()
            if process.poll() is None:
                assert process.stdin is not None
                process.stdin.close()
                _end(process)


def _send(process: subprocess.Popen[str], message: dict[str, Any], where: str) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
    except BrokenPipeError:
        raise PeerError(f"it ended before {where}") from None


def _receive(process: subprocess.Popen[str], where: str) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        code = process.wait()
        raise PeerError(f"it ended at {where} with code {code}")
    try:
        answer: dict[str, Any] = json.loads(line)
    except json.JSONDecodeError:
        raise PeerError(f"its answer at {where} is no JSON") from None
    return answer


def _checked(answer: dict[str, Any], length: int, number: int) -> tuple[Piece, ...]:
    spans = answer.get("spans")
    if not isinstance(spans, list):
        raise PeerError(f"its answer at note {number} has no spans")
    pieces = []
    for start, end, kind in spans:
        if not (isinstance(start, int) and isinstance(end, int) and isinstance(kind, str)):
            raise PeerError(f"a span at note {number} is not [start, end, type]")
        if not 0 <= start < end <= length:
            raise PeerError(f"a span at note {number} lies outside: {start} to {end} of {length}")
        pieces.append((start, end, kind))
    return tuple(pieces)


def _end(process: subprocess.Popen[str]) -> None:
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()


def own_python() -> str:
    """Return the Python that runs Scrubjay itself."""
    return sys.executable
