"""Mentions of relatives, read in pieces: names and ages get surrogates, words of kinship stay.

    hija Pilar -> hija Marta      padre (82 años) -> padre (85 años)      tío materno

Every word must be understood: one of kinship, one that joins, a name or an age. A word in small
letters right behind one of kinship is a name, too, if it is no everyday word ("madre bukola"). A
mention with any other is not read, and becomes a placeholder as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import find_lexicon, fold_accents, lexicon_names, normal_word
from scrubjay.languages import LANGUAGES
from scrubjay.resources import load_table
from scrubjay.transform.operators import Mention

RELATIVE = "relative"
_WORD = r"[^\W\d_]+(?:['’\-\u2010\u2011][^\W\d_]+)*"
_TOKEN = re.compile(rf"(?P<word>{_WORD})|(?P<number>[0-9]+)|\s+|(?P<mark>.)")
_MARKS = frozenset(".,;:()/&+-–—'\"«»“”|*")
_OLDEST, _MOST = 130, 20
_SHORTEST_NAME = 3
_LONGEST = 200
"""Characters of a mention that is read: a longer one is no mention of a relative."""


class Piece(NamedTuple):
    """A part of a mention of relatives that gets a surrogate: a "name" or an "age"."""

    start: int
    end: int
    kind: str


Join: TypeAlias = "tuple[int, tuple[Piece, ...] | None, str]"
"""Of a mention: the number of its first piece, its pieces (None where it is not read), its text."""


class _Words(NamedTuple):
    stay: frozenset[str]
    kin: frozenset[str]
    counts: frozenset[str]
    units: frozenset[str]
    particles: frozenset[str]
    names: tuple[str, ...]
    common: tuple[str, ...]


class _Token(NamedTuple):
    start: int
    end: int
    key: str
    """The word in small letters without accents, the digits, or "" for a mark."""
    is_name: bool
    """Whether it looks like a name (`_looks_like_name`)."""
    is_capital: bool


@text_cache(4096)
def read_relative(text: str, language: str, *, behind: bool = False) -> tuple[Piece, ...] | None:
    """Return the names and ages of a mention of relatives, none for words of kinship alone.

    `behind` tells that it stands right behind a word of kinship. None where a word of it is not
    understood.
    """
    words = _words_of(language[:2])
    tokens = _tokens_of(text, words) if len(text) <= _LONGEST else None
    if not tokens:
        return None
    tokens = _named_kin(text, tokens, words, behind)
    pieces: list[Piece] = []
    place = 0
    while place < len(tokens):
        end = _age_at(tokens, place, words)
        if end > place:
            pieces += _ages(tokens[place:end], words)
        elif _stays(tokens, place, words):
            end = place + 1
        else:
            end = _name_at(text, tokens, place, words)
            if end == place:
                return None
            pieces.append(Piece(tokens[place].start, tokens[end - 1].end, "name"))
        place = end
    return tuple(pieces)


def split_relatives(
    mentions: Sequence[Mention], kinds: Sequence[str], language: str
) -> tuple[list[Mention], list[str], list[Join]]:
    """Return mentions with those of relatives in pieces, their kinds, and how they join."""
    pieces: list[Mention] = []
    new_kinds: list[str] = []
    joins: list[Join] = []
    kin_end = -1
    for mention, kind in zip(mentions, kinds, strict=True):
        read = None
        if kind == RELATIVE:
            behind = mention.span.start == kin_end + 1
            read = read_relative(mention.text, language, behind=behind)
            kin_end = mention.span.end if _ends_with_kin(mention.text, language) else -1
        if read is None:
            joins.append((len(pieces), None, mention.text))
            pieces.append(mention)
            new_kinds.append(kind)
            continue
        joins.append((len(pieces), read, mention.text))
        for start, end, own in read:
            span = mention.span
            part = span.__class__(span.start + start, span.start + end, span.label)
            pieces.append(mention._replace(span=part, text=mention.text[start:end], kind=own))
            new_kinds.append(own)
    return pieces, new_kinds, joins


def join_relatives(new: Sequence[str], joins: Sequence[Join]) -> list[str]:
    """Return one text for each mention from the new texts of its pieces."""
    joined: list[str] = []
    for first, pieces, text in joins:
        if pieces is None:
            joined.append(new[first])
            continue
        parts, place = [], 0
        for number, piece in enumerate(pieces, start=first):
            parts += [text[place : piece.start], new[number]]
            place = piece.end
        joined.append("".join([*parts, text[place:]]))
    return joined


def _tokens_of(text: str, words: _Words) -> list[_Token] | None:
    """Return the words, numbers and marks of a mention; None for a character that tells nothing."""
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match["word"]:
            word = match["word"]
            is_name = _looks_like_name(word, words)
            tokens.append(_Token(start, end, _key(word), is_name, word[0].isupper()))
        elif match["number"]:
            tokens.append(_Token(start, end, match["number"], False, False))
        elif match["mark"]:
            if match["mark"] not in _MARKS:
                return None
            tokens.append(_Token(start, end, "", False, False))
    return tokens if any(token.key for token in tokens) else None


def _named_kin(text: str, tokens: list[_Token], words: _Words, behind: bool) -> list[_Token]:
    """Return the tokens, a word that nobody knows right behind one of kinship as a name."""
    place = 0
    if not behind:
        place = next((n for n, token in enumerate(tokens) if token.key in words.kin), -1) + 1
    if not 0 < place < len(tokens) and not behind:
        return tokens
    token = tokens[place]
    apart = text[tokens[place - 1].end : token.start].isspace() if place else True
    word = text[token.start : token.end]
    if not apart or not word.isalpha() or len(word) < _SHORTEST_NAME:
        return tokens
    known = token.key in words.stay | words.counts | words.units | words.particles
    if known or any(normal_word(word) in find_lexicon(one) for one in words.common):
        return tokens
    return [*tokens[:place], token._replace(is_name=True), *tokens[place + 1 :]]


def _ends_with_kin(text: str, language: str) -> bool:
    """Tell whether a mention ends with a word of kinship."""
    words = _words_of(language[:2])
    tokens = _tokens_of(text, words) if len(text) <= _LONGEST else None
    return tokens is not None and tokens[-1].key in words.kin


def _looks_like_name(word: str, words: _Words) -> bool:
    """Tell whether a word has a capital and is no everyday word, or is listed as a name."""
    key = normal_word(word)
    if any(key in find_lexicon(one) for one in words.names):
        return True
    if not word[0].isupper():
        return False
    return len(word) == 1 or not any(key in find_lexicon(one) for one in words.common)


def _stays(tokens: Sequence[_Token], place: int, words: _Words) -> bool:
    """Tell whether a token stays: a mark, a word of kinship, or a number of relatives."""
    token = tokens[place]
    if not token.key:
        return True
    if token.key.isdecimal():
        beside = tokens[place + 1].key if place + 1 < len(tokens) else ""
        return int(token.key) <= _MOST and beside in words.stay
    return token.key in words.stay or token.key in words.counts


def _age_at(tokens: Sequence[_Token], place: int, words: _Words) -> int:
    """Return where an age ends that begins here, with its unit, or `place` for none."""
    end = place
    while end < len(tokens) and _is_amount(tokens[end], words):
        end += 1
        if end < len(tokens) and tokens[end].key in words.units:
            return end + 1
        if end + 1 < len(tokens) and tokens[end].key in ("y", "and", "en", ""):
            end += 1  # "12 y 9 años"
    lone = len(tokens) == 1 and tokens[0].key.isdecimal() and _is_amount(tokens[0], words)
    return 1 if lone else place


def _is_amount(token: _Token, words: _Words) -> bool:
    if token.key.isdecimal():
        return len(token.key) <= len(str(_OLDEST)) and int(token.key) <= _OLDEST
    return token.key in words.counts


def _ages(tokens: Sequence[_Token], words: _Words) -> list[Piece]:
    """Return each age of "12 y 9 años" by itself, the last one with the unit."""
    amounts = [token for token in tokens if _is_amount(token, words)]
    ages = [Piece(token.start, token.end, "age") for token in amounts]
    ages[-1] = ages[-1]._replace(end=tokens[-1].end)
    return ages


def _name_at(text: str, tokens: Sequence[_Token], place: int, words: _Words) -> int:
    """Return where a name ends that begins here, or `place` for none.

    It goes on over particles and the full stops of initials, and over what would else be a word
    of kinship: "Juan Primo".
    """
    end, last = place, place
    while end < len(tokens):
        token = tokens[end]
        if end > place and text[tokens[end - 1].end : token.start].strip(" \t"):
            break
        if token.is_name or (end > place and token.is_capital):
            end += 1
            last = end
        elif end > place and (token.key in words.particles or _is_stop(text, tokens, end)):
            end += 1
        else:
            break
    return last


def _is_stop(text: str, tokens: Sequence[_Token], place: int) -> bool:
    """Tell whether a mark is the full stop of an initial."""
    token, before = tokens[place], tokens[place - 1]
    return not token.key and text[token.start : token.end] == "." and len(before.key) == 1


@cache
def _words_of(language: str) -> _Words:
    table = load_table("surrogates", "kinship.toml")
    known = [language] if language in LANGUAGES else [*LANGUAGES]
    listed = {*lexicon_names()}
    lexicons = [name for one in known if (name := f"{one}.relatives") in listed]
    entries = [entry.split() for name in lexicons for entry in find_lexicon(name)]
    kin = {word for entry in entries for word in entry}
    sets = {
        field: frozenset(_key(word) for one in known for word in table[one][field].split())
        for field in ("words", "counts", "units", "particles")
    }
    names = [name for one in known for name in (f"{one}.first-names", f"{one}.surnames")]
    return _Words(
        sets["words"] | {_key(word) for word in kin},
        frozenset([_key(entry[0]) for entry in entries if len(entry) == 1]),
        sets["counts"], sets["units"], sets["particles"],
        tuple(names), tuple(f"{one}.common" for one in known),
    )  # fmt: skip


def _key(word: str) -> str:
    return fold_accents(normal_word(word))
