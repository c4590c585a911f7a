"""The mentions that were replaced in a record, and every place where one of them stands.

The search takes no regard of case, accents and what stands between words; but two letters and a
number that are written apart with decimals or a unit behind them are a value: "Hb 12,5" is no
place of the code "HB12".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import NamedTuple

from scrubjay.document import Span
from scrubjay.known._cued import is_cued
from scrubjay.known._everyday import is_value_of_letters
from scrubjay.known._word_sets import words_among
from scrubjay.known.terms import joins_words
from scrubjay.known.words import (
    Words,
    is_capitalised,
    over_lines,
    split_words,
    split_words_anew,
    without_hyphenation,
)
from scrubjay.text.one_case import stands_in_capitals

LEAST_JOINED = 7
_ASCII_WORD = re.compile(r"[a-z]+|[0-9]+")
_BEGINNING = re.compile(r"[.!?:;\n\r\-*\u2022\"'([/>]")

_NEAR = 200  # characters before a word, in which one that it follows is looked for
_BEFORE = "x "  # what stands before a piece of a text, so that it does not begin a sentence

Keys = tuple[str, ...]
Gaps = tuple[str, ...]
_NO_GAPS: frozenset[Gaps] = frozenset([()])
_SIZES = tuple(frozenset([size]) for size in range(64))


class Sought(NamedTuple):
    """The words of a mention that is searched for, with what stands between them.

    `joined` is the one key of a mention that may be written as one (ZaraQuill, 5551234), else
    empty.
    """

    keys: Keys
    gaps: frozenset[Gaps]
    joined: Keys

    def __repr__(self) -> str:
        return f"Sought({len(self.keys)} words)"


def seek(text: str) -> Sought:
    """Return what `read_sought` does of a mention: of ASCII, as most are, without its places."""
    if not text.isascii():
        return read_sought(split_words_anew(text))
    folded = text.lower()
    if text.isalpha():
        return Sought((folded,), _NO_GAPS, ())
    keys = tuple(_ASCII_WORD.findall(folded))
    return _sought(keys, _ASCII_WORD.split(folded)[1:-1])


def read_sought(words: Words) -> Sought:
    """Return what is searched for of a mention, by its words."""
    return _sought(words.keys, [words.gap(place) for place in range(len(words.keys) - 1)])


def _sought(keys: Keys, gaps: Sequence[str]) -> Sought:
    if len(keys) == 1:
        return Sought(keys, _NO_GAPS, ())
    joined = "".join(keys)
    as_one = len(joined) >= LEAST_JOINED and (
        joined.isdigit() or not any(map(str.isdigit, joined))  # digits alone, or letters alone
    )
    return Sought(keys, frozenset([tuple(gaps)]), (joined,) if as_one else ())


@dataclass(frozen=True, slots=True, repr=False)
class Originals:
    """The words of the mentions that were replaced: keys -> the gaps between the words, and the
    label of the first such mention.

    `words` are the keys that are everyday words, too: they count where they are written as names.
    `language` tells the titles that a name has in a text that is all in capitals.
    """

    gaps: dict[Keys, frozenset[Gaps]] = field(default_factory=dict)
    labels: dict[Keys, str] = field(default_factory=dict)
    sizes: dict[str, frozenset[int]] = field(default_factory=dict)
    words: set[Keys] = field(default_factory=set)
    language: str = "en"

    def add(self, mention: Sought, label: str, *, common: bool) -> None:
        """Add a mention; `common` says that it is an everyday word."""
        keys, gaps = mention.keys, mention.gaps
        known = self.gaps.get(keys)
        if known is None:
            if common:
                self.words.add(keys)
            self._begin(keys, gaps, label)
        else:
            if not common and self.words:
                self.words.discard(keys)
            if not gaps <= known:
                self.gaps[keys] = known | gaps
        if mention.joined:
            self._note(mention.joined, _NO_GAPS, label)

    def _note(self, keys: Keys, gaps: frozenset[Gaps], label: str) -> None:
        known = self.gaps.get(keys)
        if known is None:
            self._begin(keys, gaps, label)
        elif not gaps <= known:
            self.gaps[keys] = known | gaps

    def _begin(self, keys: Keys, gaps: frozenset[Gaps], label: str) -> None:
        """Note words that were not among those of any mention before."""
        self.gaps[keys] = gaps
        self.labels[keys] = label
        size, held = len(keys), self.sizes.get(keys[0])
        if held is None:
            self.sizes[keys[0]] = _SIZES[size] if size < len(_SIZES) else frozenset([size])
        elif size not in held:
            self.sizes[keys[0]] = held | {size}

    def update(self, other: Originals) -> bool:
        """Add other mentions; tell whether there is anything new to search for among them."""
        known = other.gaps.keys() - other.words
        changed = not self.words.isdisjoint(known)
        new = other.words - self.gaps.keys()
        self.words.difference_update(known)
        self.words.update(new)
        for keys, gaps in other.gaps.items():
            changed |= not gaps <= self.gaps.get(keys, frozenset())
            self._note(keys, gaps, other.labels[keys])
        return changed

    def find(
        self, words: Words, *, outside: Sequence[Span] = ()
    ) -> Iterator[tuple[int, int, Keys]]:
        """Yield start, end and keys of every occurrence, overlapping ones too.

        Those that lie in one of the sorted, disjoint spans `outside` are left out. Words that a
        hyphen cuts at a line end are looked at as they stand, and whole.
        """
        whole = over_lines(words)
        if whole is None:
            yield from self._find(words, outside)
        else:
            yield from dict.fromkeys([*self._find(words, outside), *self._find(whole, outside)])

    def _find(self, words: Words, outside: Sequence[Span]) -> Iterator[tuple[int, int, Keys]]:
        sizes, all_keys, starts, ends = self.sizes, words.keys, words.starts, words.ends
        count, place, top = len(outside), 0, 0
        for first in compress(range(len(all_keys)), map(sizes.__contains__, all_keys)):
            while place < count and outside[place].start <= starts[first]:
                top = outside[place].end  # of the last one that begins at the word or before it
                place += 1
            for size in sizes[all_keys[first]]:
                stop = first + size
                if stop > len(all_keys) or ends[stop - 1] <= top:
                    continue
                keys = all_keys[first:stop]
                if keys not in self.gaps:
                    continue
                if keys in self.words and not _is_written_as_name(words, first, self.language):
                    continue
                if size == 1 or self._joined(words, first, keys):
                    yield starts[first], ends[stop - 1], keys

    def may_stand_in(self, text: str) -> bool:
        """Tell whether a mention has all its words among those of a text: else none stands there.

        A look at which words are there is enough for most texts.
        """
        if not self.gaps:
            return False
        wanted = set().union(*self.gaps)
        there = words_among(text, wanted)
        whole = without_hyphenation(text)
        if whole != text:
            there |= words_among(whole, wanted)
        return any(map(there.issuperset, self.gaps))

    def spans_in(self, text: str, found: Sequence[Span]) -> list[Span]:
        """Return a span of source `record` for each place outside those found, longest first.

        `found` are sorted and disjoint. Nearly always there is none: what lies in a mention that
        was found goes with it. Where one of them begins or ends inside a word, the rest of the
        word is looked at as a word of its own, which it is once the mention is replaced.
        """
        # Keys are not held: those of long mentions that overlap take far more than the text.
        spans = {
            Span(start, end, self.labels[keys], source="record")
            for start, end, keys in self.find(split_words(text), outside=found)
        }
        for start, end in _pieces(text, found):
            shift = start - len(_BEFORE)
            spans.update(
                Span(first + shift, last + shift, self.labels[keys], source="record")
                for first, last, keys in self.find(split_words(_BEFORE + text[start:end]))
                if first >= len(_BEFORE)
            )
        return sorted(spans, key=lambda span: (span.start - span.end, span))

    def _joined(self, words: Words, first: int, keys: Keys) -> bool:
        text, last = words.text, first + len(keys) - 1
        borders = zip(words.ends[first:last], words.starts[first + 1 : last + 1], strict=True)
        gaps = tuple([text[end:start] for end, start in borders])
        if gaps in self.gaps[keys]:
            return True
        end = words.ends[last]
        return all(map(joins_words, gaps)) and not is_value_of_letters(text, end, keys)


def _pieces(text: str, found: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield what stands between mentions where one of them ends or begins inside a word."""
    if not _cuts_a_word(text, found):
        return
    edges = [0, *(edge for span in found for edge in (span.start, span.end)), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if start < end and (_is_inside(text, start) or _is_inside(text, end)):
            yield start, end


def _cuts_a_word(text: str, spans: Sequence[Span]) -> bool:
    """Tell whether a span begins or ends inside a word, as `_is_inside` tells it."""
    # Two neighbours that are both of words, told by one look at each border.
    size = len(text)
    return True in [text[s.start - 1 : s.start + 1].isalnum() for s in spans if s.start] or (
        True in [text[s.end - 1 : s.end + 1].isalnum() for s in spans if s.end < size]
    )


def _is_inside(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def begins_or_is_small(text: str, start: int, end: int, language: str) -> bool:
    """Tell whether the word at `[start, end)` is written as an everyday word there: in small
    letters, where a sentence or a line begins, or among capitals alone and without a cue."""
    from_start = max(0, start - _NEAR)
    before = _BEFORE if from_start else ""  # the piece begins in the middle of the text
    words = split_words_anew(before + text[from_start:end])
    if not _has_capital(words, len(words.keys) - 1):
        return True
    return _is_word_in_capitals(text, start, end, language)


def _is_written_as_name(words: Words, place: int, language: str) -> bool:
    """Tell whether a word has a capital that nothing else explains."""
    at = words.text, words.starts[place], words.ends[place]
    return _has_capital(words, place) and not _is_word_in_capitals(*at, language)


def _is_word_in_capitals(text: str, start: int, end: int, language: str) -> bool:
    """Tell whether an everyday word stands among capitals alone, and no cue tells of a name."""
    return stands_in_capitals(text, start, end) and not is_cued(
        text, start, end, language, is_common=True
    )


def _has_capital(words: Words, place: int) -> bool:
    """Tell whether a word has a capital that no beginning of a sentence or a line explains."""
    if not is_capitalised(words.surface(place)):
        return False
    before = words.text[words.ends[place - 1] if place else 0 : words.starts[place]]
    return bool(place) and _BEGINNING.search(before) is None
