"""One person, one label: whether a name is a patient's or a doctor's is told by all of a document.

A tagger labels each mention by what stands around it. Where the words of a name stand in several
mentions, those with better reasons decide for the others. Initials alone have the label of the full
names that begin with them, and so has "H Young" beside Hope Young.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.borders import may_lose_key
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.glued import may_lose_title

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_INITIALS = re.compile(r"[A-Z]\.?[ ]?[A-Z]\.?(?:[ ]?[A-Z]\.?)?|[A-Z](?:\.[ ]?|[ ])[^\W\d_]{3,}")
_LONGEST_INITIALS = 24
_SHORTEST, _MOST_WORDS = 3, 5
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
        return _named_in_full(text, rows)
    words = [_words(text, span) for span in rows]
    votes: dict[str, dict[str, float]] = {}
    for span, own in zip(rows, words, strict=True):
        weight = 1.0 if span.score is None else span.score
        for word in own:
            row = votes.setdefault(word, {})
            row[span.label] = row.get(span.label, 0.0) + weight
    return _named_in_full(
        text,
        tuple(
            _decided(span, [votes[word] for word in own]) if own else span
            for span, own in zip(rows, words, strict=True)
        ),
    )


def _named_in_full(text: str, rows: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans with initials labelled as the full names that begin with their letters.

    Those of no full name, or of full names of both labels, stay as they are.
    """
    alone = [
        span.label in STAFF_AND_PATIENTS and _is_short(text[span.start : span.end]) for span in rows
    ]
    if not any(alone):
        return rows
    names: dict[str, set[str]] = {}
    for span, is_short in zip(rows, alone, strict=True):
        if span.label in STAFF_AND_PATIENTS and not is_short:
            for letters in _initials(text[span.start : span.end]):
                names.setdefault(letters, set()).add(span.label)
    found = list(rows)
    for place, (span, is_short) in enumerate(zip(rows, alone, strict=True)):
        if is_short:
            labels = names.get(_short(text[span.start : span.end]), set())
            if len(labels) == 1 and span.label not in labels:
                found[place] = replace(span, label=min(labels))
    return tuple(found)


@text_cache(_KEPT)
def _is_short(mention: str) -> bool:
    """Tell whether a mention is initials, or a surname behind one."""
    return len(mention) <= _LONGEST_INITIALS and _INITIALS.fullmatch(mention) is not None


def _short(mention: str) -> str:
    """Return initials without what parts them, and a surname behind one in small letters."""
    parts = [part for part in re.split(r"[. ]+", mention) if part]
    if len(parts) == 2 and len(parts[0]) == 1 and len(parts[1]) >= _SHORTEST:
        return parts[0] + parts[1].lower()
    return "".join(parts)


@text_cache(_KEPT)
def _initials(mention: str) -> tuple[str, ...]:
    """Return how a full name is cut short: the initials of all its words, those of the first and
    the last one, and an initial with the surname."""
    words = _WORD.findall(mention)
    if "," in mention and len(words) > 1:  # "Smith, John"
        words = [*words[1:], words[0]]
    heads = [word[0].upper() for word in words if word[0].isupper()]
    if len(heads) < 2 or len(words) > _MOST_WORDS or len(words[0]) < 2:
        return ()
    return "".join(heads), heads[0] + heads[-1], heads[0] + words[-1].lower()


def _are_shared(text: str, spans: Iterable[Span]) -> bool:
    """Tell whether a word stands in mentions of both labels."""
    labels: dict[str, str] = {}
    for span in spans:
        label = span.label
        if label in STAFF_AND_PATIENTS:
            for word in _read_mention(text, span.start, span.end)[0]:
                if labels.setdefault(word, label) != label:
                    return True
    return False


def may_vote(
    text: str, mentions: Sequence[tuple[int, int, str]], *, speaks_first: bool = True
) -> list[bool]:
    """Tell for which mentions, as start, end and label, scores may decide who is a patient.

    They decide where a word may stand in mentions of both labels: there those of all mentions count
    that share a word with one of these. What others say of a word is not known. Those of a detector
    that `speaks_first` say so outside of these mentions alone, any others of these places, too.
    Borders may still be mended: a mention may lose letters before a name (`borders`, `glued`),
    and gains none. Of very long texts with very many mentions all may: to look for each word takes
    the time of both.
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
        own, is_sure = _read_mention(text, start, end)
        if not is_sure:
            shared.update(own)  # what is left of a word stands in it, and so is found there
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
def _read_name(mention: str) -> tuple[tuple[str, ...], bool]:
    """Return the words of a mention that vote, and whether it keeps them as they are."""
    words = tuple(_long_words(_WORD.findall(mention)))
    return words, not (may_lose_key(mention, 0, len(mention)) or may_lose_title(mention))


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
    return _read_mention(text, span.start, span.end)[0] if span.label in STAFF_AND_PATIENTS else ()


def _read_mention(text: str, start: int, end: int) -> tuple[tuple[str, ...], bool]:
    return _read_name(text[start:end])


def _long_words(words: Iterable[str]) -> list[str]:
    return [word.lower() for word in words if len(word) >= _SHORTEST]
