"""What mentions tell is remembered between documents, but for long ones: they fill the memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_LASTING = 200
"""Characters of a text that is remembered: caches are bounded by number alone."""


def lasting(
    most: int,
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Remember what a function gives for up to `most` texts, the first argument, and others.

    A text of more than `LONGEST_LASTING` characters is remembered up to the next text that is
    worked out: all that is known is then forgotten. So the cache is asked without a look at
    lengths, which would cost more than most answers.
    """

    def decorate(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        holds_long = False

        @wraps(function)
        def work_out(text: str, /, *args: P.args, **options: P.kwargs) -> T:
            nonlocal holds_long
            if holds_long:
                known.cache_clear()
            holds_long = len(text) > LONGEST_LASTING
            return function(text, *args, **options)

        known = lru_cache(maxsize=most)(work_out)
        return cast("Callable[Concatenate[str, P], T]", known)

    return decorate
