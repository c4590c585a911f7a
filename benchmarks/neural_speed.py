"""How fast a recurrent tagger learns and tags, how large it is, and what 8-bit weights change.

    python benchmarks/neural_speed.py train [--config NAME] [--epochs N] [--device NAME]
    python benchmarks/neural_speed.py tag MODEL

`train` times epochs on MEDDOCAN train. `tag` times a saved model on MEDDOCAN dev, from text to
spans, and does the same with 8-bit weights, as `scrubjay models quantize` makes them. Processes
use the cores that they are allowed: run them by `taskset -c 0,1` for two.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from harness import CONSOLE, CORPORA, Results, read_split, score_on, write_table

from scrubjay.artifacts import load_artifact
from scrubjay.document import Document
from scrubjay.learning.bilstm import BilstmLearner
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.configs import find_config
from scrubjay.learning.neural.quantization import quantize
from scrubjay.models import load_model
from scrubjay.taggers._decoding.chain_detector import ChainDetector
from scrubjay.taggers.bilstm import BilstmDetector

CORPUS = "meddocan"
REPEATS = 5


def time_epochs(name: str, *, epochs: int, device: str) -> dict[str, Any]:
    """Train for some epochs without dev and return what each took, in seconds.

    The first one's time holds the encoding of the texts.
    """
    config = find_config(name)
    assert isinstance(config, BilstmConfig)
    config = replace(config, training=replace(config.training, epochs=epochs))
    _, _, label_set, language = CORPORA[CORPUS]
    marks: list[float] = []

    def note(stage: str, share: float) -> None:
        if stage.startswith("train"):
            marks.append(time.monotonic())

    began = time.monotonic()
    learner = BilstmLearner(config, language=language, label_set=label_set, device=device)
    detector = learner.fit(read_split(CORPUS, "train"), progress=note)
    taken = [later - earlier for earlier, later in pairwise(marks)]
    return {
        "tokens": detector.manifest.training_data["tokens"],
        "seconds-by-epoch": [round(seconds, 2) for seconds in taken],
        "seconds-before": round(marks[0] - began, 2),
        "seconds": round(time.monotonic() - began, 2),
        "device": device,
        "cores-allowed": len(os.sched_getaffinity(0)),
    }


def time_tagging(detector: BilstmDetector, dev: list[Document], label_set: str) -> dict[str, Any]:
    """Return tokens per second from text to spans, the size of the model, and its dev figures."""
    tokens = sum(len(detector.tokenizer.tokenize(document.text)) for document in dev)
    seconds = []
    for _ in range(REPEATS + 1):
        began = time.monotonic()
        detector.detect(dev)
        seconds.append(time.monotonic() - began)
    figures, _ = score_on(detector, dev, label_set)
    return {
        "tokens": tokens,
        # The first pass meets every word for the first time.
        "first-tokens-per-second": round(tokens / seconds[0]),
        "tokens-per-second": round(tokens / min(seconds[1:])),
        "seconds": [round(value, 3) for value in seconds],
        "bytes": sum(map(len, detector.files().values())),
        "cores-allowed": len(os.sched_getaffinity(0)),
        **figures,
    }


def tabulate(results: Results) -> None:
    """Write what is there as one table."""
    head = ("run", "cores", "tokens/s", "first pass", "MB", "strict F1", "epoch s", "commit")
    rows = []
    for key, row in results.rows.items():
        taken = row.get("seconds-by-epoch", [])
        later = taken[1:] or taken
        rows.append(
            (
                key,
                row["cores-allowed"],
                row.get("tokens-per-second", ""),
                row.get("first-tokens-per-second", ""),
                f"{row['bytes'] / 1e6:.1f}" if "bytes" in row else "",
                f"{row['f1']:.4f}" if "f1" in row else "",
                f"{sum(later) / len(later):.1f}" if later else "",
                row["run"]["commit"],
            )
        )
    title = "Speed of recurrent taggers on MEDDOCAN (`python benchmarks/neural_speed.py`)"
    write_table("neural-speed", title, head, rows)


def main() -> None:
    """Measure what was asked for anew, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("train", "tag"))
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--config", default="zhao2020-blstm")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    results = Results("neural-speed")
    if options.what == "train":
        row = time_epochs(options.config, epochs=options.epochs, device=options.device)
        results.save(f"train {options.config} {options.device}", row)
        CONSOLE.print(row, highlight=False)
    else:
        label_set = CORPORA[CORPUS][2]
        name = load_artifact(options.model).manifest.name
        detector = load_model(options.model)
        assert isinstance(detector, ChainDetector)
        dev = read_split(CORPUS, "dev")
        for kind, variant in (("float32", detector), ("int8", quantize(detector))):
            row = time_tagging(variant, dev, label_set)
            results.save(f"tag {name} {kind}", row)
            CONSOLE.print(row, highlight=False)
    tabulate(results)


if __name__ == "__main__":
    main()
