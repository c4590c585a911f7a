"""HL7 v2: one document a message, of its free texts and its identifying fields.

Files hold messages one after another, with or without the frames of MLLP and the headers of
batches; segments end in CR, LF or both. All that no edit touches is written back character for
character. What the fields are is told by `_hl7_table.py`, the escape sequences by `_hl7_text.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from scrubjay.corpora._hl7_table import EMPTY, KEEP, OWN, SEGMENTS, TEXT, TYPES, VALUE, VALUES
from scrubjay.corpora._hl7_text import (
    Delimiters,
    name_shape,
    read_delimiters,
    render_name,
    split_name,
)
from scrubjay.corpora._parts import PATIENT_KEY, Part, join_parts, split_parts
from scrubjay.corpora._skeleton import (
    SKELETON_KEY,
    is_date,
    require_unknown,
    skeleton_of,
    visible,
)
from scrubjay.corpora.format import Create, Format, require_scalar_text
from scrubjay.corpora.source import Source, encode_text
from scrubjay.document import Document
from scrubjay.errors import FormatError
from scrubjay.known.identifiers import VALUE_KINDS, KnownName, KnownValue, PatientIdentifiers
from scrubjay.known.parts import KNOWN_KEY, NO_PATIENT_KEY, REFUSED_KEY

_HEADERS = ("MSH", "FHS", "BHS")
_STARTS = (*_HEADERS, "BTS", "FTS")
_ABOUT_PATIENT = ("PID", "NK1", "MRG", "IN1", "GT1")
_NAME = {"family", "given", "middle"}
_BEGIN, _END = "\x0b", "\x1c"
_BOM = "\ufeff"
_DATE = re.compile(r"([0-9]{4})([0-9]{2})?([0-9]{2})?([0-9]{2,6}(?:\.[0-9]+)?)?([+-][0-9]{4})?")
_NUMBER = re.compile(r"[0-9.,+<>=:/^ eE-]*")
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")


def read(source: Source, *, encoding: str = "utf-8", unknown: str = "fail") -> Iterator[Document]:
    """Yield the document of each message, and one without text of each header of a batch.

    Ids are the name of the file and the number of the message. `unknown` says what becomes of
    segments that no table knows, and of OBX with files in them: the message fails (`fail`), they
    are left out (`drop`), or read as free text (`text`). The metadata tell the patient (the first
    id of PID-3), and what the message tells of the patient. Raises `FormatError` for a file that
    does not begin with a header, and for broken delimiters, by message.
    """
    require_unknown(unknown)
    for number, lines in enumerate(_messages(source, encoding), start=1):
        place = f"message {number}"
        require_scalar_text("".join(lines), path=source.name, place=place)
        message = _Message(lines, unknown=unknown, source=source, place=place)
        text, metadata = join_parts(message.parts)
        metadata[SKELETON_KEY] = message.skeleton()
        known = message.known()
        if known:
            metadata[KNOWN_KEY] = known
        if message.patient:
            metadata[PATIENT_KEY] = message.patient
        elif message.kind != "MSH":
            metadata[NO_PATIENT_KEY] = True
        if message.refused:
            metadata[REFUSED_KEY] = message.refused
        yield Document(f"{source.stem}-{number}", text, (), metadata)


def _messages(source: Source, encoding: str) -> Iterator[list[str]]:
    """Yield the lines of each message with their ends; a frame belongs to its message."""
    lines: list[str] = []
    with source.open() as stream:
        peek = getattr(stream, "peek", None)
        marked = peek is not None and peek(3)[:3] == _BOM.encode()
    for number, line in enumerate(source.lines(encoding, newline="")):
        if number == 0 and marked:
            line = _BOM + line
        kind = line.lstrip(_BOM + _BEGIN + _END)[:3]
        starts = kind in _STARTS
        if starts and any(_is_segment(each) for each in lines):
            yield lines
            lines = []
        if not starts and _is_segment(line) and not any(map(_is_segment, lines)):
            raise FormatError(
                "does not begin with a header",
                path=source.name,
                hint="An HL7 message begins with MSH. Name the format with --format if it is none",
            )
        lines.append(line)
    if any(map(_is_segment, lines)):
        yield lines
    elif lines and "".join(lines).strip(_BOM + _BEGIN + _END + " \t\r\n"):
        raise FormatError("holds no message", path=source.name)


def _is_segment(line: str) -> bool:
    return bool(line.strip(_BOM + _BEGIN + _END + " \t\r\n"))


@dataclass(slots=True, repr=False)
class _Message:
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

    def __post_init__(self) -> None:
        self.taken = frozenset(
            char for line in self.lines for char in line if "\ue000" <= char <= "\uf8ff"
        )
        for line in self.lines:
            self._line(line)

    def skeleton(self) -> dict[str, Any]:
        """Return what a writer needs beside the texts, in plain values."""
        found = self.delimiters
        return {
            "items": self.items,
            "parts": len(self.parts),
            "delimiters": [found.separator, found.component, found.repetition, found.escape,
                           found.subcomponent],
            "marks": dict(found.marks),
        }  # fmt: skip

    def known(self) -> PatientIdentifiers:
        """Return what the message tells of its patient."""
        known = PatientIdentifiers(tuple(self.names), tuple(self.values), tuple(self.births))
        return PatientIdentifiers().joined(known)

    def _line(self, line: str) -> None:
        body = line.rstrip("\r\n")
        end = line[len(body) :]
        inner = body.lstrip(_BOM + _BEGIN + _END)
        self._keep(body[: len(body) - len(inner)])
        name = inner[:3]
        if not inner.strip():
            self._keep(inner + end)
            return
        if name in _HEADERS:
            found = read_delimiters(inner)
            if found is None:
                raise FormatError(
                    f"the segment {name} declares no delimiters that could be used",
                    path=self.source.name,
                    place=self.place,
                )
            self.delimiters = found
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
        shift = 1 if name in _HEADERS else 0
        self._keep(fields[0])
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
            self._field(raw, rule, f"{name}-{number}")

    def _field(self, raw: str, rule: str, name: str) -> None:
        if rule == EMPTY:
            return
        if rule == "number":
            rule = KEEP if _NUMBER.fullmatch(raw) else TEXT
        if rule == KEEP or raw in ("", '""'):
            self._keep(raw)
        elif rule == TEXT:
            self._leaves(raw, "", name)
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
            elif kind == "date":
                self._date(each, name)
            else:
                self._leaves(each, kind, name)

    def _components(self, raw: str, rules: Mapping[int, str], own: str, name: str) -> None:
        separator = self.delimiters.component
        components = raw.split(separator) if separator else [raw]
        places = {rules.get(number): number for number in range(1, len(components) + 1)}
        wanted = [places.get(part) for part in ("family", "given", "middle")]
        found = [components[number - 1] if number else "" for number in wanted]
        whole = None
        sub = self.delimiters.subcomponent
        if any(found) and not (sub and any(sub in each for each in found)):
            whole = self._name(*map(self._decode, found), kind=own, name=name)
        for number, each in enumerate(components, start=1):
            if number > 1:
                self._keep(separator)
            rule = rules.get(number, TEXT)
            label = f"{name}.{number}"
            if rule in _NAME and whole is not None and each:
                self.items.append({**whole, "name": rule})
            elif rule in (KEEP, EMPTY) or each in ("", '""'):
                self._keep("" if rule == EMPTY else each)
            elif rule == "date":
                self._date(each, label)
            else:
                kind = own if rule == OWN or rule in _NAME else "" if rule == TEXT else rule
                self._leaves(each, kind, label)

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

    def _leaves(self, raw: str, kind: str, name: str) -> None:
        """Take a field without further structure in pieces at whatever delimits it."""
        delimiters = [self.delimiters.component, self.delimiters.subcomponent]
        pattern = "|".join(re.escape(each) for each in delimiters if each)
        for number, piece in enumerate(re.split(f"({pattern})", raw) if pattern else [raw]):
            text = self._decode(piece) if number % 2 == 0 else ""
            if number % 2 or not text:
                self._keep(piece)
                continue
            self.items.append({"part": len(self.parts)})
            self.parts.append(Part(name, text, kind))
            self._note(kind, text, name)

    def _note(self, kind: str, text: str, name: str) -> None:
        """Keep in mind what a field tells of the patient."""
        if kind in VALUE_KINDS and name[:3] in _ABOUT_PATIENT and text.strip():
            self.values.append(KnownValue(kind, text))
        if kind == "mrn" and not self.patient and name.startswith(("PID-3", "PID-2")):
            self.patient = text.strip()

    def _date(self, raw: str, name: str) -> None:
        """Take a date out in the form of ISO 8601, of which surrogates know the order."""
        found = _DATE.fullmatch(raw)
        text = "-".join(part for part in found.groups()[:3] if part) if found else ""
        if found is None or not is_date(text) or (found[4] and not found[3]):
            self._leaves(raw, "date", name)
            return
        self.items.append({"part": len(self.parts), "rest": (found[4] or "") + (found[5] or "")})
        self.parts.append(Part(name, text, "date"))
        if name == "PID-7" and found[3]:
            self.births.append(date.fromisoformat(text))

    def _decode(self, raw: str) -> str:
        return self.delimiters.decode(raw, self.taken)

    def _keep(self, text: str) -> None:
        if text and self.items and isinstance(self.items[-1], str):
            self.items[-1] += text
        elif text:
            self.items.append(text)


class _Encoder:
    def __init__(self, create: Create, encoding: str) -> None:
        self._file = create("")
        self._encoding = encoding

    def add(self, document: Document) -> None:
        """Append a message, its texts in their places again."""
        message = render_message(document)
        self._file.write(encode_text(message, self._encoding, document_id=document.id))

    def finish(self) -> None:
        """Do nothing: the messages are all there is."""


def render_message(document: Document) -> str:
    """Return the message of a document; raises as `skeleton_of` and `split_parts` do."""
    skeleton = skeleton_of(document, "hl7")
    texts = split_parts(document, skeleton["parts"])
    found = Delimiters(*skeleton["delimiters"])
    found.marks.update(skeleton["marks"])
    return "".join(
        item if isinstance(item, str) else found.encode(_slot(item, texts[item["part"]]))
        for item in skeleton["items"]
    )


def _slot(item: Mapping[str, Any], text: str) -> str:
    """Return what of a part's new text stands in one slot."""
    if "shape" in item:
        family, given, middle = split_name(text, item["shape"])
        return {"family": family, "given": given, "middle": middle}[item["name"]]
    if "rest" in item:
        if not is_date(text):
            return ""
        return text.replace("-", "") + (item["rest"] if len(text) == 10 else "")
    return text


def echo(document: Document) -> str:
    """Return the text that reading the message of a document back gives.

    Dates that have become no dates, and what has become nothing, are not there any more.
    """
    skeleton = skeleton_of(document, "hl7")
    texts = split_parts(document, skeleton["parts"])
    marks = dict.fromkeys(skeleton["marks"], "")
    dates = {
        item["part"] for item in skeleton["items"] if isinstance(item, dict) and "rest" in item
    }
    left = [Part("", text) for number, text in enumerate(texts)
            if number not in dates or is_date(text)]  # fmt: skip
    text, _ = join_parts(visible(left))
    if not marks:
        return text
    # Marks are numbered by their first appearance, and an edit may have taken one away.
    codes = iter(sorted(marks))
    for char in text:
        if marks.get(char) == "":
            marks[char] = next(codes)
    return text.translate({ord(old): new for old, new in marks.items() if new})


def start(create: Create, *, encoding: str = "utf-8") -> _Encoder:
    """Open a file for messages that were read as HL7."""
    return _Encoder(create, encoding)


FORMAT = Format(
    name="hl7",
    suffixes=(".hl7", ".er7"),
    read=read,
    start=start,
    recognise=lambda head: head.lstrip(b"\xef\xbb\xbf\x0b \r\n")[:3] in (b"MSH", b"FHS", b"BHS"),
    holds_spans=False,
    is_bound=True,
    echo=echo,
)
