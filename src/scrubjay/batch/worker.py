"""A worker: a process of its own that works on documents, and that can be killed.

Native code cannot be interrupted from inside its process, and a crash takes the process along.
So a worker is started anew where it takes too long or dies, and the process that asked goes on.
What a worker, or a library in it, writes to its standard output or error is thrown away, since it
may quote a document.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from scrubjay.batch._serving import require_memory_limits, resident_bytes, serve
from scrubjay.batch.child import Child
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.work import Batch, Work
from scrubjay.deidentifier import Stage
from scrubjay.errors import MemoryLimitError, TimeLimitError, WorkerDiedError, WorkerError

Make = Callable[[], Work]

_LONGEST = 1_000_000.0  # seconds that a system call can wait
_WATCH_SECONDS = 0.05


class LostWorkerError(Exception):
    """A worker was lost over a question: in which stage, and to what (a class of `errors`)."""

    def __init__(self, stage: Stage, code: str) -> None:
        super().__init__(f"{code} in stage {stage}")
        self.stage: Stage = stage
        self.code = code


class Worker:
    """A process that does the work of a run; whoever starts it must end it.

    `make` builds the work, once in each process. It must be picklable and is sent there through
    a pipe, with all that it holds, keys too. `memory` limits the process, in bytes, and `threads`
    those that it works on; `processes` is how many share the work of the run. One thread at a time
    may ask; `end` may be called by another.
    """

    def __init__(
        self, make: Make, *, memory: int | None = None, threads: int = 1, processes: int = 1
    ) -> None:
        if memory is not None:
            require_memory_limits()
        self._make = make
        self._memory = memory
        self._threads = threads
        self._processes = processes
        self._child: Child | None = None
        self._changing = threading.Lock()
        self._ended = False
        self.started = 0
        """How many processes were started: 1, and one more for each that was lost."""

    @property
    def number(self) -> int | None:
        """Return the number of the process, None where there is none."""
        child = self._child
        return None if child is None else child.number

    def start(self) -> None:
        """Start the process; raise what `make` raises, or `WorkerError` where it cannot start."""
        self._start()

    def end(self) -> None:
        """End the process for good; whoever waits for an answer is told that it was lost."""
        with self._changing:
            self._ended = True
            if self._child is not None:
                self._child.kill()

    def process(self, batch: Batch, *, seconds: float | None = None) -> list[list[Outcome]]:
        """Return the outcomes of a batch, or raise `LostWorkerError`.

        The worker is killed where it takes longer than `seconds`, or grows beyond its memory,
        and started anew for the next batch.
        """
        seconds = None if seconds is None else min(seconds, _LONGEST)
        stage: Stage = "detect"
        pipe = self._send((batch, seconds))
        end = math.inf if seconds is None else time.monotonic() + seconds
        try:
            while self._poll(pipe, end):
                kind, value = pipe.recv()
                if kind == "answer":
                    outcomes: list[list[Outcome]] = value
                    return outcomes
                stage = value
                if kind == "full":
                    raise _FullError
        except _FullError:
            self._discard()
            raise LostWorkerError(stage, MemoryLimitError.__name__) from None
        except (EOFError, OSError):
            self._discard()
            raise LostWorkerError(stage, WorkerDiedError.__name__) from None
        except BaseException:
            self._discard()
            raise
        self._discard()
        raise LostWorkerError(stage, TimeLimitError.__name__)

    def _poll(self, pipe: Connection[Any, Any], end: float) -> bool:
        """Tell whether there is something to receive before `end`; watch the memory meanwhile.

        After `end` there is nothing, though an answer may have come.
        """
        while (left := end - time.monotonic()) > 0:
            if self._memory is None:
                return pipe.poll(None if math.isinf(left) else left)
            if pipe.poll(min(_WATCH_SECONDS, left)):
                return True
            if self.number is not None and resident_bytes(self.number) > self._memory:
                raise _FullError
        return False

    def _send(self, question: tuple[Any, ...]) -> Connection[Any, Any]:
        """Send a question; a worker that died since the last one is started anew."""
        if self._child is not None:
            pipe = self._child.pipe
            try:
                pipe.send(question)
            except OSError:
                self._discard()
            else:
                return pipe
        pipe = self._start()
        try:
            pipe.send(question)
        except OSError:
            self._discard()
            raise LostWorkerError("detect", WorkerDiedError.__name__) from None
        return pipe

    def _start(self) -> Connection[Any, Any]:
        with self._changing:
            if self._ended:
                raise WorkerError("the workers were ended")
            child = self._child = Child(
                serve, self._make, self._memory, self._threads, self._processes
            )
            self.started += 1
        try:
            error = child.hear_first()
        except BaseException:
            self._discard()
            raise
        if error is None:
            return child.pipe
        self._discard()
        if type(error) is not WorkerError:
            raise error
        raise WorkerError(
            f"a worker process could not be started: {error}. Try with fewer workers, or with "
            "none and without limits"
        )

    def _discard(self) -> None:
        with self._changing:
            child, self._child = self._child, None
            if child is not None:
                child.end()


class _FullError(Exception):
    """A worker needs more memory than it may have."""
