"""The support vector machine in numpy against its definition and against scikit-learn's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrubjay.taggers._combining import rbf as _rbf
from scrubjay.taggers._combining.rbf import RbfMachine, read_machine
from tests.oracles.ensembles import rbf_margin


def _machine(size: int = 7, columns: int = 4) -> RbfMachine:
    rng = np.random.default_rng(3)
    return RbfMachine(
        rng.normal(size=columns),
        rng.uniform(0.5, 2, size=columns),
        rng.normal(size=(size, columns)).astype(np.float32),
        rng.normal(size=size),
        0.25,
        0.3,
    )


def test_margins_are_those_of_the_definition() -> None:
    machine = _machine()
    rows = np.random.default_rng(4).normal(size=(5, 4))
    scaled = ((rows - machine.mean) / machine.spread).astype(np.float32).tolist()
    expected = [
        rbf_margin(row, machine.support.tolist(), machine.dual.tolist(), 0.25, 0.3)
        for row in scaled
    ]
    assert machine.margins(rows) == pytest.approx(expected, abs=1e-8)
    assert machine.margins(rows[:0]).shape == (0,)


def test_margins_do_not_depend_on_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = _machine(50)
    rows = np.random.default_rng(5).normal(size=(64, 4))
    together = machine.margins(rows).tolist()
    assert [machine.margins(row[None])[0] for row in rows] == together
    monkeypatch.setattr(_rbf, "_CHUNK", 120)
    assert machine.margins(rows).tolist() == together


def test_margins_are_those_of_scikit_learn() -> None:
    pytest.importorskip("sklearn", reason="training needs the extra `train`")
    from sklearn.svm import SVC

    from scrubjay.learning._stacking import fit_machine
    from scrubjay.learning.ensemble_config import CombinerSettings

    rng = np.random.default_rng(6)
    rows = rng.normal(size=(200, 6))
    rows[:, 1] *= 3
    rows[:, 5] = rng.random(200) < 0.02
    right = rows[:, 0] * rows[:, 1] + 0.3 * rng.normal(size=200) > 0
    settings = CombinerSettings(gamma=0.1)
    machine = fit_machine(rows, right, settings)
    scaled = ((rows - machine.mean) / machine.spread).astype(np.float32).astype(np.float64)
    svc = SVC(C=1.0, gamma=0.1, class_weight={True: 5.2, False: 12.48}).fit(scaled, right)
    assert machine.margins(rows) == pytest.approx(svc.decision_function(scaled), abs=1e-8)
    assert ((machine.margins(rows) > 0) == svc.predict(scaled)).all()
    assert machine.spread[1] == pytest.approx(rows[:, 1].std())
    assert machine.spread[1] > machine.spread[5] == 1.0


def test_arrays_lead_back_to_the_machine() -> None:
    machine = _machine()
    twin = read_machine(machine.arrays())
    rows = np.random.default_rng(7).normal(size=(5, 4))
    assert twin.margins(rows).tolist() == machine.margins(rows).tolist()


def test_parts_that_do_not_fit_are_refused() -> None:
    machine = _machine()
    with pytest.raises(ValueError, match="do not fit"):
        replace(machine, dual=machine.dual[1:])
    with pytest.raises(ValueError, match="do not fit"):
        replace(machine, spread=machine.spread * 0)
    with pytest.raises(ValueError, match="do not fit"):
        replace(machine, intercept=float("nan"))
