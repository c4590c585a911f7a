"""A model with known identifiers, lists and propagation around it, as options ask for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.known.detector import KnownDetector, LayeredDetector, OnUnknown
from scrubjay.known.finder import labels_of_kinds
from scrubjay.known.identifiers import KnownIdentifiers
from scrubjay.known.parts import find_parts
from scrubjay.known.propagation import Propagation
from scrubjay.known.reading import read_identifiers
from scrubjay.known.terms import DenyDetector, read_allowed, read_terms, require_apart
from scrubjay.labels import LabelSet, kind_of


def surround(
    model: Detector,
    *,
    label_set: LabelSet,
    language: str,
    identifiers: Path | None = None,
    patient_of: Callable[[Document], str] | None = None,
    unknown: OnUnknown = "fail",
    allow: Path | None = None,
    deny: Path | None = None,
    propagate: bool = True,
    records_tell: bool = False,
) -> LayeredDetector:
    """Return the model together with what is known beforehand, and with propagation if wanted.

    With `patient_of`, what was found in one document of a patient is found in the neighbouring
    documents of the same patient, too. `language` is that of the documents,
    `label_set` that of the model. `records_tell` says that records tell of their own patients, as
    HL7 messages do. Raises `ConfigError` for identifiers without `patient_of` and
    for a term in both lists, and as `read_identifiers`, `read_terms` and `read_allowed` do.
    """
    known = None
    if identifiers is not None or records_tell:
        known = KnownDetector(
            _read_register(identifiers, patient_of, language=language),
            patient_of=patient_of or _nobody,
            label_set=label_set,
            language=language,
            unknown=unknown if identifiers is not None else "pass",
        )
    allowed, look_alikes = (
        (None, None) if allow is None else read_allowed(allow, label_set=label_set)
    )
    denied = None if deny is None else read_terms(deny, label_set=label_set)
    if allowed is not None and denied is not None:
        require_apart(allowed, denied)
    spread = Propagation(partial(kind_of, label_set), language) if propagate else None
    return LayeredDetector(
        model,
        known=known,
        deny=None if denied is None else DenyDetector(denied, other_label(label_set)),
        allow=allowed,
        look_alikes=look_alikes,
        propagation=spread,
        patient_of=patient_of,
        fixed=find_parts(label_set),
    )


def _read_register(
    identifiers: Path | None, patient_of: Callable[[Document], str] | None, *, language: str
) -> KnownIdentifiers:
    if identifiers is None:
        return KnownIdentifiers()
    if patient_of is None:
        raise ConfigError(
            "the identifiers need to know the patient of each document",
            path=identifiers,
            hint="Give --patient-key id:REGEX, or the name of a column or metadata entry",
        )
    return read_identifiers(identifiers, language=language)


def _nobody(document: Document) -> str:
    return ""


def other_label(label_set: LabelSet) -> str:
    """Return the label of denied terms without one: that of kind "other", else of other ids."""
    others = [label for label in label_set.definitions if label.kind == "other"]
    unique = [label.name for label in others if label.hipaa == "R"]
    return (unique or [label.name for label in others] or [labels_of_kinds(label_set)["id"]])[0]
