"""Spark against local processes on the same Parquet: wall time and processor time, in one run.

    python benchmarks/spark.py [--notes 2000 20000 200000] [--model en-fast] [--rounds 1]

Local is `scrubjay deid --workers 2`, Spark `examples/spark_deid.py` on `local[2]`, each a command
of its own with all that it does: start, model, proof, reading back, summary, release. They take
turns. Processor time of Spark is not all counted (Python workers that Java does not wait for).
The notes are those of the training split of en-notes, again and again under other ids.
Both must write the same rows. Needs the package with the extra `spark`, and Java.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
from harness import CONSOLE, RESULTS, ROOT, Results, read_split, write_table
from svg import write_plot

CORES = 2
WORD = re.compile(r"\w+|[^\w\s]")
#: Runs a script and waits for the Java process that it started, so that its time is counted.
WAITING = """
import runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as left:
    code = left.code
from pyspark import SparkContext
SparkContext._active_spark_context.stop()
java = SparkContext._gateway.proc
SparkContext._gateway.shutdown()
java.stdin.close()
java.wait()
sys.exit(code)
"""


def write_notes(path: Path, count: int) -> dict[str, int]:
    """Write a Parquet file of so many notes, and return their sizes; words as in `peers.py`."""
    texts = [document.text for document in read_split("en-notes", "train")]
    chosen = list(islice(cycle(texts), count))
    names = [f"n{number:07}" for number in range(count)]
    table = pyarrow.table({"id": names, "text": chosen})
    pyarrow.parquet.write_table(table, path, row_group_size=1000)
    sizes = [(len(text), len(WORD.findall(text))) for text in texts]
    characters, words = map(sum, zip(*islice(cycle(sizes), count), strict=True))
    return {"notes": count, "characters": characters, "words": words}


def run(command: list[str], makes: Path, **environment: str) -> dict[str, float]:
    """Run a command and return its wall time and the processor time of all its processes.

    `makes` is what there must be at its end, whatever notes have failed.
    """
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1) or not makes.exists():  # 1: there are notes that failed
        sys.exit(f"{command[:3]} failed:\n{done.stderr[-4000:]}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": round(seconds, 2), "cpu": round(used, 2)}


def run_local(notes: Path, out: Path, model: str) -> dict[str, float]:
    """De-identify by local processes."""
    command = [sys.executable, "-m", "scrubjay.cli.main", "deid", str(notes), "--out", str(out)]
    return run([*command, "--model", model, "--workers", str(CORES)], out / notes.name)


def run_spark(notes: Path, out: Path, model: str) -> dict[str, float]:
    """De-identify on Spark, with as many tasks as there are cores, four times over."""
    script = str(ROOT / "examples" / "spark_deid.py")
    submit = (
        f"--master local[{CORES}] --conf spark.ui.enabled=false --driver-memory 2g "
        "--conf spark.ui.showConsoleProgress=false pyspark-shell"
    )
    command = [sys.executable, "-c", WAITING, script, str(notes), str(out), "--model", model]
    return run(
        [*command, "--partitions", str(4 * CORES)],
        out / "released",
        PYSPARK_PYTHON=sys.executable,
        PYSPARK_SUBMIT_ARGS=submit,
    )


def same_rows(local: Path, spark: Path) -> bool:
    """Tell whether both wrote the same rows, in whatever order."""
    tables = [pyarrow.parquet.read_table(each).sort_by("id") for each in (local, spark)]
    return bool(tables[0].select(["id", "text"]).equals(tables[1].select(["id", "text"])))


def measure(count: int, model: str, rounds: int) -> dict[str, Any]:
    """Return the figures of one number of notes: the best of some rounds."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        notes = place / "notes.parquet"
        sizes = write_notes(notes, count)
        load = os.getloadavg()[0]
        local, spark = [], []
        for number in range(rounds):
            local.append(run_local(notes, place / f"local{number}", model))
            spark.append(run_spark(notes, place / f"spark{number}", model))
        same = same_rows(place / "local0" / notes.name, place / "spark0" / "released")
    best = {
        f"{name}-{key}": min(each[key] for each in runs)
        for name, runs in (("local", local), ("spark", spark))
        for key in ("seconds", "cpu")
    }
    return {
        **sizes,
        "same-rows": same,
        **best,
        "overhead": round(best["spark-seconds"] / best["local-seconds"] - 1, 3),
        "cpu-overhead": round(best["spark-cpu"] / best["local-cpu"] - 1, 3),
        "load-before": round(load, 1),
        "load-after": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def main() -> None:
    """Measure, and write the table and the plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, nargs="+", default=[2_000, 20_000, 200_000])
    parser.add_argument("--model", default="en-fast")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    results = Results("spark")
    for count in options.notes:
        key = f"{options.model} {count}"
        if key in results:
            continue
        row = {"model": options.model, **measure(count, options.model, options.rounds)}
        results.save(key, row)
        CONSOLE.print(json.dumps(row))
    rows = sorted(results.rows.values(), key=lambda row: (row["model"], row["notes"]))
    head = (
        "model", "notes", "local s", "Spark s", "overhead", "same rows", "load of the machine",
    )  # fmt: skip
    table = [
        (
            row["model"], f"{row['notes']:,}", row["local-seconds"], row["spark-seconds"],
            f"{row['overhead']:.0%}", "yes" if row["same-rows"] else "NO",
            f"{row['load-before']} to {row['load-after']}",
        )
        for row in rows
    ]  # fmt: skip
    write_table("spark", "Spark local[2] against two local processes, same Parquet", head, table)
    mine = [row for row in rows if row["model"] == options.model]
    write_plot(
        RESULTS / "spark.svg",
        f"{options.model}: wall time over notes",
        {
            name: [(row["notes"], row[f"{name}-seconds"]) for row in mine]
            for name in ("local", "spark")
        },
        x="notes",
        y="seconds",
        logarithmic=True,
    )


if __name__ == "__main__":
    main()
