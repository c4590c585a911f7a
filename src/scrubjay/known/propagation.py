"""Propagation: what was found once in a record is found everywhere in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.document import Span
from scrubjay.known._words import Words, fold, is_capitalised, split_words
from scrubjay.known.layers import overlay
from scrubjay.known.people import TITLES, Strength, common_words, strength_of
from scrubjay.known.terms import Keys, Terms, make_terms

SOURCE = "propagated"
_NAMES = frozenset(["name", "relative", "username"])
_CODES = frozenset(["phone", "email", "url", "ip", "ssn", "id", "zip"])
_PLACES = frozenset(["street", "address", "city", "hospital", "organization", "place", "territory"])
_LEAST_PART = 3
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

    Names are found whole in any case, and by each part that is no everyday word and is written
    with a capital; numbers, net addresses, places and full dates are found as they were
    written. `kind_of` gives the kind of a label (`scrubjay.labels.KINDS`); `language` tells
    everyday words.
    """

    kind_of: Callable[[str], str]
    language: str

    def spread(
        self, texts: Sequence[str], found: Sequence[Iterable[Span]]
    ) -> list[tuple[Span, ...]]:
        """Return the spans of each text of a record with those of all other places among them.

        `found` are those of each text. They stay as they are; the new ones have no score, and
        where they overlap the others, keep what is left. The time grows with the length of the
        texts alone.
        """
        sorted_spans = [tuple(sorted(spans)) for spans in found]
        forms: dict[Keys, _Form] = {}
        words_of = [
            (span, split_words(text[span.start : span.end]))
            for text, spans in zip(texts, sorted_spans, strict=True)
            for span in spans
        ]
        for whole in (True, False):  # whole mentions before parts of others
            for span, words in words_of:
                for keys, form in self._forms(span, words, whole=whole):
                    forms.setdefault(keys, form)
        if not forms:
            return sorted_spans
        terms = make_terms(dict.fromkeys(forms, ""))
        return [
            overlay(text, [*spans, *self._matches(split_words(text), terms, forms)])
            for text, spans in zip(texts, sorted_spans, strict=True)
        ]

    def _forms(self, span: Span, words: Words, *, whole: bool) -> Iterator[tuple[Keys, _Form]]:
        if not 0 < len(words) <= _MOST_WORDS:
            return
        kind = self.kind_of(span.label)
        if kind in _NAMES:
            yield from self._whole_name(span, words) if whole else self._name_parts(span, words)
        elif whole and self._is_telling(kind, words):
            single_place = kind in _PLACES and len(words) == 1
            written = "" if kind in _PLACES else fold(words.text)
            yield words.keys, _Form(span.label, cased=single_place, written=written)

    def _whole_name(self, span: Span, words: Words) -> Iterator[tuple[Keys, _Form]]:
        if len(words) > 1 and any(len(key) >= _LEAST_PART for key in words.keys):
            yield words.keys, _Form(span.label)

    def _name_parts(self, span: Span, words: Words) -> Iterator[tuple[Keys, _Form]]:
        for place, key in enumerate(words.keys):
            if len(key) < _LEAST_PART or not key.isalpha() or key in TITLES:
                continue
            if strength_of(key, self.language) is Strength.STRONG:
                yield (key,), _Form(span.label, cased=is_capitalised(words.surface(place)))

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

    def _matches(self, words: Words, terms: Terms, forms: Mapping[Keys, _Form]) -> list[Span]:
        found = []
        for start, end, keys in terms.find(words):
            form = forms[keys]
            surface = words.text[start:end]
            if form.cased and not is_capitalised(surface):
                continue
            if form.written and fold(surface) != form.written:
                continue
            found.append(Span(start, end, form.label, source=SOURCE))
        return found
