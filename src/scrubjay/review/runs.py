"""Runs of a retraining: their rows, the lock that each holds, and how far it is.

A run holds its lock as long as its process lives, so one whose process is gone can be told from
one that works.
"""

from __future__ import annotations

import json
import os
import time
from typing import IO, cast

from scrubjay.errors import NotFoundError, StateError
from scrubjay.review.prelabels import own_folder
from scrubjay.review.records import Run, RunState
from scrubjay.review.store import Row, Store, now

_TICK = 0.5  # seconds between two notes of progress
_TRIES = 50


class Stopped(Exception):  # noqa: N818  (not an error: somebody asked for it)
    """The run was asked to stop."""


def find_run(store: Store, number: int) -> Run:
    """Return one run, or raise `NotFoundError`."""
    with store.read():
        return describe_run(store, run_row(store, number))


def run_row(store: Store, number: int) -> Row:
    """Return the row of a run, or raise `NotFoundError`."""
    row = store.find("SELECT * FROM runs WHERE number = ?", number)
    if row is None:
        raise NotFoundError(f"the project has no run {number}")
    return row


def describe_run(store: Store, row: Row) -> Run:
    """Return a run by its row; one that nobody works on any more is "interrupted"."""
    state = cast(RunState, row["state"])
    if state in ("waiting", "running") and not is_held(store, row["number"]):
        state = "interrupted"
    return Run(
        row["number"],
        state,
        row["stage"],
        row["share"],
        row["base"],
        len(json.loads(row["train"])),
        len(json.loads(row["dev"])),
        row["made"],
        row["ended"],
        row["model"],
        bool(row["model"]) and row["model"] == store.setting("model"),
        json.loads(row["metrics"]),
        row["error"],
    )


def require_idle(store: Store) -> None:
    """Raise `StateError` while a process is at work on a run."""
    for row in store.all("SELECT * FROM runs WHERE state IN ('waiting', 'running')"):
        if is_held(store, row["number"]):
            raise StateError(f"run {row['number']} is going on. Wait for it, or cancel it")


def end_run(store: Store, number: int, state: str, error: str = "") -> None:
    """Write down how a run ended."""
    store.run(
        "UPDATE runs SET state = ?, error = ?, ended = ? WHERE number = ?",
        state, error, now(), number,
    )  # fmt: skip


class Reporter:
    """Writes progress into the database, not too often, and stops a run that was cancelled."""

    def __init__(self, store: Store, number: int) -> None:
        self._store = store
        self._number = number
        self._stage = ""
        self._last = 0.0

    def __call__(self, stage: str, share: float) -> None:
        moment = time.monotonic()
        if stage == self._stage and moment - self._last < _TICK:
            return
        self._stage, self._last = stage, moment
        self.require_going_on()
        self._store.run(
            "UPDATE runs SET stage = ?, share = ? WHERE number = ?",
            stage, min(max(share, 0.0), 1.0), self._number,
        )  # fmt: skip

    def require_going_on(self) -> None:
        """Raise `Stopped` where the run was asked to stop."""
        if self._store.one("SELECT stop FROM runs WHERE number = ?", self._number)[0]:
            raise Stopped


def _open_lock(store: Store, number: int) -> IO[bytes]:
    path = own_folder(store, "models", f"run-{number}") / "lock"
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")


def take_lock(store: Store, number: int) -> IO[bytes]:
    """Return the open lock of a run; it is held until all who have it open are gone."""
    import fcntl

    stream = _open_lock(store, number)
    for _ in range(_TRIES):
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return stream
        except BlockingIOError:
            # Whoever only looks if the lock is held has it for a moment.
            time.sleep(0.02)
    stream.close()
    raise StateError(f"run {number} is going on in another process")


def is_held(store: Store, number: int) -> bool:
    """Tell whether a process is at work on a run."""
    import fcntl

    with _open_lock(store, number) as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
