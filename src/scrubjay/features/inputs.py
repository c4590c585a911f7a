"""Tokens -> what a neural tagger sees of them: numbers, each distinct word looked at once.

Everything about a word alone (its place in the vocabulary, its characters) stands in tables over
the distinct words; only features that depend on the place are per token.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.errors import require_choice
from scrubjay.features.encoder import Encoder
from scrubjay.text.tokens import IntArray, Tokens

#: Numbers that every vocabulary and character table begins with.
PADDING, UNKNOWN = 0, 1

#: Words and characters are numbered from here.
FIRST_NUMBER = 2

_DIGITS = str.maketrans("123456789", "000000000")

FORMS = ("lower", "lower-digits", "word")


def fold_word(word: str, form: str) -> str:
    """Return a word as the vocabulary knows it.

    `lower` ignores case, `lower-digits` also makes every digit 0, `word` changes nothing.
    """
    if form == "word":
        return word
    lowered = word.lower()
    return lowered.translate(_DIGITS) if form == "lower-digits" else lowered


@dataclass(frozen=True, slots=True, eq=False)
class NetworkInputs:
    """A batch as a network sees it: `n` tokens of all its documents, one after another.

    `types` (n,) are rows of the tables of distinct words (`InputEncoder.word_numbers`),
    `features` (n, f) hold the value numbers of each feature (0 is nothing), `bounds` (s + 1,)
    delimit sentences and `documents` (d + 1,) documents.
    """

    types: IntArray
    features: IntArray
    bounds: IntArray
    documents: IntArray

    def __len__(self) -> int:
        return len(self.types)


class InputEncoder:
    """Encodes tokens for a network, with a growing cache of the distinct words.

    `encoder` gives the features (one template each, at offset 0), `vocabulary` numbers folded
    words and `characters` characters, both from 2 up. A word longer than `longest` characters is
    seen by its first and last halves. `generation` changes when the cache starts afresh: tables
    indexed by `types` are then worthless. Who shares one between threads holds `lock` from
    `encode` until the tables are read. A pickled encoder leaves its cache behind.
    """

    def __init__(
        self,
        encoder: Encoder,
        vocabulary: Mapping[str, int],
        characters: Mapping[str, int],
        *,
        form: str = "lower",
        longest: int = 24,
    ) -> None:
        require_choice("word form", form, FORMS)
        self.encoder = encoder
        self.vocabulary = dict(vocabulary)
        self.characters = dict(characters)
        self.form = form
        self.longest = longest
        self.lock = threading.Lock()
        self._forget()

    def __getstate__(self) -> dict[str, object]:
        state = dict(self.__dict__)
        for name in ("lock", "_generation", "_words", "_spellings"):
            state.pop(name)
        return state

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self.lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._generation = self.encoder.generation
        self._words: IntArray = np.zeros(1, dtype=np.int32)
        self._spellings: IntArray = np.zeros((1, self.longest), dtype=np.int32)

    @property
    def generation(self) -> int:
        return self.encoder.generation

    def encode(self, batch: Sequence[Tokens]) -> NetworkInputs:
        """Encode a batch of tokenized texts."""
        encoded = self.encoder.encode(batch)
        self._extend()
        columns = [self.encoder.part_values(encoded, *t.parts[0]) for t in self.encoder.templates]
        features = (
            np.stack(columns, axis=1) if columns else np.zeros((len(encoded), 0), dtype=np.int32)
        )
        documents = np.cumsum([0, *(len(tokens) for tokens in batch)], dtype=np.int32)
        return NetworkInputs(encoded.word_ids, features, encoded.bounds, documents)

    def _extend(self) -> None:
        """Look at the words that the encoder met since the last time."""
        if self._generation != self.encoder.generation:
            self._forget()
        known = len(self._words)
        fresh = self.encoder.words_from(known)
        if not fresh:
            return
        words = np.array(
            [self.vocabulary.get(fold_word(word, self.form), UNKNOWN) for word in fresh],
            dtype=np.int32,
        )
        spellings = np.zeros((len(fresh), self.longest), dtype=np.int32)
        for row, word in enumerate(fresh):
            numbers = [self.characters.get(c, UNKNOWN) for c in _shorten(word, self.longest)]
            spellings[row, : len(numbers)] = numbers
        self._words = np.concatenate([self._words, words])
        self._spellings = np.concatenate([self._spellings, spellings])

    def word_numbers(self) -> IntArray:
        """Return the vocabulary number of every cached type, shape `(types,)`; type 0 pads."""
        return self._words

    def spellings(self) -> IntArray:
        """Return the characters of every cached type, shape `(types, longest)`, 0 after the end."""
        return self._spellings

    def feature_sizes(self) -> list[int]:
        """Return per feature how many value numbers it has, 0 ("nothing") included."""
        alphabets = self.encoder.alphabets
        return [len(alphabets[t.parts[0][0]]) + 1 for t in self.encoder.templates]


def _shorten(word: str, longest: int) -> str:
    if len(word) <= longest:
        return word
    head = (longest + 1) // 2
    return word[:head] + word[len(word) - (longest - head) :]
