"""A cell: one training with one seed, its predictions, and how they score."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, cast

from scrubjay import __version__
from scrubjay.artifacts import encode_json
from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.pairs import pair_found
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.files import make_folders
from scrubjay.labels import LabelSet
from scrubjay.learning._crossfit import Circumstances, Task, is_done, read_member, run_task
from scrubjay.learning.experiments.data import ExperimentData, Numbers
from scrubjay.learning.experiments.systems import System
from scrubjay.learning.learners import (
    KEEPING,
    ON_DEVICES,
    RESUMABLE,
    SHARED,
    Trained,
    drop_checkpoint,
    fit_config,
)
from scrubjay.learning.preparation import Progress
from scrubjay.taggers.regex import make_regex_detector

WHOLE = "all"
"""The part of a cell that is scored on one corpus."""

MEMBERS = "members"
"""The folder, below that for work, of what ensembles keep."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One unit of work; `name` is unique in its experiment.

    The system learns from `train`, may stop by `stop`, and is scored on each of `parts`.
    """

    name: str
    system: System
    seed: int
    train: Numbers
    parts: Mapping[str, Numbers]
    stop: Numbers = ()

    @property
    def slug(self) -> str:
        """A name for files: readable, and distinct for every name."""
        plain = re.sub(r"[^\w.-]+", "-", self.name).strip("-.")[:60]
        return f"{plain}-{hashlib.sha256(self.name.encode()).hexdigest()[:8]}"

    def fingerprint(self, data: ExperimentData) -> str:
        """Return a sha256 of all that decides what comes out."""
        facts = {
            "system": self.system.identity(),
            "seed": self.seed,
            "language": data.language,
            "label-set": data.label_set_name,
            "train": data.fingerprint(self.train),
            "stop": data.fingerprint(self.stop),
            "parts": {name: data.fingerprint(numbers) for name, numbers in self.parts.items()},
        }
        return hashlib.sha256(encode_json(facts)).hexdigest()

    def scored(self) -> Numbers:
        """Return the documents of all parts, each once, in order."""
        return tuple(dict.fromkeys(n for numbers in self.parts.values() for n in numbers))


@dataclass(frozen=True, slots=True)
class Effort:
    """What a training may take: `threads` for a network (0: as many as it likes), and `jobs`,
    processes for the members of an ensemble.

    With `as_members` any system is trained where ensembles keep their members, so that a member
    that stands alone in a table is trained once.
    """

    threads: int = 0
    jobs: int = 1
    as_members: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of one system on one part: what every table is made from.

    `evaluations` are those of the i2b2 2014 scorer by their names, `labels` the strict ones of
    each label.
    """

    documents: int
    evaluations: Mapping[str, Counts]
    labels: Mapping[str, Counts]

    @property
    def strict(self) -> Counts:
        """The strict counts."""
        return self.evaluations["Strict"]

    @property
    def binary_token(self) -> Counts:
        """The label-blind counts of tokens: their recall is the PHI that was found at all."""
        return self.evaluations["Binary Token"]

    def to_json(self) -> dict[str, Any]:
        """Return the counts as plain values, each as `[tp, fp, fn]`."""
        return {
            "documents": self.documents,
            "evaluations": {name: astuple(row) for name, row in self.evaluations.items()},
            "labels": {name: astuple(row) for name, row in self.labels.items()},
        }

    def __add__(self, other: Figures) -> Figures:
        """Return the figures over the documents of both."""
        return Figures(
            self.documents + other.documents,
            _join(self.evaluations, other.evaluations),
            _join(self.labels, other.labels),
        )


def figures_from_json(table: Mapping[str, Any]) -> Figures:
    """Return the figures that `Figures.to_json` wrote."""
    return Figures(
        int(table["documents"]),
        {name: _read_counts(row) for name, row in table["evaluations"].items()},
        {name: _read_counts(row) for name, row in table["labels"].items()},
    )


def _read_counts(row: Sequence[Any]) -> Counts:
    tp, fp, fn = map(int, row)
    return Counts(tp, fp, fn)


def _join(one: Mapping[str, Counts], other: Mapping[str, Counts]) -> dict[str, Counts]:
    return {
        name: one.get(name, Counts()) + other.get(name, Counts())
        for name in dict.fromkeys([*one, *other])
    }


def sum_figures(figures: Iterable[Figures]) -> Figures:
    """Return the figures over the documents of all, one at least."""
    return reduce(add, figures)


@dataclass(frozen=True, slots=True)
class CellResult:
    """What came out of a cell; `seconds` are those of "training" and "detection"."""

    cell: Cell
    parts: Mapping[str, Figures]
    seconds: Mapping[str, float]
    training: Mapping[str, Any] = field(default_factory=dict)
    predictions: Sequence[tuple[Span, ...]] = field(default=(), repr=False)

    @property
    def figures(self) -> Figures:
        """The figures over all parts together."""
        return sum_figures(self.parts.values())


def score(
    gold: Sequence[Document], found: Iterable[tuple[Span, ...]], label_set: LabelSet | None
) -> Figures:
    """Return the figures of predicted spans on gold documents, in the same order."""
    report = evaluate_pairs(pair_found(gold, found), scorer="i2b2", label_set=label_set)
    assert report.i2b2 is not None
    return Figures(
        report.documents,
        {one.name: one.counts for one in report.i2b2},
        {row.label: row.counts for row in report.per_label if row.label},
    )


def run_cell(
    cell: Cell,
    data: ExperimentData,
    *,
    work: Path,
    progress: Progress,
    effort: Effort | None = None,
) -> CellResult:
    """Train the cell's system, let it answer, and score the answers.

    `work` is a folder for states of interrupted trainings, and for the members of ensembles, which
    other cells may share. Raises as `Learner.fit` does, and `ConfigError` for
    patterns without a known label set.
    """
    began = time.monotonic()
    if cell.system.table is None:
        detector, training = _patterns(data), {}
    else:
        fitted = _fit(cell, data, work, progress, effort or Effort())
        detector, training = fitted, dict(fitted.manifest.training_data)
    trained = time.monotonic()
    progress("detect", 0.0)
    numbers = cell.scored()
    found = dict(zip(numbers, detector.detect(data.at(numbers)), strict=True))
    detected = time.monotonic()
    progress("score", 0.0)
    parts = {
        name: score(data.at(part), (found[number] for number in part), data.label_set)
        for name, part in cell.parts.items()
    }
    seconds = {"training": round(trained - began, 2), "detection": round(detected - trained, 3)}
    return CellResult(cell, parts, seconds, training, tuple(found[number] for number in numbers))


def _patterns(data: ExperimentData) -> Detector:
    if not data.label_set_name:
        raise ConfigError("patterns need a label set that is known", hint="Give it by --label-set")
    return make_regex_detector(data.language, data.label_set_name)


def _fit(
    cell: Cell, data: ExperimentData, work: Path, progress: Progress, effort: Effort
) -> Trained:
    system, config = cell.system, cell.system.config()
    assert config is not None
    if effort.as_members and config.kind not in KEEPING:
        return _fit_member(cell, data, work / MEMBERS, progress, effort)
    checkpoint = _checkpoint(cell, work)
    fitted = fit_config(
        config,
        data.at(cell.train),
        dev=data.at(cell.stop),
        seed=cell.seed,
        progress=progress,
        language=data.language,
        label_set=data.label_set_name,
        name=system.name,
        checkpoint=checkpoint,
        device=data.device if config.kind in ON_DEVICES else "auto",
        threads=effort.threads,
        jobs=effort.jobs if config.kind in SHARED else 1,
        swap_copies=system.swap_copies,
    )
    if checkpoint is not None and config.kind not in KEEPING:
        drop_checkpoint(checkpoint)
    return fitted


def _fit_member(
    cell: Cell, data: ExperimentData, work: Path, progress: Progress, effort: Effort
) -> Trained:
    """Train a system where an ensemble finds it as its member, or find it there as one."""
    config: Any = cell.system.config()
    task = Task(
        cell.system.name,
        config,
        Circumstances(
            data.language,
            data.label_set_name,
            cell.seed,
            device=data.device,
            threads=effort.threads,
            swap_copies=cell.system.swap_copies,
        ),
        train=data.at(cell.train),
        stop=data.at(cell.stop),
    )
    make_folders(work, [], private=True)
    if not is_done(task, work):
        run_task(task, work, progress)
    found: Any = read_member(task, work).detector
    return cast("Trained", found)


def _checkpoint(cell: Cell, work: Path) -> Path | None:
    """Return where an interrupted training goes on from: for ensembles a folder for all cells."""
    if cell.system.kind not in RESUMABLE:
        return None
    make_folders(work, [], private=True)
    return work / MEMBERS if cell.system.kind in KEEPING else work / f"{cell.slug}.state"


def cell_record(result: CellResult, fingerprint: str) -> dict[str, Any]:
    """Return the JSON of a result: figures and facts, no text."""
    cell = result.cell
    return {
        "format_version": 1,
        "cell": cell.name,
        "fingerprint": fingerprint,
        "system": cell.system.name,
        "seed": cell.seed,
        "documents": {"train": len(cell.train), "stop": len(cell.stop)},
        "parts": {name: figures.to_json() for name, figures in result.parts.items()},
        "seconds": dict(result.seconds),
        "training": dict(result.training),
        "package_version": __version__,
    }
