"""Dev figures of patterns, of rules, and of both, as in Zhao 2020 (Table 5), with learning curves.

    python benchmarks/tbed_accuracy.py [--corpus NAME]

Trains `zhao2020-tbed` on the train split of each corpus, from its patterns and from `O` everywhere,
and measures strict F1 on dev with the i2b2 2014 scorer. Patterns alone are the model without its
rules. The curves (strict F1 on train and dev after each rule) are saved as SVG.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness import CONSOLE, CORPORA, RESULTS, Results, read_split, score_on, write_table
from svg import write_plot

from scrubjay.document import Document
from scrubjay.learning.configs import find_config
from scrubjay.learning.tbed import TbedLearner
from scrubjay.learning.tbed_config import TbedConfig
from scrubjay.taggers.tbed import TbedDetector

#: The number of rules that Zhao's learner gave (Preprocessing and Experimental Setups).
ZHAO_RULES = 43

#: Zhao's strict F1 with patterns and rules on i2b2 2014 (Table 5).
ZHAO_F1 = 0.9113


def score(detector: TbedDetector, dev: Sequence[Document], label_set: str) -> dict[str, Any]:
    """Return the dev figures of a detector."""
    figures, _ = score_on(detector, dev, label_set)
    return {**figures, "rules": len(detector.tagger.model.rules)}


def run(corpus: str, results: Results) -> None:
    """Train both ways on one corpus, and save figures and curves."""
    _, _, label_set, language = CORPORA[corpus]
    config = find_config("zhao2020-tbed")
    assert isinstance(config, TbedConfig)
    train, dev = read_split(corpus, "train"), read_split(corpus, "dev")
    lines: dict[str, list[tuple[float, float]]] = {}
    for initial, name in (("regex", "patterns + rules"), ("none", "rules alone")):
        began = time.monotonic()
        learner = TbedLearner(
            replace(config, initial=initial), language=language, label_set=label_set
        )
        detector = learner.fit(train, dev=dev)
        seconds = round(time.monotonic() - began, 1)
        curve = detector.curve["dev"]
        row = {
            **score(detector, dev, label_set),
            f"f1-after-{ZHAO_RULES}-rules": curve[min(ZHAO_RULES, len(curve) - 1)],
            "rules-to-zhao": next((n for n, f1 in enumerate(curve) if f1 >= ZHAO_F1), None),
            "training-seconds": seconds,
        }
        results.save(f"{corpus} {name}", row)
        CONSOLE.print(corpus, name, row, highlight=False)
        if initial == "regex":
            results.save(f"{corpus} patterns", score(detector.with_rules(()), dev, label_set))
        for split in ("train", "dev"):
            lines[f"{name}, {split}"] = list(enumerate(detector.curve[split]))
    write_plot(
        RESULTS / f"tbed-curve-{corpus}.svg",
        f"{corpus}: strict F1 over learned rules",
        {name: line[:: max(1, len(line) // 400)] for name, line in lines.items()},
        x="rules",
        y="F1",
    )


def main() -> None:
    """Run every corpus, or the one asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", choices=CORPORA)
    options = parser.parse_args()
    results = Results("tbed-accuracy")
    RESULTS.mkdir(exist_ok=True)
    for corpus in [options.corpus] if options.corpus else CORPORA:
        run(corpus, results)
    names = ("precision", "recall", "f1", "binary-token-recall")
    more = ("rules", f"f1-after-{ZHAO_RULES}-rules", "rules-to-zhao", "training-seconds")
    rows = [
        (key, *(f"{row[name]:.4f}" for name in names), *(row.get(name, "") for name in more))
        for key, row in sorted(results.rows.items())
    ]
    title = "Patterns and rules on dev (`python benchmarks/tbed_accuracy.py`)"
    write_table("tbed-accuracy", title, ("system", *names, *more), rows)


if __name__ == "__main__":
    main()
