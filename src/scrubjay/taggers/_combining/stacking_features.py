"""What a stacker looks at: the features of candidates (Zhao 2020, Ensemble Method; Kim 2015).

Which members propose a candidate and how sure they are, its label, what they propose instead,
its lengths, its place, the rules behind it, and how far clinical terms cover it. Never its words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from scrubjay.document import Document
from scrubjay.features.phrases import PIECE
from scrubjay.features.protected import BARE_EPONYM, find_protected
from scrubjay.taggers._combining.candidates import (
    BoolArray,
    Candidates,
    FloatArray,
    IntArray,
    count_words,
    overlapping_pairs,
)

_PIECE = re.compile(PIECE)
_LOG_ODDS_LIMIT = 6.0

#: How an overlapping candidate of a member relates to the one in question.
_RIVALRIES = ("other-label", "other-borders", "other-both")
_PLACES = (
    "log-characters", "log-words", "log-pieces", "share-of-document", "log-column",
    "share-of-line", "begins-line", "ends-line",
)  # fmt: skip
_PROTECTED = (
    "protected-share", "protected-phrase-share", "protected-beyond", "eponym-word-share",
)  # fmt: skip
_RIVALS = ("rivals", "rival-members", "best-rival-score", "rival-around", "rival-inside")


@dataclass(frozen=True, slots=True)
class FeatureLayout:
    """The columns of a feature table.

    `scored` are the members that give probabilities, `opining` those that say of any candidate
    how likely it is; `rules` are the rules, as (member, name), that have a column of their own.
    `protected` is the language of the clinical terms that a candidate is compared with, empty
    for none: layouts of earlier releases have none.
    """

    members: tuple[str, ...]
    scored: tuple[str, ...]
    labels: tuple[str, ...]
    rules: tuple[tuple[str, str], ...] = ()
    opining: tuple[str, ...] = ()
    protected: str = ""

    def names(self) -> tuple[str, ...]:
        """Return the name of each column."""
        return tuple(self._names())

    def _names(self) -> Iterator[str]:
        yield from (f"proposed:{member}" for member in self.members)
        yield "proposed"
        for member in self.scored:
            yield from (f"score:{member}", f"log-odds:{member}")
        for member in self.opining:
            yield from (f"opinion:{member}", f"opinion-log-odds:{member}")
        for rivalry in _RIVALRIES:
            yield from (f"{rivalry}:{member}" for member in self.members)
        yield from _RIVALS
        yield from _PLACES
        yield from (f"label:{label}" for label in self.labels)
        yield from (f"rule:{member}:{name}" for member, name in self.rules)
        yield from _PROTECTED if self.protected else ()


def choose_rules(
    candidates: Candidates, members: Sequence[str], *, most: int, least: int
) -> tuple[tuple[str, str], ...]:
    """Return the `most` frequent rules behind at least `least` candidates, sorted."""
    counts = Counter(pair for pairs in candidates.rules for pair in set(pairs))
    kept = sorted(counts, key=lambda pair: (-counts[pair], pair))[:most]
    return tuple(sorted((members[m], name) for m, name in kept if counts[m, name] >= least))


def make_features(
    layout: FeatureLayout, candidates: Candidates, documents: Sequence[Document]
) -> FloatArray:
    """Return the features of candidates, shape (n, columns), neither scaled nor rounded."""
    proposed = candidates.proposed.astype(np.float64)
    columns = [
        proposed,
        proposed.mean(axis=1, keepdims=True),
        _probabilities(layout.members, layout.scored, candidates.scores),
        _probabilities(layout.members, layout.opining, candidates.opinions),
        _rivals(candidates),
        _places(candidates, documents),
        (candidates.labels[:, None] == np.arange(len(layout.labels))).astype(np.float64),
        _rules(layout, candidates),
    ]
    if layout.protected:
        columns.append(_protected(layout.protected, candidates, documents))
    return np.concatenate(columns, axis=1)


def _probabilities(members: Sequence[str], giving: Sequence[str], table: FloatArray) -> FloatArray:
    """Return probability and log-odds of each member that gives any; 0 where it gives none."""
    blocks = []
    limit = 1.0 / (1.0 + np.exp(_LOG_ODDS_LIMIT))
    for number, member in enumerate(members):
        if member in giving:
            values = table[:, number]
            known = np.isfinite(values)
            inside = np.clip(np.where(known, values, 0.5), limit, 1.0 - limit)
            blocks += [np.where(known, values, 0.0), np.log(inside / (1.0 - inside))]
    return np.stack(blocks, axis=1) if blocks else np.zeros((len(table), 0))


def _rivals(candidates: Candidates) -> FloatArray:
    """Return what overlapping candidates say: which members propose what else, and how surely."""
    count, members = candidates.proposed.shape
    one, other = overlapping_pairs(candidates)
    starts, ends, labels = candidates.starts, candidates.ends, candidates.labels
    same_borders = (starts[one] == starts[other]) & (ends[one] == ends[other])
    same_label = labels[one] == labels[other]
    kinds = (same_borders, ~same_borders & same_label, ~same_borders & ~same_label)
    blocks = [_any_of(one[chosen], candidates.proposed[other[chosen]], count) for chosen in kinds]
    behind = _any_of(one, candidates.proposed[other], count)
    surest = np.where(np.isnan(candidates.scores), 0.0, candidates.scores).max(axis=1, initial=0.0)
    best = np.zeros(count)
    np.maximum.at(best, one, surest[other])
    around = ~same_borders & (starts[other] <= starts[one]) & (ends[one] <= ends[other])
    inside = ~same_borders & (starts[one] <= starts[other]) & (ends[other] <= ends[one])
    summary = [
        np.log1p(np.bincount(one, minlength=count)),
        behind.sum(axis=1) / max(1, members),
        best,
        np.bincount(one[around], minlength=count) > 0,
        np.bincount(one[inside], minlength=count) > 0,
    ]
    return np.concatenate([*blocks, np.stack(summary, axis=1)], axis=1).astype(np.float64)


def _any_of(rows: IntArray, flags: BoolArray, count: int) -> BoolArray:
    """Return for each row whether any of its flags is set, column by column."""
    found = np.zeros((count, flags.shape[1]), dtype=np.bool_)
    np.logical_or.at(found, rows, flags)
    return found


def _places(candidates: Candidates, documents: Sequence[Document]) -> FloatArray:
    """Return lengths, the place in the document and in the line."""
    rows = np.zeros((len(candidates), len(_PLACES)))
    words = count_words(candidates, documents)
    starts, ends = candidates.starts.tolist(), candidates.ends.tolist()
    for row, number in enumerate(candidates.documents.tolist()):
        text, start, end = documents[number].text, starts[row], ends[row]
        begin = text.rfind("\n", 0, start) + 1
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop
        rows[row] = (
            end - start,
            words[row],
            len(_PIECE.findall(text, start, end)),
            start / len(text),
            start - begin,
            (start - begin) / (stop - begin),
            not text[begin:start].strip(),
            not text[end:stop].strip(" \t\r.,;:"),
        )
    logarithmic = [name.startswith("log-") for name in _PLACES]
    rows[:, logarithmic] = np.log1p(rows[:, logarithmic])
    return rows


def _protected(language: str, candidates: Candidates, documents: Sequence[Document]) -> FloatArray:
    """Return how far clinical terms cover a candidate, as shares of its characters.

    Of all terms but bare eponyms, of those of several words, whether such a term reaches beyond
    the candidate ("Murphy" in "Murphy's sign"), and of bare eponyms.
    """
    rows = np.zeros((len(candidates), len(_PROTECTED)))
    terms = {
        number: list(find_protected(documents[number].text, language))
        for number in np.unique(candidates.documents).tolist()
    }
    begins = {number: [term.start for term in found] for number, found in terms.items()}
    places = zip(
        candidates.documents.tolist(),
        candidates.starts.tolist(),
        candidates.ends.tolist(),
        strict=True,
    )
    for row, (number, start, end) in enumerate(places):
        # Terms are disjoint: but for the one before, none that begins earlier reaches so far.
        place = max(bisect_right(begins[number], start) - 1, 0)
        for term in islice(terms[number], place, None):
            if term.start >= end:
                break
            share = max(min(end, term.end) - max(start, term.start), 0) / (end - start)
            if term.kind == BARE_EPONYM:
                rows[row, 3] += share
            elif share:
                rows[row, 0] += share
                rows[row, 1] += share if term.words > 1 else 0.0
                rows[row, 2] = max(rows[row, 2], term.start < start or end < term.end)
    return rows


def _rules(layout: FeatureLayout, candidates: Candidates) -> FloatArray:
    column = {
        (layout.members.index(member), name): number
        for number, (member, name) in enumerate(layout.rules)
    }
    flags = np.zeros((len(candidates), len(column)))
    for row, pairs in enumerate(candidates.rules):
        for pair in pairs:
            if pair in column:
                flags[row, column[pair]] = 1.0
    return flags
