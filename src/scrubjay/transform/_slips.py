"""Words of which one may be another misspelled, found without comparing each with each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from scrubjay.transform.same_person import LONG, is_misspelled

_TWO_EDITS = 8
"""Letters from which on a word may differ by two edits (`is_misspelled`)."""
_LONGEST = 20
"""Letters of a word that is looked up by what is left of it; longer ones are compared with all that
are nearly as long."""


class Slips:
    """Words that were met, and which of them another one may be a slip of, or they of it.

    Two words that few edits part have in common what is left of them without as many letters: an
    added, a changed and a swapped letter are each gone with one of both words.
    """

    def __init__(self) -> None:
        self._met: set[str] = set()
        self._waiting: list[str] = []
        self._longest: list[str] = []
        self._leaving: dict[str, list[str]] = {}
        self._left: dict[str, list[str]] = {}

    def add(self, word: str) -> None:
        """Note a word; short ones are never misspelled."""
        if len(word) >= LONG and word not in self._met:
            self._met.add(word)
            self._waiting.append(word)

    def like(self, word: str) -> Iterator[str]:
        """Yield each word that was met of which this may be a slip, or that may be one of it."""
        if len(word) < LONG:
            return
        self._look_at_waiting()
        maybe: set[str] = set()
        if len(word) <= _LONGEST:
            for rest in self._rests(word):
                maybe.update(self._leaving.get(rest, ()))
        if len(word) >= _LONGEST - 1:
            maybe.update(self._longest)
        for other in maybe:
            if is_misspelled(word, other) or is_misspelled(other, word):
                yield other

    def _look_at_waiting(self) -> None:
        for word in self._waiting:
            if len(word) >= _LONGEST - 1:
                self._longest.append(word)
            if len(word) <= _LONGEST:
                for rest in self._rests(word):
                    self._leaving.setdefault(rest, []).append(word)
        self._waiting.clear()

    def _rests(self, word: str) -> list[str]:
        """Return what may be left of a word without as many letters as it may have wrong."""
        known = self._left.get(word)
        if known is None:
            places = range(len(word))
            rests = {word, *(word[:at] + word[at + 1 :] for at in places)}
            if len(word) >= _TWO_EDITS:
                rests.update(
                    word[:at] + word[at + 1 : then] + word[then + 1 :]
                    for at, then in combinations(places, 2)
                )
            known = self._left[word] = list(rests)
        return known
