"""What a corpus holds, counted document by document.

The figures are those of Zhao 2020, Table 2 (PHI per label, grouped by main category) and Jiang
2017, Table 3 (notes, tokens, PHI, unique PHI, vocabulary), and per tokenizer the share of PHI
with a border inside a token, which no tagger over these tokens can find exactly (0.22 % in
Zhao 2020).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from scrubjay.document import Document
from scrubjay.labels import LabelSet, first_label_set
from scrubjay.text.tokenizers import Tokenizer
from scrubjay.text.tokens import IntArray, Tokens


@dataclass(frozen=True, slots=True)
class LabelCount:
    """PHI of one label, or of one main category.

    `unique` counts distinct surface forms, `documents` those with at least one PHI of it.
    """

    name: str
    phi: int
    unique: int
    documents: int


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """A main category with its labels, the most frequent first."""

    total: LabelCount
    labels: tuple[LabelCount, ...]


@dataclass(frozen=True, slots=True)
class TokenizerCount:
    """What one tokenizer makes of the corpus.

    `vocabulary` counts distinct tokens, case and all. `misaligned` counts the PHI that begin
    or end inside a token; a border in white space is none of these.
    """

    name: str
    tokens: int
    vocabulary: int
    sentences: int
    misaligned: int
    phi: int

    @property
    def misaligned_share(self) -> float | None:
        """The share of PHI that are misaligned; None where there is no PHI."""
        return self.misaligned / self.phi if self.phi else None


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """The counts of a whole corpus.

    `unique_phi` counts distinct pairs of label and surface form. `label_set` is the set whose
    main categories group the labels, None where no known set has them all: then every label is
    a category of its own.
    """

    documents: int
    documents_without_phi: int
    characters: int
    phi: int
    unique_phi: int
    label_set: str | None
    categories: tuple[CategoryCount, ...]
    tokenizers: tuple[TokenizerCount, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the counts as JSON values; no text of a document is among them."""
        found = asdict(self)
        for entry, count in zip(found["tokenizers"], self.tokenizers, strict=True):
            entry["misaligned_share"] = count.misaligned_share
        return found


def describe_corpus(
    documents: Iterable[Document],
    tokenizers: Mapping[str, Tokenizer],
    *,
    label_set: LabelSet | None = None,
) -> CorpusStatistics:
    """Count what a corpus holds, in one pass; `tokenizers` are by the name to show.

    Memory grows with the distinct tokens and PHI, not with the documents. Without `label_set`
    the first that has all labels is taken, if any. Raises `LabelError` for a label that the named
    set lacks.
    """
    counter = _Counter(tokenizers)
    for document in documents:
        counter.add(document)
    labels = set(counter.phi)
    if label_set is None:
        label_set = first_label_set(labels) if labels else None
    else:
        for label in sorted(labels):
            label_set.require(label)
    return counter.result(label_set)


def misaligned_borders(tokens: Tokens, starts: Sequence[int], ends: Sequence[int]) -> int:
    """Return how many of the intervals `[starts, ends)` begin or end inside a token."""
    torn = _inside(tokens, np.array(starts, np.int32)) | _inside(tokens, np.array(ends, np.int32))
    return int(np.count_nonzero(torn))


def _inside(tokens: Tokens, borders: IntArray) -> np.ndarray[Any, np.dtype[np.bool_]]:
    if len(tokens) == 0:
        return np.zeros(len(borders), np.bool_)
    place = np.searchsorted(tokens.ends, borders, side="right")
    return (place < len(tokens)) & (tokens.starts[np.minimum(place, len(tokens) - 1)] < borders)


class _TokenCounter:
    """The running counts of one tokenizer."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._vocabulary: set[str] = set()
        self._tokens = self._sentences = self._misaligned = self._phi = 0

    def add(self, document: Document) -> None:
        tokens = self._tokenizer.tokenize(document.text)
        self._tokens += len(tokens)
        self._sentences += len(tokens.sentence_starts)
        self._vocabulary.update(tokens.words())
        self._phi += len(document.spans)
        starts = [span.start for span in document.spans]
        ends = [span.end for span in document.spans]
        self._misaligned += misaligned_borders(tokens, starts, ends)

    def result(self, name: str) -> TokenizerCount:
        return TokenizerCount(
            name,
            tokens=self._tokens,
            vocabulary=len(self._vocabulary),
            sentences=self._sentences,
            misaligned=self._misaligned,
            phi=self._phi,
        )


class _Counter:
    """The running counts of a corpus."""

    def __init__(self, tokenizers: Mapping[str, Tokenizer]) -> None:
        self.phi: Counter[str] = Counter()
        self._surfaces: dict[str, set[str]] = {}
        # How many documents hold exactly these labels: few sets, however many documents.
        self._holding: Counter[frozenset[str]] = Counter()
        self._documents = self._without = self._characters = 0
        self._tokenizers = {name: _TokenCounter(item) for name, item in tokenizers.items()}

    def add(self, document: Document) -> None:
        self._documents += 1
        self._without += not document.spans
        self._characters += len(document.text)
        for span in document.spans:
            self.phi[span.label] += 1
            surface = document.text[span.start : span.end]
            self._surfaces.setdefault(span.label, set()).add(surface)
        self._holding[frozenset(span.label for span in document.spans)] += 1
        for counter in self._tokenizers.values():
            counter.add(document)

    def result(self, label_set: LabelSet | None) -> CorpusStatistics:
        groups: dict[str, list[str]] = {}
        for label in self.phi:
            category = label_set.category(label) if label_set is not None else label
            groups.setdefault(category, []).append(label)
        categories = [self._category(name, labels) for name, labels in groups.items()]
        return CorpusStatistics(
            documents=self._documents,
            documents_without_phi=self._without,
            characters=self._characters,
            phi=self.phi.total(),
            unique_phi=sum(map(len, self._surfaces.values())),
            label_set=label_set.name if label_set is not None else None,
            categories=tuple(sorted(categories, key=lambda one: _frequent_first(one.total))),
            tokenizers=tuple(item.result(name) for name, item in self._tokenizers.items()),
        )

    def _category(self, name: str, labels: Sequence[str]) -> CategoryCount:
        counts = [self._count(label, (label,)) for label in labels]
        return CategoryCount(self._count(name, labels), tuple(sorted(counts, key=_frequent_first)))

    def _count(self, name: str, labels: Sequence[str]) -> LabelCount:
        return LabelCount(
            name,
            phi=sum(self.phi[label] for label in labels),
            unique=len(set().union(*(self._surfaces[label] for label in labels))),
            documents=sum(
                number for held, number in self._holding.items() if not held.isdisjoint(labels)
            ),
        )


def _frequent_first(count: LabelCount) -> tuple[int, str]:
    return (-count.phi, count.name)
