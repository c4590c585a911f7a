"""What counts as one item in each match mode, and which items of gold and predicted agree.

An item is `(label, start, end)`; items form sets, so a duplicate counts once. Where labels do
not matter every item bears `BINARY_LABEL`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from scrubjay.document import Document, Span
from scrubjay.labels import BINARY_LABEL

Mode = Literal["token", "strict", "relaxed"]
MODES: tuple[Mode, ...] = ("token", "strict", "relaxed")
RELAXED_DISTANCE = 2

Item = tuple[str, int, int]
Items = set[Item]
Matches = dict[str, list[int]]
"""Label -> [true positives, false positives, false negatives]."""

_TOKEN = re.compile(r"[a-zA-Z0-9]+")


def span_items(spans: Iterable[Span], label_of: Callable[[str], str]) -> Items:
    """Return one item per span; `label_of` gives the label under which a span counts."""
    return {(label_of(span.label), span.start, span.end) for span in spans}


def token_items(document: Document, label_of: Callable[[str], str]) -> Items:
    """Return one item per run of ASCII letters and digits inside each span.

    Borders of the runs are those within the span, so a span that begins inside a word yields the
    rest of the word. The rule is that of the i2b2 2014 scorer: other characters, letters with
    accents among them, separate runs and yield nothing.
    """
    text = document.text
    items: Items = set()
    for span in document.spans:
        label = label_of(span.label)
        for run in _TOKEN.finditer(text, span.start, span.end):
            start, end = run.span()
            items.add((label, start, end))
    return items


def count_runs(text: str) -> int:
    """Return how many runs of ASCII letters and digits a text has."""
    return len(_TOKEN.findall(text))


def run_start(text: str, place: int) -> int:
    """Return where the run of ASCII letters and digits begins that has a character at `place`."""
    while place and _TOKEN.match(text, place - 1):
        place -= 1
    return place


def without_labels(items: Items, keep: frozenset[str] | None = None) -> Items:
    """Return the items under `BINARY_LABEL`; only those with a label of `keep` where given."""
    if keep is None:
        return {(BINARY_LABEL, start, end) for _, start, end in items}
    return {(BINARY_LABEL, start, end) for label, start, end in items if label in keep}


def match_exact(gold: Items, predicted: Items) -> Matches:
    """Count the items by label: those in both, in predicted alone, in gold alone."""
    matches: Matches = {}
    for column, items in enumerate((gold & predicted, predicted - gold, gold - predicted)):
        for label, _, _ in items:
            if label not in matches:
                matches[label] = [0, 0, 0]
            matches[label][column] += 1
    return matches


def match_relaxed(gold: Items, predicted: Items) -> Matches:
    """Count the items by label where ends may differ by `RELAXED_DISTANCE` characters.

    Label and start must be equal. Items of one side that lie that close to each other count once
    (the shortest). A predicted item near any of gold is a true positive, a gold item near none
    of predicted a false negative. Where one side has several items with one label and start, the
    i2b2 2014 scorer's own figures depend on the inner workings of Python's sets; apart from that
    the counts are its counts.
    """
    gold_end = {(label, start): end for label, start, end in gold}
    predicted_end = {(label, start): end for label, start, end in predicted}
    if len(gold_end) == len(gold) and len(predicted_end) == len(predicted):
        return _match_ends(gold_end, predicted_end)
    return _match_many_ends(gold, predicted)


def _match_ends(
    gold: Mapping[tuple[str, int], int], predicted: Mapping[tuple[str, int], int]
) -> Matches:
    """Match as `match_relaxed` where no two items of one side share label and start."""
    matches: Matches = {}
    for key, end in predicted.items():
        other = gold.get(key)
        wrong = other is None or abs(end - other) > RELAXED_DISTANCE
        matches.setdefault(key[0], [0, 0, 0])[wrong] += 1
    for key, end in gold.items():
        other = predicted.get(key)
        if other is None or abs(end - other) > RELAXED_DISTANCE:
            matches.setdefault(key[0], [0, 0, 0])[2] += 1
    return matches


def _match_many_ends(gold: Items, predicted: Items) -> Matches:
    """Match as `match_relaxed`, whatever the items are."""
    gold_ends, predicted_ends = _ends_by_start(gold), _ends_by_start(predicted)
    matches: Matches = {}
    for key, ends in predicted_ends.items():
        found = _count_near(ends, gold_ends.get(key, ()))
        row = matches.setdefault(key[0], [0, 0, 0])
        row[0] += found
        row[1] += len(ends) - found
    for key, ends in gold_ends.items():
        missed = len(ends) - _count_near(ends, predicted_ends.get(key, ()))
        if missed:
            matches.setdefault(key[0], [0, 0, 0])[2] += missed
    return matches


def _ends_by_start(items: Items) -> Mapping[tuple[str, int], tuple[int, ...]]:
    ends: dict[tuple[str, int], tuple[int, ...]] = {}
    for label, start, end in sorted(items):
        known = ends.get((label, start), ())
        if not known or end - known[-1] > RELAXED_DISTANCE:
            ends[label, start] = (*known, end)
    return ends


def _count_near(ends: tuple[int, ...], others: tuple[int, ...]) -> int:
    if ends == others:
        return len(ends)
    return sum(any(abs(end - other) <= RELAXED_DISTANCE for other in others) for end in ends)


def merged_borders(spans: Iterable[Span], text: str) -> set[tuple[int, int]]:
    """Return the borders of spans, joined where nothing alphanumeric stands between them.

    As in the MEDDOCAN scorer the joined span ends where its last member ends, even if an earlier
    member reaches further.
    """
    merged: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if merged and not any(map(str.isalnum, text[merged[-1][1] : start])):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return set(merged)
