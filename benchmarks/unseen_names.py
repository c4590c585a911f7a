"""Recall of names by whether their words stand in the training corpora.

    python benchmarks/unseen_names.py MODEL GOLD TRAIN [TRAIN ...] [--name NAME]

MODEL is a shipped name or a folder, GOLD an annotated corpus and TRAIN those that the model was
trained on. Prints a table for each label and group: mentions, found whole, recall, exact recall,
and the gap between seen and unseen names; see `scrubjay.evaluation.unseen`. With `--name` the
figures are saved under it, in results/unseen-names.json and its table.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from harness import CONSOLE, Results, write_table

from scrubjay.analysis.probes import detect_all
from scrubjay.corpora import read_corpus
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.unseen import SEEN, UNSEEN, SeenCount, count_unseen, name_words
from scrubjay.models import load_model


def measure(model: str, gold: Path, train: list[Path]) -> list[SeenCount]:
    """Return the counts of a model on a corpus, by the names of its training corpora."""
    words = {word for folder in train for word in name_words(read_corpus(folder))}
    detected = detect_all(load_model(model), read_corpus(gold))
    return count_unseen((Pair(one, one.with_spans(spans)) for one, spans in detected), words)


def gap(rows: list[SeenCount]) -> float | None:
    """Return the recall of seen names less that of unseen ones, of all labels together."""
    recall = {row.group: row.found / row.mentions for row in rows if row.label == "all"}
    return recall[SEEN] - recall[UNSEEN] if {SEEN, UNSEEN} <= recall.keys() else None


def save(name: str, rows: list[SeenCount]) -> None:
    """Save the figures of one model on one corpus, and write the table of all."""
    results = Results("unseen-names")
    results.save(name, {"gap": gap(rows), "rows": [row.record() for row in rows]})
    table = [
        (title, row["group"], row["mentions"], f"{row['recall']:.4f}", f"{row['exact_recall']:.4f}")
        for title, saved in results.rows.items()
        for row in saved["rows"]
        if row["label"] == "all"
    ]
    head = ("model and notes", "words of the name in training", "mentions", "recall", "exact")
    write_table("unseen-names", "Names of persons by whether training had them", head, table)


def main() -> None:
    """Print the table, and save it on request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("gold", type=Path)
    parser.add_argument("train", type=Path, nargs="+")
    parser.add_argument("--name", help="save the figures under this name")
    chosen = parser.parse_args()
    rows = measure(chosen.model, chosen.gold, chosen.train)
    CONSOLE.print("label\tgroup\tmentions\tfound\trecall\texact recall")
    for row in rows:
        figures = f"{row.found / row.mentions:.4f}\t{row.exact / row.mentions:.4f}"
        CONSOLE.print(f"{row.label}\t{row.group}\t{row.mentions}\t{row.found}\t{figures}")
    difference = gap(rows)
    CONSOLE.print(f"seen less unseen\t{'-' if difference is None else f'{difference:+.4f}'}")
    if chosen.name:
        save(chosen.name, rows)


if __name__ == "__main__":
    main()
