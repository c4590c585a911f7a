"""A worker process of the service: it holds an engine, answers jobs, and can be killed.

What the process writes to its standard output or error is thrown away, since it may quote a
document.
"""

from __future__ import annotations

import gc
import os
import time
from multiprocessing.connection import Connection
from typing import Any, Protocol

from scrubjay.batch._serving import make_or_tell
from scrubjay.batch.child import EXIT, Child, become_child
from scrubjay.compiling import compile_from_now_on
from scrubjay.cores import bound_threads
from scrubjay.errors import WorkerError
from scrubjay.web.engine import Answer, Facts, Job


class Answers(Protocol):
    """What answers jobs: an `Engine`, or what stands for one in a test."""

    def answer(self, job: Job) -> Answer:
        """Return what comes of each document of a job."""

    def facts(self) -> Facts:
        """Return what is known of the models."""

    def warm_up(self) -> None:
        """Have everything read that is read when it is first needed."""


class Setup(Protocol):
    """What makes an engine, and can be sent to another process."""

    def make(self) -> Answers:
        """Return the engine."""


class LostProcessError(WorkerError):
    """The process died while it worked on a job."""


class SlowJobError(WorkerError):
    """A job took longer than it may, so its process was killed."""


class InThread:
    """An engine in this process, with the methods of `Process`; it cannot be killed."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._engine: Answers | None = None

    def start(self) -> Facts:
        """Load the engine and warm it up; raises what that raises."""
        self._engine = self._setup.make()
        self._engine.warm_up()
        return self._engine.facts()

    def ask(self, job: Job, *, seconds: float) -> Answer:
        """Return the answer to a job; raises `WorkerError` for an error that nobody foresaw."""
        assert self._engine is not None
        try:
            return self._engine.answer(job)
        except Exception as error:
            raise WorkerError(type(error).__name__) from None

    def end(self) -> None:
        """Let go of the engine."""
        self._engine = None


class Process:
    """A process of its own that holds an engine and works on so many `threads`."""

    def __init__(self, setup: Setup, *, threads: int = 1) -> None:
        self._setup = setup
        self._threads = threads
        self._child: Child | None = None

    def start(self) -> Facts:
        """Start the process, wait until it is warm, and return what it tells of its models.

        Raises what loading raises, and `WorkerError` where the process could not be started.
        """
        self._child = Child(_serve, self._setup, self._threads)
        told = self._child.hear_first()
        if isinstance(told, Facts):
            return told
        self.end()
        if type(told) is WorkerError:
            raise WorkerError(f"a worker process could not be started: {told}")
        raise told

    def ask(self, job: Job, *, seconds: float) -> Answer:
        """Return the answer to a job.

        Raises `SlowJobError` and `LostProcessError`, after which the process is gone, and
        `WorkerError` for an error in it that nobody foresaw.
        """
        assert self._child is not None
        pipe = self._child.pipe
        end = time.monotonic() + seconds
        try:
            pipe.send(job)
            if not pipe.poll(max(0.0, end - time.monotonic())):
                self.end()
                raise SlowJobError("a job took too long")
            kind, value = pipe.recv()
        except (EOFError, OSError):
            self.end()
            raise LostProcessError("the process died") from None
        if kind == "error":
            raise WorkerError(value)
        answer: Answer = value
        return answer

    def end(self) -> None:
        """End the process at once, and wait for that."""
        child, self._child = self._child, None
        if child is not None:
            child.end()


def _serve(pipe: Connection[Any, Any], setup: Setup, threads: int) -> None:
    """Answer jobs until nobody asks any more. Nothing that is raised here is ever shown."""
    try:
        become_child()
        bound_threads(threads)
        engine = make_or_tell(pipe, lambda: _make(setup))
        if engine is not None:
            pipe.send(engine.facts())
        while engine is not None:
            job = pipe.recv()
            try:
                answer: tuple[str, Any] = ("answer", engine.answer(job))
            except Exception as error:
                answer = ("error", type(error).__name__)
            pipe.send(answer)
    except BaseException:
        # A traceback may quote a document.
        os._exit(EXIT)


def _make(setup: Setup) -> Answers:
    engine = setup.make()
    compile_from_now_on()  # a service lives long enough for kernels to pay
    engine.warm_up()
    gc.collect()
    gc.freeze()  # what is loaded stays: no collection need look at it again
    return engine
