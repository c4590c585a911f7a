"""What attributes say of words: many words at once, one attribute after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType

from scrubjay.features.clusters import find_cluster
from scrubjay.features.lexicons import fold_accents, normal_word
from scrubjay.features.resources import cluster_behind, lexicon_behind, make_word_attribute
from scrubjay.features.words import collapse, has_punctuation, shape, stem, stem_lines

Values = Sequence[str | None]

_Column = tuple[int, Sequence[int] | slice, Iterable[str | None]]


class WordValues:
    """Gives the values of some attributes of words, by their columns.

    Most attributes look the same key up in lists, so that it is made once for all of them.
    """

    def __init__(self, names: Sequence[str], dictionaries: Mapping[str, frozenset[str]]) -> None:
        lexicons = [(column, lexicon_behind(name)) for column, name in enumerate(names)]
        clusters = [(column, cluster_behind(name)) for column, name in enumerate(names)]
        self._lexicons = [(column, found) for column, found in lexicons if found is not None]
        self._clusters = [(column, *found) for column, found in clusters if found is not None]
        listed = {column for column, *_ in (*self._lexicons, *self._clusters)}
        rest = [(column, name) for column, name in enumerate(names) if column not in listed]
        self._many = [(column, _MANY[name]) for column, name in rest if name in _MANY]
        self._functions = [
            (column, make_word_attribute(name, dictionaries))
            for column, name in rest
            if name not in _MANY
        ]

    def read(self, words: Sequence[str]) -> Iterator[_Column]:
        """Yield columns, each with the places of some words and their values.

        Words that are left out have no value. The order of places may be that of hashes.
        """
        keys = list(map(normal_word, words))
        places: dict[str, list[int]] = {}
        for number, key in enumerate(keys):
            places.setdefault(key, []).append(number)
        accented = [(n, fold_accents(key)) for n, key in enumerate(keys) if not key.isascii()]
        for column, lexicon in self._lexicons:
            # Of the list and the words, the fewer are looked for among the others.
            found = {n: lexicon[key] for key in lexicon.keys() & places.keys() for n in places[key]}
            for number, plain in accented:
                if number not in found and plain in lexicon:
                    found[number] = lexicon[plain]
            if found:
                yield column, list(found), map(str, found.values())
        yield from self._read_clusters(words)
        every, many = slice(0, len(words)), _ManyWords(words)
        for column, read in self._many:
            yield column, every, read(many)
        for column, function in self._functions:
            yield column, every, map(function, words)

    def _read_clusters(self, words: Sequence[str]) -> Iterator[_Column]:
        """Yield the columns of clusters; those of one language after another look words up once."""
        looked_in, places, numbers = None, [], []
        for column, clusters, mask in self._clusters:
            if clusters is not looked_in:
                found = [find_cluster(clusters, word) for word in words]
                places = [place for place, number in enumerate(found) if number is not None]
                numbers = [number for number in found if number is not None]
                looked_in = clusters
            yield column, places, [str(number & mask) for number in numbers]


_LENGTHS = tuple(map(str, range(21)))


class _ManyWords:
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


def _stems(many: _ManyWords) -> Values:
    stems = stem_lines("\n".join(many.lower)).split("\n")
    return stems if len(stems) == len(many.words) else list(map(stem, many.words))


def _prefixes(many: _ManyWords, size: int) -> Values:
    return [word[:size] if len(word) >= size else None for word in many.words]


def _suffixes(many: _ManyWords, size: int) -> Values:
    return [word[-size:] if len(word) >= size else None for word in many.words]


def _lengths(many: _ManyWords) -> Values:
    return [_LENGTHS[len(word)] if len(word) <= 20 else _LENGTHS[20] for word in many.words]


def _with_punctuation(many: _ManyWords) -> Values:
    return ["1" if not w.isalnum() and has_punctuation(w) else None for w in many.words]


#: What `words.WORD_ATTRIBUTES` tells of each word, of many words in fewer steps.
_MANY: Mapping[str, Callable[[_ManyWords], Values]] = MappingProxyType(
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
