"""What a training may start from: a file of weights, or a model; and the file of its teacher."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from scrubjay.artifacts import MANIFEST, Artifact, load_artifact
from scrubjay.errors import ConfigError
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.models import SHIPPED, find_model
from scrubjay.taggers.bilstm import KIND
from scrubjay.taggers.ensemble import KIND as ENSEMBLE
from scrubjay.taggers.ensemble import member_artifacts

#: The kinds of configurations whose trainings can start from weights, and save theirs.
STARTING = frozenset({"bilstm", "encoder-bilstm"})


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
    except ConfigError as error:
        if path.is_file():
            return path
        if not str(given):
            raise
        raise ConfigError(
            "there are no weights to start from",
            path=path,
            hint=f"{error.hint}, or a file that --save-weights has written",
        ) from None


def keeps_encoder(config: object, start_from: str | Path | None) -> bool:
    """Tell whether a training is one of what stands above the encoder of a model.

    It is where a network over an encoder starts from a model and no other encoder is given: that
    of the model runs as it is stored. Raises like `find_start`.
    """
    return (
        isinstance(config, EncoderBilstmConfig)
        and not config.encoder.path
        and start_from is not None
        and find_start(start_from).is_dir()
    )


def told_place(folder: Path) -> Path:
    """Return the folder of a model as errors tell it: of a shipped one the name alone."""
    return Path(folder.name) if folder.parent == SHIPPED else folder


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


def describe_start(
    given: str | Path, member: str = "", *, kinds: Collection[str] = STARTING
) -> dict[str, Any]:
    """Return what a manifest tells of a start or teacher: a name without its folders, and a sha256.

    The sha256 is that of the file of weights, or of the manifest of the model. Of an ensemble the
    `member` is told, where one was named; of its networks those of the `kinds` alone are meant.
    What the start had learned from is told, too, if it is known. Raises like `find_network` and
    `load_start`.
    """
    place = find_start(given)
    digest = hashlib.sha256(start_identity(given)).hexdigest()
    told: dict[str, Any] = {"name": place.resolve().name, "sha256": digest}
    if member:
        told["member"] = member
    known = _start_data(place, member, kinds)
    return told | ({"training-data": known} if known else {})


def _start_data(place: Path, member: str, kinds: Collection[str]) -> dict[str, Any]:
    """Return what a model or a file of weights tells of its training, {} for nothing."""
    if place.is_file():
        from scrubjay.learning.neural.starting import load_start

        return dict(load_start(place, look=True).training_data)
    network = find_network(load_artifact(place), kinds, member=member)
    return dict(network.manifest.training_data)


def start_identity(given: str | Path, member: str = "") -> bytes:
    """Return bytes that change when the weights there do, or another member is meant."""
    place = find_start(given)
    content = (place if place.is_file() else place / MANIFEST).read_bytes()
    return content + member.encode()


def find_network(artifact: Artifact, kinds: Collection[str], *, member: str = "") -> Artifact:
    """Return the network of an ensemble whose configuration is of one of these kinds.

    It is the one with the name `member`, or without a name the only one. An ensemble without such
    networks is returned as it is, and so is any other model. Raises `ConfigError` where there are
    several, and for a name that no such network has.
    """
    parts: dict[str, Artifact] = {}
    if artifact.manifest.kind == ENSEMBLE:
        parts = {
            name: part
            for name, part in member_artifacts(artifact).items()
            if part.manifest.kind == KIND and part.manifest.config.get("kind") in kinds
        }
    told = f"Networks of {artifact.manifest.name!r}: {', '.join(parts) or 'none'}"
    if member and member not in parts:
        raise ConfigError(
            f"the model to start from has no member {member!r} that is such a network",
            path=told_place(artifact.folder),
            hint=told if parts else f"{told}. Leave the name of a member out",
        )
    if len(parts) > 1 and not member:
        raise ConfigError(
            f"the model {artifact.manifest.name!r} has several networks to start from",
            path=told_place(artifact.folder),
            hint=f"Name one with --start-member: {', '.join(parts)}",
        )
    return parts[member] if member else next(iter(parts.values()), artifact)
