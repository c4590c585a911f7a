"""Dial and learning curves: the points of the figures are those of the data."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from scrubjay.errors import FormatError
from scrubjay.evaluation.counts import Counts
from scrubjay.reports.blocks import Figure, Section, Table
from scrubjay.reports.curves import (
    MEASURES,
    DialPoint,
    compose_dial,
    compose_experiment,
    dial_figure,
    dial_table,
    learning_curves,
)
from scrubjay.reports.html import render_page
from tests.reports.pages import read_page

POINTS = [
    DialPoint(2.0, Counts(9, 3, 1)),
    DialPoint(-1.0, Counts(5, 0, 5)),
    DialPoint(0.0, Counts()),
]


def record(*rows: dict[str, Any]) -> dict[str, Any]:
    names = {"name": "try", "kind": "compare", "title": "Tried", "citation": "", "seeds": [0, 1]}
    run = {"package_version": "1.0"}
    return {"experiment": names, "rows": list(rows), "notes": ["A note."], "run": run}


def row(name: str, mean: float | None, sd: float | None = None, **facts: Any) -> dict[str, Any]:
    return {"name": name, **facts, **{measure: {"mean": mean, "sd": sd} for measure in MEASURES}}


def dots(figure: Figure) -> int:
    return len(list(etree.fromstring(figure.svg).iter("{*}circle")))


def test_a_dial_shows_its_positions_in_order() -> None:
    table = dial_table(POINTS)
    assert table.rows == (
        ("-1", "10", "0.5000", "1.0000", "0.6667"),
        ("0", "0", "-", "-", "-"),
        ("2", "10", "0.9000", "0.7500", "0.8182"),
    )
    figure = dial_figure(POINTS)
    assert figure is not None
    assert dots(figure) == 2
    assert dial_figure(POINTS[2:]) is None
    text = read_page(render_page(compose_dial(POINTS, facts=[("model", "en")]))).text
    assert "Precision over recall" in text
    assert "0.5550" in text  # the lower end of 9 of 10
    assert POINTS[0].record()["recall"] == 0.9


def test_learning_curves_have_a_line_for_each_system() -> None:
    rows = [
        row(f"{system}, share {share}", share / 100, system=system, **{"documents-train": share})
        for system in ("CRF", "TBED")
        for share in (80, 20, 50)
    ]
    figures = learning_curves(record(*rows))
    assert [figure.title for figure in figures] == [
        f"Learning curve, {name}" for name in MEASURES.values()
    ]
    assert dots(figures[0]) == 6
    (line, _) = etree.fromstring(figures[0].svg).iter("{*}polyline")
    places = [float(place.split(",")[0]) for place in str(line.get("points")).split()]
    assert places == sorted(places)
    read_page(render_page(compose_experiment(record(*rows))))


def test_an_experiment_without_shares_has_bars() -> None:
    page = compose_experiment(record(row("CRF", 0.9, 0.01), row("none", None)))
    assert page.title == "Tried"
    (table, pictures, notes) = page.blocks
    assert isinstance(table, Table)
    assert table.rows[0] == ("CRF", *["0.9000 ± 0.0100"] * 4)
    assert table.rows[1] == ("none", *["-"] * 4)
    assert isinstance(pictures, Section)
    assert len(pictures.blocks) == 4
    assert isinstance(notes, Section)


def test_tables_and_plots_of_an_experiment_stand_in() -> None:
    own = Table("Systems", ("system", "F1"), (("CRF", "0.9"),))
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>'
    page = compose_experiment(record(row("CRF", 0.9)), tables=[own], plots={"f1.svg": svg})
    assert page.blocks[0] is own
    assert page.blocks[1] == Section("Pictures", (Figure("f1", svg),))
    assert compose_experiment(record()).blocks[0] == Table(
        "Results", ("row", *MEASURES.values()), ()
    )


@pytest.mark.parametrize("broken", [{}, {"experiment": 3}, record({"name": "x"})])
def test_what_is_no_result_is_told(broken: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match=r"result\.json"):
        compose_experiment(broken)
