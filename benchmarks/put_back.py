"""Real clinical texts with invented identifiers put back into them, by hand.

    python benchmarks/put_back.py OUT

writes OUT/train.jsonl and OUT/dev.jsonl: texts that people wrote and that were de-identified before
they were published, with the edits of `corpora/put-back-en/edits.jsonl`. The edits hold what was
put in and where, and nothing of the texts: those are read from aci_bench.jsonl, mts_dialog.jsonl,
mtsamples.jsonl and primock57.jsonl in `../shared/corpora/carriers` (or below `SCRUBJAY_SHARED`), a
line `{"id": ..., "text": ...}` each. A text that is not the one that was edited is an error.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness import CONSOLE, ROOT, shared_corpora

from scrubjay.corpora import write_corpus
from scrubjay.document import Document, Span

EDITS = ROOT / "corpora/put-back-en/edits.jsonl"

#: The writers whose texts are set aside: nothing was trained on them.
DEV = ("3", "6")

#: Texts of those writers of which more than three in ten stretches of eight words stand in a text
#: to train on: the collections quote each other. They are in neither split.
REPEATED = frozenset({
    "mts-00184",
    "mts-00199",
    "mts-00321",
    "mts-00415",
    "mtsd-MTS-Dialog-TestSet-2-MEDIQA-Sum-2023-36",
    "mtsd-MTS-Dialog-TrainingSet-1",
    "mtsd-MTS-Dialog-TrainingSet-1117",
    "mtsd-MTS-Dialog-TrainingSet-322",
    "mtsd-MTS-Dialog-TrainingSet-377",
    "mtsd-MTS-Dialog-TrainingSet-516",
    "mtsd-MTS-Dialog-TrainingSet-568",
    "mtsd-MTS-Dialog-TrainingSet-65",
    "mtsd-MTS-Dialog-TrainingSet-913",
    "mtsd-MTS-Dialog-TrainingSet-915",
    "mtsd-MTS-Dialog-ValidationSet-13",
})  # fmt: skip


def read_put_back(split: str) -> list[Document]:
    """Return the texts of `train` or `dev` with their identifiers and gold spans."""
    rows = [json.loads(line) for line in EDITS.read_text(encoding="utf-8").splitlines()]
    texts = {name: dict(_texts(name)) for name in sorted({row["corpus"] for row in rows})}
    return [
        put_back(row, texts[row["corpus"]][row["id"]])
        for row in rows
        if row["id"] not in REPEATED and (row["author"] in DEV) == (split == "dev")
    ]


def put_back(row: dict[str, Any], text: str) -> Document:
    """Return one text with its edits, which are `[start, end, new]` in order of the text.

    Raises `ValueError` for a text that the edits were not made for.
    """
    if hashlib.sha256(text.encode()).hexdigest() != row["sha256"]:
        raise ValueError(f"{row['id']} is not the text that was edited")
    edited = apply_edits(text, row["edits"])
    spans = tuple(Span(start, end, label) for start, end, label in row["spans"])
    return Document(f"put-back-{row['author']}-{row['id']}", edited, spans)


def apply_edits(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """Return a text with stretches of it replaced, from its beginning to its end."""
    parts, at = [], 0
    for start, end, new in edits:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def _texts(corpus: str) -> Iterator[tuple[str, str]]:
    file = shared_corpora() / f"carriers/{corpus}.jsonl"
    if not file.is_file():
        raise SystemExit(f"{file}: not there; see `corpora/README.md` for what is needed")
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["id"], row["text"].replace("\r\n", "\n")


def main() -> None:
    """Write both splits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for split in ("train", "dev"):
        documents = read_put_back(split)
        write_corpus(documents, out / f"{split}.jsonl", format="jsonl")
        CONSOLE.print(f"{len(documents)} texts -> {out / split}.jsonl")


if __name__ == "__main__":
    main()
