"""The leaves of an HL7 v2 message: texts taken out, values kept, and what both tell of the patient.

Which field is what, `_hl7_message.py` tells; the escape sequences, `_hl7_text.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import Any

from scrubjay.corpora._ages import is_age
from scrubjay.corpora._codes import is_code
from scrubjay.corpora._displays import Said, find_said, is_read, is_shared
from scrubjay.corpora._hl7_text import Delimiters, name_shape, render_name, split
from scrubjay.corpora._parts import Part
from scrubjay.corpora._shown import Shown, find_shown, may_show
from scrubjay.corpora._skeleton import is_date
from scrubjay.known.identifiers import VALUE_KINDS, KnownName, KnownValue, PatientIdentifiers
from scrubjay.text.hl7_fields import DISPLAY, FACILITY, ID_TYPES
from scrubjay.text.particles import WITHIN

CODED = "coded"
"""A field that does not look like the code that it should be: it is read as free text, and may look
like a code once it is replaced."""
AUTHORITY = "authority"
"""Who has given a number; where that is a facility of the message, it is replaced as that is."""
AGE = "age"
"""A number of years that a result is; where none comes back, the field is empty."""
_ABOUT_PATIENT = ("PID", "NK1", "MRG", "IN1", "IN2", "GT1", "CON", "DB1")
_DATE = re.compile(r"([0-9]{4})([0-9]{2})?([0-9]{2})?([0-9]{2,6}(?:\.[0-9]+)?)?([+-][0-9]{4})?")
_ID_TYPE = 2
"""The place of the type of a number among the pieces of an authority or a facility."""


@dataclass(slots=True, repr=False)
class Leaves:
    """What was taken out of a message, and what stays of it, in the order of the message.

    A `name` is that of the field or the component, as `PID-5.1`, and a `kind` that of an identifier
    (`scrubjay.known.parts`). `used` are the characters of the message that might stand for escapes.
    """

    used: frozenset[str]
    facilities: set[str] = field(default_factory=set)
    shown: Shown = field(default_factory=Shown)
    said: Said = field(default_factory=Said)
    delimiters: Delimiters = field(default_factory=lambda: Delimiters("|", "^", "~", "\\", "&"))
    parts: list[Part] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)
    patient: str = ""
    names: list[KnownName] = field(default_factory=list)
    values: list[KnownValue] = field(default_factory=list)
    births: list[date] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    displays: list[str] = field(default_factory=list)
    authorities: set[str] = field(default_factory=set)

    def known(self) -> PatientIdentifiers:
        """Return what the message tells of its patient."""
        known = PatientIdentifiers(tuple(self.names), tuple(self.values), tuple(self.births))
        return PatientIdentifiers().joined(known)

    def skeleton(self) -> dict[str, Any]:
        """Return what a writer needs beside the texts, in plain values."""
        found = self.delimiters
        return {
            "items": list(_joined(self.items)),
            "parts": len(self.parts),
            "delimiters": [found.separator, found.component, found.repetition, found.escape,
                           found.subcomponent],
            "marks": dict(found.marks),
            "displays": self.displays,
            "authorities": sorted(self.authorities - self.facilities),
        }  # fmt: skip

    def anew(self) -> Leaves | None:
        """Return leaves to fill again, by what the whole message tells; None where that is nothing.

        What stayed may show an identifier, a name, or a facility that a later field has told of.
        """
        known = self.known()
        said = find_said(self.displays, self.parts, known)
        shown = find_shown(self.parts, known)
        if not (may_show(shown, self.kept) and any(map(shown, self.kept))):
            shown = Shown()
        if said or shown or not self.authorities.isdisjoint(self.facilities):
            return Leaves(self.used, self.facilities, shown, said)
        return None

    def keep(self, text: str) -> None:
        """Keep what is no value: names of segments, delimiters, line ends."""
        self.items.append(text)

    def parted(self, raw: str, delimiter: str) -> Iterable[str]:
        """Return what a delimiter parts; the delimiter between is kept as the next one is taken."""
        return self._parted(raw, delimiter) if delimiter and delimiter in raw else (raw,)

    def _parted(self, raw: str, delimiter: str) -> Iterator[str]:
        first, *others = raw.split(delimiter)
        yield first
        for each in others:
            self.items.append(delimiter)
            yield each

    def keep_value(self, raw: str) -> None:
        """Keep a coded value, unless it shows an identifier of the message."""
        self.kept.append(raw)
        if not (self.shown and self.shown(raw)):
            self.items.append(raw)

    def take(self, raw: str, kind: str, name: str, *, sign: str = "") -> None:
        """Take a field without further structure in pieces at whatever delimits it.

        `sign` is `CODED`, `DISPLAY`, `FACILITY`, `AUTHORITY`, or "".
        """
        for component in self.parted(raw, self.delimiters.component):
            for piece in self.parted(component, self.delimiters.subcomponent):
                if text := self.decode(piece):
                    self._put(Part(name, text, kind), {sign: True} if sign else {})
                    self._note(kind, text, name)

    def take_date(self, raw: str, name: str, *, sign: str = "") -> None:
        """Take a date out in the form of ISO 8601, of which surrogates know the order.

        `sign` is `CODED` where nothing but its form tells that it is one.
        """
        found = _DATE.fullmatch(raw)
        text = "-".join(part for part in found.groups()[:3] if part) if found else ""
        if found is None or not is_date(text) or (found[4] and not found[3]):
            self.take(raw, "date", name, sign=sign)
            return
        rest = (found[4] or "") + (found[5] or "")
        self._put(Part(name, text, "date"), {"rest": rest} | ({sign: True} if sign else {}))
        if name == "PID-7" and found[3]:
            self.births.append(date.fromisoformat(text))

    def take_ages(self, raw: str, name: str) -> None:
        """Take the numbers of years out of a result, and keep what compares them."""
        for each in self.parted(raw, self.delimiters.component):
            if is_age(each):
                self._put(Part(name, each, AGE), {AGE: True})
            else:
                self.keep_value(each)

    def take_name(
        self, family: str, given: str, middle: str, *, kind: str, name: str
    ) -> dict[str, Any]:
        """Add the part of a whole name, and return what its slots share."""
        self.parts.append(Part(name, render_name(family, given, middle), kind))
        if kind in ("name", "relative") and name[:3] in _ABOUT_PATIENT:
            parts = tuple(part for part in (given, middle) if part)
            known = KnownName("name" if kind == "name" else "relative", parts,
                              (family,) if family else ())  # fmt: skip
            self.names.append(known)
        return {"part": len(self.parts) - 1, "shape": name_shape(family, given, middle)}

    def note_name(self, family: str, given: str, *, kind: str, name: str) -> None:
        """Keep a name in mind whose family name is in pieces: whole, particle, own, partner's."""
        if kind not in ("name", "relative") or name[:3] not in _ABOUT_PATIENT:
            return
        whole, _, own, _, partner = (
            *(self.decode(each) for each in family.split(self.delimiters.subcomponent)), *[""] * 5
        )[:5]  # fmt: skip
        families = tuple(dict.fromkeys(each for each in (own or whole, partner) if each))
        firsts = tuple(filter(None, [self.decode(given)]))
        others = (whole,) if own and whole else ()
        known = KnownName("name" if kind == "name" else "relative", firsts, families, others)
        self.names.append(known)

    def take_family(self, raw: str, kind: str, name: str) -> bool:
        """Take a family name out but for the particles that it tells; whether it tells any."""
        sub = self.delimiters.subcomponent
        pieces = split(raw, sub)
        told = [n for n in (1, 3) if n < len(pieces) and _is_particle(self.decode(pieces[n]))]
        for number, piece in enumerate(self.parted(raw, sub) if told else ()):
            if number in told:
                self.keep(piece)
            else:
                self.take(piece, kind, name)
        return bool(told)

    def take_display(self, raw: str, system: str, name: str) -> None:
        """Take the text of a code out where it may tell of a person, and keep it where not."""
        text = self.decode(raw)
        shared = is_shared(system)
        if is_read(text) and not shared:
            is_whole = len(split(raw, self.delimiters.subcomponent)) == 1
            self.take(raw, "", name, sign=DISPLAY if is_whole else CODED)
        elif self.said(text) or is_read(text, shared=shared):
            self.take(raw, "", name, sign=CODED)
        else:
            self.displays.append(text)
            self.keep_value(raw)

    def take_authority(self, raw: str, name: str) -> None:
        """Keep who has given a number, unless that is a facility of which another field tells."""
        for piece in self.parted(raw, self.delimiters.subcomponent):
            if piece in self.facilities:
                self.take(piece, "id", name, sign=AUTHORITY)
                continue
            self.authorities.add(piece)
            if not piece or is_code(piece):
                self.keep_value(piece)
            else:
                self.take(piece, "organization", name, sign=CODED)

    def take_facility(self, raw: str, name: str) -> None:
        """Take a facility out: its name and its number, but not whose number that is (ISO)."""
        for number, piece in enumerate(self.parted(raw, self.delimiters.subcomponent)):
            if number == _ID_TYPE and piece in ID_TYPES:
                self.keep_value(piece)
            else:
                self.facilities.add(piece)
                self.take(piece, "id", name, sign=FACILITY)

    def _put(self, part: Part, how: Mapping[str, Any]) -> None:
        """Put a slot in the place of a part; `how` tells how its new text is written."""
        self.items.append({"part": len(self.parts), **how})
        self.parts.append(part)

    def _note(self, kind: str, text: str, name: str) -> None:
        """Keep in mind what a field tells of the patient."""
        if kind in VALUE_KINDS and name[:3] in _ABOUT_PATIENT and text.strip():
            self.values.append(KnownValue(kind, text))
        if kind == "mrn" and not self.patient and name.startswith(("PID-3", "PID-2")):
            self.patient = text.strip()

    def decode(self, raw: str) -> str:
        """Return the text of what has no delimiters of components."""
        return self.delimiters.decode(raw, self.used)


def _joined(items: Iterable[Any]) -> Iterator[Any]:
    """Yield the items with all strings that follow each other as one, and no empty one."""
    for is_kept, run in groupby(items, key=lambda item: isinstance(item, str)):
        if not is_kept:
            yield from run
        elif whole := "".join(run):
            yield whole


def _is_particle(text: str) -> bool:
    """Tell whether a text is what stands before a surname ("van der"), and no name."""
    return bool(text) and all(word in WITHIN for word in text.lower().replace("'", " ").split())
