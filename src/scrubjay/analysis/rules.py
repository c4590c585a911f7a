"""What each rule of a rule tagger does on a corpus: tags changed, made right, made wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import numpy as np

from scrubjay.document import Document
from scrubjay.taggers.rules import Rule
from scrubjay.taggers.tbed import TbedDetector
from scrubjay.tags import TagArray, encode_tags
from scrubjay.text.tokens import Tokens, align_spans

_BATCH = 64


@dataclass(frozen=True, slots=True)
class RuleCount:
    """A rule, its number from 1, and its changes on a corpus: all, made right, made wrong.

    A change from one wrong tag to another is in `fired` alone.
    """

    number: int
    rule: Rule
    fired: int
    fixed: int
    broken: int

    @property
    def gain(self) -> int:
        """Return the tags made right less those made wrong."""
        return self.fixed - self.broken


def count_rules(detector: TbedDetector, documents: Iterable[Document]) -> tuple[RuleCount, ...]:
    """Count what each rule of a detector does on documents with gold spans, in rule order.

    Gold spans of labels that the detector does not know count as no PHI; spans that fit no tokens
    are widened to those that they touch. Counts are of tags, as learning counts them.
    """
    rules = detector.tagger.model.rules
    index = {name: place for place, name in enumerate(detector.tagger.tag_names)}
    sources = np.array([index[rule.source] for rule in rules], dtype=np.int64)
    targets = np.array([index[rule.target] for rule in rules], dtype=np.int64)
    totals = np.zeros((3, len(rules)), dtype=np.int64)
    stream = iter(documents)
    while part := list(islice(stream, _BATCH)):
        batch = [detector.tokenizer.tokenize(document.text) for document in part]
        gold = np.concatenate([_gold(detector, d, t) for d, t in zip(part, batch, strict=True)])
        fired = detector.tagger.apply(batch).firings
        right = gold[fired.tokens]
        for row, chosen in enumerate(
            (right >= 0, right == targets[fired.rules], right == sources[fired.rules])
        ):
            totals[row] += np.bincount(fired.rules[chosen], minlength=len(rules))
    return tuple(
        RuleCount(number, rule, *counts)
        for number, (rule, counts) in enumerate(zip(rules, totals.T.tolist(), strict=True), start=1)
    )


def _gold(detector: TbedDetector, document: Document, tokens: Tokens) -> TagArray:
    known = [span for span in document.spans if span.label in detector.labels]
    ranges = align_spans(tokens, known).ranges
    scheme, labels = detector.tagger.scheme, detector.labels
    return encode_tags(ranges, len(tokens), scheme=scheme, labels=labels)


def by_gain(counts: Iterable[RuleCount]) -> list[RuleCount]:
    """Return counts with the largest gain first, in rule order where gains are equal."""
    return sorted(counts, key=lambda count: (-count.gain, count.number))
