"""One HL7 v2 message: its texts taken out, and what is left of it without them.

What the fields are is told by `text/hl7_fields.py`, the escape sequences by `_hl7_text.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scrubjay.corpora._ages import is_age, tells_age
from scrubjay.corpora._codes import is_code
from scrubjay.corpora._displays import is_shared
from scrubjay.corpora._hl7_forms import FORMS, NAME_CODE, is_bare, is_day, is_mark, is_moment
from scrubjay.corpora._hl7_leaves import AUTHORITY, CODED, Leaves
from scrubjay.corpora._hl7_text import MARKS, read_delimiters, split
from scrubjay.corpora.source import Source
from scrubjay.errors import FormatError
from scrubjay.text.hl7_fields import (
    DATE,
    DISPLAY,
    EMPTY,
    FACILITY,
    KEEP,
    MARK,
    OWN,
    SEGMENTS,
    TEXT,
    TYPES,
    VALUE,
    VALUES,
)

HEADERS = ("MSH", "FHS", "BHS")
BEGIN, END = "\x0b", "\x1c"
BOM = "\ufeff"
_DAY = "day"
"""A date in a field of codes, known by its form: a year that is left of it looks like a code."""
_KINDS = dict.fromkeys((TEXT, *FORMS), "")
"""Rules of components that are no kind of identifier -> the kind of what they have read."""
_NAME_PARTS = ("family", "given", "middle")
_NAMES = {
    kind: [
        next((number for number, rule in rules.items() if rule == part), 0) for part in _NAME_PARTS
    ]
    for kind, rules in TYPES.items()
}
"""Data type -> the numbers of the components that are parts of a name, 0 for what it has not."""
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")


@dataclass(slots=True, repr=False)
class Message:
    """The leaves of one message, of which kind it is, and why it cannot be read, if it cannot."""

    lines: list[str]
    unknown: str
    source: Source
    place: str
    marks: Mapping[str, str] = field(default_factory=dict)
    """What stood for escapes where the message was read before: the same stand for them again."""
    kind: str = ""
    refused: str = ""
    leaves: Leaves = field(init=False)

    def __post_init__(self) -> None:
        self._walk(Leaves(MARKS & set().union(*self.lines)))
        again = self.leaves.anew()
        if again is not None:
            self._walk(again)

    def _walk(self, leaves: Leaves) -> None:
        self.leaves = leaves
        for line in self.lines:
            self._line(line)

    def _line(self, line: str) -> None:
        leaves, body = self.leaves, line.rstrip("\r\n")
        end = line[len(body) :]
        inner = body.lstrip(BOM + BEGIN + END)
        leaves.keep(body[: len(body) - len(inner)])
        name = inner[:3]
        if not inner.strip():
            leaves.keep(inner + end)
            return
        if name in HEADERS:
            found = read_delimiters(inner)
            if found is None:
                raise FormatError(
                    f"the segment {name} declares no delimiters that could be used",
                    path=self.source.name,
                    place=self.place,
                )
            leaves.delimiters = found
            found.marks.update(self.marks)
        self.kind = self.kind or name
        rules = SEGMENTS.get(name)
        whole = _SEGMENT.fullmatch(name) and inner[3:4] in ("", leaves.delimiters.separator)
        if rules is None or not whole:
            if self.unknown == "drop":
                return
            if self.unknown == "fail":
                shown = name if whole else "that has no name"
                self.refused = self.refused or f"no table knows the segment {shown}"
            rules = {}
        self._segment(name, inner, rules)
        leaves.keep(end)

    def _segment(self, name: str, body: str, rules: Mapping[int, str]) -> None:
        leaves = self.leaves
        fields = body.split(leaves.delimiters.separator)
        shift = 1 if name in HEADERS else 0
        if fields[0] in SEGMENTS or (_SEGMENT.fullmatch(fields[0]) and len(fields) > 1):
            leaves.keep(fields[0])
        else:  # no segment at all, but a line of text
            name = "line"
            leaves.take(fields[0], "", name)
        kind = fields[2] if name == "OBX" and len(fields) > 2 else ""
        for index, raw in enumerate(fields[1:], start=1):
            leaves.keep(leaves.delimiters.separator)
            if not raw:
                continue
            number = index + shift
            rule = rules.get(number, TEXT)
            if rule == VALUE:
                rule = VALUES.get(kind, "")
                if not rule:
                    if self.unknown == "drop":
                        continue
                    if self.unknown == "fail":
                        self.refused = self.refused or "an OBX holds a file or a link to one"
                    rule = TEXT
                if self._is_age(fields, rule):
                    leaves.take_ages(raw, f"{name}-{number}")
                    continue
            self._field(raw, rule, f"{name}-{number}")

    def _is_age(self, fields: Sequence[str], rule: str) -> bool:
        """Tell whether the result in an OBX is how many years old somebody is."""
        component = self.leaves.delimiters.component
        about, value = split(fields[3], component), split(fields[5], component)
        unit = split(fields[6], component)[0] if len(fields) > 6 else ""
        return (
            rule in (TEXT, "number")
            and tells_age(about[::3], *about[1::3])
            and any(is_age(each, unit) for each in value)
            and all(each == "" or is_bare(each) for each in value)
        )

    def _field(self, raw: str, rule: str, name: str) -> None:
        if rule == EMPTY:
            return
        if rule == KEEP and not is_bare(raw):
            rule = CODED
        if rule in (KEEP, "code") and is_moment(raw):
            rule = _DAY
        if rule in FORMS:
            rule = KEEP if FORMS[rule](raw) else _DAY if is_day(raw) else CODED
        if rule == KEEP or raw == '""':
            self.leaves.keep_value(raw)
        elif rule in (TEXT, CODED):
            self.leaves.take(raw, "", name, sign=CODED if rule == CODED else "")
        else:
            self._repetitions(raw, rule, name)

    def _repetitions(self, raw: str, rule: str, name: str) -> None:
        kind, _, own = rule.partition(":")
        leaves = self.leaves
        for each in leaves.parted(raw, leaves.delimiters.repetition):
            if kind in TYPES:
                self._components(each, kind, own or kind, name)
            elif kind in (DATE, _DAY):
                leaves.take_date(each, name, sign=CODED if kind == _DAY else "")
            elif kind == MARK:
                leaves.take(each, "id" if is_mark(each) else "", name)
            else:
                leaves.take(each, kind, name)

    def _components(self, raw: str, kind: str, own: str, name: str) -> None:
        leaves, rules = self.leaves, TYPES[kind]
        components = split(raw, leaves.delimiters.component)
        found = [
            components[number - 1] if 0 < number <= len(components) else ""
            for number in _NAMES[kind]
        ]
        shared = None
        sub = leaves.delimiters.subcomponent
        if any(found) and sub and any(sub in each for each in found):
            leaves.note_name(*found[:2], kind=own, name=name)
        elif any(found):
            shared = leaves.take_name(*map(leaves.decode, found), kind=own, name=name)
        for number, each in enumerate(leaves.parted(raw, leaves.delimiters.component), start=1):
            rule = rules.get(number, TEXT)
            if not each or rule == EMPTY:
                continue
            if rule in _NAME_PARTS and shared is not None:
                leaves.items.append({**shared, "name": rule})
                continue
            place = number if rule == DISPLAY else number + 1
            system = "".join(components[place : place + 1])
            if rule == "code" and is_day(each) and rules.get(2) not in (DISPLAY, TEXT):
                rule = _DAY  # codes beside no text have not eight digits
            self._component(each, rule, own, f"{name}.{number}", system)

    def _component(self, raw: str, rule: str, own: str, name: str, system: str) -> None:
        """Take a component out that is no part of a name; `system` is that of a code."""
        leaves = self.leaves
        if raw == '""' or rule == KEEP:
            leaves.keep_value(raw)
        elif rule == DATE:
            leaves.take_date(raw, name)
        elif rule == _DAY or (
            rule in ("code", DISPLAY) and is_moment(raw) and not (rule == "code" and is_day(raw))
        ):
            leaves.take_date(raw, name, sign=CODED)
        elif rule == DISPLAY:
            leaves.take_display(raw, system, name)
        elif rule == AUTHORITY:
            leaves.take_authority(raw, name)
        elif rule == FACILITY:
            leaves.take_facility(raw, name)
        elif rule == "code":
            if is_code(raw, bare=True) or (is_code(raw) and is_shared(system)):
                leaves.keep_value(raw)
            else:
                leaves.take(raw, "", name, sign=CODED)
        elif rule in FORMS and FORMS[rule](raw):
            leaves.keep_value(raw)
        else:
            if rule == "family" and leaves.take_family(raw, own, name):
                return
            kind = (
                own if rule in (OWN, "title", NAME_CODE, *_NAME_PARTS) else _KINDS.get(rule, rule)
            )
            leaves.take(raw, kind, name, sign=CODED if rule in FORMS else "")
