"""Write what the shipped models make of the probes into docs/probes.md.

Usage: python scripts/write_probe_tables.py. The page names the model and the probes by hash, so
that a test tells when one of them has changed since.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "probes.md"
BEGIN, END = "<!-- probes: begin -->\n", "<!-- probes: end -->\n"
PACKAGE = ROOT / "src" / "scrubjay"


def hashes(model: str) -> str:
    """Return which model and which probes figures belong to."""
    parts = {
        f"model `{model}`": PACKAGE / "shipped" / model / "manifest.json",
        "probes": PACKAGE / "resources" / "probes" / f"{_language(model)}.toml",
    }
    return ", ".join(
        f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
        for name, path in parts.items()
    )


def measured_models() -> tuple[str, ...]:
    """Return the shipped models whose language has probes."""
    from scrubjay.analysis.probe_sets import probe_languages
    from scrubjay.models import shipped_names

    return tuple(name for name in shipped_names() if _language(name) in probe_languages())


def _language(model: str) -> str:
    from scrubjay.models import describe_model

    return describe_model(model).manifest.language


def render_model(model: str) -> str:
    """Return the tables of one model as Markdown."""
    from scrubjay.analysis.origin_probes import probe_origins
    from scrubjay.analysis.probe_sets import find_probes
    from scrubjay.analysis.probes import run_probes
    from scrubjay.analysis.protected_probes import probe_protected
    from scrubjay.models import load_model
    from scrubjay.reports.probes import probe_tables

    probes, detector = find_probes(_language(model)), load_model(model)
    report = run_probes(detector, probes)
    lines = [f"### `{model}`", "", f"({hashes(model)})", ""]
    origins, protected = probe_origins(detector, probes), probe_protected(detector, probes)
    for table in probe_tables(report, origins=origins, protected=protected):
        widths = len(table.header)
        lines += [f"**{table.title}**", "", _row(table.header), _row(["---"] * widths)]
        lines += [*map(_row, table.rows), ""]
    return "\n".join(lines)


def _row(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the page."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    page = TARGET.read_text(encoding="utf-8")
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    tables = "\n".join(map(render_model, measured_models()))
    TARGET.write_text(f"{head}{BEGIN}\n{tables}\n{END}{tail}", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
