"""The list of mentions that a policy has left: their places and labels in a file, never a text."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from scrubjay.batch.edited import replaced_of
from scrubjay.deidentifier import Deidentified
from scrubjay.document import Span
from scrubjay.files import replacing

Kept = tuple[str, int, int, int, int]
"""The label of a mention that stays, where it stands in the original, and where in the output."""
_IN_MEMORY = 1 << 20
_NAMES = ("label", "start", "end", "output_start", "output_end")


def places_of(result: Deidentified, kept: Sequence[Span]) -> tuple[Kept, ...]:
    """Return the labels and places of those spans of a document that were `kept`, in order."""
    wanted = frozenset(kept)
    if not wanted:
        return ()
    return tuple(
        (each.span.label, each.span.start, each.span.end, each.start, each.end)
        for each in replaced_of(result)
        if each.span in wanted
    )


class KeptList:
    """Gathers the mentions that stay in the outputs of a run; used in a `with` statement.

    What is gathered waits in a file without a name, since there may be many; `publish` writes it.
    """

    def __init__(self) -> None:
        self._lines: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115

    def __enter__(self) -> KeptList:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self._lines.close()

    def add(self, id: str, kept: Sequence[Kept]) -> None:
        """Add the mentions of a document that was written."""
        for each in kept:
            values = {"id": id, **dict(zip(_NAMES, each, strict=True))}
            # In ASCII alone: half of a character in an id becomes an escape.
            self._lines.write(json.dumps(values).encode("ascii") + b"\n")

    def clear(self) -> None:
        """Forget what was added: the run writes its documents once more."""
        self._lines.seek(0)
        self._lines.truncate()

    def publish(self, file: Path) -> None:
        """Write a line of JSON for each mention to a file, which is its owner's alone to read.

        Raises `OutputError` where it cannot be written.
        """
        self._lines.seek(0)
        with replacing(file, private=True) as stream:
            shutil.copyfileobj(self._lines, stream)
