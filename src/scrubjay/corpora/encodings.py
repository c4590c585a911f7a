"""Encodings by their names, and texts written in them."""

from __future__ import annotations

import codecs
import re

from scrubjay.errors import ConfigError, EncodingError, FormatError
from scrubjay.near_names import suggest_near

_USUAL_ENCODINGS = (
    *("ascii", "cp437", "cp850", "cp1250", "cp1252", "iso-8859-1", "iso-8859-15", "latin-1"),
    *("mac-roman", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "utf-32"),
    "windows-1252",
)
"""Encodings that one may have meant who gives a name of none."""
_OF_HOST_NAMES = ("idna", "punycode")  # encodings of Python that are not for texts


def require_encoding(encoding: str) -> str:
    """Return the encoding, or raise `ConfigError` for one that is not known as one of texts."""
    try:
        "".encode(encoding)  # codecs that make no text of bytes are unknown, too
        known = codecs.lookup(encoding).name not in _OF_HOST_NAMES
    except (LookupError, ValueError):
        known = False
    if not known:
        raise ConfigError(f"unknown encoding {encoding!r}", hint=_hint_encoding(encoding))
    return encoding


def _hint_encoding(encoding: str) -> str:
    """Return which encodings there are, and which was meant where one has a name like it."""
    named = re.sub(r"[\s_]+", "-", encoding.strip().casefold())
    return (
        f"{suggest_near(named, _USUAL_ENCODINGS, most=2)}"
        "Give one that Python knows (--encoding): utf-8, or of older files mostly cp1252 "
        "(Windows), latin-1, cp850 (DOS) or utf-16"
    )


def hint_mark(encoding: str | None) -> str:
    """Return what to add to a hint where a file may lack the mark that an encoding calls for."""
    name = "" if encoding is None else codecs.lookup(encoding).name
    if name not in ("utf-16", "utf-32"):
        return ""
    return f"; {name} without a byte order mark is {name}-le or {name}-be"


def encode_text(text: str, encoding: str, *, document_id: str) -> bytes:
    """Return the bytes of a text; raises `EncodingError` with offset and code point."""
    try:
        return text.encode(require_encoding(encoding))
    except UnicodeEncodeError as error:
        raise EncodingError(
            f"document {document_id!r}: {encoding} cannot hold U+{ord(text[error.start]):04X}",
            place=f"offset {error.start}",
            hint="Write in utf-8",
        ) from None


def encode_note(text: str, encoding: str, *, document_id: str) -> bytes:
    """Return the bytes of a file that is one note; raises `FormatError` for NUL, too."""
    if (offset := text.find("\0")) >= 0:
        raise FormatError(
            f"document {document_id!r}: a file of text cannot hold U+0000",
            place=f"offset {offset}",
            hint="Write jsonl, for example",
        )
    return encode_text(text, encoding, document_id=document_id)
