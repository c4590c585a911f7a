"""Protected terms in carrier sentences: the share of each kind that a detector takes for PHI.

The terms are those of `scrubjay.features.protected`, the sentences the `carriers` of a language's
probes: for each kind some, with `{term}` where a term is put as it is usually written, and
`{TERM}` where it stands in capitals. A term is hit where any letter or digit of it lies in a
predicted span. The lists are those that models may read, so the figures say what becomes of
known terms, in sentences that no training saw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrubjay.analysis.probe_sets import KEEP, ProbeSet
from scrubjay.analysis.probes import Share, coverage, detect_all
from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.features.protected import protected_terms

DRAWS = 200
"""Sentences for each kind."""

_MARKS = ("{term}", "{TERM}")
_UPPER = ("gene", "unit", "test", "procedure", "other")
_LONGEST_ABBREVIATION = 5


@dataclass(frozen=True, slots=True)
class KindCount:
    """Sentences with terms of one kind, and in how many the term was hit."""

    kind: str
    hit: Share
    terms: tuple[tuple[str, int], ...]
    """The terms that were hit and how often, most often first. They are ours."""


@dataclass(frozen=True, slots=True)
class ProtectedReport:
    """Counts by kind, in the order of the carriers; `listed` are the terms of all kinds."""

    language: str
    draws: int
    seed: int
    listed: int
    kinds: tuple[KindCount, ...]

    @property
    def hit(self) -> Share:
        """Return the sentences in which the term was hit, of all kinds."""
        return sum((one.hit for one in self.kinds), Share(0, 0))

    def record(self) -> dict[str, Any]:
        """Return every figure as plain values for JSON."""
        return {
            "language": self.language,
            "sentences_per_kind": self.draws,
            "seed": self.seed,
            "terms_listed": self.listed,
            "hit": self.hit.record(),
            "kinds": [
                {
                    "kind": one.kind,
                    "hit": one.hit.record(),
                    "terms_hit": dict(one.terms),
                }
                for one in self.kinds
            ],
        }


def probe_protected(
    detector: Detector, probes: ProbeSet, *, draws: int = DRAWS, seed: int = 0
) -> ProtectedReport:
    """Return what a detector makes of `draws` sentences with terms of each kind.

    Raises `ConfigError` for less than one sentence, for probes without carriers, and for a
    language without a list of terms.
    """
    if draws < 1:
        raise ConfigError(f"a probe of terms needs at least one sentence, not {draws}")
    if not probes.carriers:
        raise ConfigError(
            "the probes have no carriers for terms", hint="Add [carriers] to the file of probes"
        )
    counts = []
    for kind in probes.carriers:
        gold = list(carry_terms(probes, kind, draws=draws, seed=seed))
        bare = (document.with_spans(()) for document in gold)
        hits: dict[str, int] = {}
        for document, (_, spans) in zip(gold, detect_all(detector, bare), strict=True):
            span = document.spans[0]
            if coverage(document.text, span, spans)[0]:
                term = document.text[span.start : span.end].lower()
                hits[term] = hits.get(term, 0) + 1
        worst = tuple(sorted(hits.items(), key=lambda item: (-item[1], item[0])))
        counts.append(KindCount(kind, Share(sum(hits.values()), len(gold)), worst))
    listed = len(protected_terms(probes.language))
    return ProtectedReport(probes.language, draws, seed, listed, tuple(counts))


def carry_terms(
    probes: ProbeSet, kind: str, *, draws: int = DRAWS, seed: int = 0
) -> Iterator[Document]:
    """Yield sentences with terms of one kind, each a document with the term as its only span.

    Terms are drawn without replacement until the list is used up; sentence n has carrier n, and
    the carriers begin anew where they end. Raises `ConfigError` for a kind without terms.
    """
    terms = sorted(term for term, k in protected_terms(probes.language).items() if k == kind)
    if not terms:
        raise ConfigError(
            f"there are no terms of the kind {kind!r} for the language {probes.language!r}"
        )
    carriers = probes.carriers[kind]
    order = np.random.default_rng(seed).permutation(len(terms)).tolist()
    for number in range(draws):
        term = terms[order[number % len(order)]]
        carrier = carriers[number % len(carriers)]
        mark = next(mark for mark in _MARKS if mark in carrier)
        written = term.upper() if mark == "{TERM}" else write_term(term, kind, probes.language)
        start = carrier.index(mark)
        text = carrier.replace(mark, written)
        span = Span(start, start + len(written), KEEP)
        yield Document(f"{kind}/{number + 1}", text, (span,))


def write_term(term: str, kind: str, language: str) -> str:
    """Return a term, which lists keep in lower case, about as clinicians write it.

    Eponyms, microbes and headings have capitals, genes and short abbreviations are upper case.
    """
    known = find_lexicon(f"{language}.common")
    if kind == "gene":
        return term.upper()
    if kind in _UPPER and len(term) <= _LONGEST_ABBREVIATION and look_up(known, term) is None:
        return term if kind == "unit" else term.upper()
    if kind in ("microbe", "heading"):
        return term[:1].upper() + term[1:]
    if kind in ("eponym", "device"):
        first, *rest = term.split(" ")
        words = [_capital(first) if look_up(known, first) is None else _as_name(first)]
        return " ".join([*words, *map(_as_name, rest)])
    return term


def _as_name(word: str) -> str:
    """Return a word with a capital where it, or what stands before its first mark, is a name."""
    name = word.removesuffix("'s").partition("-")[0]
    is_name = word.endswith("'s") or name in find_lexicon("world.eponyms")
    return _capital(word) if is_name else word


def _capital(word: str) -> str:
    return "-".join(part[:1].upper() + part[1:] for part in word.split("-"))
