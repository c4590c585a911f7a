"""Dates that tell of no day are no PHI: ". Sexo:" (Spanish).

Rules were seen to take the key beside a date for a part of it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from scrubjay.features.lexicons import find_lexicon, look_up

_WORD = re.compile(r"[^\W\d_]+")
_FEASTS = {
    "es": frozenset({
        "fiestas patrias", "corpus", "corpus christi", "todos santos", "todos los santos",
        "santos inocentes", "santos difuntos", "candelaria", "candelas", "pentecostés", "ascensión",
        "san juan", "sant joan", "sant jordi", "san froilán", "san blas", "santa lucía", "la mercè",
        "la merced", "la almudena", "black friday", "fin de año", "de la constitución", "del pilar",
    })
}  # fmt: skip
"""Those that no list of date words holds: models read these lists, which stay as they are."""


def is_dateless(mention: str, language: str) -> bool:
    """Tell whether a date has no number and no word of dates: it is one by its label alone."""
    if any(map(str.isdecimal, mention)):
        return False
    words = _WORD.findall(mention)
    parts = [*words, *(" ".join(pair) for pair in pairwise(words)), " ".join(words)]
    feasts = _FEASTS.get(language)
    if feasts and any(feast in mention.lower() for feast in feasts):
        return False
    lists = [find_lexicon(f"{language}.{kind}") for kind in ("months", "weekdays", "date-words")]
    return not any(look_up(listed, part) is not None for listed in lists for part in parts)
