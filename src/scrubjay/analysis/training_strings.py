"""The PHI strings of training documents: how often each was seen, and how well others are known.

Strings are compared under a named normalisation. What is returned holds none of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scrubjay.document import Document
from scrubjay.errors import require_choice
from scrubjay.evaluation.matching import span_items

LEVELS = ("same-label", "other-label", "all-words", "some-words", "new")
"""How well a string is known, best first; each string has the first level that fits it.

`same-label`: a training span of the same label is this string; `other-label`: only spans of
other labels are; `all-words`: each word of it stands in training spans, of any label;
`some-words`: not each, but one does; `new`: no word does, or it has none.
"""

DEFAULT_NORMALISATION = "case"

_WORD = re.compile(r"[^\W_]+")


def _spaces(text: str) -> str:
    return " ".join(text.split())


NORMALISATIONS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"exact": str, "spaces": _spaces, "case": lambda text: _spaces(text).casefold()}
)
"""Name -> what is done to a string before it is compared.

`exact` nothing; `spaces` drops white space at both ends and makes one space of each run of it
inside; `case` does that and folds the letter case besides.
"""


def find_normalisation(name: str) -> Callable[[str], str]:
    """Return the normalisation of that name; raises `ConfigError` for an unknown one."""
    return NORMALISATIONS[require_choice("normalisation", name, NORMALISATIONS)]


@dataclass(frozen=True, slots=True)
class Familiarity:
    """How well one string is known: its level, and the training spans and documents with it.

    Both counts are of spans with the same label; they are 0 unless the level is `same-label`.
    """

    level: str
    mentions: int
    documents: int

    @property
    def seen(self) -> bool:
        """Whether training had the string under the same label."""
        return self.documents > 0


class TrainingStrings:
    """The PHI strings of training documents, with how often they were seen.

    Documents are taken in one at a time and are not kept; the distinct strings of their spans
    are. Spans with the same label and borders count once, and labels under the spelling that
    `label_of` gives.
    """

    def __init__(
        self,
        *,
        normalisation: str = DEFAULT_NORMALISATION,
        label_of: Callable[[str], str] = str,
    ) -> None:
        self.normalisation = normalisation
        self.label_of = label_of
        self.documents = 0
        self._normalise = find_normalisation(normalisation)
        self._mentions: Counter[tuple[str, str]] = Counter()
        self._documents: Counter[tuple[str, str]] = Counter()
        self._strings: set[str] = set()
        self._words: set[str] = set()

    def __repr__(self) -> str:
        return f"TrainingStrings({self.documents} documents, {len(self._strings)} strings)"

    def add(self, document: Document) -> None:
        """Take in the spans of one training document."""
        self.documents += 1
        found = Counter(
            (label, self._normalise(document.text[start:end]))
            for label, start, end in span_items(document.spans, self.label_of)
        )
        self._mentions.update(found)
        self._documents.update(found.keys())
        for _, string in found:
            if string not in self._strings:
                self._strings.add(string)
                self._words.update(_WORD.findall(string))

    def look_up(self, text: str, label: str) -> Familiarity:
        """Return how well a string is known under a label."""
        string = self._normalise(text)
        key = (self.label_of(label), string)
        mentions, documents = self._mentions.get(key, 0), self._documents.get(key, 0)
        return Familiarity(self._level(string, documents), mentions, documents)

    def _level(self, string: str, documents: int) -> str:
        if documents:
            return "same-label"
        if string in self._strings:
            return "other-label"
        known = [word in self._words for word in _WORD.findall(string)]
        if not any(known):
            return "new"
        return "all-words" if all(known) else "some-words"

    def frequencies(self) -> dict[str, list[int]]:
        """Return the document frequency of each distinct string by label, both in order."""
        by_label: dict[str, list[int]] = {}
        for (label, _), documents in self._documents.items():
            by_label.setdefault(label, []).append(documents)
        return {label: sorted(by_label[label]) for label in sorted(by_label)}

    def mentions(self) -> dict[str, int]:
        """Return the spans seen by label."""
        sums: Counter[str] = Counter()
        for (label, _), mentions in self._mentions.items():
            sums[label] += mentions
        return dict(sums)


def read_training(
    documents: Iterable[Document],
    *,
    normalisation: str = DEFAULT_NORMALISATION,
    label_of: Callable[[str], str] = str,
) -> TrainingStrings:
    """Return the PHI strings of training documents, read as a stream.

    Raises `ConfigError` for an unknown normalisation, and what `label_of` and the reader raise.
    """
    strings = TrainingStrings(normalisation=normalisation, label_of=label_of)
    for document in documents:
        strings.add(document)
    return strings
