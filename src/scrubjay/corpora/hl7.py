"""HL7 v2: one document a message, of its free texts and its identifying fields.

Files hold messages one after another, with or without the frames of MLLP and the headers of
batches; segments end in CR, LF or both. All that no edit touches is written back character for
character. `text/hl7_fields.py` tells what the fields are, `_hl7_text.py` the escape sequences.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from scrubjay.corpora._ages import is_age
from scrubjay.corpora._displays import find_said, is_read
from scrubjay.corpora._hl7_leaves import AGE, AUTHORITY, CODED
from scrubjay.corpora._hl7_message import BEGIN, BOM, END, HEADERS, Message
from scrubjay.corpora._hl7_text import Delimiters, split_name
from scrubjay.corpora._parts import Part, join_parts, split_parts
from scrubjay.corpora._skeleton import is_date, require_unknown, skeleton_of, visible
from scrubjay.corpora.encodings import encode_text
from scrubjay.corpora.format import Create, Format, Marks, require_scalar_text
from scrubjay.corpora.metadata import PATIENT_KEY, SKELETON_KEY
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import AlteredTextError, FormatError
from scrubjay.known.parts import KNOWN_KEY, NO_PATIENT_KEY, REFUSED_KEY
from scrubjay.text.hl7_fields import DISPLAY, FACILITY

_STARTS = (*HEADERS, "BTS", "FTS")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


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
        message = Message(lines, unknown=unknown, source=source, place=place)
        leaves = message.leaves
        text, metadata = join_parts(leaves.parts)
        metadata[SKELETON_KEY] = leaves.skeleton()
        known = leaves.known()
        if known:
            metadata[KNOWN_KEY] = known
        if leaves.patient:
            metadata[PATIENT_KEY] = leaves.patient
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
        marked = peek is not None and peek(3)[:3] == BOM.encode()
    for number, line in enumerate(source.lines(encoding, newline="")):
        if number == 0 and marked:
            line = BOM + line
        kind = line.lstrip(BOM + BEGIN + END)[:3]
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
    elif lines and "".join(lines).strip(BOM + BEGIN + END + " \t\r\n"):
        raise FormatError("holds no message", path=source.name)


def _is_segment(line: str) -> bool:
    return bool(line.strip(BOM + BEGIN + END + " \t\r\n"))


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
    encode = found.encoder()
    return "".join(
        item if isinstance(item, str) else encode(_slot(item, texts[item["part"]]))
        for item in skeleton["items"]
    )


def _slot(item: Mapping[str, Any], text: str) -> str:
    """Return what of a part's new text stands in one slot."""
    if "shape" in item:
        family, given, middle = split_name(text, item["shape"])
        return {"family": family, "given": given, "middle": middle}[item["name"]]
    if _is_lost(item, text):
        return ""
    if "rest" in item:
        return text.replace("-", "") + (item["rest"] if len(text) == 10 else "")
    return text


def _is_lost(item: Mapping[str, Any], text: str) -> bool:
    """Tell whether a field is left empty, since its new text is no date, or no age, any more."""
    return ("rest" in item and not is_date(text)) or (AGE in item and not is_age(text))


def echo(document: Document) -> str:
    """Return the text that reading the message of a document back gives.

    Dates and ages that have become none, and what has become nothing, are not there any more.
    Raises `AlteredTextError` where any other text would be lost.
    """
    return _read_again(document, render_message(document))


def written(document: Document) -> str:
    """Return the message of a document as its file has it; raises as `echo` does."""
    message = render_message(document)
    _read_again(document, message)
    return message


def read_marked(
    source: Source, *, encoding: str = "utf-8", unknown: str = "fail"
) -> Iterator[tuple[str, Marks]]:
    """Yield each message as it stands in a file, for `written` to compare: it is read there."""
    for lines in _messages(source, encoding):
        yield "".join(lines), ()


def _read_again(document: Document, message: str) -> str:
    skeleton = skeleton_of(document, "hl7")
    texts = split_parts(document, skeleton["parts"])
    slots = [item for item in skeleton["items"] if isinstance(item, dict)]
    lost = {item["part"] for item in slots if _is_lost(item, texts[item["part"]])}
    left = [number for number in range(len(texts)) if number not in lost]
    facilities = {texts[item["part"]] for item in slots if FACILITY in item}
    coded = {item["part"] for item in slots if _may_stay(item, texts[item["part"]], facilities)}
    # A new name may stand in a display by chance, and a new facility be an authority.
    said = bool(find_said(skeleton.get("displays", ()), [Part("", text, "name") for text in texts]))
    said |= not facilities.isdisjoint(skeleton.get("authorities", ()))
    again = Message(
        _LINE.findall(message),
        unknown="text",
        source=Source(None, "", ""),
        place="",
        marks=skeleton["marks"],
    ).leaves
    text, _ = join_parts(again.parts)
    if not (skeleton["marks"] or coded or said):
        is_same = text == join_parts(visible([Part("", texts[number]) for number in left]))[0]
    else:
        # Which characters stand for escapes, and which codes and displays are kept, only reading
        # tells.
        marks = str.maketrans(dict.fromkeys((*skeleton["marks"], *again.delimiters.marks)))
        found = iter(_squeezed((part.text for part in again.parts), marks))
        expected = _squeezed((texts[number] for number in left if number not in coded), marks)
        is_same = all(text in found for text in expected)
    if not is_same:
        raise AlteredTextError("the message does not hold the texts that it should")
    return text


def _may_stay(item: Mapping[str, Any], text: str, facilities: Container[str]) -> bool:
    """Tell whether reading back may keep the new text of an item, so that it is no part.

    `facilities` are the new texts of those of the message.
    """
    if DISPLAY in item:
        return not is_read(text)
    if AUTHORITY in item and text:
        return text not in facilities
    return CODED in item


def _squeezed(texts: Iterable[str], marks: Mapping[int, Any]) -> list[str]:
    """Return the texts without marks and white space, and none of these alone."""
    squeezed = ("".join(text.translate(marks).split()) for text in texts)
    return [text for text in squeezed if text]


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
    echo=written,
    read_marked=read_marked,
)
