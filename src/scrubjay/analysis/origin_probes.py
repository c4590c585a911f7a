"""Names of each origin in the same sentences: recall where nothing but the name differs.

The frames of a language's probes are filled with names of `scrubjay.evaluation.origins`. Every
origin gets the same frames equally often, so that a gap in recall comes from the names alone.
The sentences are short and made; the figures compare origins and say nothing about whole notes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from scrubjay.analysis.probe_sets import ProbeSet
from scrubjay.analysis.probes import Share, coverage, detect_all
from scrubjay.corpora.inline import parse_inline
from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.evaluation.origins import find_origin, origin_names

DRAWS = 240
"""Sentences for each origin."""


@dataclass(frozen=True, slots=True)
class OriginCount:
    """Mentions with names of one origin: found whole, and not found at all, of how many."""

    origin: str
    title: str
    found: Share
    missed: Share


@dataclass(frozen=True, slots=True)
class OriginReport:
    """Recall by origin of names in the same sentences, in the order of the origins' names."""

    language: str
    draws: int
    seed: int
    origins: tuple[OriginCount, ...]

    @property
    def found(self) -> Share:
        """Return the mentions that were found, of all origins."""
        return sum((one.found for one in self.origins), Share(0, 0))

    def gap(self, one: OriginCount) -> float | None:
        """Return the recall of one origin less that of all the others together."""
        others = Share(self.found.count - one.found.count, self.found.of - one.found.of)
        if one.found.ratio is None or others.ratio is None:
            return None
        return one.found.ratio - others.ratio

    def record(self) -> dict[str, Any]:
        """Return every figure as plain values for JSON."""
        return {
            "language": self.language,
            "sentences_per_origin": self.draws,
            "seed": self.seed,
            "found": self.found.record(),
            "origins": [
                {
                    "origin": one.origin,
                    "title": one.title,
                    "found": one.found.record(),
                    "missed": one.missed.record(),
                    "gap": self.gap(one),
                }
                for one in self.origins
            ],
        }


def probe_origins(
    detector: Detector, probes: ProbeSet, *, draws: int = DRAWS, seed: int = 0
) -> OriginReport:
    """Return how a detector finds names of each origin in `draws` sentences for each.

    Names are drawn without replacement until a list is used up; the seed decides the order.
    Raises `ConfigError` for less than one sentence and for probes without frames.
    """
    if draws < 1:
        raise ConfigError(f"a probe of names needs at least one sentence, not {draws}")
    if not probes.frames:
        raise ConfigError(
            "the probes have no frames for names", hint="Add `frames` to the file of probes"
        )
    counts = tuple(_count(detector, probes, name, draws, seed) for name in origin_names())
    return OriginReport(probes.language, draws, seed, counts)


def implant_names(
    probes: ProbeSet, origin: str, *, draws: int = DRAWS, seed: int = 0
) -> Iterator[Document]:
    """Yield sentences with names of one origin as documents with gold spans.

    Sentence n has frame n, and the frames begin anew where they end.
    """
    names = find_origin(origin)
    rng = np.random.default_rng(seed)
    given, family = (rng.permutation(part).tolist() for part in (names.given, names.family))
    for number in range(draws):
        frame = probes.frames[number % len(probes.frames)]
        filled = frame.replace("{given}", given[number % len(given)])
        filled = filled.replace("{family}", family[number % len(family)])
        yield parse_inline(filled, id=f"{origin}/{number + 1}")


def _count(detector: Detector, probes: ProbeSet, origin: str, draws: int, seed: int) -> OriginCount:
    found = missed = mentions = 0
    gold = list(implant_names(probes, origin, draws=draws, seed=seed))
    bare = (document.with_spans(()) for document in gold)
    for document, (_, spans) in zip(gold, detect_all(detector, bare), strict=True):
        for span in document.spans:
            covered, size = coverage(document.text, span, spans)
            mentions += 1
            found += covered == size
            missed += covered == 0
    title = find_origin(origin).title
    return OriginCount(origin, title, Share(found, mentions), Share(missed, mentions))
