"""What `deid` and `annotate` share to begin work: limits, processes, marks of what a run needs."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrubjay.batch.setup import AnnotateSetup, DeidSetup
    from scrubjay.batch.workers import Workers
    from scrubjay.deidentifier import Deidentifier


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
def open_work(
    setup: DeidSetup | AnnotateSetup, limits: Limits, *, vault: bool = False
) -> Iterator[tuple[Deidentifier, Workers | None]]:
    """Give the de-identifier of a run, or its shape and the workers that hold it.

    The workers are ended with the block.
    """
    from scrubjay.batch.loading import loading

    if not limits.are_set:
        with loading():
            made = setup.make()
        yield made, None
        return
    from scrubjay.batch.setup import DeidSetup
    from scrubjay.batch.size import parse_size
    from scrubjay.batch.workers import TOGETHER, Workers
    from scrubjay.cores import available_cores

    memory = parse_size(limits.memory, what="the memory limit") if limits.memory else None
    make = (
        partial(setup.make_work, vault=vault) if isinstance(setup, DeidSetup) else setup.make_work
    )
    shape = setup.shape()
    if limits.seconds is not None:
        shape = replace(shape, batch_documents=TOGETHER)
    count = limits.workers or available_cores()
    with Workers(make, count=count, seconds=limits.seconds, memory=memory) as workers:
        yield shape, workers


def key_check(key: bytes) -> str:
    """Return a mark of a key, by which another key can be told; the key cannot be found by it."""
    return hmac.digest(key, b"scrubjay run", "sha256").hex()[:16]


def file_states(files: Iterable[Path | None]) -> list[str]:
    """Return a mark of each file that changes when the file does, "" for None."""
    from scrubjay.batch.resume import input_state

    return ["" if file is None else input_state([str(file)]) for file in files]
