"""Sizes of memory, as people write them."""

from __future__ import annotations

import re

from scrubjay.errors import ConfigError

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
