"""Sentences of clinical text, as indices of the first token of each.

Four ways to find them:

    clinical   a line is a sentence of its own (heading, list item, table row, `Key: value`)
               unless a wrapped line is joined to it again; inside a line, and across joined
               lines, sentences end at `.` `?` `!` before anything but a lower-case letter,
               and never after an abbreviation, a title or an initial (`Dr. Vincent`)
    paragraph  as clinical, but nothing ends inside a line or across joined lines
    line       a line is a sentence
    none       the text is one sentence

Save with the last, no sentence is longer than `LONGEST_SENTENCE` tokens, so that the memory of
what works sentence by sentence stays bounded for a text without lines.
"""

from __future__ import annotations

import re
from typing import Literal

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError
from scrubjay.text.abbreviations import period_group
from scrubjay.text.wrapping import join_breaks, joined_lines

IntArray = npt.NDArray[np.int32]
Lines = tuple[IntArray, IntArray, IntArray]
"""Where lines begin, how long they are, and the breaks between them that may be wraps."""

SentenceMode = Literal["clinical", "paragraph", "line", "none"]
SENTENCE_MODES: tuple[SentenceMode, ...] = ("clinical", "paragraph", "line", "none")
LONGEST_SENTENCE = 200

_STOP = re.compile(r"""([.?!…])["'”’»)\]]{0,3}\s+(\S)""")


def require_sentence_mode(name: str) -> SentenceMode:
    """Return the mode of that name; raises `ConfigError` for an unknown one."""
    for mode in SENTENCE_MODES:
        if mode == name:
            return mode
    known = ", ".join(SENTENCE_MODES)
    raise ConfigError(f"unknown way to find sentences {name!r}", hint=f"Known: {known}")


def find_sentences(text: str, starts: IntArray, ends: IntArray, mode: SentenceMode) -> IntArray:
    """Return the index (int32) of the first token of each sentence, ascending.

    `starts` and `ends` are the offsets of the tokens. A sentence begins at a token that
    follows white space, so every tokenizer finds the same sentences, save where one is
    parted because of its length.
    """
    if len(starts) == 0:
        return np.zeros(0, np.int32)
    if mode == "none":
        return np.zeros(1, np.int32)
    if mode == "line":
        offsets = line_offsets(text)
    else:
        offsets = paragraph_offsets(text)
        if mode == "clinical":
            offsets = sorted(offsets + _inner_offsets(text))
    found = np.searchsorted(starts, np.array(offsets, np.int32))
    found[0] = 0
    # Offsets ascend; several lead to one token where lines are blank, the last to none.
    fresh = np.ones(len(found), np.bool_)
    fresh[1:] = found[1:] != found[:-1]
    first = found[fresh & (found < len(starts))].astype(np.int32)
    return _part_long(text, starts, ends, first)


def sentences_of_lines(
    text: str, cut: tuple[IntArray, IntArray], lines: Lines, mode: SentenceMode
) -> IntArray:
    """Return what `find_sentences` does, for the lines and breaks of `_cut_kernel.py`.

    `cut` are the starts and ends of the tokens.
    """
    from scrubjay.text._cut_kernel import begin_sentences

    starts, ends = cut
    if len(starts) == 0 or mode == "none":
        return np.zeros(min(1, len(starts)), np.int32)
    offsets, lengths, breaks = lines
    if mode != "line" and len(breaks):
        joined = join_breaks(text, breaks, lengths)
        if joined:
            offsets = np.delete(offsets, list(joined))
    if mode == "clinical":
        offsets = np.sort(np.concatenate([offsets, np.array(_inner_offsets(text), np.int32)]))
    first = np.empty(len(offsets), np.int32)
    count, longest = begin_sentences(starts, offsets, first)
    if longest <= LONGEST_SENTENCE:
        return first[:count].copy()
    return _part_long(text, starts, ends, first[:count])


def line_offsets(text: str) -> list[int]:
    """Return the offset at which each line begins (line ends as `str.splitlines` has them)."""
    offsets = [0]
    for line in text.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    return offsets


def paragraph_offsets(text: str) -> list[int]:
    """Return the offset at which each line begins that is not joined to the one before."""
    lines = text.splitlines(keepends=True)
    joined = joined_lines(lines)
    offsets = [0]
    position = 0
    for number, line in enumerate(lines):
        if number not in joined:
            offsets.append(position)
        position += len(line)
    return offsets


def _inner_offsets(text: str) -> list[int]:
    """Return the offsets behind the stops that end a sentence inside a paragraph."""
    return [match.start(2) for match in _STOP.finditer(text) if _ends(text, match)]


def _ends(text: str, match: re.Match[str]) -> bool:
    """Tell whether the stop of a match ends a sentence."""
    following = match[2]
    if following.islower() or following in ",;:.)]}%/":
        return False
    if match[1] != ".":
        return True
    group = period_group(text, match.start(1))
    return not group or (group == "number" and not following.isdigit())


def _part_long(text: str, starts: IntArray, ends: IntArray, first: IntArray) -> IntArray:
    """Part sentences of more than `LONGEST_SENTENCE` tokens."""
    bounds = np.append(first, np.int32(len(starts)))
    long = np.flatnonzero(np.diff(bounds) > LONGEST_SENTENCE)
    if len(long) == 0:
        return first
    added: list[int] = []
    for number in long.tolist():
        begin, stop = int(bounds[number]), int(bounds[number + 1])
        while stop - begin > LONGEST_SENTENCE:
            begin = _best_cut(text, starts, ends, begin)
            added.append(begin)
    return np.sort(np.concatenate([first, np.array(added, np.int32)])).astype(np.int32)


def _best_cut(text: str, starts: IntArray, ends: IntArray, begin: int) -> int:
    """Return where to part a long sentence: after the last mark, else space, of its reach.

    The parts have between half of `LONGEST_SENTENCE` and all of it; a stretch without white
    space is parted anywhere.
    """
    low, high = begin + LONGEST_SENTENCE // 2, begin + LONGEST_SENTENCE
    before = ends[low - 1 : high]
    spaced = np.flatnonzero(starts[low : high + 1] > before)[::-1].tolist()
    for index in spaced:
        if text[before[index] - 1] in ".,;:?!":
            return low + int(index)
    return low + int(spaced[0]) if spaced else high
