"""Ages as results and answers: numbers that no text beside them tells to be how old somebody is.

A model does not look at numbers of fields. Above 89 an age identifies (45 CFR 164.514(b)(2)(i)(C)).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_CODES = frozenset([
    "21611-9", "21612-7", "29553-5", "30525-0", "35659-2", "39016-1", "63900-5",
    "397669002", "424144002", "445518008",
])  # fmt: skip
"""LOINC's and SNOMED CT's codes for ages: now, reported, at a test, at onset, at death."""
_NAMED = re.compile(
    r"(?:(?:your|the|current|patient|patients|patient's|pt|subject|participant|maternal|paternal|"
    r"mother's|father's|donor|reported|calculated|chronological|actual)[ -]){0,2}"
    r"age(?:[ -](?:at|of|when|on)[ ].{1,60}"
    r"|,? ?\(?(?:in )?(?:years|yrs?|y|reported|calculated)\)?)?"
    r"|(?:how old (?:are you|is .{1,40}))"
    r"|edad(?: (?:actual|del paciente|de la paciente|al .{1,40}|en años))?(?: ?\(años\))?"
    r"|leeftijd(?: (?:van .{1,40}|bij .{1,40}|in jaren))?(?: ?\(jaar\))?",
    re.IGNORECASE,
)
_YEARS = frozenset(["a", "y", "yo", "yr", "yrs", "year", "years", "ann", "año", "años", "j", "jr",
                    "jaar", "jaren"])  # fmt: skip
_AGE = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,4})?")


def tells_age(codes: Iterable[object], *names: object) -> bool:
    """Tell whether an observation or a question of these codes, or a name of it, is for an age."""
    if not _CODES.isdisjoint(code for code in codes if isinstance(code, str)):
        return True
    return any(isinstance(name, str) and _NAMED.fullmatch(name.strip(" ?:.")) for name in names)


def is_age(value: str, unit: object = "") -> bool:
    """Tell whether a value is a number of years, as an age may be one; no unit is years."""
    years = not unit or (isinstance(unit, str) and unit.strip(" .{}[]").lower() in _YEARS)
    return years and _AGE.fullmatch(value) is not None
