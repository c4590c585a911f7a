"""Engines that stand for slow, broken and dying ones; workers import them by name."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from scrubjay.cores import usable_threads
from scrubjay.deidentifier import Failure
from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.web.engine import Answer, Facts, Found, Job


class ToyEngine:
    """Finds the first character; some texts make it slow, raise, die, or tell its process."""

    def answer(self, job: Job) -> Answer:
        return tuple(self._one(each.text) for each in job.documents)

    def _one(self, text: str) -> Found | Failure:
        if text == "hang":
            time.sleep(600)
        if text == "die":
            os._exit(3)
        if text == "raise":
            raise ValueError("the text is raise")
        if text == "fail":
            return Failure("x", "detect", "ValueError")
        if text == "who":
            return Found((), str(os.getpid()))
        return Found((Span(0, 1, "OTHER", source="toy"),), "*" + text[1:], ((0, 1),))

    def facts(self) -> Facts:
        return Facts(frozenset(["toy"]))

    def warm_up(self) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class ToySetup:
    """Makes a toy engine, or fails to where `broken`."""

    broken: bool = False

    def make(self) -> ToyEngine:
        if self.broken:
            raise ConfigError("the toy is broken", hint="Mend it")
        return ToyEngine()


@dataclass(frozen=True)
class CountSetup:
    """Raises an error that tells on how many threads the process may work."""

    def make(self) -> ToyEngine:
        raise ConfigError(f"{usable_threads()} threads")


@dataclass(frozen=True)
class GateSetup:
    """Makes an engine of this process that waits for a file before it answers `wait`."""

    file: str

    def make(self) -> WaitingEngine:
        return WaitingEngine(self.file)


class WaitingEngine(ToyEngine):
    """A toy that answers `wait` once a file is there."""

    def __init__(self, file: str) -> None:
        self._file = file

    def _one(self, text: str) -> Found | Failure:
        end = time.monotonic() + 60
        while text == "wait" and not os.path.exists(self._file) and time.monotonic() < end:  # noqa: PTH110
            time.sleep(0.01)
        return super()._one(text)
