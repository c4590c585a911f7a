"""How the de-identifier of a run is made, in plain values that another process can be sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.artifacts import hash_manifest
from scrubjay.batch.coding import Coding, Kinds
from scrubjay.batch.work import AnnotateWork, DeidWork
from scrubjay.corpora.metadata import PATIENT_KEY
from scrubjay.corpora.splits import patient_finder
from scrubjay.deidentifier import Deidentifier
from scrubjay.detectors import Detector, drop_scores
from scrubjay.document import Document, Span
from scrubjay.errors import DetectionError
from scrubjay.known.detector import OnUnknown
from scrubjay.known.setup import surround
from scrubjay.models import describe_model, label_set_of, load_detector
from scrubjay.transform.codes import Coder
from scrubjay.transform.date_orders import set_dates, suppose_date_order
from scrubjay.transform.policy import Policy, find_policy, policy_path
from scrubjay.transform.surrogates.operator import UsualOrder


@dataclass(frozen=True, slots=True, repr=False)
class DeidSetup:
    """All that makes up the de-identifier of a run; its names are those of the options of `deid`.

    Its repr shows nothing, since it holds the key of the policy.
    """

    model: str
    policy: str = "placeholder"
    key: bytes | None = None
    patient_key: str = ""
    identifiers: Path | None = None
    unknown_patient: OnUnknown = "fail"
    allow: Path | None = None
    deny: Path | None = None
    propagate: bool = True
    recall_dial: float | None = None
    min_score: float | None = None
    records_tell: bool = False
    """Whether the records tell of their own patients, as HL7 messages and FHIR resources do."""
    keep_columns: tuple[str, ...] = ()
    """Patterns of the columns that go out as they are: their values are compared with the text."""
    ids_stay: bool = True
    """Whether ids of FHIR resources go out as they are: unless their writer has a key, they do."""
    date_order: str = ""
    """The order of the numbers in dates ("dmy", "mdy"); "" leaves it to the policy."""
    date_direction: str = ""
    """Where dates move ("past", "future"); "" leaves it to the policy."""
    usual_order: UsualOrder = ""
    """That of documents which do not tell theirs; "" leaves it to the language."""
    strict_language: bool = False
    """Whether documents fail that look to be in another language than the model's."""
    code_columns: Kinds = ()
    """The columns that go out as codes made by the key, and the kinds of their ids."""
    code_ids: bool = False
    """Whether the ids of documents go out as codes."""
    vault: bool = False
    """Whether outcomes hold what a vault gets."""
    list_kept: bool = False
    """Whether outcomes tell the places of the mentions that the policy keeps."""

    def coding(self) -> Coding | None:
        """Return what makes the codes, None where there are none; raises without a key for them."""
        if not self.code_columns and not self.code_ids:
            return None
        coder = Coder(self.key or b"")
        return Coding(coder, self.code_columns, self.code_ids, self.patient_key)

    def find_policy(self) -> Policy:
        """Return the policy, checked against the labels of the model."""
        rules = find_policy(self.policy, key=self.key)
        rules = set_dates(rules, order=self.date_order, direction=self.date_direction)
        if self.usual_order:
            rules = suppose_date_order(rules, self.usual_order)
        manifest = describe_model(self.model).manifest
        known = {*manifest.labels, *label_set_of(manifest).labels}
        rules.require_labels(known, path=policy_path(self.policy))
        return rules

    def make(self) -> Deidentifier:
        """Return the de-identifier; raises for whatever of it is missing or damaged."""
        rules = self.find_policy()
        model = load_detector(
            self.model,
            recall_dial=self.recall_dial,
            min_score=self.min_score,
            by_label=rules.min_scores,
        )
        if self.min_score is None and not rules.min_scores:
            model = drop_scores(model)  # nothing of a de-identified document asks for them
        return self._around(model, rules)

    def make_work(self) -> DeidWork:
        """Return what a run does with each batch, model and all; raises as `make`."""
        return self._work(self.make())

    def shape_work(self) -> DeidWork:
        """Return the same without the model, whose place is taken by one that always raises."""
        return self._work(self._around(_Absent(), self.find_policy()))

    def facts(self) -> dict[str, Any]:
        """Return what a summary tells of it beside `work_facts`, and no key.

        Of files it tells whether they were given.
        """
        model = describe_model(self.model)
        manifest = model.manifest
        return {
            "model_sha256": hash_manifest(model.folder),
            "language": manifest.language,
            "label_set": manifest.label_set,
            "patient_key": self.patient_key or None,
            "recall_dial": self.recall_dial,
            "min_score": self.min_score,
            "propagate": self.propagate,
            "date_order": self.date_order or None,
            "date_direction": self.date_direction or None,
            "strict_language": self.strict_language,
            "identifiers": self.identifiers is not None,
            "allow": self.allow is not None,
            "deny": self.deny is not None,
            "vault": self.vault,
            "list_kept": self.list_kept,
        }

    def _work(self, deidentifier: Deidentifier) -> DeidWork:
        return DeidWork(
            deidentifier,
            "replace" if self.propagate else "fail",
            self.vault,
            self.keep_columns,
            self.ids_stay,
            self.coding(),
            self.strict_language,
            self.list_kept,
        )

    def _around(self, model: Detector, rules: Policy) -> Deidentifier:
        return _surrounded(self, model, rules)


@dataclass(frozen=True, slots=True)
class AnnotateSetup:
    """All that makes up what finds spans in a run of `annotate`; names are those of `DeidSetup`.

    With `propagate` they are those that a run of `deid` with the same settings hides, all of them.
    """

    model: str
    recall_dial: float | None = None
    min_score: float | None = None
    propagate: bool = False
    patient_key: str = ""
    identifiers: Path | None = None
    unknown_patient: OnUnknown = "fail"
    allow: Path | None = None
    deny: Path | None = None
    records_tell: bool = False

    def make(self) -> Deidentifier:
        """Return a de-identifier of which detection alone is of use."""
        model = load_detector(self.model, recall_dial=self.recall_dial, min_score=self.min_score)
        return _surrounded(self, model, find_policy("placeholder"))

    def make_work(self) -> AnnotateWork:
        """Return what a run does with each batch, model and all; raises as `make`."""
        return self._work(self.make())

    def shape_work(self) -> AnnotateWork:
        """Return the same without the model, whose place is taken by one that always raises."""
        return self._work(_surrounded(self, _Absent(), find_policy("placeholder")))

    def _work(self, deidentifier: Deidentifier) -> AnnotateWork:
        return AnnotateWork(deidentifier, "replace" if self.propagate else "fail")


def _surrounded(setup: DeidSetup | AnnotateSetup, model: Detector, rules: Policy) -> Deidentifier:
    """Return the de-identifier of a setup: the model with what is known beforehand around it."""
    manifest = describe_model(setup.model).manifest
    patient_of = patient_finder(setup.patient_key) if setup.patient_key else None
    if patient_of is None and setup.records_tell:
        patient_of = own_patient
    detector = surround(
        model,
        label_set=label_set_of(manifest),
        language=manifest.language,
        identifiers=setup.identifiers,
        patient_of=patient_of,
        unknown=setup.unknown_patient,
        allow=setup.allow,
        deny=setup.deny,
        propagate=setup.propagate,
        records_tell=setup.records_tell,
    )
    return Deidentifier(detector, rules, patient_of=patient_of, language=manifest.language)


def own_patient(document: Document) -> str:
    """Return the patient that a record names itself, "" where it names none."""
    return str(document.metadata.get(PATIENT_KEY) or "")


@dataclass(frozen=True, slots=True)
class _Absent:
    """Stands where a model is loaded in another process."""

    labels: tuple[str, ...] = ()

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        raise DetectionError("the model is in another process")
