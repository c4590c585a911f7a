"""Threads for tests: as many as a test asks for, and those that cannot be started."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

PATIENCE = 60.0

Give = Callable[[int], None]


class OneThread(ThreadPoolExecutor):
    """Starts one thread, which has taken what is queued when it turns out that none follows."""

    def _adjust_thread_count(self) -> None:
        if self._threads:
            self.met.wait(PATIENCE)
            raise RuntimeError("can't start new thread")
        super()._adjust_thread_count()

    met = threading.Event()
