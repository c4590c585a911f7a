"""Characters as numbers, for models that read text character by character."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ArtifactError
from scrubjay.text.signs import code_points
from scrubjay.text.tokens import IntArray

UNKNOWN = 0
"""The number of every character that the alphabet does not hold."""

BORDER = 1
"""The number that stands before each text and after the last one."""

_FIRST = 2


@dataclass(frozen=True)
class Alphabet:
    """The characters that a model knows: sorted by code point, each once, numbered from 2 up."""

    characters: str

    def __post_init__(self) -> None:
        if list(self.characters) != sorted(set(self.characters)):
            raise ArtifactError("the alphabet is not sorted, or holds a character twice")

    def __len__(self) -> int:
        """Return how many numbers there are, `UNKNOWN` and `BORDER` included."""
        return len(self.characters) + _FIRST

    def __repr__(self) -> str:
        return f"Alphabet({len(self.characters)} characters)"

    @cached_property
    def _points(self) -> npt.NDArray[np.uint32]:
        return code_points(self.characters)

    def encode(self, text: str) -> IntArray:
        """Return the number of each character of a text (int32, shape `(len(text),)`)."""
        points = code_points(text)
        if not len(self._points):
            return np.zeros(len(points), dtype=np.int32)
        places = np.searchsorted(self._points, points).clip(max=len(self._points) - 1)
        known = self._points[places] == points
        return np.where(known, places + _FIRST, UNKNOWN).astype(np.int32)

    def to_json(self) -> str:
        """Return the alphabet as JSON; `read_alphabet` reads it."""
        return json.dumps({"characters": self.characters, "unknown": UNKNOWN, "border": BORDER})


def make_alphabet(texts: Iterable[str], *, min_count: int = 1) -> Alphabet:
    """Return the alphabet of the characters that occur at least `min_count` times in all texts."""
    counts: dict[int, int] = {}
    for text in texts:
        points, seen = np.unique(code_points(text), return_counts=True)
        for point, count in zip(points.tolist(), seen.tolist(), strict=True):
            counts[point] = counts.get(point, 0) + count
    return Alphabet("".join(chr(point) for point in sorted(counts) if counts[point] >= min_count))


def read_alphabet(content: bytes) -> Alphabet:
    """Return the alphabet of what `to_json` wrote; raises `ArtifactError` for anything else."""
    try:
        record = json.loads(content)
    except ValueError:
        record = None
    if not isinstance(record, dict) or not isinstance(record.get("characters"), str):
        raise ArtifactError("the alphabet of the character language models is damaged")
    if (record.get("unknown"), record.get("border")) != (UNKNOWN, BORDER):
        raise ArtifactError("the alphabet is that of another release of Scrubjay")
    return Alphabet(record["characters"])
