"""Write the tables and the picture of docs/models.md, from the results of the benchmarks.

    python scripts/write_models_page.py

The figures are those of `benchmarks/results`: out-of-the-box.json (by kind of notes), dials.json
(over the recall dial), stages.json (tokens a second), shipped.json (sizes), unseen-names.json. The
picture of what speed costs goes to `benchmarks/results/models.svg`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scrubjay.analysis.plots import Curve, draw_curves

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "models.md"
RESULTS = ROOT / "benchmarks" / "results"
PLOT = RESULTS / "models.svg"
MARK = re.compile(r"(<!-- table: ([\w -]+) -->\n).*?(<!-- end of table -->\n)", re.DOTALL)

#: The best of a language first.
MODELS = {
    "English": ("en", "en-medium", "en-fast"),
    "Spanish": ("es", "es-fast"),
    "Dutch": ("nl", "nl-medium", "nl-fast"),
}

#: How the results name notes that were written for this project -> how the page does, in order.
NOTES = {
    "en-notes dev": "en-notes dev",
    "meddocan dev": "MEDDOCAN dev",
    "nl-notes dev": "nl-notes dev",
    "written notes test": "test notes",
    "written notes dev": "written notes",
    "written notes forms": "forms and lists",
    "written notes messages": "talk, messages and exports",
    "real texts, identifiers put back, dev": "real texts",
    "real texts": "real texts",
    "synthetic, unseen names": "synthetic",
    "synthetic, unseen names, noise": "synthetic, with noise",
}
FALSE = "false positives per 1,000"
TEST = "written notes test"

#: Which speed stands beside a model: that which `scrubjay models list` and the README tell.
SHOWN, SPEED = "file to file", "tokens a second, from file to file"

#: How stages.json names the notes that were read -> how the page does.
READ = {
    "": "dev notes, again and again",
    ", real texts": "real texts, again and again",
    ", new notes": "written notes, each once",
}


def read_rows(name: str) -> dict[str, Any]:
    """Return the rows of a benchmark, none where it has not been run."""
    path = RESULTS / f"{name}.json"
    rows: dict[str, Any] = json.loads(path.read_text("utf-8"))["rows"] if path.exists() else {}
    return rows


def table_of(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def show(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return strict F1, token recall and false positives per 1,000, as every page tells them."""
    shares = (f"{row[key]:.4f}" for key in ("f1", "binary-token-recall"))
    return (*shares, f"{row['false-positives-per-1000']:.1f}")


def render_all(_: str) -> str:
    """Return a line for each model: the test notes, speed, size, needs."""
    measured, sizes = read_rows("out-of-the-box"), read_rows("shipped")
    megabytes = {row["model"]: row["megabytes"] for row in sizes.values()}
    rows = [
        [
            f"[`{name}`](#{name})",
            *show(measured[f"{name}: {TEST}"]),
            f"{_speed(name, SHOWN):,}",
            f"{megabytes[name]} MB",
            "nothing" if name.endswith("-fast") else "the extra `neural`",
        ]
        for names in MODELS.values()
        for name in names
    ]
    return table_of(("model", "strict F1", "token recall", FALSE, SPEED, "size", "needs"), rows)


def render_notes(name: str) -> str:
    """Return the figures of a model, a line for each kind of notes."""
    measured = read_rows("out-of-the-box")
    rows = [
        [f"{shown}, {row['notes']}", *show(row), f"{row['precision']:.4f}", f"{row['recall']:.4f}"]
        for source, shown in NOTES.items()
        if (row := measured.get(f"{name}: {source}"))
    ]
    return table_of(("notes", "strict F1", "token recall", FALSE, "precision", "recall"), rows)


def render_dials(name: str) -> str:
    """Return the figures of a model over its recall dial, three columns for each kind of notes."""
    mine = [row for row in read_rows("dials").values() if row["model"] == name]
    sources = [source for source in NOTES if any(row["source"] == source for row in mine)]
    head = ["`--recall-dial`"]
    for source in sources:
        head += [f"{NOTES[source]}: F1", "token recall", "false"]
    lines = []
    for dial in sorted({row["dial"] for row in mine}):
        rows = {row["source"]: row for row in mine if row["dial"] == dial}
        ships = any(row["ships"] for row in rows.values())
        line = [f"**{dial:g}**, as it ships" if ships else f"{dial:g}"]
        for source in sources:
            line += show(rows[source]) if source in rows else ("", "", "")
        lines.append(line)
    return table_of(head, lines)


def render_speed(name: str) -> str:
    """Return tokens a second of a model: finding alone, and from file to file."""
    measured = read_rows("stages")
    rows = [
        [
            shown,
            *(f"{_speed(name + which, stage):,}" for stage in ("tokenize and tag", "file to file")),
        ]
        for which, shown in READ.items()
        if name + which in measured
    ]
    return table_of(("tokens a second", "finding alone", "from file to file"), rows)


def render_names(_: str) -> str:
    """Return the recall of names of persons by whether training had their words."""
    lines = []
    for key, row in read_rows("unseen-names").items():
        name, _, source = key.partition(": ")
        groups = {each["group"]: each for each in row["rows"] if each["label"] == "all"}
        both = [groups["seen"], groups["unseen"]]
        recalls = [f"{each['recall']:.4f}, of {each['mentions']}" for each in both]
        lines.append([f"`{name}`", NOTES[source], *recalls])
    order = [f"`{name}`" for names in MODELS.values() for name in names]
    lines.sort(key=lambda line: (order.index(line[0]), line[1]))
    head = ("model", "notes", "names that training had", "names that it had not")
    return table_of(head, lines)


def render_commits(_: str) -> str:
    """Return at which commits was measured what the page compares; nothing where it is one."""
    known = set(NOTES)
    notes = {
        row["run"]["commit"]
        for key, row in read_rows("out-of-the-box").items()
        if key.partition(": ")[2] in known
    }
    dials = {row["run"]["commit"] for row in read_rows("dials").values()}
    if notes == dials:
        return ""
    return (
        f"(Dials were measured at commit {_named(dials)}, the figures by kind of notes at "
        f"{_named(notes)}. Rules that came in between move figures by some thousandths.)\n"
    )


def _named(commits: set[str]) -> str:
    return ", ".join(sorted(commit[:8] for commit in commits))


def _speed(key: str, stage: str) -> int:
    speed: int = read_rows("stages")[key]["stages"][stage]["best"]
    return speed


RENDER: Mapping[str, Callable[[str], str]] = {
    "models": render_all,
    "notes": render_notes,
    "dials": render_dials,
    "speed": render_speed,
    "names": render_names,
    "commits": render_commits,
}


def tables() -> Iterator[str]:
    """Yield the names of all tables: those of the page, and three of each model."""
    yield from ("models", "commits", "names")
    for names in MODELS.values():
        for name in names:
            yield from (f"{kind} {name}" for kind in ("notes", "dials", "speed"))


def render(page: str) -> str:
    """Return a page with every marked table written anew; raises `KeyError` for an unknown one."""

    def fresh(found: re.Match[str]) -> str:
        kind, _, name = found[2].partition(" ")
        return f"{found[1]}\n{RENDER[kind](name)}\n{found[3]}"

    return MARK.sub(fresh, page)


def draw() -> str:
    """Return the picture: token recall on the test notes over tokens a second."""
    measured = read_rows("out-of-the-box")
    curves = {}
    sides = ("below", "above", "right")
    for number, (side, (language, names)) in enumerate(zip(sides, MODELS.items(), strict=True)):
        points = [
            (
                _speed(name, SHOWN) / 1000,
                measured[f"{name}: {TEST}"]["binary-token-recall"],
            )
            for name in names
        ]
        curves[language] = Curve(points, colour=number, names=names, labels=side)
    return draw_curves(
        "What speed costs: the shipped models on the test notes",
        curves,
        x="thousands of tokens a second from file to file, dev notes, two cores",
        y="token recall",
        log_x=True,
    )


def main() -> None:
    """Write page and picture."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    TARGET.write_text(render(TARGET.read_text("utf-8")), encoding="utf-8", newline="\n")
    PLOT.write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
