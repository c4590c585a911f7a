"""Calls of the command line."""

from __future__ import annotations

from scrubjay.cli import main as cli


def run(*arguments: object) -> int:
    """Run a command line and return its exit code."""
    return cli.run([str(argument) for argument in arguments])
