"""Writing configurations as TOML; `tomllib` reads and does not write."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_toml(table: Mapping[str, Any]) -> str:
    """Return a table as TOML, which `tomllib` reads back to the same one.

    Values are strings, truths, finite numbers, lists and tables. Raises `TypeError` for others.
    """
    return "\n".join(_lines(table, ())) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    deeper: list[tuple[str, Any]] = []
    for key, value in table.items():
        if isinstance(value, Mapping) or _is_tables(value):
            deeper.append((key, value))
        else:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in deeper:
        below = (*path, key)
        name = ".".join(map(_key, below))
        for entry in [value] if isinstance(value, Mapping) else value:
            yield ""
            yield f"[{name}]" if isinstance(value, Mapping) else f"[[{name}]]"
            yield from _lines(entry, below)


def _is_tables(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(entry, Mapping) for entry in value)
    )


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    if isinstance(value, list | tuple):
        inner = [_value(entry) for entry in value]
        text = f"[{', '.join(inner)}]"
        if len(text) <= 88:
            return text
        return "[\n" + "".join(f"  {entry},\n" for entry in inner) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    raise TypeError(f"no value of TOML: {type(value).__name__}")


def _string(text: str) -> str:
    # JSON's escapes are TOML's, but for the slash, which JSON does not escape, and DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
