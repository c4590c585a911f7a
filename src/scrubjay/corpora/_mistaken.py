"""Bytes of Unicode that are about to be read in an encoding of few characters, such as latin-1.

Such an encoding has a character for nearly every byte, so nothing fails where UTF-8 is read in it:
names become other letters, and are not found. Text in such an encoding, on the other hand, is
hardly ever valid UTF-8.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterable
from typing import Any, BinaryIO

_CHUNK = 1 << 16
_MARKS = (
    (codecs.BOM_UTF8, "UTF-8"),
    (codecs.BOM_UTF32_LE, "UTF-32"),  # before that of UTF-16, which it begins with
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def is_unicode(encoding: str) -> bool:
    """Tell whether a known encoding is one of Unicode, in which few wrong bytes are text."""
    return codecs.lookup(encoding).name.startswith("utf")


def may_be_unicode(encoding: str) -> bool:
    """Tell whether an encoding is one of Unicode, or one that Python does not know."""
    try:
        return is_unicode(encoding)
    except LookupError:
        return True


def marked(head: bytes) -> str | None:
    """Return the encoding whose byte order mark a file begins with, None where it has none."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), None)


def find_unicode(chunks: Iterable[bytes]) -> str | None:
    """Return the encoding of Unicode that bytes have beyond doubt, None where there is doubt.

    It is the one of a byte order mark, or UTF-8 where all bytes are and a character has more than
    one of them; the last character may be cut off. No chunk is taken after the first that decides.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_ascii = True
    for number, chunk in enumerate(chunks):
        if number == 0 and (name := marked(chunk)):
            return name
        if chunk.isascii() and not decoder.getstate()[0]:
            continue
        try:
            is_ascii = decoder.decode(chunk).isascii() and is_ascii
        except UnicodeDecodeError:
            return None
    return None if is_ascii else "UTF-8"


def find_unicode_in(stream: BinaryIO) -> str | None:
    """Return what `find_unicode` does for the rest of a stream, read as far as it must be."""
    return find_unicode(iter(lambda: stream.read(_CHUNK), b""))


def hold(stream: BinaryIO) -> tuple[str | None, BinaryIO]:
    """Return what `find_unicode` does of a stream that can be read once, and all of it as another.

    What had to be read to decide is held in memory: up to the first byte that UTF-8 has not.
    """
    held: list[bytes] = []

    def read() -> bytes:
        held.append(stream.read(_CHUNK))
        return held[-1]

    found = find_unicode(iter(read, b""))
    return found, io.BufferedReader(_Chained(b"".join(held), stream), _CHUNK)


class _Chained(io.RawIOBase):
    """Bytes, and after them those of a stream, which stays open."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        super().__init__()
        self._head = io.BytesIO(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._head.read(len(buffer)) or self._rest.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
