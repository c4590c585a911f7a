"""Spans laid on tokens, again, token by token and character by character."""

from __future__ import annotations

from scrubjay.text.tokens import Tokens


def token_range(tokens: Tokens, start: int, end: int, mode: str) -> tuple[int, int] | None:
    """Return the token range of `[start, end)`: the tokens that a mode allows, in a loop."""
    bounds = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
    touched = [n for n, (s, e) in enumerate(bounds) if set(range(s, e)) & set(range(start, end))]
    inside = [n for n in touched if start <= bounds[n][0] and bounds[n][1] <= end]
    chosen = inside if mode == "contract" else touched
    if not chosen:
        return None
    first, last = chosen[0], chosen[-1] + 1
    if mode == "strict" and (bounds[first][0], bounds[last - 1][1]) != (start, end):
        return None
    return first, last
