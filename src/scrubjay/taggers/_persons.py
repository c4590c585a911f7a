"""One person, one label: whether a name is a patient's or a doctor's is told by all of a document.

A tagger labels each mention by what stands around it. Where the words of a name stand in several
mentions, those with better reasons decide for the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from scrubjay.document import Span

PERSONS = frozenset({"DOCTOR", "PATIENT"})
"""The labels between which a document decides: those of i2b2 2014."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SHORTEST = 3


def agree_persons(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans with the same label on mentions that share the words of a name.

    Each mention gives its score to its label, for each of its words of three letters at least. A
    mention takes the label that its words have more of than of its own. Borders stay.
    """
    rows = tuple(spans)
    votes: dict[str, dict[str, float]] = {}
    for span in rows:
        for word in _words(text, span):
            row = votes.setdefault(word, {})
            row[span.label] = row.get(span.label, 0.0) + _weight(span)
    return tuple(_decided(text, span, votes) if span.label in PERSONS else span for span in rows)


def _decided(text: str, span: Span, votes: dict[str, dict[str, float]]) -> Span:
    total: dict[str, float] = {span.label: 0.0}
    for word in _words(text, span):
        for label, share in votes[word].items():
            total[label] = total.get(label, 0.0) + share
    best = min(total, key=lambda label: (-total[label], label))
    return replace(span, label=best) if total[best] > total[span.label] else span


def _words(text: str, span: Span) -> Iterator[str]:
    if span.label in PERSONS:
        for word in _WORD.findall(text, span.start, span.end):
            if len(word) >= _SHORTEST:
                yield word.lower()


def _weight(span: Span) -> float:
    return 1.0 if span.score is None else span.score
