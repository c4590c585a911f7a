"""The label set of training documents: named and checked, guessed, or unknown and told why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrubjay.document import Document, Span
from scrubjay.labels import LabelSet, find_label_set, first_label_set, place_of

TRAINED_SETS = ("i2b2-2014", "meddocan", "trienes-2020", "ngrid-2016", "hipaa")
"""The label sets that are tried, in this order, where a training names none."""


def choose_label_set(name: str | None, documents: Sequence[Document]) -> LabelSet | None:
    """Return the named set after checking every label, or the first that has them all.

    Raises `LabelError`, with document and offsets, for a label that the named set does not have.
    """
    if name is not None:
        chosen = find_label_set(name)
        for document in documents:
            chosen.require_all(document)
        return chosen
    labels = {span.label for document in documents for span in document.spans}
    return first_label_set(labels, TRAINED_SETS)


def tell_unknown(documents: Iterable[Document]) -> str:
    """Return what of the documents no label set that ships has, as the end of a message.

    It is the labels that the nearest set lacks, each with the place of its first mention; "" where
    a set has all labels.
    """
    first: dict[str, tuple[Document, Span]] = {}
    for document in documents:
        for span in document.spans:
            first.setdefault(span.label, (document, span))
    sets = list(map(find_label_set, TRAINED_SETS))
    missing = [[label for label in sorted(first) if label not in each] for each in sets]
    nearest, lacks = min(zip(sets, missing, strict=True), key=lambda pair: len(pair[1]))
    if not lacks:
        return ""
    places = [f"{label!r} ({place_of(*first[label])})" for label in lacks[:_TOLD]]
    more = f" and {len(lacks) - _TOLD} more" if len(lacks) > _TOLD else ""
    return f"; the nearest set, {nearest.name!r}, does not have {', '.join(places)}{more}"


_TOLD = 3
"""Labels that a message names."""
