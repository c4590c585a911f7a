"""The subword tokenizer: every character parts, save runs of letters and runs of digits."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from scrubjay.text.characters import (
    DIGIT,
    LOWER,
    OTHER,
    SPACE,
    UPPER,
    IntArray,
    Units,
)

UppercasePolicy = Literal["camel", "every", "none"]
BoolArray = npt.NDArray[np.bool_]

_KINDS = (SPACE, LOWER, UPPER, DIGIT, OTHER)


def whitespace_bounds(units: Units) -> tuple[IntArray, IntArray]:
    """Return the bounds of the runs of characters that are not white space."""
    solid = units.kinds != SPACE
    begins = solid.copy()
    begins[1:] &= ~solid[:-1]
    return _bounds(units, begins, solid)


def subword_bounds(units: Units, *, uppercase: UppercasePolicy) -> tuple[IntArray, IntArray]:
    """Return the bounds of the subwords of Zhao 2020 (before byte pair encoding).

    Runs of letters and runs of digits are tokens, every other character is one. Letters part
    further at upper case: with `camel` before a capital that follows another letter class
    (`HealthCare` -> `Health Care`) and before the last capital of a run that two lower-case
    letters follow (`USMeaningful` -> `US Meaningful`, but `MRSA` and `RBCs` stay); with
    `every` before each upper-case letter; with `none` nowhere.
    """
    kinds = units.kinds
    solid = kinds != SPACE
    begins = np.empty(len(kinds), np.bool_)
    begins[:1] = solid[:1]
    begins[1:] = parting_pairs(uppercase)[kinds[:-1], kinds[1:]]
    if uppercase == "camel" and len(kinds) > 3:
        upper, lower = kinds == UPPER, kinds == LOWER
        begins[1:-2] |= upper[:-3] & upper[1:-2] & lower[2:-1] & lower[3:]
    return _bounds(units, begins, solid)


@cache
def parting_pairs(uppercase: UppercasePolicy) -> BoolArray:
    """Return, for each pair of classes, whether a token begins between the two."""
    table = np.zeros((len(_KINDS), len(_KINDS)), np.bool_)
    letters = (LOWER, UPPER)
    for before in _KINDS:
        for after in _KINDS:
            same_run = (before in letters and after in letters) or before == after == DIGIT
            table[before, after] = after != SPACE and not same_run
    if uppercase != "none":
        table[LOWER, UPPER] = True
    if uppercase == "every":
        table[UPPER, UPPER] = True
    table.setflags(write=False)
    return table


def _bounds(units: Units, begins: BoolArray, solid: BoolArray) -> tuple[IntArray, IntArray]:
    """Return starts and ends of the tokens; a token ends where the next or a space begins."""
    edges = begins.copy()
    edges[1:] |= solid[:-1] & ~solid[1:]
    places = np.append(np.flatnonzero(edges), len(begins))
    chosen = np.flatnonzero(begins[places[:-1]])
    return units.to_characters(places[chosen]), units.to_characters(places[chosen + 1])
