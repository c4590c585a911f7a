"""What is noted of every trained network: what decided its training, and how that went."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scrubjay.artifacts import Manifest, encode_json
from scrubjay.document import Document
from scrubjay.learning.epochs import Epoch, epoch_table
from scrubjay.learning.preparation import (
    Configured,
    Prepared,
    TaggerLearner,
    fingerprint,
    make_manifest,
)


def identify_training(
    config: Configured,
    data: Prepared,
    *,
    dev: Sequence[Document],
    seed: int,
    others: Mapping[str, bytes],
) -> dict[str, str]:
    """Return a fingerprint of each thing that decides how a training goes; `others` are named."""
    parts = {
        "configuration": encode_json(config.table()),
        "training corpus": encode_json(data.facts()),
        "dev corpus": fingerprint(dev).encode() if dev else b"",
        "seed": str(seed).encode(),
        **others,
    }
    return {part: hashlib.sha256(content).hexdigest() for part, content in parts.items()}


def make_network_manifest(
    learner: TaggerLearner, data: Prepared, *, seed: int, epochs: Sequence[Epoch], kept: int
) -> Manifest:
    """Return the manifest of a network: that of every tagger, and how it was trained."""
    return replace(
        make_manifest(learner, data, seed=seed),
        metrics={"epochs": epoch_table(epochs), "epoch-kept": kept},
        notes="The weights were fitted to the training data and may hold more of it than words",
    )
