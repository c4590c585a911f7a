"""Caches of what functions tell of texts: bounded in memory, and no long text stays in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_KEPT = 200
"""Characters of a text that stays in a cache: `lru_cache` is bounded by number alone."""

_holding: dict[int, tuple[str, Callable[[], None]]] = {}
"""Caches that hold a longer text, by their numbers: the text, and what empties them."""


def text_cache(
    most: int,
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Cache what a function gives for up to `most` texts, the first argument, and others.

    A text of more than `LONGEST_KEPT` characters is kept up to the next other text that is worked
    out, or up to `forget_long`: the cache is emptied then (a text that another thread puts in at
    that very moment stays up to its own `forget_long`). So it is asked without a look at lengths,
    which would cost more than most answers. What the function gives is shared: nobody may change
    it.
    """

    def decorate(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        @wraps(function)
        def work_out(text: str, /, *args: P.args, **options: P.kwargs) -> T:
            held = _holding.get(number)
            if held is not None and held[0] is not text:
                _empty(number)
            given = function(text, *args, **options)
            if len(text) > LONGEST_KEPT:  # told last: another thread may empty the cache till here
                _holding[number] = text, known.cache_clear
            return given

        known = lru_cache(maxsize=most)(work_out)
        number = id(known)
        return cast("Callable[Concatenate[str, P], T]", known)

    return decorate


def forget_long() -> None:
    """Empty every cache that holds a long text: who is done with some documents calls this."""
    for number in list(_holding):
        _empty(number)


def _empty(number: int) -> None:
    held = _holding.pop(number, None)  # another thread may have emptied it
    if held is not None:
        held[1]()
