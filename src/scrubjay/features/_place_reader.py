"""The position attributes of a whole batch at once, as numbers: `positions.py` by kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scrubjay.features.positions import PLACE_VALUES
from scrubjay.text.joined import JoinedTexts
from scrubjay.text.layout import name_heading, name_key
from scrubjay.text.patterns import email_matches, site_matches
from scrubjay.text.tokens import IntArray

#: What stands before colons and in lines that look like headings, kept with the name's number
#: before the cache starts afresh.
MAX_CACHED_NAMES = 20_000

_NAMED = ("key", "section", "previous-line-key", "echo-key")
_NONE, _UNKNOWN = -1, 0


class PlaceReader:
    """Reads the attributes of places that a kernel knows, for the alphabets of one encoder.

    `rest` are the columns of the other attributes.
    """

    def __init__(self, names: Sequence[str], alphabets: Mapping[str, Mapping[str, int]]) -> None:
        known = {name for kind in _NAMED for name in alphabets.get(kind, ())}
        self._names = {name: number for number, name in enumerate(sorted(known), start=1)}
        self._cache: dict[tuple[int, str], int] = {}
        values = {**PLACE_VALUES, **dict.fromkeys(_NAMED, ("", *self._names))}
        chosen = [(column, name) for column, name in enumerate(names) if name in values]
        self.rest = [column for column, name in enumerate(names) if name not in values]
        tables = [
            [0, *(alphabets[name].get(value, 0) for value in values[name])] for _, name in chosen
        ]
        bases = np.cumsum([0, *map(len, tables)])
        self._columns = np.array([column for column, _ in chosen], dtype=np.int64)
        self._sources = np.array([_source_of(name) for _, name in chosen], dtype=np.int64)
        self._bases = bases[:-1].astype(np.int64)
        self._numbers = np.array([n for table in tables for n in table], dtype=np.int32)

    def read(self, joined: JoinedTexts, word_ids: IntArray, words: int, out: IntArray) -> None:
        """Write the value numbers of the attributes to their columns of `out` (n, columns)."""
        from scrubjay.features._place_kernel import read_places
        from scrubjay.text._layout_kernel import find_layout

        lines, places = find_layout(joined.points, joined.signs)
        names = self._name(joined.text, places)
        found = np.flatnonzero(names != _NONE)
        read_places(
            word_ids, joined.starts, joined.ends, joined.bounds,
            joined.first_tokens, joined.first_characters,
            lines, places[found], names[found], read_patterns(joined),
            np.full(words, -1, dtype=np.int32),
            self._columns, self._sources, self._bases, self._numbers, out,
        )  # fmt: skip

    def _name(self, text: str, places: IntArray) -> IntArray:
        """Return the number of the name of each place, -1 for what is neither key nor heading."""
        cache = self._cache
        if len(cache) > MAX_CACHED_NAMES:
            cache.clear()
        names: list[int] = []
        for kind, begin, end, _ in places.tolist():
            raw = text[begin:end]
            number = cache.get((kind, raw))
            if number is None:
                number = cache[kind, raw] = self._number(kind, raw)
            names.append(number)
        return np.array(names, dtype=np.int32)

    def _number(self, kind: int, raw: str) -> int:
        from scrubjay.text._layout_kernel import FIRST_KEY, HEADING

        name = name_heading(raw) if kind == HEADING else name_key(raw, whole=kind == FIRST_KEY)
        return self._names.get(name, _UNKNOWN) if name else _NONE


def _source_of(name: str) -> int:
    """Return the reading of the kernel behind an attribute."""
    from scrubjay.features import _place_kernel

    if name == "pattern-kind":
        return _place_kernel.PATTERN
    return int(getattr(_place_kernel, name.upper().replace("-", "_")))


def read_patterns(joined: JoinedTexts) -> npt.NDArray[np.int32]:
    """Return what `text.patterns.match_patterns` finds in all texts, shape `(n,)`."""
    from scrubjay.features._place_kernel import mark_matches
    from scrubjay.text._number_kernel import number_matches_compiled

    patterns = np.full(len(joined.starts), -1, dtype=np.int32)
    mark_matches(number_matches_compiled(joined.signs), joined.starts, joined.ends, patterns)
    text = joined.text
    # Each kind by itself: the kernel takes matches in order.
    for found in (
        [*email_matches(text)],
        [*site_matches(text, joined.first_characters.tolist())],
    ):
        if found:
            matches = np.array(found, dtype=np.int32)
            mark_matches(matches, joined.starts, joined.ends, patterns)
    return patterns
