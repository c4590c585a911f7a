"""Dev figures of the recurrent taggers, over several seeds, and of what they do without.

    python benchmarks/neural_accuracy.py PLAN [--corpus NAME] [--seeds N] [--only NAME]

`presets` trains the three systems as their configurations are. `zhao`, `jiang` (Figure 5) and
`trienes` take parts away one at a time, as the papers' ablations do. Training reads train and
chooses its epoch on dev, which every figure is measured on.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from harness import CONSOLE, CORPORA, Results, read_split, score_on, write_table

from scrubjay.learning.bilstm import BilstmLearner
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.configs import find_config

Changes = Mapping[str, Mapping[str, Any]]

PRESETS = ("zhao2020-blstm", "zhao2020-blstm-tuned", "jiang2017-lstm", "trienes2020-bilstm")

#: Plan -> preset and what each experiment changes in it; the first is the whole system.
ABLATIONS: Mapping[str, tuple[str, Mapping[str, Changes]]] = {
    "zhao": (
        "zhao2020-blstm-tuned",
        {
            "whole": {},
            "without feature embeddings": {"network": {"feature_dimension": 0}},
            "without characters": {"characters": {"network": "none"}},
            "without lattice": {"network": {"decoder": "softmax"}},
            "with windows of 128 tokens": {"windows": {"size": 128, "context": 16}},
            "without feature embeddings, with windows of 128 tokens": {
                "network": {"feature_dimension": 0},
                "windows": {"size": 128, "context": 16},
            },
        },
    ),
    "jiang": (
        "jiang2017-lstm",
        {
            "whole": {},
            "without character LSTM": {"characters": {"network": "none"}},
            "without pre-trained words": {"words": {"dimension": 0}},
            "with random words": {"words": {"vectors": "random"}},
            "without feature embeddings": {"network": {"feature_dimension": 0}},
            "without dropout": {"network": {"dropout": 0.0}},
            "without lattice": {"network": {"decoder": "softmax"}},
            "with the usual LSTM": {"network": {"recurrent": "lstm"}},
        },
    ),
    "trienes": (
        "trienes2020-bilstm",
        {
            "whole": {},
            "without contextual embeddings": {"contextual": {"models": ""}},
            "without word vectors": {"words": {"dimension": 0}},
        },
    ),
}

PLANS = ("presets", *ABLATIONS)


def change(config: BilstmConfig, changes: Changes) -> BilstmConfig:
    """Return a configuration with some settings of some sections changed."""
    sections = {name: replace(getattr(config, name), **values) for name, values in changes.items()}
    return replace(config, **sections)


def plan(name: str) -> Iterator[tuple[str, BilstmConfig]]:
    """Yield the experiments of a plan: what each is called, and its configuration."""
    if name == "presets":
        found = {preset: find_config(preset) for preset in PRESETS}
    else:
        preset, changes = ABLATIONS[name]
        found = {f"{preset} {what}": find_config(preset) for what in changes}
    for experiment, config in found.items():
        assert isinstance(config, BilstmConfig)
        what = experiment.partition(" ")[2]
        yield experiment, change(config, ABLATIONS[name][1][what]) if what else config


def train_and_score(
    config: BilstmConfig, corpus: str, *, seed: int, device: str, threads: int
) -> dict[str, Any]:
    """Train one configuration with one seed and return its dev figures and costs."""
    _, _, label_set, language = CORPORA[corpus]
    train, dev = read_split(corpus, "train"), read_split(corpus, "dev")
    learner = BilstmLearner(
        config, language=language, label_set=label_set, device=device, threads=threads
    )
    began = time.monotonic()

    def show(stage: str, share: float) -> None:
        CONSOLE.print(f"  {time.monotonic() - began:6.0f} s  {stage}", highlight=False)

    detector = learner.fit(train, dev=dev, seed=seed, progress=show)
    seconds = time.monotonic() - began
    figures, _ = score_on(detector, dev, label_set)
    metrics = detector.manifest.metrics
    return {
        **figures,
        "seconds": round(seconds, 1),
        "epochs": len(metrics["epochs"]),
        "epoch-kept": metrics["epoch-kept"],
        "dev-by-epoch": [epoch["dev"] for epoch in metrics["epochs"]],
        "bytes": sum(map(len, detector.files().values())),
        "device": device,
        "threads": threads,
    }


def tabulate(results: Results, name: str) -> None:
    """Write means over seeds with the spread, lowest to highest, of the strict F1."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for key, row in results.rows.items():
        groups.setdefault(key.rpartition(" seed ")[0], []).append(row)
    head = (
        "experiment", "seeds", "precision", "recall", "strict F1", "lowest", "highest",
        "binary token recall", "epochs", "minutes", "MB", "commit",
    )  # fmt: skip
    rows = []
    for experiment, members in groups.items():

        def mean(figure: str, members: list[Mapping[str, Any]] = members) -> float:
            return statistics.fmean(row[figure] for row in members)

        f1 = [row["f1"] for row in members]
        commits = dict.fromkeys(row["run"]["commit"] for row in members)
        rows.append(
            (
                experiment,
                len(members),
                *(f"{mean(figure):.4f}" for figure in ("precision", "recall", "f1")),
                f"{min(f1):.4f}",
                f"{max(f1):.4f}",
                f"{mean('binary-token-recall'):.4f}",
                f"{mean('epochs'):.0f}",
                f"{mean('seconds') / 60:.1f}",
                f"{mean('bytes') / 1e6:.1f}",
                " ".join(commits),
            )
        )
    title = f"Dev figures, means over seeds (`python benchmarks/neural_accuracy.py {name}`)"
    write_table(f"neural-accuracy-{name}", title, head, rows)


def main() -> None:
    """Run the chosen plan, skipping what the results file already holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plan", choices=PLANS)
    parser.add_argument("--corpus", choices=CORPORA, default="meddocan")
    parser.add_argument("--seeds", type=int, default=3, help="as many seeds, from 0")
    parser.add_argument(
        "--only", default="", help="only the experiment of this name, or those that contain it"
    )
    parser.add_argument("--epochs", type=int, default=0, help="at most as many epochs")
    parser.add_argument(
        "--contextual", default="", help="a folder of `scrubjay pretrain charlm`, for all seeds"
    )
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    results = Results(f"neural-accuracy-{options.plan}")
    experiments = dict(plan(options.plan))
    if options.only in experiments:
        experiments = {options.only: experiments[options.only]}
    for seed in range(options.seeds):
        for experiment, config in experiments.items():
            key = f"{options.corpus} {experiment} seed {seed}"
            if key in results or options.only not in experiment:
                continue
            CONSOLE.print(f"training {key}", highlight=False)
            if options.epochs:
                config = change(config, {"training": {"epochs": options.epochs}})
            if options.contextual and config.contextual.models == "train":
                config = change(config, {"contextual": {"models": options.contextual}})
            row = train_and_score(
                config,
                options.corpus,
                seed=seed,
                device=options.device,
                threads=options.threads,
            )
            results.save(key, row, seed=seed)
            CONSOLE.print(f"  strict F1 {row['f1']:.4f}, {row['seconds']} s", highlight=False)
    tabulate(results, options.plan)


if __name__ == "__main__":
    main()
