"""Whose a FHIR resource is, and what the Patients and RelatedPersons of its files tell of them.

A resource names its patient by a reference to the id, by one of the numbers of the patient
(`Patient?identifier=system|value`, or a reference with an `identifier` alone), or, as a Binary
does, not at all: then the document that has it for an attachment tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scrubjay.known.fhir import describe_person
from scrubjay.known.identifiers import PatientIdentifiers

PERSONS = ("Patient", "RelatedPerson")
ATTACHED = "Binary/"
_SUBJECTS = ("subject", "patient", "beneficiary", "for", "individual")
_BY_NUMBER = "identifier="
_PATIENT = "Patient/"


@dataclass(frozen=True, slots=True, repr=False)
class Register:
    """What is known of patients by their id, and by what else their resources are found.

    `numbers` has the id of the patient for each value of an identifier that no other has, and
    `attached` that of each Binary that a document refers to, as the document names it.
    """

    known: dict[str, PatientIdentifiers] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    attached: dict[str, str] = field(default_factory=dict)

    def __or__(self, other: Register) -> Register:
        return Register(
            self.known | other.known,
            self.numbers | other.numbers,
            self.attached | other.attached,
        )

    def patient_of(self, resource: Mapping[str, Any], *urls: object) -> str:
        """Return the id of the patient that a resource is about, "" where it tells none.

        `urls` are the addresses of the resource in its Bundle.
        """
        if resource.get("resourceType") == "Patient":
            return str(resource.get("id") or "")
        if resource.get("resourceType") == "Binary":
            names = [str(resource.get("id") or ""), *(last_of(str(url)) for url in urls if url)]
            owners = [self.attached[name] for name in names if name in self.attached]
            if owners:
                return owners[0]
            reference = _reference(resource.get("securityContext"))
            return last_of(reference) if "Patient/" in reference else ""
        return self._subject_of(resource)

    def _subject_of(self, resource: Mapping[str, Any]) -> str:
        for key in _SUBJECTS:
            found = resource.get(key)
            if not isinstance(found, Mapping):
                continue
            reference = _reference(found)
            if _BY_NUMBER in reference:
                value = reference.partition(_BY_NUMBER)[2].partition("&")[0].rpartition("|")[2]
                return self.numbers.get(value, value)
            if reference:
                return last_of(reference)
            identifier = found.get("identifier")
            number = identifier.get("value") if isinstance(identifier, Mapping) else None
            if isinstance(number, str) and number:
                return self.numbers.get(number, number)
        return self._only_participant(resource)

    def _only_participant(self, resource: Mapping[str, Any]) -> str:
        """Return the patient of an appointment: the only one who takes part in it."""
        found = resource.get("participant")
        told = [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
        references = [_reference(each.get("actor")) for each in told]
        named = {last_of(each) for each in references if _PATIENT in each}
        named |= {last for each in references if (last := last_of(each)) in self.known}
        return named.pop() if len(named) == 1 else ""


def register_of(resources: Iterable[tuple[Any, Any]]) -> Register:
    """Return what some resources, each after its address in a Bundle, tell of patients."""
    register = Register()
    aliases: dict[str, str] = {}
    shared: set[str] = set()
    documents: list[tuple[str, Mapping[str, Any]]] = []
    for url, resource in resources:
        if not isinstance(resource, dict):
            continue
        kind = resource.get("resourceType")
        if kind not in PERSONS:
            documents += [(name, _subjects(resource)) for name in _attachments(resource)]
            continue
        patient, known = describe_person(resource)
        if kind == "Patient":
            if isinstance(url, str):
                aliases[last_of(url)] = patient = patient or last_of(url)
            _add_numbers(register.numbers, shared, known, patient)
        before = register.known.get(patient, PatientIdentifiers())
        register.known[patient] = before.joined(known)
    register.known.pop("", None)
    for alias, patient in aliases.items():
        own, other = (register.known.get(key, PatientIdentifiers()) for key in (patient, alias))
        register.known[alias] = register.known[patient] = own.joined(other)
    for name, subjects in documents:
        if patient := register.patient_of(subjects):
            register.attached[name] = patient
    return register


def _add_numbers(
    numbers: dict[str, str], shared: set[str], known: PatientIdentifiers, patient: str
) -> None:
    """Note the numbers of a patient, but those that another patient has, too."""
    for value in known.values:
        if value.kind not in ("mrn", "ssn", "plan", "license", "account", "id") or not patient:
            continue
        if numbers.setdefault(value.value, patient) != patient:
            shared.add(value.value)
    for each in shared:
        numbers.pop(each, None)


def last_of(reference: str) -> str:
    """Return the id that a reference ends in."""
    return reference.partition("/_history/")[0].rpartition("/")[2].removeprefix("urn:uuid:")


def _reference(found: object) -> str:
    reference = found.get("reference") if isinstance(found, Mapping) else None
    return reference if isinstance(reference, str) else ""


def _subjects(resource: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: resource[key] for key in _SUBJECTS if key in resource}


def _attachments(value: Any) -> Iterator[str]:
    """Yield the ids of what a resource refers to as an attachment: Binary/17, urn:uuid:..."""
    if isinstance(value, list):
        for each in value:
            yield from _attachments(each)
    elif isinstance(value, dict):
        url = value.get("url")
        if isinstance(url, str) and (ATTACHED in url or url.startswith("urn:uuid:")):
            yield last_of(url)
        for each in value.values():
            if isinstance(each, dict | list):
                yield from _attachments(each)
