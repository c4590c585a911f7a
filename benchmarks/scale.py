"""What `scrubjay deid` needs as the input grows: memory, workers, one large document.

    python benchmarks/scale.py memory [--sizes 1000 2000 20000 50000] [--characters 300]
    python benchmarks/scale.py workers [--documents 4000]
    python benchmarks/scale.py large [--megabytes 1.25 2.5 5 10]

Each runs the command itself, file to file, in a process of its own, over the texts of the train
split of en-notes again and again, each under an id of its own.

`memory` tells the peak memory of the process (or of the largest, with `--workers`). With
`--characters` texts are cut to that length, so that very many documents take little time; what
grows with the number of documents alone is the same.

`workers` runs one process and two, in turn, and tells the wall time, that of the processors for
all processes together, and whether the outputs are the same, byte for byte. The bound is what the
processor times allow where nothing else runs: 2 x one / two. The load of the machine beforehand is
told with each row.

`large` joins texts to one document on one line. Time and memory over its length tell whether they
grow with it, or with its square.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness import CONSOLE, Results, load, read_split, run_scrubjay, write_table

KEY = "a key that guards open text alone, never a real one"


def run_deid(source: Path, out: Path, *options: str) -> dict[str, Any]:
    """Run the command; return its times, its peak memory and its summary."""
    summary = out.with_suffix(".json")
    words = ("deid", str(source), "--out", str(out), "--summary", str(summary), *options)
    row = run_scrubjay(*words, ends=(0, 1), SCRUBJAY_KEY=KEY)
    facts = json.loads(summary.read_text("utf-8"))
    told = ("documents", "failed", "characters")
    rounded = {name: round(value, 2) for name, value in row.items()}
    return {**{name: facts[name] for name in told}, **rounded, "deid-seconds": facts["seconds"]}


def texts(characters: int | None = None) -> Iterator[str]:
    """Yield the texts of the corpus without end."""
    documents = read_split("en-notes", "train")
    while True:
        for document in documents:
            yield document.text[:characters]


def write_notes(path: Path, documents: int, characters: int | None = None) -> None:
    """Write so many documents as JSON lines."""
    with path.open("w", encoding="utf-8") as stream:
        for number, text in zip(range(documents), texts(characters), strict=False):
            stream.write(json.dumps({"id": f"note-{number:08d}", "text": text}) + "\n")


def write_line(path: Path, size: int) -> None:
    """Write one document of so many characters, on one line."""
    pieces, length = [], 0
    for text in texts():
        pieces.append(" ".join(text.split()))
        length += len(pieces[-1]) + 1
        if length >= size:
            break
    path.write_text(" ".join(pieces)[:size], "utf-8")


def measure_memory(options: argparse.Namespace, folder: Path) -> None:
    """Measure the peak memory over the number of documents."""
    results = Results("scale-memory")
    for size in options.sizes:
        source = folder / f"notes-{size}.jsonl"
        write_notes(source, size, options.characters)
        before = load()
        row = run_deid(
            source, folder / f"out-{size}", "--model", options.model, "--policy", options.policy,
            "--workers", str(options.workers),
        )  # fmt: skip
        name = f"{options.model} {options.policy} {size} documents"
        name += f" of up to {options.characters} characters" if options.characters else ""
        name += f", {options.workers} workers" if options.workers > 1 else ""
        results.save(name, {**row, "load": before})
        CONSOLE.print(name, row)
        source.unlink()
    head = ("documents", "failed", "peak-mb", "seconds", "load")
    rows = [(name, *(row[each] for each in head)) for name, row in results.rows.items()]
    write_table("scale-memory", "scrubjay deid: peak memory over documents", ("run", *head), rows)


def measure_workers(options: argparse.Namespace, folder: Path) -> None:
    """Measure one process against two, in turn."""
    results = Results("scale-workers")
    source = folder / "notes.jsonl"
    write_notes(source, options.documents)
    before = load()
    best: dict[int, dict[str, Any]] = {}
    for turn in range(options.turns):
        for count in (1, 2):
            out = folder / f"out-{count}-{turn}"
            row = run_deid(
                source, out, "--model", options.model, "--policy", options.policy,
                "--workers", str(count),
            )  # fmt: skip
            CONSOLE.print(count, row)
            if count not in best or row["deid-seconds"] < best[count]["deid-seconds"]:
                best[count] = row
        same = filecmp.cmp(
            folder / f"out-1-{turn}" / source.name, folder / f"out-2-{turn}" / source.name,
            shallow=False,
        )  # fmt: skip
    one, two = best[1], best[2]
    row = {
        "documents": options.documents,
        "one s": one["deid-seconds"],
        "two s": two["deid-seconds"],
        "ratio": round(one["deid-seconds"] / two["deid-seconds"], 2),
        "processor one s": one["processor"],
        "processor two s": two["processor"],
        "bound": round(2 * one["processor"] / two["processor"], 2),
        "same output": same,
        "load": before,
    }
    results.save(f"{options.model} {options.policy}", row)
    CONSOLE.print(row)
    head = list(row)
    rows = [(name, *(saved.get(each) for each in head)) for name, saved in results.rows.items()]
    write_table("scale-workers", "scrubjay deid: one process and two", ("run", *head), rows)


def measure_large(options: argparse.Namespace, folder: Path) -> None:
    """Measure one document over its length."""
    results = Results("scale-large")
    for size in options.megabytes:
        source = folder / f"large-{size}.txt"
        write_line(source, int(size * 1_000_000))
        before = load()
        began = time.perf_counter()
        row = run_deid(
            source, folder / f"out-{size}", "--model", options.model, "--policy", options.policy
        )
        row["wall"] = round(time.perf_counter() - began, 1)
        row["processor s/MB"] = round(row["processor"] / size, 2)
        name = f"{options.model} {options.policy} {size} MB"
        results.save(name, {**row, "load": before})
        CONSOLE.print(name, row)
    head = ("failed", "processor", "processor s/MB", "peak-mb", "load")
    rows = [(name, *(row[each] for each in head)) for name, row in results.rows.items()]
    write_table("scale-large", "scrubjay deid: one document on one line", ("run", *head), rows)


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="en-fast")
    parser.add_argument("--policy", default="placeholder")
    commands = parser.add_subparsers(required=True)
    memory = commands.add_parser("memory", help="peak memory over the number of documents")
    memory.add_argument("--sizes", type=int, nargs="+", default=[1000, 2000, 20000, 50000])
    memory.add_argument("--characters", type=int, help="cut each text to so many")
    memory.add_argument("--workers", type=int, default=1)
    memory.set_defaults(measure=measure_memory)
    workers = commands.add_parser("workers", help="one process and two")
    workers.add_argument("--documents", type=int, default=4000)
    workers.add_argument("--turns", type=int, default=2)
    workers.set_defaults(measure=measure_workers)
    large = commands.add_parser("large", help="one document on one line")
    large.add_argument("--megabytes", type=float, nargs="+", default=[1.25, 2.5, 5.0, 10.0])
    large.set_defaults(measure=measure_large)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        options.measure(options, Path(name))


if __name__ == "__main__":
    main()
