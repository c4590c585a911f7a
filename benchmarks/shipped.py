"""Every shipped model on the dev split of every open corpus of its language and label set.

    python benchmarks/shipped.py [--seed 0] [--only MODEL]... [--page-only]

Runs every pair anew and writes results/shipped.json and the tables of docs/benchmarks.md; `--only`
runs those of some models, and `--page-only` writes the tables from the results that are there.
Whether a model has seen a dev split is told by the fingerprint of its training data in its
manifest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness import CONSOLE, CORPORA, RESULTS, ROOT, Results, read_split

from scrubjay.artifacts import Manifest
from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.evaluation.direct import find_direct_labels
from scrubjay.evaluation.intervals import bootstrap_interval
from scrubjay.evaluation.leakage import LeakageScorer
from scrubjay.evaluation.pairs import pair_found
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.evaluation.significance import strict_rows
from scrubjay.labels import find_label_set
from scrubjay.learning.preparation import fingerprint
from scrubjay.models import ModelDescription, list_models, load_model

PAGE = ROOT / "docs" / "benchmarks.md"
NAME = "shipped"
MARK = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end of table -->\n)", re.DOTALL)
WORD = re.compile(r"\w+|[^\w\s]")
REPEATS = 7

#: How a model may have met a dev split -> what a reader should make of its figures there.
SEEN = {
    "no": "trained on train alone",
    "yes": "**trained on it: no test**",
    "unknown": "not known: do not take it for a test",
    "declared": "no, as docs/models.md says",
}


#: Shipped models that learned from train and from more, in several steps, but not from dev.
DECLARED = frozenset({"en", "en-fast", "en-medium", "es-fast", "nl", "nl-fast", "nl-medium"})


def meet(manifest: Manifest, train: Sequence[Document], dev: Sequence[Document]) -> str:
    """Return whether the model was trained on dev: `yes`, `no`, `declared` or `unknown`."""
    found = manifest.training_data.get("fingerprint")
    known = {
        fingerprint(train): "no",
        fingerprint(dev): "yes",
        fingerprint([*train, *dev]): "yes",
    }
    seen = known.get(str(found), "unknown")
    return "declared" if manifest.name in DECLARED and seen != "yes" else seen


def measure(
    detector: Detector, dev: Sequence[Document], label_set: str, seed: int
) -> Mapping[str, Any]:
    """Return the figures of one model on one corpus."""
    pairs = list(pair_found(dev, detector.detect(dev)))
    known = find_label_set(label_set)
    report = evaluate_pairs(pairs, label_set=known)
    leaks = LeakageScorer(find_direct_labels(known), label_set=known)
    for pair in pairs:
        leaks.add(pair)
    leakage = leaks.leakage()
    interval = bootstrap_interval(strict_rows(pairs), "f1", seed=seed)
    characters, documents = leakage.characters, leakage.documents
    return {
        "documents": len(dev),
        **report.strict.ratios(),
        "f1-low": interval.low,
        "f1-high": interval.high,
        "token-recall": report.binary_token_recall,
        "leak-share": characters.fn / characters.gold,
        "documents-with-phi": documents.with_phi,
        "documents-leaking": documents.leaking,
        "documents-leaking-direct": documents.leaking_direct,
    }


def measure_speed(detector: Detector, dev: Sequence[Document]) -> Mapping[str, Any]:
    """Return words per second, and the time as a multiple of splitting the texts into words."""
    words = sum(len(WORD.findall(document.text)) for document in dev)
    ours = min(_seconds(lambda: detector.detect(dev)) for _ in range(REPEATS))
    split = min(
        _seconds(lambda: [WORD.findall(document.text) for document in dev]) for _ in range(REPEATS)
    )
    return {
        "words": words,
        "words-per-second": round(words / ours),
        "ratio": round(ours / split, 1),
    }


def _seconds(work: Any) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def run(seed: int, only: Sequence[str] = ()) -> None:
    """Measure every shipped model, or some, on each corpus that speaks its language and labels."""
    results = Results(NAME)
    if not only:
        results.rows.clear()
    for model in list_models():
        manifest = model.manifest
        if only and manifest.name not in only:
            continue
        for corpus, (_, _, label_set, language) in CORPORA.items():
            if (manifest.language, manifest.label_set) != (language, label_set):
                continue
            train, dev = read_split(corpus, "train"), read_split(corpus, "dev")
            detector = load_model(manifest.name)
            row = {
                **_facts(model),
                "corpus": corpus,
                "seen": meet(manifest, train, dev),
                **measure(detector, dev, label_set, seed),
                **measure_speed(detector, dev),
            }
            results.save(f"{manifest.name} {corpus}", row, seed=seed)
            CONSOLE.print(row)


def _facts(model: ModelDescription) -> Mapping[str, Any]:
    manifest = model.manifest
    return {
        "model": manifest.name,
        "configuration": str(manifest.config.get("name", manifest.kind)),
        "kind": manifest.kind,
        "megabytes": round(model.size / 1e6, 1),
        "training-documents": manifest.training_data.get("documents"),
        "weights": _weights(manifest),
    }


def _weights(manifest: Manifest) -> str:
    """Return a short name of exactly these files, as `scrubjay models info` shows them."""
    listed = json.dumps(dict(sorted(manifest.files.items())))
    return hashlib.sha256(listed.encode()).hexdigest()[:12]


def render(page: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page with the tables of these results between its marks."""
    tables = {
        "strict": _table(
            ("model", "corpus", "documents", "has the model seen it?", "P", "R", "F1", "F1, 95%"),
            [
                (
                    *_named(row),
                    row["documents"],
                    SEEN[row["seen"]],
                    *(f"{row[key]:.4f}" for key in ("precision", "recall", "f1")),
                    f"{row['f1-low']:.4f} to {row['f1-high']:.4f}",
                )
                for row in rows.values()
            ],
        ),
        "leaks": _table(
            (
                "model",
                "corpus",
                "has the model seen it?",
                "token recall",
                "leak share",
                "documents with PHI",
                "with a leak",
                "with a direct one",
            ),
            [
                (
                    *_named(row),
                    SEEN[row["seen"]],
                    *(f"{row[key]:.4f}" for key in ("token-recall", "leak-share")),
                    *(row[f"documents-{key}"] for key in ("with-phi", "leaking", "leaking-direct")),
                )
                for row in rows.values()
            ],
        ),
        "speed": _table(
            ("model", "corpus", "configuration", "MB", "words/s", "times a word split", "weights"),
            [
                (
                    *_named(row),
                    f"`{row['configuration']}`",
                    row["megabytes"],
                    f"{row['words-per-second']:,}",
                    row["ratio"],
                    f"`{row['weights']}`",
                )
                for row in rows.values()
            ],
        ),
        "missing": _unmeasured(rows),
    }
    return MARK.sub(lambda found: found[1] + tables[found[2]] + found[3], page)


def _named(row: Mapping[str, Any]) -> tuple[str, str]:
    return f"`{row['model']}`", f"{row['corpus']} dev"


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _unmeasured(rows: Mapping[str, Mapping[str, Any]]) -> str:
    measured = {row["corpus"] for row in rows.values()}
    missing = [f"{corpus} dev" for corpus in CORPORA if corpus not in measured]
    if not missing:
        return ""
    return f"No shipped model speaks the language and labels of {', '.join(missing)}.\n"


def write_page(page: Path = PAGE) -> None:
    """Write the tables of the page from the results that are there."""
    rows = json.loads((RESULTS / f"{NAME}.json").read_text(encoding="utf-8"))["rows"]
    page.write_text(render(page.read_text(encoding="utf-8"), rows), encoding="utf-8")


def main() -> None:
    """Measure all, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], metavar="MODEL")
    parser.add_argument("--page-only", action="store_true")
    options = parser.parse_args()
    if not options.page_only:
        run(options.seed, options.only)
    write_page()


if __name__ == "__main__":
    main()
