"""A Scrubjay model (name or folder, the one argument) on JSON lines, one note at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable

from protocol import Found, serve


def load(name: str) -> Callable[[str], Found]:
    """Return the function that finds spans."""
    from scrubjay.document import Document
    from scrubjay.models import load_model

    model = load_model(name)

    def find(text: str) -> Found:
        (spans,) = model.detect([Document("note", text)])
        return [(span.start, span.end, span.label) for span in spans]

    return find


if __name__ == "__main__":
    serve(lambda: load(sys.argv[1]))
