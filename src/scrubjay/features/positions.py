"""Attributes of a token's place: layout, sentence and document, not its surface form.

Global features of the papers: sentence length and section (Zhao 2020, Unified Feature Set),
plus the key of a `key: value` line and an echo of where else in the document a word stands.
Each attribute gives, for one text, a short list of values and an index into it per token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from scrubjay.errors import ConfigError
from scrubjay.features.lexicons import normal_word
from scrubjay.features.phrases import match_phrases, phrase_index
from scrubjay.features.protected import protected_index
from scrubjay.features.spacy_tags import KINDS, spacy_tags
from scrubjay.text.layout import Layout, read_layout
from scrubjay.text.patterns import PATTERN_VALUES, match_patterns
from scrubjay.text.tokens import IntArray, Tokens


@dataclass(frozen=True)
class Place:
    """What position attributes may look at: the tokens and their interned word ids."""

    tokens: Tokens
    word_ids: IntArray

    @cached_property
    def layout(self) -> Layout:
        return read_layout(self.tokens)

    @cached_property
    def lower_words(self) -> list[str]:
        return [normal_word(word) for word in self.tokens.words()]

    @cached_property
    def patterns(self) -> IntArray:
        return match_patterns(self.tokens)[1]

    @cached_property
    def sentence(self) -> IntArray:
        """The number of each token's sentence."""
        marks = np.zeros(len(self.tokens), dtype=np.int32)
        marks[self.tokens.sentence_starts] = 1
        return (np.cumsum(marks) - 1).astype(np.int32)

    @cached_property
    def first_seen(self) -> IntArray:
        """The index of the first token of the document with the same word."""
        _, first, inverse = np.unique(self.word_ids, return_index=True, return_inverse=True)
        return first[inverse].astype(np.int32)


@dataclass(frozen=True, slots=True)
class PositionValues:
    """Values of one attribute over one text: `values[index[t]]`, nothing where index is -1."""

    values: Sequence[str]
    index: IntArray


PositionFunction = Callable[[Place], PositionValues]

#: The values of the attributes that have the same ones in every text. Numbers end with "or more".
PLACE_VALUES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "key-distance": tuple(map(str, range(7))),
        "line-position": tuple(map(str, range(9))),
        "line-number": tuple(map(str, range(8))),
        "sentence-length": tuple(map(str, range(8))),
        "sentence-begins": ("1",),
        "sentence-ends": ("1",),
        "space-before": ("glued", "space", "line"),
        "pattern": PATTERN_VALUES,
        # every kind of date as one
        "pattern-kind": tuple(
            name[name.index("date") :] if "date" in name else name for name in PATTERN_VALUES
        ),
    }
)


def _numbers(name: str, array: IntArray) -> PositionValues:
    values = PLACE_VALUES[name]
    return PositionValues(values, np.clip(array, -1, len(values) - 1).astype(np.int32))


def _key(place: Place) -> PositionValues:
    return PositionValues(place.layout.names, place.layout.key)


def _section(place: Place) -> PositionValues:
    return PositionValues(place.layout.names, place.layout.section)


def _key_distance(place: Place) -> PositionValues:
    """Tokens since the key's colon: 0 for the first value token, at most 6."""
    layout = place.layout
    here = np.arange(len(place.tokens), dtype=np.int32)
    return _numbers("key-distance", np.where(layout.key >= 0, here - layout.key_end, -1))


def _previous_line_key(place: Place) -> PositionValues:
    """The key in force at the end of the line before."""
    layout = place.layout
    before = layout.line_start - 1
    key = np.where(before >= 0, layout.key[before], -1)
    return PositionValues(layout.names, key.astype(np.int32))


def _line_position(place: Place) -> PositionValues:
    here = np.arange(len(place.tokens), dtype=np.int32)
    return _numbers("line-position", here - place.layout.line_start)


def _line_number(place: Place) -> PositionValues:
    """Lines from the first of the text, in steps that grow: 0 1 2 3-4 5-8 9-16 17-32 and later.

    Blank lines above do not count.
    """
    line = (place.layout.line - place.layout.line[:1]).astype(np.float64)
    steps = np.ceil(np.log2(np.maximum(line, 0.5))).astype(np.int32) + 1
    return _numbers("line-number", steps)


def _sentence_length(place: Place) -> PositionValues:
    """Length of the sentence in tokens, in powers of two up to 128."""
    sizes = np.diff(place.tokens.sentence_bounds())
    buckets = np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int32)
    return _numbers("sentence-length", buckets[place.sentence])


def _sentence_begins(place: Place) -> PositionValues:
    index = np.full(len(place.tokens), -1, dtype=np.int32)
    index[place.tokens.sentence_starts] = 0
    return PositionValues(("1",), index)


def _sentence_ends(place: Place) -> PositionValues:
    index = np.full(len(place.tokens), -1, dtype=np.int32)
    index[place.tokens.sentence_bounds()[1:] - 1] = 0
    return PositionValues(("1",), index)


def _space_before(place: Place) -> PositionValues:
    """What stands before the token: nothing (glued), a space, or a line break.

    The first token of a text has nothing or a space before it, as its line does.
    """
    starts, ends, text = place.tokens.starts, place.tokens.ends, place.tokens.text
    begin = text.rfind("\n", 0, starts[0]) + 1 if len(starts) else 0
    before = np.concatenate([np.full(1, begin, dtype=np.int32), ends[:-1]])[: len(starts)]
    index = np.minimum(starts - before, 1).astype(np.int32)
    line = place.layout.line
    index[1:][line[1:] > line[:-1]] = 2
    return PositionValues(PLACE_VALUES["space-before"], index)


def _echo_key(place: Place) -> PositionValues:
    """The key over the first occurrence of the same word, on an earlier token."""
    first = place.first_seen
    here = np.arange(len(place.tokens), dtype=np.int32)
    key = np.where(first < here, place.layout.key[first], -1)
    return PositionValues(place.layout.names, key.astype(np.int32))


def _pattern(place: Place) -> PositionValues:
    """The shape of several tokens together: dates, phones, quantities (see text/patterns.py)."""
    return PositionValues(PLACE_VALUES["pattern"], place.patterns)


def _pattern_kind(place: Place) -> PositionValues:
    """The pattern with every kind of date as one."""
    return PositionValues(PLACE_VALUES["pattern-kind"], place.patterns)


def _phrases(place: Place, lexicon: str) -> PositionValues:
    """Entries of several tokens of a lexicon: the first token, and those after it."""
    index = np.full(len(place.tokens), -1, dtype=np.int32)
    bounds = place.tokens.sentence_bounds().tolist()
    phrases = phrase_index(lexicon, shortest=2)
    for first, last in match_phrases(place.lower_words, phrases, sentence_bounds=bounds):
        index[first:last] = 1
        index[first] = 0
    return PositionValues(["first", "later"], index)


def _protected(place: Place, language: str) -> PositionValues:
    """The kind of the clinical term that a token belongs to, and its place in the term.

    "drug" for a term of one token, "drug-first" and "drug-later" in one of several.
    """
    index = np.full(len(place.tokens), -1, dtype=np.int32)
    bounds = place.tokens.sentence_bounds().tolist()
    terms = protected_index(language)
    values: dict[str, int] = {}
    words = place.lower_words
    for first, last in match_phrases(words, terms.phrases, sentence_bounds=bounds):
        kind = terms.kinds[tuple(words[first:last])]
        for token in range(first, last):
            role = "" if last == first + 1 else "-first" if token == first else "-later"
            index[token] = values.setdefault(kind + role, len(values))
    return PositionValues(list(values), index)


POSITION_ATTRIBUTES: Mapping[str, PositionFunction] = MappingProxyType(
    {
        "key": _key,
        "key-distance": _key_distance,
        "previous-line-key": _previous_line_key,
        "section": _section,
        "line-position": _line_position,
        "line-number": _line_number,
        "sentence-length": _sentence_length,
        "sentence-begins": _sentence_begins,
        "sentence-ends": _sentence_ends,
        "space-before": _space_before,
        "echo-key": _echo_key,
        "pattern": _pattern,
        "pattern-kind": _pattern_kind,
    }
)


def is_position_attribute(name: str) -> bool:
    """Tell whether an attribute looks at a token's place rather than at its word."""
    return name in POSITION_ATTRIBUTES or name.partition(":")[0] in (*KINDS, "phrase", "protected")


def find_position_attribute(name: str) -> PositionFunction:
    """Return the function of an attribute; raises `ConfigError` for an unknown one."""
    kind, _, rest = name.partition(":")
    if kind in KINDS and rest:
        return lambda place: PositionValues(*spacy_tags(place.tokens, kind, rest))
    if kind == "phrase":
        phrase_index(rest, shortest=2)
        return lambda place: _phrases(place, rest)
    if kind == "protected":
        protected_index(rest)
        return lambda place: _protected(place, rest)
    try:
        return POSITION_ATTRIBUTES[name]
    except KeyError:
        raise ConfigError(
            f"unknown position attribute {name!r}",
            hint=f"Known: {', '.join(POSITION_ATTRIBUTES)}, {KINDS[0]}:MODEL, {KINDS[1]}:MODEL",
        ) from None
