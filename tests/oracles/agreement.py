"""Agreement the slow way: every token, every pair, straight from the definitions."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.document import Document, Span
from scrubjay.text.tokens import Tokens

NO_LABEL = ""


def token_labels(tokens: Tokens, spans: Sequence[Span]) -> list[str]:
    """Return the label of each token: that of the longest span that shares a character."""
    labels = []
    for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        touching = [span for span in spans if span.start < end and start < span.end]
        touching.sort(key=lambda span: (-(span.end - span.start), span))
        labels.append(touching[0].label if touching else NO_LABEL)
    return labels


def cohen(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of the judgements of two annotators."""
    if not pairs:
        return None
    size = len(pairs)
    observed = sum(one == other for one, other in pairs) / size
    categories = {label for pair in pairs for label in pair}
    expected = sum(
        (sum(one == label for one, _ in pairs) / size)
        * (sum(other == label for _, other in pairs) / size)
        for label in categories
    )
    return None if abs(1 - expected) < 1e-12 else (observed - expected) / (1 - expected)


def fleiss(rows: Sequence[Sequence[str]]) -> float | None:
    """Return Fleiss' kappa: each row holds the categories that the annotators gave one item."""
    if not rows:
        return None
    raters = len(rows[0])
    categories = sorted({label for row in rows for label in row})
    table = [[sum(label == one for one in row) for label in categories] for row in rows]
    observed = sum(
        (sum(number * number for number in row) - raters) / (raters * (raters - 1)) for row in table
    ) / len(rows)
    shares = [sum(column) / (len(rows) * raters) for column in zip(*table, strict=True)]
    expected = sum(share * share for share in shares)
    return None if abs(1 - expected) < 1e-12 else (observed - expected) / (1 - expected)


def matched(first: Document, second: Document, label: str | None, mode: str) -> tuple[int, ...]:
    """Return the spans of both, and those of each with a partner; `label=None` ignores labels."""
    one, other = (
        {
            (span.label if label is not None else "", span.start, span.end)
            for span in document.spans
            if label in (None, span.label)
        }
        for document in (first, second)
    )

    def partners(a: tuple[str, int, int], b: tuple[str, int, int]) -> bool:
        if mode == "strict":
            return a == b
        if mode == "relaxed":
            return a[1] == b[1] and abs(a[2] - b[2]) <= 2
        return max(a[1], b[1]) < min(a[2], b[2])

    return (
        len(one),
        len(other),
        sum(any(partners(a, b) for b in other) for a in one),
        sum(any(partners(b, a) for a in one) for b in other),
    )
