"""What mentions tell is remembered between documents, but for long ones: they fill the memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_LASTING = 200
"""Characters of a text that is remembered: caches are bounded by number alone."""


def lasting(
    most: int,
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Remember what a function gives for up to `most` texts, the first argument, and others.

    A text of more than `LONGEST_LASTING` characters is worked out each time.
    """

    def decorate(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        known = lru_cache(maxsize=most)(function)

        @wraps(function)
        def call(text: str, /, *args: P.args, **options: P.kwargs) -> T:
            if len(text) > LONGEST_LASTING:
                return function(text, *args, **options)
            found: T = known(text, *args, **options)  # type: ignore[arg-type]
            return found

        return call

    return decorate
