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
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scrubjay.deidentifier import Deidentifier
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Mention
from scrubjay.transform.policy import Policy
from tests.toys import DateDetector

Make = Callable[[], Deidentifier]


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
        return super().detect(documents)


class SlowStart(DateDetector):
    """Finds dates, and takes longer than a limit of a second for its first documents."""

    started = False

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the dates of each document."""
        if not SlowStart.started:
            time.sleep(3)
            SlowStart.started = True
        return super().detect(documents)


def make_slow() -> Deidentifier:
    """Return a de-identifier that is slow at first."""
    return Deidentifier(SlowStart(), Policy("stuck", StuckOperator()))


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


def make_nothing() -> Deidentifier:
    """Raise as bad input does."""
    raise ConfigError("nothing can be made", hint="Try something")


def make_noise() -> Deidentifier:
    """Raise what nobody foresaw."""
    raise RuntimeError("Quixotebury-77")


def make_corpse() -> Deidentifier:
    """Die at once."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
