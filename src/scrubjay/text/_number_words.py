"""The words of the expressions for numbers (months, units, what joins them) as one trie of signs.

Kernels walk it: `steps[state, sign]` is the next state, 0 for none, and `ranks[state]` the place
of the word that ends there in its list, -1 where none does. Each list begins at a state of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from scrubjay.text.patterns import MONTHS, UNITS
from scrubjay.text.signs import COUNT, sign_of_listed

_OPTIONAL = re.compile(r"\(\?:([^()]*)\)\?|(\w)\?")

#: The lists in the order of their first states, from 1 up: see `NUMBER_PATTERNS`.
_LISTS = (
    MONTHS,
    UNITS,
    "st|nd|rd|th|º|ª",  # behind the day of a word-date
    "of |de ",  # before its month
    "del? (?:año )?",  # before its year
    "of |de |del |del año ",  # between a month and what comes after it
    "st|nd|rd|th",  # behind a day that comes after its month
)
# Of numpy's integers: numba would compile what they are given to for each one of Python's.
MONTH, UNIT, ORDINAL, OF, OF_YEAR, OF_MONTH, DAY_ORDINAL = np.arange(1, len(_LISTS) + 1)

ShortArray = npt.NDArray[np.int16]


def spell_out(words: str) -> Iterator[str]:
    """Yield the words of a list: "june?" gives "june" and "jun", as an expression tries them."""
    found = _OPTIONAL.search(words)
    if found:
        yield from spell_out(words[: found.start()] + (found[1] or found[2]) + words[found.end() :])
        yield from spell_out(words[: found.start()] + words[found.end() :])
    else:
        yield words


@cache
def number_words() -> tuple[ShortArray, ShortArray]:
    """Return the trie of all lists: `steps` (states, signs) and `ranks` (states,)."""
    steps: list[dict[int, int]] = [{} for _ in range(len(_LISTS) + 1)]
    ranks = [-1] * len(steps)
    for root, alternatives in enumerate(_LISTS, start=1):
        words = [word for one in alternatives.split("|") for word in spell_out(one)]
        for rank, word in enumerate(words):
            _enter(steps, ranks, root, word, rank)
    table = np.zeros((len(steps), COUNT), dtype=np.int16)
    for state, row in enumerate(steps):
        for sign, after in row.items():
            table[state, sign] = after
    return table, np.array(ranks, dtype=np.int16)


def _enter(
    steps: list[dict[int, int]], ranks: list[int], state: int, word: Sequence[str], rank: int
) -> None:
    for character in word:
        sign = sign_of_listed(character)
        if sign not in steps[state]:
            steps[state][sign] = len(steps)
            steps.append({})
            ranks.append(-1)
        state = steps[state][sign]
    if ranks[state] < 0:
        ranks[state] = rank
