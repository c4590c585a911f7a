"""Standard streams that write all that they are given, or raise.

Where Python does not buffer (`PYTHONUNBUFFERED`, as in many containers), what lies below standard
output is a raw file. Its `write` may write a part, as on a disk that is nearly full, and only
returns how much: the rest of a note would be missing, and nobody would be told.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any


class WholeWrites(io.BufferedIOBase):
    """A raw stream without a buffer that goes on writing until all is written, or raises."""

    def __init__(self, raw: io.RawIOBase) -> None:
        super().__init__()
        self.raw = raw

    def writable(self) -> bool:
        """Return that it can be written to."""
        return True

    def write(self, data: Any, /) -> int:
        """Write all of the bytes; raises `OSError` where that cannot be."""
        rest = memoryview(data).cast("B")
        size = len(rest)
        while rest:
            written = self.raw.write(rest)
            if written is None:
                raise BlockingIOError("the stream takes nothing now")
            rest = rest[written:]
        return size

    def fileno(self) -> int:
        """Return the number of the file."""
        return self.raw.fileno()

    def isatty(self) -> bool:
        """Tell whether it is a terminal."""
        return self.raw.isatty()


def write_whole_streams() -> None:
    """Let standard output and standard error write all that they are given."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        raw = getattr(stream, "buffer", None)
        if isinstance(raw, io.RawIOBase):
            # The stream that was there stays in `sys.__stdout__`, which keeps its file open.
            whole: Any = WholeWrites(raw)
            text = io.TextIOWrapper(
                whole, encoding=stream.encoding, errors=stream.errors, write_through=True
            )
            setattr(sys, name, text)


def flush_output() -> OSError | None:
    """Write what waits in standard output; return the error that keeps it from being written.

    What cannot be written is thrown away then, or Python would try again as it ends and leave with
    an exit code of its own.
    """
    if sys.stdout is None:  # closed by whoever began the process
        return None
    try:
        sys.stdout.flush()
    except OSError as error:
        with suppress(OSError, ValueError):
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, sys.stdout.fileno())
            os.close(nothing)
        return error
    return None
