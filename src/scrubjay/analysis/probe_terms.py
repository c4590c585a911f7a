"""Clinical terms in a corpus: how often predictions take one for PHI where gold does not.

Terms are those of the probes, as they are written there; besides, the shipped lexicons of drugs
(in any case) and of eponyms (where the text writes them with a capital), and the protected terms
of at least four characters but units (in any case, see `features.protected`). What overlaps a gold
span is left out, since there the word may be a name, and so is what overlaps a region that gold
tells to ignore. The figures say what happens to terms that the lists know; terms that they lack are
not counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrubjay.analysis.probe_sets import ProbeSet
from scrubjay.analysis.probes import Share, coverage, touching
from scrubjay.corpora.regions import Region, ignored_regions
from scrubjay.document import Span
from scrubjay.evaluation.pairs import Pair
from scrubjay.features.lexicons import find_lexicon, lexicon_names
from scrubjay.features.protected import BARE_EPONYM, PROTECTED_KINDS, protected_terms

_WORD = re.compile(r"\w+")

DRUGS, EPONYMS = "drug-lexicon", "eponym-lexicon"
"""The categories of the terms that come from lexicons."""

PROTECTED = "protected-"
"""What stands before the kind of a protected term in its category."""

_LEXICON_TITLES = {
    DRUGS: "Drugs of the lexicon",
    EPONYMS: "Eponyms of the lexicon",
    **{f"{PROTECTED}{kind}": f"Protected terms: {kind}" for kind in PROTECTED_KINDS},
}
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class _Term:
    category: str
    text: str

    def fits(self, found: str) -> bool:
        """Tell whether a stretch of text is this term."""
        if self.category == DRUGS or self.category.startswith(PROTECTED):
            return found.lower() == self.text
        if self.category == EPONYMS:
            return found[:1].isupper() and found.lower() == self.text
        return found == self.text


@dataclass(frozen=True, slots=True)
class TermReport:
    """Occurrences of terms outside gold, and how many were hit: by category and by term.

    Terms of lexicons are in lower case. They are ours, never text of a document.
    """

    documents: int
    categories: Mapping[str, Share]
    titles: Mapping[str, str]
    terms: Mapping[tuple[str, str], Share]

    @property
    def hit(self) -> Share:
        """Return the occurrences that were hit, of all categories."""
        return sum(self.categories.values(), Share(0, 0))

    def worst(self) -> tuple[tuple[str, str, Share], ...]:
        """Return the terms that were hit most often, 20 at most: category, term, share."""
        hits = [(*key, share) for key, share in self.terms.items() if share.count]
        return tuple(sorted(hits, key=lambda row: (-row[2].count, row[1], row[0]))[:20])

    def record(self) -> dict[str, Any]:
        """Return every figure as plain values for JSON."""
        return {
            "documents": self.documents,
            "terms_hit": self.hit.record(),
            "categories": [
                {"category": name, "title": self.titles[name], "terms_hit": share.record()}
                for name, share in self.categories.items()
            ],
            "terms": [
                {"category": category, "term": term, "hit": share.count, "of": share.of}
                for (category, term), share in self.terms.items()
            ],
        }


class TermFinder:
    """Finds the terms of a language in texts: leftmost, then longest, whole words alone."""

    def __init__(self, probes: ProbeSet) -> None:
        self.titles = {**probes.titles, **_LEXICON_TITLES}
        index: dict[str, list[_Term]] = {}
        for term in dict.fromkeys(_terms(probes)):
            word = _WORD.match(term.text)
            if word is not None:
                index.setdefault(word[0].lower(), []).append(term)
        self._index = {
            word: tuple(sorted(terms, key=lambda term: -len(term.text)))
            for word, terms in index.items()
        }

    def find(self, text: str) -> Iterator[tuple[str, str, Span]]:
        """Yield the terms of a text in order: category, term as listed, span."""
        text = text.replace("’", "'")
        end = 0
        for word in _WORD.finditer(text):
            if word.start() < end:
                continue
            for term in self._index.get(word[0].lower(), ()):
                stop = word.start() + len(term.text)
                if term.fits(text[word.start() : stop]) and not _continues(text, stop):
                    yield term.category, term.text, Span(word.start(), stop, term.category)
                    end = stop
                    break


def count_terms(pairs: Iterable[Pair], probes: ProbeSet) -> TermReport:
    """Count terms outside the gold spans of documents, and those that predictions touch.

    A term is hit where any letter or digit of it lies in a predicted span. Documents are read
    once, one at a time.
    """
    finder = TermFinder(probes)
    seen: Counter[tuple[str, str]] = Counter()
    hits: Counter[tuple[str, str]] = Counter()
    documents = 0
    for pair in pairs:
        documents += 1
        regions = ignored_regions(pair.gold)
        for category, term, span in finder.find(pair.gold.text):
            if touching(span, pair.gold.spans) or _lies_in(span, regions):
                continue
            seen[category, term] += 1
            hits[category, term] += coverage(pair.gold.text, span, pair.predicted.spans)[0] > 0
    terms = {key: Share(hits[key], seen[key]) for key in sorted(seen)}
    categories = {
        category: sum((share for key, share in terms.items() if key[0] == category), Share(0, 0))
        for category in finder.titles
        if any(key[0] == category for key in terms)
    }
    return TermReport(documents, categories, finder.titles, terms)


def _lies_in(span: Span, regions: Sequence[Region]) -> bool:
    return any(start < span.end and span.start < end for start, end in regions)


def _terms(probes: ProbeSet) -> Iterator[_Term]:
    for category, text in probes.terms():
        if not text.isdigit():  # "138" alone says nothing about where it stands
            yield _Term(category, text)
    known = lexicon_names()
    for category, kind in ((DRUGS, "drugs"), (EPONYMS, "eponyms")):
        for name in (f"world.{kind}", f"{probes.language}.{kind}"):
            if name in known:
                yield from (_Term(category, entry) for entry in sorted(find_lexicon(name)))
    for term, kind in sorted(protected_terms(probes.language).items()):
        if kind not in (BARE_EPONYM, "unit") and len(term) >= _SHORTEST and term[0].isalnum():
            yield _Term(PROTECTED + kind, term)


def _continues(text: str, place: int) -> bool:
    return place < len(text) and _WORD.match(text, place) is not None
