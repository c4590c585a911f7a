"""The test of systems from their predictions: folders of experiments, predicted corpora."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import write_corpus
from scrubjay.errors import ConfigError, InputError
from scrubjay.learning.experiments.data import ExperimentData
from scrubjay.learning.experiments.report import Report
from scrubjay.learning.experiments.running import run_experiment
from tests.learning.experiments.samples import declare, make_data, system


def compare(folder: Path, data: ExperimentData, **settings: object) -> Report:
    experiment = declare(folder, kind="significance", shuffles=400, systems=[], **settings)
    return run_experiment(experiment, data, folder / "compared").report


def write_predicted(folder: Path, data: ExperimentData, *, keep: int) -> None:
    """Write the gold corpus with the first spans of each document alone, as a prediction."""
    documents = [d.with_spans(d.spans[:keep]) for d in data.at(data.dev)]
    write_corpus(documents, folder, format="jsonl")


def test_predicted_corpora_and_results_are_compared(tmp_path: Path) -> None:
    data = make_data(dev=12)
    write_predicted(tmp_path / "good", data, keep=99)
    write_predicted(tmp_path / "bad", data, keep=1)
    results = declare(tmp_path, systems=[system("patterns", "Patterns")])
    run_experiment(results, data, tmp_path / "results")
    places = {name: str(tmp_path / name) for name in ("good", "bad", "results")}
    report = compare(tmp_path, data, predicted=places)
    (table,) = report.tables
    assert [row[:3] for row in table.rows][::3] == [
        ("good", "bad", "f1"), ("good", "Patterns", "f1"), ("bad", "Patterns", "f1")
    ]  # fmt: skip
    first = report.details["significance"][0]
    assert first["documents"] == 12
    assert first["f1"]["difference"] > 0
    assert first["f1"]["p"] < 0.05
    assert first["precision"] == {"difference": 0.0, "p": 1.0}


def test_a_reference_is_compared_with_each(tmp_path: Path) -> None:
    data = make_data()
    for keep, name in enumerate(("a", "b", "c")):
        write_predicted(tmp_path / name, data, keep=keep)
    places = {name: str(tmp_path / name) for name in ("a", "b", "c")}
    report = compare(tmp_path, data, predicted=places, reference="b")
    assert {row[:2] for row in report.tables[0].rows} == {("b", "a"), ("b", "c")}


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    data = make_data()
    write_predicted(tmp_path / "one", data, keep=1)
    one = {"one": str(tmp_path / "one")}
    with pytest.raises(InputError, match=r"a test needs two systems, there is one"):
        compare(tmp_path / "x", data, predicted=one)
    write_predicted(tmp_path / "two", data, keep=2)
    both = one | {"two": str(tmp_path / "two")}
    with pytest.raises(ConfigError, match=r"'three' is none of the systems.*one, two"):
        compare(tmp_path / "y", data, predicted=both, reference="three")
    with pytest.raises(InputError, match=r"missing from the predicted corpus"):
        compare(tmp_path / "z", make_data(dev=8), predicted=both)
    results = declare(tmp_path, systems=[system("patterns", "Patterns")])
    run_experiment(results, data, tmp_path / "results")
    with pytest.raises(InputError, match=r"2 documents have no prediction and 0 are not"):
        compare(tmp_path / "v", make_data(dev=8), predicted={"r": str(tmp_path / "results")} | one)
