"""Sealed files: a stream of bytes under authenticated encryption, in blocks of one size.

    magic, format version, salt, check | block | block | ... | last block

Each block is encrypted by AES-256-GCM with its number and whether it is the last one as nonce,
and the head of the file as associated data: a block that is altered, moved, left out, or comes
from another file is found out. The key of a file is drawn from the user's by scrypt with the
salt of the file, so that no two files share one. Without the key a file tells how long it is,
in blocks, and nothing else.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from scrubjay.errors import (
    FullDiskError,
    MissingExtraError,
    OutputError,
    VaultError,
    WorkerError,
    unwritable,
)
from scrubjay.files import lock
from scrubjay.transform.operators import require_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAGIC = b"SCRUBJAY-VAULT"
FORMAT_VERSION = 2
SCRYPT_COST = 2**17  # 128 MiB and nearly half a second: a pass phrase is slow to try out
_OLD_COSTS = {1: 2**15}
"""What versions before took, which are read as well."""
CAPACITY = 1022
"""The bytes of the stream that a block holds at most."""

_SALT, _TAG = 32, 16
_HEAD = len(MAGIC) + 2 + _SALT
_BLOCK = 2 + CAPACITY + _TAG
_CHECK_NUMBER = 2**64 - 1  # the nonce of no block
KeptBy = Literal["nothing", "interrupts", "errors"]
"""What may end a run so that a later one can go on with its file; errors include interrupts."""

# A full disk, and workers that are lost for good, are as little the run's own fault.
_INTERRUPTS = (KeyboardInterrupt, SystemExit, GeneratorExit, FullDiskError, WorkerError)
_KEPT_BY: dict[KeptBy, tuple[type[BaseException], ...]] = {
    "nothing": (),
    "interrupts": _INTERRUPTS,
    "errors": (BaseException,),
}
_SYNC_SECONDS = 1.0
_BEGUN = (
    "It may be another run's. Where that was killed, go on with scrubjay deid --resume, or begin "
    "anew with --restart; what a killed rotation left may be removed"
)


class SealedWriter:
    """Writes a sealed file beside its place and moves it there when it is whole.

    Until `publish` the blocks lie in the file `partial`, which only the owner may read. Used in
    a `with` statement: what is not published is thrown away where the block ends, unless it
    ends by what `kept_by` names; then `take_killed` finds it.
    """

    def __init__(self, path: Path, key: bytes, *, kept_by: KeptBy = "nothing") -> None:
        """Raise `OutputError` where the place cannot be written or another run writes there."""
        self.path = path
        self.partial = partial_of(path)
        self._kept_by = kept_by
        if kept_by != "errors" and _aside_of(path).exists():
            raise OutputError("the vault is being written", path=_aside_of(path), hint=_BEGUN)
        salt = os.urandom(_SALT)
        self._head = MAGIC + FORMAT_VERSION.to_bytes(2, "big") + salt
        self._cipher = _cipher(key, salt, FORMAT_VERSION)
        self._number = 0
        self._buffer = bytearray()
        self._synced = time.monotonic()
        self._stream: BinaryIO | None = _create(self.partial)
        _lock(self._stream)
        # Buffered: a full disk is told by the first block, inside the `with` statement.
        self._put(self._head + _check(self._cipher, self._head))

    def __enter__(self) -> SealedWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self._stream is not None:
            with suppress(OSError):
                self._stream.close()
            self._stream = None
            kept = _KEPT_BY[self._kept_by]
            if kind is None or not issubclass(kind, kept):
                self.partial.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Append bytes to the stream; they are on disk after `flush` or `seal`."""
        self._buffer += data
        while len(self._buffer) > CAPACITY:
            self._seal(bytes(self._buffer[:CAPACITY]), last=False)
            del self._buffer[:CAPACITY]

    def flush(self) -> None:
        """Make all that was written safe from a kill, in a block of its own where it fills none.

        It is safe from a failure of the machine within a second, and after `seal`.
        """
        if self._buffer:
            self._seal(bytes(self._buffer), last=False)
            self._buffer.clear()
        self._sync(late=time.monotonic() - self._synced >= _SYNC_SECONDS)

    def seal(self) -> None:
        """Seal the last block; nothing can be written any more."""
        self._seal(bytes(self._buffer), last=True)
        self._buffer.clear()
        self._sync(late=True)

    def publish(self) -> None:
        """Move the sealed file to its place, replacing what is there."""
        assert self._stream is not None, "the vault is closed"
        self._stream.close()
        self._stream = None
        try:
            self.partial.replace(self.path)
        except OSError as error:
            if self._kept_by != "errors":
                self.partial.unlink(missing_ok=True)
            raise _unwritable(self.path, error) from None

    def _seal(self, data: bytes, *, last: bool) -> None:
        plain = len(data).to_bytes(2, "big") + data.ljust(CAPACITY, b"\0")
        self._put(self._cipher.encrypt(_nonce(self._number, last=last), plain, self._head))
        self._number += 1

    def _put(self, data: bytes) -> None:
        assert self._stream is not None, "the vault is closed"
        try:
            self._stream.write(data)
        except OSError as error:
            raise _unwritable(self.partial, error) from None

    def _sync(self, *, late: bool) -> None:
        assert self._stream is not None, "the vault is closed"
        try:
            self._stream.flush()
            if late:
                os.fsync(self._stream.fileno())
                self._synced = time.monotonic()
        except OSError as error:
            raise _unwritable(self.partial, error) from None


class SealedReader:
    """Reads a sealed file block by block; used in a `with` statement.

    Raises `VaultError` when it is made for a file that is none, is of another version, or was
    written with another key, and while reading for a block that was altered.
    """

    def __init__(self, path: Path, key: bytes, *, whole: bool = True) -> None:
        """With `whole=False` the file may end after any block, as one of a killed run does."""
        self.path = path
        self.is_whole = whole
        head, blocks = read_head(path)
        if whole and (blocks != int(blocks) or blocks < 1):
            raise VaultError(f"{path}: the vault is truncated. {_RESTORE}")
        self.blocks = int(blocks)
        self._head = head[:_HEAD]
        self._cipher = _cipher(key, head[len(MAGIC) + 2 : _HEAD], version_of(head))
        if _opens(self._cipher, _CHECK_NUMBER, False, head[_HEAD:], self._head) is None:
            raise VaultError(
                f"{path}: this is not the key that the vault was written with, or the head of "
                "the file was altered. Give the key that scrubjay deid was run with, or the one "
                "that the vault was rotated to"
            )
        self._stream = path.open("rb")

    def __enter__(self) -> SealedReader:
        return self

    def __exit__(self, *error: object) -> None:
        self._stream.close()

    def read(self, number: int) -> bytes:
        """Return the bytes of a block, from 0; raises `VaultError` where it was altered."""
        self._stream.seek(_HEAD + _TAG + number * _BLOCK)
        sealed = self._stream.read(_BLOCK)
        last = self.is_whole and number == self.blocks - 1
        plain = _opens(self._cipher, number, last, sealed, self._head)
        if plain is None and not self.is_whole:
            # Killed while it moved the file to its place: the last block is sealed as such.
            plain = _opens(self._cipher, number, True, sealed, self._head)
        if plain is None:
            raise VaultError(
                f"{self.path}: block {number} of {self.blocks} was altered, or the file is "
                f"truncated. {_RESTORE}"
            )
        return plain[2 : 2 + int.from_bytes(plain[:2], "big")]

    def __iter__(self) -> Iterator[bytes]:
        for number in range(self.blocks):
            yield self.read(number)


_RESTORE = "Take the vault from a backup"
_KEY_HINT = (
    "Give a key file (--vault-key) or set SCRUBJAY_VAULT_KEY. A key for a new vault: "
    'python -c "import secrets; print(secrets.token_hex(32))"'
)


def partial_of(path: Path) -> Path:
    """Return where the blocks of a vault lie while it is written."""
    return path.with_name(f".{path.name}.partial")


def take_killed(path: Path) -> Path | None:
    """Return what a killed run left of a vault, moved aside, None where it left nothing.

    A file that is aside already is the whole one: a run was killed while it copied it. Raises
    `OutputError` where a run is under way, or the file cannot be moved.
    """
    partial, aside = partial_of(path), _aside_of(path)
    try:
        if partial.exists():
            with partial.open("rb") as stream:
                _lock(stream)
        if aside.exists():
            partial.unlink(missing_ok=True)
        elif partial.exists():
            partial.replace(aside)
        if not aside.exists():
            return None
        if aside.stat().st_size < _HEAD + _TAG:
            aside.unlink()
            return None
    except OSError as error:
        raise _unwritable(partial, error) from None
    return aside


def _lock(stream: BinaryIO) -> None:
    """Raise `OutputError` where another run has locked a file that is to be written."""
    if not lock(stream):
        raise OutputError(
            "another run writes to the vault now", path=Path(stream.name), hint="Wait for it"
        )


def _aside_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.resumed")


def version_of(head: bytes) -> int:
    """Return the format version that the head of a sealed file tells."""
    return int.from_bytes(head[len(MAGIC) : len(MAGIC) + 2], "big")


def read_head(path: Path) -> tuple[bytes, float]:
    """Return the head of a sealed file and the number of its blocks; no key is needed.

    Raises `VaultError` for a file that cannot be read, is no vault, or is of another version.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD + _TAG)
        size = path.stat().st_size
    except OSError as error:
        raise VaultError(
            f"{path}: the vault cannot be read ({error.strerror or type(error).__name__}). "
            "Give a file written by scrubjay deid --vault"
        ) from None
    if not head.startswith(MAGIC):
        raise VaultError(f"{path}: not a vault. Give a file written by scrubjay deid --vault")
    version = version_of(head)
    if len(head) < _HEAD + _TAG:
        raise VaultError(f"{path}: the vault is truncated. {_RESTORE}")
    if version not in (*_OLD_COSTS, FORMAT_VERSION):
        read = " and ".join(map(str, (*_OLD_COSTS, FORMAT_VERSION)))
        raise VaultError(
            f"{path}: a vault of version {version}, but this release reads {read}. "
            "Install the Scrubjay release that wrote it"
        )
    return head, (size - len(head)) / _BLOCK


def require_vault_key(key: bytes | None) -> bytes:
    """Return the key, or raise `ConfigError` where it is missing or too short."""
    require_key(key or b"", "the vault needs", hint=_KEY_HINT)
    return key or b""


def _cipher(key: bytes, salt: bytes, version: int) -> AESGCM:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError:
        raise MissingExtraError("cryptography", "vault") from None
    cost = _OLD_COSTS.get(version, SCRYPT_COST)
    secret = hashlib.scrypt(
        require_vault_key(key), salt=salt, n=cost, r=8, p=1, dklen=32, maxmem=2**28
    )
    return AESGCM(secret)


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(8, "big") + (b"\0\0\0\1" if last else b"\0\0\0\0")


def _check(cipher: AESGCM, head: bytes) -> bytes:
    return cipher.encrypt(_nonce(_CHECK_NUMBER, last=False), b"", head)


def _opens(cipher: AESGCM, number: int, last: bool, sealed: bytes, head: bytes) -> bytes | None:
    """Return what was sealed, None where the seal is broken."""
    from cryptography.exceptions import InvalidTag

    try:
        return cipher.decrypt(_nonce(number, last=last), sealed, head)
    except (InvalidTag, ValueError):
        return None


def _create(partial: Path) -> BinaryIO:
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    try:
        return os.fdopen(os.open(partial, flags, 0o600), "wb")
    except FileExistsError:
        raise OutputError("the vault is being written", path=partial, hint=_BEGUN) from None
    except OSError as error:
        raise _unwritable(partial, error) from None


def _unwritable(path: Path, error: OSError) -> OutputError:
    hint = "Choose a place that can be written"
    return unwritable(path, error, what="the vault", hint=hint)
