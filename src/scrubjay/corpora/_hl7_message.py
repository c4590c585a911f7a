"""One HL7 v2 message: its texts taken out, and what is left of it without them.

What the fields are is told by `text/hl7_fields.py`, the escape sequences by `_hl7_text.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from scrubjay.corpora._ages import is_age, tells_age
from scrubjay.corpora._codes import is_code
from scrubjay.corpora._displays import Said, find_said, is_read, is_shared
from scrubjay.corpora._hl7_forms import FORMS, NAME_CODE, is_bare, is_day, is_mark, is_moment
from scrubjay.corpora._hl7_text import (
    MARKS,
    Delimiters,
    name_shape,
    read_delimiters,
    render_name,
)
from scrubjay.corpora._parts import Part
from scrubjay.corpora._shown import Shown, find_shown, may_show
from scrubjay.corpora._skeleton import is_date
from scrubjay.corpora.source import Source
from scrubjay.errors import FormatError
from scrubjay.known.identifiers import VALUE_KINDS, KnownName, KnownValue, PatientIdentifiers
from scrubjay.text.hl7_fields import (
    DATE,
    DISPLAY,
    EMPTY,
    FACILITY,
    ID_TYPES,
    KEEP,
    MARK,
    OWN,
    SEGMENTS,
    TEXT,
    TYPES,
    VALUE,
    VALUES,
)
from scrubjay.text.particles import WITHIN

HEADERS = ("MSH", "FHS", "BHS")
_ABOUT_PATIENT = ("PID", "NK1", "MRG", "IN1", "IN2", "GT1", "CON", "DB1")
_NAME = {"family", "given", "middle"}
BEGIN, END = "\x0b", "\x1c"
BOM = "\ufeff"
_DATE = re.compile(r"([0-9]{4})([0-9]{2})?([0-9]{2})?([0-9]{2,6}(?:\.[0-9]+)?)?([+-][0-9]{4})?")
CODED = "coded"
"""A field that does not look like the code that it should be: it is read as free text, and may look
like a code once it is replaced."""
DAY = "day"
"""A date in a field of codes, known by its form: a year that is left of it looks like a code."""
AUTHORITY = "authority"
"""Who has given a number; where that is a facility of the message, it is replaced as that is."""
AGE = "age"
"""A number of years that a result is; where none comes back, the field is empty."""
_KINDS = dict.fromkeys((TEXT, *FORMS), "")
"""Rules of components that are no kind of identifier -> the kind of what they have read."""
_ID_TYPE = 2
"""The place of the type of a number among the pieces of an authority or a facility."""
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")


@dataclass(slots=True, repr=False)
class Message:
    """The parts of one message, and the skeleton that is left of it."""

    lines: list[str]
    unknown: str
    source: Source
    place: str
    parts: list[Part] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)
    patient: str = ""
    refused: str = ""
    kind: str = ""
    names: list[KnownName] = field(default_factory=list)
    values: list[KnownValue] = field(default_factory=list)
    births: list[date] = field(default_factory=list)
    delimiters: Delimiters = field(default_factory=lambda: Delimiters("|", "^", "~", "\\", "&"))
    taken: frozenset[str] = frozenset()
    marks: Mapping[str, str] = field(default_factory=dict)
    """What stood for escapes where the message was read before: the same stand for them again."""
    kept: list[str] = field(default_factory=list)
    shown: Shown = field(default_factory=Shown)
    displays: list[str] = field(default_factory=list)
    said: Said = field(default_factory=Said)
    authorities: set[str] = field(default_factory=set)
    facilities: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.taken = MARKS & set().union(*self.lines)
        self._walk()
        known = self.known()
        self.said = find_said(self.displays, self.parts, known)
        shown = find_shown(self.parts, known)
        if may_show(shown, self.kept) and any(map(shown, self.kept)):
            self.shown = shown
        if self.said or self.shown or not self.authorities.isdisjoint(self.facilities):
            self._forget()
            self._walk()

    def _walk(self) -> None:
        for line in self.lines:
            self._line(line)

    def _forget(self) -> None:
        """Begin anew, with what is known of the identifiers now."""
        self.parts, self.items, self.kept, self.displays = [], [], [], []
        self.names, self.values, self.births = [], [], []
        self.patient = self.refused = self.kind = ""

    def skeleton(self) -> dict[str, Any]:
        """Return what a writer needs beside the texts, in plain values."""
        found = self.delimiters
        return {
            "items": self.items,
            "parts": len(self.parts),
            "delimiters": [found.separator, found.component, found.repetition, found.escape,
                           found.subcomponent],
            "marks": dict(found.marks),
            "displays": self.displays,
            "authorities": sorted(self.authorities - self.facilities),
        }  # fmt: skip

    def known(self) -> PatientIdentifiers:
        """Return what the message tells of its patient."""
        known = PatientIdentifiers(tuple(self.names), tuple(self.values), tuple(self.births))
        return PatientIdentifiers().joined(known)

    def _line(self, line: str) -> None:
        body = line.rstrip("\r\n")
        end = line[len(body) :]
        inner = body.lstrip(BOM + BEGIN + END)
        self._keep(body[: len(body) - len(inner)])
        name = inner[:3]
        if not inner.strip():
            self._keep(inner + end)
            return
        if name in HEADERS:
            found = read_delimiters(inner)
            if found is None:
                raise FormatError(
                    f"the segment {name} declares no delimiters that could be used",
                    path=self.source.name,
                    place=self.place,
                )
            self.delimiters = found
            found.marks.update(self.marks)
        self.kind = self.kind or name
        rules = SEGMENTS.get(name)
        whole = _SEGMENT.fullmatch(name) and inner[3:4] in ("", self.delimiters.separator)
        if rules is None or not whole:
            if self.unknown == "drop":
                return
            if self.unknown == "fail":
                shown = name if whole else "that has no name"
                self.refused = self.refused or f"no table knows the segment {shown}"
            rules = {}
        self._segment(name, inner, rules)
        self._keep(end)

    def _segment(self, name: str, body: str, rules: Mapping[int, str]) -> None:
        fields = body.split(self.delimiters.separator)
        shift = 1 if name in HEADERS else 0
        if fields[0] in SEGMENTS or (_SEGMENT.fullmatch(fields[0]) and len(fields) > 1):
            self._keep(fields[0])
        else:  # no segment at all, but a line of text
            name = "line"
            self._leaves(fields[0], "", name)
        kind = fields[2] if name == "OBX" and len(fields) > 2 else ""
        for index, raw in enumerate(fields[1:], start=1):
            self._keep(self.delimiters.separator)
            number = index + shift
            rule = rules.get(number, TEXT)
            if rule == VALUE:
                rule = VALUES.get(kind, "")
                if not rule and raw:
                    if self.unknown == "drop":
                        continue
                    if self.unknown == "fail":
                        self.refused = self.refused or "an OBX holds a file or a link to one"
                    rule = TEXT
                if self._is_age(fields, rule):
                    self._age(raw, f"{name}-{number}")
                    continue
            self._field(raw, rule, f"{name}-{number}")

    def _is_age(self, fields: Sequence[str], rule: str) -> bool:
        """Tell whether the result in an OBX is how many years old somebody is."""
        about, value = self._components_of(fields[3]), self._components_of(fields[5])
        unit = self._components_of(fields[6])[0] if len(fields) > 6 else ""
        return (
            rule in (TEXT, "number")
            and tells_age(about[::3], *about[1::3])
            and any(is_age(each, unit) for each in value)
            and all(each == "" or is_bare(each) for each in value)
        )

    def _components_of(self, raw: str) -> list[str]:
        separator = self.delimiters.component
        return raw.split(separator) if separator else [raw]

    def _age(self, raw: str, name: str) -> None:
        """Take the numbers of years out of a result, and keep what compares them."""
        for number, each in enumerate(self._components_of(raw)):
            if number:
                self._keep(self.delimiters.component)
            if is_age(each):
                self.items.append({"part": len(self.parts), AGE: True})
                self.parts.append(Part(name, each, AGE))
            else:
                self._keep_value(each)

    def _field(self, raw: str, rule: str, name: str) -> None:
        if rule == EMPTY:
            return
        if rule == KEEP and not is_bare(raw):
            rule = CODED
        if rule in (KEEP, "code") and is_moment(raw):
            rule = DAY
        if rule in FORMS:
            rule = KEEP if FORMS[rule](raw) else DAY if is_day(raw) else CODED
        if rule == KEEP or raw in ("", '""'):
            self._keep_value(raw)
        elif rule in (TEXT, CODED):
            self._leaves(raw, "", name, sign=CODED if rule == CODED else "")
        else:
            self._repetitions(raw, rule, name)

    def _repetitions(self, raw: str, rule: str, name: str) -> None:
        kind, _, own = rule.partition(":")
        separator = self.delimiters.repetition
        for number, each in enumerate(raw.split(separator) if separator else [raw]):
            if number:
                self._keep(separator)
            if kind in TYPES:
                self._components(each, TYPES[kind], own or kind, name)
            elif kind in (DATE, DAY):
                self._date(each, name, sign=CODED if kind == DAY else "")
            elif kind == MARK:
                self._leaves(each, "id" if is_mark(each) else "", name)
            else:
                self._leaves(each, kind, name)

    def _components(self, raw: str, rules: Mapping[int, str], own: str, name: str) -> None:
        separator = self.delimiters.component
        components = self._components_of(raw)
        places = {rules.get(number): number for number in range(1, len(components) + 1)}
        wanted = [places.get(part) for part in ("family", "given", "middle")]
        found = [components[number - 1] if number else "" for number in wanted]
        shared = None
        sub = self.delimiters.subcomponent
        if any(found) and sub and any(sub in each for each in found):
            self._note_pieces(*found[:2], kind=own, name=name)
        elif any(found):
            shared = self._name(*map(self._decode, found), kind=own, name=name)
        for number, each in enumerate(components, start=1):
            if number > 1:
                self._keep(separator)
            rule = rules.get(number, TEXT)
            label = f"{name}.{number}"
            if rule in _NAME and shared is not None and each:
                self.items.append({**shared, "name": rule})
            elif rule == EMPTY:
                continue
            else:
                place = number if rule == DISPLAY else number + 1
                system = "".join(components[place : place + 1])
                if rule == "code" and is_day(each) and rules.get(2) not in (DISPLAY, TEXT):
                    rule = DAY  # codes beside no text have not eight digits
                self._component(each, rule, own, label, system)

    def _component(self, raw: str, rule: str, own: str, name: str, system: str) -> None:
        """Take a component out that is no part of a name; `system` is that of a code."""
        if raw in ("", '""') or rule == KEEP:
            self._keep_value(raw)
        elif rule == DATE:
            self._date(raw, name)
        elif rule == DAY or (
            rule in ("code", DISPLAY) and is_moment(raw) and not (rule == "code" and is_day(raw))
        ):
            self._date(raw, name, sign=CODED)
        elif rule == DISPLAY:
            self._display(raw, system, name)
        elif rule == AUTHORITY:
            self._authority(raw, name)
        elif rule == FACILITY:
            self._facility(raw, name)
        elif rule == "code":
            if is_code(raw, bare=not is_shared(system)):
                self._keep_value(raw)
            else:
                self._leaves(raw, "", name, sign=CODED)
        elif rule in FORMS and FORMS[rule](raw):
            self._keep_value(raw)
        else:
            if rule == "family" and self._particles(raw, own, name):
                return
            kind = own if rule in (OWN, "title", NAME_CODE, *_NAME) else _KINDS.get(rule, rule)
            self._leaves(raw, kind, name, sign=CODED if rule in FORMS else "")

    def _display(self, raw: str, system: str, name: str) -> None:
        """Take the text of a code out where it may tell of a person, and keep it where not."""
        text = self._decode(raw)
        shared = is_shared(system)
        if is_read(text) and not shared:
            self._leaves(raw, "", name, sign=DISPLAY if len(self._pieces(raw)) == 1 else CODED)
        elif self.said(text) or is_read(text, shared=shared):
            self._leaves(raw, "", name, sign=CODED)
        else:
            self.displays.append(text)
            self._keep_value(raw)

    def _authority(self, raw: str, name: str) -> None:
        """Keep who has given a number, unless that is a facility of which another field tells."""
        for number, piece in enumerate(self._pieces(raw)):
            if number:
                self._keep(self.delimiters.subcomponent)
            if piece in self.facilities:
                self._leaves(piece, "id", name, sign=AUTHORITY)
                continue
            self.authorities.add(piece)
            if not piece or is_code(piece):
                self._keep_value(piece)
            else:
                self._leaves(piece, "organization", name, sign=CODED)

    def _facility(self, raw: str, name: str) -> None:
        """Take a facility out: its name and its number, but not whose number that is (ISO)."""
        for number, piece in enumerate(self._pieces(raw)):
            if number:
                self._keep(self.delimiters.subcomponent)
            if number == _ID_TYPE and piece in ID_TYPES:
                self._keep_value(piece)
            else:
                self.facilities.add(piece)
                self._leaves(piece, "id", name, sign=FACILITY)

    def _pieces(self, raw: str) -> list[str]:
        sub = self.delimiters.subcomponent
        return raw.split(sub) if sub else [raw]

    def _particles(self, raw: str, own: str, name: str) -> bool:
        """Take a family name out but for the particles that it tells; whether it tells any."""
        pieces = self._pieces(raw)
        told = [n for n in (1, 3) if n < len(pieces) and _is_particle(self._decode(pieces[n]))]
        for number, piece in enumerate(pieces if told else ()):
            if number:
                self._keep(self.delimiters.subcomponent)
            if number in told:
                self._keep(piece)
            else:
                self._leaves(piece, own, name)
        return bool(told)

    def _note_pieces(self, family: str, given: str, *, kind: str, name: str) -> None:
        """Keep a name in mind whose family name is in pieces: whole, particle, own, partner's."""
        if kind not in ("name", "relative") or name[:3] not in _ABOUT_PATIENT:
            return
        whole, _, own, _, partner = (
            *(self._decode(each) for each in family.split(self.delimiters.subcomponent)), *[""] * 5
        )[:5]  # fmt: skip
        families = tuple(dict.fromkeys(each for each in (own or whole, partner) if each))
        firsts = tuple(filter(None, [self._decode(given)]))
        others = (whole,) if own and whole else ()
        known = KnownName("name" if kind == "name" else "relative", firsts, families, others)
        self.names.append(known)

    def _name(
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

    def _leaves(self, raw: str, kind: str, name: str, *, sign: str = "") -> None:
        """Take a field without further structure in pieces at whatever delimits it.

        `sign` is `CODED`, `DISPLAY`, `FACILITY`, `AUTHORITY`, or "".
        """
        delimiters = [self.delimiters.component, self.delimiters.subcomponent]
        pattern = "|".join(re.escape(each) for each in delimiters if each)
        for number, piece in enumerate(re.split(f"({pattern})", raw) if pattern else [raw]):
            text = self._decode(piece) if number % 2 == 0 else ""
            if number % 2 or not text:
                self._keep(piece)
                continue
            self.items.append({"part": len(self.parts)} | ({sign: True} if sign else {}))
            self.parts.append(Part(name, text, kind))
            self._note(kind, text, name)

    def _note(self, kind: str, text: str, name: str) -> None:
        """Keep in mind what a field tells of the patient."""
        if kind in VALUE_KINDS and name[:3] in _ABOUT_PATIENT and text.strip():
            self.values.append(KnownValue(kind, text))
        if kind == "mrn" and not self.patient and name.startswith(("PID-3", "PID-2")):
            self.patient = text.strip()

    def _date(self, raw: str, name: str, *, sign: str = "") -> None:
        """Take a date out in the form of ISO 8601, of which surrogates know the order.

        `sign` is `CODED` where nothing but its form tells that it is one.
        """
        found = _DATE.fullmatch(raw)
        text = "-".join(part for part in found.groups()[:3] if part) if found else ""
        if found is None or not is_date(text) or (found[4] and not found[3]):
            self._leaves(raw, "date", name, sign=sign)
            return
        rest = (found[4] or "") + (found[5] or "")
        self.items.append({"part": len(self.parts), "rest": rest} | ({sign: True} if sign else {}))
        self.parts.append(Part(name, text, "date"))
        if name == "PID-7" and found[3]:
            self.births.append(date.fromisoformat(text))

    def _decode(self, raw: str) -> str:
        return self.delimiters.decode(raw, self.taken)

    def _keep_value(self, raw: str) -> None:
        """Keep a coded value, unless it shows an identifier of the message."""
        self.kept.append(raw)
        self._keep("" if self.shown and self.shown(raw) else raw)

    def _keep(self, text: str) -> None:
        if text and self.items and isinstance(self.items[-1], str):
            self.items[-1] += text
        elif text:
            self.items.append(text)


def _is_particle(text: str) -> bool:
    """Tell whether a text is what stands before a surname ("van der"), and no name."""
    return bool(text) and all(word in WITHIN for word in text.lower().replace("'", " ").split())
