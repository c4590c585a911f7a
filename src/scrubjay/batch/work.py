"""The work of a run on one batch: documents in, outcomes out, with nothing read or written.

It is the same function wherever it runs: in the process of the run, in a worker process, in a
task of a cluster. Files, journals and vaults are left to whoever asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, ClassVar, Literal, Protocol

from scrubjay.batch._telling import telling_of
from scrubjay.batch.coding import Coding, code_facts
from scrubjay.batch.kept_mentions import places_of
from scrubjay.batch.metadata import bare_metadata, kept_values, record_ids
from scrubjay.batch.outcome import (
    DATE_ORDER,
    KEPT_LABEL,
    TELLING_COLUMN,
    TELLING_ID,
    Outcome,
)
from scrubjay.batch.proof import Pair, Proved, Prover
from scrubjay.batch.stopping import Stop
from scrubjay.corpora import annotation_free
from scrubjay.deidentifier import Deidentified, Deidentifier, Failure, Found, Stage
from scrubjay.document import Document, Span
from scrubjay.errors import NoCodeError, StrangeLanguageError
from scrubjay.garbage import seldom_collected
from scrubjay.known.detector import LayeredDetector
from scrubjay.text.languages import NAMES, strange_piece
from scrubjay.transform.date_orders import told_orders
from scrubjay.transform.edits import apply_edits
from scrubjay.transform.policy import Policy

Missed = Literal["fail", "replace"]
"""What to do where a mention that was found in a record stands unfound elsewhere in it."""

Batch = Sequence[Sequence[Document]]
"""Whole records: the documents of a patient that follow one another, else one document each."""

Tell = Callable[[Stage], None]
Record = list[tuple[Document, Deidentified | Failure]]
"""The documents of one record, each with what came of it."""


def tell_nobody(stage: Stage) -> None:
    """Tell nobody in which stage a batch is."""


def replace_missed(
    records: Sequence[Record], prover: Prover, deidentifier: Deidentifier
) -> list[Record]:
    """Return each record with every mention found in it replaced wherever it stands in it."""
    pairs = [_pairs(record) for record in records]
    completed = chain.from_iterable(prover.complete(pairs))
    again: list[list[Found]] = []
    for record, mine in zip(records, pairs, strict=True):
        now = list(islice(completed, len(mine)))
        if now == [result.found for _, result in mine]:
            again.append([])
            continue
        # The whole record: what a new mention tells of a person counts in all its documents.
        found = iter(now)
        again.append(
            [
                (each, result if isinstance(result, Failure) else next(found))
                for each, result in record
            ]
        )
    new = deidentifier.transform_records(again)
    return [
        [(each, other) for (each, _), other in zip(record, others, strict=True)]
        if others
        else record
        for record, others in zip(records, new, strict=True)
    ]


def prove_records(
    records: Sequence[Record], prover: Prover
) -> list[list[tuple[Document, Proved | Failure]]]:
    """Return the documents of each record, proved against all mentions of it, or failed."""
    proofs = chain.from_iterable(prover.prove([_pairs(record) for record in records]))
    return [
        [
            (original, next(proofs) if isinstance(result, Deidentified) else result)
            for original, result in record
        ]
        for record in records
    ]


class Work(Protocol):
    """What is done with the documents of a run; `DeidWork` or `AnnotateWork`."""

    @property
    def deidentifier(self) -> Deidentifier:
        """Return what finds and replaces, and tells the records."""

    def process(self, batch: Batch, *, tell: Tell = tell_nobody) -> list[list[Outcome]]:
        """Return the outcomes of the documents of each record, in order; never raises for one.

        `tell` is told each stage that begins.
        """

    def bare(self, document: Document) -> Document:
        """Return what is written of a document beside its text: its id and its metadata."""


@dataclass(frozen=True, slots=True)
class DeidWork:
    """De-identifies documents and proves each output; see `scrubjay.batch.proof`.

    Documents of one patient that follow one another are a record, and are proved against the
    mentions of all of it. Where a mention that was found in a record stands unfound elsewhere in
    it, that document fails, or with `missed="replace"` the mention is replaced there, too. With
    `vault` an outcome holds the record of what replaced what, originals included. Ids and the
    columns that `keep_columns` fits are not changed: the counts of an outcome tell which of them
    show what was found in the text.
    """

    deidentifier: Deidentifier
    missed: Missed = "fail"
    vault: bool = False
    keep_columns: tuple[str, ...] = ()
    ids_stay: bool = True
    """Whether the ids in FHIR resources go out as they are: where the writer has no key."""
    coding: Coding | None = None
    """Which columns and ids go out as codes: they tell nothing."""
    strict_language: bool = False
    """Whether a document fails that looks to be in another language than the model's."""
    list_kept: bool = False
    """Whether outcomes tell the places of the mentions that the policy keeps."""
    prover: Prover = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "prover", _prover_of(self.deidentifier))

    def process(self, batch: Batch, *, tell: Tell = tell_nobody) -> list[list[Outcome]]:
        """Return the outcomes of the documents of each record, in order."""
        tell("detect")
        spans = iter(self._detect(batch))
        tell("transform")
        pairs = [[(each, next(spans)) for each in record] for record in batch]
        results = self.deidentifier.transform_records(pairs)
        done = [
            list(zip(record, mine, strict=True))
            for record, mine in zip(batch, results, strict=True)
        ]
        with seldom_collected():
            if self.missed == "replace":
                done = replace_missed(done, self.prover, self.deidentifier)
            tell("prove")
            return [self._outcomes(record) for record in prove_records(done, self.prover)]

    def bare(self, document: Document) -> Document:
        """Return a document without its text, with structure, kept columns and codes alone."""
        if self.coding is not None:
            return self.coding.bare(document, self.keep_columns)
        metadata = bare_metadata(document, keep_columns=self.keep_columns)
        return Document(document.id, "", metadata=metadata)

    def _detect(self, batch: Batch) -> list[tuple[Span, ...] | Failure]:
        """Return what is found in each document, or its failure; one of another language is none
        that the model reads."""
        language = self.deidentifier.language
        if not self.strict_language or language not in NAMES:
            return self.deidentifier.detect_records(batch)
        strange = [[bool(strange_piece(e.text, language)) for e in record] for record in batch]
        rest = [
            [each for each, away in zip(record, mine, strict=True) if not away]
            for record, mine in zip(batch, strange, strict=True)
        ]
        found = iter(self.deidentifier.detect_records([record for record in rest if record]))
        code = StrangeLanguageError.__name__
        return [
            Failure(each.id, "detect", code) if away else next(found)
            for record, mine in zip(batch, strange, strict=True)
            for each, away in zip(record, mine, strict=True)
        ]

    def _outcomes(self, record: Sequence[tuple[Document, Proved | Failure]]) -> list[Outcome]:
        """Return the outcomes of the documents of a record."""
        policy, language = self.deidentifier.policy, self.deidentifier.language
        orders = told_orders(
            policy,
            [
                (each, () if isinstance(proved, Failure) else proved.result.found)
                for each, proved in record
            ],
            language=language,
        )
        return [
            self._outcome(each, proved, order)
            for (each, proved), order in zip(record, orders, strict=True)
        ]

    def _outcome(self, original: Document, proved: Proved | Failure, order: str) -> Outcome:
        """Return the outcome of a document; `order` is what it tells of that of its dates."""
        if isinstance(proved, Failure):
            return Outcome(original.id, len(original.text), failure=proved)
        if self.coding is not None and self.coding.is_unfit(original):
            failure = Failure(original.id, "transform", NoCodeError.__name__)
            return Outcome(original.id, len(original.text), failure=failure)
        new, found = proved.result.document, proved.result.found
        sealed = None
        if self.vault:
            from scrubjay.transform.vault import make_line

            try:
                edited = apply_edits(original.text, proved.result.edits)
                name = original.id if self.coding is None else self.coding.name(original)
                sealed = make_line(name, original.text, found=found, edited=edited)
            except Exception as error:  # what the vault cannot hold is not shown
                failure = Failure(original.id, "prove", type(error).__name__)
                return Outcome(original.id, len(original.text), failure=failure)
        beside = self._telling(original, found) | ({DATE_ORDER + order: 1} if order else {})
        beside |= Counter(KEPT_LABEL + span.label for span in proved.kept)
        return Outcome(
            original.id, len(original.text), new.text, new.spans,
            labels=_count(found), proof={**proved.counts, **beside}, sealed=sealed,
            kept=places_of(proved.result, proved.kept) if self.list_kept else (),
        )  # fmt: skip

    def _telling(self, original: Document, found: Sequence[Span]) -> dict[str, int]:
        """Return a count of 1 for all that stands beside a text and shows what was found in it."""
        coding = self.coding
        kept = kept_values(
            original, self.keep_columns, coded=() if coding is None else coding.kinds
        )
        columns = ((TELLING_COLUMN + name, value) for name, value in kept)
        ids = record_ids(original) if self.ids_stay else ()
        own = () if coding is not None and coding.codes_id_of(original) else (original.id,)
        beside = chain(((TELLING_ID, each) for each in (*own, *ids)), columns)
        return dict.fromkeys(telling_of(original, found, beside), 1)


@dataclass(frozen=True, slots=True)
class AnnotateWork:
    """Finds the spans of documents; the texts stay as they are.

    With `missed="replace"` the spans are those that `DeidWork` would replace: what was found in a
    record, wherever it stands in it.
    """

    deidentifier: Deidentifier
    missed: Missed = "fail"
    prover: Prover = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "prover", _prover_of(self.deidentifier))

    def process(self, batch: Batch, *, tell: Tell = tell_nobody) -> list[list[Outcome]]:
        """Return the outcomes of the documents of each record, in order."""
        tell("detect")
        results = iter(self.deidentifier.detect_records(batch))
        pairs = [[(each, next(results)) for each in record] for record in batch]
        if self.missed == "replace":
            pairs = self._completed(pairs)
        return [[_annotated(*pair) for pair in record] for record in pairs]

    def _completed(self, pairs: list[list[Found]]) -> list[list[Found]]:
        """Return what was found in each document with what its record adds."""
        results = self.deidentifier.transform_records(pairs)
        done = [
            [(each, new) for (each, _), new in zip(record, mine, strict=True)]
            for record, mine in zip(pairs, results, strict=True)
        ]
        return [
            [(each, new if isinstance(new, Failure) else new.found) for each, new in record]
            for record in replace_missed(done, self.prover, self.deidentifier)
        ]

    def bare(self, document: Document) -> Document:
        """Return a document without its text and the annotations of the input."""
        return Document(document.id, "", metadata=annotation_free(document.metadata))


def work_facts(
    policy: Policy, keep_columns: Sequence[str], coding: Coding | None
) -> dict[str, Any]:
    """Return what a summary tells of work by a policy: never a key."""
    return {
        "policy_sha256": policy.fingerprint(),
        "reference_years": policy.reference_years(),
        "keep_columns": sorted(keep_columns),
        **code_facts(coding),
    }


class Runner(Protocol):
    """What has batches worked on: this process, or workers (`scrubjay.batch.workers`)."""

    @property
    def count(self) -> int:
        """Return how many processes work at once."""

    def map(
        self, batches: Iterator[Batch], *, stop: Stop | None = None
    ) -> Iterator[list[list[Outcome]]]:
        """Yield the outcomes of each batch, in order, until `stop` is asked."""


@dataclass(frozen=True, slots=True)
class Here:
    """Does the work in this process."""

    work: Work
    count: ClassVar[int] = 1

    def map(
        self, batches: Iterator[Batch], *, stop: Stop | None = None
    ) -> Iterator[list[list[Outcome]]]:
        """Yield the outcomes of each batch, in order, until `stop` is asked."""
        stop = stop or Stop()
        while not stop.asked:
            with stop.breaking():  # reading, too: input may be a pipe that nothing comes from
                batch = next(batches, None)
                if batch is None or stop.asked:
                    return
                outcomes = self.work.process(batch)
            yield outcomes


def outcomes_of(work: Work, documents: Iterable[Document]) -> Iterator[Outcome]:
    """Yield the outcome of each document, in order, as a run in one process has them.

    Documents of a patient that follow one another are a record. An error of the iterator itself
    is raised after the outcomes of the records that came before it.
    """
    for batch in Here(work).map(work.deidentifier.batches(documents)):
        yield from chain.from_iterable(batch)


def _prover_of(deidentifier: Deidentifier) -> Prover:
    """Return what proves its outputs: it looks for known identifiers, too, where some are known."""
    policy, language = deidentifier.policy, deidentifier.language or "en"
    around = deidentifier.detector
    if not isinstance(around, LayeredDetector):
        return Prover(policy, language=language)
    return Prover(policy, language=language, known=around.known, allow=around.allow)


def _pairs(record: Record) -> list[Pair]:
    return [(original, result) for original, result in record if isinstance(result, Deidentified)]


def _annotated(document: Document, found: tuple[Span, ...] | Failure) -> Outcome:
    if isinstance(found, Failure):
        return Outcome(document.id, len(document.text), failure=found)
    # The text is that of the document: whoever asked has it.
    return Outcome(document.id, len(document.text), document.text, found, labels=_count(found))


def _count(spans: Sequence[Span]) -> Mapping[str, int]:
    return Counter(span.label for span in spans)
