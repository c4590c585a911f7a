"""The bench: runs cells that are not stored yet, one after another or in processes beside.

A cell is stored the moment it is done, so what an interrupt costs is the cells in work, and of
those that keep checkpoints only their last steps.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from scrubjay.errors import InputError, ScrubjayError
from scrubjay.evaluation.intervals import FloatArray
from scrubjay.evaluation.pairs import labelled_pair
from scrubjay.evaluation.significance import strict_rows
from scrubjay.learning.experiments.cells import Cell, CellResult, Effort, run_cell
from scrubjay.learning.experiments.data import ExperimentData, Numbers
from scrubjay.learning.experiments.store import Store
from scrubjay.learning.learners import SHARED

_POLL = 0.2


class Watch(Protocol):
    """What is told while cells run; a cell is named as in the results."""

    def planned(self, cells: int) -> None:
        """Take in that many more cells."""

    def stage(self, cell: str, stage: str, share: float) -> None:
        """Take in how far a cell is in a stage of its training."""

    def finished(self, result: CellResult, *, stored: bool) -> None:
        """Take in the result of a cell; `stored` tells that it was there already."""


class SilentWatch:
    """Watches and says nothing."""

    def planned(self, cells: int) -> None:
        """Do nothing."""

    def stage(self, cell: str, stage: str, share: float) -> None:
        """Do nothing."""

    def finished(self, result: CellResult, *, stored: bool) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Where cells are run: their data, where results are kept, how many run at once.

    `as_members` is for experiments with ensembles: see `Effort`.
    """

    data: ExperimentData
    store: Store
    jobs: int = 1
    watch: Watch = field(default_factory=SilentWatch)
    as_members: bool = False

    def run(self, cells: Sequence[Cell]) -> list[CellResult]:
        """Return the results of cells, in order; those that are stored are not run again.

        Raises `InputError` that names the cell where a training refuses its documents or
        settings; the cells that were done before stay stored.
        """
        self.store.begin()
        self.watch.planned(len(cells))
        found: dict[str, CellResult] = {}
        missing: list[Cell] = []
        for cell in cells:
            known = self.store.read(cell, self.data)
            if known is None:
                missing.append(cell)
            else:
                found[cell.name] = known
                self.watch.finished(known, stored=True)
        for result in self._missing(missing):
            found[result.cell.name] = result
            self.watch.finished(result, stored=False)
        return [found[cell.name] for cell in cells]

    def strict_rows(self, result: CellResult, numbers: Numbers) -> FloatArray:
        """Return the strict counts of a stored result on each of these documents."""
        gold = self.data.at(numbers)
        predicted = self.store.predictions(result.cell, gold)
        return strict_rows(labelled_pair(*pair) for pair in zip(gold, predicted, strict=True))

    def _missing(self, cells: Sequence[Cell]) -> Iterator[CellResult]:
        """Run cells: those of ensembles last and in turn, so that they find each other's members.

        The processes are then for the members.
        """
        shared = [cell for cell in cells if cell.system.kind in SHARED]
        others = [cell for cell in cells if cell.system.kind not in SHARED]
        yield from self._alone(others) if self.jobs <= 1 else self._beside(others)
        yield from self._alone(shared)

    def _alone(self, cells: Sequence[Cell]) -> Iterator[CellResult]:
        for cell in cells:
            tell = partial(self.watch.stage, cell.name)
            with _naming(cell):
                effort = Effort(jobs=self.jobs, as_members=self.as_members)
                result = run_cell(
                    cell, self.data, work=self.store.work, progress=tell, effort=effort
                )
            yield self._stored(result)

    def _beside(self, cells: Sequence[Cell]) -> Iterator[CellResult]:
        if len(cells) <= 1:
            yield from self._alone(cells)
            return
        context = multiprocessing.get_context("spawn")
        jobs = min(self.jobs, len(cells))
        threads = max(1, (os.cpu_count() or 1) // jobs)
        effort = Effort(threads=threads, as_members=self.as_members)
        stages: Any = context.Queue()
        before = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(
            jobs,
            mp_context=context,
            initializer=_start_worker,
            initargs=(self.data, self.store.work, stages, effort),
        )
        try:
            pending = {pool.submit(_work, cell): cell for cell in cells}
            while pending:
                done, _ = wait(pending, timeout=_POLL, return_when=FIRST_COMPLETED)
                self._tell(stages)
                for future in done:
                    yield self._stored(_unpack(future, pending.pop(future)))
            pool.shutdown()
        except BaseException:
            # Nobody waits for the cells in work: they are run again, from their checkpoints.
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in set(multiprocessing.active_children()) - before:
                worker.terminate()
            raise
        finally:
            stages.close()

    def _tell(self, stages: Any) -> None:
        while True:
            try:
                self.watch.stage(*stages.get_nowait())
            except queue.Empty:
                return

    def _stored(self, result: CellResult) -> CellResult:
        self.store.write(result, self.data)
        return replace(result, predictions=())


@contextmanager
def _naming(cell: Cell) -> Iterator[None]:
    """Name the cell in errors on purpose that come from its training."""
    try:
        yield
    except ScrubjayError as error:
        raise InputError(f"{cell.name}: {error}") from error


@dataclass(frozen=True, slots=True)
class _Refused:
    """An error on purpose, on its way from a worker: its message."""

    message: str


def _unpack(future: Future[CellResult | _Refused], cell: Cell) -> CellResult:
    outcome = future.result()
    if isinstance(outcome, _Refused):
        raise InputError(f"{cell.name}: {outcome.message}")
    return outcome


_WORKER: dict[str, Any] = {}
"""What a worker process was started with; empty in any other process."""


def _start_worker(data: ExperimentData, work: Path, stages: Any, effort: Effort) -> None:
    _WORKER.update(data=data, work=work, stages=stages, effort=effort)


def _work(cell: Cell) -> CellResult | _Refused:
    told = 0.0

    def tell(stage: str, share: float) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= _POLL:
            told = now
            _WORKER["stages"].put((cell.name, stage, share))

    try:
        return run_cell(
            cell, _WORKER["data"], work=_WORKER["work"], progress=tell, effort=_WORKER["effort"]
        )
    except ScrubjayError as error:
        return _Refused(str(error))
