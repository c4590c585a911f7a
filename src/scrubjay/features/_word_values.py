"""What attributes say of words: many words at once, one attribute after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from scrubjay.features.lexicons import fold_accents, normal_word
from scrubjay.features.resources import lexicon_behind, make_word_attribute


class WordValues:
    """Gives the values of some attributes of words, by their columns.

    Most attributes look the same key up in lists, so that it is made once for all of them.
    """

    def __init__(self, names: Sequence[str], dictionaries: Mapping[str, frozenset[str]]) -> None:
        lexicons = [(column, lexicon_behind(name)) for column, name in enumerate(names)]
        self._lexicons = [(column, found) for column, found in lexicons if found is not None]
        listed = {column for column, _ in self._lexicons}
        self._functions = [
            (column, make_word_attribute(name, dictionaries))
            for column, name in enumerate(names)
            if column not in listed
        ]

    def read(
        self, words: Sequence[str]
    ) -> Iterator[tuple[int, Sequence[int] | slice, Iterable[str | None]]]:
        """Yield columns, each with the places of some words and their values.

        Words that are left out have no value.
        """
        keys = list(map(normal_word, words))
        accented = [(n, fold_accents(key)) for n, key in enumerate(keys) if not key.isascii()]
        for column, lexicon in self._lexicons:
            found = {n: lexicon[key] for n, key in enumerate(keys) if key in lexicon}
            for number, plain in accented:
                if number not in found and plain in lexicon:
                    found[number] = lexicon[plain]
            if found:
                yield column, list(found), map(str, found.values())
        for column, function in self._functions:
            yield column, slice(0, len(words)), map(function, words)
