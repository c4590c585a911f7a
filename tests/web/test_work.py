"""The queue and the workers: bounded, killed where they hang, replaced where they die."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scrubjay import cores
from scrubjay.deidentifier import Failure
from scrubjay.errors import ConfigError
from scrubjay.web.engine import Found, Job, JobDocument
from scrubjay.web.metrics import Metrics
from scrubjay.web.problems import Problem
from scrubjay.web.work import Pool
from tests.web.engines import CountSetup, GateSetup, ToySetup


def job(*texts: str) -> Job:
    return Job("detect", tuple(JobDocument(text) for text in texts), "toy")


@contextmanager
def pool(setup: Any = None, **settings: Any) -> Iterator[Pool]:
    running = Pool(setup or ToySetup(), Metrics(), **settings)
    running.start()
    try:
        yield running
    finally:
        running.stop()


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true, for a minute at most."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "it did not become true within a minute"
        time.sleep(0.01)


async def become(true: Callable[[], object]) -> None:
    """Wait until something is true, for a minute at most, and let others run meanwhile."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "it did not become true within a minute"
        await asyncio.sleep(0.01)


def code_of(error: pytest.ExceptionInfo[Problem]) -> str:
    return error.value.code


@pytest.mark.parametrize("workers", [0, 1])
def test_a_job_is_answered_document_by_document(workers: int) -> None:
    with pool(workers=workers) as running:
        one, two = asyncio.run(running.run(job("abc", "fail")))
        assert running.facts.dialled == {"toy"}
    assert isinstance(one, Found)
    assert one.text == "*bc"
    assert isinstance(two, Failure)


@pytest.mark.parametrize("workers", [0, 1])
def test_an_error_that_nobody_foresaw_is_told_without_its_words(workers: int) -> None:
    with pool(workers=workers) as running:
        with pytest.raises(Problem) as error:
            asyncio.run(running.run(job("raise")))
        assert code_of(error) == "internal"
        assert "raise" not in str(error.value.to_json())
        assert asyncio.run(running.run(job("abc")))


def test_a_worker_that_hangs_is_killed_and_replaced() -> None:
    with pool(workers=1, seconds=1.5) as running:
        with pytest.raises(Problem) as error:
            asyncio.run(running.run(job("hang")))
        assert code_of(error) == "time-limit"
        until(lambda: running.ready == 1)


def test_a_worker_that_dies_is_replaced() -> None:
    with pool(workers=1) as running:
        with pytest.raises(Problem) as error:
            asyncio.run(running.run(job("die")))
        assert code_of(error) == "worker-lost"
        assert asyncio.run(running.run(job("abc")))


def test_a_worker_that_cannot_start_tells_why() -> None:
    for workers in (0, 1):
        running = Pool(ToySetup(broken=True), Metrics(), workers=workers)
        with pytest.raises(ConfigError, match="the toy is broken"):
            running.start()


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_workers_share_the_cores(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cores.BOUND, raising=False)
    share = min(max(1, cores.available_cores() // workers), cores.MOST_THREADS)
    with pytest.raises(ConfigError, match=f"^{share} threads"):
        Pool(CountSetup(), Metrics(), workers=workers).start()


def test_jobs_one_by_one_go_to_one_worker_and_those_together_to_all(tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def who(running: Pool) -> str | None:
        (found,) = await running.run(job("who"))
        assert isinstance(found, Found)
        return found.text

    async def scene(running: Pool) -> None:
        one_by_one = set()
        for _ in range(10):
            await become(lambda: running.idle == 2)  # who answers a job is not idle at once
            one_by_one.add(await who(running))
        assert len(one_by_one) == 1
        await become(lambda: running.idle == 2)
        busy = asyncio.ensure_future(running.run(job("wait")))
        await become(lambda: running.busy)
        others = await asyncio.gather(*(who(running) for _ in range(5)))
        assert len({*others}) == 1
        assert one_by_one.isdisjoint(others)
        gate.touch()
        assert await busy

    with pool(GateSetup(str(gate)), workers=2) as running:
        asyncio.run(scene(running))


def test_a_full_queue_turns_away_and_a_stopped_pool_too(tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def scene(running: Pool) -> None:
        first = asyncio.ensure_future(running.run(job("wait")))
        await become(lambda: running.busy and not running.waiting)
        second = asyncio.ensure_future(running.run(job("abc")))
        await become(lambda: running.waiting)
        with pytest.raises(Problem) as error:
            await running.run(job("abc"))
        assert code_of(error) == "queue-full"
        assert int((error.value.headers or {})["Retry-After"]) >= 1
        gate.touch()
        assert await first
        assert await second

    with pool(GateSetup(str(gate)), workers=0, waiting=1) as running:
        asyncio.run(scene(running))
    with pytest.raises(Problem) as error:
        asyncio.run(running.run(job("abc")))
    assert code_of(error) == "draining"


def test_who_goes_away_leaves_the_queue(tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def scene(running: Pool) -> None:
        first = asyncio.ensure_future(running.run(job("wait")))
        await become(lambda: running.busy)
        # Were it run, it would take its worker along.
        gone = asyncio.ensure_future(running.run(job("hang")))
        await become(lambda: running.waiting)
        gone.cancel()
        gate.touch()
        assert await first
        assert await running.run(job("abc"))

    with pool(GateSetup(str(gate)), workers=0) as running:
        asyncio.run(scene(running))


def test_who_waits_too_long_is_told(tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def scene(running: Pool) -> None:
        first = asyncio.ensure_future(running.run(job("wait")))
        await become(lambda: running.busy)
        second = asyncio.ensure_future(running.run(job("abc")))
        await asyncio.sleep(1.7)
        gate.touch()
        assert await first
        with pytest.raises(Problem) as error:
            await second
        assert code_of(error) == "queue-timeout"

    with pool(GateSetup(str(gate)), workers=0, seconds=1.5) as running:
        asyncio.run(scene(running))


def test_stopping_finishes_what_runs_and_turns_away_what_waits(tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def scene(running: Pool) -> None:
        first = asyncio.ensure_future(running.run(job("wait")))
        await become(lambda: running.busy)
        second = asyncio.ensure_future(running.run(job("abc")))
        await become(lambda: running.waiting)
        stopping = asyncio.ensure_future(asyncio.to_thread(running.stop))
        with pytest.raises(Problem) as error:
            await second
        assert code_of(error) == "draining"
        gate.touch()
        await stopping
        assert await first

    with pool(GateSetup(str(gate)), workers=0) as running:
        asyncio.run(scene(running))
