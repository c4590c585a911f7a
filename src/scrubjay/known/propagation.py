"""Propagation: what was found once in a record is found everywhere in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.document import Span, span_order
from scrubjay.features.protected import protected_pieces
from scrubjay.known._words import Words, fold, is_capitalised, split_words
from scrubjay.known.layers import overlay
from scrubjay.known.people import (
    TITLES,
    Strength,
    common_words,
    is_surname,
    strength_of,
)
from scrubjay.known.terms import Keys, Terms, make_terms

SOURCE = "propagated"
_NAMES = frozenset(["name", "relative", "username"])
_CODES = frozenset(["phone", "email", "url", "ip", "ssn", "id", "zip"])
_PLACES = frozenset(["street", "address", "city", "hospital", "organization", "place", "territory"])
_LEAST_PART = 3
_LEAST_RARE = 5
"""Letters of a name that means a person in lower case, too: shorter ones are too often words."""
_LEAST_PLACE = 4
_LEAST_CODE = 5
_MOST_WORDS = 30


@dataclass(frozen=True, slots=True, repr=False)
class _Form:
    """What to look for: the label to give, and whether case and marks must be as found.

    `cased` asks for a capital letter. `written` is the folded text that it must have, marks
    included; "" leaves the marks between words open.
    """

    label: str
    cased: bool = False
    written: str = ""


@dataclass(frozen=True, slots=True)
class Propagation:
    """Finds the other places of what was found in a record: one document, or several of a patient.

    Names are found whole in any case, and by each part that is no everyday word where it is
    written with a capital. A name of one word is found in any case, too ("marisol: can you call"),
    if it has five letters, stands in no clinical term, and is no surname: many of those are words.
    Numbers, net addresses, places and full dates are found as they were written. `kind_of`
    gives the kind of a label (`scrubjay.labels.KINDS`); `language` tells everyday words and
    clinical terms.
    """

    kind_of: Callable[[str], str]
    language: str

    def spread(
        self, texts: Sequence[str], found: Sequence[Iterable[Span]]
    ) -> list[tuple[Span, ...]]:
        """Return the spans of each text of a record with those of all other places among them.

        `found` are those of each text, disjoint. They stay as they are; the new ones have no
        score, and where they overlap the others, keep what is left. The time grows with the length
        of the texts alone.
        """
        sorted_spans = [tuple(sorted(spans, key=span_order)) for spans in found]
        whole = [split_words(text) for text in texts]
        mentions: dict[tuple[str, str], Words] = {}  # in their order, each once
        for words, spans in zip(whole, sorted_spans, strict=True):
            for span in spans:
                mention = (words.text[span.start : span.end], span.label)
                if mention not in mentions:
                    mentions[mention] = words.part(span.start, span.end)
        kinds = {label: self.kind_of(label) for _, label in mentions}
        split = [(words, *mention, kinds[mention[1]]) for mention, words in mentions.items()]
        forms: dict[Keys, _Form] = {}
        for words, text, label, kind in split:  # whole mentions before parts of others
            for keys, form in self._whole(words, text, label, kind):
                forms.setdefault(keys, form)
        for words, _, label, kind in split:
            if kind in _NAMES:
                for keys, form in self._name_parts(words, label):
                    forms.setdefault(keys, form)
        if not forms:
            return sorted_spans
        terms = make_terms(dict.fromkeys(forms, ""))
        return [
            _laid_over(words.text, spans, self._matches(words, terms, forms))
            for words, spans in zip(whole, sorted_spans, strict=True)
        ]

    def _whole(
        self, words: Words, text: str, label: str, kind: str
    ) -> Iterator[tuple[Keys, _Form]]:
        if not 0 < len(words) <= _MOST_WORDS:
            return
        if kind in _NAMES:
            if len(words) > 1 and any(len(key) >= _LEAST_PART for key in words.keys):
                yield words.keys, _Form(label)
        elif self._is_telling(kind, words):
            single_place = kind in _PLACES and len(words) == 1
            written = "" if kind in _PLACES else fold(text)
            yield words.keys, _Form(label, cased=single_place, written=written)

    def _name_parts(self, words: Words, label: str) -> Iterator[tuple[Keys, _Form]]:
        if len(words) > _MOST_WORDS:
            return
        for place, key in enumerate(words.keys):
            if len(key) < _LEAST_PART or not key.isalpha() or key in TITLES:
                continue
            if strength_of(key, self.language) is Strength.STRONG:
                free = len(words) == 1 and self._is_rare(key)
                yield (key,), _Form(label, cased=not free and is_capitalised(words.surface(place)))

    def _is_rare(self, key: str) -> bool:
        """Tell whether a word means a person even where it is written small."""
        return (
            len(key) >= _LEAST_RARE
            and key not in protected_pieces(self.language)
            and not is_surname(key)
        )

    def _is_telling(self, kind: str, words: Words) -> bool:
        """Tell whether a mention can only mean the same wherever it stands again."""
        size = sum(map(len, words.keys))
        if kind in _CODES:
            return size >= _LEAST_CODE
        if kind in _PLACES:
            if len(words) > 1:
                return not all(key in common_words(self.language) for key in words.keys)
            (key,) = words.keys
            return size >= _LEAST_PLACE and key not in common_words(self.language)
        if kind == "date":
            return len(words) > 2 or (len(words) == 2 and not all(map(str.isdigit, words.keys)))
        return False

    def _matches(
        self, words: Words, terms: Terms, forms: Mapping[Keys, _Form]
    ) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and label of each place, disjoint."""
        for start, end, keys in terms.find(words):
            form = forms[keys]
            if form.cased and not is_capitalised(words.text[start:end]):
                continue
            if form.written and fold(words.text[start:end]) != form.written:
                continue
            yield start, end, form.label


def _laid_over(
    text: str, spans: Sequence[Span], matches: Iterable[tuple[int, int, str]]
) -> tuple[Span, ...]:
    """Return what `overlay` does of spans and matches; nearly all matches are spans again."""
    known = {(span.start, span.end) for span in spans}
    new = [
        Span(start, end, label, source=SOURCE)
        for start, end, label in matches
        if (start, end) not in known
    ]
    return overlay(text, [*spans, *new]) if new else tuple(spans)
