"""Which labels the columns of a table give in each language: those of its label set."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.taggers._mending.label_groups import DATES, PERSONS, PHONES

AGES = frozenset({"AGE", "EDAD_SUJETO_ASISTENCIA"})

NUMBERS = frozenset(
    {
        "IDNUM", "MEDICALRECORD", "SSN", "ACCOUNT", "LICENSE", "DEVICE", "HEALTHPLAN", "ID",
        "ID_SUJETO_ASISTENCIA", "ID_CONTACTO_ASISTENCIAL", "ID_ASEGURAMIENTO",
        "ID_TITULACION_PERSONAL_SANITARIO", "ID_EMPLEO_PERSONAL_SANITARIO", "OTRO_NUMERO_IDENTIF",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Roles:
    """The labels of who and what may stand in a column; none where that is no PHI."""

    staff: str
    patient: str
    relative: str
    initials: str
    age: str
    date: str
    phone: str
    ident: str
    number: str
    room: str = ""
    sex: str = ""
    insurer: str = ""
    login: str = ""
    facility: str = ""


ROLES = {
    "en": Roles(
        "DOCTOR", "PATIENT", "PATIENT", "DOCTOR", "AGE", "DATE", "PHONE", "MEDICALRECORD", "IDNUM",
        login="USERNAME", facility="HOSPITAL",
    ),
    "nl": Roles(
        "NAME", "NAME", "NAME", "INITIALS", "AGE", "DATE", "PHONE_FAX", "ID", "ID",
        "INTERNAL_LOCATION", login="ID", facility="HOSPITAL",
    ),
    "es": Roles(
        "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA",
        "NOMBRE_PERSONAL_SANITARIO", "EDAD_SUJETO_ASISTENCIA", "FECHAS", "NUMERO_TELEFONO",
        "ID_SUJETO_ASISTENCIA", "ID_CONTACTO_ASISTENCIAL", "", "SEXO_SUJETO_ASISTENCIA",
        "INSTITUCION", "ID_EMPLEO_PERSONAL_SANITARIO", "HOSPITAL",
    ),
}  # fmt: skip
"""By language."""

GROUPS = (PERSONS, AGES, DATES, PHONES)
"""Labels that one column may mix."""
