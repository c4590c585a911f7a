"""The journal of a run: what is done already, so that a run that was killed can go on.

While a run is under way its output folder holds the hidden folder `.scrubjay-run`, for the owner
alone, with the files that wait to be published and a journal: a line for each document that is
done, with its new text or its failure, and a checksum. No original text is in it. A run that goes
on takes over these documents, in order, and does the rest; all files appear at the end, as in a
run that was never interrupted.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from scrubjay.batch._differences import tell_differences
from scrubjay.batch.input import stats_of
from scrubjay.batch.outcome import Outcome
from scrubjay.corpora.writing import Permissions
from scrubjay.errors import (
    ConfigError,
    FullDiskError,
    OutputError,
    WorkerError,
    counted,
    unwritable,
)
from scrubjay.files import lock, make_folders

if TYPE_CHECKING:
    from scrubjay.transform.vault import Interrupted

WORK = ".scrubjay-run"
"""The hidden folder in the output folder of a run that is under way or was interrupted."""

_VERSION = 1
_JOURNAL, _LOCK = "journal", "lock"
_SYNC_SECONDS = 1.0
_PUBLISHING = {"publishing": True}
_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
_NO_RULES = frozenset(["shipped", "__pycache__"])


class Journal:
    """The journal of a run into a folder; used in a `with` statement.

    `run` tells what makes two runs the same: only such a run goes on with another. Leaving the
    block without an error removes the journal, and so does an error of bad input; an interrupt
    leaves it, and so do a full disk, workers that are lost for good, and any error where the run
    was to be resumed. A journal without a document is never left.
    """

    def __init__(
        self,
        folder: Path,
        *,
        run: Mapping[str, Any],
        interrupted: Interrupted,
        permissions: Permissions = "private",
    ) -> None:
        self._folder = folder
        self._work = folder / WORK
        self._run = json.loads(json.dumps(run))
        self._interrupted = interrupted
        self._permissions = permissions
        self._made: list[Path] = []
        self._lock: BinaryIO | None = None
        self._log: BinaryIO | None = None
        self._synced = 0.0
        self._added = 0
        self.done = 0
        """The number of documents that are taken over from the interrupted run."""
        self.published = False
        """Whether the interrupted run had begun to move its files to their places."""

    def __enter__(self) -> Journal:
        """Raise `OutputError` where a run is under way or an interrupted one lies there, and
        `ConfigError` where that was another run."""
        try:
            self._make_work()
            self._take_lock()
            self._open_log()
        except BaseException as error:
            self._let_go()
            if isinstance(error, OSError):
                raise unwritable(self._folder, error) from None
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        unfinished = kind is not None and (
            not issubclass(kind, Exception)
            or issubclass(kind, (FullDiskError, WorkerError))
            or self._interrupted == "resume"
        )
        if unfinished and (self._added or self.done):
            with suppress(OSError):
                self._sync()
        else:
            shutil.rmtree(self._work, ignore_errors=True)
        self._let_go()

    @property
    def staging(self) -> Path:
        """Return the folder in which files may wait."""
        return self._work

    def replay(self, *, all: bool = False) -> Iterator[Outcome]:
        """Yield the outcomes that are taken over, in order; with `all` those added since, too."""
        with (self._work / _JOURNAL).open("rb") as stream:
            next(stream)
            for _ in range(self.done + (self._added if all else 0)):
                values = _read_line(next(stream))
                assert values is not None
                yield Outcome.from_json(values)

    def add(self, records: Sequence[Sequence[Outcome]]) -> None:
        """Note the outcomes of a batch: those of a record are taken over all together, or none."""
        self._append(
            {**outcome.to_json(), "last": place == len(outcomes)}
            for outcomes in records
            for place, outcome in enumerate(outcomes, start=1)
        )
        self._added += sum(map(len, records))
        if time.monotonic() - self._synced >= _SYNC_SECONDS:
            self._sync()

    def publish(self) -> None:
        """Note that files are about to be moved to their places."""
        self._append([_PUBLISHING])
        self._sync()

    def _append(self, lines: Iterable[Mapping[str, Any]]) -> None:
        assert self._log is not None, "use the journal in a `with` statement"
        try:
            self._log.write(b"".join(map(_write_line, lines)))
            self._log.flush()
        except OSError as error:
            raise unwritable(self._work, error) from None

    def _sync(self) -> None:
        if self._log is not None:
            os.fsync(self._log.fileno())
            self._synced = time.monotonic()

    def _make_work(self) -> None:
        make_folders(self._folder, self._made, private=self._permissions == "private")
        self._work.mkdir(mode=0o700, exist_ok=True)
        if self._work.is_symlink():
            # Somebody else may have put it there: what it points to would be emptied.
            raise OutputError("is a link", path=self._work, hint="Remove the link")
        self._work.chmod(0o700)

    def _take_lock(self) -> None:
        """Lock the folder, or raise `OutputError` where another run has it."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _NO_LINK
        opened = os.open(self._work / _LOCK, flags, 0o600)
        self._lock = os.fdopen(opened, "ab")
        if not lock(self._lock):
            raise OutputError(
                "another run writes there now",
                path=self._folder,
                hint="Wait for it, or choose another folder",
            )

    def _open_log(self) -> None:
        path = self._work / _JOURNAL
        end = self._load(path) if path.exists() else 0
        if not (self.done or self.published):
            end = 0  # what was stopped before its first document has nothing to go on with
        if end and self._interrupted == "refuse":
            raise OutputError(
                f"an interrupted run lies there, with {self.done} documents done",
                path=self._folder,
                hint="Give --resume to go on with it, or --restart to begin anew",
            )
        if self._interrupted == "restart":
            end = self.done = 0
            self.published = False
        for left in self._work.iterdir():
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
        # Opened like this it is never cut off by the opening itself.
        self._log = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | _NO_LINK, 0o600), "wb")
        self._log.truncate(end)
        self._log.seek(end)
        if not end:
            self._append([{"scrubjay": _VERSION, "run": self._run}])
        self._synced = time.monotonic()  # a disk takes its time, and a second's work is not much

    def _load(self, path: Path) -> int:
        """Count what can be taken over, and return the size of that part of the journal."""
        with path.open("rb") as stream:
            header = _read_line(stream.readline())
            if header is None:
                return 0
            self._require_same_version(header)
            end = position = stream.tell()
            pending = 0
            for line in stream:
                values = _read_line(line)
                if values is None:
                    break
                position += len(line)
                if values == _PUBLISHING:
                    self.published = True
                    continue
                pending += 1
                if values["last"]:
                    self.done, pending, end = self.done + pending, 0, position
        if self.done or self.published:
            self._require_same_run(header)
        return end

    def _require_same_version(self, header: Mapping[str, Any]) -> None:
        if self._interrupted == "restart":
            return
        if header.get("scrubjay") != _VERSION:
            raise ConfigError(
                "the interrupted run is of another version of scrubjay",
                path=self._folder,
                hint="Give --restart to begin anew",
            )

    def _require_same_run(self, header: Mapping[str, Any]) -> None:
        changed = tell_differences(header["run"], self._run)
        if changed and self._interrupted == "resume":
            raise ConfigError(
                f"the interrupted run was another one. What differs: {'; '.join(changed)}",
                path=self._folder,
                hint="Make that as it was, or give --restart, which throws away the "
                f"{counted(self.done, 'document')} done and begins anew",
            )

    def _let_go(self) -> None:
        for stream in (self._log, self._lock):
            if stream is not None:
                with suppress(OSError):  # a full disk was told already
                    stream.close()
        self._log = self._lock = None
        for folder in (self._work, *reversed(self._made)):
            with suppress(OSError):
                folder.rmdir()
        self._made = []


@cache
def code_state() -> str:
    """Return a digest of this package, its rules and tables included, its models not.

    A run that goes on with another does what that has done alone by the same rules: a version tells
    too little while one is made.
    """
    return state_of(resources.files("scrubjay"))


def state_of(package: Traversable) -> str:
    """Return a digest of the files of a package, wherever it was imported from: a zip file, too."""
    digest = hashlib.sha256()
    for name, content in _files_of(package):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _files_of(folder: Traversable, before: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{before}{entry.name}"
        if entry.is_dir():
            if entry.name not in _NO_RULES:
                yield from _files_of(entry, f"{name}/")
        elif not entry.name.startswith("."):
            yield name, entry.read_bytes()


def input_state(paths: Sequence[str]) -> str:
    """Return a digest of names, sizes and times of the files at some paths, nothing of their text.

    It changes when a file is changed, added or taken away. Standard input has no state. Raises
    `InputError` for a link to nothing.
    """
    digest = hashlib.sha256()
    for name, facts in stats_of(paths):
        entry = f"{name}\0{facts.st_size}\0{facts.st_mtime_ns}\n"
        digest.update(entry.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _write_line(values: Mapping[str, Any]) -> bytes:
    # ASCII alone, so that lone surrogates survive and no character is a line end.
    body = json.dumps(values, separators=(",", ":")).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(body), body)


def _read_line(line: bytes) -> dict[str, Any] | None:
    """Return what a line holds, None where it is torn."""
    checksum, _, body = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(body):
        return None
    values: dict[str, Any] = json.loads(body)
    return values
