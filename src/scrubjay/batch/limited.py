"""De-identifying under a limit of time for each document, in a worker that can be killed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from scrubjay.batch.worker import LostWorkerError, Make, Worker
from scrubjay.deidentifier import Deidentified, Deidentifier, Failure, split_batch
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, ScrubjayError
from scrubjay.transform.policy import Policy

T = TypeVar("T")
Batch = Sequence[Sequence[Document]]

LONGEST_LIMIT = 86_400.0
"""The greatest limit for one document, in seconds: a day."""

_TOGETHER = 8  # documents in one call, where records are not longer: they share the limit


@dataclass(frozen=True, slots=True)
class LimitedDeidentifier:
    """Does what a `Deidentifier` does, in a worker, with `seconds` for each document.

    Some documents, a whole record at least, are given to the worker together, and have as much
    time as all of them may take. Where that is over, or the worker dies, it is killed and
    replaced, and they are given to it in parts, down to each alone: a document that takes too
    long, or kills its worker, by itself is a `Failure` with the code `TimeLimitError` or
    `WorkerDiedError` and spoils no other. `shape` has the policy and tells the records; its
    detector is not asked. No metadata is kept.
    """

    worker: Worker
    shape: Deidentifier
    seconds: float

    @property
    def policy(self) -> Policy:
        """Return the policy."""
        return self.shape.policy

    @property
    def language(self) -> str:
        """Return the language of the texts."""
        return self.shape.language

    def bare(self) -> LimitedDeidentifier:
        """Return itself: it keeps no metadata."""
        return self

    def records(
        self, documents: Iterable[Document]
    ) -> Iterator[list[tuple[Document, Deidentified | Failure]]]:
        """Yield the documents of each record with their results, as `Deidentifier.records`."""
        for batch in self.shape.batches(documents):
            results = iter(self._share(self.worker.deidentify, batch))
            for record in batch:
                yield [(document, next(results)) for document in record]

    def detect(self, documents: Iterable[Document]) -> Iterator[Document | Failure]:
        """Yield each document with the detected spans, as `Deidentifier.detect`."""
        for batch in self.shape.batches(documents):
            results = iter(self._share(self.worker.detect, batch))
            for document in (each for record in batch for each in record):
                found = next(results)
                yield found if isinstance(found, Failure) else document.with_spans(found)

    def transform(self, document: Document, found: tuple[Span, ...]) -> Deidentified | Failure:
        """Return a document with these spans replaced, as `Deidentifier.transform`."""
        try:
            return self.worker.transform(document.with_spans(()), found, seconds=self.seconds)
        except LostWorkerError as lost:
            return Failure(document.id, lost.stage, lost.code)

    def _share(self, work: Callable[..., list[T | Failure]], batch: Batch) -> list[T | Failure]:
        count = sum(map(len, batch))
        try:
            bare = [[each.with_spans(()) for each in record] for record in batch]
            return work(bare, seconds=self.seconds * count)
        except LostWorkerError as lost:
            if count == 1:
                return [Failure(batch[0][0].id, lost.stage, lost.code)]
        except ScrubjayError:
            # A worker that cannot be started is no fault of a document.
            raise
        except Exception as error:  # a document that cannot be sent
            if count == 1:
                return [Failure(batch[0][0].id, "detect", type(error).__name__)]
        return [result for part in split_batch(batch) for result in self._share(work, part)]


@contextmanager
def limited(make: Make, shape: Deidentifier, *, seconds: float) -> Iterator[LimitedDeidentifier]:
    """Give a de-identifier with a limit of time for each document, in seconds.

    `make` builds the one that works, in another process, and must be picklable; `shape` is the
    same without its model. Raises `ConfigError` for a limit that is not above 0 and at most a
    day, and what `make` raises.
    """
    if not (math.isfinite(seconds) and 0 < seconds <= LONGEST_LIMIT):
        raise ConfigError(
            f"the time limit must be above 0 and at most {LONGEST_LIMIT:,.0f} seconds, "
            f"not {seconds:g}"
        )
    with Worker(make) as worker:
        yield LimitedDeidentifier(worker, replace(shape, batch_documents=_TOGETHER), seconds)
