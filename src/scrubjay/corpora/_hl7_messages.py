"""Files of HL7 v2: messages told apart, each in the character set that its MSH-18 names.

The names are those of HL7 table 0211. All character sets that are read hold ASCII as it is, so that
messages are told apart, and their headers read, before their encoding is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from scrubjay.corpora.source import Source
from scrubjay.errors import FormatError

HEADERS = ("MSH", "FHS", "BHS")
MARKS = "\ufeff\x0b\x1c"
"""What may stand before a segment: a byte order mark, and the frames of MLLP."""

DEFAULT = "utf-8"
"""The encoding of a message that names none: its standard says ASCII, which is part of it."""

_STARTS = (*HEADERS, "BTS", "FTS")
_BOM = "\ufeff"
_BOM_BYTES = _BOM.encode().decode("latin-1")
_ASCII = "ascii"
_PLAIN = {"ASCII": _ASCII, "ISO IR6": _ASCII, "UNICODE UTF-8": DEFAULT, "UTF-8": DEFAULT}
_PARTS = (*range(1, 12), 13, 14, 15, 16)
_LATIN = {f"8859/{part}": f"iso8859-{part}" for part in _PARTS} | {
    f"ISO-8859-{part}": f"iso8859-{part}" for part in _PARTS
}
_KNOWN = _PLAIN | _LATIN

# Only what the table lists is shown: another value may be anything, of a header that is shifted.
_LISTED = ("ISO IR14", "ISO IR87", "ISO IR159", "GB 18030-2000", "KS X 1001", "CNS 11643-1992",
           "BIG-5", "UNICODE", "UNICODE UTF-16", "UNICODE UTF-32")  # fmt: skip


def read_messages(source: Source, encoding: str | None) -> Iterator[tuple[str, list[str]]]:
    """Yield the encoding of each message and its lines with their ends; a frame belongs to it.

    `encoding` is that of all of them, None that each is decoded as it declares, by default as
    UTF-8, and all as UTF-8 after a byte order mark. Raises `FormatError` for a file that does not
    begin with a header and for a character set that is not known, `EncodingError` by byte.
    """
    yield from _decoded(source) if encoding is None else _read_in(source, encoding)


def _read_in(source: Source, encoding: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each message of a file in one encoding, and this."""
    with source.open() as stream:
        peek = getattr(stream, "peek", None)
        marked = peek is not None and peek(3)[:3] == _BOM.encode()
    lines = source.lines(encoding, newline="")
    whole = chain([_BOM + next(lines, "")], lines) if marked else lines
    yield from ((encoding, message) for message in _split(source, whole))


def _decoded(source: Source) -> Iterator[tuple[str, list[str]]]:
    """Yield each message in its own encoding, and this; raises `EncodingError` by byte."""
    offset, marked = 0, False
    # A byte is a character here, so that messages are told apart before they are decoded.
    bytewise = source.lines("latin-1", newline="")
    for number, message in enumerate(_split(source, bytewise), start=1):
        marked = marked or any(line.startswith(_BOM_BYTES) for line in message)
        place = f"message {number}"
        used = DEFAULT if marked else _declared_encoding(message, source=source, place=place)
        lines = []
        for line in message:
            try:
                lines.append(line.encode("latin-1").decode(used))
            except UnicodeDecodeError as error:
                raise source.encoding_error(used, offset + error.start) from None
            offset += len(line)
        yield used, lines


def _split(source: Source, whole: Iterable[str]) -> Iterator[list[str]]:
    """Yield the lines of each message with their ends; a frame belongs to its message."""
    lines: list[str] = []
    for line in whole:
        starts = _bare(line)[:3] in _STARTS
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


def _is_segment(line: str) -> bool:
    return bool(_bare(line).strip(MARKS + " \t\r\n"))


def _bare(line: str) -> str:
    """Return a line without what may stand before a segment."""
    return line.removeprefix(_BOM_BYTES).lstrip(MARKS)


def _declared_encoding(lines: Iterable[str], *, source: Source, place: str) -> str:
    """Return the encoding that the MSH among the lines of a message declares, or `DEFAULT`.

    The lines may be those of any encoding that holds ASCII as it is. Raises `FormatError` for a
    character set that is not known, and for several.
    """
    headers = (bare for line in lines if (bare := _bare(line))[:3] == "MSH" and len(bare) > 5)
    header = next(headers, "")
    fields = header.rstrip("\r\n").split(header[3]) if header else []
    stated = fields[17] if len(fields) > 17 else ""
    repetition = fields[1][1:2] if len(fields) > 1 else ""
    names = [re.sub(r"\s+", " ", each.strip()).upper()
             for each in (stated.split(repetition) if repetition else [stated])]  # fmt: skip
    names = [name for name in names if name not in ("", '""')]
    if strange := [name for name in names if name not in _KNOWN]:
        shown = f" {strange[0]!r}" if strange[0] in _LISTED else ""
        raise _fault(f"a character set{shown} that is not known", source, place)
    found = dict.fromkeys(_KNOWN[name] for name in names)
    if len(found) > 1:
        found.pop(_ASCII, None)
    if len(found) > 1:
        raise _fault("several character sets", source, place)
    return next(iter(found), DEFAULT)


def _fault(what: str, source: Source, place: str) -> FormatError:
    return FormatError(
        f"MSH-18 names {what}",
        path=source.name,
        place=place,
        hint="Give the encoding of the file by its name in Python: --encoding gb18030, for "
        "example. Read without are ASCII, UNICODE UTF-8 and 8859/1 to 8859/16",
    )
