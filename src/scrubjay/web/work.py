"""The queue of jobs and who takes them from it, so that the event loop never waits for a model.

Each worker is a process of its own behind a thread that feeds it: it can be killed where a job
takes too long, and a crash of native code is the loss of one job. The queue is bounded: a request
that finds it full is turned away at once, instead of making all others late.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field

from scrubjay.cores import share_cores
from scrubjay.errors import WorkerError
from scrubjay.web.engine import Answer, Facts, Job
from scrubjay.web.metrics import Metrics
from scrubjay.web.problems import Problem
from scrubjay.web.process import InThread, LostProcessError, Process, Setup, SlowJobError

_RESTART_SECONDS = 1.0
_LONGEST_RESTART = 60.0


@dataclass(slots=True, repr=False)
class _Entry:
    job: Job
    until: float
    future: Future[Answer] = field(default_factory=Future)


class Pool:
    """Workers that answer jobs, and the queue before them.

    `workers` processes answer one job each at a time; 0 is one thread of this process, which
    cannot be killed. At most `waiting` jobs wait, each for `seconds` at most; a job that runs
    for longer than `seconds` loses its process.
    """

    def __init__(
        self,
        setup: Setup,
        metrics: Metrics,
        *,
        workers: int = 1,
        waiting: int = 64,
        seconds: float = 30.0,
    ) -> None:
        self._setup = setup
        self._metrics = metrics
        self._workers = workers
        self._most = waiting
        self._seconds = seconds
        self._queue: deque[_Entry] = deque()
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._ready = 0
        self._idle: set[int] = set()
        self._running = 0
        self._stopping = False
        self._error: Exception | None = None
        self._mean = 0.05
        self.facts = Facts()

    @property
    def ready(self) -> int:
        """How many workers can take a job."""
        return self._ready

    @property
    def waiting(self) -> int:
        """How many jobs wait for a worker."""
        return len(self._queue)

    @property
    def busy(self) -> int:
        """How many workers have a job."""
        return self._running

    @property
    def idle(self) -> int:
        """How many workers wait for a job."""
        return len(self._idle)

    def start(self) -> None:
        """Start the workers and wait until each is warm; raises what one could not start for."""
        count = max(1, self._workers)
        for number in range(count):
            thread = threading.Thread(
                target=self._work, args=(number,), name=f"scrubjay-{number}", daemon=True
            )
            self._threads.append(thread)
            thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._ready == count or self._error is not None)
            error = self._error
        if error is not None:
            self.stop()
            raise error

    def stop(self) -> None:
        """Let what runs come to its end, turn away what waits, and end the workers."""
        with self._changed:
            self._stopping = True
            left = list(self._queue)
            self._queue.clear()
            self._changed.notify_all()
        for entry in left:
            if entry.future.set_running_or_notify_cancel():
                entry.future.set_exception(Problem("draining"))
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    async def run(self, job: Job) -> Answer:
        """Return the answer to a job; raises `Problem` where there is none.

        A caller that is cancelled leaves the queue.
        """
        entry = self._enter(job)
        try:
            # The worker keeps the time; this is for one thread, which nobody can stop.
            async with asyncio.timeout(2 * self._seconds + 5.0):
                return await asyncio.wrap_future(entry.future)
        except TimeoutError:
            if not self._ready:
                raise Problem("not-ready", headers={"Retry-After": "5"}) from None
            raise _too_slow(self._seconds) from None

    def _enter(self, job: Job) -> _Entry:
        with self._changed:
            if self._stopping:
                raise Problem("draining")
            if len(self._queue) >= self._most:
                wait = math.ceil((len(self._queue) + 1) * self._mean / max(1, self._workers))
                raise Problem(
                    "queue-full",
                    f"{len(self._queue)} requests are waiting",
                    hint="Ask again after the time of Retry-After",
                    headers={"Retry-After": str(max(1, min(wait, 60)))},
                )
            entry = _Entry(job, time.monotonic() + self._seconds)
            self._queue.append(entry)
            self._metrics.waiting.set(len(self._queue))
            self._changed.notify_all()
        return entry

    def _work(self, number: int) -> None:
        """Answer jobs until the pool stops; a process that is lost is replaced."""
        wait = _RESTART_SECONDS
        while not self._stopping:
            worker = self._make_worker()
            try:
                self.facts = worker.start()
            except Exception as error:
                with self._changed:
                    self._error = error
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: self._stopping, timeout=wait)
                wait = min(2 * wait, _LONGEST_RESTART)
                continue
            wait = _RESTART_SECONDS
            self._count(+1)
            try:
                self._serve(worker, number)
            finally:
                self._count(-1)
                worker.end()

    def _make_worker(self) -> Process | InThread:
        if not self._workers:
            return InThread(self._setup)
        return Process(self._setup, threads=share_cores(self._workers))

    def _count(self, change: int) -> None:
        with self._changed:
            self._ready += change
            self._metrics.workers.set(self._ready)
            self._changed.notify_all()

    def _note_running(self, change: int) -> None:
        with self._changed:
            self._running += change

    def _serve(self, worker: Process | InThread, number: int) -> None:
        """Feed one worker until the pool stops or it is lost."""
        while (entry := self._next(number)) is not None:
            if not entry.future.set_running_or_notify_cancel():
                continue
            if time.monotonic() > entry.until:
                entry.future.set_exception(Problem("queue-timeout", headers={"Retry-After": "1"}))
                continue
            began = time.monotonic()
            self._note_running(+1)
            try:
                answer = worker.ask(entry.job, seconds=self._seconds)
            except SlowJobError:
                self._lose("time-limit", entry, _too_slow(self._seconds))
                return
            except LostProcessError:
                self._lose("died", entry, Problem("worker-lost", headers={"Retry-After": "1"}))
                return
            except WorkerError:
                entry.future.set_exception(Problem("internal"))
                continue
            finally:
                self._note_running(-1)
            self._mean += 0.05 * (time.monotonic() - began - self._mean)
            entry.future.set_result(answer)

    def _lose(self, why: str, entry: _Entry, problem: Problem) -> None:
        self._metrics.note_lost(why)
        entry.future.set_exception(problem)

    def _next(self, number: int) -> _Entry | None:
        """Return the next job for a worker, None once the pool stops.

        Of those that are idle the first takes it: what it has met of words is then of use to most
        jobs, and not to its share of them.
        """
        with self._changed:
            self._idle.add(number)
            self._changed.wait_for(
                lambda: self._stopping or (self._queue and number == min(self._idle))
            )
            self._idle.discard(number)
            if not self._queue:
                return None
            entry = self._queue.popleft()
            self._metrics.waiting.set(len(self._queue))
            if self._queue:
                self._changed.notify_all()
            return entry


def _too_slow(seconds: float) -> Problem:
    return Problem(
        "time-limit",
        f"The request may take {seconds:g} seconds",
        hint="Send fewer or shorter documents at once",
    )
