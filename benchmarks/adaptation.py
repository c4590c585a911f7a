"""Adapting a model to a few notes: strict F1 on en-notes dev against 5 to 100 notes of train.

    python benchmarks/adaptation.py [--written 0] [--sizes 5,10,25,50,100] [--draws 1]

The model that is adapted is a CRF that has seen no note of en-notes, synthetic notes alone; with
`--written N` it has read every N-th of the notes written for this project by others, too, as the
shipped models have. It is trained first, and kept in `--base`. Beside it stands a CRF of the same
configuration that is trained on the same few notes and nothing else. Notes are drawn by a seed;
the larger draws hold the smaller ones. With `--weights 1,4,16` the weight is tried on notes of
train that were not drawn, and dev is not looked at.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness import CONSOLE, RESULTS, ROOT, Results, read_split, score_on, write_table
from left_out import read_written
from svg import write_plot

from scrubjay.artifacts import MANIFEST, load_artifact, save_artifact
from scrubjay.document import Document
from scrubjay.learning.configs import CrfConfig, find_crf_config
from scrubjay.learning.crf import CrfLearner
from scrubjay.learning.crf_adaptation import CrfAdaptation, adapt_crf
from scrubjay.synthesis.generation import generate
from scrubjay.synthesis.noise import noise_rates
from scrubjay.taggers.crf import CrfDetector, load_crf

LABELS, LANGUAGE = "i2b2-2014", "en"

#: The notes that the model to adapt is trained on: `scrubjay synth --language en` with these.
SYNTHETIC: dict[str, Any] = {"count": 300, "seed": 7, "names": "train", "traps": 1.0}
NOISE = "0.3"

#: The way of a model that has read written notes, too.
WRITTEN = "written-adapted"

#: Iterations of L-BFGS for the model to adapt and for those of the notes alone.
ITERATIONS = 40

#: Notes of train to try weights on; they are never adapted to.
HELD_OUT = 60


def make_learner() -> CrfLearner:
    """Return what trains the model to adapt, and those that begin from nothing."""
    config: CrfConfig = find_crf_config("zhao2020-crf")
    config = replace(config, training=replace(config.training, max_iterations=ITERATIONS))
    return CrfLearner(config, language=LANGUAGE, label_set=LABELS, name="en-synthetic")


def find_base(folder: Path, written: int) -> CrfDetector:
    """Return the model to adapt, which is trained where the folder does not hold it yet."""
    if not (folder / MANIFEST).is_file():
        notes = list(generate(LANGUAGE, noise=noise_rates(NOISE), **SYNTHETIC))
        notes += read_written(written) if written else []
        fitted = make_learner().fit(notes)
        save_artifact(folder, fitted.manifest, files=fitted.files())
    return load_crf(load_artifact(folder))


def timed(fit: Callable[[], CrfDetector], test: Sequence[Document]) -> dict[str, Any]:
    """Return the figures of what `fit` gives, with the processor time that it took."""
    began = time.process_time()
    detector = fit()
    seconds = round(time.process_time() - began, 1)
    figures, _ = score_on(detector, test, LABELS)
    return {**figures, "seconds": seconds}


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--written", type=int, default=0, help="Every N-th of the written notes.")
    parser.add_argument("--sizes", default="5,10,25,50,100")
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--weights", default="")
    options = parser.parse_args()
    name = f"adaptation-base-{options.written}" if options.written else "adaptation-base"
    base = find_base(options.base or ROOT / "runs" / name, options.written)
    train = read_split("en-notes", "train")
    sizes = [int(size) for size in options.sizes.split(",")]
    if options.weights:
        try_weights(base, train, sizes, [float(weight) for weight in options.weights.split(",")])
        return
    results = Results("adaptation")
    dev = read_split("en-notes", "dev")
    adapted = WRITTEN if options.written else "adapted"
    if f"0 {adapted}" not in results:
        results.save(f"0 {adapted}", timed(lambda: base, dev))
    for draw in range(options.draws):
        notes = shuffled(train, draw)
        for size in sizes:
            some = notes[:size]
            ways: dict[str, Callable[[], CrfDetector]] = {
                adapted: lambda some=some: adapt_crf(base, some),  # type: ignore[misc]
                "alone": lambda some=some: make_learner().fit(some),  # type: ignore[misc]
            }
            for way, fit in ways.items():
                key = f"{size} {way}" + (f" draw {draw}" if draw else "")
                if key not in results:
                    CONSOLE.print(key)
                    results.save(key, timed(fit, dev), seed=draw)
                    write(results)
    write(results)


def shuffled(train: Sequence[Document], draw: int) -> list[Document]:
    """Return the notes in the order of a draw, without those to try weights on."""
    notes = list(train)
    random.Random(2026).shuffle(notes)
    notes = notes[HELD_OUT:]
    random.Random(draw).shuffle(notes)
    return notes


def try_weights(
    base: CrfDetector, train: Sequence[Document], sizes: Sequence[int], weights: Sequence[float]
) -> None:
    """Save the figures of weights on notes of train that no draw holds."""
    held = list(train)
    random.Random(2026).shuffle(held)
    held = held[:HELD_OUT]
    results = Results("adaptation-weights")
    for size in sizes:
        for weight in weights:
            key = f"{size} notes weight {weight:g}"
            if key not in results:
                some = shuffled(train, 0)[:size]
                settings = CrfAdaptation(weight=weight)
                row = timed(lambda some=some, s=settings: adapt_crf(base, some, s), held)  # type: ignore[misc]
                CONSOLE.print(key, row)
                results.save(key, row)
    rows = [
        (key, *(f"{row[name]:.4f}" for name in ("f1", "binary-token-recall")), row["seconds"])
        for key, row in results.rows.items()
    ]
    head = ("notes", "strict F1", "binary token recall", "seconds")
    write_table("adaptation-weights", "Weights, on notes of train that were not drawn", head, rows)


def write(results: Results) -> None:
    """Write the table, where draws are averaged, and the plot."""
    names = ("f1", "precision", "recall", "binary-token-recall", "seconds")
    mean: dict[tuple[int, str], dict[str, float]] = {}
    for key, row in results.rows.items():
        count, way = key.split()[:2]
        cell = mean.setdefault((int(count), way), {"draws": 0.0} | dict.fromkeys(names, 0.0))
        cell["draws"] += 1
        for name in names:
            cell[name] += row[name] or 0.0
    rows, lines = [], {WRITTEN: list[tuple[float, float]](), "adapted": [], "alone": []}
    for (size, way), cell in sorted(mean.items()):
        figures = [cell[name] / cell["draws"] for name in names]
        rows.append((size, way, *(f"{figure:.4f}" for figure in figures[:4]), f"{figures[4]:.0f}"))
        lines[way].append((float(size), figures[0]))
    head = ("notes", "model", "strict F1", "precision", "recall", "binary token recall", "seconds")
    write_table(
        "adaptation",
        "A CRF of synthetic (and written) notes, adapted to en-notes; on dev",
        head,
        rows,
    )
    write_plot(
        RESULTS / "adaptation.svg", "Adapting to a few notes (en-notes dev)", lines,
        x="notes", y="strict F1",
    )  # fmt: skip


if __name__ == "__main__":
    main()
