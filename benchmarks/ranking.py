"""What the order of a review project is worth: notes chosen by `rank`, beside notes by lot.

    python benchmarks/ranking.py [--sizes 10,25] [--draws 3]

A small CRF learns from 60 notes of en-notes train. The other notes of train are imported into a
project and ordered once. The model is then adapted to the first notes of that order, and to as
many notes drawn by lot, and both are measured on dev.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness import CONSOLE, Results, read_split, score_on, write_table

from scrubjay.artifacts import save_artifact
from scrubjay.corpora.regions import without_ignored
from scrubjay.document import Document
from scrubjay.learning.configs import CrfConfig, parse_config
from scrubjay.learning.crf import CrfLearner
from scrubjay.learning.crf_adaptation import CrfAdaptation, adapt_crf
from scrubjay.review.project import Project
from scrubjay.taggers.crf import CrfDetector

LABELS = "i2b2-2014"
SEED_NOTES = 60
SMALL = """
kind = "crf"
[features]
scope = "sentence"
dictionary-documents = 1
[features.groups.all]
attributes = ["lower", "short-shape", "suffix2", "key", "pattern", "dictionary:*"]
offsets = [-1, 0, 1]
crosses = ["lower@-1 lower@0", "key@0 short-shape@0 lower@-1"]
[training]
max-iterations = 30
"""


def fit_base(notes: Sequence[Document]) -> CrfDetector:
    """Return the model that looks at the pool and is adapted."""
    config = parse_config(SMALL, origin="ranking")
    assert isinstance(config, CrfConfig)
    return CrfLearner(config, language="en", label_set=LABELS, name="small").fit(notes)


def order_pool(base: CrfDetector, pool: Sequence[Document]) -> list[str]:
    """Return the ids of the pool in the order in which a project would hand them out."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        save_artifact(model, base.manifest, files=base.files())
        with Project.create(Path(folder) / "project", labels=LABELS) as project:
            project.add_annotator("ana")
            project.import_documents([note.with_spans(()) for note in pool])
            project.prelabel(model)
            project.rank()
            order = []
            while (found := project.next("ana")) is not None:
                order.append(found.document)
                version = project.begin(found.document, "ana")
                project.finish(found.document, "ana", revision=version.revision)
    return order


def measure(
    base: CrfDetector, notes: Sequence[Document], dev: Sequence[Document]
) -> dict[str, Any]:
    """Return the figures on dev after the model was adapted to these notes, and their size."""
    adapted = adapt_crf(base, notes, CrfAdaptation(weight=1.0))
    figures, _ = score_on(adapted, dev, LABELS)
    return {**figures, "characters": sum(len(note.text) for note in notes)}


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10,25")
    parser.add_argument("--draws", type=int, default=3)
    options = parser.parse_args()
    train = [without_ignored(note) for note in read_split("en-notes", "train")]
    dev = read_split("en-notes", "dev")
    random.Random(0).shuffle(train)
    base, pool = fit_base(train[:SEED_NOTES]), train[SEED_NOTES:]
    gold = {note.id: note for note in pool}
    results = Results("ranking")
    results.save("0", score_on(base, dev, LABELS)[0])
    orders = {"rank": order_pool(base, pool)}
    for draw in range(1, options.draws + 1):
        orders[f"lot {draw}"] = random.Random(draw).sample(list(gold), len(gold))
    for size in map(int, options.sizes.split(",")):
        for name, order in orders.items():
            key = f"{size} by {name}"
            results.save(key, measure(base, [gold[one] for one in order[:size]], dev))
            CONSOLE.print(key, results.rows[key]["f1"])
    write_table(
        "ranking",
        "Notes of en-notes train chosen by rank and by lot, for a small CRF; on dev",
        ("notes", "characters", "strict F1", "recall", "binary token recall"),
        [
            (key, row.get("characters", 0), f"{row['f1']:.4f}", f"{row['recall']:.4f}",
             f"{row['binary-token-recall']:.4f}")
            for key, row in results.rows.items()
        ],
    )  # fmt: skip


if __name__ == "__main__":
    main()
