"""The slots of the template language: their forms, and what they have of an entity."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.features.protected import PROTECTED_KINDS

_NAMES = (
    "first", "last", "last-first", "last-initial", "initials", "formal", "nick", "upper", "full",
    "first-initial", "last-upper", "first-upper", "middle", "lower", "first-lower", "last-lower",
)  # fmt: skip
COMPANIONS = (
    "he", "his", "him", "himself", "He", "His", "Him", "man", "Mr", "Mister", "son", "boy",
    "sex", "letter", "o", "el", "El", "Dr",
)  # fmt: skip
_PERSON = (*_NAMES, *COMPANIONS)

SLOTS: Mapping[str, tuple[str, ...]] = {
    "patient": _PERSON,
    "relative": _PERSON,
    "doctor": _PERSON,
    "staff": _PERSON,
    "username": (),
    "date": (
        "long", "short", "iso", "month", "monthname", "year", "weekday", "season", "holiday",
        "decade", "dayname", "ordinal", "dmy", "dot", "compact", "full", "dayshort",
        "monthyear", "day",
    ),
    "age": ("word", "decade", "years", "jaar", "months"),
    "hospital": ("short", "abbr", "upper"),
    "care": ("short", "abbr", "upper"),
    "ward": ("short",),
    "org": ("employer", "school", "church", "agency", "club", "insurer", "shop", "short", "home",
            "emergency", "social", "court"),
    "profession": ("upper",),
    "city": ("upper",),
    "state": ("abbr",),
    "country": (),
    "street": (),
    "zip": (),
    "address": (),
    "place": (),
    "phone": ("ext", "pager", "mobile"),
    "fax": (),
    "email": (),
    "url": (),
    "ip": (),
    "mrn": (),
    "id": (),
    "account": (),
    "license": (),
    "ssn": (),
    "bsn": (),
    "dni": (),
    "nuss": (),
    "episode": (),
    "device": (),
    "vehicle": (),
    "plan": (),
    "bioid": (),
    "time": (),
    "drug": (),
    "dose": (),
    "eponym": (),
    "bp": (),
    "hr": (),
    "temp": (),
    "spo2": (),
    "weight": (),
    "lab": (),
    "diagnosis": (),
    "procedure": (),
    "term": PROTECTED_KINDS,
    "n": ("big",),
}  # fmt: skip
"""Every slot with its forms; the form without a name is always there."""

PLAIN = frozenset({
    "time", "drug", "dose", "eponym", "bp", "hr", "temp", "spo2", "weight", "lab", "diagnosis",
    "procedure", "term", "n",
})  # fmt: skip
"""Slots that are not PHI and get no label."""

PEOPLE = frozenset({"patient", "relative", "doctor", "staff"})
