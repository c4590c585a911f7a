"""Peak memory of `scrubjay deid` over growing corpora, and the cold start of one note.

    python benchmarks/memory.py [--model es] [--sizes 1000 5000 20000]

Repeats the dev texts of MEDDOCAN to the size asked for, as one JSONL file, and runs the command
in a process of its own; peak memory is the child's maximum resident set. The cold start is the
wall time of the command over one note, best of five.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from harness import CONSOLE, Results, read_split, run_scrubjay, write_table


def write_input(path: Path, size: int, corpus: str) -> None:
    """Write `size` documents, the dev texts again and again."""
    texts = [document.text for document in read_split(corpus, "dev")]
    with path.open("w", encoding="utf-8") as stream:
        for number in range(size):
            row = {"id": f"{number:06d}", "text": texts[number % len(texts)]}
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def run_deid(source: Path, out: Path, model: str) -> tuple[float, float]:
    """Run the command; return seconds and the peak memory in MB."""
    row = run_scrubjay("deid", str(source), "--out", str(out), "--model", model)
    assert (out / source.name).stat().st_size > 0, "the run wrote nothing"
    return row["seconds"], row["peak-mb"]


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="es")
    parser.add_argument("--corpus", default="meddocan")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 5000, 20000])
    options = parser.parse_args()
    results = Results("memory")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in options.sizes:
            source = folder / f"notes-{size}.jsonl"
            write_input(source, size, options.corpus)
            seconds, megabytes = run_deid(source, folder / f"out-{size}", options.model)
            row = {"documents": size, "seconds": round(seconds, 2), "peak-mb": round(megabytes, 1)}
            results.save(f"{options.model} {size} documents", row)
            CONSOLE.print(row)
        source = folder / "one.jsonl"
        write_input(source, 1, options.corpus)
        best = min(run_deid(source, folder / f"one-{n}", options.model)[0] for n in range(5))
        row = {"documents": 1, "seconds": round(best, 2), "peak-mb": None}
        results.save(f"{options.model} cold start", row)
    help_seconds = round(run_scrubjay("--help")["seconds"], 2)
    results.save("scrubjay --help", {"documents": 0, "seconds": help_seconds, "peak-mb": None})
    rows = [(name, row["seconds"], row["peak-mb"] or "") for name, row in results.rows.items()]
    write_table("memory", "scrubjay deid, file to file, one process", ("run", "s", "peak MB"), rows)


if __name__ == "__main__":
    main()
