"""The database of a project: one SQLite file that several processes write and a crash leaves whole.

Write-ahead log, every commit synchronized to disk, foreign keys held. A write takes the lock of
the database at once (`BEGIN IMMEDIATE`), so what it has read cannot change before it commits.
Whoever waits longer than `WAIT_SECONDS` for that lock gets `ProjectBusyError`.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from scrubjay.errors import (
    ConfigError,
    InputError,
    OutputError,
    ProjectBusyError,
    ProjectError,
    ProjectVersionError,
    ScrubjayError,
    StateError,
)

DATABASE = "project.sqlite"
SCHEMA_VERSION = 1
APPLICATION_ID = 0x5363724A  # "ScrJ"
WAIT_SECONDS = 60.0
SYNCHRONOUS = "FULL"
"""Each commit waits until it is on disk, so that not even a failure of the machine loses it."""

Row = sqlite3.Row


def now() -> str:
    """Return the time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Store:
    """A connection to the database of one project, safe to share between threads.

    Threads take turns; processes each open their own. `read` and `write` are transactions:
    whatever is read within one belongs together, and a write that raises leaves nothing.
    """

    def __init__(self, folder: Path) -> None:
        """Open the database in a folder.

        Raises `ConfigError` where there is none, `ProjectVersionError` for another version of
        the schema and `ProjectError` for a file that is no project or is damaged.
        """
        self.folder = folder.absolute()
        self.path = self.folder / DATABASE
        if not self.path.is_file():
            raise ConfigError(
                "there is no review project", path=folder, hint="Make one: scrubjay project create"
            )
        self._lock = threading.RLock()
        self._depth = 0
        self._closed = False
        with self._telling():
            self._connection = _connect(self.path)
        try:
            with self._telling():
                self._require_schema()
        except ScrubjayError:
            self._connection.close()
            raise

    @staticmethod
    def create(folder: Path, settings: dict[str, Any]) -> Store:
        """Make the folder, private to its owner, and the database with its first settings.

        The database appears whole or not at all. Raises `OutputError` for a folder that is
        there and not empty, or cannot be written.
        """
        made = not folder.exists()
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise OutputError(
                    "is not an empty folder", path=folder, hint="Name a new one for the project"
                )
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)
            _make_database(folder, settings)
        except OSError as error:
            if made:
                with suppress(OSError):
                    folder.rmdir()
            raise OutputError(f"cannot be written ({error.strerror})", path=folder) from None
        return Store(folder)

    def close(self) -> None:
        """Close the connection; nothing can be read or written any more."""
        with self._lock:
            self._connection.close()
            self._closed = True

    @contextmanager
    def read(self) -> Iterator[Store]:
        """Give a view of the database that does not change inside the block."""
        with self._transaction("BEGIN"):
            yield self

    @contextmanager
    def write(self) -> Iterator[Store]:
        """Give the database to write to; all of the block is committed, or nothing of it."""
        with self._transaction("BEGIN IMMEDIATE"):
            yield self

    @contextmanager
    def snapshot(self) -> Iterator[Store]:
        """Give a second connection with a view of its own, for what takes long to read."""
        other = Store(self.folder)
        try:
            with other.read():
                yield other
        finally:
            other.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        with self._lock:
            if self._depth:
                # Inside of another block, which commits or takes back the whole.
                self._depth += 1
                try:
                    yield
                finally:
                    self._depth -= 1
                return
            with self._telling():
                self._connection.execute(begin)
                self._depth = 1
                try:
                    yield
                    self._connection.execute("COMMIT")
                finally:
                    self._depth = 0
                    if self._connection.in_transaction:
                        with suppress(sqlite3.Error):
                            self._connection.execute("ROLLBACK")

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Turn errors of SQLite into ours; their text is left out, since it may quote values."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if _is_busy(error):
                raise ProjectBusyError(
                    f"{self.path}: another process has held the project for more than "
                    f"{WAIT_SECONDS:g} seconds. Try again"
                ) from None
            raise self._damaged(error) from None
        except (sqlite3.InterfaceError, sqlite3.ProgrammingError) as error:
            if self._closed:
                raise StateError(f"{self.path}: the project is closed. Open it again") from None
            # Not the file's fault: a value that is none of text, number, bytes.
            raise TypeError(
                f"a value of another type than the project keeps ({type(error).__name__})"
            ) from None
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from None

    @contextmanager
    def _statement(self) -> Iterator[None]:
        """Give one statement its turn; raises `InputError` for values that no database holds."""
        with self._lock, self._telling():
            try:
                yield
            except UnicodeEncodeError:
                raise InputError(
                    "a value has half of a surrogate pair, which is no text",
                    hint="Give characters alone",
                ) from None
            except OverflowError:
                raise InputError("a number is too large for a project") from None

    def _damaged(self, error: sqlite3.Error) -> ProjectError:
        name = getattr(error, "sqlite_errorname", type(error).__name__)
        return ProjectError(
            f"{self.path}: the database cannot be used ({name}). Is it a review project, is the "
            "disk full, may it be written? Otherwise go back to a copy"
        )

    def _require_schema(self) -> None:
        application = self.one("PRAGMA application_id")[0]
        version = self.one("PRAGMA user_version")[0]
        if application != APPLICATION_ID:
            raise ProjectError(f"{self.path}: is not the database of a review project")
        if version != SCHEMA_VERSION:
            raise ProjectVersionError(
                f"{self.path}: a project of version {version}, and this release knows version "
                f"{SCHEMA_VERSION}. Use the release that made it: scrubjay --version"
            )

    def run(self, statement: str, *values: Any) -> sqlite3.Cursor:
        """Run a statement inside of a transaction, or as one of its own."""
        with self._statement():
            return self._connection.execute(statement, values)

    def run_many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each row of values."""
        with self._statement():
            self._connection.executemany(statement, rows)

    def all(self, statement: str, *values: Any) -> list[Row]:
        """Return all rows."""
        with self._statement():
            return self._connection.execute(statement, values).fetchall()

    def find(self, statement: str, *values: Any) -> Row | None:
        """Return the first row, or None."""
        with self._statement():
            found: Row | None = self._connection.execute(statement, values).fetchone()
            return found

    def one(self, statement: str, *values: Any) -> Row:
        """Return the first row, which there must be."""
        found = self.find(statement, *values)
        assert found is not None
        return found

    def setting(self, name: str) -> Any:
        """Return a setting of the project, None where it is not set."""
        row = self.find("SELECT value FROM settings WHERE name = ?", name)
        return None if row is None else json.loads(row[0])

    def set(self, name: str, value: Any) -> None:
        """Set a setting of the project."""
        self.run(
            "INSERT INTO settings VALUES (?, ?) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name,
            json.dumps(value),
        )

    def faults(self) -> list[str]:
        """Return what SQLite finds wrong with the file and its references; empty if nothing."""
        found = [str(row[0]) for row in self.all("PRAGMA integrity_check")]
        faults = [] if found == ["ok"] else [f"{len(found)} faults of the file's structure"]
        broken = len(self.all("PRAGMA foreign_key_check"))
        return faults + ([f"{broken} references to nothing"] if broken else [])


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA secure_delete = ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _make_database(folder: Path, settings: dict[str, Any]) -> None:
    """Write a new database under a hidden name and give it its own when it is whole."""
    hidden = folder / f".{DATABASE}.{os.getpid()}"
    # SQLite gives its log files the permissions of the database.
    hidden.touch(mode=0o600)
    connection = _connect(hidden)
    try:
        schema = files("scrubjay.review").joinpath("schema.sql").read_text("utf-8")
        # One transaction: else each table waits for the disk.
        connection.executescript(f"BEGIN;\n{schema}")
        connection.executemany(
            "INSERT INTO settings VALUES (?, ?)",
            [(name, json.dumps(value)) for name, value in settings.items()],
        )
        connection.execute("COMMIT")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()
    hidden.replace(folder / DATABASE)


def _is_busy(error: sqlite3.OperationalError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
