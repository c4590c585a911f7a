"""The page of benchmarks shows what was measured, and says what was no test."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrubjay.document import Document, Span
from scrubjay.models import list_models

FIGURES = (("f1", 4), ("binary-token-recall", 4), ("false-positives-per-1000", 1))
"""Of the results, with the decimals that pages tell."""


@pytest.fixture
def shipped(root: Path) -> Iterator[Any]:
    """Return the module benchmarks/shipped.py, which is no part of the package."""
    folder = str(root / "benchmarks")
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("shipped", f"{folder}/shipped.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(folder)
        sys.modules.pop("harness", None)


def results(root: Path) -> dict[str, Any]:
    path = root / "benchmarks" / "results" / "shipped.json"
    rows: dict[str, Any] = json.loads(path.read_text("utf-8"))["rows"]
    return rows


def test_the_page_shows_the_results(shipped: Any, root: Path) -> None:
    page = (root / "docs" / "benchmarks.md").read_text("utf-8")
    fresh = shipped.render(page, results(root)) == page
    assert fresh, "run benchmarks/shipped.py --page-only"
    marked = [found[2] for found in shipped.MARK.finditer(page)]
    assert marked == ["strict", "leaks", "speed", "missing"]


def test_models_that_saw_a_corpus_are_marked_in_every_table_of_accuracy(
    shipped: Any, root: Path
) -> None:
    row = {**next(iter(results(root).values())), "seen": "yes"}
    page = (root / "docs" / "benchmarks.md").read_text("utf-8")
    assert shipped.render(page, {"one": row}).count(shipped.SEEN["yes"]) == 2


def test_the_fingerprint_tells_whether_dev_was_seen(shipped: Any) -> None:
    train = [Document("a", "Dr. Lee", (Span(4, 7, "DOCTOR"),))]
    dev = [Document("b", "Mr. Kim", (Span(4, 7, "PATIENT"),))]
    manifest = replace(list_models()[0].manifest, name="ours")
    for documents, seen in ((train, "no"), (dev, "yes"), ([*dev, *train], "yes"), ([], "unknown")):
        data = {"fingerprint": shipped.fingerprint(documents)}
        assert shipped.meet(replace(manifest, training_data=data), train, dev) == seen
    assert shipped.meet(replace(manifest, training_data={}), train, dev) == "unknown"
    assert shipped.meet(replace(manifest, name="en", training_data={}), train, dev) == "declared"


@pytest.mark.parametrize(
    ("page", "shape", "least"),
    [
        ("README.md", r"(0\.\d{4}), (0\.\d{4}), (\d+\.\d)(?= )", 15),
        ("docs/models.md", r"(?m)^\|[^|]+\| (0\.\d{4}) \| (0\.\d{4}) \| (\d+\.\d) \|", 30),
    ],
)
def test_figures_of_models_are_those_of_the_results(
    root: Path, page: str, shape: str, least: int
) -> None:
    folder = root / "benchmarks" / "results"
    measured = {
        tuple(f"{row[key]:.{places}f}" for key, places in FIGURES)
        for name in ("out-of-the-box", "dials")
        for row in json.loads((folder / f"{name}.json").read_text("utf-8"))["rows"].values()
    }
    told = re.findall(shape, (root / page).read_text("utf-8"))
    assert len(told) >= least
    assert [figures for figures in told if figures not in measured] == []
