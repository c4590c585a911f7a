"""The page on scale shows what follows from the figures that were measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scripts import write_scale_page
from scripts.write_scale_page import TARGET, Assumptions, Cost, page, render


def test_the_page_is_fresh() -> None:
    fresh = page(Assumptions()) == TARGET.read_text(encoding="utf-8")
    assert fresh, "run scripts/write_scale_page.py"


def test_costs_are_words_times_seconds() -> None:
    given = Assumptions(notes=1e6, words=360.0)
    assert Cost("any", "whole run", 1e-5).hours(given) == pytest.approx(1.0)


def test_whole_runs_are_the_difference_of_two_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {
        str(notes): {
            "model": "toy",
            "notes": notes,
            "words": notes * 100,
            "local-cpu": 30 + notes * 0.001,
            "spark-cpu": 90 + notes * 0.002,
        }
        for notes in (1000, 5000)
    }
    (tmp_path / "spark.json").write_text(json.dumps({"rows": rows}))
    monkeypatch.setattr(write_scale_page, "RESULTS", tmp_path)
    table = render(Assumptions(notes=36e6, words=100.0, usd=0.5, cores=10))
    (local,) = (line.split(" | ") for line in table.splitlines() if "toy" in line[:8])
    assert local[2:] == ["100,000", "10", "5", "0.042 |"]
    assert "one of 16 MB" in table


def test_nothing_measured_gives_a_table_without_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_scale_page, "RESULTS", tmp_path)
    assert render(Assumptions()).count("\n| ") == 2  # the head and its line
