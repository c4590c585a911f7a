"""Standard input, of which the head may be looked at before it is read."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import BinaryIO

from scrubjay.corpora._mistaken import chained
from scrubjay.corpora._office import foreign_head
from scrubjay.corpora.columns import WELL_KNOWN
from scrubjay.errors import FormatError, InputError, unreadable

_CHUNK = 1 << 16
_MOST = 1 << 16
_BLANK = b"\xef\xbb\xbf\x0b\x1c \t\r\n"
_MESSAGE = re.compile(rb"(?:MSH|FHS|BHS)[^\w\s][^\w\s]{1,5}[^\w\s]")
_SEGMENT = re.compile(rb"(?:PID|PD1|NK1|EVN|PV1|ORC|OBR|OBX|NTE|SCH|TXA)\|[^\r\n|]{0,20}\|")
_JSON = re.compile(rb'\{\s*["}]|\[\s*[\[\]{"]')
_XML = re.compile(
    rb"<\?xml\s|<!DOCTYPE\s|<(?:deIdi2b2|NGRID_deId|MEDDOCAN|ClinicalDocument)\b", re.I
)
_RECORD = re.compile(rb"START_OF_RECORD=")
_LEAST = 20  # bytes of a head that tell of all but JSON and tables
_KNOWN_COLUMNS = 2  # names of columns in the first line that make it one of a table


class _Held:
    """A stream that can be read once, with what was read of its head."""

    def __init__(self, stream: BinaryIO) -> None:
        self.origin = stream
        self.head = b""
        self._ended = False
        self.stream: BinaryIO | None = None

    def look(self, until: Callable[[bytes], bool]) -> bytes:
        """Return the head, read on until that is enough of it, it is long, or the stream ends."""
        read = getattr(self.origin, "read1", self.origin.read)
        while not (self._ended or self.stream or len(self.head) >= _MOST or until(self.head)):
            try:
                more = read(_CHUNK)
            except OSError as error:
                raise unreadable("standard input", error) from None
            self._ended = not more
            self.head += more
        return self.head

    def open(self) -> BinaryIO:
        """Return a stream that gives the head, and then the rest; it can `peek`."""
        if self.stream is None:
            self.look(bool)
            self.stream = (
                io.BufferedReader(chained(self.head, self.origin), _CHUNK)
                if self.head
                else self.origin
            )
        return self.stream


_held: list[_Held] = []  # that of this process, once it was looked at


def _hold() -> _Held:
    if sys.stdin is None:  # it was closed
        raise InputError("is closed", path="standard input", hint="Name a file")
    stream = sys.stdin.buffer
    if not (_held and _held[0].origin is stream):
        _held[:] = [_Held(stream)]
    return _held[0]


def open_standard_input() -> BinaryIO:
    """Return standard input from its first byte on, although its head was looked at."""
    return _hold().open()


def head_of_standard_input() -> bytes:
    """Return what was looked at of standard input, b"" where nothing was."""
    return _held[0].head if _held else b""


def detect_standard_input(encoding: str | None) -> str:
    """Return the format of standard input: `hl7` and `fhir` are known by the head, others text.

    Waits for as many bytes as it takes to tell. Raises `FormatError` for what has the structure of
    another format: as one text, what its fields are about would be left to the model.
    """
    from scrubjay.corpora.registry import find_format

    head = _hold().look(_tells)
    if (foreign := foreign_head(head)) is not None:
        raise FormatError(
            f"is {foreign[0]}, which is not read", path="standard input", hint=foreign[1]
        )
    if encoding is not None:
        head = head.decode(encoding, "ignore").encode("utf-8", "ignore")
    begin = head.lstrip(_BLANK)
    if _MESSAGE.match(begin):
        return "hl7"
    if _JSON.match(begin) and find_format("fhir").recognise(begin):
        return "fhir"
    kind, names = _structure(begin)
    if kind:
        raise FormatError(
            f"begins like {kind}, and standard input is taken for one plain text",
            path="standard input",
            hint=f"Name its format with --format (convert: --from): {names}. With text all of it "
            "is read as one text, names of fields and marks too",
        )
    return "text"


def _tells(head: bytes) -> bool:
    """Tell whether the head of a stream is enough to tell its format."""
    begin = head.lstrip(_BLANK)
    if begin[:1] in (b"{", b"["):
        return b'"resourceType"' in begin[:-80]  # and what it is
    return len(begin) >= _LEAST and (b"\n" in begin or b"\r" in begin)


def _structure(begin: bytes) -> tuple[str, str]:
    """Return which kind of structured file begins so, and its formats; "" for a text."""
    if _JSON.match(begin):
        return "JSON", "jsonl, fhir, doccano or label-studio"
    if _XML.match(begin):
        return "XML", "i2b2, i2b2-2006 or meddocan-xml"
    if _SEGMENT.match(begin):
        return "an HL7 message that has lost its first segment", "hl7, behind that segment (MSH)"
    if _RECORD.match(begin):
        return "records of nursing notes", "nursing"
    if is_header(begin.splitlines()[0] if begin else b""):
        return "a table", "csv or tsv"
    return "", ""


def is_header(line: bytes) -> bool:
    """Tell whether a line holds names of columns: without a blank, two of them well known."""
    names = re.split(r"[,;|\t]", line.decode("utf-8", "replace").strip().replace('"', "").lower())
    return len(set(names) & WELL_KNOWN) >= _KNOWN_COLUMNS and not any(" " in n for n in names)
