"""Titles beside the names of persons: prefixes, suffixes and degrees, in which no name hides."""

from __future__ import annotations

import re

_SHORT = re.compile(r"(?:[^\W\d_]{1,4}\.?(?:[ ,./-]+|$)){1,4}")  # Dr., Ph.D., III
_LONG = frozenset([
    "doctor", "professor", "madam", "reverend", "mevrouw", "meneer", "mijnheer", "dhr en mevr",
    "mejuffrouw", "señor", "señora", "señorita", "doctora", "profesor", "profesora", "dipl.-ing",
    "dr. med", "priv.-doz", "junior", "senior", "freiherr", "gräfin",
])  # fmt: skip


def is_title(text: str) -> bool:
    """Tell whether a text is none but words of up to four letters, or a well-known title."""
    return _SHORT.fullmatch(text) is not None or text.strip(" .").lower() in _LONG
