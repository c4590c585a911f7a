"""Reading known identifiers from FHIR (R4 and later): Patient and RelatedPerson.

A file holds one resource, a Bundle, a JSON array of them, or one resource a line (NDJSON). A
patient is known by the id of the resource and by each value of `identifier` that no other
patient has. Resources of other types are passed over.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from scrubjay.errors import FormatError
from scrubjay.known.identifiers import KnownName, KnownValue, NameKind, PatientIdentifiers
from scrubjay.known.people import split_name

TELECOMS = {"phone": "phone", "fax": "fax", "email": "email", "url": "url", "pager": "phone",
            "sms": "phone", "other": "phone"}  # fmt: skip
"""System of a telecom -> the kind of its value."""
# Codes of HL7's table 0203.
_CODES = {"MR": "mrn", "MRT": "mrn", "PI": "mrn", "SS": "ssn", "SB": "ssn", "NI": "ssn",
          "NIIP": "ssn", "DL": "license", "PPN": "license", "AN": "account", "HC": "plan",
          "MB": "plan", "MC": "plan", "MA": "plan", "SN": "plan"}  # fmt: skip
_LEAST_DIGITS = 4  # of an id that is looked for: "patient-1" is none
_SSN_SYSTEMS = ("http://hl7.org/fhir/sid/us-ssn", "http://fhir.nl/fhir/namingsystem/bsn")
_MAIDEN = "http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName"


@dataclass(frozen=True, slots=True, repr=False)
class _Entry:
    """What one resource tells of a patient: the patient's id, other keys, the identifiers."""

    patient: str
    aliases: tuple[str, ...]
    known: PatientIdentifiers


def read_fhir(text: str, *, path: Path) -> Iterator[tuple[str, PatientIdentifiers]]:
    """Yield key and identifiers of each patient, under every key, relatives included.

    Raises `FormatError`, by line or by number of the resource, for broken JSON, a Patient
    without any key or identifier, and a RelatedPerson without a patient.
    """
    patients: list[_Entry] = []
    relatives: list[_Entry] = []
    for place, resource in _resources(text, path):
        kind = resource.get("resourceType")
        if kind == "Patient":
            patients.append(_read(resource, kind, path, place))
        elif kind == "RelatedPerson":
            relatives.append(_read(resource, kind, path, place))
        elif kind is None:
            raise FormatError("no FHIR resource: there is no resourceType", path=path, place=place)
    keys_of: dict[str, set[str]] = {}
    owners = Counter(alias for entry in patients for alias in set(entry.aliases))
    for entry in patients:
        shared = {alias for alias in entry.aliases if owners[alias] > 1}
        keys = {entry.patient, *entry.aliases} - shared
        keys_of.setdefault(entry.patient, set()).update(keys or {entry.patient})
    for entry in (*patients, *relatives):
        for key in sorted(keys_of.get(entry.patient, {entry.patient})):
            yield key, entry.known


def _read(resource: Mapping[str, Any], kind: str, path: Path, place: str) -> _Entry:
    """Return what a resource tells; one of another shape raises without being shown."""
    try:
        entry = _patient(resource) if kind == "Patient" else _related(resource)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise FormatError(
            f"this {kind} breaks the format of FHIR", path=path, place=place
        ) from None
    if not entry.patient:
        raise FormatError(
            "identifiers without a patient",
            path=path,
            place=place,
            hint="A Patient needs an `id` or an `identifier`, a RelatedPerson a `patient`",
        )
    if not entry.known:
        raise FormatError(f"a {kind} without any identifier", path=path, place=place)
    return entry


def _resources(text: str, path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        whole = json.loads(text)
    except RecursionError:
        raise FormatError("JSON nested too deeply", path=path) from None
    except ValueError:
        yield from _lines(text, path)
        return
    for number, resource in enumerate(_flat(whole), start=1):
        if not isinstance(resource, dict):
            place = f"resource {number}"
            raise FormatError("expected a JSON object", path=path, place=place)
        yield f"resource {number}", resource


def _lines(text: str, path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            resource = json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError("not valid JSON", path=path, place=f"line {number}") from None
        for each in _flat(resource):
            if not isinstance(each, dict):
                raise FormatError("expected a JSON object", path=path, place=f"line {number}")
            yield f"line {number}", each


def _flat(value: Any) -> Iterator[Any]:
    """Yield the resources of an array or a Bundle, or the value itself."""
    if isinstance(value, list):
        for each in value:
            yield from _flat(each)
    elif isinstance(value, dict) and value.get("resourceType") == "Bundle":
        entries = value.get("entry", [])
        for entry in entries if isinstance(entries, list) else [entries]:
            yield entry.get("resource") if isinstance(entry, dict) else entry
    else:
        yield value


def _patient(resource: Mapping[str, Any]) -> _Entry:
    numbers = list(_identifiers(resource))
    keys = [_text(resource.get("id")), *(value.value for value in numbers)]
    keys = [key for key in keys if key]
    names = list(_names(resource, "name"))
    values = [*numbers, *_telecoms(resource), *_addresses(resource)]
    for contact in resource.get("contact", ()):
        person = (
            contact if "address" not in contact else contact | {"address": [contact["address"]]}
        )
        person = person | {"name": [person["name"]]} if "name" in person else person
        names += _names(person, "relative")
        values += [*_telecoms(person), *_addresses(person)]
    for extension in resource.get("extension", ()):
        if extension.get("url") == _MAIDEN and extension.get("valueString"):
            names.append(KnownName("relative", (), (_text(extension["valueString"]),)))
    known = PatientIdentifiers(tuple(names), tuple(values), tuple(_birth_dates(resource)))
    return _Entry(keys[0] if keys else "", tuple(keys[1:]), known)


def _related(resource: Mapping[str, Any]) -> _Entry:
    reference = _text((resource.get("patient") or {}).get("reference"))
    known = PatientIdentifiers(
        tuple(_names(resource, "relative")),
        (*_identifiers(resource), *_telecoms(resource), *_addresses(resource)),
        tuple(_birth_dates(resource)),
    )
    return _Entry(reference.rpartition("/")[2].removeprefix("urn:uuid:"), (), known)


def _names(resource: Mapping[str, Any], kind: NameKind) -> Iterator[KnownName]:
    for name in resource.get("name", ()):
        given = tuple(_text(part) for part in name.get("given", ()) if _text(part))
        family = tuple(part for part in [_text(name.get("family"))] if part)
        if name.get("use") == "nickname":
            yield KnownName(kind, (), (), (*given, *family))
        elif given or family:
            yield KnownName(kind, given, family)
        if not (given or family) and _text(name.get("text")):
            yield replace(split_name(_text(name["text"])), kind=kind)


def _telecoms(resource: Mapping[str, Any]) -> Iterator[KnownValue]:
    for telecom in resource.get("telecom", ()):
        if value := _text(telecom.get("value")):
            value = value.removeprefix("tel:").removeprefix("mailto:")
            yield KnownValue(TELECOMS.get(telecom.get("system", "other"), "phone"), value)


def _addresses(resource: Mapping[str, Any]) -> Iterator[KnownValue]:
    for address in resource.get("address", ()):
        for line in address.get("line", ()):
            if _text(line):
                yield KnownValue("street", _text(line))
        for name, kind in (("city", "city"), ("district", "city"), ("state", "state"),
                           ("postalCode", "zip"), ("country", "country")):  # fmt: skip
            if value := _text(address.get(name)):
                yield KnownValue(kind, value)
        if not address.get("line") and _text(address.get("text")):
            yield KnownValue("address", _text(address["text"]))


def describe_person(resource: Mapping[str, Any]) -> tuple[str, PatientIdentifiers]:
    """Return the id of the patient whom a Patient or RelatedPerson tells of, and what it tells.

    One of another shape tells nothing, under no id: it is refused where identifiers are read.
    """
    try:
        if resource.get("resourceType") == "RelatedPerson":
            entry = _related(resource)
            return entry.patient, entry.known
        key, known = _text(resource.get("id")), _patient(resource).known
        if sum(map(str.isdigit, key)) >= _LEAST_DIGITS:
            known = known.joined(PatientIdentifiers(values=(KnownValue("id", key),)))
        return key, known
    except (AttributeError, KeyError, TypeError, ValueError):
        return "", PatientIdentifiers()


def kind_of_identifier(identifier: Mapping[str, Any]) -> str:
    """Return the kind of the value of an Identifier, by its system and its type."""
    kind = identifier.get("type")
    codings = kind.get("coding", ()) if isinstance(kind, dict) else ()
    kinds = [
        _CODES[code]
        for coding in (codings if isinstance(codings, list) else ())
        if isinstance(coding, dict) and (code := str(coding.get("code"))) in _CODES
    ]
    if identifier.get("system") in _SSN_SYSTEMS:
        kinds.insert(0, "ssn")
    return kinds[0] if kinds else "id"


def _identifiers(resource: Mapping[str, Any]) -> Iterator[KnownValue]:
    for identifier in resource.get("identifier", ()):
        value = _text(identifier.get("value"))
        if not value:
            continue
        yield KnownValue(kind_of_identifier(identifier), value)


def _birth_dates(resource: Mapping[str, Any]) -> Iterator[date]:
    value = _text(resource.get("birthDate"))
    # FHIR lets the day, or day and month, be unknown: a year alone tells too little to search.
    if len(value) == 10:
        yield date.fromisoformat(value)
    elif value and not all(part.isdigit() for part in value.split("-")):
        raise ValueError("birthDate")


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("expected a string")
    return value.strip()
