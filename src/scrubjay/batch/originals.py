"""The mentions that were replaced in a record, and every place where one of them stands.

The search takes no regard of case, accents and what stands between words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrubjay.document import Span
from scrubjay.known._words import Words, is_capitalised, split_words

LEAST_JOINED = 7
_GAP = re.compile(r"[^\S\n\r]*[^\w\s]?[^\S\n\r]*(?:\r?\n[ \t]*)?")
_LONGEST_GAP = 8
_BEGINNING = re.compile(r"[.!?:;\n\r\-*\u2022\"'([/>]")

_BEFORE = "x "  # what stands before a piece of a text, so that it does not begin a sentence

Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Originals:
    """The words of the mentions that were replaced: keys -> the gaps between the words, and the
    label of the first such mention.

    `words` are the keys that are everyday words, too: they count where they are written as names.
    """

    gaps: dict[Keys, set[tuple[str, ...]]] = field(default_factory=dict)
    labels: dict[Keys, str] = field(default_factory=dict)
    sizes: dict[str, set[int]] = field(default_factory=dict)
    words: set[Keys] = field(default_factory=set)

    def add(self, words: Words, label: str, *, common: bool) -> None:
        """Add a mention; `common` says that it is an everyday word."""
        keys = words.keys
        if common and keys not in self.gaps:
            self.words.add(keys)
        elif not common:
            self.words.discard(keys)
        if len(keys) == 1:
            self._note(keys, (), label)
            return
        self._note(keys, tuple([words.gap(place) for place in range(len(keys) - 1)]), label)
        joined = "".join(keys)
        if len(joined) >= LEAST_JOINED and len(set(map(str.isdigit, joined))) == 1:
            # Written as one: ZaraQuill, 5551234.
            self._note((joined,), (), label)

    def _note(self, keys: Keys, gaps: tuple[str, ...], label: str) -> None:
        if keys in self.gaps:
            self.gaps[keys].add(gaps)
            return
        self.gaps[keys] = {gaps}
        self.labels[keys] = label
        self.sizes.setdefault(keys[0], set()).add(len(keys))

    def update(self, other: Originals) -> bool:
        """Add other mentions; tell whether there is anything new to search for among them."""
        known = other.gaps.keys() - other.words
        changed = not self.words.isdisjoint(known)
        new = other.words - self.gaps.keys()
        self.words.difference_update(known)
        self.words.update(new)
        for keys, gaps in other.gaps.items():
            changed |= not gaps <= self.gaps.get(keys, set())
            self.gaps.setdefault(keys, set()).update(gaps)
            self.labels.setdefault(keys, other.labels[keys])
            self.sizes.setdefault(keys[0], set()).add(len(keys))
        return changed

    def find(self, words: Words) -> Iterator[tuple[int, int, Keys]]:
        """Yield start, end and keys of every occurrence, overlapping ones too."""
        known = self.sizes
        for first in [n for n, key in enumerate(words.keys) if key in known]:
            for size in known[words.keys[first]]:
                last = first + size - 1
                keys = words.keys[first : last + 1]
                if len(keys) != size or keys not in self.gaps:
                    continue
                if keys in self.words and not _is_written_as_name(words, first):
                    continue
                if size == 1 or self._joined(words, first, keys):
                    yield words.starts[first], words.ends[last], keys

    def spans_in(self, text: str, found: Sequence[Span]) -> list[Span]:
        """Return a span of source `record` for each place in `text`, longest first.

        Where all of them are places of mentions that were `found`, as nearly always, none is: those
        stay as they were found. Where one of the mentions that were `found` begins or ends inside a
        word, the rest of the word is looked at as a word of its own, which it is once the mention
        is replaced.
        """
        places = list(self.find(split_words(text)))
        for start, end in _pieces(text, found):
            shift = start - len(_BEFORE)
            places += [
                (first + shift, last + shift, keys)
                for first, last, keys in self.find(split_words(_BEFORE + text[start:end]))
                if first >= len(_BEFORE)
            ]
        known = {(span.start, span.end) for span in found}
        if known.issuperset([(start, end) for start, end, _ in places]):
            return []
        spans = {
            Span(start, end, self.labels[keys], source="record") for start, end, keys in places
        }
        return sorted(spans, key=lambda span: (span.start - span.end, span))

    def _joined(self, words: Words, first: int, keys: Keys) -> bool:
        gaps = tuple(words.gap(first + place) for place in range(len(keys) - 1))
        return gaps in self.gaps[keys] or all(
            len(gap) <= _LONGEST_GAP and _GAP.fullmatch(gap) is not None for gap in gaps
        )


def _pieces(text: str, found: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield what stands between mentions where one of them ends or begins inside a word."""
    edges = [0, *(edge for span in found for edge in (span.start, span.end)), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if start < end and (_is_inside(text, start) or _is_inside(text, end)):
            yield start, end


def _is_inside(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _is_written_as_name(words: Words, place: int) -> bool:
    """Tell whether a word has a capital that no beginning of a sentence or a line explains."""
    if not is_capitalised(words.surface(place)):
        return False
    before = words.text[words.ends[place - 1] if place else 0 : words.starts[place]]
    return bool(place) and _BEGINNING.search(before) is None
