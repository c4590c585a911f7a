"""A detector and an operator that hang, crash or shout, for tests of worker processes.

They are in a module of their own since a worker must be able to import them.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import current_process

from scrubjay.batch.work import AnnotateWork, DeidWork, Work
from scrubjay.cores import usable_threads
from scrubjay.deidentifier import Deidentifier
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Mention
from scrubjay.transform.policy import Policy
from tests.toys import DateDetector


def misbehave(text: str) -> None:
    """Do what the text asks for; most of it cannot be stopped from inside the process."""
    if "SLEEP" in text:
        time.sleep(3600)
    if "REGEX" in text:
        # Native code that holds the lock of the interpreter for years.
        re.fullmatch(r"(a|a)+b", "a" * 60)
    if "KILL" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "CRASH" in text:
        ctypes.string_at(0)
    if "LEAVE" in text:
        raise SystemExit(text)
    if "RAISE" in text:
        raise RuntimeError(text)
    if "WAIT" in text and current_process().daemon:
        time.sleep(0.1)  # in a worker alone
    if "EAT" in text:
        # In one piece, which the system refuses.
        bytearray(2_000_000_000)
    if "GULP" in text:
        pieces = []
        for _ in range(400):
            pieces.append(b"x" * 5_000_000)
    if "SHOUT" in text:
        for stream in (sys.stdout, sys.stderr):
            stream.write(text)
            stream.flush()
        os.write(1, text.encode())
        os.write(2, text.encode())


class StuckDetector(DateDetector):
    """Finds dates, and misbehaves as a text asks for."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the dates of each document, if ever."""
        for document in documents:
            misbehave(document.text)
        found = super().detect(documents)
        return [
            () if "MISS" in document.text else spans
            for document, spans in zip(documents, found, strict=True)
        ]


class SlowStart(DateDetector):
    """Finds dates, and takes longer than a limit of a second for its first documents."""

    started = False

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the dates of each document."""
        if not SlowStart.started:
            time.sleep(1.5)
            SlowStart.started = True
        return super().detect(documents)


def make_slow() -> Work:
    """Return work that is slow at first."""
    return _work(Deidentifier(SlowStart(), Policy("stuck", StuckOperator())))


def _work(deidentifier: Deidentifier) -> DeidWork:
    return DeidWork(deidentifier, "replace")


@dataclass(frozen=True)
class StuckOperator:
    """Replaces by a fixed text, and misbehaves as the id of the document asks for."""

    name: str = "stuck"

    def replace(self, mention: Mention) -> str:
        """Return a fixed text, if ever."""
        misbehave(mention.document_id)
        return "[DATE]"


def _patient_of(document: Document) -> str:
    return document.id.partition("-")[0]


def make_stuck() -> Deidentifier:
    """Return a de-identifier of the two; patients are told by the ids."""
    return Deidentifier(StuckDetector(), Policy("stuck", StuckOperator()), patient_of=_patient_of)


def make_work() -> DeidWork:
    """Return the work of a run of `deid` with it."""
    return _work(make_stuck())


def make_annotating() -> Work:
    """Return the work of a run of `annotate` with it."""
    return AnnotateWork(make_stuck())


def make_nothing() -> Work:
    """Raise as bad input does."""
    raise ConfigError("nothing can be made", hint="Try something")


def make_count() -> Work:
    """Raise an error that tells on how many threads the process may work."""
    raise ConfigError(f"{usable_threads()} threads")


def make_noise() -> Work:
    """Raise what nobody foresaw."""
    raise RuntimeError("Quixotebury-77")


def make_corpse() -> Work:
    """Die at once."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
