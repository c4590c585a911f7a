"""The vault: what stood where something else stands now, under a key, for those who may restore.

A vault holds a record for each document that was written: its id, a digest of its new text, and
each replacement with its original. All of it lies in a sealed file (`_vault_file`), so that
without the key nothing of it can be told, not even which documents it knows.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from scrubjay.document import Span
from scrubjay.errors import ConfigError, VaultError
from scrubjay.transform._vault_file import (
    KeptBy,
    SealedReader,
    SealedWriter,
    read_head,
    require_vault_key,
    take_killed,
    version_of,
)
from scrubjay.transform._vault_records import (
    VaultRecord,
    decode_id,
    decode_record,
    encode_record,
    make_record,
    text_digest,
)
from scrubjay.transform.edits import Edited
from scrubjay.transform.operators import read_key

Interrupted = Literal["refuse", "resume", "restart"]
"""What to do where an interrupted run left its output, or its vault."""

VAULT_KEY_VARIABLE = "SCRUBJAY_VAULT_KEY"
NEW_KEY_VARIABLE = "SCRUBJAY_NEW_VAULT_KEY"


@dataclass(frozen=True, slots=True, repr=False)
class VaultLine:
    """The record of a document as it lies in a vault, and a mark that tells it from others.

    It holds the originals of the document; its repr does not.
    """

    line: bytes
    mark: bytes


def make_line(document_id: str, text: str, *, found: Sequence[Span], edited: Edited) -> VaultLine:
    """Return the record of a document, ready for `VaultWriter.write`; raises as `make_record`."""
    record = make_record(document_id, text, found=found, edited=edited)
    return VaultLine(encode_record(record), _mark(document_id, record.digest))


class VaultWriter:
    """Writes the records of a run into a vault; used in a `with` statement.

    Nothing is in the vault before `commit`; where the block ends without it, the vault is as it
    was. A vault that is there already keeps its records and gets further ones, under its key.
    `interrupted` says what to do where an interrupted run lies beside the vault: its records
    are taken over, or thrown away.

    Raises `VaultError` for a vault of another key or version before anything is written,
    `OutputError` where another run writes to it, and `MissingExtraError` without the extra.
    """

    def __init__(
        self, path: Path | str, key: bytes | None, *, interrupted: Interrupted = "refuse"
    ) -> None:
        self.path = Path(path)
        self._key = require_vault_key(key)
        self._interrupted = interrupted
        self._stack = ExitStack()
        self._file: SealedWriter | None = None
        self._known: set[bytes] = set()

    def __enter__(self) -> VaultWriter:
        killed = take_killed(self.path) if self._interrupted != "refuse" else None
        if killed is not None and self._interrupted == "restart":
            killed.unlink()
            killed = None
        resuming = self._interrupted == "resume"
        kept: KeptBy = "errors" if resuming else "interrupts"
        old = killed or (self.path if self.path.exists() else None)
        with ExitStack() as stack:
            source = old and stack.enter_context(SealedReader(old, self._key, whole=not killed))
            self._file = stack.enter_context(SealedWriter(self.path, self._key, kept_by=kept))
            for line in _lines(source) if source else ():
                self._file.write(line)
                if resuming:
                    record = _decode(line, self.path)
                    self._known.add(_mark(record.document_id, record.digest))
            if killed is not None:
                self._file.flush()
                killed.unlink()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)
        self._file = None

    def add(self, document_id: str, text: str, *, found: Sequence[Span], edited: Edited) -> None:
        """Add the record of a document; the parameters and errors are those of `make_record`.

        What an interrupted run has added is not added again.
        """
        self.write(make_line(document_id, text, found=found, edited=edited))

    def write(self, record: VaultLine) -> None:
        """Add a record that `make_line` made, maybe in another process, unless it is there."""
        if record.mark not in self._known:
            self._open_file().write(record.line)

    def require(self, document_id: str, text: str) -> None:
        """Raise `VaultError` unless an interrupted run has added the record of this new text."""
        if _mark(document_id, text_digest(text)) not in self._known:
            raise VaultError(
                f"{self.path}: the interrupted run left nothing of document {document_id!r} in "
                "the vault. Give --restart to begin anew"
            )

    def flush(self) -> None:
        """Make all records safe from a kill, before their documents are shown."""
        self._open_file().flush()

    def commit(self) -> None:
        """Put the vault in its place, with all records; call it before the output is shown."""
        file = self._open_file()
        file.seal()
        file.publish()

    def _open_file(self) -> SealedWriter:
        assert self._file is not None, "use the vault in a `with` statement"
        return self._file


class Vault:
    """An opened vault: finds the records of documents; used in a `with` statement.

    Opening reads and verifies all of it, so that no later error can come from a vault that was
    altered before. In memory is where each record lies, not what it holds.
    """

    def __init__(self, file: SealedReader) -> None:
        self._file = file
        self._places: dict[bytes, list[tuple[int, int, int]]] = {}
        for place, line in _placed_lines(file):
            try:
                name = decode_id(line)
            except ValueError:
                raise _broken(file.path) from None
            self._places.setdefault(_short(name), []).append(place)

    def __enter__(self) -> Vault:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.__exit__(*error)

    def __len__(self) -> int:
        return sum(map(len, self._places.values()))

    def find(self, document_id: str) -> tuple[VaultRecord, ...]:
        """Return the records of a document, the latest first; none where it is not known."""
        found = [self._read(place) for place in self._places.get(_short(document_id), ())]
        return tuple(record for record in reversed(found) if record.document_id == document_id)

    def find_for(self, document_id: str, text: str) -> VaultRecord | None:
        """Return the record that this text was written with, else the latest of the document."""
        records = self.find(document_id)
        fitting = (record for record in records if record.fits(text))
        return next(fitting, records[0] if records else None)

    def records(self) -> Iterator[VaultRecord]:
        """Yield all records, in the order in which they were written."""
        for line in _lines(self._file):
            yield _decode(line, self._file.path)

    def _read(self, place: tuple[int, int, int]) -> VaultRecord:
        number, offset, size = place
        data = bytearray(self._file.read(number)[offset:])
        while len(data) < size:
            number += 1
            data += self._file.read(number)
        return _decode(bytes(data[:size]), self._file.path)


def open_vault(path: Path | str, key: bytes | None) -> Vault:
    """Open a vault and verify all of it.

    Raises `VaultError` for a wrong key, another version, and a file that is no vault, was
    altered or truncated; `ConfigError` for a missing key.
    """
    with ExitStack() as stack:
        vault = Vault(stack.enter_context(SealedReader(Path(path), require_vault_key(key))))
        stack.pop_all()
    return vault


def rotate_vault(path: Path | str, *, old: bytes | None, new: bytes | None) -> int:
    """Write a vault anew under another key and return the number of its records.

    All of it is encrypted again: who has the old key and a copy of the old file reads that
    copy, and nothing of the new file. The new file is verified before it takes the place of the
    old one. Raises as `open_vault`, and `ConfigError` where the keys are equal.
    """
    path = Path(path)
    with SealedReader(path, require_vault_key(old)) as source:
        if hmac.compare_digest(require_vault_key(old), require_vault_key(new)):
            raise ConfigError("the new key of the vault is the old one", hint="Make another key")
        with SealedWriter(path, require_vault_key(new)) as target:
            for line in _lines(source):
                target.write(line)
            target.seal()
            _require_equal(source, target.partial, require_vault_key(new))
            target.publish()
            return sum(1 for _ in _lines(source))


def _require_equal(source: SealedReader, path: Path, key: bytes) -> None:
    with SealedReader(path, key) as copy:
        for old, new in zip_longest(_lines(source), _lines(copy)):
            if old != new:
                raise VaultError(f"{path}: the copy differs from the vault. Try again")


@dataclass(frozen=True, slots=True)
class VaultFacts:
    """What may be told of a vault: numbers alone, no ids.

    All but `version` and `bytes` need the key and are None without.
    """

    version: int
    bytes: int
    records: int | None = None
    documents: int | None = None
    mentions: dict[str, int] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the facts as plain JSON values."""
        return {
            "format_version": self.version,
            "bytes": self.bytes,
            "records": self.records,
            "documents": self.documents,
            "mentions_per_label": self.mentions,
        }


def describe_vault(path: Path | str, key: bytes | None = None) -> VaultFacts:
    """Return the facts of a vault; without a key only what anyone can see.

    Raises as `open_vault`.
    """
    path = Path(path)
    version = version_of(read_head(path)[0])
    size = path.stat().st_size
    if key is None:
        return VaultFacts(version, size)
    labels: Counter[str] = Counter()
    names: set[bytes] = set()
    count = 0
    with open_vault(path, key) as vault:
        for record in vault.records():
            count += 1
            names.add(_short(record.document_id))
            labels.update(entry.label for entry in record.entries)
    return VaultFacts(version, size, count, len(names), dict(sorted(labels.items())))


def read_vault_key(
    path: Path | str | None = None, *, variable: str = VAULT_KEY_VARIABLE
) -> bytes | None:
    """Return the key of a vault from a file, else from `SCRUBJAY_VAULT_KEY`, else None.

    Errors are those of `operators.read_key`.
    """
    return read_key(path, variable=variable)


def require_apart(
    *, vault: Path | None, keys: Sequence[Path | None] = (), out: Path | None = None
) -> None:
    """Raise `ConfigError` where vault or key would be handed out with the output.

    Neither may lie in the output folder, and no key in the folder of the vault: who gets the
    one must not get the other.
    """
    folder = out.resolve() if out is not None else None
    for path, what in ((vault, "vault"), *((key, "key of the vault") for key in keys)):
        if path is not None and folder is not None and folder in path.resolve().parents:
            raise ConfigError(f"the {what} lies in the output folder", path=path, hint=_APART)
    for key in keys:
        if key is not None and vault is not None and key.resolve().parent == vault.resolve().parent:
            raise ConfigError("the key lies beside the vault", path=key, hint=_APART)


_APART = "Keep output, vault and key in three places: who gets one must not get the others"


def _placed_lines(file: SealedReader) -> Iterator[tuple[tuple[int, int, int], bytes]]:
    """Yield each line with its place: block, offset in it, and length."""
    pending, begin = bytearray(), (0, 0)
    for number, block in enumerate(file):
        position = 0
        while (cut := block.find(b"\n", position)) >= 0:
            line = bytes(pending + block[position : cut + 1])
            start = begin if pending else (number, position)
            yield (*start, len(line)), line
            pending, position = bytearray(), cut + 1
        if position < len(block):
            begin = begin if pending else (number, position)
            pending += block[position:]
    if pending and file.is_whole:
        raise _broken(file.path)


def _lines(file: SealedReader) -> Iterator[bytes]:
    for _, line in _placed_lines(file):
        yield line


def _decode(line: bytes, path: Path) -> VaultRecord:
    try:
        return decode_record(line)
    except (ValueError, TypeError):
        raise _broken(path) from None


def _broken(path: Path) -> VaultError:
    return VaultError(f"{path}: a record of the vault is malformed. Take the vault from a backup")


def _short(document_id: str) -> bytes:
    """Return a short digest of an id, since there may be millions of them in memory."""
    return hashlib.sha256(document_id.encode("utf-8", "surrogatepass")).digest()[:12]


def _mark(document_id: str, digest: str) -> bytes:
    return _short(f"{digest}{document_id}")
