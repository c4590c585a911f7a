"""Words for relatives that mean none: "compañera de piso", "sin hijos", "como una hermana".

Who shares a flat, a room or a cell with somebody is no relative by that word alone, whom somebody
does not have is nobody, and so is whom somebody is compared with; a widow is the patient where no
article stands before her (Spanish).
"""

from __future__ import annotations

import re

from scrubjay.document import Span

KIN = "FAMILIARES_SUJETO_ASISTENCIA"
_AROUND = 24
"""Characters before a word in which what tells begins."""

_PLACE = (
    r"(?:piso|cuarto|habitaci[óo]n|celda|trabajo|clase|residencia|obra|colegio|sala|oficina|"
    r"planta|box|estudios|equipo|turno|m[óo]dulo)"
)
_FELLOW = re.compile(rf"compañer[oa]s?(?P<place>[ ]de[ ]{_PLACE})?", re.IGNORECASE)
_OF_PLACE = re.compile(rf"[ ]de[ ]{_PLACE}(?!\w)", re.IGNORECASE)
_NONE = re.compile(r"(?:hijos|hermanos|familia|familiares|pareja|descendencia|hijas)", re.I)
_WITHOUT = re.compile(r"(?<!\w)sin[ ]\Z", re.IGNORECASE)
_LIKE = re.compile(r"(?<!\w)como[ ]una?[ ]\Z", re.IGNORECASE)
_COMPARED = re.compile(r"herman[oa]|hij[oa]|madre|padre|niet[oa]|abuel[oa]|t[íi][oa]", re.I)
_GROUP = re.compile(r"padres|madres|familias|familiares|abuelos|viud[oa]s", re.I)
_OF_MANY = re.compile(
    r"(?<!\w)(?:grupo|escuela|taller|charlas?|asociaci[óo]n|reuni[óo]n)[ ](?:de|para)[ ]\Z", re.I
)
_WIDOWED = re.compile(r"viud[oa]", re.IGNORECASE)
_THE = re.compile(r"(?<!\w)(?:el|la|al)[ ]\Z", re.IGNORECASE)
_STATE_BEHIND = re.compile(r",?[ ](?:vive|de|desde|hace|sin|con|y)(?!\w)|[.;]|,[ ]\d")
_CYSTS = re.compile(r"(?<!\w)(?:ves[íi]culas|c[ée]lulas|quistes?)[ ]\Z", re.IGNORECASE)


_MAMA = re.compile(r"mamas?", re.IGNORECASE)
_BREAST_BEFORE = re.compile(
    r"(?<!\w)(?:de|en|ca|ambas|sobre)[ ](?:l[oa]s?[ ])?\Z|(?<!\w)(?:[ECR]co|RM|RMN|mamo|bx)[ ]\Z",
    re.IGNORECASE,
)
_BREAST_BEHIND = re.compile(
    r"[ ](?:izq|i\b|der|dch|dcha|d\b|contral|afect|sana|operad|restante|inflam|densa|bilateral|"
    r"[:+-]|con[ ](?:n[óo]dulo|bulto))",
    re.IGNORECASE,
)


def is_mother(text: str, span: Span) -> bool:
    """Tell whether "mama" without its accent is somebody's mother, and no breast."""
    if span.label != KIN or _MAMA.fullmatch(text, span.start, span.end) is None:
        return False
    before = text[max(0, span.start - _AROUND) : span.start]
    return not _BREAST_BEFORE.search(before) and not _BREAST_BEHIND.match(text, span.end)


def may_be_no_kin(mention: str) -> bool:
    """Tell whether a word may mean no relative, wherever it stands."""
    return any(
        shape.fullmatch(mention) is not None
        for shape in (_FELLOW, _NONE, _COMPARED, _GROUP, _WIDOWED)
    )


def is_no_kin(text: str, span: Span) -> bool:
    """Tell whether such a word means none."""
    before = text[max(0, span.start - _AROUND) : span.start]
    mention = text[span.start : span.end]
    fellow = _FELLOW.fullmatch(mention)
    if fellow is not None:
        return fellow["place"] is not None or _OF_PLACE.match(text, span.end) is not None
    if _NONE.fullmatch(mention) and (
        _WITHOUT.search(before) or (mention.lower() == "hijas" and _CYSTS.search(before))
    ):
        return True
    if _WIDOWED.fullmatch(mention):
        is_state = _STATE_BEHIND.match(text, span.end) is not None
        return is_state and _THE.search(before) is None
    if _COMPARED.fullmatch(mention) and _LIKE.search(before):
        return True
    return _GROUP.fullmatch(mention) is not None and _OF_MANY.search(before) is not None
