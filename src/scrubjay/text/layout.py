"""The layout of a clinical text: lines, key-value headers and sections, per token.

Clinical texts speak through their layout: `Nombre: Ernesto` tells the label of a name better
than any word beside it (section information is one of the global features of Zhao 2020,
Unified Feature Set). Everything here is an array over tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from scrubjay.text.tokens import IntArray, Tokens

_MAX_KEY = 40
_KEY_WORDS = re.compile(r"[^\W\d_](?:[^\s:]|[ \t](?![ \t]))*\Z")
_MAX_KEY_WORDS = 5
_SENTENCE_INSIDE = re.compile(r"[.!?;]\s")
_LAST_WORDS = re.compile(r"(?:[^\s:,;.]+[ \t])?[^\s:,;]+\Z")
_HEADING = re.compile(r"[^\W\d_][^\n:.]{1,58}\Z")


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Layout of one text, arrays of shape `(n,)` over its tokens.

    `line` is the line number (only `\\n` ends a line; a `\\r` before it is white space),
    `line_start` the index of the first token of the token's line. `key` indexes
    `names`: the key of the nearest `key:` before the token in its line, -1 without one;
    `key_end` is the index of the first token after that key's colon, 0 without a key. `section`
    indexes `names`: the heading, or the first key of a line, that the token's line stands under
    (-1 above the first).
    """

    line: IntArray
    line_start: IntArray
    key: IntArray
    key_end: IntArray
    section: IntArray
    names: tuple[str, ...]


def _normal_name(raw: str) -> str:
    return " ".join(raw.lower().split())


def _key_before(text: str, colon: int, left: int, line_begin: int) -> str:
    """Return the key that ends at a colon, "" where what stands there is no key."""
    whole = left == line_begin and colon - left <= _MAX_KEY
    return name_key(text[max(left, colon - _MAX_KEY) : colon], whole=whole)


def name_key(raw: str, *, whole: bool) -> str:
    """Return the key at the end of what stands before a colon, "" without one.

    `whole` tells that it is all of a line up to there: a key may have several words.
    """
    raw = raw.rstrip()
    if whole:
        found = _KEY_WORDS.search(raw.lstrip(" \t-*•"))
        key = found.group() if found else ""
        if key and len(key.split()) <= _MAX_KEY_WORDS and not _SENTENCE_INSIDE.search(key):
            return _normal_name(key)
    found = _LAST_WORDS.search(raw)
    if not found:
        return ""
    words = found.group().split()
    # "70 años Sexo:" has the key "sexo": a lower-case word before the key is not part of it.
    if len(words) == 2 and not words[0][0].isupper():
        words = words[1:]
    return _normal_name(" ".join(words))


def read_layout(tokens: Tokens) -> Layout:
    """Read the layout of a tokenized text in time linear in its length."""
    text, starts = tokens.text, tokens.starts
    breaks = [0, *(match.end() for match in re.finditer("\n", text))]
    begins = np.array(breaks, dtype=np.int32)
    line = (np.searchsorted(begins, starts, side="right") - 1).astype(np.int32)
    first_of_line = np.searchsorted(starts, begins, side="left").astype(np.int32)
    names: dict[str, int] = {}
    key_starts, key_names = _find_keys(text, begins, names)
    section_lines, section_names = _find_sections(text, begins, names, key_starts, key_names)
    return Layout(
        line=line,
        line_start=first_of_line[line],
        **_lay_keys(tokens, begins, line, key_starts, key_names),
        section=_last_at(line, section_lines, section_names),
        names=tuple(names),
    )


def _find_keys(text: str, begins: IntArray, names: dict[str, int]) -> tuple[list[int], list[int]]:
    """Return the offsets behind the colons of keys, and the number of each key's name."""
    ends: list[int] = []
    numbers: list[int] = []
    previous = 0
    line_begins = begins.tolist()
    line_number = 0
    size = len(text)
    for match in re.finditer(":", text):
        colon = match.start()
        while line_number + 1 < len(line_begins) and line_begins[line_number + 1] <= colon:
            line_number += 1
        begin = line_begins[line_number]
        left = max(begin, previous)
        previous = colon + 1
        digit_after = colon + 1 < size and text[colon + 1].isdigit()
        if digit_after and colon and text[colon - 1].isdigit():
            continue  # a time of day
        if text.startswith("//", colon + 1):
            continue  # an address of the web
        name = _key_before(text, colon, left, begin)
        if name:
            ends.append(colon + 1)
            numbers.append(names.setdefault(name, len(names)))
    return ends, numbers


def _find_sections(
    text: str,
    begins: IntArray,
    names: dict[str, int],
    key_ends: list[int],
    key_names: list[int],
) -> tuple[list[int], list[int]]:
    """Return the lines that begin a section, and the number of each section's name."""
    lines: list[int] = []
    numbers: list[int] = []
    first_key: dict[int, int] = {}
    key_lines = np.searchsorted(begins, np.array(key_ends, dtype=np.int64), side="right") - 1
    for key_line, number in zip(key_lines.tolist(), key_names, strict=True):
        first_key.setdefault(key_line, number)
    stops = [*(begins[1:] - 1).tolist(), len(text)]
    for number, (begin, stop) in enumerate(zip(begins.tolist(), stops, strict=True)):
        if number in first_key:
            lines.append(number)
            numbers.append(first_key[number])
        elif stop - begin <= 62:
            name = name_heading(text[begin:stop])
            if name:
                lines.append(number)
                numbers.append(names.setdefault(name, len(names)))
    return lines, numbers


def name_heading(line: str) -> str:
    """Return the heading that a line without a key is, "" where it is none."""
    raw = line.strip(" \t\r.*#=-_")
    if _HEADING.match(raw) and (raw.isupper() or len(raw.split()) <= 4):
        return _normal_name(raw)
    return ""


def _last_at(positions: IntArray, marks: list[int], values: list[int]) -> IntArray:
    """Return for each position the value of the last mark at or before it, else -1."""
    index = np.searchsorted(np.array(marks, dtype=np.int64), positions, side="right")
    return np.array([-1, *values], dtype=np.int32)[index]


def _lay_keys(
    tokens: Tokens,
    begins: IntArray,
    line: IntArray,
    key_ends: list[int],
    key_names: list[int],
) -> dict[str, IntArray]:
    ends = np.array(key_ends, dtype=np.int64)
    index = np.searchsorted(ends, tokens.starts, side="right")
    names = np.array([-1, *key_names], dtype=np.int32)
    key_lines = np.searchsorted(begins, ends, side="right") - 1
    same_line = np.concatenate([[-1], key_lines])[index] == line
    first = np.searchsorted(tokens.starts, ends, side="left").astype(np.int32)
    key = np.where(same_line, names[index], -1).astype(np.int32)
    key_end = np.where(same_line, np.concatenate([[0], first])[index], 0).astype(np.int32)
    return {"key": key, "key_end": key_end}
