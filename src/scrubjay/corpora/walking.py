"""The files below a folder, in order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from scrubjay.errors import InputError, unreadable


def walk(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file below a folder with its relative path, sorted by the parts of the path.

    Names that begin with a dot are passed over, files and folders alike. Only one folder per
    level is in memory, so that a corpus of millions of files streams. Raises `InputError` for
    a link to a folder that it lies in, and for what is neither file nor folder: reading a pipe
    could wait for ever.
    """
    yield from _walk(root, "", ())


def _walk(folder: Path, prefix: str, above: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    try:
        place = os.path.realpath(folder)
        with os.scandir(folder) as entries:
            found = sorted((entry.name, *_kind(entry)) for entry in entries)
    except OSError as error:
        raise unreadable(folder, error) from None
    if place in above:
        raise InputError("links to a folder that it lies in", path=folder, hint="Remove the link")
    for name, is_folder, is_readable in found:
        if name.startswith("."):
            continue
        if is_folder:
            yield from _walk(folder / name, f"{prefix}{name}/", (*above, place))
        elif is_readable:
            yield folder / name, prefix + name
        else:
            raise InputError("is neither a file nor a folder", path=folder / name)


def _kind(entry: os.DirEntry[str]) -> tuple[bool, bool]:
    """Tell whether an entry is a folder, and whether it is one or a file.

    A link to nothing, or to itself, counts as a file: opening it tells.
    """
    try:
        is_folder = entry.is_dir()
        return is_folder, is_folder or entry.is_file() or not Path(entry).exists()
    except OSError:
        return False, True
