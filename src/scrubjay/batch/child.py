"""A process that holds patient text: started for its work, spoken to through a pipe, and killed.

Questions and answers go through the pipe, in memory alone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, parent_process
from typing import Any

from scrubjay.errors import WorkerError
from scrubjay.files import leave_no_core

START_SECONDS = 600.0
"""How long a process may take to load its models."""

EXIT = 70
"""The exit status of a process that goes for any other reason than that it was killed."""


class Child:
    """A process of its own, as who started it sees it."""

    def __init__(self, target: Callable[..., None], *arguments: Any) -> None:
        """Start `target(pipe, *arguments)` there; it and its arguments must be picklable."""
        # Not forked: threads of libraries do not survive that, and locks do.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        try:
            process = context.Process(target=target, args=(theirs, *arguments), daemon=True)
            with _deaf_to_interrupts():
                process.start()
        except BaseException:
            self.pipe.close()
            raise
        finally:
            theirs.close()
        self._process = process
        self.number = process.pid

    def hear_first(self) -> Any:
        """Return what it says once it has loaded, or a `WorkerError` where it says nothing."""
        try:
            return (
                self.pipe.recv()
                if self.pipe.poll(START_SECONDS)
                else WorkerError("it took too long")
            )
        except (EOFError, OSError):
            return WorkerError("it died")
        except Exception as broken:  # an error that does not survive the pipe
            return WorkerError(f"unexpected {type(broken).__name__}")

    def kill(self) -> None:
        """Kill the process; whoever waits for the pipe is told that it ended."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process, wait for that, and let go of the pipe."""
        self.pipe.close()
        self._process.kill()
        self._process.join()
        self._process.close()


def become_child() -> None:
    """Make this process silent, and have it end when the one that started it does.

    It passes over Ctrl-C and a polite end, which reach the whole group: who asks may want what is
    open finished, and ends it then.
    """
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    _be_silent()
    leave_no_core()
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the one that started it ends, even in the middle of its work."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(EXIT)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started here ignore Ctrl-C: who started them ends them.

    A new process inherits what its thread does not listen to, until it can say so itself.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _be_silent() -> None:
    """Send what this process prints nowhere."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        for stream in (1, 2):
            with suppress(OSError):
                os.dup2(nowhere.fileno(), stream)
