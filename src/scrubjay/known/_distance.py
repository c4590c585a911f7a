"""Which known words a word may stand for despite typing errors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scrubjay.text.distance import distance


def allowed_errors(word: str) -> int:
    """Return how many typing errors a word may hold: none below 4 letters, 1, and 2 from 8 on."""
    return 0 if len(word) < 4 else 1 if len(word) < 8 else 2


def letter_bits(word: str) -> int:
    """Return the letters of a word as a set of bits; one edit changes at most two of them."""
    bits = 0
    for mark in word:
        bits |= 1 << (ord(mark) & 63)
    return bits


@dataclass(frozen=True, slots=True, repr=False)
class Vocabulary:
    """Known words by length with their letters, to be found again despite typing errors."""

    by_length: dict[int, tuple[tuple[str, int], ...]]

    def near(self, key: str) -> list[tuple[str, int]]:
        """Return the known words that differ from `key` by no more than `allowed_errors`.

        Each comes with its number of errors, fewest first, then in alphabetical order; a word
        that equals `key` is not among them.
        """
        letters, found = letter_bits(key), []
        for length in range(len(key) - 2, len(key) + 3):
            for word, bits in self.by_length.get(length, ()):
                bound = allowed_errors(word)
                if (letters ^ bits).bit_count() <= 2 * bound and word != key:
                    errors = distance(key, word, bound)
                    if errors <= bound:
                        found.append((word, errors))
        return sorted(found, key=lambda item: (item[1], item[0]))


def make_vocabulary(words: Iterable[str]) -> Vocabulary:
    """Return the vocabulary of the words in which errors are allowed; the others are left out."""
    by_length: dict[int, list[tuple[str, int]]] = {}
    for word in sorted(set(words)):
        if allowed_errors(word):
            by_length.setdefault(len(word), []).append((word, letter_bits(word)))
    return Vocabulary({length: tuple(entries) for length, entries in by_length.items()})
