"""Write a model with an encoder anew, in the operations that `scrubjay models quantize` uses now.

    python scripts/renew_encoder.py MODEL OUT [--norms]

MODEL is a name or a folder, of a network over an encoder in 8 bits or an ensemble with such
members, OUT a folder that is not there yet. Rows of 4 bits are looked up another way, which gives
the same to the bit, and the LSTM above the encoder computes with its 8-bit weights, each window
alone. With --norms the normalizations of the encoder are spelled out, too: sums are added up in
another order, which moves the rounding of 8-bit networks. Weights stay as they are. Figures in the
manifest are those before: score the new model before it takes the place of the old one.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from scrubjay.artifacts import Artifact, load_artifact, save_artifact
from scrubjay.learning.neural.encoder_members import ENCODER, SEQUENCE, change_encoders
from scrubjay.models import describe_model


def renewed_files(artifact: Artifact, *, norms: bool) -> dict[str, bytes]:
    """Return the files of a model, with those of its networks over encoders written anew.

    Raises `ConfigError` where it has none.
    """
    from scrubjay.learning.neural.fast_norms import spell_norms
    from scrubjay.learning.neural.packed_embeddings import pack_embeddings
    from scrubjay.learning.neural.quantization import round_sequence

    def renewed(files: dict[str, bytes]) -> dict[str, bytes]:
        encoder = spell_norms(files[ENCODER]) if norms else files[ENCODER]
        if b"GatherBlockQuantized" in encoder:
            encoder = pack_embeddings(encoder)
        return {**files, ENCODER: encoder, SEQUENCE: round_sequence(files[SEQUENCE])}

    return change_encoders(artifact, renewed)


def main() -> None:
    """Read, turn, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("out", type=Path)
    parser.add_argument("--norms", action="store_true")
    options = parser.parse_args()
    artifact = load_artifact(describe_model(options.model).folder)
    files = renewed_files(artifact, norms=options.norms)
    save_artifact(options.out, replace(artifact.manifest, files={}), files=files)


if __name__ == "__main__":
    main()
