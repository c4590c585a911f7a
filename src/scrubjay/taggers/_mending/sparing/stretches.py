"""How long something lasted and what was measured is no age: "hace 5 años", "peso seco de 58".

A number of years has the shape of an age, of a patient or of a relative, and so has a number alone
(Spanish). What stands beside it tells; a number above the years of a life is none.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

AGES = frozenset({"EDAD_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA"})
_PATIENT = "EDAD_SUJETO_ASISTENCIA"
_AROUND, _OLDEST = 40, 120
"""Characters before a mention in which what tells begins, and years of a life at most."""

_WORDS = (
    r"(?:un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|veinte|treinta)"
)
_LONG = re.compile(
    rf"(?:\d{{1,2}}|{_WORDS})[ ]?(?:años?|a[.]?|mes(?:es)?|sem(?:anas)?|días)"
    r"(?:[ ](?:y[ ](?:medio|media)|(?:y[ ])?\d{1,2}[ ](?:meses|m|d[ií]as)))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,3}")
_SINCE = re.compile(
    r"(?<!\w)(?:hace|tras|durante|llev(?:a|aba|an|o)|dentro[ ]de|por|cada|[úu]ltim[oa]s|"
    r"pr[óo]xim[oa]s|seguimiento[ ]de|(?:sentencia|condena|pena)(?:[ ]de)?:?|"
    r"en[ ](?:menos|m[áa]s)[ ]de)[ ]"
    rf"(?:(?:unos|casi|m[áa]s[ ]de|otros|solo|sólo|los|las|ya)[ ])?"
    rf"(?:(?:\d{{1,2}}|{_WORDS})[ ](?:o|u|y|a)[ ])?\Z",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"[ ](?:de[ ](?:evol(?:uci[óo]n)?|escolari(?:dad|zaci[óo]n)|duraci[óo]n|exposici[óo]n|espera|"
    r"antig[üu]edad|experiencia|seguimiento|tratamiento|abstinencia|oficio|servicio|estudios|"
    r"instrucci[óo]n|condena|c[áa]rcel|baja|casad[oa]s?|relaci[óo]n|noviazgo|matrimonio|"
    r"convivencia)|"
    r"previos|atr[áa]s|antes|despu[ée]s|m[áa]s[ ]tarde|seguidos|sin[ ](?:beber|fumar|consumir|"
    r"crisis|control(?:es)?|tratamiento))(?!\w)",
    re.IGNORECASE,
)
_AGED = re.compile(r"(?<!\w)(?:a[ ]los|desde[ ]los|con|tiene|ten[ií]a|edad(?:[ ]de)?:?)[ ]\Z", re.I)
_MEASURED = re.compile(
    r"(?<![\w/])(?:(?:hipo|hiper)?gluc(?:emia)?|(?:hipo|hiper)?glicemia|hipo|dxt|HGT|"
    r"peso(?:[ ]seco)?|talla|mide|pesa|IMC|(?-i:FC|FR|TA|PA|EVA)|"
    r"sat(?:O2|uraci[óo]n)?|SpO2|HADS|zarit|barthel|norton|"
    r"braden|MMSE|MoCA|PHQ-?9|GAD-?7|Karnofsky|ECOG|Boston)"
    r"[ ]?(?:[:=(]|de|en|a)?[ ]?\Z",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:[ ][yo][ ]\d{1,3})?"
    r"[ ]?(?:(?:mg|kg|cm|mmHg|lpm|rpm|ppm|dB|Hz|cc|puntos|ptos|comp|cig)(?!\w)|%|[º°][ ]?C|"
    r"/[ ]?\d+[ ]?U)"
)
_COUNTED = re.compile(r"(?:#|(?<!\w)n(?:[.]?[º°]|[.]o)[ ]?)\Z", re.IGNORECASE)
_DAYS_OFF = re.compile(
    r"[ ](?:d[ií]as|semanas|meses)[ ](?:a[ ]partir|de[ ](?:reposo|baja|incapacidad|ingreso|"
    r"estancia|antibi\w+|tratamiento))(?!\w)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"[.](?:er|[ºª°])")
_YEARS_BEHIND = re.compile(r"[ ]?(?:años?|a(?!\w)|meses|m(?!\w)|/[12]2)", re.IGNORECASE)


def may_be_stretch(mention: str) -> bool:
    """Tell whether a mention is a number, of years or alone, wherever it stands."""
    return _LONG.fullmatch(mention) is not None or _NUMBER.fullmatch(mention) is not None


def is_stretch(text: str, span: Span) -> bool:
    """Tell whether a number is how long something lasted, or a measure, and nobody's age."""
    before = text[max(0, span.start - _AROUND) : span.start]
    if _NUMBER.fullmatch(text, span.start, span.end):
        return _is_measure(text, span, before)
    if _SINCE.search(before):
        return True
    return _LASTING.match(text, span.end) is not None and _AGED.search(before) is None


def _is_measure(text: str, span: Span, before: str) -> bool:
    if int(text[span.start : span.end]) > _OLDEST:
        return _YEARS_BEHIND.match(text, span.end) is None
    if _COUNTED.search(before) or _DAYS_OFF.match(text, span.end):
        return True
    if _ORDINAL.match(text, span.end) or _UNIT.match(text, span.end):
        return True
    return _MEASURED.search(before) is not None and _YEARS_BEHIND.match(text, span.end) is None
