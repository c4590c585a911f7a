"""Folds of training documents: groups that are never apart, such as those of one patient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scrubjay.corpora.splits import (
    DEFAULT_PATIENT_KEY,
    Share,
    assign_parts,
    join_groups,
    patient_finder,
)
from scrubjay.document import Document
from scrubjay.errors import InputError
from scrubjay.learning.ensemble_config import CrossfitSettings


@dataclass(frozen=True, slots=True)
class Folds:
    """The fold of each document, from 0, and the group that it is in.

    `by` tells whether groups are those of patients or single documents.
    """

    by: str
    groups: tuple[str, ...]
    numbers: tuple[int, ...]

    def outside(self, fold: int, documents: Sequence[Document]) -> list[Document]:
        """Return the documents that are not in a fold."""
        return [d for d, number in zip(documents, self.numbers, strict=True) if number != fold]

    def inside(self, fold: int, documents: Sequence[Document]) -> list[Document]:
        """Return the documents of a fold."""
        return [d for d, number in zip(documents, self.numbers, strict=True) if number == fold]

    def groups_of(self, documents: Sequence[Document]) -> dict[str, str]:
        """Return the group of each of the documents that the folds were made of, by id."""
        return {d.id: group for d, group in zip(documents, self.groups, strict=True)}


def make_folds(documents: Sequence[Document], settings: CrossfitSettings) -> Folds:
    """Deal the documents into folds of about one size; those of a group come into one fold.

    Documents with the same text are of one group, too. Raises `InputError` for documents of one
    id, for too few groups, and for a fold that lacks PHI inside it or outside it, by its number.
    """
    by, named = _group(documents, settings)
    groups = _join_equal_texts(documents, named)
    ids = [document.id for document in documents]
    if len(set(ids)) < len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise InputError(f"two training documents have the id {twice!r}")
    count = settings.folds
    if len(set(groups)) < count:
        raise InputError(
            f"{count} folds need {count} groups of documents, not {len(set(groups))}",
            hint="Give more documents, or fewer [crossfit] folds",
        )
    shares = [Share(str(number), Fraction(1, count)) for number in range(count)]
    parts = assign_parts(dict(zip(ids, groups, strict=True)), shares, seed=settings.seed)
    folds = Folds(by, tuple(groups), tuple(int(parts[group]) for group in groups))
    for number in range(count):
        for part, where in ((folds.inside(number, documents), "in"), (
            folds.outside(number, documents), "outside"
        )):  # fmt: skip
            if not any(document.spans for document in part):
                raise InputError(
                    f"fold {number + 1} of {count} has no label: none of the {len(part)} documents "
                    f"{where} it has a span",
                    hint="Give more labelled documents, or fewer [crossfit] folds",
                )
    return folds


def _group(documents: Sequence[Document], settings: CrossfitSettings) -> tuple[str, list[str]]:
    """Return what the groups are of, and the group of each document."""
    ids = [document.id for document in documents]
    if settings.by == "document":
        return "document", ids
    find = patient_finder(settings.patient_key or DEFAULT_PATIENT_KEY)
    try:
        patients = [find(document) for document in documents]
    except InputError:
        if settings.by == "patient":
            raise
        return "document", ids
    enough = len(set(patients)) >= settings.folds
    return ("patient", patients) if enough or settings.by == "patient" else ("document", ids)


def _join_equal_texts(documents: Sequence[Document], groups: Sequence[str]) -> list[str]:
    """Return the groups, where those that share a text have become one."""
    alike: dict[str, list[str]] = {}
    for place, document in enumerate(documents):
        alike.setdefault(document.text, []).append(str(place))
    joined = join_groups({str(place): group for place, group in enumerate(groups)}, alike.values())
    return list(joined.values())


def hold_out(
    documents: Sequence[Document], groups: dict[str, str], *, seed: int
) -> tuple[list[Document], list[Document]]:
    """Return the documents without about a tenth of their groups, and that tenth.

    Nothing is held out where either part would have no PHI.
    """
    chosen = {document.id: groups[document.id] for document in documents}
    shares = (Share("train", Fraction(9, 10)), Share("stop", Fraction(1, 10)))
    parts = assign_parts(chosen, shares, seed=seed)
    kept = [d for d in documents if parts[chosen[d.id]] == "train"]
    held = [d for d in documents if parts[chosen[d.id]] == "stop"]
    if not all(any(document.spans for document in part) for part in (kept, held)):
        return list(documents), []
    return kept, held
