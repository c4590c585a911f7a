"""Leave one domain out: how far a model carries to notes of a kind that it has not seen.

    python benchmarks/left_out.py [--synth 0] [--iterations 60] [--only DOMAIN ...]

For each of the ten domains of en-notes a CRF is trained on train without that domain, and scored
on the dev notes of the domain. Beside it stands one CRF of all of train, on the same notes. With
`--synth N`, N synthetic notes are trained on, too. A training that is in the results already is
not repeated.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness import CONSOLE, Results, read_split, score_on, write_table
from out_of_the_box import read_domains

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


def tabulate(results: Results) -> None:
    """Write the table: a row for each domain, with and without it, and their mean."""
    rows = []
    for synth in sorted({row["synth"] for row in results.rows.values()}):
        pairs = [
            (row["domain"], row["without"], row["with"])
            for row in results.rows.values()
            if row["synth"] == synth and "without" in row
        ]
        rows += [
            [synth, domain, _show(one, "f1"), _show(two, "f1"), _drop(one, two),
             _show(one, "binary-token-recall"), _show(two, "binary-token-recall")]
            for domain, one, two in pairs
        ]  # fmt: skip
    write_table(
        "left-out",
        "Trained without a domain of en-notes, and with it (CRF, dev notes of the domain)",
        ("synthetic notes", "domain", "F1 without", "F1 with", "points lost",
         "token recall without", "token recall with"),
        rows,
    )  # fmt: skip


def _show(figures: dict[str, Any], name: str) -> str:
    return f"{figures[name]:.4f}"


def _drop(one: dict[str, Any], two: dict[str, Any]) -> str:
    return f"{100 * (two['f1'] - one['f1']):.1f}"


def main() -> None:
    """Train, score and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--synth", type=int, default=0)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    results = Results("left-out")
    domains = read_domains("en-notes")
    train, dev = (read_split("en-notes", split) for split in ("train", "dev"))
    more = list(generate(LANGUAGE, options.synth, SEED, traps=0.3)) if options.synth else []
    whole: Detector | None = None
    for domain in sorted(set(domains.values()) & {domains[one.id] for one in dev}):
        key = f"{options.synth} synthetic: {domain}"
        if key in results or (options.only and domain not in options.only):
            continue
        whole = whole or fit([*train, *more], options.iterations)
        rest = [one for one in train if domains[one.id] != domain]
        own = [one for one in dev if domains[one.id] == domain]
        row: dict[str, Any] = {"domain": domain, "synth": options.synth, "notes": len(own)}
        row["with"], _ = score_on(whole, own, LABELS)
        row["without"], _ = score_on(fit([*rest, *more], options.iterations), own, LABELS)
        results.save(key, row, seed=SEED)
        CONSOLE.print(f"{key}: {_show(row['without'], 'f1')}, with it {_show(row['with'], 'f1')}")
        tabulate(results)


if __name__ == "__main__":
    main()
