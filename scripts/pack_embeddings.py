"""Write a model with an encoder anew, the embeddings of its sub-tokens in 4 bits.

    python scripts/pack_embeddings.py MODEL OUT [--block 16]

MODEL is a name or a folder, of a network over an encoder or an ensemble with such members, OUT a
folder that is not there yet. Blocks of so many numbers share a scale: the smaller they are, the
less is lost and the larger is the model; see `scrubjay.learning.neural.packed_embeddings`. Figures
in the manifest are those before: score the new model before it takes the place of the old one.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from scrubjay.artifacts import Artifact, load_artifact, save_artifact
from scrubjay.learning.neural.encoder_members import ENCODER, change_encoders
from scrubjay.learning.neural.packed_embeddings import BLOCK, pack_embeddings
from scrubjay.models import describe_model


def packed_files(artifact: Artifact, *, block: int) -> dict[str, bytes]:
    """Return the files of a model, with those of its encoders packed.

    Raises `ConfigError` where it has none.
    """
    return change_encoders(
        artifact, lambda files: {**files, ENCODER: pack_embeddings(files[ENCODER], block=block)}
    )


def main() -> None:
    """Read, pack, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("out", type=Path)
    parser.add_argument("--block", type=int, default=BLOCK)
    options = parser.parse_args()
    artifact = load_artifact(describe_model(options.model).folder)
    files = packed_files(artifact, block=options.block)
    save_artifact(options.out, replace(artifact.manifest, files={}), files=files)


if __name__ == "__main__":
    main()
