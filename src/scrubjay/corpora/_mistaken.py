"""Bytes of Unicode that are about to be read in an encoding of few characters, such as latin-1.

Such an encoding has a character for nearly every byte, so nothing fails where UTF-8 is read in it:
names become other letters, and are not found. Text in such an encoding, on the other hand, is
hardly ever valid UTF-8.

A few wrong bytes do not make a text of latin-1 of one of UTF-8. Where Western text has two or three
bytes that happen to be a character of UTF-8, it is a capital at the end of a word before a mark
("«CAFÉ»" has U+027B), or a French word before a no-break space and a quote: never the letters with
accents, quotes and dashes that such text has in UTF-8, whose first bytes are Ã, Â and â, and never
two of another script side by side. So those are counted, against the bytes that are none of them.
"""

from __future__ import annotations

import codecs
import io
import re
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
_WESTERN = frozenset(["iso8859-1", "iso8859-15", "cp1252"])
MOSTLY_UTF8 = "UTF-8 but for a few bytes"

_STRAY = re.compile("[\udc80-\udcff]")  # a byte that UTF-8 has not, as `surrogateescape` reads it
_WESTERN_CHARACTER = re.compile(r"[\u00a0-\u00ff\u2010-\u2026\u2030-\u203a\u20ac\u2122]")
_LIKELY_BESIDE = re.compile(r"[\u0100-\u017f\u0300-\u033f]")  # and by chance: "Å³" is one
_OTHERS = re.compile(
    r"[\u0080-\u009f\u0180-\u02ff\u0340-\u200f\u2027-\u202f\u203b-\u20ab\u20ad-\u2121\u2123-\ud7ff"
    r"\ue000-\U0010ffff]+"
)
_ENOUGH = 32
"""Stray bytes more than characters of UTF-8: then a text is in another encoding."""


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


def find_unicode(chunks: Iterable[bytes], encoding: str) -> str | None:
    """Return the encoding of Unicode that bytes have beyond doubt, None where there is doubt.

    It is the one of a byte order mark, or UTF-8 where all bytes are and a character has more than
    one of them; the last character may be cut off. Where `encoding`, in which they are to be read,
    is one of Western Europe, it is `MOSTLY_UTF8` where more characters are of UTF-8, as such text
    has them, than bytes are not. No chunk is taken after the first that decides.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    counts = _Counts()
    is_western = codecs.lookup(encoding).name in _WESTERN
    for number, chunk in enumerate(chunks):
        if number == 0 and (name := marked(chunk)):
            return name
        if chunk.isascii() and not decoder.getstate()[0]:
            counts.end_of_run()
            continue
        text = decoder.decode(chunk)
        if not text.isascii():
            counts.add(text)
        elif text:
            counts.end_of_run()
        if counts.stray and (not is_western or counts.is_decided()):
            return None
    return counts.verdict()


class _Counts:
    """Characters of UTF-8 in bytes that may be in an encoding of Western Europe, and what is none.

    `western` are those that such text has, and those of other scripts side by side, `beside` those
    that it may have beside them, and `stray` the bytes of all others and of no character at all.
    """

    def __init__(self) -> None:
        self.western = self.beside = self.stray = self.others = 0
        self._run = ""  # characters of other scripts at the end of what was added, up to two

    def add(self, text: str) -> None:
        """Add the text that follows, with stray bytes as `surrogateescape` reads them."""
        text = self._run + text
        self._run = ""
        self.stray += len(_STRAY.findall(text))
        self.western += len(_WESTERN_CHARACTER.findall(text))
        self.beside += len(_LIKELY_BESIDE.findall(text))
        for match in _OTHERS.finditer(text):
            run = match.group()
            if match.end() == len(text):
                run, self._run = run[:-2], run[-2:]
            self._add_run(run)

    def end_of_run(self) -> None:
        """Tell that ASCII follows."""
        run, self._run = self._run, ""
        self._add_run(run)

    def _add_run(self, run: str) -> None:
        if len(run) == 1 and not self._run:
            self.others += len(run.encode())
        else:
            self.western += len(run)

    def is_decided(self) -> bool:
        """Tell whether so much is no UTF-8 that the rest is not asked."""
        return self.stray + self.others - self.western - self.beside >= _ENOUGH

    def verdict(self) -> str | None:
        """Return what the bytes are, after the last of them."""
        self.end_of_run()
        if not self.stray:
            return "UTF-8" if self.western or self.beside or self.others else None
        is_more = self.western + self.beside > self.stray + self.others
        return MOSTLY_UTF8 if self.western and is_more else None


def find_unicode_in(stream: BinaryIO, encoding: str) -> str | None:
    """Return what `find_unicode` does for the rest of a stream, read as far as it must be."""
    return find_unicode(iter(lambda: stream.read(_CHUNK), b""), encoding)


def hold(stream: BinaryIO, encoding: str) -> tuple[str | None, BinaryIO]:
    """Return what `find_unicode` does of a stream that can be read once, and all of it as another.

    What had to be read to decide is held in memory: up to the first byte that UTF-8 has not, or
    the first some that it has not.
    """
    held: list[bytes] = []

    def read() -> bytes:
        held.append(stream.read(_CHUNK))
        return held[-1]

    found = find_unicode(iter(read, b""), encoding)
    return found, io.BufferedReader(chained(b"".join(held), stream), _CHUNK)


def chained(head: bytes, rest: BinaryIO) -> io.RawIOBase:
    """Return a stream of bytes, and after them those of another, which stays open."""
    return _Chained(head, rest)


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
