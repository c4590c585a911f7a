"""Pure algebra over spans: overlaps, selection, merging, differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from scrubjay.document import Span
from scrubjay.errors import SpanError


def overlap(first: Span, second: Span) -> bool:
    """Tell whether two spans share at least one character."""
    return first.start < second.end and second.start < first.end


def overlapping_pairs(spans: Iterable[Span]) -> list[tuple[Span, Span]]:
    """Return every pair of spans that share a character, each pair in sorted order."""
    pairs: list[tuple[Span, Span]] = []
    open_spans: list[Span] = []
    for span in sorted(spans):
        open_spans = [other for other in open_spans if other.end > span.start]
        pairs.extend((other, span) for other in open_spans)
        open_spans.append(span)
    return pairs


def require_disjoint(spans: Iterable[Span], *, document_id: str) -> tuple[Span, ...]:
    """Return the spans sorted, or raise `SpanError` naming the first two that overlap."""
    ordered = tuple(sorted(spans))
    for before, after in pairwise(ordered):
        if after.start < before.end:
            raise SpanError(
                f"document {document_id!r}: {before.label} [{before.start}, {before.end}) and "
                f"{after.label} [{after.start}, {after.end}) overlap",
                hint="Use scrubjay.spans.select_disjoint to choose between them",
            )
    return ordered


def _longest_first(span: Span) -> tuple[float, ...]:
    return (-(span.end - span.start), -(span.score or 0.0), span.start)


def select_disjoint(
    spans: Iterable[Span], *, preference: Callable[[Span], tuple[float, ...]] = _longest_first
) -> tuple[Span, ...]:
    """Choose spans that do not overlap, greedily by `preference` (smallest key first).

    The default prefers the longest, then the best score, then the leftmost. The result is
    sorted and does not depend on the order of the input.
    """
    chosen: list[Span] = []
    for span in sorted(sorted(spans), key=preference):
        if not any(overlap(span, other) for other in chosen):
            chosen.append(span)
    return tuple(sorted(chosen))


def merge_overlapping(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Join spans that share characters into one that covers them all.

    The joined span takes label, score and source of its longest member (the first of equals),
    so that every covered character stays covered.
    """
    groups: list[list[Span]] = []
    end = -1
    for span in sorted(spans):
        if groups and span.start < end:
            groups[-1].append(span)
        else:
            groups.append([span])
        end = max(end, span.end)
    return tuple(_cover(group) for group in groups)


def _cover(group: Sequence[Span]) -> Span:
    if len(group) == 1:
        return group[0]
    chief = min(group, key=_longest_first)
    start, end = group[0].start, max(span.end for span in group)
    return Span(start, end, chief.label, score=chief.score, source=chief.source)


def uncovered(spans: Iterable[Span], by: Iterable[Span]) -> list[tuple[int, int]]:
    """Return the half-open intervals of `spans` that no span of `by` covers, sorted."""
    cover = merge_overlapping(by)
    gaps: list[tuple[int, int]] = []
    for span in merge_overlapping(spans):
        position = span.start
        for other in cover:
            if other.end <= position:
                continue
            if other.start >= span.end:
                break
            if other.start > position:
                gaps.append((position, other.start))
            position = other.end
        if position < span.end:
            gaps.append((position, span.end))
    return gaps
