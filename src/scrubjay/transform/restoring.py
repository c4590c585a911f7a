"""Restoring: from a new text and the record of the vault back to what stood there.

A text that nobody touched comes back exactly. Of a text that was edited, only what is certain
comes back: a replacement whose whole way from the beginning or to the end of the text is
untouched, and one that can be nothing else (see `restore_partly`). A wrong name in a restored
note is worse than a placeholder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.errors import EditedTextError
from scrubjay.transform._vault_records import (
    VaultEntry,
    VaultRecord,
    gap_digest,
    occurrences,
)
from scrubjay.transform.edits import Edit, Edited, apply_edits

MIN_DISTINCT = 4
"""The visible characters of a replacement that is searched for in an edited text."""


@dataclass(frozen=True, slots=True, repr=False)
class Restored:
    """A text after restoring: how many of its replacements came back, and their labels.

    `exact` says that the text is the original, character for character.
    """

    edited: Edited
    labels: tuple[str, ...]
    mentions: int
    exact: bool

    def __repr__(self) -> str:
        state = "exact" if self.exact else "partial"
        return f"Restored({len(self.labels)} of {self.mentions} mentions, {state})"


def restore_exactly(text: str, record: VaultRecord) -> Restored:
    """Return the original text; raises `EditedTextError` where `text` is not that of the record."""
    if not record.fits(text):
        raise EditedTextError(
            f"document {record.document_id!r} was edited since it was written, so that its "
            "replacements cannot be told by their places"
        )
    return _restored(text, record, list(enumerate(record.edits())), exact=True)


def restore_partly(text: str, record: VaultRecord) -> Restored:
    """Return an edited text with those replacements restored that are certain.

    A replacement is restored where all text before it is untouched, or all after it; an empty
    one only where it is untouched on both sides. Where text on both sides was changed, it is
    restored where its value is of at least four visible characters, stood for one original
    alone, stood nowhere else, and does not stand there more often than it was written.
    Everything else stays as it is.
    """
    if record.fits(text):
        return restore_exactly(text, record)
    entries = record.entries
    head = _untouched_head(text, entries)
    begin = entries[head - 1].end if head else 0
    tail = _untouched_tail(text, record, head=head, begin=begin)
    shift = len(text) - record.size
    end = entries[tail].start + shift if tail < len(entries) else len(text)
    edits = list(enumerate(record.edits()[:head]))
    edits += _search(text, entries, range(head, tail), begin=begin, end=end)
    edits += [
        (number, Edit(entry.start + shift, entry.end + shift, entry.original))
        for number, entry in enumerate(entries[tail:], start=tail)
    ]
    return _restored(text, record, edits, exact=False)


def _restored(
    text: str, record: VaultRecord, edits: Sequence[tuple[int, Edit]], *, exact: bool
) -> Restored:
    edited = apply_edits(text, [edit for _, edit in edits], empty="insert")
    labels = tuple(record.entries[number].label for number, _ in edits)
    return Restored(edited, labels, len(record.entries), exact)


def _untouched_head(text: str, entries: Sequence[VaultEntry]) -> int:
    """Return how many entries stand where they stood, with all text before them untouched.

    An empty one at the end does not count: what was typed after it may stand before it.
    """
    position, count = 0, 0
    for entry in entries:
        known = gap_digest(text[position : entry.start]) == entry.gap
        if not known or not text.startswith(entry.replacement, entry.start):
            break
        position = entry.end
        count += 1
    while count and not entries[count - 1].replacement and entries[count - 1].end == position:
        count -= 1
    return count


def _untouched_tail(text: str, record: VaultRecord, *, head: int, begin: int) -> int:
    """Return the number of the first entry from which on all text is untouched.

    It is at least `head`, and no entry from it on begins before `begin`. An empty entry at the
    beginning does not count, as for the head.
    """
    entries, shift = record.entries, len(text) - record.size
    first, position, gap = len(entries), len(text), record.tail
    for number in range(len(entries) - 1, head - 1, -1):
        entry = entries[number]
        start, end = entry.start + shift, entry.end + shift
        if start < begin or gap_digest(text[end:position]) != gap:
            break
        if text[start:end] != entry.replacement:
            break
        first, position, gap = number, start, entry.gap
    while (
        first < len(entries)
        and not entries[first].replacement
        and entries[first].start + shift == position
    ):
        first += 1
    return first


def _search(
    text: str, entries: Sequence[VaultEntry], numbers: range, *, begin: int, end: int
) -> list[tuple[int, Edit]]:
    """Return the edits for the entries of `numbers` whose value can be nothing else."""
    waiting: dict[str, list[int]] = {}
    for number in numbers:
        waiting.setdefault(entries[number].value, []).append(number)
    certain = _certain(entries)
    wanted = {value for value in waiting if value in certain}
    found: list[tuple[int, str]] = []
    position = begin
    for start, value in occurrences(text, wanted):
        if position <= start and start + len(value) <= end:
            found.append((start, value))
            position = start + len(value)
    often = Counter(value for _, value in found)
    edits: list[tuple[int, Edit]] = []
    for start, value in found:
        if often[value] <= len(waiting[value]):
            # Any of the entries does: their originals are the same.
            number = waiting[value][0]
            original = entries[number].original.rstrip(" ")
            edits.append((number, Edit(start, start + len(value), original)))
    return edits


def _certain(entries: Sequence[VaultEntry]) -> set[str]:
    """Return the replacements that stood for one original alone, and nowhere else."""
    originals: dict[str, set[str]] = {}
    for entry in entries:
        originals.setdefault(entry.value, set()).add(_plain(entry.original))
    return {
        entry.value
        for entry in entries
        if entry.alone
        and len(originals[entry.value]) == 1
        and sum(not mark.isspace() for mark in entry.value) >= MIN_DISTINCT
    }


def _plain(original: str) -> str:
    """Return what mentions are compared by: "ROE, Jane" and "Roe, Jane" are one original."""
    return " ".join(original.casefold().split())
