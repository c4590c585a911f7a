"""DataFog on JSON lines: its regular expressions, the engine that needs no model."""

from __future__ import annotations

from collections.abc import Callable

from protocol import Found, serve


def load() -> Callable[[str], Found]:
    """Return the function that finds spans."""
    from datafog.engine import scan

    def find(text: str) -> Found:
        found = scan(text, engine="regex").entities
        return sorted({(one.start, one.end, one.type) for one in found})

    return find


if __name__ == "__main__":
    serve(load)
