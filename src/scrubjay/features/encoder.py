"""Tokens -> integer feature values, each distinct word looked at once.

The encoder knows the value alphabets of its attributes: value `v` of attribute `a` has a
number from 1 up, 0 stands for "nothing" (no value, unknown value, beyond the window).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from threading import RLock

import numpy as np

from scrubjay.compiling import use_compiled
from scrubjay.features._place_reader import PlaceReader
from scrubjay.features._word_table import WordTable
from scrubjay.features._word_values import WordValues
from scrubjay.features.positions import Place, find_position_attribute, is_position_attribute
from scrubjay.features.templates import FeatureConfig, Template
from scrubjay.text.joined import JoinedTexts, add_up, join_bounds, join_texts
from scrubjay.text.tokens import IntArray, Tokens

#: Distinct words kept before those go that were met least recently, half of them; bounds memory on
#: endless streams.
MAX_CACHED_WORDS = 40_000

#: Tokens of a batch pass through so many compiled kernels after those of the encoder.
_KERNELS_BEHIND = 3
_KERNEL = ("features/_place_kernel.py", "read_places")

#: What a pickle leaves behind: the cache, what belongs to it, and what is made again.
_NOT_KEPT = (
    *("_numbers", "_rows", "_met", "_kept", "_table", "_place_reader", "lock"),
    *("_word_values", "_position_functions"),
)

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

    def part(self, begin: int, end: int) -> Encoded:
        """Return some of the tokens, as one sentence."""
        some = slice(begin, end)
        bounds = np.array([0, end - begin], dtype=np.int32)
        return Encoded(self.word_ids[some], self.positions[some], bounds, self.segments[some])

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


_Columns = tuple[IntArray, IntArray, IntArray]


class Encoder:
    """Encodes tokens for a fixed set of templates and alphabets.

    Behaves as an immutable function; its cache of words changes nothing but speed. A pickled
    encoder leaves its cache behind.

    Word ids hold until the next batch is encoded: the cache may start afresh then. Who shares an
    encoder among threads holds its `lock` until it needs the ids no more.
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
        self.lock = RLock()
        self._make_functions()
        self._growing = False
        self._place_reader: PlaceReader | None = None
        self.generation = 0
        self._forget()

    def _make_functions(self) -> None:
        self._word_values = WordValues(self.word_names, self.dictionaries)
        self._position_functions = [find_position_attribute(name) for name in self.position_names]

    def _forget(self, kept: IntArray | None = None) -> None:
        """Start the cache afresh, with some of its words: their ids, ascending."""
        words: list[str] = []
        rows = np.zeros((1024, len(self.word_names)), dtype=np.int32)
        if kept is not None:
            known = list(self._numbers)
            words = [known[number] for number in kept.tolist()]
            rows = np.concatenate([rows[:1], self._rows[kept], rows])
        self._numbers: dict[str, int] = {"": 0}
        self._numbers.update(zip(words, range(1, len(words) + 1), strict=True))
        self._rows: IntArray = rows
        # As long as before at least: another thread may hold ids that are no more.
        size = max(len(rows), len(self.__dict__.get("_met", ())))
        self._met: IntArray = np.zeros(size, dtype=np.int32)
        self._batches = 0
        self._kept = np.zeros(0, dtype=np.int32) if kept is None else kept
        self._table = WordTable()
        self.generation += 1

    def _forget_some(self) -> None:
        """Forget the words that were met least recently, half of the cache."""
        recent = np.argsort(self._met[1 : self.word_count], kind="stable")[-MAX_CACHED_WORDS // 2 :]
        self._forget(np.sort(recent).astype(np.int32) + 1)

    def __getstate__(self) -> dict[str, object]:
        state = dict(self.__dict__)
        for name in _NOT_KEPT:
            state.pop(name)
        return state

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self.lock = RLock()
        self._place_reader = None
        self._make_functions()
        self._forget()

    @property
    def word_count(self) -> int:
        """The number of word ids given out, the padding word 0 included."""
        return len(self._numbers)

    @property
    def kept_words(self) -> IntArray:
        """The ids, ascending, that the words from 1 on had in the generation before this one."""
        return self._kept

    def words_from(self, number: int) -> list[str]:
        """Return the cached words whose ids are `number` and above, in order of their ids."""
        newest = list(islice(reversed(self._numbers), len(self._numbers) - number))
        return newest[::-1]

    def word_rows(self) -> IntArray:
        """Return the value numbers of every cached word, shape `(word_count, attributes)`."""
        return self._rows[: len(self._numbers)]

    def learn(self, batch: Sequence[Tokens]) -> Encoded:
        """Encode a batch and give every value of it that has none a number, after those there are.

        To be called before the encoder serves anyone: its numbers are no longer those of before
        for a value that was unknown.
        """
        self._forget()
        self._place_reader = None
        self._growing = True
        encoded = self.encode(batch)
        self._growing = False
        return encoded

    def intern(self, words: Sequence[str]) -> IntArray:
        """Return the ids of words, looking at each new one once."""
        numbers = self._numbers
        try:
            return np.array([numbers[word] for word in words], dtype=np.int32)
        except KeyError:
            pass
        with self.lock:
            self._add([word for word in dict.fromkeys(words) if word not in numbers])
        return np.array([numbers[word] for word in words], dtype=np.int32)

    def _add(self, words: Sequence[str]) -> None:
        """Look at words, all of them new."""
        first = len(self._numbers)
        rows = self._rows
        if first + len(words) > len(rows):
            grown = np.zeros((first + len(words) + len(rows), len(self.word_names)), dtype=np.int32)
            grown[:first] = rows[:first]
            rows = grown
            self._met = np.concatenate([self._met, np.zeros(len(rows), dtype=np.int32)])
        fresh = rows[first : first + len(words)]
        fresh[:] = 0  # an error may have left something of words that got no number
        for column, places, values in self._word_values.read(words):
            if self._growing and not isinstance(places, slice):
                # Values are numbered as they come, which must be the same in every process.
                found = dict(zip(places, values, strict=True))
                places = sorted(found)
                values = [found[place] for place in places]
            fresh[places, column] = self._numbers_of(self.word_names[column], values)
        self._rows = rows
        self._numbers.update(zip(words, range(first, first + len(words)), strict=True))

    def _numbers_of(self, name: str, values: Iterable[str | None]) -> list[int]:
        """Return the numbers of values of an attribute, 0 for none; see `learn`."""
        alphabet = self.alphabets[name]
        if self._growing:
            values = list(values)
            for value in values:
                if value is not None and value not in alphabet:
                    alphabet[value] = len(alphabet) + 1
        get: Callable[[str | None, int], int] = alphabet.get  # type: ignore[assignment]
        return list(map(get, values, repeat(0)))  # None is in no alphabet

    def encode(self, batch: Sequence[Tokens]) -> Encoded:
        """Encode a batch of tokenized texts."""
        if len(self._numbers) > MAX_CACHED_WORDS:
            self._forget_some()
        sizes = np.array([len(tokens) for tokens in batch], dtype=np.int32)
        size = int(sizes.sum())
        wanted = size and not self._growing
        if wanted and use_compiled(size, ahead=_KERNELS_BEHIND, late=_KERNEL):
            word_ids, positions, bounds = self._encode_compiled(batch)
        else:
            word_ids, positions, bounds = self._encode_plain(batch, sizes)
        self._batches += 1
        self._met[word_ids] = self._batches
        if self.scope == "document":
            segments = np.repeat(np.arange(len(batch), dtype=np.int32), sizes)
        else:
            segments = np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))
        return Encoded(word_ids, positions, bounds, segments)

    def _encode_plain(self, batch: Sequence[Tokens], sizes: IntArray) -> _Columns:
        """Return word ids, positions and bounds, text by text."""
        ids = [self.intern(tokens.words()) for tokens in batch]
        columns = [self._places(t, w) for t, w in zip(batch, ids, strict=True)]
        nothing = np.zeros(0, dtype=np.int32)
        table = np.zeros((0, len(self.position_names)), dtype=np.int32)
        bounds = join_bounds(batch, add_up(sizes))
        return np.concatenate([nothing, *ids]), np.concatenate([table, *columns]), bounds

    def _encode_compiled(self, batch: Sequence[Tokens]) -> _Columns:
        """Return what `_encode_plain` does, by kernels that walk over all texts at once."""
        joined = join_texts(batch)
        ids = self._find_ids(joined)
        reader = self._place_reader
        if reader is None:
            reader = self._place_reader = PlaceReader(self.position_names, self.alphabets)
        positions = np.zeros((len(ids), len(self.position_names)), dtype=np.int32)
        reader.read(joined, ids, self.word_count, positions)
        if reader.rest:
            borders = joined.first_tokens.tolist()
            for tokens, first, last in zip(batch, borders, borders[1:], strict=False):
                self._places_of(tokens, ids[first:last], reader.rest, positions[first:last])
        return ids, positions, joined.bounds

    def _find_ids(self, joined: JoinedTexts) -> IntArray:
        """Return the id of each token's word; the words that are new are looked at in order."""
        table = self._table
        if table.count < self.word_count:
            with self.lock:
                table.add(self.words_from(table.count))
        ids, missing = table.find(joined)
        if missing:
            fresh = np.flatnonzero(ids < 0).astype(np.int32)
            ids[fresh] = self.intern(joined.words(fresh))
            with self.lock:
                table.add(self.words_from(table.count))
        return ids

    def _places(self, tokens: Tokens, word_ids: IntArray) -> IntArray:
        table = np.zeros((len(tokens), len(self.position_names)), dtype=np.int32)
        self._places_of(tokens, word_ids, range(len(self.position_names)), table)
        return table

    def _places_of(
        self, tokens: Tokens, word_ids: IntArray, columns: Iterable[int], table: IntArray
    ) -> None:
        """Write the value numbers of some position attributes of a text to their columns."""
        if not len(tokens):
            return
        place = Place(tokens, word_ids)
        for column in columns:
            name = self.position_names[column]
            found = self._position_functions[column](place)
            numbers = [*self._numbers_of(name, found.values), 0]
            table[:, column] = np.array(numbers, dtype=np.int32)[found.index]

    def part_values(
        self, encoded: Encoded, name: str, offset: int, *, word_rows: IntArray | None = None
    ) -> IntArray:
        """Return the value numbers of one template part for every token, shape `(n,)`.

        `word_rows` are those of when the tokens were encoded, where others may have been since.
        """
        if name in self.position_names:
            values = encoded.positions[:, self.position_names.index(name)]
            return encoded.shift(np.ascontiguousarray(values), offset)
        rows = self.word_rows() if word_rows is None else word_rows
        column = rows[:, self.word_names.index(name)]
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
    return encoder, encoder.learn(batch)
