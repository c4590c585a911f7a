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
from scrubjay.evaluation.pairs import pair_found
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
    pairs = pair_found(dev, detector.detect(dev))
    report = evaluate_pairs(pairs, label_set=find_label_set(label_set))
    assert report.i2b2 is not None
    figures = {**report.strict.ratios(), "binary-token-recall": report.binary_token_recall}
    return figures, report.i2b2


#: The peak of a child is only known for all children together, so each runs under a parent.
_PARENT = """
import json, resource, subprocess, sys, time
began = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=-3, stderr=-3).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"code": code, "seconds": time.perf_counter() - began,
                  "processor": used.ru_utime + used.ru_stime, "peak-mb": used.ru_maxrss / 1024}))
"""


def run_scrubjay(*words: str, ends: Sequence[int] = (0,), **environment: str) -> dict[str, float]:
    """Run the command in a process of its own, and return what it took.

    That is seconds of wall time and of the processors, and the peak memory in MB. Ends the
    benchmark where its exit code is none of `ends`.
    """
    command = [sys.executable, "-c", "from scrubjay.cli.main import main; main()", *words]
    done = subprocess.run(
        [sys.executable, "-c", _PARENT, *command],
        check=True, capture_output=True, text=True, env={**os.environ, **environment},
    )  # fmt: skip
    row: dict[str, float] = json.loads(done.stdout)
    if row.pop("code") not in ends:
        raise SystemExit(f"the run failed: scrubjay {' '.join(words)}")
    return row


def load() -> float:
    """Return the load of the machine in the last minute."""
    return round(os.getloadavg()[0], 1)


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
