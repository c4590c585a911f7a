"""A model with known identifiers, lists and propagation around it, as options ask for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.errors import ConfigError, told_type
from scrubjay.known.detector import KnownDetector, LayeredDetector, OnUnknown
from scrubjay.known.finder import labels_of_kinds
from scrubjay.known.identifiers import KnownIdentifiers
from scrubjay.known.parts import find_parts
from scrubjay.known.propagation import Propagation
from scrubjay.known.reading import gather_identifiers, read_identifiers
from scrubjay.known.terms import (
    DenyDetector,
    Terms,
    gather_terms,
    read_allowed,
    read_terms,
    require_apart,
)
from scrubjay.labels import LabelSet, kind_of
from scrubjay.taggers.look_alikes import LookAlikes

IdentifiersGiven: TypeAlias = (
    "str | Path | KnownIdentifiers | Mapping[str, Mapping[str, str | Iterable[str] | None]]"
)
"""A file of identifiers, identifiers that were read, or those of each patient by columns."""
TermsGiven: TypeAlias = "str | Path | Iterable[str]"
"""A file of terms, or terms; of a deny-list perhaps a mapping from terms to labels."""


def surround(
    model: Detector,
    *,
    label_set: LabelSet,
    language: str,
    identifiers: IdentifiersGiven | None = None,
    patient_of: Callable[[Document], str] | None = None,
    unknown: OnUnknown = "fail",
    allow: TermsGiven | None = None,
    deny: TermsGiven | None = None,
    propagate: bool = True,
    records_tell: bool = False,
) -> LayeredDetector:
    """Return the model together with what is known beforehand, and with propagation if wanted.

    With `patient_of`, what was found in one document of a patient is found in the neighbouring
    documents of the same patient, too. `language` is that of the documents,
    `label_set` that of the model. `records_tell` says that records tell of their own patients, as
    HL7 messages do. Lists and identifiers are files, or what is given in their place. Raises
    `ConfigError` for identifiers without `patient_of` and for a term in both lists, and as the
    functions of `known.reading` and `known.terms` do.
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
    allowed, look_alikes = _allowed(allow, label_set)
    denied = _denied(deny, label_set)
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


def _allowed(
    given: TermsGiven | None, label_set: LabelSet
) -> tuple[Terms | None, LookAlikes | None]:
    if given is None:
        return None, None
    if isinstance(given, str | Path):
        return read_allowed(_file_of(given, "allow"), label_set=label_set)
    return gather_terms(_terms_of(given, "allow")), None


def _denied(given: TermsGiven | None, label_set: LabelSet) -> Terms | None:
    if given is None:
        return None
    if isinstance(given, str | Path):
        return read_terms(_file_of(given, "deny"), label_set=label_set)
    return gather_terms(_terms_of(given, "deny"), label_set=label_set)


def _file_of(given: str | Path, name: str) -> Path:
    """Return the file of a list; a string that names none may be a term, so it is not shown."""
    if isinstance(given, str) and not Path(given).is_file():
        raise ConfigError(
            f"{name} is a string, and not the path of a file that is there",
            hint=f'Terms are given as a list, one as well: {name}=["Foley"]',
        )
    return Path(given)


def _terms_of(given: Iterable[str], name: str) -> Iterable[str]:
    if not isinstance(given, Iterable):
        raise ConfigError(f"{name} is {told_type(given)}, neither terms nor the path of a file")
    return given


def _read_register(
    identifiers: IdentifiersGiven | None,
    patient_of: Callable[[Document], str] | None,
    *,
    language: str,
) -> KnownIdentifiers:
    if identifiers is None:
        return KnownIdentifiers()
    file = isinstance(identifiers, str | Path)
    if patient_of is None:
        raise ConfigError(
            "the identifiers need to know the patient of each document",
            path=str(identifiers) if file else None,
            hint="Give --patient-key id:REGEX, or the name of a column or metadata entry; in "
            "Python patient_of=, a function from a document to the key of its patient",
        )
    if isinstance(identifiers, str | Path):
        return read_identifiers(identifiers, language=language)
    if isinstance(identifiers, KnownIdentifiers):
        return identifiers
    if not isinstance(identifiers, Mapping):
        raise ConfigError(
            f"the identifiers are {told_type(identifiers)}, neither a file nor those of patients"
        )
    return gather_identifiers(identifiers, language=language)


def _nobody(document: Document) -> str:
    return ""


def other_label(label_set: LabelSet) -> str:
    """Return the label of denied terms without one: that of kind "other", else of other ids."""
    others = [label for label in label_set.definitions if label.kind == "other"]
    unique = [label.name for label in others if label.hipaa == "R"]
    return (unique or [label.name for label in others] or [labels_of_kinds(label_set)["id"]])[0]
