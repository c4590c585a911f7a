"""The search for original mentions again, without a look at what cannot be there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrubjay.batch.originals import _BEFORE, LEAST_JOINED, _is_written_as_name
from scrubjay.document import Span
from scrubjay.known._everyday import is_value_of_letters
from scrubjay.known.terms import joins_words
from scrubjay.known.words import Words, split_words_plainly

Keys = tuple[str, ...]
Place = tuple[int, int, Keys]


@dataclass
class PlainOriginals:
    """Mentions by their words; each is looked for at each word of a text."""

    gaps: dict[Keys, set[tuple[str, ...]]] = field(default_factory=dict)
    labels: dict[Keys, str] = field(default_factory=dict)
    words: set[Keys] = field(default_factory=set)

    def add(self, words: Words, label: str, *, common: bool) -> None:
        """Add a mention; `common` says that it is an everyday word."""
        keys = words.keys
        if common and keys not in self.gaps:
            self.words.add(keys)
        elif not common:
            self.words.discard(keys)
        self._note(keys, tuple(words.gap(place) for place in range(len(keys) - 1)), label)
        joined = "".join(keys)
        alike = len(set(map(str.isdigit, joined))) == 1
        if len(keys) > 1 and len(joined) >= LEAST_JOINED and alike:
            self._note((joined,), (), label)

    def _note(self, keys: Keys, gaps: tuple[str, ...], label: str) -> None:
        self.gaps.setdefault(keys, set()).add(gaps)
        self.labels.setdefault(keys, label)

    def find(self, text: str) -> Iterator[Place]:
        """Yield start, end and keys of every occurrence, overlapping ones too."""
        words = split_words_plainly(text)
        whole = _whole_words(words)
        yield from dict.fromkeys([*self._find(words), *self._find(whole)])

    def _find(self, words: Words) -> Iterator[Place]:
        text = words.text
        for first in range(len(words)):
            for last in range(first, len(words)):
                keys = words.keys[first : last + 1]
                if keys not in self.gaps:
                    continue
                if keys in self.words and not _is_written_as_name(words, first, "en"):
                    continue
                gaps = tuple(words.gap(place) for place in range(first, last))
                short = all(joins_words(gap) for gap in gaps)
                short = short and not is_value_of_letters(text, words.ends[last], keys)
                if gaps in self.gaps[keys] or short:
                    yield words.starts[first], words.ends[last], keys

    def spans_in(self, text: str, found: Sequence[Span]) -> list[Span]:
        """Return a span for each place in a text, longest first, those that were found too."""
        places = list(self.find(text))
        edges = [0, *(edge for span in found for edge in (span.start, span.end)), len(text)]
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if start < end and (_is_inside(text, start) or _is_inside(text, end)):
                shift = start - len(_BEFORE)
                places += [
                    (first + shift, last + shift, keys)
                    for first, last, keys in self.find(_BEFORE + text[start:end])
                    if first >= len(_BEFORE)
                ]
        spans = {
            Span(start, end, self.labels[keys], source="record") for start, end, keys in places
        }
        return sorted(spans, key=lambda span: (span.start - span.end, span))


def _whole_words(words: Words) -> Words:
    """Return the words with those that a hyphen cuts at a line end as one."""
    rows: list[tuple[int, int, str]] = []
    for start, end, key in zip(words.starts, words.ends, words.keys, strict=True):
        before = words.text[:start].rstrip(" \t")
        is_cut = re.search("[-\u2010\u00ad]\r?\n$", before) and words.text[start].isalpha()
        mark = before.rstrip("\r\n")[-2:-1]
        if rows and is_cut and (mark.isalpha() or "\u0300" <= mark <= "\u036f"):
            rows[-1] = rows[-1][0], end, rows[-1][2] + key
        else:
            rows.append((start, end, key))
    starts, ends, keys = zip(*rows, strict=True) if rows else ((), (), ())
    return Words(words.text, starts, ends, keys)


def _is_inside(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()
