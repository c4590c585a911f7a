"""A worker process of the service: it holds an engine, answers jobs, and can be killed.

Jobs and answers go through a pipe, in memory alone; what the process writes to its standard
output or error is thrown away, since it may quote a document.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from scrubjay.batch.silence import be_silent, leave_no_core
from scrubjay.errors import ScrubjayError, WorkerError
from scrubjay.taggers._viterbi import COMPILE_FROM, use_compiled
from scrubjay.web.engine import Answer, Facts, Job

START_SECONDS = 600.0
"""How long a worker may take to load its models."""

_EXIT = 70


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
    """A process of its own that holds an engine."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None

    def start(self) -> Facts:
        """Start the process, wait until it is warm, and return what it tells of its models.

        Raises what loading raises, and `WorkerError` where the process could not be started.
        """
        # Not forked: threads of libraries do not survive that, and locks do.
        context = multiprocessing.get_context("spawn")
        pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._setup), daemon=True)
        self._pipe = pipe
        self._process.start()
        theirs.close()
        try:
            told = pipe.recv() if pipe.poll(START_SECONDS) else WorkerError("it took too long")
        except (EOFError, OSError):
            told = WorkerError("it died")
        except Exception as broken:  # an error that does not survive the pipe
            told = WorkerError(f"unexpected {type(broken).__name__}")
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
        pipe = self._pipe
        assert pipe is not None
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
        process, self._process = self._process, None
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.close()
        if process is not None and process.pid is not None:
            process.kill()
            process.join()
            process.close()


def _serve(pipe: Connection[Any, Any], setup: Setup) -> None:
    """Answer jobs until nobody asks any more. Nothing that is raised here is ever shown."""
    try:
        # Who started this process ends it, after its last job: signals to the group do not.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        be_silent()
        leave_no_core()
        engine = _make_or_tell(pipe, setup)
        while engine is not None:
            job = pipe.recv()
            try:
                answer: tuple[str, Any] = ("answer", engine.answer(job))
            except Exception as error:
                answer = ("error", type(error).__name__)
            pipe.send(answer)
    except BaseException:
        # A traceback may quote a document.
        os._exit(_EXIT)


def _make_or_tell(pipe: Connection[Any, Any], setup: Setup) -> Answers | None:
    try:
        engine = setup.make()
        use_compiled(COMPILE_FROM)  # a service lives long enough for compiled kernels to pay
        engine.warm_up()
    except ScrubjayError as error:
        pipe.send(error)
        return None
    except Exception as error:
        pipe.send(WorkerError(f"unexpected {type(error).__name__}"))
        return None
    pipe.send(engine.facts())
    return engine
