"""What a record keeps as it is, codes and numbers, searched for what it tells of persons.

Coded fields are not read by a model. In feeds of hospitals they hold more than codes: the number
of the patient as a numeric result, a name as the text of a code. What the identifying fields of
the record tell is looked for there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrubjay.corpora._displays import PERSONS, is_uncommon
from scrubjay.corpora._parts import Part
from scrubjay.known.identifiers import PatientIdentifiers
from scrubjay.transform.surrogates.draw import fold

_WORD = re.compile(r"[^\W_]+")
_SERVER = re.compile(r"\b[a-z]+://[^/\s]*")
_BETWEEN = re.compile(r"[\W_]+")
_PATIENTS = frozenset(["name", "relative"])
_NUMBERS = frozenset(
    ["mrn", "ssn", "phone", "fax", "email", "account", "plan", "license", "device", "id"]
)
_LEAST_NUMBER, _LEAST_JOINED, _LEAST_NAME = 5, 7, 4
_LONGEST = 2000


@dataclass(frozen=True, slots=True, repr=False)
class Shown:
    """Tells whether a value shows an identifier of its record.

    That is a number with a digit and at least five letters and digits, as a word, or as the whole
    value with marks between from seven on; or two words of one name, of which one has at least four
    letters: one alone is as often an eponym, a colour or a code. One is enough in a value without
    blanks ("VIP-TRANTER"), of a name of the patient or a relative, and neither an everyday word nor
    one of a clinical term; the server of an address does not count, which is that of all patients.
    """

    numbers: frozenset[str] = frozenset()
    names: tuple[frozenset[str], ...] = ()
    alone: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.numbers or self.names or self.alone)

    def __call__(self, value: str) -> bool:
        """Tell whether a value shows any of the identifiers."""
        if len(value) < _LEAST_NUMBER:
            return False
        folded = fold(value)
        words = set(_WORD.findall(folded))
        if not words.isdisjoint(self.numbers):
            return True
        if " " not in folded and not words.isdisjoint(self.alone):
            alone = self.alone.intersection(_WORD.findall(_SERVER.sub("", folded)))
            if any(map(is_uncommon, alone)):
                return True
        if self.numbers and len(value) <= _LONGEST:
            joined = _BETWEEN.sub("", folded)
            if len(joined) >= _LEAST_JOINED and joined in self.numbers:
                return True
        return any(
            len(both) > 1 and max(map(len, both)) >= _LEAST_NAME
            for both in (words & name for name in self.names)
        )


def may_show(shown: Shown, values: Iterable[str]) -> bool:
    """Tell whether any of many values may show an identifier: one look at all of them.

    It is true wherever `shown` is for one of them, and seldom else.
    """
    if not shown:
        return False
    folded = fold("\n".join(values))
    words = set(_WORD.findall(folded))
    if not words.isdisjoint(shown.numbers | shown.alone):
        return True
    if any(len(words & name) > 1 for name in shown.names):
        return True
    joined = _BETWEEN.sub("", folded)
    return any(number in joined for number in shown.numbers)


def find_shown(parts: Sequence[Part], known: PatientIdentifiers | None = None) -> Shown:
    """Return what the identifying parts of a record tell, and what else is known of its patient."""
    values = [(part.kind, part.text) for part in parts if part.kind in PERSONS | _NUMBERS]
    if known is not None:
        values += [(value.kind, value.value) for value in known.values]
        values += [
            (name.kind, " ".join([*name.given, *name.family, *name.others])) for name in known.names
        ]
    numbers = {
        _BETWEEN.sub("", fold(text))
        for kind, text in values
        if kind in _NUMBERS and (kind == "email" or any(map(str.isdigit, text)))
    }
    names = dict.fromkeys(frozenset(_words(fold(text))) for kind, text in values if kind in PERSONS)
    return Shown(
        frozenset(each for each in numbers if len(each) >= _LEAST_NUMBER),
        tuple(name for name in names if len(name) > 1),
        frozenset(
            word
            for kind, text in values
            if kind in _PATIENTS
            for word in _words(fold(text))
            if len(word) >= _LEAST_NUMBER
        ),
    )


def _words(text: str) -> Iterable[str]:
    return (word for word in _WORD.findall(text) if len(word) > 1)
