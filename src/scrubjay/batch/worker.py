"""A worker: a process of its own that works on documents, and that can be killed.

Native code cannot be interrupted from inside its process, and a crash takes the process along.
So a worker is started anew where it takes too long or dies, and the process that asked goes on.
Questions and answers go through a pipe, in memory alone; what a worker, or a library in it,
writes to its standard output or error is thrown away, since it may quote a document.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any

from scrubjay.deidentifier import Deidentified, Deidentifier, Failure, Stage
from scrubjay.document import Document, Span
from scrubjay.errors import ScrubjayError, TimeLimitError, WorkerDiedError, WorkerError

Make = Callable[[], Deidentifier]

START_SECONDS = 600.0
"""How long a worker may take to load its model."""

_GRACE = 10.0
_LONGEST = 1_000_000.0  # seconds that a system call can wait
_EXIT = 70
_MADE_UP = "Ann Lee, 12 Elm Street, Springfield 02139, 3/4/2019"


class LostWorkerError(Exception):
    """A worker was lost over a question: in which stage, and to what (a class of `errors`)."""

    def __init__(self, stage: Stage, code: str) -> None:
        super().__init__(f"{code} in stage {stage}")
        self.stage: Stage = stage
        self.code = code


class Worker:
    """A process that holds a de-identifier and answers questions; used in a `with` statement.

    `make` builds the de-identifier, once in each process. It must be picklable and is sent
    there through a pipe, with all that it holds, keys too. Entering raises what `make` raises,
    and `WorkerError` where the process cannot be started.
    """

    def __init__(self, make: Make) -> None:
        self._make = make
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None
        self.started = 0
        """How many processes were started: 1, and one more for each that was lost."""

    def __enter__(self) -> Worker:
        self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._kill()

    def detect(
        self, batch: Sequence[Sequence[Document]], *, seconds: float
    ) -> list[tuple[Span, ...] | Failure]:
        """Return what `Deidentifier.detect_records` does, or raise `LostWorkerError`."""
        found: list[tuple[Span, ...] | Failure] = self._ask("detect", (batch,), seconds)
        return found

    def deidentify(
        self, batch: Sequence[Sequence[Document]], *, seconds: float
    ) -> list[Deidentified | Failure]:
        """Return each document detected and transformed, or raise `LostWorkerError`."""
        results: list[Deidentified | Failure] = self._ask("deidentify", (batch,), seconds)
        return results

    def transform(
        self, document: Document, found: tuple[Span, ...], *, seconds: float
    ) -> Deidentified | Failure:
        """Return what `Deidentifier.transform` does, or raise `LostWorkerError`."""
        result: Deidentified | Failure = self._ask("transform", (document, found), seconds)
        return result

    def _ask(self, task: str, what: tuple[Any, ...], seconds: float) -> Any:
        seconds = min(seconds, _LONGEST)
        stage: Stage = "transform" if task == "transform" else "detect"
        pipe = self._send((task, what, seconds))
        end = time.monotonic() + seconds
        try:
            while pipe.poll(max(0.0, end - time.monotonic())):
                kind, value = pipe.recv()
                if kind == "answer":
                    return value
                stage = value
        except (EOFError, OSError):
            self._kill()
            raise LostWorkerError(stage, WorkerDiedError.__name__) from None
        except BaseException:
            self._kill()
            raise
        self._kill()
        raise LostWorkerError(stage, TimeLimitError.__name__)

    def _send(self, question: tuple[Any, ...]) -> Connection[Any, Any]:
        """Send a question; a worker that died since the last one is started anew."""
        if self._pipe is not None:
            try:
                self._pipe.send(question)
            except OSError:
                self._kill()
            else:
                return self._pipe
        pipe = self._start()
        pipe.send(question)
        return pipe

    def _start(self) -> Connection[Any, Any]:
        # Not forked: threads of libraries do not survive that, and locks do.
        context = multiprocessing.get_context("spawn")
        pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._make), daemon=True)
        self._pipe = pipe
        with _deaf_to_interrupts():
            self._process.start()
        theirs.close()
        self.started += 1
        try:
            error = pipe.recv() if pipe.poll(START_SECONDS) else WorkerError("it took too long")
        except (EOFError, OSError):
            error = WorkerError("it died")
        except BaseException:
            self._kill()
            raise
        if error is None:
            return pipe
        self._kill()
        if type(error) is not WorkerError:
            raise error
        raise WorkerError(
            f"the worker process could not be started: {error}. Try without a time limit"
        )

    def _kill(self) -> None:
        process, self._process = self._process, None
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.close()
        if process is not None and process.pid is not None:
            process.kill()
            process.join()
            process.close()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started here ignore Ctrl-C: who started them ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _serve(pipe: Connection[Any, Any], make: Make) -> None:
    """Answer questions until nobody asks any more. Nothing that is raised here is ever shown."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _be_silent()
        _leave_no_core()
        deidentifier = _make_or_tell(pipe, make)
        while deidentifier is not None:
            task, what, seconds = pipe.recv()
            _set_alarm(seconds + _GRACE)
            pipe.send(("answer", _answer(pipe, deidentifier, task, what)))
            _set_alarm(0.0)
    except BaseException:
        # Whoever asked learns of it by the end of the process. A traceback may quote a document.
        os._exit(_EXIT)


def _make_or_tell(pipe: Connection[Any, Any], make: Make) -> Deidentifier | None:
    try:
        deidentifier = make()
        _warm_up(deidentifier)
    except ScrubjayError as error:
        pipe.send(error)
        return None
    except Exception as error:
        pipe.send(WorkerError(f"unexpected {type(error).__name__}"))
        return None
    pipe.send(None)
    return deidentifier


def _warm_up(deidentifier: Deidentifier) -> None:
    """Have the tables read that are read when they are first needed: no document pays for that.

    The text is made up; what goes wrong with it tells nothing.
    """
    mention, model = _MADE_UP, getattr(deidentifier.detector, "model", deidentifier.detector)
    with suppress(Exception):
        model.detect([Document("", mention)])
    policy = deidentifier.policy
    for label in sorted({*deidentifier.detector.labels, *policy.operators, *model.labels}):
        with suppress(Exception):
            spans = [Span(0, len(mention), label)]
            policy.plan(Document("", mention), spans, language=deidentifier.language)


def _answer(
    pipe: Connection[Any, Any], deidentifier: Deidentifier, task: str, what: tuple[Any, ...]
) -> Any:
    if task == "transform":
        return deidentifier.transform(*what)
    (batch,) = what
    results = deidentifier.detect_records(batch)
    if task == "detect":
        return results
    pipe.send(("stage", "transform"))
    documents = [document for record in batch for document in record]
    return [
        found if isinstance(found, Failure) else deidentifier.transform(document, found)
        for document, found in zip(documents, results, strict=True)
    ]


def _be_silent() -> None:
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        for stream in (1, 2):
            with suppress(OSError):
                os.dup2(nowhere.fileno(), stream)


def _leave_no_core() -> None:
    """Have the system write no file of this process's memory where it crashes."""
    try:
        import resource
    except ImportError:  # a system without such files
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _set_alarm(seconds: float) -> None:
    """Have the system end this process by then: who asked may be gone and cannot kill it."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
