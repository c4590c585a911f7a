"""Write the figures of the shipped models that `scrubjay models list` shows.

Usage: python scripts/write_model_figures.py. They are those of `benchmarks/results`:
`out-of-the-box.json` for the test notes, `stages.json` for speed from file to file, as in the table
of the README. Each stands with the hash of its model's manifest, so that a model that has changed
since shows none; a test tells when this has to be run again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "src" / "scrubjay" / "resources" / "figures" / "models.json"
RESULTS = ROOT / "benchmarks" / "results"
SHIPPED = ROOT / "src" / "scrubjay" / "shipped"
SOURCE, STAGE = "written notes test", "file to file"
PLACES = {"f1": 4, "binary-token-recall": 4, "false-positives-per-1000": 1}


def figures() -> dict[str, dict[str, Any]]:
    """Return the figures of each shipped model that was measured, by its name."""
    accuracy = _rows("out-of-the-box.json")
    speed = _rows("stages.json")
    found: dict[str, dict[str, Any]] = {}
    for manifest in sorted(SHIPPED.glob("*/manifest.json")):
        name = manifest.parent.name
        row = accuracy.get(f"{name}: {SOURCE}")
        if row is None:
            continue
        told: dict[str, Any] = {key: round(row[key], places) for key, places in PLACES.items()}
        if name in speed:
            told["tokens-per-second"] = speed[name]["stages"][STAGE]["best"]
        found[name] = {"manifest": hashlib.sha256(manifest.read_bytes()).hexdigest(), **told}
    return found


def text() -> str:
    """Return what the file is to hold."""
    return json.dumps(figures(), indent=1, sort_keys=True) + "\n"


def _rows(name: str) -> dict[str, Any]:
    rows: dict[str, Any] = json.loads((RESULTS / name).read_text("utf-8"))["rows"]
    return rows


def main() -> None:
    """Write the figures."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text(), "utf-8")


if __name__ == "__main__":
    main()
