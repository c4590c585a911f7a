"""Tokens -> integer feature values, each distinct word looked at once.

The encoder knows the value alphabets of its attributes: value `v` of attribute `a` has a
number from 1 up, 0 stands for "nothing" (no value, unknown value, beyond the window).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from scrubjay.features.lexicons import fold_accents, normal_word
from scrubjay.features.positions import Place, find_position_attribute, is_position_attribute
from scrubjay.features.resources import lexicon_behind, make_word_attribute
from scrubjay.features.templates import FeatureConfig, Template
from scrubjay.text.tokens import IntArray, Tokens

#: Distinct words kept before the cache starts afresh; bounds memory on endless streams.
MAX_CACHED_WORDS = 40_000

Alphabet = dict[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A batch as integers: `n` tokens of all its documents, one after another.

    `word_ids` (n,) number the distinct words (0 is no word), `positions` (n, p) hold the
    value numbers of the position attributes, `bounds` (s + 1,) delimit sentences, and
    `segments` (n,) number what a window may not leave (documents or sentences).
    """

    word_ids: IntArray
    positions: IntArray
    bounds: IntArray
    segments: IntArray

    def __len__(self) -> int:
        return len(self.word_ids)

    def shift(self, values: IntArray, offset: int) -> IntArray:
        """Return `values` at `offset` from each token, 0 where the window ends."""
        if offset == 0:
            return values
        shifted = np.zeros_like(values)
        size = len(values)
        if abs(offset) >= size:
            return shifted
        here = slice(max(0, -offset), size - max(0, offset))
        there = slice(max(0, offset), size - max(0, -offset))
        same = self.segments[here] == self.segments[there]
        shifted[here] = np.where(same, values[there], 0)
        return shifted


class Encoder:
    """Encodes tokens for a fixed set of templates and alphabets.

    Behaves as an immutable function; its cache of words changes nothing but speed. A pickled
    encoder leaves its cache behind.
    """

    def __init__(
        self,
        templates: Sequence[Template],
        alphabets: Mapping[str, Alphabet],
        *,
        scope: str = "document",
        dictionaries: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self.templates = tuple(templates)
        self.scope = scope
        self.dictionaries = dict(dictionaries or {})
        names = dict.fromkeys(name for template in templates for name, _ in template.parts)
        self.position_names = tuple(name for name in names if is_position_attribute(name))
        self.word_names = tuple(name for name in names if not is_position_attribute(name))
        self.alphabets = {name: dict(alphabets.get(name, {})) for name in names}
        self._make_functions()
        self._growing = False
        self.generation = 0
        self._forget()

    def _make_functions(self) -> None:
        """Make what looks at words, by their columns: most of it looks the same key up in lists."""
        columns = list(enumerate(self.word_names))
        lexicons = ((column, name, lexicon_behind(name)) for column, name in columns)
        self._lexicons = [
            (c, name, lexicon) for c, name, lexicon in lexicons if lexicon is not None
        ]
        listed = {column for column, _, _ in self._lexicons}
        self._functions = [
            (column, name, make_word_attribute(name, self.dictionaries))
            for column, name in columns
            if column not in listed
        ]
        self._position_functions = [find_position_attribute(name) for name in self.position_names]

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._rows: IntArray = np.zeros((1024, len(self.word_names)), dtype=np.int32)
        self.generation += 1

    def __getstate__(self) -> dict[str, object]:
        state = dict(self.__dict__)
        for name in ("_numbers", "_rows", "_lexicons", "_functions", "_position_functions"):
            state.pop(name)
        return state

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._make_functions()
        self._forget()

    @property
    def word_count(self) -> int:
        """The number of word ids given out, the padding word 0 included."""
        return len(self._numbers)

    def words_from(self, number: int) -> list[str]:
        """Return the cached words whose ids are `number` and above, in order of their ids."""
        return list(islice(self._numbers, number, None))

    def word_rows(self) -> IntArray:
        """Return the value numbers of every cached word, shape `(word_count, attributes)`."""
        return self._rows[: len(self._numbers)]

    def learn(self, batch: Sequence[Tokens]) -> None:
        """Give every value of a batch that has none a number, after those there are.

        To be called before the encoder serves anyone: its numbers are no longer those of before
        for a value that was unknown.
        """
        self._forget()
        self._growing = True
        self.encode(batch)
        self._growing = False

    def intern(self, words: Sequence[str]) -> IntArray:
        """Return the ids of words, looking at each new one once."""
        numbers = self._numbers
        try:
            return np.array([numbers[word] for word in words], dtype=np.int32)
        except KeyError:
            pass
        ids = []
        for word in words:
            number = numbers.get(word)
            if number is None:
                number = self._add(word)
            ids.append(number)
        return np.array(ids, dtype=np.int32)

    def _add(self, word: str) -> int:
        number = len(self._numbers)
        if number == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        row = [0] * len(self.word_names)
        key = normal_word(word)
        plain = fold_accents(key)
        for column, name, lexicon in self._lexicons:
            group = lexicon.get(key, lexicon.get(plain)) if plain is not key else lexicon.get(key)
            if group is not None:
                row[column] = self._number(name, str(group))
        for column, name, function in self._functions:
            value = function(word)
            if value is not None:
                row[column] = self._number(name, value)
        self._rows[number] = row
        self._numbers[word] = number
        return number

    def _number(self, name: str, value: str) -> int:
        alphabet = self.alphabets[name]
        number = alphabet.get(value, 0)
        if not number and self._growing:
            number = alphabet[value] = len(alphabet) + 1
        return number

    def encode(self, batch: Sequence[Tokens]) -> Encoded:
        """Encode a batch of tokenized texts."""
        if len(self._numbers) > MAX_CACHED_WORDS:
            self._forget()
        ids = [self.intern(tokens.words()) for tokens in batch]
        columns = [self._places(t, w) for t, w in zip(batch, ids, strict=True)]
        sizes = np.array([len(tokens) for tokens in batch], dtype=np.int64)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        starts = [t.sentence_starts + o for t, o in zip(batch, offsets[:-1], strict=True)]
        bounds = np.concatenate([*starts, offsets[-1:]]).astype(np.int32)
        word_ids = np.concatenate(ids) if ids else np.zeros(0, dtype=np.int32)
        if self.scope == "document":
            segments = np.repeat(np.arange(len(batch), dtype=np.int32), sizes)
        else:
            segments = np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))
        width = len(self.position_names)
        positions = np.concatenate(columns) if columns else np.zeros((0, width), dtype=np.int32)
        return Encoded(word_ids, positions, bounds, segments)

    def _places(self, tokens: Tokens, word_ids: IntArray) -> IntArray:
        table = np.zeros((len(tokens), len(self.position_names)), dtype=np.int32)
        if not len(tokens):
            return table
        place = Place(tokens, word_ids)
        for column, (name, function) in enumerate(
            zip(self.position_names, self._position_functions, strict=True)
        ):
            found = function(place)
            if self._growing:
                for value in found.values:
                    self._number(name, value)
            known = self.alphabets[name]
            numbers = [*(known.get(value, 0) for value in found.values), 0]
            table[:, column] = np.array(numbers, dtype=np.int32)[found.index]
        return table

    def part_values(self, encoded: Encoded, name: str, offset: int) -> IntArray:
        """Return the value numbers of one template part for every token, shape `(n,)`."""
        if name in self.position_names:
            values = encoded.positions[:, self.position_names.index(name)]
            return encoded.shift(np.ascontiguousarray(values), offset)
        column = self.word_rows()[:, self.word_names.index(name)]
        return column[encoded.shift(encoded.word_ids, offset)]

    def values_of(self, name: str) -> list[str]:
        """Return the alphabet of an attribute, value number 1 first."""
        return list(self.alphabets[name])


def fit_encoder(
    config: FeatureConfig,
    batch: Sequence[Tokens],
    *,
    dictionaries: Mapping[str, frozenset[str]] | None = None,
) -> tuple[Encoder, Encoded]:
    """Return an encoder whose alphabets hold every value of the batch, and the encoded batch."""
    encoder = Encoder(config.templates(), {}, scope=config.scope, dictionaries=dictionaries)
    encoder._growing = True
    encoded = encoder.encode(batch)
    encoder._growing = False
    return encoder, encoded
