"""The bench: cells are run once, stored at once, in processes as well, and named in errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.document import Document
from scrubjay.errors import InputError
from scrubjay.learning.experiments import bench as bench_module
from scrubjay.learning.experiments.cells import WHOLE, Cell, run_cell
from scrubjay.learning.experiments.data import ExperimentData
from scrubjay.learning.experiments.systems import read_systems
from tests.learning.experiments.samples import Noting, make_bench, make_data, system, write_configs

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")


def cells(folder: Path, data: ExperimentData) -> list[Cell]:
    write_configs(folder)
    systems = read_systems(
        [system("crf.toml", "CRF"), system("rules.toml", "Rules"), system("patterns")],
        folder=folder,
    )
    return [Cell(s.name, s, 0, data.train, {WHOLE: data.dev}) for s in systems]


def test_cells_are_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, watch = make_data(), Noting()
    bench = make_bench(tmp_path / "out", data, watch=watch)
    wanted = cells(tmp_path, data)
    first = bench.run(wanted)
    assert watch.cells == 3
    assert watch.done == [("CRF", False), ("Rules", False), ("patterns", False)]
    assert {stage for cell, stage in watch.stages if cell == "CRF"} >= {"tokenize", "detect"}
    monkeypatch.setattr(bench_module, "run_cell", lambda *_, **__: pytest.fail("it ran again"))
    again = bench.run(wanted[::-1])
    assert [r.figures for r in again] == [r.figures for r in first][::-1]
    assert watch.done[3:] == [("patterns", True), ("Rules", True), ("CRF", True)]
    assert not any(bench.store.work.glob("*"))
    rows = bench.strict_rows(first[0], data.dev)
    strict = first[0].figures.strict
    assert rows.sum(axis=0).tolist() == [strict.tp, strict.fp, strict.fn]


def test_an_interrupt_costs_the_cell_in_work_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = make_data()
    bench = make_bench(tmp_path / "out", data)
    wanted = cells(tmp_path, data)
    ran: list[str] = []

    def interrupted(cell: Cell, *arguments: object, **settings: object) -> object:
        if cell.name == "Rules" and "Rules" not in ran:
            ran.append(cell.name)
            raise KeyboardInterrupt
        ran.append(cell.name)
        return run_cell(cell, *arguments, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(bench_module, "run_cell", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bench.run(wanted)
    bench.run(wanted)
    assert ran == ["CRF", "Rules", "Rules", "patterns"]


def test_processes_give_the_same(tmp_path: Path) -> None:
    data, watch = make_data(train=6, dev=3), Noting()
    wanted = cells(tmp_path, data)[1:]
    beside = make_bench(tmp_path / "beside", data, jobs=2, watch=watch).run(wanted)
    alone = make_bench(tmp_path / "alone", data).run(wanted)
    assert [r.figures for r in beside] == [r.figures for r in alone]
    assert sorted(watch.done) == [("Rules", False), ("patterns", False)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_refusal_names_the_cell(tmp_path: Path, jobs: int) -> None:
    data = make_data(train=4, dev=2)
    bare = replace(data, documents=(*(d.with_spans(()) for d in data.at(data.train)),
                                    *data.at(data.dev)))  # fmt: skip
    wanted = [*cells(tmp_path, bare)[:1], *cells(tmp_path, bare)[2:]]
    with pytest.raises(InputError, match="CRF: the training corpus has no PHI"):
        make_bench(tmp_path / f"out{jobs}", bare, jobs=jobs).run(wanted)


def test_patterns_need_a_label_set(tmp_path: Path) -> None:
    data = replace(make_data(), label_set=None, label_set_name="")
    with pytest.raises(InputError, match="patterns: patterns need a label set"):
        make_bench(tmp_path / "out", data).run(cells(tmp_path, data)[2:])


def test_fingerprints_tell_what_decides(tmp_path: Path) -> None:
    data = make_data()
    crf, rules, _ = cells(tmp_path, data)
    known = crf.fingerprint(data)
    assert known == replace(crf, name="other name").fingerprint(data)
    others = [
        rules.fingerprint(data),
        replace(crf, seed=1).fingerprint(data),
        replace(crf, train=data.train[1:]).fingerprint(data),
        replace(crf, stop=data.train[:1]).fingerprint(data),
        replace(crf, parts={WHOLE: data.dev[1:]}).fingerprint(data),
        crf.fingerprint(replace(data, language="es")),
        crf.fingerprint(replace(data, documents=(Document("x", "y"), *data.documents[1:]))),
    ]
    assert len({known, *others}) == len(others) + 1
    assert len({crf.slug, rules.slug, replace(crf, name="CRF ").slug}) == 3
