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

from scrubjay.text.abbreviations import is_abbreviation
from scrubjay.text.characters import DIGIT, LOWER, MARK, SPACE, UPPER, kind_of

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


def shape_of(chunk: str) -> tuple[str, list[int] | None]:
    """Return the shape of a chunk and the offset of each of its characters (None: the same).

    The patterns run on shapes, so that `[A-Z]` of a paper is every upper-case letter of
    every script, and marks never hide a letter.
    """
    shape = chunk.translate(_SHAPES)
    if len(shape) == len(chunk):
        return shape, None
    offsets = [i for i, character in enumerate(chunk) if kind_of(character) not in (MARK, SPACE)]
    if not offsets or offsets[0] > 0:
        return "." + shape, [0, *offsets]
    return shape, offsets


def place_cuts(cuts: set[int], offsets: list[int] | None) -> Cuts:
    """Return cuts of a shape as sorted cuts of its chunk."""
    if offsets is None:
        return tuple(sorted(cuts))
    return tuple(offsets[cut] for cut in sorted(cuts))


# A word of the basic tokenizer: runs of letters and digits, joined by single marks that stand
# inside names, dates, numbers and addresses; a comma or colon joins digits alone.
_WORD = re.compile(r"[Aa0_]+(?:(?:[.'’&+@\\/~-]+|(?<=0)[,:](?=0))[Aa0_]+)*|.", re.DOTALL)


def basic_words(chunk: str, shape: str, offsets: list[int] | None) -> Iterator[tuple[int, int]]:
    """Yield the words of a chunk, as intervals of its shape: our stand-in for OpenNLP.

    Every punctuation mark is a word, save those inside words (`X1-1335`, `01/26/2098`) and
    the period of an initial or abbreviation (`J.`, `M.D.`, `Dr.`). A possessive `'s` parts.
    """
    position = 0
    while position < len(shape):
        match = _WORD.match(shape, position)
        end = match.end() if match else position + 1
        possessive = end - position > 2 and shape[end - 2] in "'’"
        if possessive and chunk[_original(end - 1, offsets)] in "sS":
            yield position, end - 2
            yield end - 2, end
        else:
            if shape[end : end + 1] == "." and shape[position] in "Aa":
                word = chunk[_original(position, offsets) : _original(end, offsets)]
                end += is_abbreviation(word)
            yield position, end
        position = end


def _original(index: int, offsets: list[int] | None) -> int:
    return index if offsets is None else offsets[index]


@dataclass(frozen=True, slots=True)
class CutRule:
    """A pattern over shapes; each empty group of it marks a cut.

    Where `literal` is set, the matched part of the text must also end with it.
    """

    pattern: str
    literal: str = ""

    def find(self, chunk: str, shape: str, start: int, end: int) -> Iterator[list[int]]:
        """Yield the cuts of each match within `[start, end)` of the shape."""
        for match in _compiled(self.pattern).finditer(shape, start, end):
            if not self.literal or chunk[: match.end()].endswith(self.literal):
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

RulePolicy = Literal["first", "all"]


def wi_deid_cuts(chunk: str, *, rules: RulePolicy) -> Cuts:
    """Return the cuts of one chunk without white space, in the three steps of He 2015."""
    shape, offsets = shape_of(chunk)
    cuts: set[int] = set()
    for start, end in basic_words(chunk, shape, offsets):
        cuts.add(start)
        for rule in WI_DEID_RULES:
            found = list(rule.find(chunk, shape, start, end))
            if found and rules == "first":
                cuts.update(found[0])
                break
            cuts.update(*found)
    for index, character in enumerate(shape):
        if character in _WI_DEID_PUNCTUATION:
            cuts.update((index, index + 1))
    cuts.discard(len(shape))
    return place_cuts(cuts, offsets)


# Jiang 2017, Table 1. The first four part words; the matches of the last three become tokens.
# The guards against further digits are ours: without them `120/80` would be cut after its 1.
JIANG_RULES = (CutRule("[Aa]()0"), CutRule("0()[Aa][Aa]"), CutRule("AA()Aaa"), CutRule("a()A"))
JIANG_WHOLE = (
    CutRule(r"(?<!0)()00?([/-])(?:00?\2)?00{1,3}()(?!0)"),
    CutRule(r"(?<!0)()000[^0]{0,2}000[^0]{0,2}0000()(?!0)"),
    CutRule(r"(?<![Aa0_.+-])()[Aa0_]+(?:[.+-][Aa0_]+)*@[Aa0_]+(?:[.-][Aa0_]+)*\.a+()"),
)

InnerPunctuation = Literal["split", "keep"]


def jiang_cuts(chunk: str, *, punctuation: InnerPunctuation) -> Cuts:
    """Return the cuts of one chunk without white space, by the patterns of Jiang 2017.

    `punctuation` says what becomes of marks inside words (`48-year-old`): each a token of its
    own, or kept within the word. Dates, phone numbers and e-mail addresses stay whole.
    """
    shape, offsets = shape_of(chunk)
    cuts = {start for start, _ in basic_words(chunk, shape, offsets)}
    for rule in JIANG_RULES:
        cuts.update(*rule.find(chunk, shape, 0, len(shape)))
    if punctuation == "split":
        for match in _INNER_MARK.finditer(shape):
            cuts.update((match.start(), match.end()))
    whole = [found for rule in JIANG_WHOLE for found in rule.find(chunk, shape, 0, len(shape))]
    for first, *_, last in sorted(whole, reverse=True):
        cuts.difference_update(range(first + 1, last))
        cuts.update((first, last))
    cuts.discard(len(shape))
    return place_cuts(cuts, offsets)


# A period between digits and one that ends an abbreviation belong to their word.
_INNER_MARK = re.compile(r"[&+@\\/~-]|(?<=0),(?=0)|(?<=0):(?=0)|(?<=[Aa]{2})\.(?=[Aa]{2})")
