"""Features of tokens as sets of strings, straight from their definitions, one token at a time."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence

from scrubjay.features.clusters import find_cluster, load_clusters
from scrubjay.features.lexicons import find_lexicon, lexicon_names, look_up
from scrubjay.features.templates import Template
from scrubjay.features.words import stem
from scrubjay.text.layout import read_layout
from scrubjay.text.patterns import match_patterns
from scrubjay.text.tokens import Tokens

Feature = tuple[str, tuple[str, ...]]
"""A template as it is written, and the values of its parts."""

PLACES = (
    *("key", "section", "key-distance", "previous-line-key", "echo-key"),
    *("line-position", "line-number", "sentence-length", "sentence-begins", "sentence-ends"),
    *("space-before", "pattern", "pattern-kind"),
)
"""The attributes of a token's place; all others are those of its word."""


def token_features(
    templates: Sequence[Template],
    tokens: Tokens,
    *,
    scope: str = "document",
    dictionaries: Mapping[str, frozenset[str]] | None = None,
) -> list[set[Feature]]:
    """Return the features of each token of one text."""
    reader = _Reader(tokens, dictionaries or {})
    found: list[set[Feature]] = []
    for token in range(len(tokens)):
        features: set[Feature] = set()
        for template in templates:
            values = [
                reader.value(name, token + offset)
                if reader.sees(token, token + offset, scope)
                else None
                for name, offset in template.parts
            ]
            if None not in values:
                features.add((str(template), tuple(value for value in values if value)))
        found.append(features)
    return found


class _Reader:
    def __init__(self, tokens: Tokens, dictionaries: Mapping[str, frozenset[str]]) -> None:
        self.tokens = tokens
        self.dictionaries = dictionaries
        self.words = tokens.words()
        starts = set(tokens.sentence_starts.tolist())
        self.sentences: list[int] = []
        for token in range(len(tokens)):
            previous = self.sentences[-1] if self.sentences else -1
            self.sentences.append(previous + (token in starts))
        text = tokens.text
        self.begin = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
        self.lines = [text[self.begin : at].count("\n") for at in tokens.starts.tolist()]
        layout = read_layout(tokens)
        self.keys = [layout.names[n] if n >= 0 else None for n in layout.key.tolist()]
        self.sections = [layout.names[n] if n >= 0 else None for n in layout.section.tolist()]
        self.key_ends = layout.key_end.tolist()

    def sees(self, here: int, there: int, scope: str) -> bool:
        """Tell whether a window at one token reaches another."""
        if not 0 <= there < len(self.words):
            return False
        return scope == "document" or self.sentences[here] == self.sentences[there]

    def value(self, name: str, token: int) -> str | None:
        """Return the value of an attribute at a token."""
        if name in PLACES:
            return self._place(name, token)
        return word_value(name, self.words[token], self.dictionaries)

    def _place(self, name: str, token: int) -> str | None:
        """Return the value of an attribute of the token's place."""
        line = self.lines[token]
        first = self.lines.index(line)
        sentence = self.sentences[token]
        size = self.sentences.count(sentence)
        seen = self.words.index(self.words[token])
        match name:
            case "key":
                return self.keys[token]
            case "section":
                return self.sections[token]
            case "key-distance":
                known = self.keys[token] is not None
                return str(min(6, token - self.key_ends[token])) if known else None
            case "previous-line-key":
                return self.keys[first - 1] if first else None
            case "line-position":
                return str(min(8, token - first))
            case "line-number":
                return str(min(7, math.ceil(math.log2(line)) + 1 if line else 0))
            case "sentence-length":
                return str(min(7, math.ceil(math.log2(size))))
            case "sentence-begins":
                return "1" if self.sentences.index(sentence) == token else None
            case "sentence-ends":
                return "1" if self.sentences.index(sentence) + size - 1 == token else None
            case "space-before":
                return self._space(token)
            case "echo-key":
                return self.keys[seen] if seen < token else None
            case "pattern" | "pattern-kind":
                names, index = match_patterns(self.tokens)
                number = int(index[token])
                kind = names[number] if number >= 0 else None
                if name == "pattern-kind" and kind is not None and "date" in kind:
                    return "date+" if kind.endswith("+") else "date"
                return kind
        raise AssertionError(name)

    def _space(self, token: int) -> str:
        start = int(self.tokens.starts[token])
        before = int(self.tokens.ends[token - 1]) if token else self.begin
        between = self.tokens.text[before:start]
        return "line" if "\n" in between else "space" if between else "glued"


def word_value(
    name: str, word: str, dictionaries: Mapping[str, frozenset[str]] | None = None
) -> str | None:
    """Return the value of an attribute of a word on its own."""
    letters, digits = [c for c in word if c.isalpha()], [c for c in word if c.isdigit()]
    marks = [c for c in word if not (c.isalnum() or unicodedata.combining(c))]
    kind, _, rest = name.partition(":")
    match kind:
        case "word":
            return word
        case "lower":
            return word.lower()
        case "stem":
            return stem(word)
        case "length":
            return str(min(20, len(word)))
        case "has-letter":
            return "1" if letters else None
        case "has-upper":
            return "1" if [c for c in word if c.isupper()] else None
        case "begins-upper":
            return "1" if word[0].isupper() else None
        case "all-upper":
            return "1" if word.isalpha() and word.isupper() else None
        case "has-digit":
            return "1" if digits else None
        case "all-digits":
            return "1" if len(digits) == len(word) else None
        case "has-punctuation":
            return "1" if marks else None
        case "letters-and-digits":
            return "1" if letters and digits and not marks else None
        case "digits-and-punctuation":
            return "1" if digits and marks and not letters else None
        case "shape":
            return _shape(word)
        case "short-shape":
            return _collapsed(_shape(word))
        case "shape+length":
            return f"{_collapsed(_shape(word))}\t{min(20, len(word))}"
        case "suffix3+short-shape":
            return f"{word[-3:].lower()}\t{_collapsed(_shape(word))}" if len(word) >= 3 else None
        case "lexicon":
            found = look_up(find_lexicon(rest), word)
            return None if found is None else str(found)
        case "lexicons":
            return _signature(rest, word)
        case "capital-code":
            capital = word[0].isupper()
            upper = [c for c in word if c.isupper()]
            whole = word.isalpha() and word.isupper()
            return "".join(str(int(bool(bit))) for bit in (letters, upper, capital, whole))
        case "cluster":
            language, _, bits = rest.partition(":")
            cluster = find_cluster(load_clusters(language), word)
            return None if cluster is None else str(cluster % 2 ** int(bits))
        case "dictionary":
            return "1" if word.lower() in (dictionaries or {}).get(rest, ()) else None
    return _affix(name, word)


def _signature(language: str, word: str) -> str | None:
    names = [name for name in lexicon_names() if name.split(".")[0] in (language, "world")]
    names = [name for name in names if name.split(".")[1] != "protected"]
    having = {name.split(".")[1] for name in names if look_up(find_lexicon(name), word) is not None}
    return ("+".join(sorted(having)) or "none") if word[0].isalpha() else None


def _affix(name: str, word: str) -> str | None:
    size = int(name[-1])
    if len(word) < size:
        return None
    affix = word[:size] if "prefix" in name else word[len(word) - size :]
    return affix.lower() if name.startswith("lower-") else affix


def _shape(word: str) -> str:
    shape = ""
    for character in word:
        if character.isdigit():
            shape += "0"
        elif character.isalpha() and character.isupper():
            shape += "A"
        elif character.isalpha() or unicodedata.combining(character):
            shape += "a"
        else:
            shape += character
    return shape


def _collapsed(shape: str) -> str:
    kept = ""
    for character in shape:
        if not kept.endswith(character):
            kept += character
    return kept
