"""Cutting stretches of text by patterns, once per distinct stretch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Literal

import numpy as np
import numpy.typing as npt

from scrubjay.text.abbreviations import keeps_period
from scrubjay.text.characters import DIGIT, LOWER, MARK, UPPER, kind_of

IntArray = npt.NDArray[np.int32]
Cuts = tuple[int, ...]

_MOST_KEPT = 200_000
_LONGEST_KEPT = 64


class CutCache(dict[str, Cuts]):
    """The cuts of each distinct stretch of text, computed at its first use.

    Cuts are the offsets, within the stretch, at which its tokens begin; the first is 0. The
    cache is emptied when it is full and never keeps a long stretch, so its size is bounded.
    """

    def __init__(self, cut: Callable[[str], Cuts]) -> None:
        super().__init__()
        self._cut = cut

    def __missing__(self, stretch: str) -> Cuts:
        cuts = self._cut(stretch)
        if len(stretch) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[stretch] = cuts
        return cuts

    def refine(
        self, stretches: Sequence[str], starts: IntArray, ends: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Cut the intervals `[starts, ends)`, whose texts are `stretches`, into tokens."""
        found = [self[stretch] for stretch in stretches]
        counts = np.fromiter(map(len, found), np.int32, len(found))
        size = int(counts.sum())
        if size == len(found):
            return starts, ends
        relative = np.fromiter(chain.from_iterable(found), np.int32, size)
        new_starts = np.repeat(starts, counts) + relative
        new_ends = np.empty_like(new_starts)
        new_ends[:-1] = new_starts[1:]
        new_ends[np.cumsum(counts) - 1] = ends
        return new_starts, new_ends


class _Shapes(dict[int, str]):
    """Letters to `A` or `a`, digits to `0`; marks vanish, all else stays."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        kind = kind_of(character)
        shape = {UPPER: "A", LOWER: "a", DIGIT: "0", MARK: ""}.get(kind, character)
        if len(self) < _MOST_KEPT:
            self[code] = shape
        return shape


_SHAPES = _Shapes()


@dataclass(frozen=True, slots=True, repr=False)
class Chunk:
    """A stretch of text without white space, with the shape that the patterns run on.

    In the shape, `[A-Z]` of a paper is every upper-case letter of every script, and no mark
    hides a letter. `offsets` are the places in `text` of the characters of the shape, or None
    where they are the same.
    """

    text: str
    shape: str
    offsets: tuple[int, ...] | None

    @staticmethod
    def of(text: str) -> Chunk:
        """Return the chunk of a text."""
        shape = text.translate(_SHAPES)
        if len(shape) == len(text):
            return Chunk(text, shape, None)
        offsets = [i for i, character in enumerate(text) if kind_of(character) != MARK]
        if offsets[:1] != [0]:
            # Marks with no letter before them stand alone, as some punctuation.
            offsets, shape = [0, *offsets], "." + shape
        return Chunk(text, shape, (*offsets, len(text)))

    def read(self, start: int, end: int) -> str:
        """Return the text of an interval of the shape."""
        if self.offsets is None:
            return self.text[start:end]
        return self.text[self.offsets[start] : self.offsets[end]]

    def place(self, cuts: set[int]) -> Cuts:
        """Return cuts of the shape as sorted cuts of the text, without one at its end."""
        ascending = sorted(cuts - {len(self.shape)})
        if self.offsets is None:
            return tuple(ascending)
        return tuple(self.offsets[cut] for cut in ascending)


# A word of the basic tokenizer: runs of letters and digits, joined by single marks that stand
# inside names, dates, numbers and addresses; a comma or colon joins digits alone.
_WORD = re.compile(r"[Aa0_]+(?:(?:[.'’&+@\\/~-]+|(?<=0)[,:](?=0))[Aa0_]+)*|.", re.DOTALL)


def basic_words(chunk: Chunk) -> Iterator[tuple[int, int]]:
    """Yield the words of a chunk, as intervals of its shape: our stand-in for OpenNLP.

    Every punctuation mark is a word, save those inside words (`X1-1335`, `01/26/2098`) and
    the period of an abbreviation (`Dr.`, `M.D.`). A possessive `'s` parts.
    """
    shape = chunk.shape
    position = 0
    for match in _WORD.finditer(shape):
        if match.start() < position:  # the period that the word before it kept
            continue
        position, end = match.span()
        if end - position > 2 and shape[end - 2] in "'’" and chunk.read(end - 1, end) in "sS":
            yield position, end - 2
            position = end - 2
        elif shape[end : end + 1] == "." and shape[position] in "Aa":
            end += keeps_period(chunk.read(position, end))
        yield position, end
        position = end


@dataclass(frozen=True, slots=True)
class CutRule:
    """A pattern over shapes; each empty group of it marks a cut.

    Where `literal` is set, the matched part of the text must also end with it.
    """

    pattern: str
    literal: str = ""

    def find(self, chunk: Chunk, start: int, end: int) -> Iterator[list[int]]:
        """Yield the cuts of each match within `[start, end)` of the shape."""
        for match in _compiled(self.pattern).finditer(chunk.shape, start, end):
            if chunk.read(*match.span()).endswith(self.literal):
                yield [match.start(group) for group in range(1, match.re.groups + 1)]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


# He 2015, Table 1, in its order. A trailing `+` of the paper's patterns changes no cut and is
# left out, so that every pattern has a bounded length.
WI_DEID_RULES = (
    CutRule("()00/00/0000()"),
    CutRule("()00-aaaa-aaa()", literal="-year-old"),
    CutRule("[Aa]()0/00"),
    CutRule("a()00000"),
    CutRule("A()0-0000"),
    CutRule("()000[-,]000[-,]0000()"),
    CutRule("A()Aaa"),
    CutRule("0()[Aa][Aa]"),
    CutRule("aa()A"),
)
_WI_DEID_PUNCTUATION = frozenset('“”"„,:;#*-=/<>[]{}')

_SHORTEST_MATCH = 3  # characters of the shortest match of the rules

RulePolicy = Literal["first", "all"]


def wi_deid_cuts(text: str, *, rules: RulePolicy) -> Cuts:
    """Return the cuts of one chunk without white space, in the three steps of He 2015."""
    chunk = Chunk.of(text)
    cuts: set[int] = set()
    for start, end in basic_words(chunk):
        cuts.add(start)
        if end - start < _SHORTEST_MATCH:
            continue
        for rule in WI_DEID_RULES:
            found = list(rule.find(chunk, start, end))
            if found and rules == "first":
                cuts.update(found[0])
                break
            cuts.update(*found)
    for index, character in enumerate(chunk.shape):
        if character in _WI_DEID_PUNCTUATION:
            cuts.update((index, index + 1))
    return chunk.place(cuts)


# Jiang 2017, Table 1. The first four part words; the matches of the last three become tokens.
# The guards against further digits are ours: without them `120/80` would be cut after its 1.
JIANG_RULES = (CutRule("[Aa]()0"), CutRule("0()[Aa][Aa]"), CutRule("AA()Aaa"), CutRule("a()A"))
JIANG_WHOLE = (
    CutRule(r"(?<!0)()00?([/-])(?:00?\2)?00{1,3}()(?!0)"),
    CutRule(r"(?<!0)()000[^0]{0,2}000[^0]{0,2}0000()(?!0)"),
    CutRule(r"(?<![Aa0_.+-])()[Aa0_]+(?:[.+-][Aa0_]+)*@[Aa0_]+(?:[.-][Aa0_]+)*\.a+()"),
)

InnerPunctuation = Literal["split", "keep"]


def jiang_cuts(text: str, *, punctuation: InnerPunctuation) -> Cuts:
    """Return the cuts of one chunk without white space, by the patterns of Jiang 2017.

    `punctuation` says what becomes of marks inside words (`48-year-old`): each a token of its
    own, or kept within the word. Dates, phone numbers and e-mail addresses stay whole.
    """
    chunk = Chunk.of(text)
    size = len(chunk.shape)
    cuts = {start for start, _ in basic_words(chunk)}
    for rule in JIANG_RULES:
        cuts.update(*rule.find(chunk, 0, size))
    if punctuation == "split":
        for match in _INNER_MARK.finditer(chunk.shape):
            cuts.update(match.span())
    whole = [found for rule in JIANG_WHOLE for found in rule.find(chunk, 0, size)]
    for first, *_, last in sorted(whole, reverse=True):
        cuts.difference_update(range(first + 1, last))
        cuts.update((first, last))
    return chunk.place(cuts)


# A period between digits and one that ends an abbreviation belong to their word.
_INNER_MARK = re.compile(r"[&+@\\/~-]|(?<=0),(?=0)|(?<=0):(?=0)|(?<=[Aa]{2})\.(?=[Aa]{2})")
