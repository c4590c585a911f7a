"""The width of wrapped lines again, by trying every width."""

from __future__ import annotations

from collections.abc import Sequence


def supported_widths(pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return, for each width from 40 to 130, how many breaks it explains.

    A pair is the length of a line and of the first word of the next one.
    """
    return {
        width: sum(length <= width < length + 1 + word for length, word in pairs)
        for width in range(40, 131)
    }
