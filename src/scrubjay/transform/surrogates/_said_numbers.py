"""Numbers as they are dictated in Spanish: "seis cinco cinco once" becomes "dos nueve cero cuatro".

Letters drawn for letters would read as nothing, and the lengths of the words would tell the digits.
"""

from __future__ import annotations

import re

from scrubjay.transform.surrogates._fresh import Characters
from scrubjay.transform.surrogates.draw import Draw

_DIGITS = ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve")
_NUMBER = re.compile(
    r"(?:cero|un[oa]|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|"
    r"quince|dieci[^\W\d_]{4,6}|veint[ei][^\W\d_]{0,7}|treinta|cuarenta|cincuenta|sesenta|setenta|"
    r"ochenta|noventa|cien(?:to)?|[^\W\d_]{3,6}ient[oa]s|y)"
)
_APART = re.compile(r"[\s,;.-]+")
_LEAST = 3
"""Words that such a number has at least."""


def say_another(text: str, draw: Draw, attempt: int) -> str:
    """Return as many other digits in words as a text has numbers; "" where it has other words."""
    if not text[:1].isalpha():
        return ""
    words = [word for word in _APART.split(text.lower()) if word]
    if len(words) < _LEAST or not all(map(_NUMBER.fullmatch, words)):
        return ""
    characters = Characters(draw, "said", " ".join(words), str(attempt))
    new = " ".join(_DIGITS[characters.below(10)] for word in words if word != "y")
    if text.isupper():
        return new.upper()
    return new.capitalize() if text[0].isupper() else new
