"""The scoring programs again, as plainly as they can be said: lists, loops, no shortcuts."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scrubjay.document import Document, Span
from scrubjay.evaluation.pairs import Pair

Item = tuple[str, str, int, int]
"""Category, label, start, end."""

Equal = Callable[[Item, Item], bool]

HIPAA = (
    *("PATIENT", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "PHONE", "FAX", "EMAIL"),
    *("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE"),
    *("BIOID", "AGE"),
)


def i2b2_counts(pair: Pair, name: str, categories: Mapping[str, str]) -> tuple[int, int, int]:
    """Return the counts of one pair in the evaluation of that official name."""
    mode, keep, equal = _read_name(name)
    gold = _unique(filter(keep, _items(pair.gold, mode, categories)), equal)
    predicted = _unique(filter(keep, _items(pair.predicted, mode, categories)), equal)
    found = [item for item in predicted if _holds(gold, item, equal)]
    spurious = [item for item in predicted if not _holds(gold, item, equal)]
    missed = [item for item in gold if not _holds(predicted, item, equal)]
    return len(found), len(spurious), len(missed)


def macro_figures(rows: Sequence[tuple[int, int, int]]) -> dict[str, float | None]:
    """Return the macro figures of the counts of several documents."""
    precisions = [tp / (tp + fp) if tp + fp else 0.0 for tp, fp, _ in rows]
    recalls = [tp / (tp + fn) if tp + fn else 0.0 for tp, _, fn in rows]
    precision, recall = statistics.fmean(precisions), statistics.fmean(recalls)
    both = precision + recall
    return {
        "precision": precision,
        "precision_sd": statistics.pstdev(precisions),
        "recall": recall,
        "recall_sd": statistics.pstdev(recalls),
        "f1": 2 * precision * recall / both if both else None,
    }


def relaxed_by_sets(gold: Iterable[Item], predicted: Iterable[Item]) -> tuple[int, int, int]:
    """Return the relaxed counts by sets whose members compare fuzzily, as the program did."""
    left, right = set(map(_Fuzzy, gold)), set(map(_Fuzzy, predicted))
    return len(left & right), len(right - left), len(left - right)


class _Fuzzy:
    """An item that equals others whose end lies within two characters of its own."""

    def __init__(self, item: Item) -> None:
        self.key, self.end = item[:3], item[3]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Fuzzy) and self.key == other.key and abs(self.end - other.end) <= 2
        )

    def __hash__(self) -> int:
        return hash(self.key)


def merged_counts(pair: Pair) -> tuple[int, int, int]:
    """Return the counts of MEDDOCAN's sub-task 2, merged, for spans that do not overlap."""
    gold = {(span.start, span.end) for span in pair.gold.spans}
    predicted = {(span.start, span.end) for span in pair.predicted.spans}
    found = (gold & predicted) | (join(gold, pair.gold.text) & join(predicted, pair.gold.text))

    def forgiven(border: tuple[int, int]) -> bool:
        return any(set(range(*border)) <= set(range(*other)) for other in found)

    return (
        len(found),
        len([border for border in predicted if border not in gold and not forgiven(border)]),
        len([border for border in gold if border not in predicted and not forgiven(border)]),
    )


def join(borders: Iterable[tuple[int, int]], text: str) -> set[tuple[int, int]]:
    """Join neighbours again and again until every gap between two holds something alphanumeric."""
    rest = sorted(borders)
    for number in range(len(rest) - 1):
        first, second = rest[number], rest[number + 1]
        if re.fullmatch(r"[\W_]*", text[first[1] : second[0]]):
            return join([*rest[:number], (first[0], second[1]), *rest[number + 2 :]], text)
    return set(rest)


def _read_name(name: str) -> tuple[str, Callable[[Item], bool], Equal]:
    words = name.split()
    mode = words[-1].lower()
    binary = "Binary" in words
    hipaa = "HIPAA" in words or "HIPPA" in words
    scope = [word for word in words[:-1] if word not in ("Binary", "HIPAA", "HIPPA", "corrected")]
    kept = (*HIPAA, "IDNUM") if "corrected" in words else HIPAA

    def keep(item: Item) -> bool:
        return (not hipaa or item[1] in kept) and (not scope or item[0] == scope[0])

    def equal(one: Item, other: Item) -> bool:
        ends = abs(one[3] - other[3]) <= (2 if mode == "relaxed" else 0)
        return ends and one[2] == other[2] and (binary or one[:2] == other[:2])

    return mode, keep, equal


def _items(document: Document, mode: str, categories: Mapping[str, str]) -> list[Item]:
    pieces = _tokens(document) if mode == "token" else list(document.spans)
    return [(categories[span.label], span.label, span.start, span.end) for span in pieces]


def _tokens(document: Document) -> list[Span]:
    pieces = []
    for span in document.spans:
        inside = [
            offset
            for offset in range(span.start, span.end)
            if document.text[offset].isascii() and document.text[offset].isalnum()
        ]
        starts = [offset for offset in inside if offset - 1 not in inside]
        ends = [offset + 1 for offset in inside if offset + 1 not in inside]
        pieces += [Span(start, end, span.label) for start, end in zip(starts, ends, strict=True)]
    return pieces


def _unique(items: Iterable[Item], equal: Equal) -> list[Item]:
    kept: list[Item] = []
    for item in sorted(items, key=lambda item: item[2:]):
        if not _holds(kept, item, equal):
            kept.append(item)
    return kept


def _holds(items: Iterable[Item], wanted: Item, equal: Equal) -> bool:
    return any(equal(item, wanted) for item in items)


def close(one: Any, other: Any, tolerance: float = 1e-12) -> bool:
    """Tell whether two trees of figures are equal, floats within the tolerance."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if one is None or other is None:
        return one is other
    return bool(abs(one - other) <= tolerance)
