"""Recall of names seen in training and of names never seen: what memory of names is worth.

A mention is *seen* where every word of it stands in some name of the training corpus, *partly*
where some do, *unseen* where none does. Words are runs of letters of at least two characters, in
lower case and without accents; particles ("van", "de") count for nothing. It is found where every
letter and digit of it lies in predicted spans, exactly found where a predicted span has the same
borders, whatever the label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scrubjay.document import Document
from scrubjay.evaluation.pairs import Pair
from scrubjay.features.lexicons import find_lexicon, fold_accents, lexicon_names, normal_word

NAME_LABELS = (
    "PATIENT",
    "DOCTOR",
    "NAME",
    "INITIALS",
    "NOMBRE_SUJETO_ASISTENCIA",
    "NOMBRE_PERSONAL_SANITARIO",
    "FAMILIARES_SUJETO_ASISTENCIA",
)
"""Labels of names of persons in the shipped label sets."""

SEEN, PARTLY, UNSEEN = "seen", "partly", "unseen"
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class SeenCount:
    """Mentions of one label whose words were seen, partly seen or unseen in training."""

    label: str
    group: str
    mentions: int
    found: int
    exact: int

    def record(self) -> dict[str, Any]:
        """Return the counts and recalls as plain values."""
        return {
            "label": self.label,
            "group": self.group,
            "mentions": self.mentions,
            "found": self.found,
            "exact": self.exact,
            "recall": self.found / self.mentions if self.mentions else None,
            "exact_recall": self.exact / self.mentions if self.mentions else None,
        }


def name_words(documents: Iterable[Document], labels: Iterable[str] = NAME_LABELS) -> set[str]:
    """Return the words of all names of documents."""
    wanted = set(labels)
    words: set[str] = set()
    for document in documents:
        for span in document.spans:
            if span.label in wanted:
                words.update(_words(document.text[span.start : span.end]))
    return words


def count_unseen(
    pairs: Iterable[Pair], words: set[str], labels: Iterable[str] = NAME_LABELS
) -> list[SeenCount]:
    """Return counts by label and group, "all" labels last; names without a word are left out."""
    wanted = set(labels)
    particles = {word for name in _particle_lists() for word in find_lexicon(name)}
    counts: Counter[tuple[str, str, str]] = Counter()
    for pair in pairs:
        text = pair.gold.text
        borders = {(span.start, span.end) for span in pair.predicted.spans}
        for span in pair.gold.spans:
            own = [w for w in _words(text[span.start : span.end]) if w not in particles]
            if span.label not in wanted or not own:
                continue
            known = sum(word in words for word in own)
            group = SEEN if known == len(own) else PARTLY if known else UNSEEN
            places = [place for place in range(span.start, span.end) if text[place].isalnum()]
            found = all(
                any(one.start <= place < one.end for one in pair.predicted.spans)
                for place in places
            )
            for label in (span.label, "all"):
                counts[label, group, "mentions"] += 1
                counts[label, group, "found"] += found
                counts[label, group, "exact"] += (span.start, span.end) in borders
    order = [*sorted({key[0] for key in counts} - {"all"}), "all"]
    return [
        SeenCount(label, group, *(counts[label, group, x] for x in ("mentions", "found", "exact")))
        for label in order
        for group in (SEEN, PARTLY, UNSEEN)
        if counts[label, group, "mentions"]
    ]


def _words(name: str) -> list[str]:
    return [fold_accents(normal_word(word)) for word in _WORD.findall(name)]


def _particle_lists() -> list[str]:
    return [name for name in lexicon_names() if name.endswith(".particles")]
