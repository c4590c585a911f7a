"""Where a piece stands in a text: each of its places."""

from __future__ import annotations

from collections.abc import Iterator


def places_of(piece: str, text: str) -> Iterator[int]:
    """Yield where a piece begins in a text, none within the one before."""
    place = text.find(piece)
    while place >= 0:
        yield place
        place = text.find(piece, place + len(piece))
