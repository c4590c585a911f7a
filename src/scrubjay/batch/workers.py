"""Workers: processes that work on the batches of a run, ordered and bounded, and that may be lost.

Each has loaded the model once. The run reads, gives out batches and takes the outcomes in the
order of the input; it never reads further ahead than a few batches for each worker.
"""

from __future__ import annotations

import math
import queue
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack

from scrubjay.batch.outcome import Outcome
from scrubjay.batch.stopping import Stop
from scrubjay.batch.work import Batch
from scrubjay.batch.worker import LostWorkerError, Make, Worker
from scrubjay.cores import share_cores
from scrubjay.deidentifier import Failure, Stage
from scrubjay.document import Document
from scrubjay.errors import ConfigError, MemoryLimitError, ScrubjayError, WorkerDiedError

LONGEST_LIMIT = 86_400.0
"""The greatest limit for one document, in seconds: a day."""

MOST_WORKERS = 256
TOGETHER = 8
"""Documents in one call with a limit of time, where records are not longer: they share it."""

_AHEAD = 3  # batches for each worker that are given out or wait for their turn
_LOOK_SECONDS = 0.1  # how often a run that waits looks whether it is to stop
_AHEAD_CHARACTERS = 1_000_000  # the same, in characters, save for a single batch
# Another process, or the documents before, may be to blame; time is measured for each alone.
_MAYBE_INNOCENT = (WorkerDiedError.__name__, MemoryLimitError.__name__)
_TRIES = 2  # how often a record, or a document, alone may lose its worker


_Answer = Future[list[list[Outcome]]]


class Workers:
    """Worker processes for `deidentify_corpus` and `annotate_corpus`; used in a `with` statement.

    `make` builds the work, once in each process, and must be picklable. With `seconds` each
    document has a limit of time, and with `memory` each process one of so many bytes. A worker
    that dies, or breaks a limit, is replaced, and the documents that it had are given out in
    parts, down to each alone: a document that takes too long, or loses its worker twice, by
    itself is a `Failure` with the code `TimeLimitError`, `MemoryLimitError` or
    `WorkerDiedError`, and spoils no other.

    Raises `ConfigError` for a number or a limit that cannot be; entering raises what `make`
    raises, and `WorkerError` where a process cannot be started.
    """

    def __init__(
        self,
        make: Make,
        *,
        count: int = 1,
        seconds: float | None = None,
        memory: int | None = None,
    ) -> None:
        self.require(count=count, seconds=seconds)
        threads = share_cores(count)
        self._workers = [
            Worker(make, memory=memory, threads=threads, processes=count) for _ in range(count)
        ]
        self._seconds = seconds
        self._free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        self._lanes: ThreadPoolExecutor | None = None

    @staticmethod
    def require(*, count: int = 1, seconds: float | None = None) -> None:
        """Raise `ConfigError` for a number of workers, or a limit, that cannot be."""
        if not 1 <= count <= MOST_WORKERS:
            raise ConfigError(
                f"the workers must be 1 to {MOST_WORKERS}, or 0 for one a core, not {count}"
            )
        if seconds is not None and not (math.isfinite(seconds) and 0 < seconds <= LONGEST_LIMIT):
            raise ConfigError(
                f"the time limit must be above 0 and at most {LONGEST_LIMIT:,.0f} seconds, "
                f"not {seconds:g}"
            )

    @property
    def count(self) -> int:
        """Return how many workers there are."""
        return len(self._workers)

    @property
    def started(self) -> int:
        """Return how many processes were started: one a worker, and one more for each lost."""
        return sum(worker.started for worker in self._workers)

    @property
    def processes(self) -> list[int]:
        """Return the numbers of the processes that run now."""
        return [worker.number for worker in self._workers if worker.number is not None]

    def __enter__(self) -> Workers:
        with ExitStack() as stack:
            self._lanes = ThreadPoolExecutor(self.count, thread_name_prefix="worker")
            stack.callback(self._end)
            for started in [self._lanes.submit(worker.start) for worker in self._workers]:
                started.result()
            for worker in self._workers:
                self._free.put(worker)
            stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def _end(self) -> None:
        for worker in self._workers:
            worker.end()
        if self._lanes is not None:
            self._lanes.shutdown(wait=True, cancel_futures=True)
        self._lanes = None

    def map(
        self, batches: Iterator[Batch], *, stop: Stop | None = None
    ) -> Iterator[list[list[Outcome]]]:
        """Yield the outcomes of each batch, in order.

        Where `stop` is asked, no further batch is read or begun, and those that are under way may
        end within the moment that it leaves. An error of the iterator is raised after the outcomes
        of what came before it.
        """
        assert self._lanes is not None, "use the workers in a `with` statement"
        stop = stop or Stop()
        open_batches: deque[tuple[_Answer, int]] = deque()
        most, ahead = _AHEAD * self.count, 0
        error: Exception | None = None
        reading = True
        while reading or open_batches:
            reading = reading and not stop.asked
            if reading and (
                not open_batches
                or (len(open_batches) < most and ahead < _AHEAD_CHARACTERS * self.count)
            ):
                try:
                    with stop.breaking():  # input may be a pipe that nothing comes from
                        batch = next(batches, None)
                except Exception as raised:
                    error, batch = raised, None
                if batch is None:
                    reading = False
                    continue
                size = sum(len(document.text) for record in batch for document in record)
                open_batches.append((self._lanes.submit(self._work, batch), size))
                ahead += size
                continue
            if open_batches:
                done, size = open_batches.popleft()
                ahead -= size
                if not _await(done, [each for each, _ in open_batches], stop):
                    return
                yield done.result()
        if error is not None:
            raise error

    def _work(self, batch: Batch) -> list[list[Outcome]]:
        """Have a batch worked on by the next worker that is free."""
        worker = self._free.get()
        try:
            bare = [[_bare(document) for document in record] for record in batch]
            return self._share(worker, bare)
        finally:
            self._free.put(worker)

    def _share(self, worker: Worker, batch: Batch, *, lost: int = 0) -> list[list[Outcome]]:
        """Return the outcomes of a batch; where a worker is lost over it, of its parts."""
        alone = len(batch) == 1
        try:
            return self._ask(worker, batch)
        except LostWorkerError as error:
            if alone and error.code in _MAYBE_INNOCENT and lost + 1 < _TRIES:
                return self._share(worker, batch, lost=lost + 1)
            if alone and len(batch[0]) == 1:
                return [[_failed(batch[0][0], error.stage, error.code)]]
        except ScrubjayError:
            # A worker that cannot be started is no fault of a document.
            raise
        except Exception as error:  # a document that cannot be sent
            if alone and len(batch[0]) == 1:
                return [[_failed(batch[0][0], "detect", type(error).__name__)]]
        if alone:
            return [self._sift(worker, batch[0])]
        return [record for part in batch for record in self._share(worker, [part])]

    def _sift(self, worker: Worker, record: Sequence[Document]) -> list[Outcome]:
        """Return the outcomes of a record without the documents that it is lost over.

        The others are worked on together: what is found in one is looked for in all.
        """
        outcomes = [self._share(worker, [[document]])[0][0] for document in record]
        places = [place for place, outcome in enumerate(outcomes) if not outcome.failure]
        rest = [record[place] for place in places]
        try:
            together = self._ask(worker, [rest])[0] if rest else []
        except LostWorkerError as error:
            together = [_failed(document, error.stage, error.code) for document in rest]
        for place, outcome in zip(places, together, strict=True):
            outcomes[place] = outcome
        return outcomes

    def _ask(self, worker: Worker, batch: Batch) -> list[list[Outcome]]:
        seconds = None if self._seconds is None else self._seconds * sum(map(len, batch))
        return worker.process(batch, seconds=seconds)


def _await(answer: _Answer, behind: Sequence[_Answer], stop: Stop) -> bool:
    """Wait for the answer to a batch; return whether there will be one.

    There is none where the run is to stop and it was not begun, or takes too long. Those `behind`
    it that were not begun are called off then, too.
    """
    while not answer.done():
        if stop.asked:
            for each in (*reversed(behind), answer):
                each.cancel()
            wait([answer], timeout=stop.left)
            return answer.done() and not answer.cancelled()
        wait([answer], timeout=_LOOK_SECONDS)
    return not answer.cancelled()


def _bare(document: Document) -> Document:
    return document.with_spans(()) if document.spans else document


def _failed(document: Document, stage: Stage, code: str) -> Outcome:
    return Outcome(document.id, len(document.text), failure=Failure(document.id, stage, code))
