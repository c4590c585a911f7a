"""Write docs/cli.md: the help page of every command, as the program prints it.

Usage: python scripts/write_cli_docs.py [--check]. With `--check` nothing is written, and the
exit code is 1 if the file is not what would be written.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from pathlib import Path

from scrubjay.cli import main as cli

TARGET = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
HEAD = """# The command line

The help page of every command. This file is written by `python scripts/write_cli_docs.py`; a test
fails when it is not fresh.

Data goes to the standard output, progress and errors to the standard error. Exit codes:

| code | meaning |
|---|---|
| 0 | success; no document failed |
| 1 | the command ran, but not all is well: documents failed, or most are in a strange language |
| 2 | a bad call or bad input; one line that begins with `error:`, or a usage message |
| 70 | an error nobody foresaw; its class and place are shown, never text |
| 130 | interrupted |
| 143 | asked to stop (SIGTERM) |

With `SCRUBJAY_DEBUG=1` an unforeseen error shows its traceback, which may hold patient text.
"""


def command_paths() -> list[list[str]]:
    """Return the path of every command and subcommand, in the order of the table."""
    paths: list[list[str]] = [[]]
    for name in cli.COMMANDS:
        paths.append([name])
        paths += [[name, child] for child in getattr(cli.load_command(name), "commands", {})]
    return paths


def help_page(path: list[str]) -> str:
    """Return the help page of a command, at a fixed width."""
    page = io.StringIO()
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        with contextlib.redirect_stdout(page):
            cli.run([*path, "--help"])
    finally:
        os.environ.pop("COLUMNS")
        if columns is not None:
            os.environ["COLUMNS"] = columns
    return page.getvalue().rstrip()


def render() -> str:
    """Return the whole file."""
    parts = [HEAD]
    for path in command_paths():
        title = " ".join(["scrubjay", *path])
        depth = "##" if len(path) < 2 else "###"
        parts.append(f"{depth} `{title}`\n\n```text\n{help_page(path)}\n```\n")
    return "\n".join(parts)


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description="Write docs/cli.md from the help pages.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    text = render()
    if parser.parse_args().check:
        return 0 if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
