"""Work side by side, on the cores that this process may use."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

J = TypeVar("J")

#: More threads than this gain little: encoding and decoding take their share of one.
MOST_THREADS = 8


def run_all(work: Callable[[J], None], jobs: Sequence[J]) -> None:
    """Do all jobs, on as many threads as there are cores to use; raises what a job raises."""
    threads = min(available_cores(), MOST_THREADS, len(jobs))
    if threads <= 1:
        for job in jobs:
            work(job)
        return
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(work, jobs):
            pass


def available_cores() -> int:
    """Return on how many cores this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
