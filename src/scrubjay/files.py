"""Files that are written whole or not at all; and users' files of text and settings, read."""

from __future__ import annotations

import errno
import os
import re
import secrets
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from scrubjay.errors import (
    ConfigError,
    EncodingError,
    InputError,
    OutputError,
    unreadable,
    unwritable,
)

_LINE_END = re.compile(r"\r\n?")
_TOML_KEY = re.compile(r"(namespace|declare|table key) [('\"].*(?= \(at )", re.DOTALL)


@contextmanager
def replacing(path: Path, *, what: str = "", private: bool = False) -> Iterator[BinaryIO]:
    """Give a stream whose content is the file `path` once the block ends, and not before.

    Until then it lies beside it; where the block raises, nothing is left and `path` is as it was.
    A file (or a link) that is there is replaced with its owner and its mode. A `private` file is
    its owner's alone to read. A device, a pipe, or a stream such as /dev/stdout is never replaced
    but written to; of a standard stream that is a file, what was written before stays, and what is
    written after follows. Raises `OutputError` where `what` cannot be written there.
    """
    if is_device(path):
        with _told(path, what), _open_device(path) as stream:
            yield stream
        return
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with _told(path, what):
        try:
            with os.fdopen(os.open(beside, flags, 0o600 if private else 0o666), "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


def is_device(path: Path) -> bool:
    """Tell whether there is something at a path that no file may take the place of."""
    if not path.exists() or path.is_dir():
        return False
    folder = path.parent.resolve()  # of the links to standard streams, which may be files
    return not path.is_file() or folder == Path("/dev") or folder.parts[:2] == ("/", "proc")


def standard_stream(path: Path) -> int | None:
    """Return 1 or 2 where a path is that of standard output or error, None for any other."""
    if not is_device(path):
        return None
    place = path.stat()
    for number in (1, 2):
        with suppress(OSError):  # it may be closed
            if os.path.samestat(place, os.fstat(number)):
                return number
    return None


def _open_device(path: Path) -> BinaryIO:
    """Open what is no plain file for writing; a standard stream goes on where it is."""
    if (number := standard_stream(path)) is None:
        return path.open("wb")
    # Opened by its name, a stream that is a file would be cut off, and written over from its head.
    stream = sys.stdout if number == 1 else sys.stderr
    if stream is None:  # it was closed, and another file may have its number
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    stream.flush()
    return os.fdopen(os.dup(number), "wb")


@contextmanager
def _told(path: Path, what: str) -> Iterator[None]:
    """Raise `OutputError` for an error of the system."""
    try:
        yield
    except OSError as error:
        raise unwritable(path, error, what=what) from None


def lock(stream: BinaryIO) -> bool:
    """Lock a file for as long as it is open; tell whether no other process has locked it.

    The lock goes with the process, however that ends. A system without such locks lets all have it.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def alone_with(path: Path, *, seconds: float = 10.0) -> Iterator[None]:
    """Keep others who ask for the same from reading and writing a file until the block ends.

    For a file that is read, changed and replaced: of two at once one waits, and changes of the
    first are not lost. A hidden file beside it is locked meanwhile. Raises `OutputError` where
    another process keeps it for so many seconds, and where nothing can be written there.
    """
    beside = path.with_name(f".{path.name}.lock")
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    until = time.monotonic() + seconds
    while True:
        with _told(path, ""):
            stream = os.fdopen(os.open(beside, flags, 0o600), "rb+")
        with stream:
            # Who was here before may have removed the file that was opened.
            if lock(stream) and _is_there(beside, stream):
                try:
                    yield
                finally:
                    with suppress(OSError):  # a system may keep files that are open
                        beside.unlink()
                return
        if time.monotonic() > until:
            raise OutputError(
                "another process is changing the file", path=path, hint="Try again in a moment"
            )
        time.sleep(_PAUSE)


_PAUSE = 0.02


def _is_there(path: Path, stream: BinaryIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(stream.fileno()))
    except OSError:
        return False


def leave_no_core() -> None:
    """Have the system write no file of this process's memory, texts and keys, where it crashes."""
    try:
        import resource
    except ImportError:  # a system without such files
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def make_folders(folder: Path, made: list[Path], *, private: bool) -> None:
    """Make a folder with those it lies in, adding to `made` each that was not there.

    A `private` one is its owner's alone. Raises `OSError`; `made` tells what was made before.
    """
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(exist_ok=True)
        if private:
            each.chmod(0o700)
        made.append(each)


def write_whole(path: Path, text: str, *, private: bool = False) -> None:
    """Write a text in UTF-8, in one step; its folder is made. Raises `OutputError`.

    A `private` file is its owner's alone to read, and so are the folders that are made for it.
    """
    try:
        make_folders(path.parent, [], private=private)
    except OSError as error:
        raise unwritable(path, error) from None
    with replacing(path, private=private) as stream:
        stream.write(text.encode("utf-8"))


def read_bytes(path: Path, *, kind: type[InputError] | None = None, hint: str = "") -> bytes:
    """Return what a user's file holds.

    Raises `InputError`, or another `kind` of it, where it cannot be read: it is not there, a
    folder, or not this user's to read. `hint` is what to give instead.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error, kind=kind, hint=hint) from None


def read_text(
    path: Path, *, kind: type[InputError] | None = None, hint: str = "", newlines: bool = False
) -> str:
    """Return a user's file of UTF-8 as text, without a byte order mark.

    Line ends stay as they are, or all become "\\n" (`newlines`). Raises like `read_bytes`, and
    `EncodingError`, or the `kind`, with the first byte that is not UTF-8. No message holds a part
    of the file.
    """
    text = decode_text(read_bytes(path, kind=kind, hint=hint), path=path, kind=kind)
    return _LINE_END.sub("\n", text) if newlines else text


def decode_text(content: bytes, *, path: Path | str, kind: type[InputError] | None = None) -> str:
    """Return the text of a file that was read, as `read_text` does; `path` names it in errors."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise (kind or EncodingError)(
            "not UTF-8",
            path=path,
            place=f"byte {error.start}",
            hint='Save it as UTF-8 (in a spreadsheet: "CSV UTF-8")',
        ) from None


def read_toml(path: Path, *, hint: str = "") -> dict[str, Any]:
    """Return the tables of a user's TOML file; a byte order mark is passed over.

    Raises `ConfigError` for a file that cannot be read, is not UTF-8, or no TOML.
    """
    return parse_toml(read_text(path, kind=ConfigError, hint=hint), path=path)


def parse_toml(
    text: str, *, path: Path | str | None, kind: type[InputError] = ConfigError
) -> dict[str, Any]:
    """Return the tables of a TOML text; `path` names it in errors, which never show a key of it.

    Raises `ConfigError`, or another `kind`, with the line and column.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number too long, tables nested too deep
        what = _TOML_KEY.sub(r"\1 …", str(error))
        raise kind(f"not valid TOML: {what}", path=path) from None
