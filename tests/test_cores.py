"""Work side by side: the same results on any number of threads, and nothing left behind."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay import cores
from scrubjay.cores import Begun, leave_cores, run_all, share_cores, usable_threads
from tests.cores_samples import PATIENCE, Give, OneThread

# How many threads


@pytest.mark.parametrize(
    ("told", "expected"), [("", 5), ("1", 1), ("3", 3), ("64", 5), ("0", 1), ("2,1", 2), ("x", 5)]
)
def test_threads_are_bounded_by_cores_and_by_the_environment(
    told: str, expected: int, give_threads: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_threads(5)
    monkeypatch.setenv(cores.BOUND, told)
    assert usable_threads() == expected


def test_many_cores_are_not_all_taken(give_threads: Give) -> None:
    give_threads(200)
    assert usable_threads() == cores.MOST_THREADS


@pytest.mark.parametrize(
    ("processes", "share"), [(0, 8), (1, 8), (2, 4), (3, 2), (8, 1), (9, 1), (256, 1)]
)
def test_processes_share_the_cores(processes: int, share: int, give_threads: Give) -> None:
    give_threads(8)
    assert share_cores(processes) == share


def test_a_share_is_shared_on(give_threads: Give) -> None:
    give_threads(8)
    cores.bound_threads(2)
    assert usable_threads() == share_cores(1) == 2
    assert share_cores(2) == 2  # of eight cores


def test_a_task_beside_others_takes_one_core_unless_told(
    give_threads: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_threads(8)
    monkeypatch.setenv(cores.BOUND, "4")
    leave_cores()
    assert usable_threads() == 4
    monkeypatch.delenv(cores.BOUND)
    leave_cores()
    assert usable_threads() == 1


# Results


@settings(deadline=None)
@given(
    jobs=st.lists(st.integers(), max_size=20),
    threads=st.integers(1, 5),
    busy=st.integers(0, 50),
)
def test_results_come_in_the_order_of_the_jobs(jobs: list[int], threads: int, busy: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(cores.BOUND, raising=False)
        patch.setattr(cores, "available_cores", lambda: threads)
        done: list[int] = []

        def work(job: int) -> int:
            sum(range(abs(job) % 1000 * busy))
            done.append(job)
            return job + 1

        assert list(Begun(work, jobs)) == [job + 1 for job in jobs]
        assert sorted(done) == sorted(jobs)  # each of them once


def test_others_begin_before_anybody_asks(give_threads: Give) -> None:
    give_threads(2)
    began = threading.Event()
    begun = Begun(lambda job: began.set(), [1, 2])
    assert began.wait(PATIENCE)
    list(begun)


def test_who_asks_does_what_nobody_has_begun(give_threads: Give) -> None:
    """The only other thread is held up by the first job until all others are done."""
    give_threads(2)
    here = threading.get_ident()
    others = threading.Semaphore(0)

    def work(job: int) -> int:
        if job == 0 and threading.get_ident() != here:
            for _ in range(4):
                assert others.acquire(timeout=PATIENCE)
        else:
            others.release()
        return threading.get_ident()

    found = list(Begun(work, range(5)))
    assert found.count(here) >= 4


def test_one_core_needs_no_thread(give_threads: Give) -> None:
    give_threads(1)
    begun = Begun(lambda job: threading.get_ident(), range(4))
    assert not begun._futures
    assert set(begun) == {threading.get_ident()}


def test_work_inside_of_work_waits_for_no_thread(give_threads: Give) -> None:
    give_threads(3)

    def inner(job: int) -> int:
        return sum(Begun(lambda each: each, range(job)))

    def outer(job: int) -> int:
        return sum(Begun(inner, range(job)))

    expected = [sum(sum(range(n)) for n in range(job)) for job in range(12)]
    assert list(Begun(outer, range(12))) == expected


def test_where_no_thread_starts_this_one_does_all(
    give_threads: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_threads(4)

    class Full:
        def submit(self, *work: object) -> None:
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(cores, "_pool", lambda size: Full())
    assert list(Begun(lambda job: job, range(5))) == list(range(5))


def test_a_job_that_no_thread_took_leaves_nothing_in_the_queue(
    give_threads: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Starved(ThreadPoolExecutor):
        """Queues what it is given before it starts a thread, as all do, and can start none."""

        def _adjust_thread_count(self) -> None:
            raise RuntimeError("can't start new thread")

    give_threads(4)
    pool, done = Starved(1), []
    monkeypatch.setattr(cores, "_pool", lambda size: pool)

    def work(job: npt.NDArray[Any]) -> None:
        done.append(int(job[0]))

    jobs = [np.array([number]) for number in range(3)]
    texts = [weakref.ref(job) for job in jobs]
    run_all(work, jobs)
    del jobs
    gc.collect()
    assert [text() for text in texts] == [None] * 3
    while pool._work_queue.qsize():
        pool._work_queue.get().run()  # as a thread would that can be started later
    assert done == [0, 1, 2]


def test_what_a_thread_took_though_no_more_can_be_started_is_done_once(
    one_thread: OneThread,
) -> None:
    done: list[int] = []

    def work(job: int) -> int:
        one_thread.met.set()
        done.append(job)
        return job

    assert list(Begun(work, range(4))) == [0, 1, 2, 3]
    assert sorted(done) == [0, 1, 2, 3]


def test_a_single_job_is_handed_out_ahead(give_threads: Give) -> None:
    give_threads(2)
    here = threading.get_ident()
    began = threading.Event()

    def work(job: int) -> int:
        began.set()
        return threading.get_ident()

    begun = Begun(work, [0], ahead=True)
    assert began.wait(PATIENCE)
    assert list(begun) != [here]
    assert list(Begun(work, [0])) == [here]


# Errors


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("bad", [0, 3, 6])
def test_an_error_is_raised_and_nothing_runs_on(bad: int, threads: int, give_threads: Give) -> None:
    give_threads(threads)
    running = threading.Semaphore(0)

    def work(job: int) -> None:
        running.release()
        if job == bad:
            running.acquire()
            raise MemoryError
        running.acquire()

    with pytest.raises(MemoryError):
        run_all(work, range(7))
    assert not running.acquire(blocking=False)
    assert list(Begun(lambda job: job, range(7))) == list(range(7))  # the threads live on


def test_what_is_cancelled_is_not_begun(give_threads: Give) -> None:
    give_threads(2)
    go, done = threading.Event(), []

    def work(job: int) -> None:
        assert go.wait(PATIENCE)
        done.append(job)

    begun = Begun(work, range(20))
    threading.Timer(0.05, go.set).start()
    begun.cancel()
    assert len(done) <= 1
    begun.cancel()


# Processes

_FORKED = """
import os
from scrubjay import cores
cores.available_cores = lambda: 3
assert list(cores.Begun(abs, [-1, -2, -3])) == [1, 2, 3]
child = os.fork()
if child == 0:
    good = list(cores.Begun(abs, [-4, -5, -6])) == [4, 5, 6]
    os._exit(0 if good and len(cores._POOLS) == 2 else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert list(cores.Begun(abs, [-7, -8, -9])) == [7, 8, 9]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_process_that_is_forked_has_threads_of_its_own() -> None:
    environment = {name: value for name, value in os.environ.items() if name != cores.BOUND}
    subprocess.run([sys.executable, "-c", _FORKED], check=True, timeout=PATIENCE, env=environment)
