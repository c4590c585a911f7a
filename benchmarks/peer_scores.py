"""Figures of one system on notes, in categories common to all; Scrubjay's evaluation counts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from peer_declarations import coarse_labels

from scrubjay.document import Document, Span
from scrubjay.evaluation.direct import DirectLabels
from scrubjay.evaluation.leakage import LeakageScorer
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.report import evaluate_pairs
from scrubjay.labels import LabelSet


def coarsen(document: Document, label_set: LabelSet) -> Document:
    """Return the document with the main category of each span as its label."""
    return document.with_spans(
        Span(span.start, span.end, label_set.category(span.label)) for span in document.spans
    )


def leave_out(pair: Pair, categories: Collection[str]) -> Pair:
    """Return the pair without gold of these categories, and without what was found there.

    A predicted span goes where its own category is one of them, or where it meets gold that goes
    and none that stays: nobody is charged for finding what is left out.
    """
    kept = [span for span in pair.gold.spans if span.label not in categories]
    gone = [span for span in pair.gold.spans if span.label in categories]
    predicted = [
        span
        for span in pair.predicted.spans
        if _meets(span, kept) or not (span.label in categories or _meets(span, gone))
    ]
    return Pair(pair.gold.with_spans(kept), pair.predicted.with_spans(predicted))


def _meets(span: Span, others: Collection[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def score(pairs: Sequence[Pair], *, labelled: bool = True) -> dict[str, Any]:
    """Return all figures; those with labels are None where the system names no types."""
    coarse = coarse_labels()
    report = evaluate_pairs(pairs, label_set=coarse)
    assert report.i2b2 is not None
    leaks = LeakageScorer(DirectLabels(None, "every label"), label_set=coarse)
    for pair in pairs:
        leaks.add(pair)
    documents = leaks.leakage().documents
    strict, relaxed = (
        report.i2b2[name].counts.ratios() if labelled else None for name in ("Strict", "Relaxed")
    )
    clean = documents.with_phi - documents.leaking
    return {
        "strict": strict,
        "relaxed": relaxed,
        "blind-strict": report.i2b2["Binary Strict"].counts.ratios(),
        "token": report.binary_token.ratios(),
        "plain-tokens": report.plain_tokens,
        "false-positives-per-1000": report.false_positives_per_1000,
        "documents-with-phi": documents.with_phi,
        "documents-clean": clean,
        "share-clean": clean / documents.with_phi if documents.with_phi else None,
    }
