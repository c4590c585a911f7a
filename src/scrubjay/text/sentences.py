"""Sentences of clinical text, as indices of the first token of each."""

from __future__ import annotations

import re
from typing import Literal

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError

IntArray = npt.NDArray[np.int32]
SentenceMode = Literal["clinical", "line", "none"]
SENTENCE_MODES: tuple[SentenceMode, ...] = ("clinical", "line", "none")

_LINE_END = re.compile(r"\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def require_sentence_mode(name: str) -> SentenceMode:
    """Return the mode of that name; raises `ConfigError` for an unknown one."""
    for mode in SENTENCE_MODES:
        if mode == name:
            return mode
    known = ", ".join(SENTENCE_MODES)
    raise ConfigError(f"unknown way to find sentences {name!r}", hint=f"Known: {known}")


def find_sentences(text: str, starts: IntArray, ends: IntArray, mode: SentenceMode) -> IntArray:
    """Return the index (int32) of the first token of each sentence, ascending."""
    if len(starts) == 0:
        return np.zeros(0, np.int32)
    offsets = [0]
    if mode != "none":
        offsets += [match.end() for match in _LINE_END.finditer(text)]
    first = np.unique(np.searchsorted(starts, offsets))
    return first[first < len(starts)].astype(np.int32)
