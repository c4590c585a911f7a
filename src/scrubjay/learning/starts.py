"""What a training may start from: a file of weights, or a model; and the file of its teacher."""

from __future__ import annotations

import hashlib
from pathlib import Path

from scrubjay.artifacts import MANIFEST
from scrubjay.errors import ConfigError
from scrubjay.models import find_model


def find_start(given: str | Path) -> Path:
    """Return the file of weights or the folder of the model that is meant.

    A shipped name wins over a file or folder of that name; write `./en` for those. Raises
    `ConfigError` where there is neither.
    """
    path = Path(given)
    if str(given) != path.name and path.is_file():
        return path
    try:
        return find_model(given)
    except ConfigError:
        if path.is_file():
            return path
        raise ConfigError(
            "there are no weights to start from",
            path=path,
            hint="Give a file that --save-weights has written, or a model by its name or folder",
        ) from None


def find_teacher(path: Path) -> Path:
    """Return the place of a teacher's weights; raises `ConfigError` where there is no file."""
    if not path.is_file():
        raise ConfigError(
            "there are no weights of a teacher",
            path=path,
            hint="Give a file that --save-weights has written",
        )
    # A path that begins at the root is no name of a model.
    return path.absolute()


def describe_start(given: str | Path) -> dict[str, str]:
    """Return what a manifest tells of a start or teacher: a name without its folders, and a sha256.

    The sha256 is that of the file of weights, or of the manifest of the model.
    """
    digest = hashlib.sha256(start_identity(given)).hexdigest()
    return {"name": find_start(given).resolve().name, "sha256": digest}


def start_identity(given: str | Path) -> bytes:
    """Return bytes that change when the weights there do."""
    place = find_start(given)
    return (place if place.is_file() else place / MANIFEST).read_bytes()
