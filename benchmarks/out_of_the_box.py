"""Shipped-like models on notes that nobody trained them on: by source, label and domain.

    python benchmarks/out_of_the_box.py MODEL --corpus en-notes --name en [--synth 400]

scores MODEL (a shipped name or a folder that was not trained on dev) on the dev split of en-notes,
nl-notes or MEDDOCAN, on the written notes of `corpora` that were set aside (dev, which was looked
at while models were made, test, of authors that no model was chosen by, forms: lists, tables and
forms, and messages: talk, mails, scans, exports), on real texts with invented identifiers put back
(English: `put_back.py`), and on synthetic notes with names that no training note holds (`scrubjay
synth --names dev`), clean and with noise. With `--seen-dev` the dev split is left out, for a model
that was trained on it. Adds a row of JSON for each source to results/out-of-the-box.json and writes
the tables anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from typing import Any

from harness import CONSOLE, CORPORA, ROOT, Results, read_split, shared_corpora, write_table
from put_back import read_put_back

from scrubjay.analysis.probes import detect_all
from scrubjay.corpora import read_corpus
from scrubjay.document import Document
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.pairs import Pair, pair_found
from scrubjay.evaluation.per_label import PerLabelScorer
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.evaluation.significance import count_strict
from scrubjay.labels import find_label_set
from scrubjay.models import load_model
from scrubjay.synthesis.generation import generate
from scrubjay.synthesis.noise import noise_rates

#: Seed of the synthetic notes; no training uses it.
SEED = 4711

HEAD = (
    "source", "notes", "precision", "recall", "strict F1", "relaxed F1", "binary token recall",
    "binary token precision", "false positive tokens per 1,000",
)  # fmt: skip


def sources(corpus: str, count: int, *, dev: bool = True) -> Iterator[tuple[str, list[Document]]]:
    """Yield what is scored, by name; the dev split unless `dev` is False."""
    language = CORPORA[corpus][3]
    if dev:
        yield f"{corpus} dev", read_split(corpus, "dev")
    for part in ("dev", "test", "forms", "messages"):
        written = ROOT / "corpora" / f"written-{language}/{part}.jsonl"
        if written.exists():
            yield f"written notes {part}", list(read_corpus(written))
    if language == "en":
        yield "real texts, identifiers put back, dev", read_put_back("dev")
    yield "synthetic, unseen names", list(generate(language, count, SEED, names="dev"))
    noisy = generate(language, count, SEED, names="dev", noise=noise_rates("0.5"))
    yield "synthetic, unseen names, noise", list(noisy)


def measure(pairs: Sequence[Pair], label_set: str) -> dict[str, Any]:
    """Return the figures of one source; label -> strict counts among them."""
    report = evaluate_pairs(pairs, label_set=find_label_set(label_set))
    assert report.i2b2 is not None
    tokens = report.binary_token
    return {
        "notes": len(pairs),
        **report.strict.ratios(),
        "relaxed-f1": report.i2b2["Relaxed"].counts.f1,
        "binary-token-recall": tokens.recall,
        "binary-token-precision": tokens.precision,
        "false-positives-per-1000": report.false_positives_per_1000,
    }


def by_group(pairs: Sequence[Pair], groups: dict[str, str]) -> dict[str, float | None]:
    """Return the strict F1 of each group of documents, by document id."""
    counted: dict[str, Counts] = {}
    for pair in pairs:
        name = groups.get(pair.gold.id, "?")
        counted[name] = counted.get(name, Counts()) + count_strict(pair)
    return {name: counts.f1 for name, counts in sorted(counted.items())}


def by_label(pairs: Sequence[Pair]) -> dict[str, dict[str, Any]]:
    """Return by label the gold spans, and strict precision, recall and F1."""
    scorer = PerLabelScorer()
    for pair in pairs:
        scorer.add(pair)
    counted = {row.category: row.counts for row in scorer.rows()}
    return {
        label: {"gold": counts.gold, **counts.ratios()}
        for label, counts in sorted(
            counted.items(), key=lambda row: (-sum(astuple(row[1])), row[0])
        )
    }


def read_domains(corpus: str) -> dict[str, str]:
    """Return the domain of each document of a corpus, empty where none are told."""
    file = shared_corpora() / corpus / "domains.tsv"
    if not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()[1:]
    return {line.split("\t")[0]: line.split("\t")[-1] for line in lines}


def tabulate(results: Results) -> None:
    """Write the tables: one row a source, then labels and domains."""
    rows = [
        [key, row["notes"], *(_show(row[name]) for name in _FIGURES), _rate(row)]
        for key, row in results.rows.items()
    ]
    write_table("out-of-the-box", "Models on notes they were not trained on", HEAD, rows)
    details = [
        [key, label, figures["gold"], *(_show(figures[name]) for name in _LABEL)]
        for key, row in results.rows.items()
        for label, figures in row.get("labels", {}).items()
    ]
    write_table(
        "out-of-the-box-labels",
        "The same by label, strict",
        ("source", "label", "gold", "precision", "recall", "F1"),
        details,
    )


_FIGURES = (
    "precision", "recall", "f1", "relaxed-f1", "binary-token-recall", "binary-token-precision",
)  # fmt: skip
_LABEL = ("precision", "recall", "f1")


def _rate(row: dict[str, Any]) -> str:
    return f"{row['false-positives-per-1000']:.1f}"


def _show(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.4f}"


def main() -> None:
    """Score a model on all its sources."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--corpus", choices=tuple(CORPORA), required=True)
    parser.add_argument("--name", required=True, help="the model's name in the table")
    parser.add_argument("--synth", type=int, default=400)
    parser.add_argument("--seen-dev", action="store_true", help="the model was trained on dev")
    options = parser.parse_args()
    results = Results("out-of-the-box")
    model: Any = load_model(options.model)
    domains = read_domains(options.corpus)
    for source, documents in sources(options.corpus, options.synth, dev=not options.seen_dev):
        found = (spans for _, spans in detect_all(model, documents))
        pairs = list(pair_found(documents, found))
        row = measure(pairs, CORPORA[options.corpus][2])
        row["labels"] = by_label(pairs)
        if domains and source in (f"{options.corpus} dev", "written notes dev"):
            # A written note's id tells its author: en-c-014.
            groups = {pair.gold.id: pair.gold.id.rpartition("-")[0] for pair in pairs} | domains
            row["domains"] = by_group(pairs, groups)
        key = f"{options.name}: {source}"
        results.save(key, row, seed=SEED)
        CONSOLE.print(f"{key}: strict F1 {_show(row['f1'])}")
    tabulate(results)


if __name__ == "__main__":
    main()
