"""The networks over an encoder within a model: each one's files changed, the others' kept."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.artifacts import Artifact, nest_files
from scrubjay.errors import ConfigError
from scrubjay.taggers.ensemble import KIND, member_artifacts

ENCODER, SEQUENCE = "contextual-encoder.onnx", "sequence.onnx"
"""Files of a network over an encoder: the encoder, and the layers above it."""

Change = Callable[[dict[str, bytes]], dict[str, bytes]]
"""Files of a network by their names -> its files afterwards."""


def change_encoders(artifact: Artifact, change: Change) -> dict[str, bytes]:
    """Return the files of a model, with those of each network over an encoder changed.

    The model is such a network, or an ensemble with such members. Raises `ConfigError` where it
    has none.
    """
    files = {name: artifact.read(name) for name in artifact.manifest.files}
    if ENCODER in files:
        return change(files)
    parts = member_artifacts(artifact) if artifact.manifest.kind == KIND else {}
    encoded = {name: part for name, part in parts.items() if ENCODER in part.manifest.files}
    if not encoded:
        raise ConfigError(f"the model {artifact.manifest.name!r} has no encoder")
    for name, part in encoded.items():
        files |= nest_files(name, part.manifest, change_encoders(part, change))
    return files
