"""Runs the command line as `python -m scrubjay`, for where its command is not on the path."""

from __future__ import annotations

from scrubjay.cli.main import main

if __name__ == "__main__":
    main()
