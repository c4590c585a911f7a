"""What attributes say of words: many words at once, one attribute after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from scrubjay.features._many_words import ManyWords, find_many
from scrubjay.features.clusters import find_cluster
from scrubjay.features.lexicons import fold_accents, normal_word
from scrubjay.features.resources import cluster_behind, lexicon_behind, make_word_attribute

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
        many = [(column, find_many(name)) for column, name in rest]
        self._many = [(column, found) for column, found in many if found is not None]
        self._functions = [
            (column, make_word_attribute(name, dictionaries))
            for (column, name), (_, found) in zip(rest, many, strict=True)
            if found is None
        ]

    def read(self, words: Sequence[str]) -> Iterator[_Column]:
        """Yield columns, each with the places of some words and their values.

        Words that are left out have no value.
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
        every, many = slice(0, len(words)), ManyWords(words)
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
