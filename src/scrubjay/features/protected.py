"""Clinical terms that are no PHI where they stand: "murphy's sign", "metformin", "brca1".

They inform taggers (the attribute `protected:LANGUAGE`) and stackers; they delete nothing, since
the same words can be names. The terms of a language are its lexicon `protected`, that of the
world, and the lexicons of drugs and eponyms. A bare eponym ("murphy") is a kind of its own: it
says less than a phrase does.

Trained models know the terms by their lexicons, which therefore stay as they are. What is listed
later, brands and grades above all (`resources/spared`), has a say in mending alone: `spared=True`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import MappingProxyType

from scrubjay.features.lexicons import find_lexicon, lexicon_names, normal_word
from scrubjay.features.phrases import (
    PIECE,
    PhraseIndex,
    compile_phrases,
    match_phrases,
    split_entry,
)
from scrubjay.resources import resource

#: What the classes of the lexicons `*.protected` stand for, from 1 up.
PROTECTED_KINDS = (
    "eponym",
    "drug",
    "test",
    "anatomy",
    "procedure",
    "device",
    "unit",
    "gene",
    "microbe",
    "heading",
    "other",
)
BARE_EPONYM = "eponym-word"
"""The kind of a surname or place that names a disease, sign or device, alone."""

_PIECES = re.compile(PIECE)
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n|\r\n[^\S\n]*\r\n")


@dataclass(frozen=True, slots=True)
class ProtectedTerm:
    """A term in a text: half-open character offsets, its kind, and of how many words it is."""

    start: int
    end: int
    kind: str
    words: int


@dataclass(frozen=True, slots=True, repr=False)
class ProtectedIndex:
    """The terms of a language, cut into pieces, and the kind of each."""

    phrases: PhraseIndex
    kinds: Mapping[tuple[str, ...], str]

    def __repr__(self) -> str:
        return f"ProtectedIndex({len(self.kinds)} terms)"


def protected_lists(language: str) -> list[str]:
    """Return the names of the lexicons that hold the terms of a language; none may be there."""
    known = set(lexicon_names())
    if f"{language}.protected" not in known:
        return []
    kinds = ("eponyms", "drugs", "protected")
    names = [f"{part}.{kind}" for kind in kinds for part in ("world", language)]
    return [name for name in names if name in known]


@cache
def protected_terms(language: str, *, spared: bool = False) -> Mapping[str, str]:
    """Return each term of a language, in lower case, with its kind; empty without a list.

    `spared` for those, too, of which models know nothing, and without halves of a term: "17)" of
    "t(15;17)" is an age in brackets elsewhere.
    """
    lists = protected_lists(language)
    terms = dict.fromkeys(_spared_terms(language), "other") if spared and lists else {}
    for name in lists:
        kind = name.partition(".")[2]
        for term, number in find_lexicon(name).items():
            if spared and term.count("(") != term.count(")"):
                continue
            if kind == "protected":
                terms[term] = PROTECTED_KINDS[number - 1]
            else:
                terms[term] = "drug" if kind == "drugs" else BARE_EPONYM
    return MappingProxyType(terms)


def _spared_terms(language: str) -> list[str]:
    folder = resource("spared")
    files = [folder.joinpath(f"{name}.txt") for name in ("world", language)]
    listed = [file.read_text(encoding="utf-8").splitlines() for file in files if file.is_file()]
    return [line for lines in listed for line in lines if not line.startswith("#")]


@cache
def protected_index(language: str, *, spared: bool = False) -> ProtectedIndex:
    """Return the terms of a language as an index of phrases, built on the first call."""
    terms = protected_terms(language, spared=spared)
    kinds = {tuple(split_entry(term)): kind for term, kind in terms.items()}
    return ProtectedIndex(compile_phrases(terms), MappingProxyType(kinds))


@cache
def protected_pieces(language: str, *, spared: bool = False) -> frozenset[str]:
    """Return every word, number and mark that a term of a language holds."""
    kinds = protected_index(language, spared=spared).kinds
    return frozenset(piece for term in kinds for piece in term)


@cache
def protected_pairs(language: str, *, spared: bool = False) -> frozenset[tuple[str, ...]]:
    """Return each two pieces that follow each other in a term, and those that are a term alone."""
    pairs: set[tuple[str, ...]] = set()
    for term in protected_index(language, spared=spared).kinds:
        pairs.update(pairwise(term) if len(term) > 1 else [term])
    return frozenset(pairs)


def find_protected(text: str, language: str, *, spared: bool = False) -> Iterator[ProtectedTerm]:
    """Yield the terms of a text in order: leftmost, then longest, whole words alone.

    Case and kind of white space do not matter; no term crosses an empty line.
    """
    index = protected_index(language, spared=spared)
    pieces = list(_PIECES.finditer(text))
    words = [normal_word(piece[0]) for piece in pieces]
    bounds = _paragraph_bounds(text, pieces) if _PARAGRAPH.search(text) else ()
    for first, last in match_phrases(words, index.phrases, sentence_bounds=bounds):
        start, end = pieces[first].start(), pieces[last - 1].end()
        if _cuts_word(text, start, end):
            continue
        kind = index.kinds[tuple(words[first:last])]
        yield ProtectedTerm(start, end, kind, len(text[start:end].split()))


def words_around(text: str, start: int, end: int, *, reach: int) -> tuple[int, int]:
    """Return where the text around a stretch begins and ends, in which a term may hold it.

    That is at most so many characters on each side, and cuts no word.
    """
    first = _word_border(text, max(0, start - reach), start, step=1)
    return first, _word_border(text, min(len(text), end + reach), end, step=-1)


def _word_border(text: str, place: int, goal: int, *, step: int) -> int:
    """Return the first place towards the goal that lies within no word."""
    while place != goal and text[place - 1 : place].isalnum() and text[place : place + 1].isalnum():
        place += step
    return place


def _paragraph_bounds(text: str, pieces: Sequence[re.Match[str]]) -> list[int]:
    """Return the numbers of the pieces that begin a paragraph, and how many pieces there are."""
    bounds = [
        number
        for number in range(1, len(pieces))
        if pieces[number].start() - pieces[number - 1].end() > 1
        and _PARAGRAPH.search(text, pieces[number - 1].end(), pieces[number].start())
    ]
    return [*bounds, len(pieces)]


def _cuts_word(text: str, start: int, end: int) -> bool:
    """Tell whether a term begins or ends within a word, as "pt" in "pt3"."""
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    return before or (end < len(text) and text[end - 1].isalnum() and text[end].isalnum())


def protected_fingerprints(language: str) -> dict[str, str]:
    """Return a short sha256 of the terms of a language with their kinds; empty without any."""
    terms = protected_terms(language)
    if not terms:
        return {}
    lines = "\n".join(f"{term}\t{kind}" for term, kind in sorted(terms.items()))
    return {language: hashlib.sha256(lines.encode("utf-8")).hexdigest()[:16]}
