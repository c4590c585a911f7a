"""The plain search for cues, by numpy: each kind in some steps over all signs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrubjay.taggers._mending.cue_tables import (
    Flags,
    Table,
    find_table,
    head_table,
    quotes,
)
from scrubjay.taggers._mending.people.bare_surnames import HEAD

_Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]

_PAIR_FROM = 3
"""Characters from the line break before two letters to the stroke behind them."""

EDGE = 8 * "\n"
"""Stands before the first text and behind the last: a place has neighbours on both sides."""


def find_places(joined: bytes, language: str) -> dict[str, Places]:
    """Return where the cues of each kind stand among signs, `EDGE` before and behind all texts."""
    table = find_table(language)
    signs = np.frombuffer(joined, np.uint8)
    kinds = {
        "keys": _find_keys(signs, table),
        "titles": _find_titles(joined, signs, table.letters),
        "names": _find_names(signs),
        "beside": _find_beside(signs, head_table(language)),
    }
    if table.heads is not None:
        kinds["capitals"] = _find_capitals(signs, table.heads)
        kinds["quotes"] = _find_quotes(joined, signs)
        kinds["pairs"] = _find_pairs(signs)
    return kinds


def _find_keys(signs: _Bytes, table: Table) -> Places:
    places = np.flatnonzero((signs == ord(":")) | (signs == ord("|")))
    last, before = signs[places - 1], signs[places - 2].astype(np.uint16)
    ends = table.tails[before << 8 | last]
    ends &= table.thirds[signs[places - 3].astype(np.uint16) << 8 | before]
    chosen: Places = places[ends | (last == ord(" ")) | (last == ord("\t"))]
    return chosen


def _find_titles(joined: bytes, signs: _Bytes, letters: tuple[bytes, ...]) -> Places:
    end = len(joined)
    titles = np.frombuffer(joined.translate(letters[0]), np.uint8)[1 : end - 2]
    for shift, table in enumerate(letters[1:], start=2):
        looked = np.frombuffer(joined.translate(table), np.uint8)
        titles = titles & looked[shift : end - 3 + shift]
    is_letter = (signs[: end - 3] | 32) - np.uint8(ord("a")) < np.uint8(26)
    return np.flatnonzero((titles != 0) & ~is_letter) + 1


def _find_names(signs: _Bytes) -> Places:
    blank = signs[1:-2] == ord(" ")
    blank &= (signs[2:-1] & 0x7F) - np.uint8(0x40) < np.uint8(0x1F)  # capitals, with accents, too
    places = np.flatnonzero(blank) + 1
    is_written = (signs[places + 2] & 32 != 0) & (signs[places - 1] >= ord("a"))
    chosen: Places = places[is_written]
    return chosen


def _find_capitals(signs: _Bytes, heads: Flags) -> Places:
    capital = signs - np.uint8(ord("A")) < np.uint8(26)
    if (signs >= 0xC0).any():
        accented = signs - np.uint8(0xC0) < np.uint8(0x1F)
        capital |= accented & (signs != 0xD7)
    begins = capital[1:] & ~capital[:-1]
    two = capital[1:] & capital[:-1]
    four = two[2:] & two[:-2]
    seven = four[3:] & four[:-3]
    places = np.flatnonzero(begins[: len(seven) - 1] & seven[1:]) + 1
    chosen: Places = places[heads[signs[places].astype(np.uint16) << 8 | signs[places + 1]]]
    return chosen


def _find_quotes(joined: bytes, signs: _Bytes) -> Places:
    places = np.flatnonzero(np.frombuffer(joined.translate(quotes()), np.bool_)[1:-1]) + 1
    behind = (signs[places + 1] & 0x7F) - np.uint8(0x40) < np.uint8(0x1F)
    before = (signs[places - 1] | 32) - np.uint8(ord("a")) < np.uint8(26)
    chosen: Places = places[behind & ~before]
    return chosen


def _find_beside(signs: _Bytes, heads: npt.NDArray[np.uint32]) -> Places:
    """Return where words begin, behind a blank or a bracket, whose first characters are known."""
    begins = np.flatnonzero((signs[: -HEAD - 1] <= ord(" ")) | (signs[: -HEAD - 1] == ord("("))) + 1
    first, second, third = ((signs[begins + at] & 31).astype(np.uint16) for at in range(HEAD - 1))
    codes = first << 10 | second << 5 | third
    chosen: Places = begins[heads[codes] >> (signs[begins + HEAD - 1] & 31) & 1 != 0]
    return chosen


def _find_pairs(signs: _Bytes) -> Places:
    """Return strokes and colons before a small letter, two to four letters behind a line's begin.

    Up to three blanks may stand before the letters.
    """
    places = np.flatnonzero((signs == ord("/")) | (signs == ord(":")))
    places = places[signs[places + 1] - np.uint8(ord("a")) < np.uint8(26)]
    begins = np.zeros(len(places), np.bool_)
    for shift in range(_PAIR_FROM, len(EDGE)):
        before = signs[places - shift]
        begins |= (before == ord("\n")) | (before == ord("\r"))
    chosen: Places = places[begins]
    return chosen
