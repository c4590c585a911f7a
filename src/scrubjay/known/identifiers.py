"""Known identifiers of patients, as they come from a register, by the key of the patient.

They are held as values that never show in a repr or a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from scrubjay.errors import DetectionError

NameKind = Literal["name", "relative"]

VALUE_KINDS: Mapping[str, tuple[str, str]] = {
    "street": ("street", "B"),
    "address": ("street", "B"),
    "city": ("city", "B"),
    "state": ("state", ""),
    "country": ("country", ""),
    "zip": ("zip", "B"),
    "organization": ("organization", "A"),
    "phone": ("phone", "D"),
    "fax": ("phone", "E"),
    "email": ("email", "F"),
    "url": ("url", "N"),
    "ip": ("ip", "O"),
    "username": ("username", "R"),
    "ssn": ("ssn", "G"),
    "mrn": ("id", "H"),
    "plan": ("id", "I"),
    "account": ("id", "J"),
    "license": ("id", "K"),
    "vehicle": ("id", "L"),
    "device": ("id", "M"),
    "id": ("id", "R"),
}
"""Kind of a value -> the kind of the labels that it gets, and the letter of HIPAA's that picks
among them. `address` is a whole address on a line, `street` its first part."""


class UnknownPatientError(DetectionError):
    """A document whose patient has no known identifiers, where each must have some."""


@dataclass(frozen=True, slots=True, repr=False)
class KnownName:
    """A name of the patient, or of a relative: given names and family names, in their order.

    `others` are further names of the same person: nicknames, a maiden name.
    """

    kind: NameKind
    given: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"KnownName({self.kind!r})"


@dataclass(frozen=True, slots=True, repr=False)
class KnownValue:
    """Any other identifier: a kind of `VALUE_KINDS` and the value as the register writes it."""

    kind: str
    value: str

    def __repr__(self) -> str:
        return f"KnownValue({self.kind!r})"


@dataclass(frozen=True, slots=True, repr=False)
class PatientIdentifiers:
    """All that is known of one patient; relatives come after the patient."""

    names: tuple[KnownName, ...] = ()
    values: tuple[KnownValue, ...] = ()
    birth_dates: tuple[date, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.values or self.birth_dates)

    def __repr__(self) -> str:
        counts = len(self.names), len(self.values), len(self.birth_dates)
        return "PatientIdentifiers({} names, {} values, {} dates of birth)".format(*counts)

    def joined(self, other: PatientIdentifiers) -> PatientIdentifiers:
        """Return what either knows, each once; names of the patient before those of relatives."""
        names = dict.fromkeys([*self.names, *other.names])
        return PatientIdentifiers(
            tuple(sorted(names, key=lambda name: name.kind == "relative")),
            tuple(dict.fromkeys([*self.values, *other.values])),
            tuple(dict.fromkeys([*self.birth_dates, *other.birth_dates])),
        )


@dataclass(frozen=True, slots=True, repr=False)
class KnownIdentifiers:
    """The identifiers of many patients, by the key that documents name their patient by."""

    patients: Mapping[str, PatientIdentifiers] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.patients)

    def __iter__(self) -> Iterator[str]:
        return iter(self.patients)

    def __repr__(self) -> str:
        return f"KnownIdentifiers({len(self)} keys of patients)"

    def get(self, patient: str) -> PatientIdentifiers | None:
        """Return what is known of a patient, or None for a key that nobody has."""
        return self.patients.get(patient.strip())


def join_patients(
    entries: Iterable[tuple[str, PatientIdentifiers]],
) -> KnownIdentifiers:
    """Return the identifiers by patient; entries with the same key are one patient's."""
    patients: dict[str, PatientIdentifiers] = {}
    for key, known in entries:
        before = patients.get(key)
        patients[key] = known if before is None else before.joined(known)
    return KnownIdentifiers(patients)
