"""The compiled walk over the tokens of a batch that reads all attributes of their places.

Imported where compiled kernels are wanted, and there alone: importing it loads numba. What it
reads is defined, one attribute at a time, in `positions.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.text._layout_kernel import HEADING

(
    KEY, SECTION, PREVIOUS_LINE_KEY, ECHO_KEY, KEY_DISTANCE, LINE_POSITION, LINE_NUMBER,
    SENTENCE_LENGTH, SENTENCE_BEGINS, SENTENCE_ENDS, SPACE_BEFORE, PATTERN,
) = range(12)  # fmt: skip
"""The readings of a token; -1 is none."""

_DISTANCE, _POSITION, _NUMBER, _LENGTH = 6, 8, 7, 7
"""The largest readings, as in `positions.py`."""


@compiled
def _doublings(size: Any, most: Any) -> Any:
    """Return how often 1 is doubled to reach a size, at most `most` times."""
    count, reach = 0, 1
    while reach < size and count < most:
        reach *= 2
        count += 1
    return count


@compiled
def read_places(
    word_ids: Any, starts: Any, ends: Any, bounds: Any, first_tokens: Any, first_characters: Any,
    lines: Any, places: Any, names: Any, patterns: Any, seen: Any,
    columns: Any, sources: Any, bases: Any, numbers: Any, out: Any,
) -> None:  # fmt: skip
    """Write the value numbers of each token's place to `out` (n, columns).

    `lines`, `places` and `names` are those of `_layout_kernel.find_layout`, with the name of each
    place. `seen` (words,) is -1. Column `columns[i]` gets the number that `numbers` holds for
    reading `sources[i]`, from `bases[i]` on, where that of no reading stands first.
    """
    readings = np.full(PATTERN + 1, -1, dtype=np.int64)
    keys = np.empty(len(starts), dtype=np.int32)
    line = place = headed = sentence = 0
    for text in range(len(first_tokens) - 1):
        first, last = first_tokens[text], first_tokens[text + 1]
        while line + 1 < len(lines) and lines[line] < first_characters[text]:
            line += 1
        first_line, line_start, section_line = line, first, -1
        key_line, key, key_end, section, line_before = -1, -1, first, -1, -1
        while place < len(places) and places[place, 3] < first_line:
            place += 1
        headed = place
        end_before = first_characters[text]
        for token in range(first, last):
            start = starts[token]
            fresh = token == first
            broken = False
            while line + 1 < len(lines) and lines[line + 1] <= start:
                line += 1
                broken = fresh = True
            if token == first:  # what stands above the first line tells nothing of the text
                first_line, broken, end_before = line, False, max(end_before, lines[line])
            if fresh:
                line_start = token
                line_before = keys[token - 1] if token > first else -1
                while headed < len(places) and places[headed, 3] <= line:
                    if places[headed, 3] != section_line:
                        section, section_line = names[headed], places[headed, 3]
                    headed += 1
            while place < len(places) and places[place, 2] < start:
                if places[place, 0] != HEADING:
                    key, key_line, key_end = names[place], places[place, 3], token
                place += 1
            here = key if key_line == line else -1
            keys[token] = here
            word = word_ids[token]
            echo = seen[word]
            if echo < first:
                seen[word] = token
            while bounds[sentence + 1] <= token:
                sentence += 1
            begins, ends_before = bounds[sentence] == token, bounds[sentence + 1] == token + 1
            readings[KEY], readings[SECTION] = here, section
            readings[PREVIOUS_LINE_KEY] = line_before
            readings[ECHO_KEY] = keys[echo] if echo >= first else -1
            readings[KEY_DISTANCE] = min(token - key_end, _DISTANCE) if here >= 0 else -1
            readings[LINE_POSITION] = min(token - line_start, _POSITION)
            row = line - first_line
            readings[LINE_NUMBER] = 1 + _doublings(row, _NUMBER - 1) if row else 0
            if begins:
                size = bounds[sentence + 1] - bounds[sentence]
                readings[SENTENCE_LENGTH] = _doublings(size, _LENGTH)
            readings[SENTENCE_BEGINS] = 0 if begins else -1
            readings[SENTENCE_ENDS] = 0 if ends_before else -1
            readings[SPACE_BEFORE] = 2 if broken else int(start > end_before)
            readings[PATTERN] = patterns[token]
            end_before = ends[token]
            for number in range(len(columns)):
                reading = readings[sources[number]]
                out[token, columns[number]] = numbers[bases[number] + 1 + reading]


@compiled
def mark_matches(matches: Any, starts: Any, ends: Any, patterns: Any) -> None:
    """Write the numbers of matches (m, 3), in order, to the tokens they touch: see `patterns.py`.

    A match gets twice its number on its first token, and one more on those after it.
    """
    first = 0
    for match in range(len(matches)):
        begin, end = matches[match, 0], matches[match, 1]
        while first < len(ends) and ends[first] <= begin:
            first += 1
        token = first
        while token < len(starts) and starts[token] < end:
            patterns[token] = 2 * matches[match, 2] + (token > first)
            token += 1
