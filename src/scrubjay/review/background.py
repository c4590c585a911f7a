"""The process of a retraining: `python -m scrubjay.review.background FOLDER RUN`.

It leaves its parent at once, so that it goes on when that ends, and inherits the lock of its run.
It says nothing: how far it is, and how it ended, stands in the database.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Do a run in a process that nobody waits for; the first process ends at once."""
    folder, number = arguments
    if os.fork():
        return 0
    os.setsid()
    os.nice(5)
    from scrubjay.review.learn import work_on
    from scrubjay.review.store import Store

    store = Store(Path(folder))
    try:
        work_on(store, int(number))
    finally:
        store.close()
    return 0


if __name__ == "__main__":
    # No tidying up: the first process must not run what the second one still needs.
    os._exit(main(sys.argv[1:]))
