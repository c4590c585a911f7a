"""Handles are found to their end: "@zori_lin88".

A tagger sees letters and figures apart, and may find the first of them alone, or each with a label
of its own. A handle is one word, and so is the mention of it (Spanish).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scrubjay.document import Span

_REST = re.compile(r"(?:\w|[.-](?=\w)){1,30}")


def may_be_handle(mention: str) -> bool:
    """Tell whether a mention is a handle, or the beginning of one."""
    return mention.startswith("@") and len(mention) > 1


def widen_handles(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of a text, handles with all of theirs, and none within them.

    A mention that begins within a handle and ends behind it is left as it is, and the handle
    reaches to it: spans that are sorted and disjoint stay so.
    """
    rows: list[Span] = []
    for number, span in enumerate(spans):
        if rows and span.end <= rows[-1].end:
            continue
        if may_be_handle(text[span.start : span.end]):
            rest = _REST.match(text, span.end)
            end = rest.end() if rest else span.end
            # Of the first mention that reaches beyond: those before it lie within.
            beyond = (after.start for after in spans[number + 1 :] if after.end > end)
            end = max(span.end, min(end, next(beyond, end)))
            span = span if end == span.end else replace(span, end=end)
        rows.append(span)
    return tuple(rows)
