"""What a training costs as the corpus grows: time, processor time and peak memory.

    python benchmarks/training_time.py [PRESET ...] [--documents 125 250 500 1000 2000]

Each runs `scrubjay train` itself, in a process of its own, on so many documents of MEDDOCAN's
train split; beyond its 500 they are copies with other names, places, dates and numbers. The power
tells how the time grows from one size to the next: 1 is in proportion, 2 is with the square.
Writes results/training-time.json, its table and its plot.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice, pairwise
from pathlib import Path
from typing import Any

from harness import CONSOLE, RESULTS, Results, load, read_split, run_scrubjay, write_table
from svg import write_plot

from scrubjay.corpora import write_corpus
from scrubjay.corpora.augmentation import augment, kinds_of, make_swap_lists
from scrubjay.document import Document
from scrubjay.labels import find_label_set

PRESETS = ("zhao2020-crf", "zhao2020-tbed")
SIZES = (125, 250, 500, 1000, 2000)


def documents() -> Iterator[Document]:
    """Yield the documents of the train split, then copies of them with other PHI, without end."""
    real = read_split("meddocan", "train")
    yield from real
    lists = make_swap_lists("es", real)
    labels = kinds_of(find_label_set("meddocan"))
    for seed in count():
        for each in augment(real, lists=lists, seed=seed, labels=labels):
            if "~" in each.id:
                yield replace(each, id=f"{each.id}.{seed}")


def train(preset: str, corpus: Path, out: Path) -> dict[str, Any]:
    """Train a preset; return its times and its peak memory."""
    row = run_scrubjay(
        "train", str(corpus), "--config", preset, "--language", "es",
        "--label-set", "meddocan", "--out", str(out),
    )  # fmt: skip
    return {name: round(value, 1) for name, value in row.items()}


def describe(rows: Sequence[tuple[int, dict[str, Any]]]) -> list[str]:
    """Return the power of the processor time over the documents, from each size to the next."""
    powers = [
        math.log(more["processor"] / less["processor"]) / math.log(large / small)
        for (small, less), (large, more) in pairwise(rows)
    ]
    return ["-", *(f"{power:.2f}" for power in powers)]


def report(results: Results) -> None:
    """Write the table and the plot of all rows."""
    by_preset: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for row in results.rows.values():
        by_preset.setdefault(row["preset"], []).append((row["documents"], row))
    table, lines = [], {}
    for preset, rows in sorted(by_preset.items()):
        rows.sort(key=lambda row: row[0])
        for (size, row), power in zip(rows, describe(rows), strict=True):
            told = (row["characters"], row["seconds"], row["processor"], power, row["peak-mb"])
            table.append((preset, size, *told, row["load"]))
        lines[preset] = [(float(size), row["processor"]) for size, row in rows]
    head = (
        "preset", "documents", "characters", "seconds", "processor s", "power", "peak MB", "load",
    )  # fmt: skip
    write_table("training-time", "scrubjay train: cost over the size of the corpus", head, table)
    write_plot(
        RESULTS / "training-time.svg", "Training over the size of the corpus", lines,
        x="documents", y="processor seconds", logarithmic=True,
    )  # fmt: skip


def main() -> None:
    """Measure and save; rows that are there are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="*", default=list(PRESETS))
    parser.add_argument("--documents", type=int, nargs="+", default=list(SIZES))
    options = parser.parse_args()
    results = Results("training-time")
    with tempfile.TemporaryDirectory() as name:
        for size in options.documents:
            given = list(islice(documents(), size))
            corpus = Path(name) / f"{size}.jsonl"
            write_corpus(given, corpus, format="jsonl")
            for preset in options.presets:
                key = f"{preset} {size} documents"
                if key in results:
                    continue
                before = load()
                row = train(preset, corpus, Path(name) / f"{preset}-{size}")
                facts = {"preset": preset, "documents": size, "load": before}
                facts["characters"] = sum(len(each.text) for each in given)
                results.save(key, {**facts, **row})
                CONSOLE.print(key, row)
                report(results)


if __name__ == "__main__":
    main()
