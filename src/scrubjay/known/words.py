"""Words as identifiers are compared: without case, accents and hidden characters, offsets exact.

The key of a word has two letters or three where one character stands for them, as ß and the
ligatures of printed texts do.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.known._word_tables import LETTERS, MARK, SHORT, fold, kind_table, wide_codes

_LETTER = r"[^\W\d_]"
_HYPHENATED = re.compile(rf"(?<={_LETTER}|[{MARK}-\u036f])[-\u2010\u00ad]\r?\n[ \t]*+(?={_LETTER})")
"""Where a word is cut at the end of a line, up to where it goes on."""
_WORD = re.compile(rf"[^\W\d_](?:{MARK}*+[^\W\d_])*+{MARK}*+|\d(?:{MARK}*+\d)*+{MARK}*+")


def _key_of(folded: str) -> str:
    """Return the key of a folded word."""
    return folded if folded.isascii() else folded.replace(MARK, "").translate(LETTERS)


@dataclass(frozen=True, slots=True, repr=False)
class Words:
    """The runs of letters and the runs of digits of a text, each with its key.

    `starts` and `ends` are half-open character offsets into `text`. A key is the folded word;
    two words with one key are the same but for case, accents and characters that do not show.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    keys: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.keys)

    def __repr__(self) -> str:
        return f"Words({len(self)} words)"

    def surface(self, index: int) -> str:
        """Return a word as the text writes it."""
        return self.text[self.starts[index] : self.ends[index]]

    def gap(self, index: int) -> str:
        """Return what stands between a word and the next one."""
        return self.text[self.ends[index] : self.starts[index + 1]]

    def part(self, start: int, end: int) -> Words:
        """Return the words of `text[start:end]`, with their offsets in the whole text.

        A word that the part cuts is what is left of it.
        """
        first, last = bisect_left(self.starts, start), bisect_right(self.ends, end)
        cut = (first and self.ends[first - 1] > start) or (
            last < len(self.starts) and self.starts[last] < end
        )
        if not cut:
            chosen = slice(first, last)
            return Words(self.text, self.starts[chosen], self.ends[chosen], self.keys[chosen])
        words = split_words(self.text[start:end])
        starts, ends = (
            [place + start for place in places] for places in (words.starts, words.ends)
        )
        return Words(self.text, tuple(starts), tuple(ends), words.keys)


class _Split(dict[str, Words]):
    """The words of the last texts: propagation and proof look at the same ones in turn.

    It holds texts of up to `_CHARACTERS_KEPT` characters together and is emptied when it is full.
    """

    def __init__(self) -> None:
        super().__init__()
        self._size = 0

    def __missing__(self, text: str) -> Words:
        words = split_words_anew(text)
        size = len(text) + _COST_OF_TEXT
        if size <= _CHARACTERS_KEPT:
            if self._size + size > _CHARACTERS_KEPT:
                self.clear()
                self._size = 0
            self._size += size
            self[text] = words
        return words

    def keep(self, texts: Sequence[str], split: Callable[[Sequence[str]], list[Words]]) -> None:
        """Keep the words of distinct texts, if there is place for all of them together."""
        new = [text for text in texts if text not in self]
        if self._size + _cost_of(new) > _CHARACTERS_KEPT:
            if _cost_of(texts) > _CHARACTERS_KEPT:
                return
            self.clear()
            self._size, new = 0, list(texts)
        self.update(zip(new, split(new), strict=True))
        self._size += _cost_of(new)


_CHARACTERS_KEPT = 500_000
_COST_OF_TEXT = 50


def _cost_of(texts: Sequence[str]) -> int:
    return sum(map(len, texts)) + len(texts) * _COST_OF_TEXT


_SPLIT = _Split()


def split_words(text: str) -> Words:
    """Return the words of a text; letters and digits part even where nothing stands between."""
    return _SPLIT[text]


def keep_words(texts: Sequence[str], split: Callable[[Sequence[str]], list[Words]]) -> None:
    """Keep what `split` gives for some distinct texts, for `split_words` to return."""
    _SPLIT.keep(texts, split)


def split_words_anew(text: str) -> Words:
    """Return what `split_words` does, by array operations where no mark joins a word."""
    if len(text) < SHORT:
        return split_words_plainly(text)
    if text.isascii():
        folded = text.lower()
        kinds = kind_table()[np.frombuffer(folded.encode("ascii"), np.uint8)]
    else:
        wide = wide_codes(text)
        if wide is None:
            return split_words_plainly(text)
        codes, kinds = wide
        folded = codes.tobytes().decode("utf-32-le", "surrogatepass")
    padded = np.zeros(len(text) + 2, np.uint8)
    padded[1:-1] = kinds
    turns = np.flatnonzero(padded[1:] != padded[:-1])
    first = turns[:-1]
    inside = kinds[first] != 0
    starts, ends = first[inside].tolist(), turns[1:][inside].tolist()
    keys = [folded[start:end] for start, end in zip(starts, ends, strict=True)]
    return Words(text, tuple(starts), tuple(ends), tuple(keys))


def split_words_plainly(text: str) -> Words:
    """Return what `split_words` does, by one expression: the oracle of the array operations."""
    folded = fold(text)
    starts, ends, keys = [], [], []
    for match in _WORD.finditer(folded):
        starts.append(match.start())
        ends.append(match.end())
        keys.append(_key_of(match.group()))
    return Words(text, tuple(starts), tuple(ends), tuple(keys))


def over_lines(words: Words) -> Words | None:
    """Return the words with those that a hyphen cuts at a line end as one: "Barrow-\\nman".

    None where there are none. Names with a hyphen are among them ("Smith-\\nJones"), so that the
    words as they stand count as well.
    """
    goes_on = {match.end() for match in _hyphenations(words.text)}
    if not goes_on:
        return None
    starts: list[int] = []
    ends: list[int] = []
    keys: list[str] = []
    for start, end, key in zip(words.starts, words.ends, words.keys, strict=True):
        if ends and start in goes_on:
            ends[-1] = end
            keys[-1] += key
        else:
            starts.append(start)
            ends.append(end)
            keys.append(key)
    return Words(words.text, tuple(starts), tuple(ends), tuple(keys))


def without_hyphenation(text: str) -> str:
    """Return a text with the words whole that a hyphen cuts at a line end."""
    return _HYPHENATED.sub("", text) if _may_be_hyphenated(text) else text


def _hyphenations(text: str) -> Iterator[re.Match[str]]:
    return _HYPHENATED.finditer(text) if _may_be_hyphenated(text) else iter(())


def _may_be_hyphenated(text: str) -> bool:
    if "-\n" in text or ("\r" in text and "-\r" in text):
        return True
    return not text.isascii() and any(hyphen in text for hyphen in "\u2010\u00ad")


def is_hyphenation(gap: str) -> bool:
    """Tell whether no more than a hyphen at a line end stands between two pieces."""
    return gap[:1] in ("-", "\u2010") and gap[1:].lstrip("\r")[:1] == "\n" and gap[1:].isspace()


def word_keys(text: str) -> tuple[str, ...]:
    """Return the keys of the words of a text."""
    return tuple(
        _key_of(match.group()) for match in _WORD.finditer(fold(unicodedata.normalize("NFC", text)))
    )


def is_capitalised(surface: str) -> bool:
    """Tell whether a word begins with a capital letter."""
    return surface[:1].isupper() or surface[:1].istitle()


def camel_pieces(words: Words, index: int) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and key of the pieces of a glued word: "SmithJohn" has two.

    Nothing is yielded for a word without a capital after a small letter.
    """
    surface, start = words.surface(index), words.starts[index]
    borders = [
        place
        for place in range(1, len(surface))
        if surface[place].isupper() and surface[place - 1].islower()
    ]
    if borders:
        for first, last in zip([0, *borders], [*borders, len(surface)], strict=True):
            key = _key_of(fold(surface[first:last]))
            yield start + first, start + last, key
