"""Places in the texts of a batch where keys, titles and runs of capitals may stand.

Mending looks for them in every text, and they are rare: all texts are looked through at once here,
as bytes, and what comes of it is a little more than there is. Who asks looks again at each place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import use_compiled
from scrubjay.taggers._mending.cue_loop import KINDS, compiled_cues, walk_tables
from scrubjay.taggers._mending.cue_places import EDGE, find_places
from scrubjay.taggers._mending.odd_forms import EVERY, find_odd_parts
from scrubjay.taggers._mending.people.person_keys import find_telling
from scrubjay.taggers._mending.rare_steps import find_rare_steps

_KERNEL = ("taggers/_mending/cue_loop.py", "cue_loop")
_SIGNS_A_CUE = 20
"""Signs for each of which there is room for a cue of each kind at first: few notes have more."""


@dataclass(slots=True)
class Cues:
    """Places of a text in order, each kind for itself.

    `keys` are colons and bars behind what may be a key of a person, `titles` where a title may
    begin, `names` blanks between a small letter and a capital before a small one, `capitals` where
    seven capitals in a row begin as a title does, and `quotes` quotation marks before a capital.
    `beside` are where words begin as those do that stand beside a person or a password, and `pairs`
    strokes and colons between initials that a line begins with. `rare_steps` are the bits of the
    steps that the text may need (`rare_steps`), and `odd_parts` those of the parts of odd forms
    and of the names of institutions that it may have (`odd_forms`).
    """

    keys: list[int] = field(default_factory=list)
    titles: list[int] = field(default_factory=list)
    names: list[int] = field(default_factory=list)
    capitals: list[int] = field(default_factory=list)
    quotes: list[int] = field(default_factory=list)
    beside: list[int] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)
    rare_steps: int = 0
    odd_parts: int = EVERY


def find_cues(texts: Sequence[str], language: str) -> list[Cues]:
    """Return the cues of each text; a language that nothing is known of has rare steps alone."""
    if not texts:
        return []
    joined = "\n".join([EDGE[1:], *texts, EDGE[1:]]).encode("latin-1", "replace")
    bounds = np.cumsum([len(EDGE), *(len(text) + 1 for text in texts)])
    steps = find_rare_steps(joined, bounds, language)
    parts = find_odd_parts(joined, bounds, language)
    found = [Cues(rare_steps=one, odd_parts=held) for one, held in zip(steps, parts, strict=True)]
    if find_telling(language) is None:
        return found
    walk = _walk if use_compiled(0, late=_KERNEL) else _search
    for kind, places, cuts in walk(joined, bounds, language):
        for cues, (begin, end) in zip(found, pairwise(cuts), strict=True):
            if begin < end:
                setattr(cues, kind, places[begin:end])
    return found


_Kinds = Iterator[tuple[str, list[int], list[int]]]
"""Kinds of cues with their places, each from the begin of its text, and where those of a text
begin among them."""


def _search(joined: bytes, bounds: npt.NDArray[np.int64], language: str) -> _Kinds:
    """Yield each kind of cues that there are, found by numpy."""
    for kind, places in find_places(joined, language).items():
        if len(places):
            cuts = np.searchsorted(places, bounds)
            yield kind, (places - np.repeat(bounds[:-1], np.diff(cuts))).tolist(), cuts.tolist()


def _walk(joined: bytes, bounds: npt.NDArray[np.int64], language: str) -> _Kinds:
    """Yield what `_search` does, found by the compiled kernel."""
    signs = np.frombuffer(joined, np.uint8)
    counts = np.zeros((len(KINDS), len(bounds)), dtype=np.int64)
    sizes = np.full(len(KINDS), len(signs) // _SIGNS_A_CUE + 1)
    while True:
        starts = np.concatenate(([0], np.cumsum(sizes)))
        places = np.empty(starts[-1], dtype=np.int32)
        compiled_cues()(signs, bounds, *walk_tables(language), places, starts, counts)
        met = counts.sum(axis=1)
        if (met <= sizes).all():
            break
        sizes = met  # all have room in another walk
    for kind, start, cuts in zip(KINDS, starts, np.cumsum(counts, axis=1).tolist(), strict=False):
        if cuts[-1]:
            yield kind, places[start : start + cuts[-1]].tolist(), cuts
