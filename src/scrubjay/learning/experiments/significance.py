"""Whether systems differ by more than chance, from their predictions (kind "significance").

The predictions come from the folders of experiments or from predicted corpora; nothing is trained
unless the declaration has systems of its own. Yeh 2000; Trienes 2020, section 4.5.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scrubjay.corpora import read_corpus
from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.intervals import FIGURES, FloatArray
from scrubjay.evaluation.pairs import Pairing, labelled_pair
from scrubjay.evaluation.significance import Comparison, compare_systems, strict_rows
from scrubjay.evaluation.tables import Table
from scrubjay.features.templates import require_known
from scrubjay.learning.experiments.bench import Bench
from scrubjay.learning.experiments.comparing import mean_rows, run_systems
from scrubjay.learning.experiments.reading import read_text, read_whole
from scrubjay.learning.experiments.report import Report
from scrubjay.learning.experiments.store import EXPERIMENT, apply_record, read_records
from scrubjay.learning.experiments.systems import System

if TYPE_CHECKING:
    from scrubjay.learning.experiments.declaration import Experiment


@dataclass(frozen=True, slots=True)
class Significance:
    """Settings: where predictions are, how many shuffles, and one system to test all against.

    `predicted` maps names to folders: a predicted corpus, or the folder of an experiment, whose
    systems all take part, each under its own name with the name of the folder before it where
    that is needed. Without `reference` every two systems are compared.
    """

    predicted: Mapping[str, str]
    reference: str = ""
    shuffles: int = 9_999

    def identity(self) -> Mapping[str, Any]:
        """Return the settings."""
        return {
            "predicted": dict(self.predicted),
            "reference": self.reference,
            "shuffles": self.shuffles,
        }

    def extent(self) -> Mapping[str, Any]:
        """Return nothing but the seeds grows."""
        return {}

    def run(self, experiment: Experiment, bench: Bench) -> Report:
        """Compare the systems two by two."""
        scored = bench.data.require_scored()
        gold = bench.data.at(scored)
        rows: dict[str, FloatArray] = {}
        for name, place in self.predicted.items():
            for system, counts in read_rows(name, Path(place), gold):
                rows[system if system not in rows else f"{name}: {system}"] = counts
        for system, results in run_systems(experiment, bench, scored).items():
            rows[system] = mean_rows(bench, results, scored)
        if len(rows) < 2:
            raise InputError(
                f"a test needs two systems, there is {', '.join(rows) or 'none'}",
                hint="Give --predicted NAME=FOLDER twice, or the folder of an experiment",
            )
        if self.reference and self.reference not in rows:
            raise ConfigError(
                f"the reference {self.reference!r} is none of the systems",
                hint=f"There are: {', '.join(rows)}",
            )
        pairs = (
            [(self.reference, name) for name in rows if name != self.reference]
            if self.reference
            else list(combinations(rows, 2))
        )
        seed = experiment.seeds[0]
        tests = [
            (a, b, compare_systems(rows[a], rows[b], shuffles=self.shuffles, seed=seed))
            for a, b in pairs
        ]
        return _report(tests, self.shuffles)


def _report(tests: Sequence[tuple[str, str, Comparison]], shuffles: int) -> Report:
    lines = []
    details = []
    for first, second, test in tests:
        for figure in FIGURES:
            one = test[figure]
            lines.append(
                (first, second, figure, f"{one.first:.4f}", f"{one.second:.4f}",
                 f"{one.difference:+.4f}", f"{one.p:.4f}")
            )  # fmt: skip
        details.append(
            {
                "first": first,
                "second": second,
                "documents": test.documents,
                "shuffles": test.shuffles,
                **{
                    name: {"difference": test[name].difference, "p": test[name].p}
                    for name in FIGURES
                },
            }
        )
    header = ("first", "second", "figure", "first is", "second is", "difference", "p")
    return Report(
        [],
        [Table("Differences between systems", header, lines, text_columns=3)],
        details={"significance": details},
        notes=[
            f"Two-sided approximate randomization with {shuffles} shuffles, paired by document, on "
            "strict precision, recall and F1. Systems with several seeds by their mean counts on "
            f"each document. Not corrected for {len(tests)} comparison{'s' * (len(tests) != 1)}."
        ],
    )


def read_rows(name: str, place: Path, gold: Sequence[Document]) -> Iterator[tuple[str, FloatArray]]:
    """Yield the strict counts on each gold document of every system that is predicted there.

    Raises `InputError` where a document has no prediction, by its id.
    """
    if (place / EXPERIMENT).is_file():
        yield from _experiment_rows(place, gold)
        return
    predicted = read_corpus(place)
    pairs = list(Pairing(gold, predicted, can_skip=False))
    yield name, strict_rows(pairs)


def _experiment_rows(folder: Path, gold: Sequence[Document]) -> Iterator[tuple[str, FloatArray]]:
    wanted = {document.id for document in gold}
    found: dict[str, list[FloatArray]] = {}
    for path in sorted((folder / "cells").glob("*.spans.jsonl")):
        facts = path.with_name(path.name.removesuffix(".spans.jsonl") + ".json")
        if not facts.is_file():
            continue
        records = {record["id"]: record for record in read_records(path)}
        if set(records) != wanted:
            raise InputError(
                f"{len(wanted - set(records))} documents have no prediction and "
                f"{len(set(records) - wanted)} are not those to score",
                path=path,
                hint="Give the corpus that the experiment was scored on",
            )
        system = json.loads(facts.read_text(encoding="utf-8"))["system"]
        pairs = (labelled_pair(one, apply_record(one, records[one.id], path)) for one in gold)
        found.setdefault(system, []).append(strict_rows(pairs))
    for system, counts in found.items():
        yield system, np.mean(counts, axis=0)


def read_significance(
    table: Mapping[str, Any], *, systems: Sequence[System], replaced: bool
) -> Significance:
    """Read the settings of a test; raises `ConfigError`."""
    require_known(table, {"predicted", "reference", "shuffles"}, where="a test")
    predicted = table.get("predicted", {})
    if not isinstance(predicted, dict) or not all(isinstance(v, str) for v in predicted.values()):
        raise ConfigError('predicted must be a table such as { crf = "out/crf" }')
    return Significance(
        predicted,
        read_text(table, "reference", ""),
        read_whole(table, "shuffles", 9_999, least=1),
    )
