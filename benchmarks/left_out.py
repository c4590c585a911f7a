"""Leave one domain out: how far a model carries to notes of a kind that it has not seen.

    python benchmarks/left_out.py [--synth 0] [--written 0] [--iterations 60] [--only DOMAIN ...]

For each of the ten domains of en-notes a CRF is trained on train without that domain, and scored
on the dev notes of the domain. Beside it stands one CRF of all of train, on the same notes. With
`--synth N`, N synthetic notes are trained on, too; with `--written N` every N-th of the notes
written for this project by others, as the shipped models are. A training that is in the results
already is not repeated.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness import CONSOLE, ROOT, Results, read_split, score_on, write_table
from out_of_the_box import read_domains

from scrubjay.corpora import read_corpora
from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.learning.configs import find_crf_config
from scrubjay.learning.crf import CrfLearner
from scrubjay.synthesis.generation import generate

LABELS, LANGUAGE = "i2b2-2014", "en"
#: Seed of the synthetic notes.
SEED = 7


def fit(documents: Sequence[Document], iterations: int) -> Detector:
    """Return a CRF of the shipped configuration."""
    config = find_crf_config("zhao2020-crf")
    config = replace(config, training=replace(config.training, max_iterations=iterations))
    return CrfLearner(config, language=LANGUAGE, label_set=LABELS, name="left-out").fit(documents)


def read_written(step: int) -> list[Document]:
    """Return every `step`-th of the English notes written for this project to train on."""
    written = read_corpora([str(ROOT / "corpora" / "written-en" / "train.jsonl")], format="jsonl")
    return list(written)[::step]


def _and_written(count: int) -> str:
    return f", {count} written" if count else ""


def tabulate(results: Results) -> None:
    """Write the table: a row for each domain, with and without it, and their mean."""
    rows = []
    for others in sorted({_others(row) for row in results.rows.values()}):
        pairs = [
            (row["domain"], row["without"], row["with"])
            for row in results.rows.values()
            if _others(row) == others and "without" in row
        ]
        rows += [
            [*others, domain, _show(one, "f1"), _show(two, "f1"), _drop(one, two),
             _show(one, "binary-token-recall"), _show(two, "binary-token-recall")]
            for domain, one, two in pairs
        ]  # fmt: skip
    write_table(
        "left-out",
        "Trained without a domain of en-notes, and with it (CRF, dev notes of the domain)",
        ("synthetic notes", "written notes", "domain", "F1 without", "F1 with", "points lost",
         "token recall without", "token recall with"),
        rows,
    )  # fmt: skip


def _others(row: dict[str, Any]) -> tuple[int, int]:
    """Return how many synthetic and written notes were trained on besides."""
    return row["synth"], row.get("written", 0)


def _show(figures: dict[str, Any], name: str) -> str:
    return f"{figures[name]:.4f}"


def _drop(one: dict[str, Any], two: dict[str, Any]) -> str:
    return f"{100 * (two['f1'] - one['f1']):.1f}"


def main() -> None:
    """Train, score and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--synth", type=int, default=0)
    parser.add_argument("--written", type=int, default=0, help="Every N-th of the written notes.")
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    results = Results("left-out")
    domains = read_domains("en-notes")
    train, dev = (read_split("en-notes", split) for split in ("train", "dev"))
    more = list(generate(LANGUAGE, options.synth, SEED, traps=0.3)) if options.synth else []
    written = read_written(options.written) if options.written else []
    more += written
    whole: Detector | None = None
    for domain in sorted(set(domains.values()) & {domains[one.id] for one in dev}):
        key = f"{options.synth} synthetic{_and_written(len(written))}: {domain}"
        if key in results or (options.only and domain not in options.only):
            continue
        whole = whole or fit([*train, *more], options.iterations)
        rest = [one for one in train if domains[one.id] != domain]
        own = [one for one in dev if domains[one.id] == domain]
        row: dict[str, Any] = {"domain": domain, "synth": options.synth, "notes": len(own)}
        row["written"] = len(written)
        row["with"], _ = score_on(whole, own, LABELS)
        row["without"], _ = score_on(fit([*rest, *more], options.iterations), own, LABELS)
        results.save(key, row, seed=SEED)
        CONSOLE.print(f"{key}: {_show(row['without'], 'f1')}, with it {_show(row['with'], 'f1')}")
        tabulate(results)


if __name__ == "__main__":
    main()
