"""Whether a surrogate holds what it stands for: what no surrogate may do."""

from __future__ import annotations

from scrubjay.transform.surrogates._fresh import shows
from scrubjay.transform.surrogates.draw import fold


def holds(new: str, old: str) -> bool:
    """Tell whether a value holds all words of another, side by side: "Cedar Aetna", "Aetna"."""
    return shows(fold(new), old)
