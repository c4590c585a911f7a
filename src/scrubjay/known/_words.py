"""Words as identifiers are compared: without case, accents and hidden characters, offsets exact.

A letter or digit is folded to one character, so the folded text is as long as the text itself
and an offset in one is an offset in the other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

# What joins a word without being part of its key: combining marks, soft hyphens, zero widths.
_MARK = "\u0300"
_WORD = re.compile(rf"[^\W\d_](?:{_MARK}*+[^\W\d_])*+{_MARK}*+|\d(?:{_MARK}*+\d)*+{_MARK}*+")
_PLAIN = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ħ": "h"}


class _Folds(dict[int, str]):
    """Code point -> its folded character, worked out on the first meeting."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_character(chr(code))
        return folded


def _fold_character(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "M" or category == "Cf":
        return _MARK
    if category == "Nd":
        return str(unicodedata.digit(character))
    parts = [
        part
        for part in unicodedata.normalize("NFKD", character)
        if unicodedata.category(part)[0] != "M"
    ]
    plain = "".join(parts).casefold()
    return _PLAIN.get(plain, plain) if len(plain) == 1 else character


_FOLDS = _Folds()


def fold(text: str) -> str:
    """Return the text without case and accents, of the same length, character by character."""
    return text.lower() if text.isascii() else text.translate(_FOLDS)


@dataclass(frozen=True, slots=True, repr=False)
class Words:
    """The runs of letters and the runs of digits of a text, each with its key.

    `starts` and `ends` are half-open character offsets into `text`. A key is the folded word;
    two words with one key are the same but for case, accents and characters that do not show.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
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


def split_words(text: str) -> Words:
    """Return the words of a text; letters and digits part even where nothing stands between."""
    folded = fold(text)
    starts, ends, keys = [], [], []
    for match in _WORD.finditer(folded):
        starts.append(match.start())
        ends.append(match.end())
        keys.append(match.group().replace(_MARK, ""))
    return Words(text, tuple(starts), tuple(ends), tuple(keys))


def word_keys(text: str) -> tuple[str, ...]:
    """Return the keys of the words of a text."""
    return tuple(
        match.group().replace(_MARK, "")
        for match in _WORD.finditer(fold(unicodedata.normalize("NFC", text)))
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
            key = fold(surface[first:last]).replace(_MARK, "")
            yield start + first, start + last, key
