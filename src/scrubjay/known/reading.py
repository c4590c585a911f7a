"""Reading known identifiers from CSV, and choosing the reader of a file.

A CSV has a row for each patient, or several: the column `patient`, and a column for each kind
of identifier (`COLUMNS`), in any order. A cell may hold several values with `;` between them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from scrubjay.errors import ConfigError, FormatError, told_type
from scrubjay.files import read_text
from scrubjay.known.fhir import read_fhir
from scrubjay.known.identifiers import (
    VALUE_KINDS,
    KnownIdentifiers,
    KnownName,
    KnownValue,
    PatientIdentifiers,
    join_patients,
)
from scrubjay.known.people import split_name
from scrubjay.near_names import suggest_near

_NAME_COLUMNS = ("name", "given", "middle", "family", "maiden", "nickname", "relative")
_DATE_COLUMN = "birth_date"
PATIENT_COLUMN = "patient"
_OTHER_NAMES: Mapping[str, str] = {
    "patient_id": "patient", "first_name": "given", "first": "given", "given_name": "given",
    "middle_name": "middle", "last_name": "family", "last": "family", "surname": "family",
    "family_name": "family", "maiden_name": "maiden", "full_name": "name", "alias": "nickname",
    "relatives": "relative", "contact": "relative", "next_of_kin": "relative",
    "dob": "birth_date", "date_of_birth": "birth_date", "birthdate": "birth_date",
    "address_line": "street", "postcode": "zip", "postal_code": "zip", "zip_code": "zip",
    "telephone": "phone", "mobile": "phone", "e_mail": "email", "mail": "email",
    "record": "mrn", "record_number": "mrn", "medical_record": "mrn", "login": "username",
    "employer": "organization", "health_plan": "plan", "insurance": "plan", "town": "city",
}  # fmt: skip
COLUMNS = (PATIENT_COLUMN, *_NAME_COLUMNS, _DATE_COLUMN, *VALUE_KINDS)
"""The columns that a CSV may have. A digit at the end (`phone_2`) makes further ones of a kind."""

_NUMBERED = re.compile(r"_?[0-9]+$")
_FHIR_STARTS = ("{", "[")


def read_identifiers(path: Path | str, *, language: str = "en") -> KnownIdentifiers:
    """Read the known identifiers of patients from a CSV, or from FHIR as JSON or NDJSON.

    `language` says how whole names fall apart (two family names in Spanish). Raises
    `FormatError` by line for an unknown column (the known ones are told, and the nearest), a row
    without a patient or without any identifier, and a date of birth that is not `YYYY-MM-DD`;
    `EncodingError` for bytes that are no UTF-8; `InputError` for a file that cannot be read. No
    message shows a value.
    """
    path = Path(path)
    text = read_text(path)
    entries: Iterator[tuple[str, PatientIdentifiers]]
    if text.lstrip().startswith(_FHIR_STARTS):
        entries = read_fhir(text, path=path)
    else:
        entries = _read_csv(text, path=path, language=language)
    known = join_patients(entries)
    if not len(known):
        raise FormatError("there are no identifiers in the file", path=path)
    return known


def gather_identifiers(
    patients: Mapping[str, Mapping[str, str | Iterable[str] | None]], *, language: str = "en"
) -> KnownIdentifiers:
    """Return the known identifiers of patients, each a mapping from columns to values.

    The columns are those of the CSV (`COLUMNS`, and other names of them), and `patient` is no
    column here but the key of `patients`. A value is a string, several are an iterable of them,
    and None is none. Errors are those of `read_identifiers`, with the place of the patient, and
    `ConfigError` for keys and values of another type.
    """

    def entries() -> Iterator[tuple[str, PatientIdentifiers]]:
        for place, (patient, values) in enumerate(patients.items(), start=1):
            told = f"patient {place}"
            if not isinstance(patient, str):
                raise ConfigError(f"the key is {told_type(patient)}, no string", place=told)
            cells: dict[str, list[str]] = {}
            for number, (name, value) in enumerate(values.items(), start=1):
                column = _column(name, place=f"{told}, entry {number}")
                cells.setdefault(column, []).extend(_values(value, place=f"{told}, {column}"))
            cells[PATIENT_COLUMN] = [patient]
            yield _read_row(cells, language=language, path=None, place=told)

    return join_patients(entries())


def _values(given: str | Iterable[str] | None, *, place: str) -> list[str]:
    values = [given] if isinstance(given, str) or not isinstance(given, Iterable) else given
    values = [value for value in values if value is not None]
    for value in values:
        if not isinstance(value, str):
            raise ConfigError(
                f"a value is {told_type(value)}, no string",
                place=place,
                hint="Give strings, dates as YYYY-MM-DD, and None where nothing is known",
            )
    return _told(values)


def _told(values: Iterable[str]) -> list[str]:
    """Return the values that tell something; "-" and "." stand where nothing is known."""
    return [value.strip() for value in values if any(map(str.isalnum, value))]


def _read_csv(text: str, *, path: Path, language: str) -> Iterator[tuple[str, PatientIdentifiers]]:
    rows = _rows(text, path)
    _, header = next(rows, (1, []))
    if not header:
        return
    columns = [
        _column(name, path=path, place=f"line 1, column {number}")
        for number, name in enumerate(header, start=1)
    ]
    if PATIENT_COLUMN not in columns:
        raise FormatError(
            f"there is no column {PATIENT_COLUMN!r}",
            path=path,
            place="line 1",
            hint="Each row needs the key of its patient, as --patient-key finds it in documents",
        )
    for line, row in rows:
        place = f"line {line}"
        if len(row) != len(columns):
            raise FormatError(
                f"{len(row)} fields, but {len(columns)} columns", path=path, place=place
            )
        cells: dict[str, list[str]] = {}
        for column, cell in zip(columns, row, strict=True):
            cells.setdefault(column, []).extend(_told(cell.split(";")))
        yield _read_row(cells, language=language, path=path, place=place)


def _rows(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    while True:
        try:
            row = next(reader, None)
        except csv.Error:
            place = f"line {reader.line_num}"
            raise FormatError("broken quotes, or a cell too long", path=path, place=place) from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield reader.line_num, row


def _delimiter(text: str) -> str:
    """Return what separates the columns: a comma, or where the header has none, what it has.

    Spreadsheets set to Dutch, German or Spanish save semicolons.
    """
    header = text.lstrip().partition("\n")[0]
    found = [each for each in (";", "\t") if each in header]
    return found[0] if found and "," not in header else ","


def _column(name: str, *, path: Path | None = None, place: str) -> str:
    plain = re.sub(r"[\s.-]+", "_", name.strip().lower())
    for candidate in (plain, _NUMBERED.sub("", plain)):
        found = _OTHER_NAMES.get(candidate, candidate)
        if found in COLUMNS:
            return found
    # The cell may be data where the header is missing, so it is not shown.
    raise FormatError(
        "an unknown column" if path is None else "the header has an unknown column",
        path=path,
        place=place,
        hint=f"{suggest_near(plain, [*COLUMNS, *_OTHER_NAMES])}Known: {', '.join(COLUMNS)}",
    )


def _read_row(
    cells: Mapping[str, Sequence[str]], *, language: str, path: Path | None, place: str
) -> tuple[str, PatientIdentifiers]:
    keys = cells.get(PATIENT_COLUMN, ())
    if len(keys) != 1:
        raise FormatError(
            "identifiers without a patient" if not keys else "more than one patient",
            path=path,
            place=place,
            hint=f"Give the column {PATIENT_COLUMN!r} one key",
        )
    known = collect_identifiers(cells, language=language, path=path, place=place)
    if not known:
        raise FormatError("a patient without any identifier", path=path, place=place)
    return keys[0], known


def collect_identifiers(
    cells: Mapping[str, Sequence[str]], *, language: str, path: Path | None, place: str
) -> PatientIdentifiers:
    """Return what some values by their column (`COLUMNS`) tell of one patient.

    Raises `FormatError`, that does not show it, for a date of birth that is not `YYYY-MM-DD`.
    """
    return PatientIdentifiers(
        tuple(_names(cells, language)),
        tuple(KnownValue(kind, value) for kind in VALUE_KINDS for value in cells.get(kind, ())),
        tuple(read_date(value, path=path, place=place) for value in cells.get(_DATE_COLUMN, ())),
    )


def _names(cells: Mapping[str, Sequence[str]], language: str) -> Iterator[KnownName]:
    surnames = 2 if language == "es" else 1
    given = (*cells.get("given", ()), *cells.get("middle", ()))
    family = tuple(cells.get("family", ()))
    others = (*cells.get("maiden", ()), *cells.get("nickname", ()))
    wholes = [split_name(name, surnames=surnames) for name in cells.get("name", ())]
    if given or family:
        yield KnownName("name", given, family, others)
    elif wholes:
        first = wholes.pop(0)
        yield KnownName("name", first.given, first.family, others)
    elif others:
        yield KnownName("name", (), (), others)
    yield from wholes
    for name in cells.get("relative", ()):
        yield split_name(name, kind="relative", surnames=surnames)


def read_date(value: str, *, path: Path | None, place: str) -> date:
    """Return a date written as `YYYY-MM-DD`; raises `FormatError` that does not show it."""
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise FormatError(
            "a date of birth is not written as YYYY-MM-DD", path=path, place=place
        ) from None
