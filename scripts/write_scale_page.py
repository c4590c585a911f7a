"""Write what a billion notes cost, from measured figures, into docs/scale.md.

    python scripts/write_scale_page.py [--notes 1e9] [--words 400] [--usd 0.05] [--cores 1000]

The figures are those of `benchmarks/results`: `spark.json` for whole runs, `peers.json` for
finding alone. Everything that was not measured is an assumption, stated on the page. The plot goes
to `benchmarks/results/scale.svg`. Without options the page is that of the repository.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "scale.md"
RESULTS = ROOT / "benchmarks" / "results"
PLOT = RESULTS / "scale.svg"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"
SIZES = (1e6, 1e7, 1e8, 1e9)
PEERS = "en-notes"
DAY, HOUR = 86_400, 3_600


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is assumed of the notes and of the machines."""

    notes: float = 1e9
    words: float = 400.0
    characters: float = 6.0
    """Characters of a word, the space behind it with it."""
    usd: float = 0.05
    """The price of a core for an hour."""
    cores: int = 1000
    packed: float = 3.0
    """How many times smaller text is in Parquet."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one system costs: processor seconds for a word, and what was measured."""

    name: str
    what: str
    seconds: float
    note: str = ""

    def hours(self, given: Assumptions, notes: float | None = None) -> float:
        """Return the core-hours of all notes."""
        return (given.notes if notes is None else notes) * given.words * self.seconds / HOUR


def read_rows(name: str) -> dict[str, Any]:
    """Return the rows of a benchmark, none where it has not been run."""
    path = RESULTS / f"{name}.json"
    rows: dict[str, Any] = json.loads(path.read_text("utf-8"))["rows"] if path.exists() else {}
    return rows


def whole_runs() -> Iterator[Cost]:
    """Yield whole runs: by the difference of two sizes, or of one and nothing."""
    by_model: dict[str, list[Any]] = {}
    for row in read_rows("spark").values():
        by_model.setdefault(row["model"], []).append(row)
    for model, rows in sorted(by_model.items()):
        small, *rest = sorted(rows, key=lambda row: row["notes"])
        nothing = {"notes": 0, "words": 0, "local-cpu": 0.0, "spark-cpu": 0.0}
        large, less = (rest[-1], small) if rest else (small, nothing)
        note = f"{less['notes']:,} to {large['notes']:,} notes"
        for name, key in (("two processes", "local-cpu"),):
            seconds = (large[key] - less[key]) / (large["words"] - less["words"])
            yield Cost(f"`{model}`, {name}", "whole run", seconds, note)


def finding_alone() -> Iterator[Cost]:
    """Yield what finding alone costs, of ours and of the peers that were run on the same notes."""
    rows = read_rows("peers").items()
    found = [
        Cost(row["system"], "finding alone", row["cpu-seconds"] / row["words"], PEERS)
        for key, row in rows
        if key.startswith(f"{PEERS} ") and row.get("cpu-seconds")
    ]
    yield from sorted(found, key=lambda cost: cost.seconds)


def render(given: Assumptions) -> str:
    """Return the figures as Markdown."""
    costs = [*whole_runs(), *finding_alone()]
    wall = f"days on {given.cores:,} cores"
    head = ("system", "what is counted", "words a core-second", "core-hours", "USD", wall)
    lines = [
        f"{given.notes:,.0f} notes of {given.words:,.0f} words, USD {given.usd:g} for a core and "
        f"hour, {given.cores:,} cores that are always busy:",
        "",
        _row(head),
        _row(["---"] * len(head)),
    ]
    for cost in costs:
        hours = cost.hours(given)
        lines.append(
            _row(
                (
                    cost.name,
                    f"{cost.what} ({cost.note})",
                    f"{1 / cost.seconds:,.0f}",
                    _round(hours),
                    _round(hours * given.usd),
                    f"{hours * HOUR / given.cores / DAY:.2g}",
                )
            )
        )
    return "\n".join([*lines, "", *_consequences(given, costs), ""])


def _consequences(given: Assumptions, costs: Sequence[Cost]) -> Iterator[str]:
    """Yield what follows from the figures for data, parts and what is missed."""
    size = given.notes * given.words * given.characters
    yield f"- Text: {size / 1e12:.1f} TB, {size / given.packed / 1e12:.1f} TB as Parquet."
    spark = next((cost for cost in costs if cost.what == "whole run"), None)
    if spark is not None:
        part = 128 * 2**20 * given.packed / given.characters * spark.seconds
        yield (
            f"- A part of 128 MB of Parquet is {part / 60:,.0f} minutes of one core, one of 16 MB "
            f"{part / 8 / 60:,.0f} ({spark.name}): this is the least that a run can take, and what "
            "a lost task costs."
        )
    for key, row in sorted(read_rows("peers").items()):
        if key.startswith(f"{PEERS} scrubjay-en") and "share-clean" in row:
            left = given.notes * (1 - row["share-clean"])
            yield (
                f"- {row['system']} left a part of some mention in "
                f"{1 - row['share-clean']:.0%} of our {row['notes']} dev notes ({PEERS}, which are "
                f"dense and were made to be hard): at that rate {_round(left)} notes of "
                f"{given.notes:,.0f}."
            )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _round(value: float) -> str:
    """Return a number with two digits that count."""
    return f"{float(f'{value:.2g}'):,.0f}" if value >= 1 else f"{value:.2g}"


def write_plot(given: Assumptions) -> None:
    """Draw core-hours over notes."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    from svg import write_plot as write

    shown = [cost for cost in [*whole_runs(), *finding_alone()] if _is_shown(cost)]
    lines = {
        cost.name.replace("`", ""): [(size, cost.hours(given, size)) for size in SIZES]
        for cost in shown
    }
    write(PLOT, "Core-hours over notes", lines, x="notes", y="core-hours", logarithmic=True)


def _is_shown(cost: Cost) -> bool:
    return cost.what == "whole run" or any(
        name in cost.name for name in ("`en`", "Presidio", "Philter")
    )


def page(given: Assumptions) -> str:
    """Return the page with the figures of now."""
    text = TARGET.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{render(given)}\n{END}{tail}"


def main() -> int:
    """Write page and plot anew, or print figures for other assumptions; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    usual = Assumptions()
    for name in ("notes", "words", "characters", "usd", "packed"):
        parser.add_argument(f"--{name}", type=float, default=getattr(usual, name))
    parser.add_argument("--cores", type=int, default=usual.cores)
    given = Assumptions(**vars(parser.parse_args()))
    if given != usual:
        sys.stdout.write(render(given))
        return 0
    TARGET.write_text(page(given), encoding="utf-8", newline="\n")
    write_plot(given)
    return 0


if __name__ == "__main__":
    sys.exit(main())
