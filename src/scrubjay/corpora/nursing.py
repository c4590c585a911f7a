"""The nursing notes of PhysioNet's deid: records between markers, and a phrase file beside them.

    START_OF_RECORD=17||||3||||
    ... text ...
    ||||END_OF_RECORD

The line end before the end marker belongs to the marker. `notes-phi.phrase` beside `notes.text`
has a line `patient note start end type phrase` for each span; its offsets count from the first
character of the text. Source: https://physionet.org/content/deid/1.1 (Neamatullah et al. 2008).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from scrubjay.corpora.encodings import encode_text
from scrubjay.corpora.format import Create, Format, make_span, require_same_text
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, LabelError

PATIENT_KEY = "nursing.patient"
NOTE_KEY = "nursing.note"

_PHRASES = "-phi.phrase"
_OPEN = "START_OF_RECORD="
_CLOSE = "||||END_OF_RECORD"
_HEADER = re.compile(rf"{_OPEN}([^|\s]+)\|\|\|\|([^|\s]*)\|\|\|\|[ \t]*(\r?\n)?")
_NAME = re.compile(r"[^|\s]+")

Phrases = dict[tuple[str, str], list[tuple[int, str]]]


def read(
    source: Source, *, encoding: str = "utf-8", phrases: str | Path | None = None
) -> Iterator[Document]:
    """Yield the document of each record, named `patient-note`.

    `phrases` is the phrase file; by default it is looked for beside the notes, and without one
    the documents have no spans. Raises `FormatError` for a record that does not end, a phrase
    that is not the text at its offsets, and phrases of records that are not there.
    """
    phrase_source = _phrase_source(source, phrases)
    spans = _read_phrases(phrase_source, encoding) if phrase_source else {}
    for patient, note, text in _records(source, encoding):
        found = spans.pop((patient, note), [])
        yield Document(
            f"{patient}-{note}" if note else patient,
            text,
            tuple(_span(fields, line, text, phrase_source or source) for line, fields in found),
            {PATIENT_KEY: patient, NOTE_KEY: note},
        )
    for (patient, note), left in spans.items():
        raise FormatError(
            f"there is no record of patient {patient}, note {note}",
            path=phrase_source.name if phrase_source else None,
            place=f"line {left[0][0]}",
        )


def _phrase_source(source: Source, phrases: str | Path | None) -> Source | None:
    if phrases is not None:
        return Source(Path(phrases), str(phrases), source.stem)
    if source.path is None:
        return None
    beside = source.sibling(_PHRASES)
    return beside if beside.exists() else None


def _records(source: Source, encoding: str) -> Iterator[tuple[str, str, str]]:
    header: re.Match[str] | None = None
    opened = 0
    lines: list[str] = []
    for number, line in enumerate(source.lines(encoding, newline="\n"), start=1):
        if header is None:
            if not line.strip():
                continue
            header = _HEADER.fullmatch(line)
            if header is None:
                raise FormatError(
                    f"expected {_OPEN}patient||||note||||", path=source.name, place=f"line {number}"
                )
            opened, lines = number, []
            continue
        body = line.rstrip("\r\n")
        if line.startswith(_OPEN):
            break
        if not body.endswith(_CLOSE):
            lines.append(line)
            continue
        if body == _CLOSE and lines:
            lines[-1] = lines[-1].removesuffix(header[3] or "\n")
        yield header[1], header[2], "".join(lines) + body.removesuffix(_CLOSE)
        header = None
    if header is not None:
        raise FormatError(f"the record has no {_CLOSE}", path=source.name, place=f"line {opened}")


def _read_phrases(source: Source, encoding: str) -> Phrases:
    phrases: Phrases = defaultdict(list)
    for number, line in enumerate(source.lines(encoding, newline="\n"), start=1):
        fields = line.rstrip("\r\n").split(" ", 4)
        if not line.strip():
            continue
        if len(fields) < 5 or not (fields[2].isdecimal() and fields[3].isdecimal()):
            raise FormatError(
                "expected `patient note start end type phrase`",
                path=source.name,
                place=f"line {number}",
            )
        phrases[fields[0], fields[1]].append((number, " ".join(fields[2:])))
    return dict(phrases)


def _span(fields: str, line: int, text: str, source: Source) -> Span:
    start, end, label, *phrase = fields.split(" ", 3)
    place = f"line {line}"
    span = make_span(int(start), int(end), label, size=len(text), source=source, place=place)
    if phrase:
        found = text[span.start : span.end]
        require_same_text(phrase[0], found, source=source, place=place, span=span)
    return span


class _Encoder:
    def __init__(self, create: Create, encoding: str) -> None:
        self._notes = create("")
        self._phrases = create("-phi.phrase")
        self._encoding = encoding

    def add(self, document: Document) -> None:
        patient, note = _names(document)
        _require_no_marker(document)
        lines = []
        for span in document.spans:
            if not re.fullmatch(r"\S+", span.label):
                raise LabelError(
                    f"document {document.id!r}: the label {span.label!r} has white space"
                )
            phrase = re.sub(r"[\r\n]", " ", document.text[span.start : span.end])
            lines.append(f"{patient} {note} {span.start} {span.end} {span.label} {phrase}\n")
        record = f"{_OPEN}{patient}||||{note}||||\n{document.text}\n{_CLOSE}\n\n"
        notes, phrases = (
            encode_text(text, self._encoding, document_id=document.id)
            for text in (record, "".join(lines))
        )
        self._notes.write(notes)
        self._phrases.write(phrases)

    def finish(self) -> None:
        pass


def _names(document: Document) -> tuple[str, str]:
    """Return patient and note: those it came with, or the parts of the id about its last `-`."""
    came = str(document.metadata.get(PATIENT_KEY, "")), str(document.metadata.get(NOTE_KEY, ""))
    if came[0] and "-".join(filter(None, came)) == document.id:
        return came
    patient, dash, note = document.id.rpartition("-")
    names = (patient, note) if dash and patient and note else (document.id, "")
    if not all(_NAME.fullmatch(name) for name in (names[0], names[1] or "-")):
        raise FormatError(
            f"document {document.id!r}: white space and `|` cannot stand in a record's name",
            hint="Give the documents other ids",
        )
    return names


def _require_no_marker(document: Document) -> None:
    found = re.search(rf"{re.escape(_CLOSE)}\r*$|^{_OPEN}", document.text, re.MULTILINE)
    if found:
        raise FormatError(
            f"document {document.id!r}: a line of the text looks like a marker of the format",
            place=f"offset {found.start()}",
            hint="Write another format, jsonl for example",
        )


def start(create: Create, *, encoding: str = "utf-8") -> _Encoder:
    """Open a container of two files, `.text` and `-phi.phrase`."""
    return _Encoder(create, encoding)


def _recognise(head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(_OPEN.encode())


FORMAT = Format(
    name="nursing",
    suffixes=(".text", ".txt"),
    read=read,
    start=start,
    recognise=_recognise,
    beside=(_PHRASES,),
)
