"""Cut MEDDOCAN documents into domains, for experiments of transfer.

    python benchmarks/domains.py FOLDER

writes FOLDER/train, FOLDER/dev (brat) and FOLDER/domains.tsv. Of each document the lines before
the report are the domain `header`, the report itself is `narrative`, and what follows from the
line of the sender on is `sender`. A span that reaches over a border is cut with the text. Parts
of dev whose text stands in train too (a sender can have sent both) are left out.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from harness import CONSOLE, read_split

from scrubjay.corpora import write_corpus
from scrubjay.document import Document, Span

DOMAINS = ("header", "narrative", "sender")
_REPORT = re.compile(r"^(Informe cl|Historia|Motivo|Antecedentes|Anamnesis)", re.M | re.I)
_SENDER = re.compile(r"^(Remitido por|Responsable cl)", re.M | re.I)


def cut(document: Document) -> Iterator[Document]:
    """Yield the parts of a document that are not empty, each with its own spans."""
    text = document.text
    report = _REPORT.search(text)
    first = report.start() if report else 0
    senders = [match.start() for match in _SENDER.finditer(text) if match.start() > first]
    borders = (0, first, senders[-1] if senders else len(text), len(text))
    for domain, (begin, end) in zip(DOMAINS, pairwise(borders), strict=True):
        if text[begin:end].strip():
            spans = [
                Span(max(s.start, begin) - begin, min(s.end, end) - begin, s.label)
                for s in document.spans
                if s.start < end and begin < s.end
            ]
            yield Document(f"{document.id}.{domain}", text[begin:end], tuple(spans))


def main() -> None:
    """Write both splits and the table of domains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    lines = ["document\tdomain"]
    seen: set[str] = set()
    for split in ("train", "dev"):
        parts = [part for document in read_split("meddocan", split) for part in cut(document)]
        parts = [part for part in parts if part.text not in seen]
        seen = {part.text for part in parts}
        write_corpus(parts, folder / split, format="brat")
        lines += [f"{part.id}\t{part.id.rpartition('.')[2]}" for part in parts]
        CONSOLE.print(f"{split}: {len(parts)} documents")
    (folder / "domains.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
