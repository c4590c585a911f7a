"""Files as readers see them: bytes and text with exact line ends, errors by byte offset."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from scrubjay.corpora._likely import LOOKED_AT, UNKNOWN, is_binary, likely_encoding, tell_lines
from scrubjay.corpora._mistaken import (
    MOSTLY_UTF8,
    find_unicode,
    find_unicode_in,
    hold,
    is_unicode,
    marked,
    may_be_unicode,
)
from scrubjay.corpora._office import foreign_head
from scrubjay.corpora._packed import packed_head
from scrubjay.corpora._standard_input import head_of_standard_input, open_standard_input
from scrubjay.corpora.encodings import hint_mark, require_encoding
from scrubjay.errors import EncodingError, FormatError, InputError, unreadable

STANDARD_INPUT = "-"
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a corpus, or standard input where `path` is None.

    `relative` is its path below the folder that was given, with `/` between the parts; `stem`
    is that path without the suffix of the format, which serves as document id.
    """

    path: Path | None
    relative: str
    stem: str
    count: Callable[[int], None] | None = field(default=None, repr=False, compare=False)
    """What is told how many bytes each reading of the file gave, if anything is."""

    @property
    def name(self) -> str:
        """What messages call the file."""
        return "standard input" if self.path is None else str(self.path)

    def sibling(self, ending: str) -> Source:
        """Return the file beside this one whose name is the stem and `ending`."""
        relative = self.stem + ending
        if self.path is None:
            raise InputError(f"{relative} cannot be found beside standard input")
        place = self.path.with_name(PurePosixPath(relative).name)
        return Source(place, relative, self.stem, self.count)

    def exists(self) -> bool:
        """Tell whether there is such a file."""
        return self.path is not None and self.path.is_file()

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the file for reading bytes; raises `InputError` where that fails.

        The stream can `peek`. Standard input stays open afterwards.
        """
        if self.path is None:
            yield open_standard_input()
            return
        try:
            stream = _open(self.path, self.count)
        except OSError as error:
            raise unreadable(self.path, error) from None
        with stream:
            yield stream

    @contextmanager
    def open_text(self, encoding: str) -> Iterator[BinaryIO]:
        """Open the file as `open` does, for reading bytes that are text in an encoding.

        Raises `EncodingError` for what is Unicode beyond doubt, where the encoding is not.
        """
        with self.open() as stream:
            if not is_unicode(require_encoding(encoding)):
                found, stream = self._look(stream, encoding)
                self._require_apart(encoding, found)
            yield stream

    @contextmanager
    def open_declared(self, declared: Callable[[bytes], str]) -> Iterator[BinaryIO]:
        """Open a file as `open` does that tells its encoding, which `declared` finds in its head.

        Raises `EncodingError` as `require_declared` does.
        """
        with self.open() as stream:
            head = cast(io.BufferedReader, stream).peek(1)
            encoding = declared(head)
            if marked(head) is None and not may_be_unicode(encoding):
                found, stream = self._look(stream, encoding)
                self._require_true(encoding, found)
            yield stream

    def require_declared(self, encoding: str, data: bytes) -> None:
        """Raise `EncodingError` for UTF-8 that declares an encoding which is not one of Unicode.

        A byte order mark overrules what is declared, and so it is no error.
        """
        if marked(data) is None and not may_be_unicode(encoding):
            self._require_true(encoding, find_unicode((data,), encoding))

    def _look(self, stream: BinaryIO, encoding: str) -> tuple[str | None, BinaryIO]:
        """Return what the file is beyond doubt, and the stream, or one in its place.

        A file is read before, as far as need be, so that nothing of it has been passed on.
        """
        if self.path is None:
            return hold(stream, encoding)
        with replace(self, count=None).open() as other:
            return find_unicode_in(other, encoding), stream

    def _require_true(self, encoding: str, found: str | None) -> None:
        if found is not None:
            raise EncodingError(
                f"is {found}, not {encoding}, which it declares",
                path=self.name,
                hint="Correct what it declares, or name its encoding: --encoding utf-8",
            )

    def _require_apart(self, encoding: str, found: str | None) -> None:
        if found == MOSTLY_UTF8:
            raise EncodingError(
                f"is {found}, not {encoding}: names in it would become other letters",
                path=self.name,
                hint="Correct those bytes; read with --encoding utf-8, the first of them is named",
            )
        if found is not None:
            raise EncodingError(
                f"is {found}, not {encoding}",
                path=self.name,
                hint=f"Read it with --encoding {found.lower()}"
                if self.path is None
                else "--encoding is for all files of a run. Make UTF-8 of the others first, each "
                f"kind alone: {self._make_utf8(encoding if found == 'UTF-8' else found.lower())}",
            )

    def _make_utf8(self, encoding: str) -> str:
        """Return the command that makes UTF-8 of a file like this one."""
        is_note = Path(self.relative).suffix.lower() in ("", ".txt") and (
            self.path is not None and not self.path.with_suffix(".ann").exists()
        )
        kind = Path(self.relative).suffix.lower().removeprefix(".")
        if is_note:
            to = "--from text --to text --out-option encoding=utf-8"
        elif kind in ("csv", "tsv"):
            to = f"--to {kind} --out-option encoding=utf-8"
        else:
            to = "--to jsonl"
        more = (
            ", with the --text-column and --option delimiter=CHAR that it needs"
            if kind == "csv"
            else ""
        )
        return f"scrubjay convert FILE --encoding {encoding} {to} --out FOLDER{more}"

    def read_bytes(self) -> bytes:
        """Return the whole file."""
        with self.open() as stream:
            return stream.read()

    def read_text(self, encoding: str) -> str:
        """Return the whole file as text, line ends and a byte order mark included.

        Raises `EncodingError` with the byte offset of the first byte that does not decode; without
        one for UTF-16 or UTF-32 that has no byte order mark to tell the order of its bytes, and for
        what is Unicode beyond doubt, where the encoding is not.
        """
        # `bytes.decode` would take a missing mark for the order of bytes of this machine.
        decoder = codecs.getincrementaldecoder(require_encoding(encoding))()
        data = self.read_bytes()
        if not is_unicode(encoding):
            self._require_apart(encoding, find_unicode((data,), encoding))
        try:
            return decoder.decode(data, final=True)
        except UnicodeError as error:
            raise self.encoding_error(encoding, _start(error), data) from None

    def read_note(self, encoding: str) -> str:
        """Return the text of a file that is one note, as `read_text` does.

        Raises `FormatError` for one with NUL, which no note has: it is no text, or UTF-16 read as
        UTF-8, in which nothing would be found.
        """
        text = self.read_text(encoding)
        if (offset := text.find("\0")) >= 0:
            head = text[:4].encode(encoding)
            likely = likely_encoding(head, head) if head.count(b"\0") == 2 else "utf-16"
            raise FormatError(
                "a NUL character, so that this is no text",
                path=self.name,
                place=f"offset {offset}",
                hint=f"If it is UTF-16, name that ({likely}?) with --encoding"
                if self.path is None
                else f"If it is UTF-16, name that ({likely}?) with --encoding, or make UTF-8 of it "
                f"first: {self._make_utf8(likely)}. Else move it out of the folder",
            )
        return text

    def lines(self, encoding: str, *, newline: str, mark: bool = False) -> Iterator[str]:
        """Yield the lines with their ends as they are, without a byte order mark at the head.

        With `newline=""` a line ends at `\\n`, `\\r` or `\\r\\n`, with `"\\n"` at that alone.
        With `mark` a mark that the encoding itself does not take away stays at the head.
        Raises `EncodingError` as `read_text` does.
        """
        with self.open_text(encoding) as stream:
            text = io.TextIOWrapper(cast(io.BufferedReader, stream), encoding, newline=newline)
            try:
                for number, line in enumerate(text):
                    yield line.removeprefix("\ufeff") if number == 0 and not mark else line
            except UnicodeError:
                raise self.encoding_error(encoding, self.find_undecodable(encoding)) from None
            finally:
                if not stream.closed:  # as where this is given up after the stream
                    text.detach()

    def encoding_error(
        self, encoding: str, offset: int | None, data: bytes | None = None
    ) -> EncodingError:
        """Return the error for bytes that do not decode, to be raised by the caller.

        `data` is the whole file, where it was read: standard input cannot be read again, and is
        judged by its head without it.
        """
        head, piece = self._pieces(offset or 0, data)
        if (foreign := foreign_head(head)) is not None:
            return EncodingError(
                f"is {foreign[0]}, which is not read", path=self.name, hint=foreign[1]
            )
        place = "" if offset is None else f"byte {offset}"
        if (packed := packed_head(head)) is not None:
            return EncodingError(f"is {packed[0]}, not text", path=self.name, hint=packed[1])
        if is_binary(head[:4], piece):
            return EncodingError(
                "is binary, no text",
                path=self.name,
                place=place,
                hint=f"{'Give' if self.path is None else 'Move it out of the folder, or give'} the "
                "text that was made of it. If it is a text in a rare encoding all the same, name "
                "that with --encoding",
            )
        likely = likely_encoding(head[:4], piece)
        is_utf8 = codecs.lookup(encoding).name.startswith("utf-8")
        if likely == MOSTLY_UTF8 or (likely == "utf-8" and is_utf8):
            lines = self._tell_lines()
            hint = (
                f"It is UTF-8 but for a few bytes{lines and f' on {lines}'}, of which this is the "
                "first: correct them. Read in another encoding, names in it would become other "
                "letters and stay. Where single rows are in another encoding, docs/formats.md "
                "(One encoding for all) has a few lines of Python that make UTF-8 of them"
            )
        elif likely == UNKNOWN or _same(likely, encoding):
            hint = (
                "Find out in which encoding it was written (cp850? mac-roman?): in a wrong one "
                f"names would become other letters and stay. {self._name_it(encoding, 'NAME')}"
            )
        else:
            hint = self._name_it(encoding, likely)
        return EncodingError(f"not {encoding} text", path=self.name, place=place, hint=hint)

    def _tell_lines(self) -> str:
        """Return on which lines bytes are no UTF-8, "" for standard input."""
        if self.path is None:
            return ""
        with replace(self, count=None).open() as stream:
            return tell_lines(stream)

    def _name_it(self, encoding: str, likely: str) -> str:
        """Return what to do about a file that is likely in another encoding."""
        shown = "" if likely == "NAME" else f" ({likely}?)"
        if self.path is None:
            return f"Name its encoding{shown} with --encoding{hint_mark(encoding)}"
        return (
            f"Name its encoding{shown} with --encoding, which is for all files of a run; "
            "where only this one is so, or a command has no --encoding, make UTF-8 of it first: "
            f"{self._make_utf8(likely)}{hint_mark(encoding)}"
        )

    def _pieces(self, offset: int, data: bytes | None) -> tuple[bytes, bytes]:
        """Return the first bytes of the file and those around an offset."""
        if self.path is None:
            data = head_of_standard_input() if data is None else data
            begin = max(0, offset - LOOKED_AT // 2)
            return data[:16], data[begin : begin + LOOKED_AT]
        with replace(self, count=None).open() as stream:
            head = stream.read(16)
            stream.seek(max(0, offset - LOOKED_AT // 2))
            return head, stream.read(LOOKED_AT)

    def find_undecodable(self, encoding: str) -> int | None:
        """Return the offset of the first byte that does not decode, None where all do.

        None, too, for standard input, which cannot be read again, and where a byte order mark is
        missing.
        """
        if self.path is None:
            return None
        decoder = codecs.getincrementaldecoder(encoding)()
        consumed = 0
        with self.open() as stream:
            while True:
                chunk = stream.read(_CHUNK)
                pending = len(decoder.getstate()[0])
                try:
                    decoder.decode(chunk, final=not chunk)
                except UnicodeError as error:
                    start = _start(error)
                    return None if start is None else consumed - pending + start
                if not chunk:
                    return None
                consumed += len(chunk)


def _start(error: UnicodeError) -> int | None:
    return error.start if isinstance(error, UnicodeDecodeError) else None


def _open(path: Path, count: Callable[[int], None] | None) -> BinaryIO:
    if count is None:
        return path.open("rb", buffering=_CHUNK)
    return io.BufferedReader(_Counted(path, count), _CHUNK)


class _Counted(io.FileIO):
    """A file that tells how many bytes are read from it."""

    def __init__(self, path: Path, count: Callable[[int], None]) -> None:
        super().__init__(path)
        self._count = count

    def readinto(self, buffer: Any, /) -> int | None:
        size = super().readinto(buffer)
        self._count(size or 0)
        return size

    def readall(self) -> bytes:
        data = super().readall()
        self._count(len(data))
        return data


def _same(likely: str, encoding: str) -> bool:
    """Tell whether a guess is the encoding in which a file did not decode."""
    return likely != MOSTLY_UTF8 and codecs.lookup(likely).name == codecs.lookup(encoding).name
