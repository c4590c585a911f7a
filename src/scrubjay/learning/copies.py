"""Training documents joined by copies of them with other PHI."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.corpora.augmentation import augment, kinds_of, make_swap_lists
from scrubjay.corpora.regions import without_ignored
from scrubjay.document import Document
from scrubjay.labels import LabelSet


def add_copies(
    documents: Sequence[Document],
    copies: int,
    *,
    language: str,
    label_set: LabelSet | None,
    seed: int,
) -> list[Document]:
    """Return the documents, each followed by `copies` of it with other PHI.

    The lists that replacements are taken from know the mentions of these documents alone. What
    documents tell to ignore is in none of them (`corpora.regions`).
    """
    documents = [without_ignored(document) for document in documents]
    if copies <= 0:
        return documents
    lists = make_swap_lists(language, documents)
    kinds = kinds_of(label_set) if label_set else None
    return list(augment(documents, lists=lists, seed=seed, copies=copies, labels=kinds))


def only_copies(
    documents: Sequence[Document],
    copies: int,
    *,
    language: str,
    label_set: LabelSet | None,
    seed: int,
) -> list[Document]:
    """Return `copies` of each document with other PHI, and not the documents themselves."""
    rows = add_copies(documents, copies, language=language, label_set=label_set, seed=seed)
    return [row for number, row in enumerate(rows) if number % (copies + 1)]
