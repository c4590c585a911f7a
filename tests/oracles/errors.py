"""The errors of a system again, as plainly as the papers define them: each span against all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from scrubjay.document import Span


def predicted_kind(span: Span, gold: Iterable[Span]) -> str:
    """Return the kind of a predicted span, an extent error by its extent."""
    gold = list(gold)
    if any(_borders(one) == _borders(span) and one.label == span.label for one in gold):
        return "correct"
    if any(_borders(one) == _borders(span) for one in gold):
        return "type"
    near = [one for one in gold if _shared(one, span)]
    if not near:
        return "spurious"
    if any(one.start <= span.start and span.end <= one.end for one in near):
        return "short"
    if all(span.start <= one.start and one.end <= span.end for one in near):
        return "long"
    return "short-and-long"


def gold_kind(span: Span, predicted: Iterable[Span]) -> str:
    """Return the kind of a gold span."""
    predicted = list(predicted)
    if any(_borders(one) == _borders(span) and one.label == span.label for one in predicted):
        return "correct"
    if any(_borders(one) == _borders(span) for one in predicted):
        return "type"
    return "extent" if any(_shared(one, span) for one in predicted) else "missing"


def extent_partner(span: Span, gold: Iterable[Span]) -> Span:
    """Return the gold span that an extent error is compared with, by choosing step by step."""
    near = [one for one in gold if _shared(one, span)]
    within = [one for one in near if one.start <= span.start and span.end <= one.end]
    cut = [one for one in near if one.start < span.start or span.end < one.end]
    best = within or cut or near
    for measure in (
        lambda one: -_shared(one, span),
        lambda one: int(one.label != span.label),
        lambda one: _differing(one, span),
    ):
        best = _least(best, measure)
    return sorted(best)[0]


def count_kinds(documents: Iterable[tuple[Iterable[Span], Iterable[Span]]]) -> dict[str, Any]:
    """Return the counts of all kinds by side and label over documents (gold, predicted)."""
    by_gold: Counter[tuple[str, str]] = Counter()
    by_predicted: Counter[tuple[str, str]] = Counter()
    for gold_spans, predicted_spans in documents:
        gold, predicted = set(gold_spans), set(predicted_spans)
        for span in gold:
            by_gold[span.label, gold_kind(span, predicted)] += 1
        for span in predicted:
            by_predicted[span.label, predicted_kind(span, gold)] += 1
    return {"gold": dict(by_gold), "predicted": dict(by_predicted)}


def confused_cells(gold: Iterable[Span], predicted: Iterable[Span]) -> dict[tuple[str, str], int]:
    """Return gold label, predicted label -> count, for sides without two spans of equal borders."""
    cells: Counter[tuple[str, str]] = Counter()
    for one in gold:
        for other in predicted:
            if _borders(one) == _borders(other):
                cells[one.label, other.label] += 1
    return dict(cells)


def _least(spans: list[Span], measure: Callable[[Span], int]) -> list[Span]:
    smallest = min(map(measure, spans))
    return [span for span in spans if measure(span) == smallest]


def _borders(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _shared(one: Span, other: Span) -> int:
    return len(set(range(one.start, one.end)) & set(range(other.start, other.end)))


def _differing(one: Span, other: Span) -> int:
    return len(set(range(one.start, one.end)) ^ set(range(other.start, other.end)))
