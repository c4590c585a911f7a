"""Many notes at once: Scrubjay and its peers, each in its own way, words a second.

    python benchmarks/peers_bulk.py written-en carriers-en written-nl --envs FOLDER

`peers.py` gives one note at a time; an archive is read otherwise. NOTES are `written-en` and
`written-nl`, notes of this project, of which no two are the same, and `carriers-en`, texts that
people wrote. Each system runs on one thread and is loaded before; then it gets the first of the
notes (`--warm-up`), and all others in one go, none twice: those are timed. Presidio takes them by
its `BatchAnalyzerEngine`, Scrubjay in batches, the others one after another. `find` finds,
`deid` is all of `scrubjay deid` but reading and writing: propagation, surrogates, proof. `--most`
notes are taken. Environments are those of `peers.py`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from harness import CONSOLE, ROOT, Results, shared_corpora, write_table
from peer_declarations import Peer, read_peers
from peer_process import Many, PeerError, ask_many, own_python, prepare_environment
from peers import ADAPTERS, WORD

from scrubjay.corpora import read_corpora

NAME = "peers-bulk"
LANGUAGES = {"written-en": "en", "carriers-en": "en", "written-nl": "nl"}
MODELS = {"en": ("en-fast", "en-medium", "en"), "nl": ("nl-fast", "nl-medium", "nl")}
#: The peer that the others are told in times of, per language.
YARDSTICKS = {"en": "Presidio, small model", "nl": "DEDUCE"}


def read_texts(name: str) -> list[str]:
    """Return the texts of one of the sets of notes."""
    if name == "carriers-en":
        paths = sorted((shared_corpora() / "carriers").glob("*.jsonl"))
        lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
        texts = [str(json.loads(line)["text"]) for line in lines]
        return list(dict.fromkeys(texts))
    train = ROOT / "corpora" / name / "train.jsonl"
    return [document.text for document in read_corpora([str(train)], format="jsonl")]


def systems(language: str, options: argparse.Namespace) -> list[tuple[str, list[str]]]:
    """Return the name and command of each system of a language; peers that fail are told."""
    adapter = str(ADAPTERS / "run_scrubjay.py")
    found = [
        (f"Scrubjay `{model}`, {way}", [own_python(), adapter, model, way])
        for model in MODELS[language]
        if options.models is None or model in options.models
        for way in ("find", "deid")
    ]
    for peer in read_peers():
        if peer.language == language and not peer.unavailable and _wanted(peer, options):
            assert peer.requirements is not None
            try:
                python = prepare_environment(
                    options.envs, peer.requirements, peer.drop, peer.command
                )
            except PeerError as error:
                CONSOLE.print(f"{peer.title}: {error}")
                continue
            found.append((peer.title, [str(python), *peer.command]))
    return found


def _wanted(peer: Peer, options: argparse.Namespace) -> bool:
    return not options.only or peer.name in options.only


def facts(answer: Many, words: int, notes: int) -> dict[str, Any]:
    """Return the figures of one system."""
    return {
        "notes": notes,
        "words": words,
        "found": answer.spans,
        "cpu-seconds": round(answer.seconds, 3),
        "clock-seconds": round(answer.clock, 3),
        "words-per-second": round(words / answer.seconds),
        "notes-per-second": round(notes / answer.seconds, 1),
    }


def tabulate(results: Results) -> None:
    """Write the table, each system in times of the yardstick of its notes."""
    base = {
        row["corpus"]: row["words-per-second"]
        for row in results.rows.values()
        if row["system"] == YARDSTICKS[LANGUAGES[row["corpus"]]]
    }
    rows = []
    for row in results.rows.values():
        yardstick = base.get(row["corpus"])
        times = f"{row['words-per-second'] / yardstick:.1f}" if yardstick else "-"
        rows.append(
            [row["corpus"], row["system"], row["notes"], f"{row['words']:,}",
             f"{row['words-per-second']:,}", f"{row['notes-per-second']:,}", times]
        )  # fmt: skip
    head = ("notes", "system", "how many", "words", "words a CPU second", "notes a CPU second",
            "times Presidio (English) or DEDUCE (Dutch)")  # fmt: skip
    write_table(NAME, "Many notes at once, one thread, each system in its own way", head, rows)


def main() -> None:
    """Run each system and save its row."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", nargs="+", choices=sorted(LANGUAGES))
    parser.add_argument("--envs", type=Path, required=True)
    parser.add_argument("--only", nargs="+", help="Peers to run, by name.")
    parser.add_argument("--models", nargs="*", help="Scrubjay models to run, of all that fit.")
    parser.add_argument("--warm-up", type=int, default=150)
    parser.add_argument("--most", type=int, default=1500)
    parser.add_argument("--seconds", type=float, default=900)
    options = parser.parse_args()
    options.envs.mkdir(parents=True, exist_ok=True)
    results = Results(NAME)
    for name in options.notes:
        texts = read_texts(name)
        before, timed = texts[: options.warm_up], texts[options.warm_up :][: options.most]
        words = sum(len(WORD.findall(text)) for text in timed)
        for system, command in systems(LANGUAGES[name], options):
            try:
                _, answer = ask_many(command, [before, timed], limit=options.seconds)
            except PeerError as error:
                CONSOLE.print(f"{name}: {system} did not run: {error}")
                continue
            row = {"corpus": name, "system": system, **facts(answer, words, len(timed))}
            CONSOLE.print(row)
            results.save(f"{name} {system}", row)
            tabulate(results)


if __name__ == "__main__":
    main()
