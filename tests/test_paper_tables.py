"""Tables of the papers: figures of other results where an experiment was not run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripts import write_paper_tables


def make_row(f1: float, **more: Any) -> dict[str, Any]:
    return {"precision": f1 + 0.1, "recall": f1 - 0.1, "f1": f1, **more}


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of results: the benchmark `speedy`, and the experiment `tried` on `made-up`."""
    rows = {
        "made-up one": make_row(0.5, **{"categories-f1": {"NAME": 0.25}}),
        "made-up two seed 0": make_row(0.6),
        "made-up two seed 1": make_row(0.8),
    }
    (tmp_path / "speedy.json").write_text(json.dumps({"rows": rows}))
    (tmp_path / "experiments" / "made-up").mkdir(parents=True)
    evaluations = {"Token": {"f1": 0.75}}
    figure = {"mean": 0.7, "sd": None}
    row = {"name": "CRF", "f1": figure, "evaluations": evaluations, "labels-f1": {"AGE": 0.125}}
    path = tmp_path / "experiments" / "made-up" / "tried.json"
    path.write_text(json.dumps({"rows": [row]}))
    monkeypatch.setattr(write_paper_tables, "BENCHMARKS", tmp_path)
    monkeypatch.setattr(write_paper_tables, "RESULTS", tmp_path / "experiments")
    return tmp_path


def render(measures: list[str], rows: list[dict[str, Any]], **measured: str) -> list[list[str]]:
    table = {
        "experiment": "not there",
        "corpora": {"made-up": "made up"},
        "measures": measures,
        "reference": "a",
        "measured": {"made-up": measured},
        "rows": [{"name": str(n), "paper": [], **row} for n, row in enumerate(rows)],
    }
    lines = write_paper_tables.render_table(table).splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def test_rows_of_a_benchmark_stand_in_for_a_result(results: Path) -> None:
    rows = [
        {"system": "a"},
        {"system": "b"},
        {"system": "c"},
        {"system": "a", "evaluation": "NAME Strict"},
        {"system": "a", "evaluation": "Token"},
    ]
    found = render(["f1", "change"], rows, a="speedy: made-up one", b="speedy: made-up two")
    assert found[0] == ["", "made up F1", "made up change"]
    assert found[2:5] == [
        ["0", "0.5000", "0"],
        ["1", "0.7000 ± 0.1414", "+0.2000"],
        ["2", "not run yet", "not run yet"],
    ]
    assert [row[1] for row in found[5:]] == ["0.2500", "not run yet"]


def test_a_row_of_another_experiment_stands_in_with_all_its_figures(results: Path) -> None:
    rows = [{"system": "a", "evaluation": "Token"}, {"system": "a", "label": "AGE"}]
    found = render(["f1"], rows, a="tried: CRF")
    assert [row[1] for row in found[2:]] == ["0.7500", "0.1250"]


def test_rows_that_are_not_there_are_told_of(results: Path) -> None:
    for place in ("tried: Rules", "speedy: made-up three"):
        with pytest.raises(KeyError, match="has no row"):
            render(["f1"], [{"system": "a"}], a=place)
