"""Work side by side, on the cores that this process may use.

Threads are kept from one call to the next. Whoever asks for results does a share of the work, and
all of it where no other thread is free: so work that is begun inside of other work never waits
for a thread, and a process that may use one core has one thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event, Lock
from time import sleep
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

J = TypeVar("J")
R = TypeVar("R")
S = TypeVar("S", covariant=True)

#: More threads than this gain little: encoding and decoding take their share of one.
MOST_THREADS = 8

#: What bounds the threads of most libraries for numbers; it bounds ours, too.
BOUND = "OMP_NUM_THREADS"

#: Seconds for which it is waited that another thread begins with what it was given. Most begin in
#: a hundred microseconds, and in five milliseconds where nobody waits for them: the interpreter
#: leaves a thread that long.
_PATIENCE = 0.002

#: Seconds between two looks whether a part is done, and how many before another one is begun.
_LOOK, _LOOKS = 0.000_05, 8

Flags = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]

_share = MOST_THREADS
#: By process, so that one that was forked has its own, and by their size.
_POOLS: dict[tuple[int, int], ThreadPoolExecutor] = {}


def available_cores() -> int:
    """Return on how many cores this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def usable_threads() -> int:
    """Return how many threads this process should work on, the one that asks among them.

    One for each core that it may run on, up to `MOST_THREADS`; fewer where `OMP_NUM_THREADS` says
    so, or where it shares the cores with others (`share_cores`).
    """
    bound = os.environ.get(BOUND, "").partition(",")[0].strip()
    most = int(bound) if bound.isdecimal() else MOST_THREADS
    return max(1, min(available_cores(), most, _share, MOST_THREADS))


def share_cores(processes: int) -> int:
    """Return on how many threads each of so many processes is to work: its share, at least 1."""
    return max(1, min(available_cores() // max(1, processes), _share))


def bound_threads(threads: int) -> None:
    """Let this process work on no more than so many threads from now on."""
    global _share
    _share = max(1, threads)


def leave_cores() -> None:
    """Work on one thread from now on, unless `OMP_NUM_THREADS` tells how many this process has.

    For tasks of a cluster, of which each has a core, and the next one runs beside it.
    """
    if BOUND not in os.environ:
        bound_threads(1)


class Results(Protocol[S]):
    """Results in order, once, which other threads may be at work on; see `Begun`."""

    def __iter__(self) -> Iterator[S]: ...

    def cancel(self) -> None: ...


class Begun(Generic[R]):
    """Jobs that other threads begin on, while whoever made this does something else.

    To iterate is to get the results in the order of the jobs, once. Meanwhile this thread does
    what no other has begun. What a job raises is raised, and no other is begun after it; when it
    is raised, none is at work any more. One that is not iterated over is to be cancelled. Where
    much else is done before, `ahead` hands out all jobs, a single one, too.
    """

    def __init__(self, work: Callable[[J], R], jobs: Sequence[J], *, ahead: bool = False) -> None:
        def bind(job: J) -> Callable[[], R]:
            return lambda: work(job)

        self._jobs = [bind(job) for job in jobs]
        self._futures: list[Future[R]] = []
        self._own: dict[int, R] = {}
        most = len(jobs) + ahead  # asked first: to ask the system takes longer than a small job
        if most > 1 and (threads := min(usable_threads(), most)) > 1:
            self._hand_out(threads - 1)

    def _hand_out(self, threads: int) -> None:
        for do in self._jobs:
            future = _start(do, threads)
            if future is None:
                return  # this thread does what is left
            self._futures.append(future)

    def __iter__(self) -> Iterator[R]:
        try:
            for place in range(len(self._jobs)):
                yield self._result(place)
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Have no further job begun, and wait for those that are."""
        _end(self._futures)

    def _result(self, place: int) -> R:
        if place in self._own:
            return self._own.pop(place)
        if place >= len(self._futures) or self._futures[place].cancel():
            return self._jobs[place]()
        future = self._futures[place]
        # Others begin with the first: from the end on this thread is in nobody's way.
        for last in range(len(self._futures) - 1, place, -1):
            if future.done():
                break
            if last not in self._own and self._futures[last].cancel():
                self._own[last] = self._jobs[last]()
        return future.result()


class Ahead(Generic[R]):
    """Parts of work that other threads do ahead of the one that takes the results.

    For compiled kernels, which leave the interpreter to others. `work(numbers, begun, done)` does
    the parts of these numbers one after another, but those that another thread has begun: it sets
    the flag of each part in `begun`, leaves it where that was set, and sets that in `done` when
    the part is whole. To iterate is to get `result(number)` of each part in order, once. The
    thread that iterates does what no other has begun, from the end on, where it would have to
    wait. What the work raises is raised, and one that is not iterated over is to be cancelled:
    afterwards no thread is at work.
    """

    def __init__(
        self,
        work: Callable[[Numbers, Flags, Flags], None],
        result: Callable[[int], R],
        parts: int,
    ) -> None:
        self._work = work
        self._result = result
        self._begun: Flags = np.zeros(parts, dtype=np.uint8)
        self._done: Flags = np.zeros(parts, dtype=np.uint8)
        self._seen = Lock()
        self._futures: list[Future[None]] = []
        threads = min(usable_threads() - 1, parts) if parts > 1 else 0
        try:
            while len(self._futures) < threads and self._hand_out(threads):
                pass
        except BaseException:  # nobody else could cancel this
            self.cancel()
            raise

    def _hand_out(self, threads: int) -> bool:
        """Have another thread begin; tell whether one does."""
        has_begun = Event()

        def do() -> None:
            has_begun.set()
            self._work(np.arange(len(self._done)), self._begun, self._done)

        future = _start(do, threads)
        if future is None:
            return False
        self._futures.append(future)
        return has_begun.wait(_PATIENCE) or not future.cancel()

    def __iter__(self) -> Iterator[R]:
        try:
            for number in range(len(self._done)):
                self._await(number)
                yield self._result(number)
            self.cancel()
            self._raise()
        finally:
            self.cancel()

    def _raise(self) -> None:
        """Raise what was raised in another thread, if it has ended so."""
        for future in self._futures:
            if future.done() and not future.cancelled():
                future.result()

    def _await(self, number: int) -> None:
        """Return when a part is done, by another thread or by this one."""
        looks = 0
        while not self._done[number]:
            free = np.flatnonzero(self._begun == 0)
            if len(free) and (looks >= _LOOKS or free[0] == number):
                # Others begin with the first: from the end on this thread is in nobody's way.
                self._work(free[-1:] if free[0] != number else free[:1], self._begun, self._done)
                looks = 0
                continue
            if not self._done[number] and all(future.done() for future in self._futures):
                self._raise()
                if not self._done[number]:
                    raise RuntimeError("a part of the work was left out")
            sleep(_LOOK)
            looks += 1
        # What is read from here on was not read before that. It takes two: a processor may read
        # ahead into a lock, but not past the release of one and the taking of it after that.
        for _ in range(2):
            with self._seen:
                pass

    def cancel(self) -> None:
        """Have no further part begun, and wait for those that are."""
        self._begun[:] = 1
        _end(self._futures)


def _end(futures: Sequence[Future[R]]) -> None:
    """Take back what has not begun, and wait for what has."""
    if left := [future for future in futures if not future.cancel()]:
        wait(left)


def _start(do: Callable[[], R], threads: int) -> Future[R] | None:
    """Give work to one of so many threads; None where none can be started."""
    handed, future = [do], Future[R]()
    try:
        _pool(threads).submit(_do_handed, handed, future)
    except RuntimeError:
        # The work is in the queue all the same. A thread that was started before may have taken it.
        if not future.cancel():
            return future
        handed.clear()  # else it would keep its texts in memory
        return None
    return future


def run_all(work: Callable[[J], object], jobs: Sequence[J]) -> None:
    """Do all jobs, on as many threads as there are to use; raises what a job raises."""
    for _ in Begun(work, jobs):
        pass


def _do_handed(handed: list[Callable[[], R]], future: Future[R]) -> None:
    """Do the job that was handed out, unless it was taken back."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = handed.pop()()
    except BaseException as error:  # whoever asks for the result is told
        future.set_exception(error)
        del future  # which leads to this frame
    else:
        future.set_result(result)


def _pool(size: int) -> ThreadPoolExecutor:
    """Return the threads of this process, which are started when there is work for them."""
    key = (os.getpid(), size)
    # No lock: one that is held when a process is forked is held there for good.
    return _POOLS.get(key) or _POOLS.setdefault(key, ThreadPoolExecutor(size, "scrubjay"))
