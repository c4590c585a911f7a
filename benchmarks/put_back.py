"""Real clinical texts with invented identifiers put back into them, by hand.

    python benchmarks/put_back.py OUT

writes OUT/train.jsonl and OUT/dev.jsonl: the texts of `../shared/corpora/carriers`, which people
wrote and which were de-identified before they were published, with the edits of
`corpora/put-back-en/edits.jsonl`. The edits hold what was put in and where, and nothing of the
texts. A text that is not the one that was edited is an error.
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

#: The writers whose texts are set aside: nothing was trained or chosen on them.
DEV = ("3", "6")


def read_put_back(split: str) -> list[Document]:
    """Return the texts of `train` or `dev` with their identifiers and gold spans."""
    rows = [json.loads(line) for line in EDITS.read_text(encoding="utf-8").splitlines()]
    texts = {name: dict(_texts(name)) for name in sorted({row["corpus"] for row in rows})}
    return [
        put_back(row, texts[row["corpus"]][row["id"]])
        for row in rows
        if (row["author"] in DEV) == (split == "dev")
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
