"""Caches of what functions tell of texts: bounded in memory, whatever the texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_KEPT = 200
"""Characters of a text that stays in a cache: `lru_cache` is bounded by number alone."""


def text_cache(
    most: int,
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Cache what a function gives for up to `most` texts, the first argument, and others.

    A text of more than `LONGEST_KEPT` characters is kept up to the next text that is worked out:
    the cache is emptied then. So it is asked without a look at lengths, which would cost more than
    most answers. What the function gives is shared: nobody may change it.
    """

    def decorate(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        holds_long = False

        @wraps(function)
        def work_out(text: str, /, *args: P.args, **options: P.kwargs) -> T:
            nonlocal holds_long
            if holds_long:
                holds_long = False
                known.cache_clear()
            given = function(text, *args, **options)
            if len(text) > LONGEST_KEPT:  # told last: another thread may empty the cache till here
                holds_long = True
            return given

        known = lru_cache(maxsize=most)(work_out)
        return cast("Callable[Concatenate[str, P], T]", known)

    return decorate
