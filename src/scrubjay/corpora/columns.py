"""How messages speak of the columns or keys of a file without quoting it.

A table without a header has its first row for names, and a row can be the text of a note. So only
names that are well known are ever shown, and those that somebody spelt but for case and marks, or
nearly spelt and that are made of words of headers; of the others, their number.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from scrubjay.near_names import did_you_mean
from scrubjay.text.months import month_words

_NAMES = """
    annotations body category chartdate charttime clinical_text comment comments content data date
    department description diagnosis doc_id document document_id encounter encounter_id entities
    file filename findings hadm_id history id impression label labels meta metadata mrn name
    narrative note note_id note_text note_type notes pat_id patient patient_id person_id plan
    record_id report report_text row_id scrubjay_id sentence site source spans status subject_id
    summary tags text title type visit_id ward
"""

WELL_KNOWN = frozenset(_NAMES.split())
"""The names that may stand in a message, in any case."""

_MORE = """
    address admission admit admitted age amount author birth birthdate bmi bp bsn care city
    class clinic clinician code collected consult count country created department dept
    discharge discharged dob doctor dose drug ehr email end episode event family fax first flag
    form full gender given group hb heart height hospital icd identifier index insurance is job
    key lab label language last length level line lines location measure measurement med
    medication medications method middle mobile modified nhs nr num number nurse observation
    order organisation organization origin patientid payer phone physician place position postal
    postcode practice procedure profession provider pulse quantity race reference region
    relation relative result room sample score section sequence service set severity sex signed
    specialty ssn start state stay street surname system telephone temperature test time
    timestamp topic total unit unnamed updated url user username value version weight year zip
    zipcode apellido apellidos ciudad direccion dni edad fecha historia informe medico
    nacimiento nhc nombre numero paciente planta servicio sexo texto achternaam adres afdeling
    notas observaciones comentario comentarios motivo evolucion
    arts bericht brief datum dossier geboortedatum geslacht leeftijd naam notitie notities opmerking
    opmerkingen patientnr plaats tekst verslag voornaam
"""
_WORDS = frozenset([*_NAMES.replace("_", " ").split(), *_MORE.split()])
"""Words of which names of columns are made; none is also a name that many people have."""

_TEXTS = frozenset(
    [
        *("body", "clinical_text", "content", "narrative", "note", "note_text", "report"),
        *("report_text", "texto", "informe", "notitie", "tekst", "verslag"),
    ]
)
"""What columns are called that hold a note; the last five may be shown like the well-known ones."""


_IDS = frozenset(["doc_id", "document_id", "note_id", "record_id", "report_id", "row_id"])
_PATIENTS = frozenset(
    ["mrn", "pat_id", "patient", "patient_id", "patientid", "person_id", "subject", "subject_id"]
)
"""What columns are called that hold ids of notes, and of patients."""

_NEAR = 0.75
_LONGEST = 40
_MOST_SHOWN = 40
_MONTH = f"(?i:{month_words('en', 'es', 'nl')})\\.?"
_DATA = re.compile(
    r"\d{5}|\d[-/.]\d{1,2}[-/.]\d|\w@\w|[\r\n]|^\s*(?:\S+\s+){3,}\S+[.!]\s*$|^\s*(?:\S+\s+){20}"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\W+(?:(?:de|of)\s)?{_MONTH}\W+(?:(?:de|del|of)\s)?\d{{2}}"
    rf"|\b{_MONTH}\W+\d{{1,2}}(?:st|nd|rd|th)?\W+\d{{4}}\b"
)
_OF_SENTENCES = re.compile(
    r"\b(?:is|was|has|had|came|comes|seen|saw|presents|presented|reports|reported|denies|denied|"
    r"complains|complained|he|she|es|fue|acude|acudió|refiere|ingresa|ingresó|vino|él|ella|"
    r"heeft|kwam|komt|werd|wordt|gezien|hij|zij)\b",
    re.I,
)
_LEAST_WORDS = 3
"""The words of which a sentence consists, one of them a verb or pronoun of `_OF_SENTENCES`."""
_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Dr|Dra|Prof|Sr|Sra|Don|Doña|Dhr|Mevr|Mw|Meneer|Mevrouw)\b\.?\s+([A-Z]\w+)"
)
_PIECE = re.compile(r"[^\W\d_]+?(?=[A-Z][a-z]|[\W\d_]|$)|\d+")


def suggest_column(wanted: str, names: Iterable[object], *, noun: str = "columns") -> str:
    """Return what to say where a name is missing and one of those there is nearly it, else "".

    What differs by case and marks alone is shown; of names that are near the nearest, where it is
    of words of names of columns, and else that there is one.
    """
    found = [str(name) for name in names]
    pieces = [piece.strip() for piece in wanted.split(",")]
    if len(pieces) > 1 and set(pieces) <= set(found):
        return "Repeat the option, once for each of them. "
    same = [name for name in found if _bare(name) == _bare(wanted)] if _bare(wanted) else []
    lowered = {name.lower(): name for name in found}
    near = difflib.get_close_matches(wanted.lower(), lowered, n=1, cutoff=_NEAR)
    known = [lowered[name] for name in near if tells_nothing(name)]
    if same or known:
        return did_you_mean((same or known)[0])
    return f"One of its {noun} has nearly that name. " if near else ""


def advise_linking(names: Iterable[object], *, patient: bool = True) -> str:
    """Return the options that name columns which look to hold ids of notes, or of their patients.

    "" where none looks so, or several do: which is meant nobody can tell.
    """
    found = [str(name) for name in names]
    wanted = [("--id-column", _IDS), *([("--patient-column", _PATIENTS)] if patient else [])]
    likely = [(option, [name for name in found if name.lower() in kind]) for option, kind in wanted]
    return " ".join(f"{option} {those[0]}" for option, those in likely if len(those) == 1)


def advise_text(names: Iterable[object]) -> str:
    """Return what to do where the column of the text is not found, naming one that sounds like it.

    Few commands can be told of another.
    """
    likely = [str(name) for name in names if str(name).lower() in _TEXTS]
    if len(likely) == 1:
        option = f"--text-column {likely[0]}"
        return f"Is it {likely[0]!r}? Give {option} where the command has that, or call it 'text'"
    return (
        "Call the one with the text 'text', or name it with --text-column where the command has "
        "that"
    )


def tells_nothing(name: str) -> bool:
    """Tell whether a name of a column is well known, or of words of names of columns alone.

    Such a one may be shown: `LabValue_2`, `admission time`. All others may be data.
    """
    pieces = [piece.lower() for piece in _PIECE.findall(name)]
    return name.lower() in WELL_KNOWN or (
        bool(pieces)
        and len(name) <= _LONGEST
        and all(piece in _WORDS or (piece.isdigit() and len(piece) < 3) for piece in pieces)
        and not all(map(str.isdigit, pieces))
    )


def looks_like_data(name: str) -> bool:
    """Tell whether a name of a column looks like a value: the table may have no header.

    That is a number of three digits or more, five digits side by side, a date, an address of mail,
    a title before a name, or a sentence: it ends like one, is long, or has a verb or a pronoun and
    is no question.
    Other words alone, which may be a name, do not.
    """
    titled = _TITLED.search(name)
    return (
        bool(_DATA.search(name))
        or (len(name) > 2 and not any(map(str.isalpha, name)) and any(map(str.isdigit, name)))
        or (titled is not None and titled[1].lower() not in _WORDS)
        or (
            len(name.split()) >= _LEAST_WORDS
            and not name.rstrip().endswith("?")
            and bool(_OF_SENTENCES.search(name))
        )
    )


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def describe_columns(names: Iterable[object], *, noun: str = "columns") -> str:
    """Return how many names there are, and the well-known ones: `3 columns (well known: 'id')`.

    Those are well known that are made of words of headers alone. No other name is part of it.
    """
    found = [str(name) for name in names]
    known = [name for name in found if tells_nothing(name)]
    shown = ", ".join(map(repr, known[:_MOST_SHOWN])) + (", ..." if known[_MOST_SHOWN:] else "")
    counted = f"{len(found)} {noun if len(found) != 1 else noun.removesuffix('s')}"
    return f"{counted} ({f'well known: {shown}' if shown else 'none of a well-known name'})"
