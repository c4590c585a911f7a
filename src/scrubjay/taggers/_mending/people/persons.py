"""One person, one label: whether a name is a patient's or a doctor's is told by all of a document.

A tagger labels each mention by what stands around it. Where the words of a name stand in several
mentions, those with better reasons decide for the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SHORTEST = 3
"""Letters of a word that votes."""

_KEPT = 8192
"""Mentions whose words are remembered."""

_MOST_LOOKS = 10_000_000
"""Characters times mentions up to which each word is looked for in all of the text: it takes some
milliseconds."""


def agree_persons(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans with the same label on mentions that share the words of a name.

    Each mention gives its score to its label, for each of its words of three letters at least. A
    mention takes the label that its words have more of than of its own. Borders stay.
    """
    rows = tuple(spans)
    if not STAFF_AND_PATIENTS.issubset([span.label for span in rows]):
        return rows  # there is nothing to agree on
    if not _are_shared(text, rows):
        return rows
    words = [_words(text, span) for span in rows]
    votes: dict[str, dict[str, float]] = {}
    for span, own in zip(rows, words, strict=True):
        weight = 1.0 if span.score is None else span.score
        for word in own:
            row = votes.setdefault(word, {})
            row[span.label] = row.get(span.label, 0.0) + weight
    return tuple(
        _decided(span, [votes[word] for word in own]) if own else span
        for span, own in zip(rows, words, strict=True)
    )


def _are_shared(text: str, spans: Iterable[Span]) -> bool:
    """Tell whether a word stands in mentions of both labels."""
    labels: dict[str, str] = {}
    for span in spans:
        label = span.label
        if label in STAFF_AND_PATIENTS:
            for word in _read_name(text[span.start : span.end]):
                if labels.setdefault(word, label) != label:
                    return True
    return False


def may_vote(
    text: str, mentions: Sequence[tuple[int, int, str]], *, speaks_first: bool = True
) -> list[bool]:
    """Tell for which mentions, as start, end and label, scores may decide who is a patient.

    They decide where a word may stand in mentions of both labels: there those of all mentions count
    that share a word with one of these. What others say of a word is not known. Those of a detector
    that `speaks_first` say so outside of these mentions alone, any others of these places, too. Of
    very long texts with very many mentions all may: to look for each word takes the time of both.
    """
    if "Σ" in text or len(text) * len(mentions) > _MOST_LOOKS:
        # The small letter of "Σ" depends on what follows the word.
        return [label in STAFF_AND_PATIENTS for _, _, label in mentions]
    words: list[Sequence[str]] = []
    labels: dict[str, list[str]] = {}
    shared: set[str] = set()
    for start, end, label in mentions:
        if label not in STAFF_AND_PATIENTS:
            words.append(())
            continue
        own = _read_name(text[start:end])
        words.append(own)
        for word in own:
            labels.setdefault(word, []).append(label)
    lower = text.lower() if labels else ""
    for word, given in labels.items():
        known = len(given) if speaks_first else 1
        if lower.count(word) > known or given.count(given[0]) < len(given):
            shared.add(word)
    if not shared:  # as in most texts
        return [False] * len(mentions)
    counted = {word for own in words if not shared.isdisjoint(own) for word in own}
    return [not counted.isdisjoint(own) for own in words]


@text_cache(_KEPT)
def _read_name(mention: str) -> tuple[str, ...]:
    """Return the words of a mention that vote."""
    return tuple(word.lower() for word in _WORD.findall(mention) if len(word) >= _SHORTEST)


def _decided(span: Span, votes: Sequence[dict[str, float]]) -> Span:
    """Return a span with the label that has most votes, those for each of its words together."""
    if all(len(shares) == 1 for shares in votes):  # all for its own
        return span
    total: dict[str, float] = {span.label: 0.0}
    for shares in votes:
        for label, share in shares.items():
            total[label] = total.get(label, 0.0) + share
    best = min(total, key=lambda label: (-total[label], label))
    return replace(span, label=best) if total[best] > total[span.label] else span


def _words(text: str, span: Span) -> Sequence[str]:
    return _read_name(text[span.start : span.end]) if span.label in STAFF_AND_PATIENTS else ()
