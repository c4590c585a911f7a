"""A Dutch model on the dev split of nl-notes and on synthetic notes with names of the other half.

    python benchmarks/dutch.py MODEL --synthetic NOTES [--seed 0]

MODEL is a model trained as docs/models.md tells, on train alone. Writes results/dutch.json and
results/dutch.md: strict figures, label-blind token recall, and strict figures per label.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from harness import CONSOLE, Results, read_split, write_table

from scrubjay.corpora import read_corpus
from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.labels import find_label_set
from scrubjay.models import load_model

NAME = "dutch"
LABEL_SET = "trienes-2020"
HEAD = ("corpus", "label", "mentions", "P", "R", "F1", "label-blind token recall")


def measure(detector: Detector, documents: Sequence[Document]) -> dict[str, Any]:
    """Return the figures of all labels, and the counts of each."""
    found = detector.detect(documents)
    pairs = [
        Pair(gold, gold.with_spans(spans)) for gold, spans in zip(documents, found, strict=True)
    ]
    report = evaluate_pairs(pairs, scorer="i2b2", label_set=find_label_set(LABEL_SET))
    assert report.i2b2 is not None
    strict = report.i2b2["Strict"].counts
    labels: dict[str, dict[str, int]] = {}
    for pair in pairs:
        gold = {(span.start, span.end, span.label) for span in pair.gold.spans}
        guess = {(span.start, span.end, span.label) for span in pair.predicted.spans}
        for key, spans in (("tp", gold & guess), ("fp", guess - gold), ("fn", gold - guess)):
            for *_, label in spans:
                counts = labels.setdefault(label, {"tp": 0, "fp": 0, "fn": 0})
                counts[key] += 1
    return {
        "documents": len(documents),
        "precision": strict.precision,
        "recall": strict.recall,
        "f1": strict.f1,
        "token-recall": report.binary_token_recall,
        "labels": dict(sorted(labels.items())),
    }


def main() -> None:
    """Measure the model and write the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("--synthetic", required=True, help="notes written with --names dev")
    parser.add_argument("--seed", type=int, default=0, help="that of the training, for the record")
    options = parser.parse_args()
    detector, results = load_model(options.model), Results(NAME)
    corpora = {
        "nl-notes dev": read_split("nl-notes", "dev"),
        "synthetic dev": list(read_corpus(options.synthetic)),
    }
    for corpus, documents in corpora.items():
        row = measure(detector, documents)
        results.save(corpus, row, seed=options.seed)
        CONSOLE.print({key: value for key, value in row.items() if key != "labels"})
    write_table(NAME, "The Dutch model, per corpus and label", HEAD, list(_table(results)))


def _table(results: Results) -> Iterator[tuple[str, ...]]:
    for corpus, row in results.rows.items():
        figures = (f"{row[key]:.4f}" for key in ("precision", "recall", "f1", "token-recall"))
        yield (corpus, "all", "", *figures)
        for label, counts in row["labels"].items():
            tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
            shares = (tp / max(1, tp + fp), tp / max(1, tp + fn), 2 * tp / max(1, 2 * tp + fp + fn))
            yield (corpus, label, str(tp + fn), *(f"{share:.4f}" for share in shares), "")


if __name__ == "__main__":
    main()
