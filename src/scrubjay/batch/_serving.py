"""What runs in a worker process: it makes the work once, and answers until nobody asks any more."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from scrubjay.batch.child import EXIT, become_child
from scrubjay.batch.loading import loading
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.work import Work
from scrubjay.compiling import share_work
from scrubjay.cores import bound_threads
from scrubjay.deidentifier import Stage
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, ScrubjayError, WorkerError

Made = TypeVar("Made")

_GRACE = 10.0
_MADE_UP = "Ann Lee, 12 Elm Street, Springfield 02139, 3/4/2019"
_MEGABYTE = 1_000_000


def serve(
    pipe: Connection[Any, Any],
    make: Callable[[], Work],
    memory: int | None,
    threads: int,
    processes: int,
) -> None:
    """Answer questions until nobody asks any more. Nothing that is raised here is ever shown."""
    try:
        become_child()
        bound_threads(threads)
        share_work(processes)
        work = make_or_tell(pipe, lambda: _make(make, memory))
        if work is not None:
            pipe.send(None)
        while work is not None:
            batch, seconds = pipe.recv()
            _set_alarm(0.0 if seconds is None else seconds + _GRACE)
            outcomes = work.process(batch, tell=lambda stage: pipe.send(("stage", stage)))
            full = None if memory is None else _ran_out(outcomes)
            pipe.send(("answer", outcomes) if full is None else ("full", full))
            _set_alarm(0.0)
    except MemoryError:
        with suppress(BaseException):
            pipe.send(("full", "prove"))
        os._exit(EXIT)
    except BaseException:
        # Whoever asked learns of it by the end of the process. A traceback may quote a document.
        os._exit(EXIT)


def resident_bytes(process: int) -> int:
    """Return the memory that a process holds for itself alone, 0 where that cannot be told."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text("ascii").split()
    except OSError:
        return 0
    return (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")


def require_memory_limits() -> None:
    """Raise `ConfigError` where the system cannot tell or limit the memory of a process."""
    if not Path("/proc/self/statm").exists():
        raise ConfigError(
            "the memory of a worker can be limited on Linux alone",
            hint="Leave --memory-limit out, or limit the memory of the whole run by the system",
        )


def make_or_tell(pipe: Connection[Any, Any], make: Callable[[], Made]) -> Made | None:
    """Return what is made, or send the error that it ends in, and return None.

    Of an error that is not ours the name alone is told: its message may quote a document.
    """
    try:
        return make()
    except ScrubjayError as error:
        pipe.send(error)
    except Exception as error:
        pipe.send(WorkerError(f"unexpected {type(error).__name__}"))
    return None


def _make(make: Callable[[], Work], memory: int | None) -> Work:
    with loading():
        work = make()
        warm_up(work)
    if memory is not None:
        _limit_memory(memory)
    return work


def _limit_memory(memory: int) -> None:
    """Let this process grow up to so many bytes: then it runs out of memory, and can say so."""
    import resource

    held = resident_bytes(os.getpid())
    if held >= memory:
        raise ConfigError(
            f"the memory limit is too small: a worker takes {held / _MEGABYTE:,.0f} MB before "
            "the first document",
            hint="Give a greater one",
        )
    # What is reserved and not used counts for the system, not for us.
    page = os.sysconf("SC_PAGE_SIZE")
    data = int(Path("/proc/self/statm").read_text("ascii").split()[5]) * page
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = data + memory - held
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _ran_out(outcomes: list[list[Outcome]]) -> Stage | None:
    """Return the stage in which there was no memory for a document, None where there was.

    numpy has an error of its own for that.
    """
    failures = [outcome.failure for record in outcomes for outcome in record if outcome.failure]
    return next((each.stage for each in failures if each.code.endswith("MemoryError")), None)


def warm_up(work: Work) -> None:
    """Have the tables read, and the kernels built, that are needed first: no document pays.

    The text is made up; what goes wrong with it tells nothing.
    """
    deidentifier, mention = work.deidentifier, _MADE_UP
    model = getattr(deidentifier.detector, "model", deidentifier.detector)
    with suppress(Exception):
        model.detect([Document("", mention)])
    policy = deidentifier.policy
    for label in sorted({*deidentifier.detector.labels, *policy.operators, *model.labels}):
        with suppress(Exception):
            spans = [Span(0, len(mention), label)]
            policy.plan(Document("", mention), spans, language=deidentifier.language)


def _set_alarm(seconds: float) -> None:
    """Have the system end this process by then: who asked may be gone and cannot kill it."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
