"""Scrubjay and every peer that installs here, on the same notes, in one table.

    python benchmarks/peers.py en-notes put-back-en nl-notes --envs FOLDER [--models NAME ...]

NOTES are corpora of the project (their dev split), `put-back-en` (real texts with invented
identifiers put back: `put_back.py`), or a folder with `--labels` and `--language`.
Each peer runs in a virtual environment of its own below FOLDER, made on first use from the pinned
versions in peers/requirements, behind an adapter that reads texts and writes spans as JSON lines;
Scrubjay runs behind such an adapter, too. All types become the categories that all share
(peers/*.toml). A peer that cannot be had has a row that says why. `--only` names the peers to
run, `--models` the Scrubjay models (all shipped ones that fit). `--seconds` ends a peer that takes
longer. `--warm-up` notes of the train split go through each system before, and are not timed. With
`--most` a sample of the notes is scored and nothing is saved; `--page-only` writes the tables from
the results.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from harness import CONSOLE, CORPORA, RESULTS, Results, read_split
from peer_declarations import Peer, coarse_labels, read_peers
from peer_process import Answers, PeerError, ask, own_python, prepare_environment
from peer_scores import coarsen, leave_out, score
from put_back import read_put_back
from shipped import SEEN, meet

from scrubjay.analysis.plots import draw_bars
from scrubjay.artifacts import Manifest
from scrubjay.corpora import read_corpus
from scrubjay.document import Document
from scrubjay.evaluation.intervals import bootstrap_interval
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.significance import strict_rows
from scrubjay.labels import find_label_set
from scrubjay.models import describe_model, list_models, shipped_names

NAME = "peers"
ADAPTERS = Path(__file__).resolve().parent / "peers"
WORD = re.compile(r"\w+|[^\w\s]")
HEAD = (
    "system", "saw these notes?", "strict P", "R", "F1", "relaxed F1", "borders F1",
    "token P", "R", "F1", "over-redaction", "clean notes", "words/s", "notes/s", "load, s",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Notes:
    """Notes to score on, the split that they come from, and the one to train on (or nothing)."""

    name: str
    documents: Sequence[Document]
    dev: Sequence[Document]
    train: Sequence[Document]
    label_set: str
    language: str


def read_notes(name: str, options: argparse.Namespace) -> Notes:
    """Return the notes of a corpus or folder, or a sample of them."""
    if name in CORPORA:
        _, _, label_set, language = CORPORA[name]
        documents, train = read_split(name, "dev"), read_split(name, "train")
    elif name == "put-back-en":
        label_set, language = "i2b2-2014", "en"
        documents, train = read_put_back("dev"), read_put_back("train")
    else:
        if not (options.labels and options.language):
            raise SystemExit(f"{name}: a folder needs --labels and --language")
        label_set, language = options.labels, options.language
        documents, train, name = list(read_corpus(Path(name))), [], Path(name).name
    dev = documents
    if options.most and options.most < len(documents):
        drawn = random.Random(options.seed).sample(range(len(documents)), options.most)
        documents = [documents[place] for place in sorted(drawn)]
    return Notes(name, documents, dev, train, label_set, language)


def scrubjay_peer(name: str, notes: Notes) -> Peer:
    """Return a Scrubjay model as one more peer; its labels' main categories are its types."""
    label_set = find_label_set(notes.label_set)
    return Peer(
        f"scrubjay-{Path(name).name}",
        f"Scrubjay `{Path(name).name}`",
        "scrubjay",
        notes.language,
        "Apache-2.0",
        command=(str(ADAPTERS / "run_scrubjay.py"), name),
        types=dict(label_set.categories),
    )


def measure(
    peer: Peer, python: str, notes: Notes, options: argparse.Namespace
) -> tuple[dict[str, Any], list[Pair]]:
    """Return the figures of one system, and gold and found with the common categories."""
    texts = [document.text for document in notes.documents]
    before = [document.text for document in islice(cycle(notes.train), options.warm_up)]
    answers = ask([python, *peer.command], texts, limit=options.seconds, warm_up=before)
    label_set = find_label_set(notes.label_set)
    pairs = []
    for document, found in zip(notes.documents, answers.spans, strict=True):
        gold = coarsen(document, label_set)
        pairs.append(Pair(gold, gold.with_spans(peer.map_spans(found))))
    row = {
        "corpus": notes.name,
        "notes": len(texts),
        "system": peer.title,
        "package": peer.package,
        "licence": peer.licence,
        "note": peer.note,
        "labelled": peer.labelled,
        **score(pairs, labelled=peer.labelled),
        **_speed(answers, texts),
        "warm-up-notes": len(before),
    }
    if peer.labelled:
        interval = bootstrap_interval(strict_rows(pairs), "f1", seed=options.seed)
        row["strict-f1-interval"] = [interval.low, interval.high]
    return row, pairs


def _speed(answers: Answers, texts: Sequence[str]) -> Mapping[str, Any]:
    words = sum(len(WORD.findall(text)) for text in texts)
    return {
        "words": words,
        "words-per-second": round(words / answers.seconds),
        "notes-per-second": round(len(texts) / answers.seconds, 1),
        "load-seconds": round(answers.load_seconds, 2),
        "cpu-seconds": round(answers.seconds, 3),
        "clock-seconds": round(answers.clock, 3),
        "load-clock-seconds": round(answers.load_clock, 2),
    }


def run(notes: Notes, options: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the row of each system on these notes as soon as it is there, Scrubjay first."""
    ours: dict[str, list[Pair]] = {}
    for name in _models(notes, options):
        peer = scrubjay_peer(name, notes)
        manifest = describe_model(name).manifest
        row, ours[peer.title] = measure(peer, own_python(), notes, options)
        row |= {
            "version": manifest.package_version,
            "note": _learned(name, manifest),
            "seen": meet(manifest, notes.train, notes.dev) if notes.train else "unknown",
        }
        yield peer.name, row
    for peer in read_peers():
        if peer.language != notes.language or (options.only and peer.name not in options.only):
            continue
        yield peer.name, _run_peer(peer, notes, ours, options)


def _learned(name: str, manifest: Manifest) -> str:
    """Return what a model learned from; a manifest tells the last step of several alone."""
    if name in shipped_names():
        return "What it learned from stands in docs/models.md."
    kind = manifest.config.get("name", manifest.kind)
    return f"`{kind}`, trained on {manifest.training_data.get('documents')} notes."


def _models(notes: Notes, options: argparse.Namespace) -> list[str]:
    if options.models is not None:
        named = [(name, describe_model(name).manifest) for name in options.models]
    else:
        named = [(model.manifest.name, model.manifest) for model in list_models()]
    wanted = (notes.language, notes.label_set)
    return [name for name, facts in named if (facts.language, facts.label_set) == wanted]


def _run_peer(
    peer: Peer, notes: Notes, ours: Mapping[str, Sequence[Pair]], options: argparse.Namespace
) -> dict[str, Any]:
    facts = {"corpus": notes.name, "system": peer.title, "licence": peer.licence}
    if peer.unavailable:
        return facts | {"unavailable": peer.unavailable}
    assert peer.requirements is not None
    try:
        python = prepare_environment(options.envs, peer.requirements, peer.drop, peer.command)
        row, pairs = measure(peer, str(python), notes, options)
    except PeerError as error:
        return facts | {"unavailable": f"did not run: {error}"}
    row |= {"version": _version(python, peer.package), "never": dict(peer.never)}
    if peer.never:
        systems = {peer.title: pairs, **ours}
        row["without"] = {
            name: score([leave_out(pair, peer.never) for pair in system], labelled=peer.labelled)
            for name, system in systems.items()
        }
    return row


def _version(python: Path, package: str) -> str:
    code = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]))"
    done = subprocess.run([python, "-c", code, package], capture_output=True, text=True)
    return done.stdout.strip()


def render(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the Markdown page of these results."""
    lines = ["# Scrubjay and its peers, on the same notes", "", *_legend()]
    for corpus in dict.fromkeys(row["corpus"] for row in rows.values()):
        own = [row for row in rows.values() if row["corpus"] == corpus]
        ran = [row for row in own if "unavailable" not in row]
        lines += ["", f"## {corpus}: {ran[0]['notes'] if ran else 0} notes", ""]
        lines += _table(HEAD, [_cells(row) for row in ran])
        lines += _without(ran)
        lines += ["", "Versions, licences, and how each was run:", ""]
        lines += [_facts(row) for row in own]
        if ran:
            lines += ["", f"![share of PHI tokens found](peers-{corpus}.svg)"]
    return "\n".join(lines) + "\n"


def _legend() -> list[str]:
    categories = ", ".join(name for name in coarse_labels().labels if name != "UNNAMED")
    return [
        "`python benchmarks/peers.py` writes this page; each row of the JSON has its command, "
        f"commit and seed. Every type was mapped to {categories} (`benchmarks/peers/*.toml`, with "
        "the reason of each).",
        "",
        "- strict: category and both borders right; relaxed: the end may be off by two "
        "characters; borders: both borders right, whatever the category.",
        "- token: runs of letters and digits, found under any category; its recall is the share "
        "of PHI that would go. Over-redaction: tokens removed wrongly, per 1,000 tokens that are "
        "no PHI. Clean notes: share of the notes with PHI of which nothing would stay.",
        "- Speed and load are CPU seconds on one thread, one note at a time through the same "
        "pipe, after 150 notes of the train split that are not counted (`--warm-up`). Words "
        "are runs of letters and digits, and single marks.",
    ]


def _cells(row: Mapping[str, Any]) -> list[str]:
    strict, blind, token = row["strict"] or {}, row["blind-strict"], row["token"]
    return [
        row["system"],
        SEEN[row["seen"]] if "seen" in row else "no",
        *(_figure(strict.get(key)) for key in ("precision", "recall", "f1")),
        _figure((row["relaxed"] or {}).get("f1")),
        _figure(blind["f1"]),
        *(_figure(token[key]) for key in ("precision", "recall", "f1")),
        f"{row['false-positives-per-1000']:.1f}",
        f"{100 * row['share-clean']:.1f}%",
        f"{row['words-per-second']:,}",
        f"{row['notes-per-second']:,}",
        f"{row['load-seconds']:.1f}",
    ]


def _without(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    cells = []
    for row in rows:
        for system, figures in row.get("without", {}).items():
            strict = figures["strict"] or {}
            cells.append(
                [
                    f"{row['system']}: without {', '.join(row['never'])}",
                    system,
                    *(_figure(strict.get(key)) for key in ("precision", "recall", "f1")),
                    _figure(figures["blind-strict"]["f1"]),
                    *(_figure(figures["token"][key]) for key in ("precision", "recall", "f1")),
                    f"{100 * figures['share-clean']:.1f}%",
                ]
            )
    if not cells:
        return []
    head = ("what the peer was made to find", "system", "strict P", "R", "F1", "borders F1",
            "token P", "R", "F1", "clean notes")  # fmt: skip
    return ["", "Without what a peer was never made to find:", "", *_table(head, cells)]


def _facts(row: Mapping[str, Any]) -> str:
    if "unavailable" in row:
        return f"- {row['system']} ({row['licence']}): **not run**: {row['unavailable']}."
    never = "; ".join(f"{name}: {reason}" for name, reason in row.get("never", {}).items())
    made = f" Never made to find {never}." if never else ""
    package = f"{row['package']} {row['version']} ({row['licence']})"
    return f"- {row['system']}: {package}. {row['note']}{made}".rstrip()


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]


def write_page() -> None:
    """Write page and pictures from the results that are there."""
    rows = json.loads((RESULTS / f"{NAME}.json").read_text(encoding="utf-8"))["rows"]
    (RESULTS / f"{NAME}.md").write_text(render(rows), encoding="utf-8")
    for corpus in dict.fromkeys(row["corpus"] for row in rows.values()):
        bars = {
            row["system"].replace("`", "") + _star(row): row["token"]["recall"]
            for row in rows.values()
            if row["corpus"] == corpus and "unavailable" not in row
        }
        if bars:
            x = "share of PHI tokens found under any label (* trained on these notes)"
            plot = draw_bars(f"Token recall on {corpus}", bars, x=x)
            (RESULTS / f"{NAME}-{corpus}.svg").write_text(plot, encoding="utf-8")


def _star(row: Mapping[str, Any]) -> str:
    return " *" if row.get("seen") == "yes" else ""


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", nargs="*")
    parser.add_argument("--envs", type=Path)
    parser.add_argument("--models", nargs="+")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--labels")
    parser.add_argument("--language")
    parser.add_argument("--most", type=int)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--warm-up", type=int, default=150, help="Notes of train before, untimed.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--page-only", action="store_true")
    options = parser.parse_args(arguments)
    if not options.page_only and not (options.notes and options.envs):
        parser.error("NOTES and --envs are needed, or --page-only")
    known = {peer.name for peer in read_peers()}
    if unknown := sorted(set(options.only or ()) - known):
        parser.error(f"no such peer: {unknown[0]}; known: {', '.join(sorted(known))}")
    return options


def main() -> None:
    """Run all, save rows, write the page."""
    options = read_options(sys.argv[1:])
    if options.page_only:
        write_page()
        return
    options.envs.mkdir(parents=True, exist_ok=True)
    for name in options.notes:
        notes = read_notes(name, options)
        results, sample = Results(NAME), {}
        if not options.only:
            results.rows = {k: r for k, r in results.rows.items() if r["corpus"] != notes.name}
        for key, row in run(notes, options):
            CONSOLE.print(row)
            sample[key] = row
            if not options.most:
                results.save(f"{notes.name} {key}", row, seed=options.seed)
        if options.most:
            print(render(sample))  # noqa: T201
    if not options.most:
        write_page()


if __name__ == "__main__":
    main()
