"""Labels that the steps of mending treat alike, of all label sets that they know."""

from __future__ import annotations

DATES = frozenset({"DATE", "FECHAS"})
PHONES = frozenset({"PHONE", "FAX", "PHONE_FAX", "NUMERO_TELEFONO", "NUMERO_FAX"})

STAFF_AND_PATIENTS = frozenset({"DOCTOR", "PATIENT"})
"""The names of persons in English (i2b2 2014): the rest of a document decides between them."""

PERSONS = STAFF_AND_PATIENTS | {
    "NAME", "INITIALS", "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO",
    "FAMILIARES_SUJETO_ASISTENCIA",
}  # fmt: skip
"""The names of persons in all languages."""


def date_label(language: str) -> str:
    """Return the label that dates have in the notes of a language."""
    return "FECHAS" if language == "es" else "DATE"
