"""Which known name was meant: the question that messages ask where a name is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggest_near(name: str, known: Iterable[str], *, most: int = 1) -> str:
    """Return the question whether up to `most` of the known names were meant, the nearest first.

    It is "" where none is near. Case counts: give both as they are to be compared.
    """
    return did_you_mean(*difflib.get_close_matches(name, list(known), n=most))


def did_you_mean(*names: str) -> str:
    """Return the question whether one of some names was meant, with a space after it; "" of none.

    What follows in the message can stand behind it as it is; where nothing does, strip it.
    """
    return f"Did you mean {' or '.join(map(repr, names))}? " if names else ""
