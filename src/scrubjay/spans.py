"""Pure algebra over spans: overlaps and the choice between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from operator import le

from scrubjay.document import Span, in_order
from scrubjay.errors import SpanError


def overlap(first: Span, second: Span) -> bool:
    """Tell whether two spans share at least one character."""
    return first.start < second.end and second.start < first.end


def require_disjoint(spans: Iterable[Span], *, document_id: str) -> tuple[Span, ...]:
    """Return the spans sorted, or raise `SpanError` naming the first two that overlap."""
    ordered = in_order(spans)
    starts, ends = [span.start for span in ordered], [span.end for span in ordered]
    if all(map(le, ends, starts[1:])):
        return ordered
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
