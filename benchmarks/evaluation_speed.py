"""How long the commands that evaluate take on a large corpus, each in a process of its own.

    python benchmarks/evaluation_speed.py [--documents 10000] [--commands evaluate errors ...]

The documents are those of en-notes, again and again under new ids, as one JSONL file of gold and
one for each of two systems: gold with spans dropped, shifted, relabelled and added at random. What
is measured is the whole command, from the start of Python to its last file: wall time, CPU time
and peak memory, with the machine's load, since both times are alike on an idle one alone. Reports
are written as JSON and HTML where a command has both.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from harness import CONSOLE, Results, load, read_split, run_scrubjay, write_table

from scrubjay.corpora.writing import write_corpus
from scrubjay.document import Document, Span

LABELS = ("DOCTOR", "PATIENT", "DATE", "HOSPITAL", "CITY", "IDNUM", "AGE", "PHONE")

#: The words after the command; {gold}, {one}, {two} and {out} are filled in.
COMMANDS = {
    "evaluate": "{gold} {one} --json {out}/evaluate.json",
    "evaluate --html": "{gold} {one} --json {out}/evaluate.json --html {out}/evaluate.html",
    "errors": "{gold} {one} --json {out}/errors.json --html {out}/errors.html",
    "compare": "{gold} {one} {two} --json {out}/compare.json --html {out}/compare.html",
    "risk": "{gold} {one} --json {out}/risk.json --html {out}/risk.html",
    "agreement": "{one} {two} --json {out}/agreement.json --html {out}/agreement.html",
}


def repeat_documents(size: int) -> Iterator[Document]:
    """Yield `size` documents of en-notes under new ids."""
    known = [*read_split("en-notes", "train"), *read_split("en-notes", "dev")]
    for number in range(size):
        document = known[number % len(known)]
        yield Document(f"{document.id}-{number // len(known):03d}", document.text, document.spans)


def damage(document: Document, share: float, draw: random.Random) -> Document:
    """Return a document whose spans are wrong in all the ways there are, about so many of them."""
    spans: list[Span] = []
    for span in document.spans:
        fate = draw.random() / share
        if fate < 0.4:
            continue
        if fate < 0.6 and len(span) > 2:
            span = replace(span, start=span.start + 1)
        elif fate < 0.8:
            span = replace(span, label=draw.choice(LABELS))
        elif fate < 1.0:
            start = draw.randrange(max(1, len(document.text) - 8))
            spans.append(Span(start, min(start + 8, len(document.text)), draw.choice(LABELS)))
        spans.append(span)
    chosen: list[Span] = []
    for span in sorted(spans):
        if not chosen or span.start >= chosen[-1].end:
            chosen.append(span)
    return document.with_spans(chosen)


def write_corpora(folder: Path, size: int, seed: int) -> dict[str, str]:
    """Write gold and two systems; return the path of each."""
    shares = {"gold": 0.0, "one": 0.1, "two": 0.08}
    for name, share in shares.items():
        draw = random.Random(f"{seed} {name}")
        documents = repeat_documents(size)
        if share:
            documents = (damage(document, share, draw) for document in documents)
        write_corpus(documents, folder / f"{name}.jsonl", format="jsonl")
    return {name: str(folder / f"{name}.jsonl") for name in shares}


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    options = parser.parse_args()
    results = Results("evaluation-speed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "out").mkdir()
        places = write_corpora(folder, options.documents, options.seed)
        spans = sum(len(document.spans) for document in repeat_documents(options.documents))
        for command in options.commands:
            words = COMMANDS[command].format(**places, out=folder / "out").split()
            measured = run_scrubjay(command.split()[0], *words)
            row = {
                "command": command,
                "documents": options.documents,
                "spans": spans,
                "seconds": round(measured["seconds"], 2),
                "cpu-seconds": round(measured["processor"], 2),
                "peak-mb": round(measured["peak-mb"]),
                "load": load(),
            }
            results.save(f"{command} {options.documents}", row, seed=options.seed)
            CONSOLE.print(row)
    rows = [
        (f"`scrubjay {row['command']}`", *(f"{row[key]:,}" for key in keys))
        for row in results.rows.values()
        for keys in (("documents", "spans", "seconds", "cpu-seconds", "load", "peak-mb"),)
    ]
    head = ("command", "documents", "gold spans", "s", "CPU s", "load", "peak MB")
    write_table("evaluation-speed", "Commands that evaluate, file to file, one process", head, rows)


if __name__ == "__main__":
    main()
