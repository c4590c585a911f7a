"""Folders of Parquet parts: hive-style partitions, and the live files of a Delta table.

A folder with a `_delta_log` is read as Delta says: the files that its log added and did not
remove, in the order of their paths. Other folders are read file by file; files and folders whose
names begin with `_` are marks of programs that wrote them, no parts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from scrubjay.corpora.walking import walk
from scrubjay.errors import FormatError, unreadable
from scrubjay.files import read_text

DELTA_LOG = "_delta_log"
_COMMIT = re.compile(r"([0-9]{20})\.json")
_CHECKPOINT = re.compile(r"([0-9]{20})\.checkpoint\.parquet")


def is_delta(folder: Path | str) -> bool:
    """Tell whether a folder is a Delta table; raises `InputError` for one that cannot be read."""
    try:
        return (Path(folder) / DELTA_LOG).is_dir()
    except PermissionError as error:
        raise unreadable(folder, error) from None


def parquet_parts(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the parts of a folder with their paths below it, sorted by the parts of the path.

    Raises `FormatError` for a Delta table inside the folder, and for a Delta table whose log is
    broken, names files that are not there, or needs more than reading whole files.
    """
    if is_delta(folder):
        for relative in live_files(folder):
            yield folder / relative, relative
        return
    for path, relative in walk(folder):
        names = relative.split("/")
        if DELTA_LOG in names[:-1]:
            raise FormatError(
                "a Delta table lies inside the folder",
                path=folder / relative.partition(f"/{DELTA_LOG}/")[0],
                hint="Give the folder of the table itself: files that are not live would be read",
            )
        if not any(name.startswith("_") for name in names):
            yield path, relative


def files_beside(folder: Path, suffixes: tuple[str, ...]) -> Iterator[str]:
    """Yield the paths of the files of a Delta table that are neither its parts nor its marks.

    Old parts, which its log has removed, are known by their `suffixes`.
    """
    for path, relative in walk(folder):
        marked = any(name.startswith("_") for name in relative.split("/"))
        if not marked and not path.name.lower().endswith(suffixes):
            yield relative


def live_files(folder: Path) -> list[str]:
    """Return the paths of the live files of a Delta table, below its folder, sorted."""
    log = folder / DELTA_LOG
    live: set[str] = set()
    for place, action in _actions(log):
        _require_plain(action, place)
        removed, added = action.get("remove"), action.get("add")
        if isinstance(removed, Mapping):
            live.discard(_path_of(removed, place))
        if isinstance(added, Mapping):
            live.add(_path_of(added, place))
    for relative in sorted(live):
        if not (folder / relative).is_file():
            raise FormatError(
                "a live file of the Delta table is not there",
                path=folder / relative,
                hint="The table is broken, or was copied in part",
            )
    return sorted(live, key=lambda relative: relative.split("/"))


def _actions(log: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield the actions of the log from the last checkpoint on, in order, each with its file."""
    try:
        names = sorted(path.name for path in log.iterdir())
    except OSError as error:
        raise unreadable(log, error) from None
    commits = {int(found[1]): name for name in names if (found := _COMMIT.fullmatch(name))}
    whole = {int(found[1]): name for name in names if (found := _CHECKPOINT.fullmatch(name))}
    first = 0
    if 0 not in commits and whole:
        from scrubjay.corpora.arrow import read_actions

        first = max(whole) + 1
        yield from ((log, action) for action in read_actions(log / whole[first - 1]))
    later = [version for version in sorted(commits) if version >= first]
    if later != list(range(first, first + len(later))) or (not later and not first):
        raise FormatError(
            "the Delta log has a gap",
            path=log,
            hint="Read the table with its own tools and write plain Parquet parts",
        )
    for version in later:
        path = log / commits[version]
        for action in _lines(path):
            yield path, action


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    lines = read_text(path, kind=FormatError, hint="The log of the Delta table is broken")
    for number, line in enumerate(lines.splitlines(), start=1):
        if not line.strip():
            continue
        action: Any
        try:
            action = json.loads(line)
        except (ValueError, RecursionError):
            action = None
        if not isinstance(action, dict):
            raise FormatError("not valid JSON", path=path, place=f"line {number}")
        yield action


def _require_plain(action: Mapping[str, Any], place: Path) -> None:
    """Raise `FormatError` for features that change what the bytes of a file mean."""
    if action.get("sidecar"):
        raise FormatError(
            "the checkpoint of the Delta log lists files in further files",
            path=place,
            hint="Read the table with its own tools and write plain Parquet parts",
        )
    added, metadata = action.get("add"), action.get("metaData")
    if isinstance(added, Mapping) and added.get("deletionVector"):
        raise FormatError(
            "the Delta table has deletion vectors: its files hold rows that were deleted",
            path=place,
            hint="Rewrite the table first (REORG TABLE ... APPLY (PURGE))",
        )
    settings = metadata.get("configuration") if isinstance(metadata, Mapping) else None
    # A map is a list of pairs in a checkpoint.
    settings = dict(settings or ())
    if settings.get("delta.columnMapping.mode", "none") != "none":
        raise FormatError(
            "the Delta table maps its columns: its files do not have their names",
            path=place,
            hint="Read the table with its own tools and write plain Parquet parts",
        )


def _path_of(action: Mapping[str, Any], place: Path) -> str:
    path = unquote(str(action.get("path") or ""))
    if not path or path.startswith("/") or ":" in path.split("/")[0] or ".." in path.split("/"):
        raise FormatError("the Delta log names a file outside the folder of the table", path=place)
    return path
