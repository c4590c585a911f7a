"""Dev figures of named configurations on the open corpora.

    python benchmarks/accuracy.py [presets|groups|preprocessing] [--corpus NAME] [--only NAME]

`presets` trains every configuration on every corpus. `groups` adds the feature groups of a
configuration one by one (He 2015, Figures 2-3; Jiang 2017, Figure 4 reads the same table
backwards). `preprocessing` trains with and without the papers' tokenization (He 2015, Table 5;
Jiang 2017, Figure 6). Every figure is on dev after training on train; nothing saw dev.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness import CONSOLE, CORPORA, Results, read_split, score_on, write_table

from scrubjay.document import Document
from scrubjay.labels import find_label_set
from scrubjay.learning.configs import CrfConfig, find_crf_config
from scrubjay.learning.crf import CrfLearner

PRESETS = ("he2015", "jiang2017-crf", "trienes2020-crf", "zhao2020-crf")
SEED = 0


def plan_presets() -> Iterator[tuple[str, str, CrfConfig]]:
    """Yield every configuration on every corpus."""
    for corpus in CORPORA:
        for preset in PRESETS:
            yield f"{corpus} {preset}", corpus, find_crf_config(preset)


def plan_groups() -> Iterator[tuple[str, str, CrfConfig]]:
    """Yield configurations that grow by one feature group at a time."""
    for preset in ("he2015", "jiang2017-crf", "zhao2020-crf"):
        config = find_crf_config(preset)
        names = list(config.features.groups)
        for size in range(1, len(names) + 1):
            grown = replace(config, features=config.features.only(names[:size]))
            yield f"meddocan {preset} {size} +{names[size - 1]}", "meddocan", grown


def plan_preprocessing() -> Iterator[tuple[str, str, CrfConfig]]:
    """Yield configurations on plain white-space tokens, lines as sentences, and as published."""
    plain = {"name": "whitespace", "sentences": "line"}
    for preset in ("he2015", "jiang2017-crf"):
        config = find_crf_config(preset)
        yield f"meddocan {preset} without", "meddocan", replace(config, tokenizer=plain)
        yield f"meddocan {preset} with", "meddocan", config


PLANS = {"presets": plan_presets, "groups": plan_groups, "preprocessing": plan_preprocessing}


def train_and_score(config: CrfConfig, corpus: str, dev: list[Document]) -> dict[str, Any]:
    """Train one configuration and return its dev figures."""
    _, _, label_set, language = CORPORA[corpus]
    began = time.monotonic()
    learner = CrfLearner(config, language=language, label_set=label_set)
    detector = learner.fit(read_split(corpus, "train"), seed=SEED)
    trained = time.monotonic() - began
    figures, scores = score_on(detector, dev, label_set)
    return {
        **figures,
        "categories-f1": {
            category: scores[f"{category} Strict"].counts.f1
            for category in find_label_set(label_set).main_categories
        },
        "training-seconds": round(trained, 1),
        "features": len(detector.tagger.model.features.templates),
    }


def main() -> None:
    """Run the chosen plan, skipping what the results file already holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plan", choices=PLANS)
    parser.add_argument("--corpus", choices=CORPORA)
    parser.add_argument("--only", help="only rows whose name contains this")
    options = parser.parse_args()
    results = Results(f"accuracy-{options.plan}")
    for key, corpus, config in PLANS[options.plan]():
        skipped = (options.corpus and corpus != options.corpus) or (options.only or "") not in key
        if key in results or skipped:
            continue
        CONSOLE.print(f"training {key}", highlight=False)
        row = train_and_score(config, corpus, read_split(corpus, "dev"))
        results.save(key, row, seed=SEED)
        CONSOLE.print(f"  strict F1 {row['f1']:.4f}, {row['training-seconds']} s", highlight=False)
    head = ("system", "precision", "recall", "strict F1", "binary token recall", "commit")
    rows = [
        (
            key,
            *(f"{row[name]:.4f}" for name in ("precision", "recall", "f1", "binary-token-recall")),
            row["run"]["commit"],
        )
        for key, row in results.rows.items()
    ]
    title = f"Dev figures: {options.plan} (`python benchmarks/accuracy.py {options.plan}`)"
    write_table(f"accuracy-{options.plan}", title, head, rows)


if __name__ == "__main__":
    main()
