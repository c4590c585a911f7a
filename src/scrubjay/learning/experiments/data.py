"""The documents of an experiment: read once, checked, and told apart by their numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.corpora import read_corpora
from scrubjay.corpora.splits import (
    DEFAULT_PATIENT_KEY,
    Share,
    assign_parts,
    patient_finder,
    require_split_unit,
)
from scrubjay.document import Document
from scrubjay.errors import InputError, counted
from scrubjay.labels import LabelSet
from scrubjay.learning.label_sets import choose_label_set
from scrubjay.learning.preparation import fingerprint
from scrubjay.learning.training import require_unseen

Numbers = tuple[int, ...]
"""Documents by their places in `ExperimentData.documents`."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """Which documents belong together and never stand on both sides of a split.

    `by` is "patient" or "document"; `key` tells the patient (see `patient_finder`), "" by the
    usual form of ids.
    """

    by: str = "patient"
    key: str = ""

    def finder(self) -> Callable[[Document], str]:
        """Return the function from a document to its group; raises `ConfigError`."""
        if require_split_unit(self.by) == "document":
            return lambda document: document.id
        return patient_finder(self.key or DEFAULT_PATIENT_KEY)


@dataclass(frozen=True, slots=True)
class ExperimentData:
    """All documents, and which of them are for training, for development and for the test.

    Where there is no test corpus, the development corpus is what systems are scored on, and no
    system sees it while it learns.
    """

    documents: tuple[Document, ...]
    train: Numbers
    dev: Numbers = ()
    test: Numbers = ()
    language: str = "en"
    label_set: LabelSet | None = None
    label_set_name: str = ""
    device: str = "auto"

    @property
    def scored(self) -> Numbers:
        """The documents that systems are scored on: the test corpus, else the dev corpus."""
        return self.test or self.dev

    @property
    def seen(self) -> Numbers:
        """The dev documents by which a learner may stop: those of dev where there is a test."""
        return self.dev if self.test else ()

    def at(self, numbers: Iterable[int]) -> list[Document]:
        """Return the documents of these numbers, in their order."""
        return [self.documents[number] for number in numbers]

    def has_phi(self, numbers: Iterable[int]) -> bool:
        """Return whether any of the documents has a span."""
        return any(self.documents[number].spans for number in numbers)

    def labels(self, numbers: Iterable[int]) -> frozenset[str]:
        """Return the labels of the spans of these documents."""
        return frozenset(s.label for number in numbers for s in self.documents[number].spans)

    def require_scored(self) -> Numbers:
        """Return what systems are scored on; raises `InputError` where it has no PHI."""
        if not self.scored:
            raise InputError(
                "there is nothing to score on", hint="Give --dev or --test, a labelled corpus"
            )
        if not self.has_phi(self.scored):
            raise InputError("the corpus to score on has no PHI: no document has a span")
        return self.scored

    def split(
        self, numbers: Sequence[int], parts: Sequence[Share], *, seed: int, grouping: Grouping
    ) -> dict[str, Numbers]:
        """Return the documents of each part, with all documents of a group in one part.

        Raises `InputError` for a document without group and for parts that stay empty.
        """
        found, groups = self.deal(numbers, parts, seed=seed, grouping=grouping)
        for name, members in found.items():
            if not members:
                raise InputError(
                    f"{name} would be empty: the corpus has {counted(len(numbers), 'document')} in "
                    f"{counted(groups, 'group')}",
                    hint="Ask for fewer parts, give more documents, or group by document",
                )
        return found

    def deal(
        self, numbers: Sequence[int], parts: Sequence[Share], *, seed: int, grouping: Grouping
    ) -> tuple[dict[str, Numbers], int]:
        """Return the documents of each part, which may be none, and how many groups there are.

        Raises `InputError` for a document without group.
        """
        find = grouping.finder()
        groups = {str(number): find(self.documents[number]) for number in numbers}
        assigned = assign_parts(groups, parts, seed=seed)
        found: dict[str, list[int]] = {part.name: [] for part in parts}
        for number in numbers:
            found[assigned[groups[str(number)]]].append(number)
        return {name: tuple(members) for name, members in found.items()}, len(assigned)

    def identity(self) -> dict[str, Any]:
        """Return what tells this data from other data, without any of it."""
        pools = {"train": self.train, "dev": self.dev, "test": self.test}
        return {
            "language": self.language,
            "label-set": self.label_set_name,
            **{
                name: {"documents": len(numbers), "fingerprint": fingerprint(self.at(numbers))}
                for name, numbers in pools.items()
                if numbers
            },
        }

    def fingerprint(self, numbers: Sequence[int]) -> str:
        """Return a sha256 of these documents and their order."""
        documents = self.at(numbers)
        order = "\0".join(document.id for document in documents)
        text = fingerprint(documents) + "\0" + order
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read_data(
    train: Sequence[Path],
    *,
    dev: Path | None = None,
    test: Path | None = None,
    language: str = "en",
    label_set: str | None = None,
    format: str | None = None,
    device: str = "auto",
) -> ExperimentData:
    """Read the corpora of an experiment.

    Raises as `read_corpora` does; `InputError` for dev or test documents that are trained on, and
    `LabelError` for a label outside a named label set.
    """
    pools: Mapping[str, list[Document]] = {
        "train": list(read_corpora(train, format=format)) if train else [],
        "dev": list(read_corpora([dev], format=format)) if dev else [],
        "test": list(read_corpora([test], format=format)) if test else [],
    }
    require_unseen(pools["train"], pools["dev"])
    require_unseen([*pools["train"], *pools["dev"]], pools["test"])
    documents = [document for pool in pools.values() for document in pool]
    chosen = choose_label_set(label_set, documents)
    begins, begin = {}, 0
    for name, pool in pools.items():
        begins[name] = tuple(range(begin, begin + len(pool)))
        begin += len(pool)
    return ExperimentData(
        documents=tuple(documents),
        train=begins["train"],
        dev=begins["dev"],
        test=begins["test"],
        language=language,
        label_set=chosen,
        label_set_name=label_set or (chosen.name if chosen else ""),
        device=device,
    )
