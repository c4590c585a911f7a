"""Dates that tell of no day are no PHI: ". Sexo:" (Spanish).

Rules were seen to take the key beside a date for a part of it, and models a vitamin ("25-OH").
"""

from __future__ import annotations

import re
from itertools import pairwise

from scrubjay.features.lexicons import find_lexicon, look_up

_WORD = re.compile(r"[^\W\d_]+")
_VITAMIN = re.compile(r"(?:1,)?25[ -]?[(]?OH[)]?(?:[ -]?D[23]?)?", re.IGNORECASE)
_KEYS = frozenset([
    "alta", "apellidos", "asegurado", "cama", "centro", "cita", "código", "cp", "diagnóstico",
    "dirección", "dni", "domicilio", "edad", "episodio", "especialidad", "estado", "fecha",
    "género", "historia", "hora", "ingreso", "localidad", "médico", "motivo", "nass", "nhc",
    "nombre", "país", "paciente", "provincia", "servicio", "sexo", "teléfono", "urgencias",
])  # fmt: skip
"""What forms ask for: no day is called so, as it may be by the name of a feast."""


def is_dateless(mention: str, language: str) -> bool:
    """Tell whether a date is one by its label alone: the key of a form, or marks.

    Days have more names than any list holds: saints, fairs, letters of weekdays ("L-X-V").
    """
    if any(map(str.isdecimal, mention)):
        return _VITAMIN.fullmatch(mention) is not None
    words = _WORD.findall(mention)
    if not words:
        return True
    if ":" not in mention and not all(word.lower() in _KEYS for word in words):
        return False
    parts = [*words, *(" ".join(pair) for pair in pairwise(words)), " ".join(words)]
    lists = [find_lexicon(f"{language}.{kind}") for kind in ("months", "weekdays", "date-words")]
    return not any(look_up(listed, part) is not None for listed in lists for part in parts)
