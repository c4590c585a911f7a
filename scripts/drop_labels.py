"""Write a CRF anew without some of its labels, for a training that goes on with fewer.

    python scripts/drop_labels.py MODEL OUT LABEL...

MODEL is a name or a folder, of a CRF alone, OUT a folder that is not there yet. The fewer tags a
model has, the faster it is: rows of scores are padded to a multiple of 16. What bore a label that
goes is found by another, or not at all, until the model has learned anew (`scrubjay adapt`).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scrubjay.artifacts import save_artifact
from scrubjay.errors import ConfigError
from scrubjay.learning.pruning import drop_labels
from scrubjay.models import load_model
from scrubjay.taggers.crf import is_crf


def main() -> None:
    """Read the arguments and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("out", type=Path)
    parser.add_argument("labels", nargs="+", metavar="LABEL")
    options = parser.parse_args()
    detector = load_model(options.model)
    if not is_crf(detector):
        raise ConfigError(f"{options.model!r} is no CRF")
    fewer = drop_labels(detector, frozenset(options.labels))
    save_artifact(options.out, fewer.manifest, files=fewer.files())


if __name__ == "__main__":
    main()
