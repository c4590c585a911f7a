"""Cyclic garbage is looked for less often while many values are made that live for a moment."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_SELDOM = 50_000
"""New objects until garbage is looked for; Python's own 700 looks again and again at the mentions
of a batch, all of which are still needed, and now and then at all lists of words that are loaded:
that takes a quarter of the time of a fast model."""

_LOCK = Lock()
_inside = 0
_before = (0, 0, 0)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for garbage seldom inside the block, in any number of threads at once.

    What the process had set comes back when the last of them leaves. A process that looks for
    none, or more seldom, is left as it is.
    """
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _inside, _before
    with _LOCK:
        _inside += 1
        if _inside == 1:
            _before = gc.get_threshold()
            if 0 < _before[0] < _SELDOM:
                gc.set_threshold(_SELDOM, *_before[1:])


def _leave() -> None:
    global _inside
    with _LOCK:
        _inside -= 1
        if _inside == 0:
            gc.set_threshold(*_before)
