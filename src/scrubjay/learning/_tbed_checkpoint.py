"""Rules on disk while they are learned, so that an interrupted training can go on.

The first line of a checkpoint says what it belongs to, each line after it is a rule as in a rule
file. A line that an interruption cut short is dropped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO

from scrubjay.errors import ConfigError, FormatError, OutputError
from scrubjay.files import decode_text
from scrubjay.taggers.rules import Rule, read_rules, write_rules


class Checkpoint:
    """The rules that an earlier training left, and a place to add new ones.

    Without a path nothing is read or written. Raises `ConfigError` for the checkpoint of another
    training, `FormatError` for a broken one and `OutputError` where it cannot be written.
    """

    def __init__(self, path: Path | None, identity: str) -> None:
        self._path = path
        self._identity = identity
        self._stream: IO[bytes] | None = None
        self.rules: tuple[Rule, ...] = ()

    def __enter__(self) -> Checkpoint:
        if self._path is None:
            return self
        head = json.dumps({"checkpoint": self._identity}).encode() + b"\n"
        try:
            content = self._path.read_bytes() if self._path.exists() else b""
            content = content[: content.rfind(b"\n") + 1]
            if content:
                self.rules = _read_rules(content, head, self._path)
            self._stream = self._path.open("r+b" if content else "wb")
            self._stream.seek(len(content))
            self._stream.truncate()
            if not content:
                self._stream.write(head)
                self._stream.flush()
        except OSError as error:
            raise OutputError(
                f"the checkpoint cannot be written ({error.strerror})", path=self._path
            ) from error
        return self

    def __exit__(self, *error: object) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def add(self, rule: Rule) -> None:
        """Write a rule, so that it outlives this process."""
        if self._stream is not None:
            self._stream.write(write_rules([rule]).encode("utf-8"))
            self._stream.flush()


def _read_rules(content: bytes, head: bytes, path: Path) -> tuple[Rule, ...]:
    if not content.startswith(b'{"checkpoint"'):
        raise FormatError("not the checkpoint of a training", path=path, hint="Give another file")
    if not content.startswith(head):
        raise ConfigError(
            "the checkpoint is that of another training: other data, templates or settings",
            path=path,
            hint="Give another file, or delete this one to begin anew",
        )
    return read_rules(decode_text(content, path=path, kind=FormatError), origin=path, skip=1)
