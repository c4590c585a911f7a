"""Write the tables of docs/papers from the papers' figures and the results of experiments.

Usage: python scripts/write_paper_tables.py. The figures of the papers stand in
`scripts/paper_tables.toml`; the results are copies of `result.json`, found as
`benchmarks/results/experiments/CORPUS/EXPERIMENT.json`. Where an experiment was not run on a
corpus, a table may name rows of other experiments and benchmarks that trained the same systems on
the same documents (`measured`). What is in neither is "not run yet".
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "papers"
BENCHMARKS = ROOT / "benchmarks" / "results"
RESULTS = BENCHMARKS / "experiments"
DATA = Path(__file__).with_name("paper_tables.toml")
MARK = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end of table -->\n)", re.DOTALL)
MISSING = "not run yet"
NAMES = {"precision": "P", "recall": "R", "f1": "F1", "change": "change", "p": "p"}


def read_tables() -> dict[str, Mapping[str, Any]]:
    """Return the tables by their ids, each with the shown names of its corpora."""
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    for table in data["tables"]:
        table["corpora"] = {name: data["corpora"][name] for name in table["corpora"]}
    return {table["id"]: table for table in data["tables"]}


def read_result(corpus: str, experiment: str) -> Mapping[str, Any] | None:
    """Return a result, None where the experiment has not been run on the corpus."""
    path = RESULTS / corpus / f"{experiment}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def measured_result(table: Mapping[str, Any], corpus: str) -> Mapping[str, Any] | None:
    """Return rows of other results in the form of one, None where the table names none.

    `measured` has a system -> "FILE: ROW" for each corpus. The file is one of an experiment on the
    corpus, or of a benchmark; of that, the rows "ROW seed N" are those of several trainings.
    """
    named: Mapping[str, str] = table.get("measured", {}).get(corpus, {})
    if not named:
        return None
    rows = [
        {**_measured_row(corpus, *place.split(": ", 1)), "name": system}
        for system, place in named.items()
    ]
    return {"rows": rows, "reference": table.get("reference", "")}


def _measured_row(corpus: str, file: str, name: str) -> Mapping[str, Any]:
    result = read_result(corpus, file)
    found = _find(result, name) if result is not None else _benchmark_row(file, name)
    if found is None:
        raise KeyError(f"{file} on {corpus} has no row {name!r}")
    return found


def _benchmark_row(benchmark: str, name: str) -> dict[str, Any] | None:
    rows = json.loads((BENCHMARKS / f"{benchmark}.json").read_text(encoding="utf-8"))["rows"]
    found = [row for key, row in rows.items() if key == name or key.startswith(f"{name} seed ")]
    if not found:
        return None
    figures = {measure: _over_seeds(found, measure) for measure in ("precision", "recall", "f1")}
    evaluations = {"Strict": {measure: one["mean"] for measure, one in figures.items()}}
    for category, f1 in found[0].get("categories-f1", {}).items():
        evaluations[f"{category} Strict"] = {"f1": f1}
    return {**figures, "evaluations": evaluations, "labels-f1": {}}


def _over_seeds(rows: Sequence[Mapping[str, float]], measure: str) -> dict[str, float | None]:
    values = [row[measure] for row in rows]
    spread = statistics.stdev(values) if len(values) > 1 else None
    return {"mean": statistics.fmean(values), "sd": spread}


def render_table(table: Mapping[str, Any]) -> str:
    """Return the Markdown of a table: the paper's figures, then those on each open corpus."""
    measures = table["measures"]
    shown = [NAMES[measure] for measure in measures]
    on_paper = [n for n, measure in enumerate(measures) if _is_on_paper(table, n)]
    header = ["", *(f"paper {shown[n]}" for n in on_paper)]
    results = {
        name: read_result(name, table["experiment"]) or measured_result(table, name)
        for name in table["corpora"]
    }
    for corpus, name in table["corpora"].items():
        # One column says that nothing is there as well as several.
        header += [f"{name} {measure}" for measure in shown] if results[corpus] else [name]
    lines = [header, ["---"] + ["--:"] * (len(header) - 1)]
    for row in table["rows"]:
        line = [row["name"], *(_paper(row, n) for n in on_paper)]
        for result in results.values():
            if result is None:
                line.append(MISSING if "system" in row else "")
            else:
                line += [figure(result, row, measure) for measure in measures]
        lines.append(line)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _is_on_paper(table: Mapping[str, Any], number: int) -> bool:
    return any(_paper(row, number) != "" for row in table["rows"])


def _paper(row: Mapping[str, Any], number: int) -> str:
    return str(row["paper"][number]) if number < len(row["paper"]) else ""


def figure(result: Mapping[str, Any], row: Mapping[str, Any], measure: str) -> str:
    """Return one figure of a result as text, or that it has not been run."""
    if "system" not in row:
        return ""
    found = _find(result, row["system"])
    if found is None:
        return MISSING
    if measure == "p":
        test = result.get("significance", {}).get(row["system"])
        return f"{test['f1']['p']:.4f}" if test else ""
    if measure == "change":
        base = _find(result, result.get("reference", ""))
        if base is None or base is found:
            return "0" if base is found else ""
        return f"{found['f1']['mean'] - base['f1']['mean']:+.4f}"
    if "label" in row:
        return _show(found["labels-f1"].get(row["label"]))
    if "evaluation" in row:
        known = found["evaluations"].get(row["evaluation"])
        return MISSING if known is None else _show(known.get(measure))
    return _show(found[measure]["mean"], found[measure]["sd"])


def _find(result: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    rows: Sequence[Mapping[str, Any]] = result["rows"]
    return next((row for row in rows if row["name"] == name), None)


def _show(mean: float | None, deviation: float | None = None) -> str:
    if mean is None:
        return "-"
    return f"{mean:.4f}" + (f" ± {deviation:.4f}" if deviation is not None else "")


def render(page: str) -> str:
    """Return a page with every marked table written anew; raises `KeyError` for an unknown one."""
    tables = read_tables()

    def fresh(found: re.Match[str]) -> str:
        return f"{found[1]}\n{render_table(tables[found[2]])}\n{found[3]}"

    return MARK.sub(fresh, page)


def main() -> None:
    """Write the pages."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    for path in sorted(PAGES.glob("*.md")):
        path.write_text(render(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
