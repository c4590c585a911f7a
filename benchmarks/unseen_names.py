"""Recall of names by whether their words stand in the training corpora.

    python benchmarks/unseen_names.py MODEL GOLD TRAIN [TRAIN ...] [--name NAME]

MODEL is a shipped name or a folder, GOLD an annotated corpus and TRAIN those that the model was
trained on. A mention is *seen* where every word of it stands in some name of the training corpora,
*partly* where some do, *unseen* where none does. Words are runs of letters of at least two
characters, in lower case and without accents; particles ("van", "de") count for nothing. It is
found where every letter and digit of it lies in predicted spans, exactly found where a predicted
span has the same borders, whatever the label.

Prints a table for each label and group: mentions, found whole, recall, exact recall, and the gap
between seen and unseen names. With `--name` the figures are saved under it, in
results/unseen-names.json and its table.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import CONSOLE, Results, write_table

from scrubjay.analysis.probes import coverage, detect_all
from scrubjay.corpora import read_corpus
from scrubjay.document import Document
from scrubjay.evaluation.pairs import Pair, labelled_pair
from scrubjay.features.lexicons import find_lexicon, fold_accents, lexicon_names, normal_word
from scrubjay.models import load_model

#: Labels of names of persons in the shipped label sets.
NAME_LABELS = {
    "PATIENT",
    "DOCTOR",
    "NAME",
    "INITIALS",
    "NOMBRE_SUJETO_ASISTENCIA",
    "NOMBRE_PERSONAL_SANITARIO",
    "FAMILIARES_SUJETO_ASISTENCIA",
}

SEEN, PARTLY, UNSEEN = "seen", "partly", "unseen"
ALL = "all"

_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class SeenCount:
    """Mentions of one label whose words were seen, partly seen or unseen in training."""

    label: str
    group: str
    mentions: int
    found: int
    exact: int

    def record(self) -> dict[str, Any]:
        """Return the counts and recalls as plain values."""
        return {
            "label": self.label,
            "group": self.group,
            "mentions": self.mentions,
            "found": self.found,
            "exact": self.exact,
            "recall": self.found / self.mentions,
            "exact_recall": self.exact / self.mentions,
        }


def name_words(documents: Iterable[Document]) -> set[str]:
    """Return the words of all names of documents."""
    return {
        word
        for document in documents
        for span in document.spans
        if span.label in NAME_LABELS
        for word in _words(document.text[span.start : span.end])
    }


def count_unseen(pairs: Iterable[Pair], words: set[str]) -> list[SeenCount]:
    """Return counts by label and group, all labels last; names without a word are left out."""
    lists = (name for name in lexicon_names() if name.endswith(".particles"))
    particles = {word for name in lists for word in find_lexicon(name)}
    counts: Counter[tuple[str, str, str]] = Counter()
    for pair in pairs:
        text, predicted = pair.gold.text, pair.predicted.spans
        borders = {(span.start, span.end) for span in predicted}
        for span in pair.gold.spans:
            own = [w for w in _words(text[span.start : span.end]) if w not in particles]
            if span.label not in NAME_LABELS or not own:
                continue
            known = sum(word in words for word in own)
            group = SEEN if known == len(own) else PARTLY if known else UNSEEN
            covered, size = coverage(text, span, predicted)
            for label in (span.label, ALL):
                counts[label, group, "mentions"] += 1
                counts[label, group, "found"] += covered == size
                counts[label, group, "exact"] += (span.start, span.end) in borders
    labels = {label for label, _, _ in counts}
    return [
        SeenCount(label, group, *(counts[label, group, x] for x in ("mentions", "found", "exact")))
        for label in (*sorted(labels - {ALL}), ALL)
        for group in (SEEN, PARTLY, UNSEEN)
        if counts[label, group, "mentions"]
    ]


def _words(name: str) -> list[str]:
    return [fold_accents(normal_word(word)) for word in _WORD.findall(name)]


def measure(model: str, gold: Path, train: list[Path]) -> list[SeenCount]:
    """Return the counts of a model on a corpus, by the names of its training corpora."""
    words = {word for folder in train for word in name_words(read_corpus(folder))}
    detected = detect_all(load_model(model), read_corpus(gold))
    return count_unseen(
        (labelled_pair(one, one.with_spans(spans)) for one, spans in detected), words
    )


def gap(rows: list[SeenCount]) -> float | None:
    """Return the recall of seen names less that of unseen ones, of all labels together."""
    recall = {row.group: row.found / row.mentions for row in rows if row.label == ALL}
    return recall[SEEN] - recall[UNSEEN] if {SEEN, UNSEEN} <= recall.keys() else None


def save(name: str, rows: list[SeenCount]) -> None:
    """Save the figures of one model on one corpus, and write the table of all."""
    results = Results("unseen-names")
    results.save(name, {"gap": gap(rows), "rows": [row.record() for row in rows]})
    table = [
        (title, row["group"], row["mentions"], f"{row['recall']:.4f}", f"{row['exact_recall']:.4f}")
        for title, saved in results.rows.items()
        for row in saved["rows"]
        if row["label"] == ALL
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
