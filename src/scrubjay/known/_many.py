"""The words of many texts at once: what setting up arrays costs is paid once for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.known._word_tables import narrow_bytes, narrow_tables, wide_codes
from scrubjay.known.words import Words, keep_words, split_words_anew

_BLANK = ord(" ")


@dataclass(frozen=True, slots=True, repr=False)
class _Row:
    """The words of some texts, one behind the other; offsets are those in their own texts.

    `firsts` are the numbers of the first words of the texts, and at last how many words there are.
    """

    texts: Sequence[str]
    keys: tuple[str, ...]
    starts: memoryview
    ends: memoryview
    firsts: Sequence[int]


class ManyWords:
    """The words of some texts, by the places of the texts; what `split_words` gives for each."""

    __slots__ = ("_alone", "_rows")

    def __init__(self, texts: Sequence[str]) -> None:
        narrow, wide = _Gathered(), _Gathered()
        self._alone: dict[int, Words] = {}
        for place, text in enumerate(texts):
            pieces = _narrow(text)
            if pieces is not None:
                narrow.add(place, text, *pieces)
                continue
            pieces = _wide(text)
            if pieces is not None:
                wide.add(place, text, *pieces)
            else:
                self._alone[place] = split_words_anew(text)
        self._rows: dict[int, tuple[_Row, int]] = {}
        for gathered, size in ((narrow, 1), (wide, 4)):
            if gathered.texts:
                row = gathered.row(size)
                self._rows.update((place, (row, n)) for n, place in enumerate(gathered.places))

    def words(self, place: int) -> Words:
        """Return the words of a text."""
        if place in self._alone:
            return self._alone[place]
        row, number = self._rows[place]
        chosen = slice(row.firsts[number], row.firsts[number + 1])
        return Words(row.texts[number], row.starts[chosen], row.ends[chosen], row.keys[chosen])


class _Gathered:
    """Texts whose characters are of one size: `spaced` has blanks for all that is in no word."""

    __slots__ = ("kinds", "places", "spaced", "texts")

    def __init__(self) -> None:
        self.places: list[int] = []
        self.texts: list[str] = []
        self.spaced: list[bytes] = []
        self.kinds: list[bytes] = []

    def add(self, place: int, text: str, spaced: bytes, kinds: bytes) -> None:
        self.places.append(place)
        self.texts.append(text)
        self.spaced.append(spaced)
        self.kinds.append(kinds)

    def row(self, size: int) -> _Row:
        """Return the words of the texts, of characters of so many bytes."""
        # One character between texts, and one before and after all of them, that is in no word.
        kinds = np.frombuffer(b"\0" + b"\0".join(self.kinds) + b"\0", np.uint8)
        turns = np.flatnonzero(kinds[1:] != kinds[:-1])
        first = turns[:-1]
        inside = kinds[1:][first] != 0
        starts, ends = first[inside], turns[1:][inside]
        spaced = (b" " if size == 1 else b" \0\0\0").join(self.spaced)
        touching = starts[1:][starts[1:] == ends[:-1]]  # "20mg" is two words
        if touching.size:
            codes = np.frombuffer(spaced, np.uint8 if size == 1 else np.uint32)
            spaced = np.insert(codes, touching, _BLANK).tobytes()
        keys = tuple(
            (
                spaced.decode("latin-1")
                if size == 1
                else spaced.decode("utf-32-le", "surrogatepass")
            ).split()
        )
        if len(keys) != len(starts):
            raise AssertionError(f"{len(keys)} words at {len(starts)} places")
        sizes = np.array([len(text) + 1 for text in self.texts])
        begins = np.cumsum(sizes) - sizes
        firsts = np.append(np.searchsorted(starts, begins), len(keys))
        shift = np.repeat(begins, np.diff(firsts))
        return _Row(self.texts, keys, (starts - shift).data, (ends - shift).data, firsts.tolist())


def split_ahead(texts: Iterable[str]) -> None:
    """Have the words of texts at hand that `split_words` will be asked for next."""
    keep_words(list(dict.fromkeys(texts)), _words_of_all)


def _words_of_all(texts: Sequence[str]) -> list[Words]:
    many = ManyWords(texts)
    return [many.words(place) for place in range(len(texts))]


def _narrow(text: str) -> tuple[bytes, bytes] | None:
    """Return a narrow text (`narrow_bytes`) with blanks between its words, and the kinds."""
    plain = narrow_bytes(text)
    if plain is None:
        return None
    spaced, kinds = narrow_tables()
    return plain.translate(spaced), plain.translate(kinds)


def _wide(text: str) -> tuple[bytes, bytes] | None:
    """Return what `_narrow` does of a text whose characters are in the tables."""
    wide = wide_codes(text)
    if wide is None:
        return None
    codes, kinds = wide
    return np.where(kinds != 0, codes, np.uint32(_BLANK)).tobytes(), kinds.tobytes()
