"""Parcels: the files and folders that a run needs, packed for other machines.

A parcel is one zip file with one file or folder in it, named after a digest of its content, so
that equal content is sent once and other content never takes its place.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.batch.setup import DeidSetup
from scrubjay.errors import ConfigError
from scrubjay.models import shipped_names
from scrubjay.transform.policy import POLICIES

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first time that a zip file can hold


@dataclass(frozen=True, slots=True)
class Parcel:
    """A packed file or folder: the zip file, and where the content is once it is unpacked."""

    archive: Path
    name: str
    content: str

    def unpacked(self, folder: Path) -> Path:
        """Return the place of the content, where the parcel was unpacked to `folder`."""
        return folder / self.content


def pack(path: Path, folder: Path) -> Parcel:
    """Pack a file, or a folder with all that is in it, into a zip file below `folder`.

    The zip file can be read by its owner alone. Raises `ConfigError` for a path that cannot be
    read.
    """
    try:
        files = [(each, _name_in(path, each)) for each in _files(path)]
        digest = hashlib.sha256()
        for file, name in files:
            digest.update(f"{name}\0{file.stat().st_size}\0".encode("utf-8", "surrogateescape"))
            digest.update(file.read_bytes())
        parcel = f"scrubjay-{digest.hexdigest()[:32]}"
        archive = folder / f"{parcel}.zip"
        if not archive.exists():
            _write(archive, files)
    except OSError as error:
        raise ConfigError(f"cannot be packed ({error.strerror})", path=path) from None
    return Parcel(archive, parcel, path.name)


def files_of(setup: DeidSetup) -> dict[str, Path]:
    """Return the files of a setup by the names of its fields, less what the package has."""
    files = {"identifiers": setup.identifiers, "allow": setup.allow, "deny": setup.deny}
    given = {name: path for name, path in files.items() if path is not None}
    if setup.model not in shipped_names():
        given["model"] = Path(setup.model)
    if setup.policy not in POLICIES:
        given["policy"] = Path(setup.policy)
    return {name: path.resolve() for name, path in given.items()}


def place_files(setup: DeidSetup, files: Mapping[str, Path]) -> DeidSetup:
    """Return a setup with other places of its files."""
    names = {name: str(path) for name, path in files.items() if name in ("model", "policy")}
    return replace(setup, **{**files, **names})  # type: ignore[arg-type]


def _write(archive: Path, files: list[tuple[Path, str]]) -> None:
    partial = archive.with_suffix(".partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream, zipfile.ZipFile(stream, "w") as packed:
        for file, name in files:
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = 0o600 << 16
            packed.writestr(entry, file.read_bytes(), zipfile.ZIP_STORED)
    partial.replace(archive)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for each in sorted(path.rglob("*")):
        if each.is_file():
            yield each


def _name_in(path: Path, file: Path) -> str:
    return (Path(path.name) / file.relative_to(path)).as_posix()
