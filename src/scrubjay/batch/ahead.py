"""The batch after the one that is worked on: read early, so that free threads can begin with it."""

from __future__ import annotations

from collections.abc import Iterator

from scrubjay.batch.stopping import Stop
from scrubjay.batch.work import Batch
from scrubjay.cores import usable_threads
from scrubjay.deidentifier import Deidentifier, Stage
from scrubjay.detectors import ExpectedSpans


class Ahead:
    """Gives the batches of a run, in order; while one is worked on, other threads begin the next.

    They begin when the batch before has been detected in: what follows is Python, and keeps one
    core. With `looks` False, on one thread, and once `stop` is asked, nothing is read before it
    is asked for. What reading raises is raised where the batch is asked for.
    """

    def __init__(
        self, batches: Iterator[Batch], deidentifier: Deidentifier, *, stop: Stop, looks: bool
    ) -> None:
        self._batches = batches
        self._deidentifier = deidentifier
        self._stop = stop
        self._looks = looks and usable_threads() > 1
        self._read = False
        self._batch: Batch | None = None
        self._expected: ExpectedSpans | None = None
        self._error: Exception | None = None

    def take(self) -> tuple[Batch | None, ExpectedSpans | None]:
        """Return the next batch, None after the last one, and what was begun of it."""
        if not self._read:
            return next(self._batches, None), None
        self.require_read()
        self._read = False
        batch, self._batch = self._batch, None
        return batch, self._expected

    def look(self, stage: Stage) -> None:
        """Read the next batch and have it begun, if the one that was taken is past detection."""
        if stage == "detect" or self._read or not self._looks or self._stop.asked:
            return
        self._expected, self._read = None, True
        try:
            self._batch = next(self._batches, None)
        except Exception as error:
            self._error = error
        if self._batch is not None:
            self._expected = self._deidentifier.expect(self._batch)

    def require_read(self) -> None:
        """Raise what reading ahead has raised: documents that nobody has read are no end."""
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Have nothing further begun, and wait for what is."""
        if self._expected is not None:
            self._expected.cancel()
