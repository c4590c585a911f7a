"""Brill's greedy loop: the best rule, applied, again and again (Zhao 2020, pseudocode of TBED).

Ties are settled as NLTK's `BrillTaggerTrainer(deterministic=True)` does: by the order of the
templates, then by the Python representation of the two tags and of the conditions' values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scrubjay.compiling import use_compiled
from scrubjay.learning._tbed_compiled import CompiledScores
from scrubjay.learning._tbed_index import LongArray, RuleIndex
from scrubjay.learning._tbed_scores import PlainScores, Scores, Ties
from scrubjay.taggers.rules import Condition, Rule
from scrubjay.tags import TagArray


@dataclass(frozen=True, slots=True, eq=False)
class LearnedRule:
    """A rule and the tokens that it changed in the training data."""

    rule: Rule
    positions: LongArray
    target: int


def learn_rules(
    index: RuleIndex, tags: TagArray, *, min_score: int = 1, min_accuracy: float = 0.0
) -> Iterator[LearnedRule]:
    """Yield rules in the order in which they are learned, best first, until none is good enough.

    `tags` (n,) are those of the initial-state annotator, and are left as they are. A rule needs a
    score of at least `min_score` (and above 0) and an accuracy, fixed / (fixed + broken), of at
    least `min_accuracy`. A generator that is not asked on has done no work for the next rule.
    """
    scorer: type[CompiledScores | PlainScores]
    scorer = CompiledScores if use_compiled(len(index)) else PlainScores
    scores: Scores = scorer(index, tags)
    while True:
        ties = scores.best(min_score=min_score, min_accuracy=min_accuracy)
        if ties is None:
            return
        chosen = _first_of(ties, index)
        group, source = int(ties.groups[chosen]), int(ties.sources[chosen])
        target, fixed = int(ties.targets[chosen]), int(ties.fixed[chosen])
        positions = index.positions(group, scores.tags, source)
        entry, _, _ = index.locate(group)
        values = index.condition_values(group)
        rule = Rule(
            index.tag_names[source],
            index.tag_names[target],
            tuple(map(Condition, entry.template.parts, values)),
            score=ties.score,
            fixed=fixed,
            broken=fixed - ties.score,
        )
        yield LearnedRule(rule, positions, target)
        scores.change(positions, target)


def _first_of(ties: Ties, index: RuleIndex) -> int:
    """Return the index of the tie that comes first in NLTK's order."""
    if len(ties.groups) == 1:
        return 0
    numbers = index.template_numbers(ties.groups)
    left = np.flatnonzero(numbers == numbers.min())
    rank = np.argsort(np.argsort([repr(name) for name in index.tag_names]))
    for tags in (ties.sources, ties.targets):
        order = rank[tags[left]]
        left = left[order == order.min()]
    if len(left) == 1:
        return int(left[0])
    groups = ties.groups[left].tolist()
    values = [[repr(value) for value in index.condition_values(group)] for group in groups]
    return int(left[min(range(len(left)), key=values.__getitem__)])
