"""How a process of a run loads what it keeps: without collections of garbage now, few later."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG_OBJECTS = 200_000
"""New objects from which on a process of a run looks for garbage among them.

Documents leave few cycles behind. At the 700 of Python one part in twenty of a run with a fast
model goes into collections, most of it into looking at lists and words that are there to stay.
One takes some 0.1 s, and a few hundred notes make 50,000 objects: it pays to wait longer.
"""


@contextmanager
def loading() -> Iterator[None]:
    """Put off collections while models are loaded, and leave what is loaded out of later ones.

    It stays as long as the process, and there is much of it to look at. From then on collections
    are rare (`YOUNG_OBJECTS`). For processes that are our own: a library must not do this to
    whoever calls it.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
        young, *older = gc.get_threshold()
        if 0 < young < YOUNG_OBJECTS:  # 0 is never
            gc.set_threshold(YOUNG_OBJECTS, *older)
    finally:
        if on:
            gc.enable()
