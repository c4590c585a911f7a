"""Reports: means and deviations over trainings, and tables that Markdown shows."""

from __future__ import annotations

import statistics

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.tables import Table
from scrubjay.learning.experiments.cells import Figures
from scrubjay.learning.experiments.report import (
    Report,
    Row,
    Summary,
    markdown_table,
    render_markdown,
)


def figures(tp: int, fp: int, fn: int) -> Figures:
    strict = Counts(tp, fp, fn)
    return Figures(2, {"Strict": strict, "Binary Token": Counts(tp, 0, fn)}, {"DATE": strict})


@settings(max_examples=50)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_summaries_are_means_and_sample_deviations(values: list[float]) -> None:
    summary = Summary(tuple(values))
    assert summary.mean is not None
    assert summary.deviation is not None
    assert abs(summary.mean - statistics.mean(values)) < 1e-12
    assert abs(summary.deviation - statistics.stdev(values)) < 1e-12


def test_one_value_has_no_deviation_and_none_no_mean() -> None:
    assert str(Summary((0.5,))) == "0.5000"
    assert str(Summary((None,))) == "-"
    assert str(Summary((0.5, None, 0.7))) == "0.6000 ± 0.1414"


def test_a_row_sums_up_its_trainings() -> None:
    row = Row("CRF", (0, 1), (figures(3, 1, 1), figures(4, 0, 0)), (2.0, 4.0), {"share": 0.5})
    record = row.to_json()
    assert record["precision"]["values"] == [0.75, 1.0]
    assert record["counts"] == {"tp": 7, "fp": 1, "fn": 1}
    assert record["labels-f1"] == {"DATE": 14 / 16}
    assert record["evaluations"]["Strict"]["recall"] == 0.875
    assert record["share"] == 0.5
    assert record["training-seconds"] == 3.0
    assert row.cells()[-1] == "3"
    joined = figures(3, 1, 1) + figures(4, 0, 0)
    assert joined.documents == 4
    assert joined.strict.tp == 7


def test_markdown_is_a_page_with_tables_plots_and_notes() -> None:
    table = Table("T", ("system", "F1"), [("a|b", "0.5")])
    assert markdown_table(table) == ["| system | F1 |", "| --- | --: |", "| a\\|b | 0.5 |"]
    report = Report([], [table], plots={"f1.svg": "<svg/>"}, notes=["Note."])
    page = render_markdown("Title", report, citation="Zhao 2020", facts=["Fact."])
    assert page.startswith("# Title\n\nAfter Zhao 2020.\n\n## T\n\n| system")
    assert "![f1.svg](f1.svg)" in page
    assert page.endswith("- Note.\n- Fact.\n")
