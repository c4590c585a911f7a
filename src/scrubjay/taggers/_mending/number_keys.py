"""The key before a number tells whose it is: "póliza 88-104" insures, "muestra 7731" is a visit's.

Numbers of all kinds look alike, and a model that has seldom seen a key takes one kind for another
(Spanish). A key that means one kind alone decides, whatever the model found. A document of identity
behind a relative or one of the staff is not the patient's, and stays as it was found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._search.endings import Before

_PATIENT, _POLICY = "ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO"
_VISIT, _LICENCE = "ID_CONTACTO_ASISTENCIAL", "ID_TITULACION_PERSONAL_SANITARIO"
_OTHER, _PHONE, _FAX = "OTRO_NUMERO_IDENTIF", "NUMERO_TELEFONO", "NUMERO_FAX"
_PLACE = "TERRITORIO"
NUMBERS = frozenset({_PATIENT, _POLICY, _VISIT, _LICENCE, _OTHER, _PHONE, _FAX})
_PEOPLE = frozenset({"NOMBRE_PERSONAL_SANITARIO", "FAMILIARES_SUJETO_ASISTENCIA"})

_AROUND, _NEAR = 28, 60
"""Characters before a number in which its key begins, and a person whose it may be."""

_DIALLED = range(6, 16)
"""How many figures a telephone has."""

_POSTAL = re.compile(r"\d{4,5}")
"""What a postal code is: "CP" before more figures is a licence in Mexico."""

_KEY = Before(
    r"(?<![\w/])(?:"
    r"(?P<identity>DNI|D[.]N[.]I[.]|NIE|pasaporte|DPI|CURP|RUT|RUN)|"
    r"(?P<record>NHC)|"
    r"(?P<policy>p[óo]liza|NASS|NSS|afiliad[oa]|afiliaci[óo]n|soci[oa])|"
    r"(?P<visit>episodio|muestra|biopsia|frasco|petici[óo]n|espécimen|bloque|volante|"
    r"(?-i:AP))|"
    r"(?P<licence>colegiad[oa]|col[.]|JVPM|MPPS|exequ[áa]tur|(?-i:CMP|RNE)|mat[.][ ]?prof[.]|"
    r"matr[íi]cula[ ]profesional|c[ée]d(?:ula|[.])[ ]prof(?:esional|[.])|"
    r"tarjeta[ ]profesional|reg(?:istro|[.])[ ]m[ée]d(?:ico|[.])|idoneidad)|"
    r"(?P<other>lote|n(?:[.]?[º°]|úm[.]|[.º]) (?:de )?serie|serie|unidad|causa|precinto|IMEI|IBAN)|"
    r"(?P<postal>c[.]?[ ]?p[.]?|c[óo]d(?:igo|[.])?[ ]?postal)|"
    r"(?P<fax>fax(?:[ ](?:al?|del?)[ ](?:juzgado|hospital|centro|colegio|servicio|consultorio))?)|"
    r"(?P<phone>tel[.]?|tel[ée]fono|tfno[.]?|tlfn?o?[.]?|cel[.]?|celular|whatsapp|fono)"
    r")[ ]?(?:(?:n[.]?[º°]|n[.][º°]|n[uú]m[.]|n[uú]mero|nro[.]?)[ ]?)?[:#(=]?[ ]{0,4}",
    re.IGNORECASE,
)
_LABELS = {
    "identity": _PATIENT, "record": _PATIENT, "policy": _POLICY, "visit": _VISIT,
    "licence": _LICENCE, "other": _OTHER, "postal": _PLACE, "fax": _FAX,
    "phone": _PHONE,
}  # fmt: skip


def label_numbers(
    text: str, spans: Sequence[Span], labels: Collection[str] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a Spanish text, numbers with the label of the key before them.

    Labels outside `labels` are given to none, where it is not None.
    """
    rows: list[Span] = []
    person: Span | None = None
    for span in spans:
        if span.label in _PEOPLE:
            person = span
        elif span.label in NUMBERS:
            label = _label_of(text, span, person)
            if label != span.label and (labels is None or label in labels):
                span = replace(span, label=label)
        rows.append(span)
    return tuple(rows)


def _label_of(text: str, span: Span, person: Span | None) -> str:
    """Return the label of a number by its key, or its own."""
    start = span.start
    line = max(text.rfind("\n", max(0, start - _AROUND), start) + 1, start - _AROUND, 0)
    key = _KEY.search(text[line:start])
    if key is None or key.lastgroup is None:
        return span.label
    kind = key.lastgroup
    figures = sum(sign.isdecimal() for sign in text[start : span.end])
    if kind in ("fax", "phone"):
        return _LABELS[kind] if figures in _DIALLED else span.label
    if kind == "postal":
        return _PLACE if _POSTAL.fullmatch(text, start, span.end) else span.label
    if not figures or (kind == "identity" and person and start - person.end < _NEAR):
        return span.label
    return _LABELS[kind]
