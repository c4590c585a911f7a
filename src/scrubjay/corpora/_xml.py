"""What the XML formats share: safe parsing, exact text on writing, standoff tags.

XML parsers turn `\\r\\n` and `\\r` into `\\n`; the offsets of the shared tasks count the text
after that. A carriage return that belongs to a text is therefore written as `&#13;`, outside
of CDATA, and comes back exactly.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from lxml import etree

from scrubjay.corpora.encodings import require_encoding
from scrubjay.corpora.format import make_span, require_same_text
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, InputError, require_choice

TEXT_CHECKS = ("error", "ignore")
TAGS_KEY = "xml.tags"
ROOT_KEY = "xml.root"

SAFE: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "remove_comments": True,
    "remove_pis": True,
    # Without it libxml2 refuses texts beyond 10 MB; own entities are refused before parsing.
    "huge_tree": True,
}

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PROLOG = re.compile(r"\ufeff?(?:\s++|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
# What is quoted in a document type may hold ">", which does not end it there.
_DOCTYPE = re.compile(r"""<!DOCTYPE(?:[^>\["']|"[^"]*+"|'[^']*+')*+([>\[])\s*+""")
_ELEMENT = re.compile(r"<([^\W\d][\w.-]*)")
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z][\w.-]*)")
_NAME = re.compile(r"[^\W\d][\w.-]*")
_OWN_ATTRIBUTES = ("element", "id", "start", "end", "text")
_NUMBER = re.compile(r"\d+$")
_BARE = "Where a text has a bare & or <, write &amp; or &lt; there"
_MENDED = {
    "ERR_ENTITYREF_SEMICOL_MISSING": _BARE,
    "ERR_NAME_REQUIRED": _BARE,
    "ERR_UNDECLARED_ENTITY": "XML knows no entities of HTML: write the character itself",
    "ERR_INVALID_CHAR": "XML cannot hold control characters: take this one out",
    "ERR_INVALID_CHARREF": "XML cannot hold control characters: take this one out",
}


@dataclass(frozen=True, slots=True)
class StandoffStyle:
    """How one of the two standoff formats lays out its file.

    A root other than the first of `roots` is kept in the metadata under "xml.root".
    """

    roots: tuple[str, ...]
    declaration: str
    text_indent: str
    tag_indent: str
    tag_close: str
    id_prefix: str
    first_id: int


def root_name(head: bytes) -> str | None:
    """Return the name of the root element from the first bytes of a file, None if unclear."""
    return _root_name(_decode_head(head, ""))


def _root_name(text: str) -> str | None:
    found = _ELEMENT.match(*_after_prolog(text))
    return found.group(1) if found else None


def require_root(
    head: bytes, roots: tuple[str, ...], source: Source, *, encoding: str | None = None
) -> None:
    """Raise `FormatError` unless a file begins as XML with such a root and without entities.

    `encoding` overrules what the file declares.
    """
    text = _decode_head(head, encoding or _require_known(head, source))
    doctype = _DOCTYPE.match(*_prolog_end(text))
    if doctype and doctype.group(1) == "[":
        raise FormatError(
            "the document type declares its own entities, which is refused",
            path=source.name,
            place="line 1",
            hint="Remove the part in square brackets from the DOCTYPE",
        )
    if _root_name(text) not in roots:
        names = " or ".join(f"<{root}>" for root in roots)
        raise FormatError(f"not a {names} file", path=source.name, place="line 1")


def _prolog_end(text: str) -> tuple[str, int]:
    found = _PROLOG.match(text)
    return text, found.end() if found else 0


def _after_prolog(text: str) -> tuple[str, int]:
    _, position = _prolog_end(text)
    doctype = _DOCTYPE.match(text, position)
    if doctype is None or doctype.group(1) == "[":
        return text, position
    rest = _PROLOG.match(text, doctype.end())
    return text, rest.end() if rest else doctype.end()


def _require_known(head: bytes, source: Source) -> str:
    """Return the encoding that a file declares, or raise `FormatError` for one of libxml2 alone.

    In such a one ("JAVA") it would read another text than the one that is looked at here.
    """
    encoding = declared_encoding(head)
    try:
        return require_encoding(encoding)
    except ConfigError:
        raise FormatError(
            "declares an encoding that is not known",
            path=source.name,
            place="line 1",
            hint="Correct what it declares, or name its encoding: --encoding utf-8",
        ) from None


def _decode_head(head: bytes, encoding: str) -> str:
    """Return the beginning of a file as text, in an encoding, or one in which tags are ASCII."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head.decode("utf-16", errors="replace")
    if head[:4] == b"<\0?\0":
        return head.decode("utf-16-le", errors="replace")
    if head[:4] == b"\0<\0?":
        return head.decode("utf-16-be", errors="replace")
    if head.startswith(codecs.BOM_UTF8):  # it overrules what is declared
        return head.decode("utf-8-sig", errors="replace")
    # UTF-7 and others write tags in signs of ASCII that are none. Some codecs know no "replace".
    try:
        return head.decode(encoding or "latin-1", errors="replace")
    except UnicodeError:
        return ""


def parse_file(source: Source, roots: tuple[str, ...], encoding: str | None) -> Any:
    """Return the root element; raises `FormatError` by line, `EncodingError` by byte.

    `encoding` overrules what the file declares.
    """
    # libxml2 knows few of Python's names of encodings, so a stated one is decoded here.
    data = source.read_text(encoding).encode() if encoding else source.read_bytes()
    if not encoding:
        source.require_declared(declared_encoding(data), data)
    require_root(data[: 1 << 16], roots, source, encoding="utf-8" if encoding else None)
    parser = etree.XMLParser(encoding="utf-8" if encoding else None, **SAFE)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise syntax_error(source, error, encoding or declared_encoding(data)) from None


def declared_encoding(head: bytes) -> str:
    """Return the encoding that a file declares, utf-8 where it declares none."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    found = _DECLARED.match(head.removeprefix(codecs.BOM_UTF8))
    return found.group(1).decode("ascii") if found else "utf-8"


def syntax_error(source: Source, error: etree.XMLSyntaxError, encoding: str) -> InputError:
    """Return the error to raise for malformed XML: file, line, and libxml2's name of the fault.

    libxml2's own message may quote the file, so it is not passed on.
    """
    offset = source.find_undecodable(require_encoding(encoding))
    if offset is not None:
        return source.encoding_error(encoding, offset)
    line, column = error.position
    fault = etree.ErrorTypes._getName(getattr(error, "code", 0), "ERR_UNKNOWN")
    logged: Any = error.error_log
    if not line and logged:  # lxml tells of a stream no more than that it has no elements
        line, column, fault = logged[-1].line, logged[-1].column, logged[-1].type_name
    return FormatError(
        f"malformed XML ({fault})",
        path=source.name,
        place=f"line {line}, column {column}",
        hint=_MENDED.get(fault, ""),
    )


def plain_text(element: Any, source: Source) -> str:
    """Return the text of an element that must not have child elements."""
    if len(element):
        raise FormatError(
            f"<{element.tag}> must hold text alone, not elements",
            path=source.name,
            place=f"line {element.sourceline}",
        )
    return str(element.text or "")


def require_xml_text(text: str, *, document_id: str) -> str:
    """Return the text, or raise `FormatError` for a character that XML 1.0 cannot hold."""
    found = _ILLEGAL.search(text)
    if found:
        raise FormatError(
            f"document {document_id!r}: XML cannot hold U+{ord(found.group()):04X}",
            place=f"offset {found.start()}",
            hint="Write another format, jsonl for example",
        )
    return text


def escape_text(text: str) -> str:
    """Return the text as it stands between tags."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")


def escape_attribute(text: str) -> str:
    """Return the text as it stands in a double-quoted attribute, its line ends kept."""
    text = escape_text(text).replace('"', "&quot;")
    return text.replace("\n", "&#10;").replace("\t", "&#9;")


def cdata(text: str) -> str:
    """Return the text as CDATA, cut where `]]>` or a carriage return stands."""
    body = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{body}]]>"


def read_standoff(
    source: Source,
    style: StandoffStyle,
    category: Callable[[str], str],
    *,
    encoding: str | None,
    text_check: str,
) -> Iterator[Document]:
    """Yield the one document of a file with <TEXT> and <TAGS>.

    A tag's label is its TYPE, or its element's name where it has none. Where the tags say more
    than spans can (ids in another order, comments, further attributes), they are kept in the
    metadata under "xml.tags".
    """
    require_choice("text_check", text_check, TEXT_CHECKS)
    tree = parse_file(source, style.roots, encoding)
    element = tree.find("TEXT")
    if element is None:
        raise FormatError("there is no <TEXT>", path=source.name)
    text = plain_text(element, source)
    spans: list[Span] = []
    tags: list[dict[str, Any]] = []
    for tag in tree.iterfind("TAGS/*"):
        place = f"line {tag.sourceline}, tag {len(tags) + 1}"
        span = _tag_span(tag, size=len(text), source=source, place=place)
        stated = tag.get("text")
        if text_check == "error" and stated is not None:
            found = text[span.start : span.end]
            require_same_text(stated, found, source=source, place=place, span=span)
        spans.append(span)
        kept = {key: value for key, value in tag.attrib.items() if key != "text"}
        tags.append(kept | {"element": tag.tag, "start": span.start, "end": span.end})
    document = Document(source.stem, text, tuple(spans))
    numbered = enumerate(document.spans, start=style.first_id)
    plain = [_plain_tag(span, number, style, category) for number, span in numbered]
    kept_tags = {} if tags == plain else {TAGS_KEY: tags}
    kept_root = {} if tree.tag == style.roots[0] else {ROOT_KEY: tree.tag}
    yield replace(document, metadata=kept_tags | kept_root)


def _plain_tag(
    span: Span, number: int, style: StandoffStyle, category: Callable[[str], str]
) -> dict[str, Any]:
    """Return the tag that is written for a span without any metadata."""
    names = {"id": f"{style.id_prefix}{number}", "TYPE": span.label, "comment": ""}
    return names | {"element": category(span.label), "start": span.start, "end": span.end}


def _tag_span(tag: Any, *, size: int, source: Source, place: str) -> Span:
    try:
        start, end = int(tag.get("start")), int(tag.get("end"))
    except (TypeError, ValueError):
        raise FormatError(
            "a tag needs whole numbers as start and end", path=source.name, place=place
        ) from None
    return make_span(start, end, tag.get("TYPE") or tag.tag, size=size, source=source, place=place)


def encode_standoff(
    document: Document, style: StandoffStyle, category: Callable[[str], str]
) -> bytes:
    """Return the file of a document: CDATA text, and tags with the attributes they came with."""
    require_xml_text(document.text, document_id=document.id)
    stated = document.metadata.get(ROOT_KEY)
    root = stated if stated in style.roots else style.roots[0]
    lines = [
        style.declaration,
        f"<{root}>",
        f"{style.text_indent}<TEXT>{cdata(document.text)}</TEXT>",
        f"{style.text_indent}<TAGS>",
    ]
    for tag in _tags(document, style, category):
        element = tag.pop("element")
        pairs = " ".join(f'{key}="{escape_attribute(value)}"' for key, value in tag.items())
        lines.append(f"{style.tag_indent}<{element} {pairs}{style.tag_close}")
    lines += [f"{style.text_indent}</TAGS>", f"</{root}>", ""]
    return "\n".join(lines).encode("utf-8")


def _tags(
    document: Document, style: StandoffStyle, category: Callable[[str], str]
) -> Iterator[dict[str, str]]:
    """Yield the known tags that still have their span, in their order, then the new ones."""
    left = Counter((span.start, span.end, span.label) for span in document.spans)
    highest = style.first_id - 1
    for tag in filter(_is_tag, document.metadata.get(TAGS_KEY) or ()):
        key = (tag["start"], tag["end"], tag.get("TYPE") or tag["element"])
        if left[key] <= 0:
            continue
        left[key] -= 1
        number = _NUMBER.search(tag.get("id", ""))
        highest = max(highest, int(number.group()) if number else highest)
        extra = {name: tag[name] for name in tag if name not in _OWN_ATTRIBUTES}
        yield _attributes(document, key, tag["element"], tag.get("id", ""), extra)
    for start, end, label in sorted(left.elements()):
        highest += 1
        require_xml_text(label, document_id=document.id)
        extra = {"TYPE": label, "comment": ""}
        name = f"{style.id_prefix}{highest}"
        yield _attributes(document, (start, end, label), category(label), name, extra)


def _is_tag(tag: Any) -> bool:
    """Tell whether an entry of the metadata, which may come from a JSON file, is a tag."""
    if not isinstance(tag, dict) or not all(_NAME.fullmatch(str(name)) for name in tag):
        return False
    offsets = isinstance(tag.get("start"), int) and isinstance(tag.get("end"), int)
    rest = [value for name, value in tag.items() if name not in ("start", "end")]
    strings = all(isinstance(value, str) and not _ILLEGAL.search(value) for value in rest)
    return offsets and strings and bool(_NAME.fullmatch(tag.get("element", "")))


def _attributes(
    document: Document, key: tuple[int, int, str], element: str, name: str, extra: dict[str, str]
) -> dict[str, str]:
    start, end, _ = key
    offsets = {"start": str(start), "end": str(end), "text": document.text[start:end]}
    return {"element": element, "id": name, **offsets, **extra}


def read_head(stream: Any) -> bytes:
    """Return the first bytes of a stream without consuming them."""
    return bytes(stream.peek(1))
