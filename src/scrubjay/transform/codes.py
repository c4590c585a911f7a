"""Codes that stand for ids: `c5f1e0a9...`, the same for one value in all tables under one key.

    Coder(key).code("00714482", "patient")

A code is HMAC-SHA256 over the kind of the id and the id itself, cut to 96 bits: without the key it
can be neither computed nor looked up, and nothing of the id is in it. It begins with a letter, so
that no spreadsheet takes it for a number.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite
from numbers import Number, Rational, Real
from typing import Any

from scrubjay.errors import NoCodeError
from scrubjay.transform.operators import require_key

PATIENT = "patient"
"""The kind of what tells a patient, whatever its column is called."""
DOCUMENT = "id"
"""The kind of ids that stand in no column of a name of its own, such as names of files."""

_DIGITS = 24
_MOST_DIGITS = 1000  # of a whole number; no type of a table has as many
# No other use of the key begins with these bytes, and each part stands behind its length.
_PURPOSE = b"scrubjay code\0"


@dataclass(frozen=True, slots=True)
class Coder:
    """Makes codes of ids under a key; ids of different kinds have nothing in common.

    Kinds part what has the same numbers by chance: were patient 17 and note 17 one code, the
    place of a note in its table could tell the number of a patient. Raises `ConfigError` for a
    missing or short key.
    """

    key: bytes = field(repr=False)

    def __post_init__(self) -> None:
        require_key(self.key, "codes need")

    def code(self, value: str, kind: str = PATIENT) -> str:
        """Return the code of an id of a kind; the id counts as it is written, blanks and all."""
        parts = [part.encode("utf-8", "surrogatepass") for part in (kind, value)]
        message = b"".join([b"%d:%b" % (len(part), part) for part in parts])
        return "c" + hmac.digest(self.key, _PURPOSE + message, "sha256").hex()[:_DIGITS]

    def code_value(self, value: Any, kind: str) -> str | None:
        """Return the code of the value of a column; None for null, and "" for an empty text.

        There is no id to make a code of, and one code for all of them would join strangers.
        Raises `NoCodeError` for what is neither text nor a number, such as true, lists and objects.
        """
        if not is_id(value):
            raise NoCodeError(
                f"a code of the kind {kind!r} cannot be made of a {type(value).__name__}: ids are "
                "texts or numbers",
                hint="Leave its column out of --code-column, or make a text of it first",
            )
        text = id_text(value)
        return self.code(text, kind) if text else text


def is_id(value: Any) -> bool:
    """Tell whether a value of a column may be an id, or null: a text or a number."""
    if value is None or isinstance(value, str):
        return True
    if isinstance(value, bool):
        return False
    return isinstance(value, Number) or id_text(value) is None


def id_text(value: Any) -> str | None:
    """Return an id as text, None for null; numbers without a fraction are whole ones.

    A column of whole numbers of which one is missing is often a column of floats. What is no
    number and what is infinite counts as null.
    """
    if value is None:
        return None
    if isinstance(value, Real) and not isinstance(value, Rational):  # those of NumPy, too
        value = float(value)
        if not isfinite(value):
            return None
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            return None
        # Neither of these rounds, however many digits there are; an exponent may be huge.
        if value.adjusted() < _MOST_DIGITS and value == value.to_integral_value():
            return str(int(value))
        return str(value)
    return str(value) if value == value else None
