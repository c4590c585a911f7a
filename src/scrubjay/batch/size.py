"""Sizes of memory and of inputs, as people write them and as progress needs them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from scrubjay.corpora.source import STANDARD_INPUT, walk
from scrubjay.errors import ConfigError, unreadable

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([kmgt]?)(i?)b?", re.IGNORECASE)


def parse_size(text: str, *, what: str) -> int:
    """Return the bytes of a size such as "800M", "1.5 GB" or "2GiB"; `what` names it in errors.

    Raises `ConfigError` for what is no size, or none above 0.
    """
    match = _SIZE.fullmatch(text.strip())
    units = _BINARY if match and match[3] else _UNITS
    if match is None or match[2].lower() not in units or not float(match[1]):
        raise ConfigError(
            f"{what} is no size: {text!r}", hint="Give a number and a unit, such as 800M or 2G"
        )
    return int(float(match[1]) * units[match[2].lower()])


def input_bytes(paths: Sequence[str]) -> int | None:
    """Return the size of all files at some paths, None where that cannot be told beforehand.

    Raises `InputError` for a file that is not there, such as a link to nothing.
    """
    total = 0
    for path in paths:
        place = Path(path)
        if path == STANDARD_INPUT or not place.exists():
            return None
        files = walk(place) if place.is_dir() else [(place, place.name)]
        total += sum(_size(file) for file, _ in files)
    return total


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError as error:
        raise unreadable(file, error) from None
