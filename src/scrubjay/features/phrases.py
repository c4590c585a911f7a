"""Phrases of a lexicon found among tokens: "new york", "san sebastián de los reyes".

Entries are cut into words and single marks, as the tokenizers of this package cut them, and
kept as n-grams under their first word. Matching goes left to right and takes the longest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from scrubjay.features.lexicons import find_lexicon

PIECE = r"(?:[^\W\d_]+|\d+|[^\w\s]|_)"
"""A word of letters, a number, or one mark: the finest cut that the tokenizers agree on."""

_PIECES = re.compile(PIECE)


def split_entry(entry: str) -> list[str]:
    """Return the words, numbers and single marks of an entry: "st. john's" has five."""
    return _PIECES.findall(entry)


@dataclass(frozen=True, slots=True, repr=False)
class PhraseIndex:
    """The n-grams of a lexicon under their first word; `lengths` per word, longest first."""

    phrases: frozenset[tuple[str, ...]]
    lengths: Mapping[str, tuple[int, ...]]

    def __repr__(self) -> str:
        return f"PhraseIndex({len(self.phrases)} phrases)"


def compile_phrases(entries: Iterable[str], *, shortest: int = 1) -> PhraseIndex:
    """Build the index of entries of at least `shortest` pieces.

    Entries are taken as they stand: lower case, as lexicons hold them.
    """
    phrases = {tuple(split_entry(entry)) for entry in entries}
    phrases = {phrase for phrase in phrases if len(phrase) >= max(shortest, 1)}
    lengths: dict[str, set[int]] = {}
    for phrase in phrases:
        lengths.setdefault(phrase[0], set()).add(len(phrase))
    return PhraseIndex(
        frozenset(phrases),
        {word: tuple(sorted(found, reverse=True)) for word, found in lengths.items()},
    )


@cache
def phrase_index(name: str, *, shortest: int = 1) -> PhraseIndex:
    """Return the index of a shipped lexicon, built on the first call.

    `shortest=2` leaves out single words, which a plain look-up finds more cheaply. Raises
    `ConfigError` for an unknown lexicon.
    """
    entries: Iterable[str] = find_lexicon(name)
    if shortest > 1:
        entries = [entry for entry in entries if not entry.isalpha()]
    return compile_phrases(entries, shortest=shortest)


def match_phrases(
    words_lower: Sequence[str], lexicon: PhraseIndex, *, sentence_bounds: Sequence[int] = ()
) -> list[tuple[int, int]]:
    """Return the token ranges `(first, last)`, `last` exclusive, that hold a phrase.

    Longest match first at each token, left to right, without overlap. With `sentence_bounds`
    (ascending, the number of tokens included) no phrase crosses a sentence border.
    """
    found: list[tuple[int, int]] = []
    count, free, bound = len(words_lower), 0, 0
    for position, lengths in enumerate(map(lexicon.lengths.get, words_lower)):
        if lengths is None or position < free:
            continue
        while bound < len(sentence_bounds) and sentence_bounds[bound] <= position:
            bound += 1
        limit = sentence_bounds[bound] if bound < len(sentence_bounds) else count
        for length in lengths:
            last = position + length
            if last <= limit and tuple(words_lower[position:last]) in lexicon.phrases:
                found.append((position, last))
                free = last
                break
    return found
