"""Attributes of many words at once: what `words.WORD_ATTRIBUTES` tells of each, in fewer steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType

from scrubjay.features.words import (
    WORD_ATTRIBUTES,
    collapse,
    has_punctuation,
    shape,
    stem,
    stem_lines,
)

Values = Sequence[str | None]

_LENGTHS = tuple(map(str, range(21)))


class ManyWords:
    """Some words, with what several attributes of them are read from."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    @cached_property
    def lower(self) -> Sequence[str]:
        """The words in small letters."""
        return list(map(str.lower, self.words))

    @cached_property
    def shapes(self) -> Sequence[str]:
        """The shapes of the words (`words.shape`); those in ASCII are made together."""
        plain = [word for word in self.words if word.isascii()]
        shapes = shape("\n".join(plain)).split("\n")
        if len(shapes) != len(plain):  # one holds an end of a line, or there is none
            return list(map(shape, self.words))
        found = iter(shapes)
        return [next(found) if word.isascii() else shape(word) for word in self.words]


def _stems(many: ManyWords) -> Values:
    stems = stem_lines("\n".join(many.lower)).split("\n")
    return stems if len(stems) == len(many.words) else list(map(stem, many.words))


def _prefixes(many: ManyWords, size: int) -> Values:
    return [word[:size] if len(word) >= size else None for word in many.words]


def _suffixes(many: ManyWords, size: int) -> Values:
    return [word[-size:] if len(word) >= size else None for word in many.words]


def _lengths(many: ManyWords) -> Values:
    return [_LENGTHS[len(word)] if len(word) <= 20 else _LENGTHS[20] for word in many.words]


def _with_punctuation(many: ManyWords) -> Values:
    return ["1" if not w.isalnum() and has_punctuation(w) else None for w in many.words]


_MANY: Mapping[str, Callable[[ManyWords], Values]] = MappingProxyType(
    {
        "word": lambda many: many.words,
        "lower": lambda many: many.lower,
        "stem": _stems,
        "length": _lengths,
        "has-punctuation": _with_punctuation,
        "shape": lambda many: many.shapes,
        "short-shape": lambda many: list(map(collapse, many.shapes)),
        **{f"prefix{size}": partial(_prefixes, size=size) for size in range(1, 6)},
        **{f"suffix{size}": partial(_suffixes, size=size) for size in range(1, 6)},
    }
)


def find_many(name: str) -> Callable[[ManyWords], Values] | None:
    """Return what gives the values of an attribute for many words, None where nothing does."""
    assert name not in _MANY or name in WORD_ATTRIBUTES
    return _MANY.get(name)
