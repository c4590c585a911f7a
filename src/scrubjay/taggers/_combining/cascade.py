"""Cascades: slow members of a pool are asked where the fast ones doubt, and nowhere else.

Most tokens of a note are plain to the fastest tagger, and the best one would say the same of
them. A cascade (Viola and Jones 2001, *Rapid object detection using a boosted cascade of simple
features*) gives the slow reader what is open, with its surroundings.
"""

from __future__ import annotations

import numpy as np

from scrubjay.taggers._decoding.chain import Reading, text_offsets
from scrubjay.taggers._decoding.probabilities import segment_probabilities
from scrubjay.tags import IndexArray
from scrubjay.text.tokens import IntArray

#: A token that the path leaves outside is in doubt from this many times `doubt`. Most tokens are
#: outside, and a slower reader finds PHI hardly ever where the fast ones give it a few hundredths;
#: where they find some, it often has another label or none.
OUTSIDE = 10.0

#: Tokens on both sides of a doubtful one that are asked for, too: a mention is rarely longer.
REACH = 8

#: A text of which more than this share is asked for is read as a whole: that costs little more.
MOST = 0.5

#: Ranges with fewer tokens between them are joined: to read on costs less than to begin anew.
JOIN = 24


def doubtful_ranges(reading: Reading, *, doubt: float) -> IndexArray:
    """Return the token ranges (k, 2) of a batch in which a reading is not sure of its path.

    A token is doubtful where other tags than that of the path have a probability of at least
    `doubt`, or ten times that (`OUTSIDE`; a half at most) where the path has `O`, judged at the
    dial of the reading. Ranges are half-open, sorted and disjoint, and none crosses from one text
    into another.
    """
    decoder, decoded = reading.decoder, reading.decoded
    places = np.arange(len(decoded.tags), dtype=np.int64)
    scores = reading.scores
    outside = scores[:, 0].copy()
    scores[:, 0] -= decoder.dial
    try:
        sure = segment_probabilities(
            scores,
            decoded.bounds,
            decoder.transitions,
            np.stack([places, places + 1], axis=1),
            decoded.tags,
        )
    finally:
        scores[:, 0] = outside
    allowed = np.where(decoded.tags == 0, max(doubt, min(OUTSIDE * doubt, 0.5)), doubt)
    # What is no number is no certainty.
    doubtful = np.flatnonzero(~(sure > 1.0 - allowed))
    texts = text_offsets(reading.batch)
    return fill_up(widen(doubtful, texts, reach=REACH, join=JOIN), texts, most=MOST)


def fill_up(ranges: IndexArray, texts: IntArray, *, most: float) -> IndexArray:
    """Return the ranges (k, 2), with one for the whole of a text where they are `most` of it."""
    text = np.searchsorted(texts, ranges[:, 0], side="right") - 1
    asked = np.bincount(text, weights=ranges[:, 1] - ranges[:, 0], minlength=len(texts) - 1)
    whole = np.flatnonzero(asked > most * np.diff(texts))
    wide = np.stack([texts[whole], texts[whole + 1]], axis=1)
    kept = np.concatenate([ranges[~np.isin(text, whole)], wide])
    return kept[np.argsort(kept[:, 0], kind="stable")].astype(np.int64)


def widen(places: IndexArray, texts: IntArray, *, reach: int, join: int) -> IndexArray:
    """Return the ranges (k, 2) of the tokens around sorted places, within their texts.

    `texts` (t + 1,) are the borders of the texts. Ranges that touch or have fewer than `join`
    tokens between them are one.
    """
    if not len(places):
        return np.zeros((0, 2), dtype=np.int64)
    text = np.searchsorted(texts, places, side="right") - 1
    starts = np.maximum(places - reach, texts[text])
    ends = np.minimum(places + reach + 1, texts[text + 1])
    fresh = (text[1:] != text[:-1]) | (starts[1:] >= ends[:-1] + max(1, join))
    firsts = np.flatnonzero(np.concatenate([[True], fresh]))
    lasts = np.append(firsts[1:], len(places)) - 1
    return np.stack([starts[firsts], ends[lasts]], axis=1).astype(np.int64)
