"""Each kind of experiment on tiny corpora: what is trained on what, and what comes out."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError
from scrubjay.learning.configs import build_config
from scrubjay.learning.experiments.data import ExperimentData
from scrubjay.learning.experiments.report import Report
from tests.learning.experiments.samples import (
    Noting,
    column,
    declare,
    make_bench,
    make_data,
    system,
)

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")

CRF = system("crf.toml", "CRF")
PATTERNS = system("patterns", "Patterns")


def run(folder: Path, data: ExperimentData, watch: Any = None, **table: Any) -> Report:
    experiment = declare(folder, **table)
    bench = make_bench(folder / "out", data, watch=watch)
    return experiment.plan.run(experiment, bench)


def test_a_comparison_tests_all_against_the_reference(tmp_path: Path) -> None:
    watch = Noting()
    report = run(
        tmp_path, make_data(), watch, seeds=[0, 1], reference="CRF", shuffles=200,
        systems=[CRF, PATTERNS, system("crf.toml", "Copies", **{"swap-copies": 1})],
        evaluations=["Token", "NAME Strict"], **{"by-label": True},
    )  # fmt: skip
    # What no seed can change is trained once.
    assert [name for name, _ in watch.done] == [
        "CRF, seed 0", "Patterns, seed 0", "Copies, seed 0", "Copies, seed 1"
    ]  # fmt: skip
    main, evaluations, labels = report.tables
    assert column(main.rows, 0) == ["CRF", "Patterns", "Copies"]
    assert main.header[-2:] == ("change", "p")
    assert main.rows[0][-2:] == ("-", "-")
    change, p = main.rows[1][-2:]
    assert float(change) < 0
    assert float(p) < 0.05
    assert len(evaluations.rows) == 6
    assert "DATE" in column(labels.rows, 0)
    crf = report.rows[0].to_json()
    assert crf["f1"]["mean"] > 0.8
    tested = report.details["significance"]["Patterns"]
    assert tested["f1"]["difference"] == pytest.approx(-float(change), abs=1e-4)
    assert "</svg>" in report.plots["f1.svg"]


def test_members_of_an_ensemble_are_trained_once(tmp_path: Path) -> None:
    from scrubjay.learning.experiments.running import run_experiment

    experiment = declare(
        tmp_path, reference="Both", shuffles=50,
        systems=[CRF, system("rules.toml", "Rules"), system("both.toml", "Both"),
                 system("both.toml", "Without rules", drop=["members.rules"])],
    )  # fmt: skip
    result = run_experiment(experiment, make_data(), tmp_path / "out")
    models = sorted(path.name for path in (tmp_path / "out/work/members").iterdir())
    assert [name.split("-")[0] for name in models] == ["crf", "tbed"]
    rows = {row["name"]: row for row in result.record["rows"]}
    assert rows["Without rules"]["counts"] == rows["CRF"]["counts"]
    assert rows["Both"]["recall"]["mean"] >= rows["CRF"]["recall"]["mean"]


def patients(count: int, notes: int) -> ExperimentData:
    """Return notes of patients, in training alone."""
    data = make_data(train=count * notes, dev=0)
    documents = tuple(
        Document(f"p{n // notes}-{n % notes}", d.text, d.spans)
        for n, d in enumerate(data.documents)
    )
    return ExperimentData(documents, data.train, label_set=data.label_set,
                          label_set_name=data.label_set_name)  # fmt: skip


def test_folds_hold_whole_patients_and_every_document_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scrubjay.learning.experiments import bench as bench_module
    from scrubjay.learning.experiments.cells import run_cell

    data, seen = patients(6, 2), []

    def noting(cell: Any, *arguments: Any, **settings: Any) -> Any:
        seen.append(cell)
        return run_cell(cell, *arguments, **settings)

    monkeypatch.setattr(bench_module, "run_cell", noting)
    report = run(tmp_path, data, kind="crossval", folds=3, systems=[PATTERNS], seeds=[4])
    assert len(seen) == 3
    scored = [n for cell in seen for n in cell.scored()]
    assert sorted(scored) == list(data.train)
    for cell in seen:
        left, right = (
            {data.documents[n].id.split("-")[0] for n in numbers}
            for numbers in (cell.train, cell.scored())
        )
        assert not left & right
        assert len(cell.train) + len(cell.scored()) == len(data.train)
    pooled, folds = report.tables
    assert report.rows[0].figures[0].documents == len(data.train)
    assert "±" not in pooled.rows[0][1]
    assert "±" in folds.rows[0][1]
    assert len(report.details["folds"][0]["f1"]["values"]) == 3


def test_folds_that_cannot_be_are_refused(tmp_path: Path) -> None:
    tried = iter(range(9))

    def refused(data: ExperimentData, **table: Any) -> str:
        folder = tmp_path / str(next(tried))
        with pytest.raises(InputError) as caught:
            run(folder, data, kind="crossval", systems=[PATTERNS], **table)
        return str(caught.value)

    assert "4 documents cannot make 5 folds" in refused(patients(2, 2), folds=5)
    assert "4 documents in 2 groups" in refused(patients(2, 2), folds=3)
    few = patients(4, 1)
    bare = ExperimentData(
        (few.documents[0], *(d.with_spans(()) for d in few.documents[1:])), few.train
    )
    assert "has no PHI: its" in refused(bare, folds=2)
    first, *rest = patients(6, 1).documents
    rare = first.with_spans([replace(first.spans[0], label="VEHICLE"), *first.spans[1:]])
    lone = ExperimentData(
        (rare, *rest), tuple(range(6)), label_set=few.label_set, label_set_name="i2b2-2014"
    )
    told = refused(lone, folds=2, **{"missing-labels": "error"})
    assert "labels that its training part lacks" in told
    assert "VEHICLE" in told
    report = run(tmp_path / "told", lone, kind="crossval", systems=[PATTERNS], folds=2)
    assert any("its training part has no" in note and "VEHICLE" in note for note in report.notes)
    assert "Leave --test out" in refused(make_data(test=3), folds=2)
    unnamed = make_data(train=4, dev=0)
    with pytest.raises(InputError, match="tells no patient"):
        run(tmp_path, unnamed, kind="crossval", folds=2, systems=[PATTERNS],
            groups={"key": "id:([A-Z]+)"})  # fmt: skip


def test_curves_grow_by_documents(tmp_path: Path) -> None:
    watch = Noting()
    report = run(
        tmp_path, make_data(), watch, kind="learning-curve", shares=[0.25, 1.0], seeds=[0, 1],
        groups={"by": "document"},
        systems=[CRF, PATTERNS],
    )  # fmt: skip
    # At the whole corpus a CRF does not depend on the seed; patterns never do.
    assert len(watch.done) == 3 + 1
    rows = {row.name: row for row in report.rows}
    small, whole = rows["CRF, share 0.25"], rows["CRF, share 1"]
    assert (small.facts["documents-train"], whole.facts["documents-train"]) == (3, 12)
    assert len(small.figures) == 2
    assert whole.summary("f1").mean >= small.summary("f1").mean  # type: ignore[operator]
    assert "Patterns" in report.plots["curve.svg"]


def test_a_share_that_is_too_small_to_stop_by_is_named(tmp_path: Path) -> None:
    network = system("trienes2020-bilstm", "Network")
    settings: dict[str, Any] = {"groups": {"by": "document"}, "held-out": 0.1}
    with pytest.raises(InputError) as caught:
        run(
            tmp_path, make_data(train=12), systems=[CRF, network], shares=[0.2, 1.0],
            kind="learning-curve", **settings,
        )  # fmt: skip
    told = str(caught.value)
    assert told.startswith("the share 0.2 of the training data: system 'Network' stops by")
    assert "held-out = 0.1 of 3 documents in 3 groups leaves none" in told
    assert "--set shares=" in told
    with pytest.raises(InputError, match=r"of 1 document in 1 group leaves none.*held-out=0"):
        run(tmp_path / "one", make_data(train=1), systems=[network], **settings, kind="compare")


def test_smaller_shares_are_parts_of_greater_ones() -> None:
    from scrubjay.learning.experiments.curve import _first, ordered_groups
    from scrubjay.learning.experiments.data import Grouping

    data = patients(5, 2)
    groups = ordered_groups(data, Grouping(), 3)
    assert ordered_groups(data, Grouping(), 4) != groups
    chosen = [set(_first(groups, share, data)) for share in (0.1, 0.5, 1.0)]
    assert chosen[0] < chosen[1] < chosen[2] == set(data.train)


def domains(data: ExperimentData) -> ExperimentData:
    """Return the documents in folders `a` and `b`, turn and turn about."""
    documents = tuple(
        Document(d.id, d.text, d.spans, {"source.path": f"{'ab'[n % 2]}/{d.id}.xml"})
        for n, d in enumerate(data.documents)
    )
    return ExperimentData(documents, data.train, data.dev, label_set=data.label_set,
                          label_set_name=data.label_set_name)  # fmt: skip


def test_every_domain_is_trained_on_and_scored(tmp_path: Path) -> None:
    watch = Noting()
    report = run(
        tmp_path, domains(make_data()), watch, kind="cross-domain", systems=[CRF, PATTERNS]
    )
    assert [name for name, _ in watch.done] == [
        "CRF, a, seed 0", "CRF, b, seed 0", "CRF, all domains, seed 0", "Patterns, a, seed 0"
    ]  # fmt: skip
    others, crf, patterns = report.tables
    assert [row[:2] for row in others.rows] == [
        ("CRF", "a"), ("CRF", "b"), ("Patterns", "nothing")
    ]  # fmt: skip
    assert crf.header == ("trained on", "a", "b", "documents")
    assert [(row[0], row[3]) for row in crf.rows] == [("a", "6"), ("b", "6"), ("all domains", "12")]
    assert column(patterns.rows, 0) == ["nothing"]
    across = next(r for r in report.rows if r.name == "CRF, a -> b")
    assert others.rows[0][4] == str(across.summary("f1"))


def test_domains_without_a_corpus_to_score_are_split(tmp_path: Path) -> None:
    data = domains(make_data(train=20, dev=0))
    report = run(
        tmp_path, data, kind="cross-domain", systems=[PATTERNS], together=False,
        groups={"by": "document"},
    )  # fmt: skip
    assert report.rows[0].figures[0].documents == 2


def test_one_domain_is_no_transfer(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="all training documents are of one domain"):
        run(tmp_path, make_data(), kind="cross-domain", systems=[PATTERNS],
            domains="id:(note)-.*")  # fmt: skip


def test_a_random_search_finds_the_best_of_its_trials(tmp_path: Path) -> None:
    space = {"training.max-iterations": {"values": [1, 25]}}
    watch = Noting()
    report = run(
        tmp_path, make_data(test=5), watch, kind="tune", trials=3, space=space, systems=[CRF],
        seeds=[1],
    )  # fmt: skip
    best = report.details["best"]["settings"]["training.max-iterations"]
    drawn = [row.facts["settings"]["training.max-iterations"] for row in report.rows[:-1]]
    assert set(drawn) == {1, 25}
    assert best == 25
    config = build_config(tomllib.loads(report.files["best.toml"]), origin="best")
    assert config.training.max_iterations == 25  # type: ignore[union-attr]
    assert report.rows[-1].name == "best, on the test corpus"
    assert report.rows[-1].figures[0].documents == 5
    more = run(
        tmp_path, make_data(test=5), watch, kind="tune", trials=4, space=space, systems=[CRF],
        seeds=[1],
    )  # fmt: skip
    assert [stored for _, stored in watch.done[4:]].count(False) <= 2
    assert more.rows[:3] == report.rows[:3]


def test_a_forward_search_leaves_out_what_harms(tmp_path: Path) -> None:
    groups = {
        "features.groups": {
            "words": {"attributes": ["lower", "short-shape"], "offsets": [-1, 0, 1]},
            "length": {"attributes": ["length"]},
            "again": {"attributes": ["lower"]},
        }
    }
    watch = Noting()
    report = run(
        tmp_path, make_data(train=8, dev=4), watch, kind="tune", search="forward",
        systems=[system("crf.toml", "CRF", set=groups)],
    )  # fmt: skip
    (table,) = report.tables
    assert watch.cells == 3  # one training for each part
    assert column(table.rows, 0) == ["words", "length", "again"]
    assert table.rows[0][1] == "kept"
    kept = [row.facts["added"] for row in report.rows if row.facts["kept"]]
    written = tomllib.loads(report.files["best.toml"])
    assert list(written["features"]["groups"]) == kept
    values = [row.summary("f1").mean for row in report.rows]
    best = -1.0
    for row, value in zip(report.rows, values, strict=True):
        assert row.facts["kept"] == (value >= best)  # type: ignore[operator]
        best = max(best, value or 0.0)


def test_parts_of_a_forward_search_are_all_parts(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"parts must be all of features\.groups: all"):
        run(tmp_path, make_data(), kind="tune", search="forward", parts=["none"], systems=[CRF])


def test_a_search_needs_one_system_that_learns(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="one system that learns"):
        declare(tmp_path, kind="tune", systems=[PATTERNS])
