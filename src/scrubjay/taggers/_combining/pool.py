"""A pool: one chain out of what several taggers say of each tag and each move.

The scores of the taggers are added up, each times its weight, and the best path through the sum
is the answer: a logarithmic opinion pool of conditional random fields, which is one itself (Smith,
Cohn and Osborne 2005, *Logarithmic opinion pools for conditional random fields*). Where one tagger
doubts, another decides; a span that one alone proposes has to outweigh the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from scrubjay.taggers._combining.candidates import Proposals
from scrubjay.taggers._combining.cascade import doubtful_ranges
from scrubjay.taggers._combining.combiners import Arrayless, Asked, Spans
from scrubjay.taggers._decoding.chain import ChainDecoder, Reading, Scores
from scrubjay.taggers._decoding.posterior import MarginalDecoder
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.tags import IndexArray, Scheme

#: What others than the tag of the path may have of a token's probability before it is in doubt,
#: where that tag is not `O` (`cascade.py`).
DOUBT = 0.01

#: The score of what cannot be, finite so that sums of it are numbers.
_NEVER = -1e9

#: Tokens whose scores are added up at a time: as many as the caches of a core hold.
_ROWS = 256

Decode = Literal["path", "marginals"]
"""How a pool decides: the best path, or the best of marginals (`_decoding/posterior.py`)."""


@dataclass(frozen=True, slots=True)
class Pool(Arrayless):
    """Decodes the weighted sum of the members' scores.

    All members are taggers over the same tokens; the stretches of the path are those of the
    first that is not late. The weights are above 0 and count in proportion to each other. Tags are
    those of the finest scheme among the members. What a member does not know, it takes for `O`
    where it is a label, and for as unlikely as its least likely move where it is a tag that it has
    never seen. Dials of members count with their weights, and `dial` comes to them. A score is the
    probability of the path in the pool. `decode` says what is decoded: its scores, or the
    marginal probabilities that follow from them.

    Members that are `late` are asked where the others doubt (`cascade.py`): around tokens where
    their pool gives other tags than that of its path a probability of at least `doubt`, ten
    times that where the path has `O`. Elsewhere the others have all the say.
    """

    members: tuple[str, ...]
    weights: tuple[float, ...]
    scores: Scores = "path"
    decode: Decode = "path"
    late: tuple[str, ...] = ()
    doubt: float = DOUBT

    turns_members: ClassVar[bool] = False
    asked: ClassVar[Asked] = "scores"

    def __post_init__(self) -> None:
        fits = len(self.weights) == len(self.members) and all(w > 0 for w in self.weights)
        if not (fits and sum(self.weights) < np.inf):
            raise ValueError("each member has a weight above 0, and the sum is a number")
        if self.decode not in get_args(Decode):
            raise ValueError(f"unknown way to decode {self.decode!r}")
        if self.late and not set(self.late) < set(self.members):
            raise ValueError("those that are late are no members, or all of them are")
        if not 0 < self.doubt < 1:
            raise ValueError("a doubt is a probability")

    def seek_doubts(self, readings: Mapping[str, Reading | None], *, dial: float) -> IndexArray:
        """Return the token ranges (k, 2) for which late members are to be asked.

        `readings` are those of the others by name, at least; `dial` is that of the pool.
        """
        early = [
            (n, w) for n, w in zip(self.members, self.weights, strict=True) if n not in self.late
        ]
        whole = sum(weight for _, weight in early)
        pooled = pool_readings(
            [_present(readings.get(name)) for name, _ in early],
            [weight / whole for _, weight in early],
            dial=dial,
        )
        return doubtful_ranges(pooled, doubt=self.doubt)

    def combine(self, proposals: Proposals, *, source: str = "", dial: float = 0.0) -> Spans:
        shares = [weight / sum(self.weights) for weight in self.weights]
        pooled = pool_readings(list(map(_present, proposals.readings)), shares, dial=dial)
        if self.decode == "marginals":
            pooled = _by_marginals(pooled)
        return pooled.spans(source=source + "+".join(self.members), scores=self.scores)

    def record(self) -> dict[str, Any]:
        record: dict[str, Any] = {"method": "pool", "weights": list(self.weights)}
        if self.decode != "path":
            record["decode"] = self.decode
        return record | ({"late": list(self.late), "doubt": self.doubt} if self.late else {})


def _by_marginals(reading: Reading) -> Reading:
    one = reading.decoder
    decoder = MarginalDecoder(
        one.transitions, scheme=one.scheme.name, labels=one.labels, dial=one.dial
    )
    return Reading(decoder, reading.scores, reading.bounds, reading.batch)


def _present(reading: Reading | None) -> Reading:
    if reading is None:
        raise ValueError("a member of a pool has no scores")
    return reading


def pool_readings(readings: Sequence[Reading], shares: Sequence[float], *, dial: float) -> Reading:
    """Return one reading out of several of the same tokens, each with its share of the say.

    One that has scores for some tokens alone leaves its share of the others to the rest; there no
    token gets a label that only it knows. The stretches are those of the first that has scores for
    all; raises `ValueError` where none has.
    """
    pooled, tags = pool_decoders([reading.decoder for reading in readings], shares, dial=dial)
    first = next((reading for reading in readings if reading.known is None), None)
    if first is None:
        raise ValueError("no member of the pool has scores for all tokens")
    scores = np.zeros((len(first.scores), len(pooled.transitions)))
    given, whole = np.zeros(len(scores)), 0.0
    for reading, own, share in zip(readings, tags, shares, strict=True):
        if len(reading.scores) != len(scores):
            raise ValueError("the members of a pool see different tokens")
        if "decoded" in vars(reading):
            raise ValueError("the scores of a reading are pooled before its paths are sought")
        _add_share(scores, reading, own, share)
        given[slice(None) if reading.known is None else reading.known] += share
        whole += share
    # Where all speak the sum stays as it is, to the last bit: it is taken times 1.
    scores *= (whole / given)[:, None]
    some = np.flatnonzero(given != whole)
    if any((own[1:] == 0).any() for own in tags):
        # To those who do not know it a label is as likely as `O`, and a dial would choose it.
        heard = np.zeros((len(some), scores.shape[1]), dtype=np.bool_)
        heard[:, 0] = True
        for reading, own in zip(readings, tags, strict=True):
            speaks = slice(None) if reading.known is None else reading.known[some]
            heard[speaks] |= own != 0
        scores[some] = np.where(heard, scores[some], _NEVER)
    return Reading(pooled, scores, first.bounds, first.batch)


def _add_share(
    scores: FloatArray, reading: Reading, own: npt.NDArray[np.int64], share: float
) -> None:
    """Add the share of a member to the scores of the pool, where it speaks.

    By some rows at a time: arrays of all tokens would be fetched from memory again for each step.
    """
    rows = None if reading.known is None else np.flatnonzero(reading.known)
    is_same = np.array_equal(own, np.arange(reading.scores.shape[1]))
    for begin in range(0, len(scores) if rows is None else len(rows), _ROWS):
        some = slice(begin, begin + _ROWS)
        chosen = some if rows is None else rows[some]
        values = reading.scores[chosen]
        scores[chosen] += share * (values if is_same else values.take(own, axis=1))


def pool_decoders(
    decoders: Sequence[ChainDecoder], shares: Sequence[float], *, dial: float
) -> tuple[ChainDecoder, list[npt.NDArray[np.int64]]]:
    """Return the chain of a pool, and for each member which of its tags stands for each of that.

    Its labels are sorted. Raises `ValueError` for moves that are neither numbers nor -inf.
    """
    scheme = max((one.scheme for one in decoders), key=lambda scheme: len(scheme.prefixes))
    labels = tuple(sorted({label for one in decoders for label in one.labels}))
    size = 1 + len(labels) * len(scheme.prefixes)
    moves = np.zeros((size, size))
    given = np.zeros(size, dtype=np.bool_)
    given[0] = True
    tags = [_own_tags(decoder, scheme, labels) for decoder in decoders]
    for decoder, own, share in zip(decoders, tags, shares, strict=True):
        moves += share * _softened(decoder.transitions)[np.ix_(own, own)]
        reached = np.flatnonzero(np.isfinite(decoder.transitions).any(axis=0))
        given |= np.isin(own, reached[reached > 0])
    moves[:, ~given] = -np.inf
    dial += sum(share * decoder.dial for decoder, share in zip(decoders, shares, strict=True))
    return ChainDecoder(moves, scheme=scheme.name, labels=labels, dial=dial), tags


def _own_tags(
    decoder: ChainDecoder, scheme: Scheme, labels: Sequence[str]
) -> npt.NDArray[np.int64]:
    """Return for each tag of the pool the one that a member has for it, 0 (`O`) for none."""
    own, width = decoder.scheme, len(decoder.scheme.prefixes)
    roles = {
        prefix: next(
            getattr(own, role)
            for role in ("first", "inner", "last", "only")
            if getattr(scheme, role) == prefix
        )
        for prefix in range(len(scheme.prefixes))
    }
    known = {label: 1 + number * width for number, label in enumerate(decoder.labels)}
    tags = [0]
    for label in labels:
        tags += [known[label] + role if label in known else 0 for role in roles.values()]
    return np.array(tags, dtype=np.int64)


def _softened(transitions: FloatArray) -> FloatArray:
    """Return the moves with those that cannot be as unlikely as the least likely that can."""
    possible = ~np.isneginf(transitions)
    if not np.isfinite(transitions[possible]).all():
        raise ValueError("the moves of a member of a pool are no finite numbers")
    least = float(transitions[possible].min()) if possible.any() else 0.0
    return np.where(possible, transitions, least)
