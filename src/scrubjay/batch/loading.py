"""How a process of a run loads what it keeps: without collections of garbage, now and later."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Put off collections while models are loaded, and leave what is loaded out of later ones.

    It stays as long as the process, and there is much of it to look at. For processes that are
    our own: a library must not do this to whoever calls it.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if on:
            gc.enable()
