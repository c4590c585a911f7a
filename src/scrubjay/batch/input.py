"""What a run reads: its paths, their formats, and how far they were read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrubjay.batch.gathering import PatientOf, gathered
from scrubjay.corpora import detect_format, find_format, read_corpora
from scrubjay.corpora.source import STANDARD_INPUT
from scrubjay.corpora.walking import walk
from scrubjay.document import Document
from scrubjay.errors import unreadable

AHEAD_BYTES, AHEAD_FILES = 500_000_000, 10_000
"""The size of an input that is read once before a run, at most."""


@dataclass(slots=True)
class _Position:
    """How far an input was read, in bytes; `total` is 0 where that cannot be told."""

    read: int = 0
    total: int | None = None

    def add(self, size: int) -> None:
        self.read += size


Look = Callable[[Iterator[Document]], Iterator[Document]]
"""Sees documents as they pass: gives the same ones on, and tells what it has to tell."""


@dataclass(frozen=True, slots=True)
class Input:
    """What a run reads: paths (`-` is standard input), their format, options of its reader.

    Its documents pass through `looks`, of which each sees them when a run reads them, and so those
    of a stream, too, which nobody can read before. With `gather` they come by the patients that it
    tells, and not in their own order (`scrubjay.batch.gathering`).
    """

    paths: tuple[str, ...]
    format: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    looks: tuple[Look, ...] = field(default=(), repr=False, compare=False)
    gather: PatientOf | None = field(default=None, repr=False, compare=False)
    _position: _Position = field(default_factory=_Position, repr=False, compare=False)

    def read(self, *, passed: Callable[[str], None] | None = None) -> Iterator[Document]:
        """Return the stream of documents; see `scrubjay.corpora.read_corpora` for errors.

        `passed` is told of each file of a folder that is passed over. An id that no file can be
        named after passes: its document fails when it is written.
        """
        documents = (
            read_corpora(
                self.paths, format=self.format, half_ids="pass", count=self._position.add,
                passed=passed, **self.all_options(),
            )
            if self.gather is None
            else gathered(
                [(path, self.detect(path)) for path in self.paths], self.gather,
                options=self.all_options(), passed=passed,
            )
        )  # fmt: skip
        for look in self.looks:
            documents = look(documents)
        return documents

    def read_ahead(self) -> None:
        """Read all of an input once, if it is no stream and not large, to meet its errors now.

        An id that comes twice, a line that is broken or bytes that are no text, at the end of a
        table, would else end a run after hours. It takes about a hundredth of the time of a run
        with a fast model; what has more than `AHEAD_BYTES` or `AHEAD_FILES` is not read.
        """
        if not self.can_be_read_again() or self._has_many_files():
            return
        size = _bytes_of(self.paths)
        if size is None or size > AHEAD_BYTES:
            return
        for _ in Input(self.paths, self.format, self.options).read():
            pass

    def _has_many_files(self) -> bool:
        """Tell whether there are more than `AHEAD_FILES`; no more than these are looked at."""
        count = 0
        for path in self.paths:
            for _, _, files in os.walk(path):
                count += len(files)
                if count > AHEAD_FILES:
                    return True
        return False

    def fraction_read(self) -> float | None:
        """Return the share of the bytes of the input that was read, None where it is not known.

        Of one that is gathered it is not: it may be read several times.
        """
        position = self._position
        if position.total is None and position.read:
            position.total = _bytes_of(self.paths) or 0
        return position.read / position.total if position.total and position.read else None

    def formats(self) -> set[str]:
        """Return the names of the formats of the input, detected where none is given."""
        return {self.detect(path) for path in self.paths}

    def detect(self, path: Path | str) -> str:
        """Return the format of one path of the input."""
        return self.format or detect_format(path, encoding=self.options.get("encoding"))

    def can_be_read_again(self) -> bool:
        """Tell whether all of it lies in files and folders, and none is a stream or a pipe."""
        return STANDARD_INPUT not in self.paths and all(
            Path(path).is_file() or Path(path).is_dir() for path in self.paths
        )

    def all_options(self) -> dict[str, Any]:
        """Return the options, with the annotations of the input read as laxly as can be.

        They are not used, so discontinuous spans and stale copies of mentions are no errors.
        """
        known = [find_format(name).read_options() for name in self.formats()]
        lax = {"fragments": "cover", "text_check": "ignore"}
        shared = {name: lax[name] for name in lax if all(name in each for each in known)}
        return shared | self.options


def stats_of(paths: Sequence[str]) -> Iterator[tuple[str, os.stat_result]]:
    """Yield name and facts of each file at some paths; standard input has none.

    Raises `InputError` for a file that is not there, such as a link to nothing.
    """
    for path in paths:
        place = Path(path)
        if path == STANDARD_INPUT:
            continue
        for file, name in walk(place) if place.is_dir() else [(place, place.name)]:
            try:
                yield name, file.stat()
            except OSError as error:
                raise unreadable(file, error) from None


def _bytes_of(paths: Sequence[str]) -> int | None:
    """Return the size of all files at some paths, None where that cannot be told beforehand."""
    if not all(path != STANDARD_INPUT and Path(path).exists() for path in paths):
        return None
    return sum(facts.st_size for _, facts in stats_of(paths))
