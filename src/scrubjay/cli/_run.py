"""What `deid` and `annotate` share to begin work: limits, processes, marks of what a run needs."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from scrubjay.batch.work import AnnotateWork, DeidWork
    from scrubjay.batch.workers import Workers

    W = TypeVar("W", bound=DeidWork | AnnotateWork, covariant=True)

    class Setup(Protocol[W]):
        """What makes the work of a run, with its model or without."""

        def make_work(self) -> W: ...
        def shape_work(self) -> W: ...


@dataclass(frozen=True)
class Limits:
    """How the work of a run is spread over processes, and what each document may take."""

    workers: int = 1
    seconds: float | None = None
    memory: str = ""

    @property
    def are_set(self) -> bool:
        """Tell whether the work needs processes of its own."""
        return self.workers != 1 or self.seconds is not None or bool(self.memory)

    def facts(self) -> dict[str, Any]:
        """Return what a summary tells of the limits, and a run that goes on must agree with."""
        return {"time_limit": self.seconds, "memory_limit": self.memory or None}


@contextmanager
def open_work(setup: Setup[W], limits: Limits) -> Iterator[tuple[W, Workers | None]]:
    """Give the work of a run, or its shape and the workers that do it.

    The workers are ended with the block.
    """
    from scrubjay.batch._serving import warm_up
    from scrubjay.batch.loading import loading
    from scrubjay.cli._progress import waiting

    if not limits.are_set:
        with waiting("still loading the model and its tables"), loading():
            made = setup.make_work()
            warm_up(made)
        yield made, None
        return
    from scrubjay.batch.size import parse_size
    from scrubjay.batch.workers import TOGETHER, Workers
    from scrubjay.cores import available_cores

    memory = parse_size(limits.memory, what="the memory limit") if limits.memory else None
    shape = setup.shape_work()
    if limits.seconds is not None:
        together = replace(shape.deidentifier, batch_documents=TOGETHER)
        shape = replace(shape, deidentifier=together)
    count = limits.workers or available_cores()
    with ExitStack() as stack:
        with waiting(f"still loading the model, workers: {count}"):
            workers = stack.enter_context(
                Workers(setup.make_work, count=count, seconds=limits.seconds, memory=memory)
            )
        yield shape, workers


def key_check(key: bytes) -> str:
    """Return a mark of a key, by which another key can be told; the key cannot be found by it."""
    return hmac.digest(key, b"scrubjay run", "sha256").hex()[:16]


def file_states(files: Iterable[Path | None]) -> list[str]:
    """Return a mark of each file that changes when the file does, "" for None."""
    from scrubjay.batch.resume import input_state

    return ["" if file is None else input_state([str(file)]) for file in files]
