"""Segments of HL7 v2 pasted into notes: what stands in a field is told by its place.

The table of fields is that of `text.hl7_fields`. What it calls a code or free text is left as the
tagger has it, and so are days. Names and addresses are mentions over their pieces.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from scrubjay.document import Span
from scrubjay.taggers._mending.uncovered import (
    Found,
    put_over,
    put_uncovered,
    touched_by,
)
from scrubjay.text.hl7_fields import OWN, SEGMENTS, TYPES

SOURCE = "segments"

SEGMENT = re.compile(
    r"(?:^|(?<=[\r\x0b\ufeff]))(MSH|PID|PV1|PV2|OBR|OBX|ORC|EVN|DG1|NK1|IN1|GT1|AL1|SCH|TXA|SPM|PR1)\|[^\r\n]*",
    re.MULTILINE,
)
_FIELD, _REPETITION, _PIECE = "|~^"
_HEADER, _PLACE = "MSH", "PL"
_OF_NAMES = frozenset(["family", "given", "middle"])
_OF_STAFF = ("XCN", "PPN")
_NUMBER = re.compile(r"[A-Za-z]{0,3}\d+")
_TYPE, _NATIONAL = 5, re.compile("SS|NN[A-Z]{1,3}")
"""Which piece of a number is its type, and types of numbers that a state gives (table 0203)."""
_NUMBERS = frozenset(
    ["id", "mrn", "account", "ssn", "license", "plan", "phone", "zip", "device", "code of staff"]
)
"""Kinds of which each has a digit."""


def _parse(listed: str) -> Mapping[str, str]:
    pairs = (pair.partition("=") for pair in listed.split(", "))
    return {kind: label for kinds, _, label in pairs for kind in kinds.split("/")}


_LABELS = {
    "en": _parse(
        "name/relative=PATIENT, staff=DOCTOR, code of staff/license=LICENSE, login=USERNAME, "
        "mrn=MEDICALRECORD, id=IDNUM, account=ACCOUNT, ssn=SSN, plan=HEALTHPLAN, device=DEVICE, "
        "facility=HOSPITAL, organization=ORGANIZATION, street=STREET, city=CITY, state=STATE, "
        "zip=ZIP, country=COUNTRY, phone=PHONE, email=EMAIL"
    ),
    "nl": _parse(
        "name/relative/staff=NAME, code of staff/license/login/mrn/id/account/plan/device=ID, "
        "ssn=SSN, facility=HOSPITAL, organization=ORGANIZATION_COMPANY, street/city/zip=ADDRESS, "
        "place=INTERNAL_LOCATION, phone=PHONE_FAX, email=EMAIL"
    ),
    "es": _parse(
        "name=NOMBRE_SUJETO_ASISTENCIA, relative=FAMILIARES_SUJETO_ASISTENCIA, "
        "staff=NOMBRE_PERSONAL_SANITARIO, code of staff/license=ID_TITULACION_PERSONAL_SANITARIO, "
        "login=ID_EMPLEO_PERSONAL_SANITARIO, mrn/ssn=ID_SUJETO_ASISTENCIA, "
        "account=ID_CONTACTO_ASISTENCIAL, id/device=OTRO_NUMERO_IDENTIF, plan=ID_ASEGURAMIENTO, "
        "facility=HOSPITAL, organization=INSTITUCION, street=CALLE, city/state/zip=TERRITORIO, "
        "country=PAIS, phone=NUMERO_TELEFONO, email=CORREO_ELECTRONICO"
    ),
}
"""Language -> kind of what a piece holds -> label."""
_NOBODY = frozenset(["code", "name-code", "title", "keep"])
"""Kinds of which one word names nobody."""
_JOINED = frozenset(["name", "relative", "staff", "ADDRESS", "INTERNAL_LOCATION"])
"""Kinds and labels of which neighbouring pieces are one mention."""


def read_segments(
    text: str, spans: tuple[Span, ...], language: str, labels: Collection[str] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text with what the fields of its segments hold, by their places.

    That stands in the place of what it touches, of which codes and titles are let go. Who gave a
    number is told where that is a facility of the message or was found, and who signs in is staff
    for a model without a label of logins. `spans` are sorted and disjoint, and so are those that
    are returned.
    """
    pieces = [piece for segment in SEGMENT.finditer(text) for piece in _pieces(text, segment)]
    found = [*_found_in(text, pieces, spans, language, labels)]
    if not found:
        return spans
    rows = list(spans)
    put_over(rows, found, SOURCE)
    put_uncovered(rows, _still_covered(text, pieces, spans), SOURCE)
    return tuple(rows)


def _still_covered(text: str, pieces: Sequence[Found], spans: Sequence[Span]) -> Iterator[Found]:
    """Yield what mentions hold of pieces that may name somebody, whatever stands beside it."""
    for start, end, kind in pieces:
        is_nobody = kind in _NOBODY and " " not in text[start:end]
        span = None if is_nobody else touched_by(spans, start, end)
        if span is not None:
            first, last = max(start, span.start), min(end, span.end)
            if any(map(str.isalnum, text[first:last])):
                yield first, last, span.label


def _found_in(
    text: str,
    pieces: Sequence[Found],
    spans: Sequence[Span],
    language: str,
    labels: Collection[str] | None,
) -> Iterator[Found]:
    table = _LABELS.get(language, {})
    facilities = {text[start:end] for start, end, kind in pieces if kind == "facility"}
    last: Found | None = None
    for start, end, kind in pieces:
        value = text[start:end]
        if kind == "authority" and (value in facilities or touched_by(spans, start, end)):
            kind = "facility"
        if kind == "login" and labels is not None and table.get(kind) not in labels:
            kind = "staff"
        label = table.get(kind, "")
        if not label or not _fits(value, kind) or (labels is not None and label not in labels):
            continue
        if last is not None:
            goes_on = last[2] == label and not text[last[1] : start].strip(_PIECE)
            if goes_on and not _JOINED.isdisjoint((kind, label)):
                start = last[0]
            else:
                yield last
        last = start, end, label
    if last is not None:
        yield last


def _fits(value: str, kind: str) -> bool:
    if kind == "email":
        return "@" in value
    return any(map(str.isdigit if kind in _NUMBERS else str.isalnum, value))


def _pieces(text: str, segment: re.Match[str]) -> Iterator[Found]:
    """Yield where each piece of a segment stands, and the kind of what it holds."""
    name = segment[1]
    # The bar behind the name of a header is a field itself.
    first, shift = (2, 1) if name == _HEADER else (1, 0)
    fields = [*_cut(text, *segment.span(), _FIELD)][first:]
    for number, field in enumerate(fields, start=first + shift):
        kind, _, own = SEGMENTS[name].get(number, "").partition(":")
        if kind not in TYPES:
            yield *field, kind
            continue
        for repetition in _cut(text, *field, _REPETITION):
            yield from _components(text, repetition, kind, own)


def _components(text: str, whole: tuple[int, int], kind: str, own: str) -> Iterator[Found]:
    """Yield the pieces of a field of a data type; `own` is the kind that the field gives."""
    pieces = [*_cut(text, *whole, _PIECE)]
    rules = TYPES[kind]
    if kind in _OF_STAFF and _is_name(text[slice(*pieces[0])]):
        pieces.insert(0, (whole[0], whole[0]))  # of one without a number
    if len(pieces) >= _TYPE and _NATIONAL.match(text, *pieces[_TYPE - 1]):
        own = "ssn"
    for number, piece in enumerate(pieces, start=1):
        told = rules.get(number, "")
        if told in _OF_NAMES or told == OWN:
            told = own
        elif told == "id" and kind in _OF_STAFF:
            told = "code of staff" if _NUMBER.fullmatch(text, *piece) else "login"
        elif told == "id" and kind == _PLACE:
            told = "place"
        yield *piece, told


def _is_name(piece: str) -> bool:
    return piece[:1].isupper() and not any(map(str.isdigit, piece))


def _cut(text: str, start: int, end: int, sign: str) -> Iterator[tuple[int, int]]:
    """Yield what a sign parts, the empty pieces among them."""
    while (place := text.find(sign, start, end)) >= 0:
        yield start, place
        start = place + 1
    yield start, end
