"""Write the table of rooms in docs/architecture.md from the modules and the import contract.

Usage: python scripts/write_rooms.py. The job of a file is the first paragraph of its docstring,
the order of the rooms that of the layers in pyproject.toml, upstairs first.
"""

from __future__ import annotations

import argparse
import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "scrubjay"
TARGET = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- rooms: begin -->\n", "<!-- rooms: end -->\n"


def layers() -> list[list[str]]:
    """Return the rooms of each layer of the house, upstairs first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (house,) = [contract for contract in contracts if contract["id"] == "house"]
    return [re.findall(r"\w+", layer) for layer in house["layers"]]


def files_of(room: str) -> list[Path]:
    """Return the modules of a room, which is one file or a folder; sorted by path."""
    single = PACKAGE / f"{room}.py"
    if single.is_file():
        return [single]
    files = sorted((PACKAGE / room).rglob("*.py"))
    return [file for file in files if file.name != "__init__.py" or _docstring(file)]


def _docstring(file: Path) -> str:
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""


def job_of(file: Path) -> str:
    """Return the first paragraph of a module's docstring on one line, fit for a table."""
    job = " ".join(_docstring(file).split("\n\n")[0].split())
    return job.replace("|", "\\|")


def render_table() -> str:
    """Return the table: room, file, job."""
    rows = ["| room | file | job |", "|---|---|---|"]
    for layer in layers():
        for room in layer:
            for number, file in enumerate(files_of(room)):
                name = file.relative_to(PACKAGE).as_posix()
                told = f"`{room}`" if "__" in room else room  # or else it would be bold
                rows.append(f"| {'' if number else told} | `{name}` | {job_of(file)} |")
    return "\n".join(rows) + "\n"


def render() -> str:
    """Return the whole page with a fresh table between the two marks."""
    page = TARGET.read_text(encoding="utf-8")
    head, rest = page.split(BEGIN)
    _, tail = rest.split(END)
    return f"{head}{BEGIN}\n{render_table()}\n{END}{tail}"


def main() -> None:
    """Write the page."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    TARGET.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
