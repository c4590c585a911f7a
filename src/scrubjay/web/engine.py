"""What does the work of a request: models, policies and known identifiers, loaded once.

It runs in a worker, so that jobs and answers are plain values that a pipe can carry. None of them
shows text in its repr.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from scrubjay.batch.proof import Proved, Prover
from scrubjay.batch.work import prove_records, replace_missed
from scrubjay.deidentifier import Deidentified, Deidentifier, Failure
from scrubjay.detectors import Detector, ScoreFilter, turn_recall_dial
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.known.detector import KnownDetector, LayeredDetector, OnUnknown
from scrubjay.known.identifiers import KnownIdentifiers, PatientIdentifiers
from scrubjay.known.layers import overlay
from scrubjay.known.propagation import Propagation
from scrubjay.known.reading import read_identifiers
from scrubjay.known.setup import other_label
from scrubjay.known.terms import DenyDetector, Terms
from scrubjay.labels import kind_of
from scrubjay.models import describe_model, label_set_of, load_model
from scrubjay.transform.date_orders import set_shifted_dates
from scrubjay.transform.policy import Policy, find_policy
from scrubjay.windows import Windowed

Task = Literal["detect", "deidentify"]

_PATIENT = "service.patient"
_NUMBER = "service.number"
_DIALS_KEPT = 8
_MADE_UP = "Ann Lee, 12 Elm Street, Springfield 02139, was seen by Dr. Bo Ray on 3/4/2019.\n"


@dataclass(frozen=True, slots=True, repr=False)
class JobDocument:
    """One document of a job, with what is known of its patient and spans that are given.

    An `id` of "" is that of a document without one. `spans` are always found, whatever the model
    says; they are disjoint and inside the text.
    """

    text: str
    id: str = ""
    patient: str = ""
    known: PatientIdentifiers | None = None
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Job:
    """What is asked of the engine; names of models and policies are those of its setup.

    A `date_order` is for a policy that shifts dates.
    """

    task: Task
    documents: tuple[JobDocument, ...]
    model: str
    policy: str = "placeholder"
    dial: float | None = None
    min_score: float = 0.0
    thresholds: Mapping[str, float] = field(default_factory=dict)
    allow: Terms | None = None
    deny: Terms | None = None
    propagate: bool = True
    date_order: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Found:
    """What came of one document: the spans in its text, and the new text where one was asked for.

    `places` are start and end of what replaced each span in the new text.
    """

    spans: tuple[Span, ...]
    text: str | None = None
    places: tuple[tuple[int, int], ...] = ()


Answer = tuple[Found | Failure, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What an engine tells of its models: the names of those with a recall dial."""

    dialled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, repr=False)
class EngineSetup:
    """What an engine is made of, in plain values that another process can be sent.

    `models` and `policies` are names (as requests give them) with names or paths. `date_order` is
    that of all policies that shift dates, where a job has none, and `date_direction` where their
    dates move. Its repr shows nothing, since it holds the key of the policies.
    """

    models: Mapping[str, str]
    policies: Mapping[str, str]
    key: bytes | None = None
    known: Path | None = None
    unknown_patient: OnUnknown = "fail"
    date_order: str = ""
    date_direction: str = ""

    def make(self) -> Engine:
        """Load everything and return the engine; raises for whatever is missing or damaged."""
        return Engine(self)


class _Model:
    """A loaded model with its label set, and the dials that were asked for last."""

    def __init__(self, name: str, setup: EngineSetup) -> None:
        self.detector = load_model(name)
        self.manifest = describe_model(name).manifest
        self.label_set = label_set_of(self.manifest)
        self.register: KnownDetector | None = None
        if setup.known is not None:
            self.register = self.known_detector(self.read(setup.known), setup.unknown_patient)
        self._dialled: OrderedDict[float, Detector] = OrderedDict()

    def read(self, path: Path) -> KnownIdentifiers:
        return read_identifiers(path, language=self.manifest.language)

    def known_detector(
        self, known: KnownIdentifiers, unknown: OnUnknown, *, key: str = _PATIENT
    ) -> KnownDetector:
        return KnownDetector(
            known,
            patient_of=partial(_entry, key),
            label_set=self.label_set,
            language=self.manifest.language,
            unknown=unknown,
        )

    def has_dial(self) -> bool:
        try:
            turn_recall_dial(self.detector, 0.0)
        except ConfigError:
            return False
        return True

    def dialled(self, dial: float | None) -> Detector:
        if dial is None:
            return self.detector
        if dial not in self._dialled:
            self._dialled[dial] = turn_recall_dial(self.detector, dial)
            if len(self._dialled) > _DIALS_KEPT:
                self._dialled.popitem(last=False)
        self._dialled.move_to_end(dial)
        return self._dialled[dial]


class Engine:
    """Answers jobs, one at a time: a document that fails is a `Failure` and spoils no other."""

    def __init__(self, setup: EngineSetup) -> None:
        self._setup = setup
        self._models = {name: _Model(place, setup) for name, place in setup.models.items()}
        self._policies = {
            name: set_shifted_dates(
                find_policy(place, key=setup.key),
                order=setup.date_order,
                direction=setup.date_direction,
            )
            for name, place in setup.policies.items()
        }
        self._identifiers: KnownIdentifiers | None = None

    def answer(self, job: Job) -> Answer:
        """Return what comes of each document, in order."""
        model = self._models[job.model]
        policy = set_shifted_dates(self._policies[job.policy], order=job.date_order)
        documents = [_document(number, each) for number, each in enumerate(job.documents)]
        detector = self._detector(job, model, policy)
        deidentifier = Deidentifier(
            detector,
            policy,
            patient_of=partial(_entry, _PATIENT),
            language=model.manifest.language,
        )
        if job.task == "detect":
            return tuple(
                found if isinstance(found, Failure) else Found(found.spans)
                for found in deidentifier.detect(documents)
            )
        prover = Prover(policy, model.manifest.language or "en", detector.known, job.allow)
        return tuple(_deidentify(deidentifier, prover, documents, spread=job.propagate))

    def facts(self) -> Facts:
        """Return what is known of the models only where they are loaded."""
        return Facts(frozenset(name for name, model in self._models.items() if model.has_dial()))

    def warm_up(self) -> None:
        """Answer made-up jobs, so that no request waits for what is read when first needed."""
        for model in self._models:
            for policy in self._policies:
                for task in ("detect", "deidentify"):
                    self.answer(Job(task, (JobDocument(_MADE_UP * 25),), model, policy))

    def _detector(self, job: Job, model: _Model, policy: Policy) -> LayeredDetector:
        least = dict(job.thresholds)
        if job.task == "deidentify":
            for label, score in policy.min_scores.items():
                least[label] = max(score, least.get(label, 0.0))
        detector: Detector = Windowed(model.dialled(job.dial))
        if job.min_score or least:
            detector = ScoreFilter(detector, job.min_score, least)
        given = {str(n): each.spans for n, each in enumerate(job.documents) if each.spans}
        if given:
            detector = _Given(detector, given)
        language = model.manifest.language
        return LayeredDetector(
            detector,
            known=self._known(job, model),
            deny=None if job.deny is None else DenyDetector(job.deny, other_label(model.label_set)),
            allow=job.allow,
            propagation=(
                Propagation(partial(kind_of, model.label_set), language) if job.propagate else None
            ),
            patient_of=partial(_entry, _PATIENT),
        )

    def _known(self, job: Job, model: _Model) -> KnownDetector | None:
        """Return what finds known identifiers: those of the register, and those of the request."""
        if all(each.known is None for each in job.documents):
            return model.register
        known: dict[str, PatientIdentifiers] = {}
        for number, each in enumerate(job.documents):
            registered = self._registered(model, each.patient)
            both = [found for found in (registered, each.known) if found is not None]
            if both:
                known[str(number)] = both[0] if len(both) == 1 else both[0].joined(both[1])
        # Without a register nobody said that each document must have identifiers.
        unknown = self._setup.unknown_patient if self._setup.known is not None else "pass"
        return model.known_detector(KnownIdentifiers(known), unknown, key=_NUMBER)

    def _registered(self, model: _Model, patient: str) -> PatientIdentifiers | None:
        if self._setup.known is None or not patient:
            return None
        if self._identifiers is None:
            self._identifiers = model.read(self._setup.known)
        return self._identifiers.get(patient)


@dataclass(frozen=True, slots=True)
class _Given:
    """A detector whose spans stand beside those that a request gave, which come first."""

    detector: Detector
    given: Mapping[str, tuple[Span, ...]]

    @property
    def labels(self) -> tuple[str, ...]:
        own = {span.label for spans in self.given.values() for span in spans}
        return (*self.detector.labels, *sorted(own - set(self.detector.labels)))

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = self.detector.detect(documents)
        return [
            overlay(document.text, [*self.given.get(_entry(_NUMBER, document), ()), *spans])
            for document, spans in zip(documents, found, strict=True)
        ]


def _entry(name: str, document: Document) -> str:
    return str(document.metadata.get(name, ""))


def _document(number: int, given: JobDocument) -> Document:
    # Operators take the id for the document's own: texts without one must not all share theirs.
    digest = hashlib.sha256(given.text.encode("utf-8", "surrogatepass")).hexdigest()
    metadata = {_PATIENT: given.patient, _NUMBER: str(number)}
    return Document(given.id or f"text-{digest[:32]}", given.text, metadata=metadata)


def _deidentify(
    deidentifier: Deidentifier, prover: Prover, documents: Sequence[Document], *, spread: bool
) -> Iterator[Found | Failure]:
    """Yield each document de-identified and proved, as a run over files does it."""
    for record in deidentifier.records(documents):
        records = replace_missed([record], prover, deidentifier) if spread else [record]
        for _, proved in prove_records(records, prover)[0]:
            yield _found(proved.result) if isinstance(proved, Proved) else proved


def _found(result: Deidentified) -> Found:
    places, shift = [], 0
    for edit in result.edits:
        start = edit.start + shift
        new = edit.replacement
        begin = start + len(new) - len(new.lstrip())
        places.append((begin, begin + len(new.strip())))
        shift += len(edit.replacement) - (edit.end - edit.start)
    return Found(result.found, result.document.text, tuple(places))
