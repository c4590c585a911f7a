"""Sub-tokens of tokens by their definition, one character range after the other."""

from __future__ import annotations

from collections.abc import Sequence


def touching(text: str, token: tuple[int, int], offsets: Sequence[tuple[int, int]]) -> list[int]:
    """Return the sub-tokens that share a character of a token that is no white space."""
    return [
        number
        for number, (start, end) in enumerate(offsets)
        if any(
            token[0] <= place < token[1] and not text[place].isspace()
            for place in range(start, end)
        )
    ]


def first_piece(text: str, token: tuple[int, int], offsets: Sequence[tuple[int, int]]) -> list[int]:
    """Return the first sub-token that begins in a token, else the first that touches it."""
    found = touching(text, token, offsets)
    inside = [number for number in found if token[0] <= _opening(text, offsets[number])]
    return (inside or found)[:1]


def _opening(text: str, offsets: tuple[int, int]) -> int:
    """Return the first character of a sub-token that is no white space."""
    return next(place for place in range(*offsets) if not text[place].isspace())
