"""Rows of Arrow: batches of notes in, batches of their outcomes out, row for row.

It is what a task of a cluster does (`scrubjay.batch.spark`), and knows no cluster. Needs pyarrow.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any

from scrubjay.batch.metadata import KEPT
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.work import Runner
from scrubjay.corpora.arrow import as_python
from scrubjay.deidentifier import Deidentifier, Failure
from scrubjay.document import Document
from scrubjay.errors import EncodingError, FormatError, MissingExtraError
from scrubjay.text.languages import guess_language
from scrubjay.transform.codes import Coder

ID, TEXT, PATIENT = "id", "text", "patient"
"""The columns of a batch that are looked at; all but `PATIENT` must be there."""

SPANS, FAILURE, COUNTS = "spans", "failure", "counts"
"""The columns that a batch of outcomes has besides."""

Note = Callable[[Outcome], None]


def note_nothing(outcome: Outcome) -> None:
    """Note nothing of an outcome."""


def process_batches(
    batches: Iterable[Any],
    deidentifier: Deidentifier,
    *,
    runner: Runner,
    spans: bool = False,
    kept: Mapping[str, str] = MappingProxyType({}),
    codes: Codes | None = None,
    note: Note = note_nothing,
) -> Iterator[Any]:
    """Yield for each batch one with the same rows, de-identified, in order.

    It has the columns of the batch, without `PATIENT` and with the new texts, and besides: the
    failure, null where there is none; the counts of the row; and, where wanted, the spans of the
    new text. A document that fails has a null text and null spans. A text that is null stays so.

    All other columns stay as they are. Those of `kept` are looked at, whether they show what was
    found in the text of their row, and are called there as it says; the rest is not even decoded.
    In the place of the values of `codes` there are codes, as text, of the id, too, if it is among
    them. Documents of one patient that follow one another are a record, across batches too, so that
    some batches of input may be in memory. `deidentifier` tells the records, and need have no
    model; `runner` has the work done. `note` gets each outcome, in order.
    """
    arrow = load_arrow()
    waiting: deque[_Rows] = deque()

    def documents() -> Iterator[Document]:
        for batch in batches:
            rows = _Rows(arrow, batch, deidentifier, spans=spans, kept=kept, codes=codes)
            waiting.append(rows)
            yield from rows.documents

    for outcomes in runner.map(deidentifier.batches(documents())):
        for outcome in chain.from_iterable(outcomes):
            yield from _finished(waiting, note)
            waiting[0].add(outcome)
    yield from _finished(waiting, note)


def _finished(waiting: deque[_Rows], note: Note) -> Iterator[Any]:
    while waiting and waiting[0].complete:
        yield waiting.popleft().finish(note)


def load_arrow() -> Any:
    """Return the module pyarrow; raises `MissingExtraError` without it."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError("pyarrow", "spark") from None
    return pyarrow


@dataclass(frozen=True, slots=True)
class Codes:
    """The columns of a batch that go out as codes, with the kinds of their ids."""

    coder: Coder
    kinds: Mapping[str, str]

    def column(self, arrow: Any, column: Any, name: str) -> Any:
        """Return a column of codes; null where there is no value, or one that is no text."""
        kind = self.kinds[name]
        return arrow.array(
            [
                None if isinstance(value, Exception) else self.coder.code_value(value, kind)
                for value in _decode(column)
            ],
            arrow.string(),
        )


class _Rows:
    """The rows of one batch, and the outcomes of those that are done.

    A row that is no document is a failure from the first, and no other waits for it.
    """

    def __init__(
        self,
        arrow: Any,
        batch: Any,
        deidentifier: Deidentifier,
        *,
        spans: bool,
        kept: Mapping[str, str],
        codes: Codes | None,
    ) -> None:
        self._arrow, self._batch, self._spans, self._codes = arrow, batch, spans, codes
        rows = zip(_values(batch), _kept(batch, kept), strict=False)
        read = [_read(*row, kept=beside, deidentifier=deidentifier) for row, beside in rows]
        self.documents = [each for each in read if isinstance(each, Document)]
        self._done = [each if isinstance(each, Outcome) else None for each in read]
        self._open = (place for place, each in enumerate(read) if isinstance(each, Document))
        self._missing = len(self.documents)
        self._languages = [
            guess_language(each.text) if isinstance(each, Document) else "" for each in read
        ]

    @property
    def complete(self) -> bool:
        """Tell whether every row has its outcome."""
        return not self._missing

    def add(self, outcome: Outcome) -> None:
        """Take the outcome of the next document."""
        self._done[next(self._open)] = outcome
        self._missing -= 1

    def finish(self, note: Note) -> Any:
        """Return the batch of the outcomes."""
        arrow, batch = self._arrow, self._batch
        outcomes = [each for each in self._done if each is not None]
        assert len(outcomes) == batch.num_rows
        for outcome in outcomes:
            note(outcome)
        null = batch.column(TEXT).is_null().to_pylist()
        texts = [
            None if outcome.failure is not None or blank else outcome.text
            for outcome, blank in zip(outcomes, null, strict=True)
        ]
        columns = {
            name: batch.column(place)
            for place, name in enumerate(batch.schema.names)
            if name != PATIENT
        }
        columns[TEXT] = arrow.array(texts, batch.schema.field(TEXT).type)
        if (codes := self._codes) is not None:
            columns |= {name: codes.column(arrow, columns[name], name) for name in codes.kinds}
        if self._spans:
            columns[SPANS] = arrow.array([_spans(each) for each in outcomes], spans_type(arrow))
        columns[FAILURE] = arrow.array([_failure(each) for each in outcomes], failure_type(arrow))
        columns[COUNTS] = arrow.array(
            [_counts(*each) for each in zip(outcomes, texts, self._languages, strict=True)],
            counts_type(arrow),
        )
        return arrow.RecordBatch.from_arrays(list(columns.values()), names=list(columns))


def spans_type(arrow: Any) -> Any:
    """Return the Arrow type of `SPANS`."""
    fields = [
        ("start", arrow.int32()),
        ("end", arrow.int32()),
        ("label", arrow.string()),
        ("score", arrow.float64()),
        ("source", arrow.string()),
    ]
    return arrow.list_(arrow.struct(fields))


def failure_type(arrow: Any) -> Any:
    """Return the Arrow type of `FAILURE`."""
    return arrow.struct([("stage", arrow.string()), ("code", arrow.string())])


def counts_type(arrow: Any) -> Any:
    """Return the Arrow type of `COUNTS`."""
    counted = arrow.map_(arrow.string(), arrow.int64())
    return arrow.struct(
        [
            ("characters", arrow.int64()),
            ("labels", counted),
            ("proof", counted),
            ("crc32", arrow.int64()),
            ("language", arrow.string()),
        ]
    )


def _values(batch: Any) -> Iterator[tuple[Any, ...]]:
    """Yield id, text and patient of each row; the patient is "" where there is no such column."""
    columns = [_decode(batch.column(name)) for name in (ID, TEXT)]
    has_patient = PATIENT in batch.schema.names
    patients = _decode(batch.column(PATIENT)) if has_patient else [""] * batch.num_rows
    return zip(*columns, patients, strict=True)


def _kept(batch: Any, kept: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the kept values of each row by the names that are told, for ever where none is kept."""
    if not kept:
        return repeat({})
    columns = [_python_values(batch.column(name)) for name in kept]
    return (dict(zip(kept.values(), row, strict=True)) for row in zip(*columns, strict=True))


def _python_values(column: Any) -> Sequence[Any]:
    """Return the values of a column of any type; what Python cannot have is text about it."""
    try:
        return _decode(column)
    except (ValueError, OverflowError, NotImplementedError, LookupError):
        return [_python_value(value) for value in column]


def _python_value(value: Any) -> Any:
    try:
        return as_python(value)
    except (ValueError, LookupError):  # what has such a value inside cannot be shown either
        return None


def _decode(column: Any) -> Sequence[Any]:
    """Return the values of a column; one that is no UTF-8 is the error that it raises."""
    try:
        values: Sequence[Any] = column.to_pylist()
    except UnicodeDecodeError:
        return [_decode_value(value) for value in column]
    return values


def _decode_value(value: Any) -> Any:
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return EncodingError("not UTF-8")


def _read(
    identifier: Any, text: Any, patient: Any, *, kept: dict[str, Any], deidentifier: Deidentifier
) -> Document | Outcome:
    """Return the document of a row, or the outcome of one that is none.

    A row without an id or with bytes that are no text is a failure, and so is one without a
    patient where the work needs to know that.
    """
    name = "" if identifier is None or isinstance(identifier, Exception) else str(identifier)
    size = len(text) if isinstance(text, str) else 0
    try:
        for value in (identifier, text, patient):
            if isinstance(value, Exception):
                raise value
        if not name:
            raise FormatError("a row has no id")
        metadata = {PATIENT: patient, KEPT: kept} if kept else {PATIENT: patient}
        document = Document(name, text or "", metadata=metadata)
        if deidentifier.patient_of is not None:
            deidentifier.patient_of(document)
    except Exception as error:
        return Outcome(name, size, failure=Failure(name, "detect", type(error).__name__))
    return document


def _spans(outcome: Outcome) -> list[dict[str, Any]] | None:
    if outcome.failure is not None:
        return None
    return [
        {"start": s.start, "end": s.end, "label": s.label, "score": s.score, "source": s.source}
        for s in outcome.spans
    ]


def _failure(outcome: Outcome) -> dict[str, str] | None:
    failure = outcome.failure
    return None if failure is None else {"stage": failure.stage, "code": failure.code}


def _counts(outcome: Outcome, text: str | None, language: str) -> dict[str, Any]:
    return {
        "characters": outcome.size,
        "labels": sorted(outcome.labels.items()),
        "proof": sorted(outcome.proof.items()),
        "crc32": None if text is None else zlib.crc32(text.encode("utf-8")),
        "language": language or None,
    }
