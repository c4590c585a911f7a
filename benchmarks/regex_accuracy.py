"""What the patterns find alone: strict figures per label and speed, on the open corpora.

    python benchmarks/regex_accuracy.py [--corpus NAME] [--split dev|train] [--repeat 3]

Nothing is trained. The patterns were written by looking at the train splits alone, so train
figures are what they were fitted to and dev figures what they are worth. Compare Zhao 2020,
Table 5: 45.19 for the authors' regular expressions alone, on i2b2 2014. Speed is that of one
process over the train split, the best of `--repeat` runs, in tokens of the `subword` tokenizer;
tokenization itself is not timed.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from harness import CONSOLE, CORPORA, Results, read_split, write_table

from scrubjay.evaluation.pairs import pair_found
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.labels import find_label_set
from scrubjay.taggers.regex import RegexDetector, make_regex_detector
from scrubjay.text.tokenizers import make_tokenizer


def score(detector: RegexDetector, corpus: str, split: str) -> dict[str, Any]:
    """Return the strict figures of a split, as a whole and per label."""
    documents = read_split(corpus, split)
    label_set = find_label_set(CORPORA[corpus][2])
    pairs = pair_found(documents, detector.detect(documents))
    report = evaluate_pairs(pairs, label_set=label_set)
    return {
        **report.strict.ratios(),
        "binary-token-recall": report.binary_token_recall,
        "labels": {
            row.label: {"gold": row.counts.gold, **row.counts.ratios()}
            for row in report.per_label
            if row.label is not None
        },
    }


def measure_speed(detector: RegexDetector, corpus: str, repeat: int) -> dict[str, Any]:
    """Return tokens per second over the train split."""
    documents = read_split(corpus, "train")
    tokenizer = make_tokenizer("subword")
    tokens = sum(len(tokenizer.tokenize(document.text)) for document in documents)
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        detector.detect(documents)
        times.append(time.perf_counter() - began)
    return {"tokens": tokens, "tokens-per-second": round(tokens / min(times))}


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"


def main() -> None:
    """Score and time the patterns of each corpus's language; results are written anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", choices=CORPORA)
    parser.add_argument("--split", choices=("dev", "train"), default="dev")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    results = Results("regex-accuracy")
    for corpus, (_, _, label_set, language) in CORPORA.items():
        if options.corpus and corpus != options.corpus:
            continue
        began = time.perf_counter()
        detector = make_regex_detector(language, label_set)
        loaded = time.perf_counter() - began
        row = score(detector, corpus, options.split)
        row |= measure_speed(detector, corpus, options.repeat)
        row |= {"patterns": len(detector.patterns), "load-seconds": round(loaded, 3)}
        results.save(f"{corpus} {options.split}", row)
        CONSOLE.print(
            f"{corpus} {options.split}: P {_percent(row['precision'])} R {_percent(row['recall'])} "
            f"F1 {_percent(row['f1'])}, {row['tokens-per-second']:,} tokens/s",
            highlight=False,
        )
    head = ("corpus", "label", "gold", "precision", "recall", "strict F1", "tokens/s", "commit")
    rows: list[tuple[Any, ...]] = []
    for key, row in results.rows.items():
        figures = [_percent(row[name]) for name in ("precision", "recall", "f1")]
        gold = sum(label["gold"] for label in row["labels"].values())
        speed = f"{row['tokens-per-second']:,}"
        rows.append((f"**{key}**", "all", gold, *figures, speed, row["run"]["commit"]))
        for name, label in row["labels"].items():
            figures = [_percent(label[part]) for part in ("precision", "recall", "f1")]
            rows.append((key, name, label["gold"], *figures, "", ""))
    title = "The patterns alone, strict (`python benchmarks/regex_accuracy.py`)"
    write_table("regex-accuracy", title, head, rows)


if __name__ == "__main__":
    main()
