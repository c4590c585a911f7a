"""The hall that joins the rooms: documents in, de-identified documents or failures out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from scrubjay.caching import forget_long
from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.errors import (
    ConfigError,
    DetectionError,
    InputError,
    NoPatientError,
    SpanError,
    require_choice,
    told_type,
)
from scrubjay.garbage import seldom_collected
from scrubjay.intake import as_documents, growing, until_error
from scrubjay.spans import require_disjoint
from scrubjay.transform.edits import Edit, Edited, apply_edits, without_ends
from scrubjay.transform.policy import Policy, find_policy, policy_path

if TYPE_CHECKING:
    from scrubjay.known.detector import OnUnknown
    from scrubjay.known.setup import IdentifiersGiven, TermsGiven

Stage = Literal["detect", "transform", "prove", "write", "restore"]

_RECORD_DOCUMENTS = 256
_RECORD_CHARACTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class Deidentified:
    """A document after de-identification.

    `document` has the new text, as its spans what stands in the place of each mention (where
    that is not empty), and of the metadata only what was named to be kept. `found` are the
    detected spans, with offsets into the original text, and `edits` what was done to each: white
    space at the ends of a replacement keeps lines and columns, and is no part of its span.
    `patient` is the key of the patient whose record this is, "" where it is not known.
    """

    document: Document
    found: tuple[Span, ...]
    edits: tuple[Edit, ...] = ()
    patient: str = field(default="", repr=False)

    @property
    def id(self) -> str:
        """Return the id of the document, which is that of the original."""
        return self.document.id


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be processed, and of which nothing is given out.

    `stage` is where it failed and `code` the class name of the exception; its message is not
    kept, since it may quote the document.
    """

    id: str
    stage: Stage
    code: str


Found: TypeAlias = "tuple[Document, tuple[Span, ...] | Failure]"
"""A document with what was found in it, or its failure."""


@dataclass(frozen=True, slots=True)
class Deidentifier:
    """Finds spans with a detector and replaces them by a policy, failing closed.

    Documents are processed in batches of at most `batch_characters` characters and
    `batch_documents` documents, so memory stays flat over any number of them. Results do not
    depend on the batches. Of the metadata of a document only the entries named in
    `keep_metadata` survive: the others may quote the original text.

    `patient_of` tells the key of the patient whose record a document belongs to, so that
    surrogates agree over all documents of a patient; a document of which it raises, or gives no
    string, is a failure. Documents of one patient that follow one another are a record (of at
    most 256 documents or about 2,000,000 characters) and always in one batch. `language` is that
    of the texts, a code such as "en".
    """

    detector: Detector
    policy: Policy
    batch_characters: int = 200_000
    batch_documents: int = 256
    keep_metadata: frozenset[str] = frozenset()
    patient_of: Callable[[Document], str] | None = None
    language: str = ""

    def __post_init__(self) -> None:
        _require_detector(self.detector)
        if not isinstance(self.policy, Policy):
            raise ConfigError(
                f"the policy is {told_type(self.policy)}, and no Policy",
                hint="Give what scrubjay.find_policy(name) returns, or call scrubjay.load(name)",
            )
        if self.batch_characters < 1 or self.batch_documents < 1:
            raise ConfigError("a batch holds at least one character and one document")
        if self.patient_of is not None and not callable(self.patient_of):
            raise ConfigError(
                f"patient_of is {told_type(self.patient_of)}, no function",
                hint="Give one that takes a document and returns the key of its patient",
            )

    def pipe(self, documents: Iterable[Document | str]) -> Iterator[Deidentified | Failure]:
        """Yield one result for each document, in order.

        A plain string is a document, too: its id is `text-1` where it comes first, and so on.
        A document whose detection or transformation raises anything becomes a `Failure`, and
        spoils no other. An error of the iterator itself is raised after the results of the
        documents that came before it.
        """
        for record in self.records(documents):
            for _, result in record:
                yield result

    def records(
        self, documents: Iterable[Document | str]
    ) -> Iterator[list[tuple[Document, Deidentified | Failure]]]:
        """Yield the documents of each record with their results, in order.

        A document whose patient is not known is a record of its own. Failures and errors are
        those of `pipe`.
        """
        for batch in self.batches(documents):
            found = iter(self.detect_records(batch))
            pairs = [[(each, next(found)) for each in record] for record in batch]
            for record, results in zip(batch, self.transform_records(pairs), strict=True):
                yield list(zip(record, results, strict=True))

    def detect(self, documents: Iterable[Document | str]) -> Iterator[Document | Failure]:
        """Yield each document with the detected spans in place of its own, text unchanged.

        Strings, failures and errors are those of `pipe`.
        """
        for batch in self.batches(documents):
            together = [document for record in batch for document in record]
            for document, found in zip(together, self.detect_records(batch), strict=True):
                yield found if isinstance(found, Failure) else document.with_spans(found)

    def deidentify(self, text: str) -> str:
        """Return one text de-identified; raises `DetectionError` if that fails.

        Raises `InputError` for what is no string.
        """
        if not isinstance(text, str):
            raise InputError(
                f"a string is wanted, and not {told_type(text)}",
                hint="Give one text: bytes are decoded first, an empty cell of a table is left "
                "out, documents and lists go through pipe",
            )
        (result,) = self.pipe([Document("text", text)])
        if isinstance(result, Failure):
            raise DetectionError(
                f"the text could not be de-identified: {result.code} in stage {result.stage}"
            )
        return result.document.text

    def batches(
        self, documents: Iterable[Document | str], *, small_first: bool = False
    ) -> Iterator[list[list[Document]]]:
        """Yield lists of whole records; one that alone is greater than a batch is one, too.

        With `small_first` the first ones are small, so that something is done soon. An error of the
        iterator itself is raised after the records that came before it.
        """
        full = (self.batch_documents, self.batch_characters)
        sizes = growing(full) if small_first else repeat(full)
        most_documents, most_characters = next(sizes)
        batch: list[list[Document]] = []
        size = count = 0
        for record, error in until_error(self._gather(as_documents(documents)), []):
            length = sum(len(document.text) for document in record)
            if batch and (error is not None or size + length > most_characters):
                yield batch
                batch, size, count = [], 0, 0
                most_documents, most_characters = next(sizes)
            if error is not None:
                raise error
            batch.append(record)
            size, count = size + length, count + len(record)
            if count >= most_documents:
                yield batch
                batch, size, count = [], 0, 0
                most_documents, most_characters = next(sizes)
        if batch:
            yield batch

    def _gather(self, documents: Iterable[Document]) -> Iterator[list[Document]]:
        """Yield the records, each as the list of its documents."""
        record: list[Document] = []
        patient, size = "", 0
        for document, error in until_error(documents, Document("", "")):
            own = self._patient(document)
            full = len(record) >= _RECORD_DOCUMENTS or size >= _RECORD_CHARACTERS
            if record and (error is not None or full or own != patient):
                yield record
                record, size = [], 0
            if error is not None:
                raise error
            if own:
                record.append(document)
                size += len(document.text)
            else:
                yield [document]
            patient = own
        if record:
            yield record

    def _patient(self, document: Document) -> str:
        """Return the patient of a document, "" where that cannot be told: it will fail later."""
        try:
            return "" if self.patient_of is None else self.patient_of(document)
        except Exception:
            return ""

    def detect_records(
        self, batch: Sequence[Sequence[Document]]
    ) -> list[tuple[Span, ...] | Failure]:
        """Return what is found in each document of some records, or its failure, in order.

        They are detected in one call; where that fails, in parts, to find the bad document.
        """
        together = [document for record in batch for document in record]
        try:
            return list(self._detect(together))
        except Exception as error:
            if len(together) == 1:
                return [Failure(together[0].id, "detect", type(error).__name__)]
        return [found for part in split_batch(batch) for found in self.detect_records(part)]

    def _detect(self, batch: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return what the detector finds, or raise if that is not one valid tuple for each.

        The detector sees no spans: those of the input may be the answer. A detector that does not
        know of the identifying fields of records may not detect in them.
        """
        require_fields_known(self.detector, batch)
        bare = [document.with_spans(()) if document.spans else document for document in batch]
        try:
            with seldom_collected():
                results = self.detector.detect(bare)
        finally:
            forget_long()
        if len(results) != len(batch):
            raise DetectionError(f"{len(results)} results for {len(batch)} documents")
        return [
            _require_inside(document, found) for document, found in zip(batch, results, strict=True)
        ]

    def transform_records(
        self, records: Sequence[Sequence[Found]]
    ) -> list[list[Deidentified | Failure]]:
        """Return each document of some records de-identified, in order; a failure stays one.

        What was found in a document must be sorted, disjoint and inside its text; whatever goes
        wrong makes a `Failure`. What one document of a record tells of a person counts in the
        others, whichever comes first (docs/surrogates-names.md); those of other records have no
        part in it.
        """
        results: list[list[Deidentified | Failure | None]] = []
        chosen: list[tuple[Document, tuple[Span, ...], str]] = []
        numbers: list[int] = []
        for number, record in enumerate(records):
            mine = [self._chosen(*each) for each in record]
            results.append([each if isinstance(each, Failure) else None for each in mine])
            new = [each for each in mine if not isinstance(each, Failure)]
            chosen += new
            numbers += [number if len(record) > 1 else -1] * len(new)
        with seldom_collected():
            try:
                edits = self.policy.plan_all(chosen, language=self.language, shared=numbers)
            finally:
                forget_long()
            pairs = zip(chosen, edits, strict=True)
            done = iter([self._edited(*each, new) for each, new in pairs])
        return [
            [next(done) if result is None else result for result in record] for record in results
        ]

    def _chosen(
        self, document: Document, found: tuple[Span, ...] | Failure
    ) -> tuple[Document, tuple[Span, ...], str] | Failure:
        """Return a document with its spans as the policy selects them, and its patient."""
        if isinstance(found, Failure):
            return found
        try:
            patient = "" if self.patient_of is None else self.patient_of(document)
            if not isinstance(patient, str):
                raise NoPatientError(f"patient_of gave {told_type(patient)}, no string")
            return document, self.policy.select(found), patient
        except Exception as error:
            return Failure(document.id, "transform", type(error).__name__)

    def _edited(
        self,
        document: Document,
        found: tuple[Span, ...],
        patient: str,
        edits: list[Edit] | Exception,
    ) -> Deidentified | Failure:
        """Return a document with its edits made."""
        try:
            if isinstance(edits, Exception):
                raise edits
            edited = apply_edits(document.text, edits)
            metadata = {
                name: value
                for name, value in document.metadata.items()
                if name in self.keep_metadata
            }
            output = Document(document.id, edited.text, _output_spans(found, edited), metadata)
            return Deidentified(output, found, tuple(edits), patient)
        except Exception as error:
            return Failure(document.id, "transform", type(error).__name__)


def load(
    model: str | Path = "en",
    policy: str | Path | Policy = "placeholder",
    *,
    key: bytes | None = None,
    patient_of: Callable[[Document], str] | None = None,
    propagate: bool = True,
    date_order: str = "",
    date_direction: str = "",
    recall_dial: float | None = None,
    min_score: float | None = None,
    identifiers: IdentifiersGiven | None = None,
    unknown_patient: OnUnknown = "fail",
    allow: TermsGiven | None = None,
    deny: TermsGiven | None = None,
    detectors: Sequence[Detector] = (),
) -> Deidentifier:
    """Return a de-identifier from a model and a policy, each given by its name or its path.

    The settings are those of `scrubjay deid` of the same name. `key` is the secret of the policies
    that need one, such as `surrogate` and `hash`; where it is not given, the environment variable
    `SCRUBJAY_KEY` is read. `patient_of` tells the patient of a document. What was found once in a
    document, or in neighbouring ones of a patient, is found wherever else it stands there; with
    `propagate` False only what the model finds is. Very long texts are read in windows.
    `date_order` tells what 3/4/2012 is where dates are shifted: "dmy", the 3rd of April, or "mdy",
    the 4th of March; "" leaves that to each document, or to the policy. `date_direction` tells
    where they all move, "past" or "future"; "" leaves that to the policy. The language is that of
    the model.

    `recall_dial` above 0 finds more, below 0 less; None is as the model was made. Spans of the
    model with a score below `min_score` are left out. `identifiers` is what is known of patients:
    a file, or a mapping from their keys, as `patient_of` tells them, to columns and values
    (`{"17": {"name": ["Ann Lee"], "mrn": "48213"}}`); a document whose patient is not in it
    fails unless `unknown_patient` is "pass". `allow` are terms that the model may not remove,
    `deny` those that are always removed: a file, or terms, of `deny` also a mapping from terms to
    labels. `detectors` are your own; they go before the model where both find something.

    Raises `ConfigError` for an unknown model or policy, for settings of another type and for an
    order or a direction that is none or of no use, `LabelError` for labels that neither model nor
    detectors have, `FormatError` for a file of identifiers or terms that is none, and
    `ArtifactError` for a damaged model.
    """
    from scrubjay.known.layers import Joined
    from scrubjay.known.setup import surround
    from scrubjay.models import describe_model, label_set_of, load_detector
    from scrubjay.transform.date_orders import set_dates
    from scrubjay.transform.operators import read_key

    if not isinstance(propagate, bool):
        raise ConfigError(f"propagate is {told_type(propagate)}, and neither True nor False")
    for name, value in (("date_order", date_order), ("date_direction", date_direction)):
        if not isinstance(value, str):
            raise ConfigError(f"{name} is {told_type(value)}, no string")
    for name, number in (("recall_dial", recall_dial), ("min_score", min_score)):
        if number is not None and not isinstance(number, int | float):
            raise ConfigError(f"{name} is {told_type(number)}, no number")
    if not isinstance(detectors, Sequence):
        raise ConfigError(
            f"detectors is {told_type(detectors)}", hint="Give a list, of one as well"
        )
    for each in detectors:
        _require_detector(each)
    require_choice("unknown_patient", unknown_patient, ("fail", "pass"))
    if isinstance(policy, Policy):
        rules = policy
    else:
        rules = find_policy(policy, key=read_key() if key is None else key)
    rules = set_dates(rules, order=date_order, direction=date_direction)
    manifest = describe_model(model).manifest
    label_set = label_set_of(manifest)
    own = {label for each in detectors for label in each.labels}
    rules.require_labels(
        {*manifest.labels, *label_set.labels, *own},
        path=None if isinstance(policy, Policy) else policy_path(policy),
    )
    found = load_detector(
        model, recall_dial=recall_dial, min_score=min_score, by_label=rules.min_scores
    )
    detector = surround(
        Joined((*detectors, found)) if detectors else found,
        label_set=label_set,
        language=manifest.language,
        identifiers=identifiers,
        patient_of=patient_of,
        unknown=unknown_patient,
        allow=allow,
        deny=deny,
        propagate=propagate,
    )
    return Deidentifier(detector, rules, patient_of=patient_of, language=manifest.language)


def _require_detector(detector: Detector) -> None:
    if not callable(getattr(detector, "detect", None)):
        raise ConfigError(
            f"the detector is {told_type(detector)}, and has no method `detect`",
            hint="Give what scrubjay.load_model(name) returns, or call scrubjay.load(name)",
        )


def require_fields_known(detector: Detector, documents: Iterable[Document]) -> None:
    """Raise `DetectionError` for a record whose identifying fields the detector would not find.

    Messages of HL7 and resources of FHIR have such fields: a model alone would leave a name that
    stands there without any context.
    """
    if getattr(detector, "fixed", None) is not None:
        return
    for document in documents:
        if any(part["kind"] for part in document.metadata.get("record.parts", ())):
            raise DetectionError(
                f"document {document.id!r} has fields that are identifiers, which this detector "
                "does not look at: make it with scrubjay.batch.setup.DeidSetup"
            )


def split_batch(batch: Sequence[Sequence[Document]]) -> list[list[list[Document]]]:
    """Return the parts of a batch that did not go through: its records, then their documents."""
    if len(batch) > 1:
        return [[list(record)] for record in batch]
    return [[[document]] for record in batch for document in record]


def _require_inside(document: Document, found: Iterable[Span]) -> tuple[Span, ...]:
    spans = require_disjoint(found, document_id=document.id)
    if spans and spans[-1].end > len(document.text):
        raise SpanError(f"document {document.id!r}: a detected span ends beyond the text")
    return spans


def _output_spans(found: Iterable[Span], edited: Edited) -> tuple[Span, ...]:
    """Return the spans of what replaced each mention; an empty replacement has none."""
    offsets, text = edited.offsets, edited.text
    borders = zip(found, offsets.new_starts, offsets.new_ends, strict=True)
    return tuple(
        [
            Span(*without_ends(text, start, end), span.label, span.score, span.source)
            for span, start, end in borders
            if start < end and not text[start:end].isspace()
        ]
    )
