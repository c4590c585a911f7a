"""What every benchmark shares: corpora, resumable results, and the facts of the run."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from scrubjay.corpora import read_corpus
from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.evaluation.i2b2 import I2b2Scores
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.labels import find_label_set

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).resolve().parent / "results"
CONSOLE = Console(stderr=True)

#: name -> (train, dev, label set, language), below the folder of shared corpora.
CORPORA: Mapping[str, tuple[str, str, str, str]] = {
    "meddocan": ("meddocan/train/brat", "meddocan/dev/brat", "meddocan", "es"),
    "en-notes": ("en-notes/train/brat", "en-notes/dev/brat", "i2b2-2014", "en"),
    "nl-notes": ("nl-notes/train", "nl-notes/dev", "trienes-2020", "nl"),
}


def shared_corpora() -> Path:
    """Return the folder of the open corpora: $SCRUBJAY_SHARED or ../shared beside the project."""
    return Path(os.environ.get("SCRUBJAY_SHARED", ROOT.parent / "shared")) / "corpora"


def read_split(corpus: str, split: str) -> list[Document]:
    """Return the documents of the train or dev split of a corpus."""
    place = CORPORA[corpus][0 if split == "train" else 1]
    return list(read_corpus(shared_corpora() / place))


def score_on(
    detector: Detector, dev: Sequence[Document], label_set: str
) -> tuple[dict[str, Any], I2b2Scores]:
    """Return the figures that every accuracy table shows, and all scores behind them."""
    found = detector.detect(dev)
    pairs = (Pair(gold, gold.with_spans(spans)) for gold, spans in zip(dev, found, strict=True))
    report = evaluate_pairs(pairs, scorer="i2b2", label_set=find_label_set(label_set))
    assert report.i2b2 is not None
    strict = report.i2b2["Strict"].counts
    figures = {
        "precision": strict.precision,
        "recall": strict.recall,
        "f1": strict.f1,
        "binary-token-recall": report.binary_token_recall,
    }
    return figures, report.i2b2


def _read_commit() -> str:
    command = ["git", "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


#: The commit when the process began: what it imported, whatever is committed meanwhile.
COMMIT = _read_commit()


def run_facts(seed: int = 0) -> dict[str, Any]:
    """Return what is needed to repeat a run: command, commit, seed, versions, machine."""
    # Of a place on this machine the last part is enough.
    words = [Path(word).name if Path(word).is_absolute() else word for word in sys.argv[1:]]
    return {
        "command": " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *words]),
        "commit": COMMIT,
        "seed": seed,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }


class Results:
    """Rows of one benchmark, each saved as soon as it is there; a second run skips them."""

    def __init__(self, name: str) -> None:
        self.path = RESULTS / f"{name}.json"
        self.rows: dict[str, Any] = {}
        if self.path.exists():
            self.rows = json.loads(self.path.read_text(encoding="utf-8"))["rows"]

    def __contains__(self, key: str) -> bool:
        return key in self.rows

    def save(self, key: str, row: Mapping[str, Any], *, seed: int = 0) -> None:
        """Add a row and write the file anew, in one step."""
        self.rows[key] = {**row, "run": run_facts(seed)}
        RESULTS.mkdir(exist_ok=True)
        sibling = self.path.with_suffix(".partial")
        text = json.dumps({"rows": self.rows}, indent=1, ensure_ascii=False) + "\n"
        sibling.write_text(text, encoding="utf-8")
        sibling.replace(self.path)


def write_table(name: str, title: str, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write a short Markdown table beside the JSON."""
    lines = [f"# {title}", "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    (RESULTS / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
