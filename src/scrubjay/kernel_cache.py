"""What numba has kept of a kernel: sealed files, read anywhere, compiled by one process at a time.

Its files are code, so each has a digest before it, and none is read from a folder that others may
write to.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

#: Seconds that a process waits for another one that compiles.
_PATIENCE = 60.0

_DIGEST = 32
_PACKAGE = Path(__file__).parent


def were_compiled(module: str, kernel: str) -> bool:
    """Tell whether numba kept a kernel, compiled by this Python for this processor.

    Where it stands in its source tells that it is the kernel as it is now.
    """
    lines = (_PACKAGE / module).read_text("utf-8").splitlines()
    line = next((n for n, text in enumerate(lines, 1) if text.startswith(f"def {kernel}(")), 0)
    if line > 1 and lines[line - 2] == "@compiled":
        line -= 1  # a function begins with what it is wrapped in
    version = "".join(map(str, sys.version_info[:2]))
    name = f"{Path(module).stem}.{kernel}-{line}.py{version}.nbi"  # as numba names it
    return any(_processor() in _content(folder / name) for folder in _folders(_PACKAGE / module))


def _content(path: Path) -> bytes:
    """Return what a file holds, nothing of one that is not there, or is somebody else's to read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


@cache
def _processor() -> bytes:
    """Return the name of the processor that numba compiles for, as the index of a kernel has it."""
    if name := os.environ.get("NUMBA_CPU_NAME"):
        return name.encode("ascii")
    try:
        from llvmlite.binding import get_host_cpu_name
    except Exception:  # a broken package may raise anything
        return b"none that can be told"
    host: str = get_host_cpu_name()
    return host.encode("ascii")


def _folders(file: Path) -> Iterator[Path]:
    """Yield where numba may keep the kernels of a file: it takes the first it can write to.

    What is kept is code. So beside the file, where whoever can write can write the package, too,
    it is always read, and elsewhere in no folder that others can write to.
    """
    return filter(is_safe, _all_folders(file))


def is_safe(folder: Path) -> bool:
    """Tell whether nobody can have put code in a folder but who runs or has installed this."""
    if folder.name == "__pycache__" or not hasattr(os, "geteuid"):
        return True
    try:
        found = folder.stat()
    except OSError:  # it is not there yet
        return True
    owners = (0, os.geteuid(), _PACKAGE.stat().st_uid)
    return found.st_uid in owners and not found.st_mode & stat.S_IWOTH


def _all_folders(file: Path) -> Iterator[Path]:
    home = file.parent
    name = f"{home.name}_{hashlib.sha1(str(home).encode(), usedforsecurity=False).hexdigest()}"
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(given) / name
    yield home / "__pycache__"
    user = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    user = "~/Library/Caches" if sys.platform == "darwin" else user
    yield Path(os.path.expanduser(user)) / "numba" / name  # noqa: PTH111  # fine without a home


@dataclass
class Tally:
    """How many kernels this process compiled, loaded, and compiled without being able to keep them.

    One kernel counts for each kind of its arguments. Those that another one calls are part of it.
    """

    compiled: int = 0
    loaded: int = 0
    lost: int = 0
    kept: int = 0
    """How many were kept, with those that are part of others: what `count_kept` counts."""
    folders: set[Path] = field(default_factory=set)
    """Where they are kept: the folder of this package, or one of caches."""

    @property
    def used(self) -> int:
        """Return how many kernels this process has."""
        return self.compiled + self.loaded

    def note(self, path: str) -> None:
        """Note the folder that a kernel is kept in."""
        folder = Path(path)
        self.folders.add(_PACKAGE if folder.is_relative_to(_PACKAGE) else folder.parent)


TALLY = Tally()


@cache
def _sealed(kind: Any) -> Any:
    """Return numba's files of a kernel with a digest before each, of it and of what it is kept for.

    One bit that is not as it was ends the process, or, worse, has the kernel find less.
    """

    class Sealed(kind):  # type: ignore[misc]
        def save(self, key: Any, data: Any) -> None:
            self._kept_for = repr(key).encode()
            super().save(key, data)

        def load(self, key: Any) -> Any:
            self._kept_for = repr(key).encode()
            return super().load(key)

        def _digest(self, content: bytes) -> bytes:
            return hashlib.sha256(self._kept_for + content).digest()

        def _save_data(self, name: str, data: Any) -> None:
            content = self._dump(data)
            with self._open_for_write(self._data_path(name)) as stream:
                stream.write(self._digest(content) + content)

        def _load_data(self, name: str) -> Any:
            sealed = Path(self._data_path(name)).read_bytes()
            content = sealed[_DIGEST:]
            if self._digest(content) != sealed[:_DIGEST]:
                raise ValueError("a kernel that is not as it was kept")
            return pickle.loads(content)

    return Sealed


class KernelCache:
    """What numba keeps of a kernel, as it asks for it: read anywhere, compiled by one at a time."""

    def __init__(self, own: Any, others: Sequence[Any]) -> None:
        self._own = own
        self._all = (*others, own) if own is not None else (*others,)
        for each in self._all:
            kind: Any = type(each._cache_file)
            each._cache_file.__class__ = _sealed(kind)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return a kernel that was kept; None begins a turn to compile it, until it is saved."""
        found = self._load(signature, context)
        if found is None:
            _TURN.begin(alone=self._own is not None)
            found = self._load(signature, context)  # another process may have compiled it
            if found is None:
                return None
            _TURN.end()
        TALLY.loaded += not _TURN.is_on
        return found

    def _load(self, signature: Any, context: Any) -> Any:
        for each in self._all:
            found = None
            with suppress(Exception):  # damaged, or somebody else's to read: compiled anew
                found = each.load_overload(signature, context)
            if found is not None:
                TALLY.note(each.cache_path)
                return found
        return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a kernel that was compiled; where there is no room, it is there for this process."""
        try:
            if self._own is None:
                raise OSError
            try:
                self._own._cache_file._load_index()
            except Exception:  # damaged
                self._own.flush()
            self._own.save_overload(signature, data)
            TALLY.kept += 1
            TALLY.note(self._own.cache_path)
        except OSError:
            TALLY.lost += 1
        finally:
            TALLY.compiled += _TURN.end()

    def count_kept(self, context: Any) -> int:
        """Return for how many kinds of arguments the kernel is kept."""
        processor = context.codegen().magic_tuple()
        kept = set()
        for each in self._all:
            with suppress(Exception):  # as in loading
                kept.update(each._cache_file._load_index())
        return sum(key[1] == processor for key in kept)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)


class _Turn:
    """The turn to compile, which one process of an installation has at a time.

    numba has one thread of a process compile at a time. A kernel may have others compiled.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._handle: int | None = None
        self._patience = _PATIENCE

    @property
    def is_on(self) -> bool:
        """Tell whether this process compiles."""
        return self._depth > 0

    def begin(self, *, alone: bool) -> None:
        """Begin to compile a kernel; `alone` waits until no other process does."""
        self._depth += 1
        if alone and self._handle is None:
            self._handle = self._wait()

    def end(self) -> bool:
        """End that; tell whether it was no part of another kernel."""
        self._depth -= 1
        if not self._depth and self._handle is not None:
            os.close(self._handle)
            self._handle = None
        return not self._depth

    def _wait(self) -> int | None:
        """Return the lock; None where there are none, or another process has it for too long."""
        try:
            import fcntl

            handle = os.open(_PACKAGE, os.O_RDONLY)
        except (ImportError, OSError):
            return None
        end = time.monotonic() + self._patience
        try:
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    if time.monotonic() > end:
                        raise
                    time.sleep(0.05)
                else:
                    return handle
        except OSError:
            self._patience = 0.0
            os.close(handle)
            return None


_TURN = _Turn()


def other_caches(kind: Any, function: Callable[..., Any], own: Any) -> list[Any]:
    """Return caches of numba that read what it kept of a kernel where it would not look.

    `kind` is numba's class of caches of functions, `own` the one that it keeps the kernel in.
    """
    made = kind._impl_class
    own_path = None if own is None else Path(own.cache_path)
    found = []
    for folder in _folders(Path(function.__code__.co_filename)):
        if folder == own_path or not folder.is_dir():
            continue
        place = type("Place", (made._locator_classes[1],), {
            "ensure_cache_path": lambda self: None,
            "get_cache_path": lambda self, folder=folder: str(folder),
        })  # fmt: skip
        read = type("Read", (made,), {"_locator_classes": [place]})
        found.append(type("Cache", (kind,), {"_impl_class": read})(function))
    return found
