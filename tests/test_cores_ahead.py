"""Parts done ahead: in order, each once, and none at work when it is over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import sleep

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay import cores
from scrubjay.cores import Ahead, Begun, Flags, Numbers
from tests.cores_samples import PATIENCE, Give, OneThread


def plainly(do: Callable[[int], object]) -> Callable[[Numbers, Flags, Flags], None]:
    """Return what does parts as a compiled kernel would."""
    lock = threading.Lock()

    def work(numbers: Numbers, begun: Flags, done: Flags) -> None:
        for number in numbers.tolist():
            with lock:
                before, begun[number] = begun[number], 1
            if not before:
                do(number)
                done[number] = 1

    return work


@settings(deadline=None)
@given(parts=st.integers(0, 20), threads=st.integers(1, 5), busy=st.integers(0, 50))
def test_parts_come_in_order_and_each_is_done_once(parts: int, threads: int, busy: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(cores.BOUND, raising=False)
        patch.setattr(cores, "available_cores", lambda: threads)
        made: list[int] = []
        values = [0] * parts

        def do(number: int) -> None:
            sum(range(number * busy))
            made.append(number)
            values[number] = number + 1

        assert list(Ahead(plainly(do), values.__getitem__, parts)) == list(range(1, parts + 1))
        assert sorted(made) == list(range(parts))


def test_another_thread_has_begun_when_its_maker_goes_on(
    give_threads: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_threads(2)
    monkeypatch.setattr(cores, "_PATIENCE", PATIENCE)
    parts, rest = [], threading.Event()

    def do(number: int) -> None:
        parts.append((number, threading.get_ident()))
        if number == 3:
            rest.set()

    ahead = Ahead(plainly(do), lambda number: number, 4)
    assert rest.wait(PATIENCE)  # though nobody has taken a part
    assert list(ahead) == [0, 1, 2, 3]
    assert [number for number, _ in parts] == [0, 1, 2, 3]
    assert threading.get_ident() not in dict(parts).values()


def test_who_waits_does_the_last_parts_meanwhile(give_threads: Give) -> None:
    give_threads(2)
    here, others, parts = threading.get_ident(), threading.Semaphore(0), []

    def do(number: int) -> None:
        if threading.get_ident() == here:
            parts.append(number)
            others.release()
        else:  # held up by its first part until all others are done
            for _ in range(4):
                assert others.acquire(timeout=PATIENCE)

    assert list(Ahead(plainly(do), lambda number: number, 5)) == [0, 1, 2, 3, 4]
    assert parts in ([4, 3, 2, 1], [0, 4, 3, 2])  # where this thread is the first to begin


def test_who_takes_the_parts_does_them_where_no_thread_is_free(give_threads: Give) -> None:
    give_threads(2)
    here, there = threading.get_ident(), []
    go, held = threading.Event(), threading.Event()

    def hold(job: int) -> None:
        if threading.get_ident() != here:
            held.set()
            assert go.wait(PATIENCE)

    def do(number: int) -> None:
        there.append((threading.get_ident(), number))

    busy = Begun(hold, [0], ahead=True)
    assert held.wait(PATIENCE)
    assert list(Ahead(plainly(do), lambda number: number, 3)) == [0, 1, 2]
    go.set()
    list(busy)
    assert there == [(here, 0), (here, 1), (here, 2)]


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("bad", [0, 3, 6])
def test_an_error_ahead_is_raised_and_nothing_runs_on(
    bad: int, threads: int, give_threads: Give
) -> None:
    give_threads(threads)
    running = threading.Semaphore(0)

    def do(number: int) -> None:
        if number == bad:
            raise MemoryError

    def work(numbers: Numbers, begun: Flags, done: Flags) -> None:
        running.release()
        try:
            plainly(do)(numbers, begun, done)
        finally:
            running.acquire()

    with pytest.raises(MemoryError):
        list(Ahead(work, lambda number: number, 7))
    assert not running.acquire(blocking=False)
    assert list(Begun(lambda job: job, range(7))) == list(range(7))  # the threads live on


def leave_out(numbers: Numbers, begun: Flags, done: Flags) -> None:
    """Begin with parts, and do none."""
    begun[numbers] = 1


def test_a_part_that_is_left_out_is_no_result(give_threads: Give) -> None:
    give_threads(2)
    ahead = Ahead(leave_out, lambda number: number, 3)
    with pytest.raises(RuntimeError, match="left out"):
        list(ahead)


def test_parts_that_a_thread_took_though_no_more_can_be_started_are_waited_for(
    one_thread: OneThread,
) -> None:
    go, done = threading.Event(), []

    def do(number: int) -> None:
        one_thread.met.set()
        if number == 0:
            assert go.wait(PATIENCE)
        done.append(number)

    threading.Timer(0.1, go.set).start()
    assert list(Ahead(plainly(do), lambda number: number, 3)) == [0, 1, 2]
    assert sorted(done) == [0, 1, 2]


def test_an_interrupt_while_threads_begin_leaves_nothing_at_work(
    give_threads: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_threads(2)
    running, done = threading.Semaphore(0), []

    class Interrupted(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            super().wait(PATIENCE)
            raise KeyboardInterrupt

    def do(number: int) -> None:
        sleep(0.05)
        done.append(number)

    def work(numbers: Numbers, begun: Flags, done: Flags) -> None:
        running.release()
        try:
            plainly(do)(numbers, begun, done)
        finally:
            running.acquire()

    with monkeypatch.context() as patch:
        patch.setattr(cores, "Event", Interrupted)
        with pytest.raises(KeyboardInterrupt):
            Ahead(work, lambda number: number, 20)
    assert not running.acquire(blocking=False)
    assert len(done) <= 1


def test_parts_are_not_begun_when_what_they_are_for_is_cancelled(
    give_threads: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_threads(2)
    monkeypatch.setattr(cores, "_PATIENCE", PATIENCE)
    go, parts = threading.Event(), []

    def do(number: int) -> None:
        assert go.wait(PATIENCE)
        parts.append(number)

    ahead = Ahead(plainly(do), lambda number: number, 20)
    threading.Timer(0.05, go.set).start()
    ahead.cancel()
    assert parts == [0]
    ahead.cancel()
