"""What is declared in TOML, by its name or its path: configurations and experiments."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from scrubjay.errors import ConfigError
from scrubjay.files import read_text
from scrubjay.resources import resource, table_names


def shipped_names(folder: str) -> tuple[str, ...]:
    """Return the names of the declarations that ship in a folder of the resources, sorted."""
    return table_names(folder)


def read_named(
    name_or_path: str, names: Collection[str], *, kind: str, folder: str, nearest: str = ""
) -> tuple[str, Path | None]:
    """Return a declaration as it is written, and its file, None for one that ships in `folder`.

    `names` are those that ship, `kind` says what they are, and `nearest` offers one of them.
    Raises `ConfigError` for an unknown name and a file that cannot be read.
    """
    if name_or_path in names:
        return resource(folder, f"{name_or_path}.toml").read_text("utf-8"), None
    path = Path(name_or_path)
    article = "an" if kind[0] in "aeiou" else "a"
    instead = f"Or give the name of {article} {kind} that ships: {', '.join(names)}"
    if not path.exists() and (path.suffix == ".toml" or len(path.parts) > 1):
        raise ConfigError("there is no such file", path=name_or_path, hint=instead)
    if path.suffix != ".toml":
        raise ConfigError(
            f"unknown {kind} {name_or_path!r}",
            hint=f"{nearest}Give a TOML file or one of: {', '.join(names)}",
        )
    return read_text(path, kind=ConfigError, hint=instead, newlines=True), path
