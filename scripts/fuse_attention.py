"""Write a model with an encoder anew, each attention of the encoder as one operation.

    python scripts/fuse_attention.py MODEL OUT

MODEL is a name or a folder, OUT a folder that is not there yet. The weights stay as they are; see
`scrubjay.learning.neural.fused_attention`. Sums are added up in another order, which moves the
rounding of 8-bit networks: score the new model before it takes the place of the old one.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from scrubjay.artifacts import load_artifact, save_artifact
from scrubjay.learning.neural.fused_attention import fuse_attention
from scrubjay.models import describe_model

ENCODER = "contextual-encoder.onnx"


def main() -> None:
    """Read, fuse, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    artifact = load_artifact(describe_model(options.model).folder)
    manifest = artifact.manifest
    files = {name: artifact.read(name) for name in manifest.files}
    files[ENCODER] = fuse_attention(files[ENCODER])
    save_artifact(options.out, replace(manifest, files={}), files=files)


if __name__ == "__main__":
    main()
