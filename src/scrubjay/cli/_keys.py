"""What is said of files of keys and tokens that others than their owner can read or write."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import typer


def warn_of_open_keys(*files: Path | None) -> None:
    """Warn on standard error of each file of a key that the group or all may read or write.

    It is no error: a system that hands out secrets may mean its group. What is no plain file (a
    pipe of a shell) is passed over, and what cannot be looked at is for its reader to tell.
    """
    for file in dict.fromkeys(files):
        _warn(file, 0o077, "the key can be read by others on this machine")


def warn_of_open_tokens(file: Path | None) -> None:
    """Warn on standard error of a file of tokens that others may write: they can let anybody in."""
    _warn(file, 0o022, "the file of tokens can be changed by others on this machine")


def _warn(file: Path | None, forbidden: int, what: str) -> None:
    if file is None or os.name != "posix":
        return
    try:
        mode = file.stat().st_mode
    except OSError:
        return
    if stat.S_ISREG(mode) and mode & forbidden:
        told = f"{what} (mode {stat.S_IMODE(mode):o}); chmod 600 leaves it to you alone"
        typer.echo(f"warning: {file}: {told}", err=True)
