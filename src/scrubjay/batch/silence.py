"""Processes that hold patient text and tell nothing of it: no output, no image of their memory."""

from __future__ import annotations

import os
from contextlib import suppress


def be_silent() -> None:
    """Send what this process prints nowhere."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        for stream in (1, 2):
            with suppress(OSError):
                os.dup2(nowhere.fileno(), stream)


def leave_no_core() -> None:
    """Have the system write no file of this process's memory where it crashes."""
    try:
        import resource
    except ImportError:  # a system without such files
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
