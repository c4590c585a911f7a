"""The ids of known words by their characters: a table that a compiled kernel looks words up in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.text.joined import JoinedTexts
from scrubjay.text.signs import PointArray, code_points
from scrubjay.text.tokens import IntArray

_SEED = np.uint64(hash("a word") & 0xFFFFFFFFFFFFFFFF)
"""Another in each process, so that no text can be made whose words all share a slot."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Arrays:
    """`slots` lead to words or -1; of each word its hash, and where its letters begin."""

    slots: IntArray
    hashes: npt.NDArray[np.uint64]
    begins: npt.NDArray[np.int64]
    letters: PointArray


class WordTable:
    """Words numbered from 1 up, found without making strings of them.

    One may look up while another adds: what is looked up then is in arrays that stay.
    """

    def __init__(self) -> None:
        self.count = 1
        self._arrays = _make_arrays(1024, 8192)
        self._arrays.begins[:2] = 0

    def __repr__(self) -> str:
        return f"WordTable({self.count} words)"

    def find(self, joined: JoinedTexts) -> tuple[IntArray, int]:
        """Return the id of each token's word, -1 for unknown ones, and how many of those."""
        from scrubjay.features._word_kernels import find_words

        ids = np.empty(len(joined.starts), dtype=np.int32)
        a = self._arrays
        missing = find_words(
            joined.points, joined.starts, joined.ends, _SEED,
            a.slots, a.hashes, a.begins, a.letters, ids,
        )  # fmt: skip
        return ids, int(missing)

    def add(self, words: Sequence[str]) -> None:
        """Add words, all of them new, under the next ids."""
        from scrubjay.features._word_kernels import enter_words

        letters = code_points("".join(words))
        count = self.count + len(words)
        used = int(self._arrays.begins[self.count])
        a = self._arrays
        if 2 * count > len(a.slots) or used + len(letters) > len(a.letters):
            a = self._grow(count, used + len(letters))
        a.letters[used : used + len(letters)] = letters
        sizes = np.array([len(word) for word in words], dtype=np.int64)
        a.begins[self.count + 1 : count + 1] = used + np.cumsum(sizes)
        first = self.count if a is self._arrays else 1
        enter_words(first, count, _SEED, a.slots, a.hashes, a.begins, a.letters)
        self._arrays, self.count = a, count

    def _grow(self, count: int, letters: int) -> _Arrays:
        """Return larger arrays with the letters of the words that are there, and no slots yet."""
        old = self._arrays
        grown = _make_arrays(max(2 * count, len(old.slots)), max(2 * letters, len(old.letters)))
        used = int(old.begins[self.count])
        grown.begins[: self.count + 1] = old.begins[: self.count + 1]
        grown.letters[:used] = old.letters[:used]
        return grown


def _make_arrays(slots: int, letters: int) -> _Arrays:
    size = 1 << (slots - 1).bit_length()
    return _Arrays(
        slots=np.full(size, -1, dtype=np.int32),
        hashes=np.zeros(size // 2 + 1, dtype=np.uint64),
        begins=np.zeros(size // 2 + 2, dtype=np.int64),
        letters=np.zeros(letters, dtype=np.uint32),
    )
