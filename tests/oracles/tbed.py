"""Brill's loop in a few lines over strings: every candidate scored over every token, each round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from scrubjay.taggers.rules import TAG, Condition, Rule, RuleTemplate

Words = list[str]
Tags = list[str]
Reader = Callable[[str, Words, int], str | None]
"""The value of an attribute at a token of a sequence; None is no value."""


def holds(condition: Condition, words: Words, tags: Tags, token: int, read: Reader) -> bool:
    """Tell whether a condition holds at a token."""
    values = (
        value_at(condition.part.attribute, words, tags, token + offset, read)
        for offset in condition.part.offsets
    )
    return condition.value in [value for value in values if value is not None]


def value_at(name: str, words: Words, tags: Tags, token: int, read: Reader) -> str | None:
    """Return a tag or an attribute's value at a place; None beyond the sequence."""
    if not 0 <= token < len(words):
        return None
    return tags[token] if name == TAG else read(name, words, token)


def applies(rule: Rule, words: Words, tags: Tags, token: int, read: Reader) -> bool:
    """Tell whether a rule would change a token."""
    if tags[token] != rule.source:
        return False
    return all(holds(condition, words, tags, token, read) for condition in rule.conditions)


def apply_rule(rule: Rule, words: Words, tags: Tags, read: Reader) -> list[int]:
    """Change the tags of one sequence in place; return where."""
    places = [token for token in range(len(words)) if applies(rule, words, tags, token, read)]
    for token in places:
        tags[token] = rule.target
    return places


def learn(
    sequences: Sequence[Words],
    initial: Sequence[Tags],
    gold: Sequence[Tags],
    templates: Sequence[RuleTemplate],
    read: Reader,
    *,
    min_score: int = 1,
    min_accuracy: float = 0.0,
    max_rules: int = 50,
) -> list[tuple[str, int, int, int]]:
    """Return the learned rules as text with score, fixed and broken."""
    tags = [list(sequence) for sequence in initial]
    learned: list[tuple[str, int, int, int]] = []
    while len(learned) < max_rules:
        best: tuple[tuple[object, ...], Rule, int, int] | None = None
        for number, rule in set(_candidates(sequences, tags, gold, templates, read)):
            fixed, broken = _count(rule, sequences, tags, gold, read)
            score = fixed - broken
            if score < max(1, min_score) or fixed / (fixed + broken) < min_accuracy:
                continue
            values = tuple(repr(condition.value) for condition in rule.conditions)
            key = (-score, number, repr(rule.source), repr(rule.target), values)
            if best is None or key < best[0]:
                best = (key, rule, fixed, broken)
        if best is None:
            break
        _, rule, fixed, broken = best
        for words, row in zip(sequences, tags, strict=True):
            apply_rule(rule, words, row, read)
        learned.append((str(rule), fixed - broken, fixed, broken))
    return learned


def _candidates(
    sequences: Sequence[Words],
    tags: Sequence[Tags],
    gold: Sequence[Tags],
    templates: Sequence[RuleTemplate],
    read: Reader,
) -> Iterator[tuple[int, Rule]]:
    """Yield the rules that would correct a wrong tag, with the number of their template."""
    for words, row, right in zip(sequences, tags, gold, strict=True):
        for token in range(len(words)):
            if row[token] == right[token]:
                continue
            for number, template in enumerate(templates):
                choices = [
                    {
                        Condition(part, value)
                        for offset in part.offsets
                        if (value := value_at(part.attribute, words, row, token + offset, read))
                        is not None
                    }
                    for part in template.parts
                ]
                for conditions in product(*choices):
                    yield number, Rule(row[token], right[token], conditions)


def _count(
    rule: Rule,
    sequences: Sequence[Words],
    tags: Sequence[Tags],
    gold: Sequence[Tags],
    read: Reader,
) -> tuple[int, int]:
    fixed = broken = 0
    for words, row, right in zip(sequences, tags, gold, strict=True):
        for token in range(len(words)):
            if applies(rule, words, row, token, read):
                fixed += right[token] == rule.target
                broken += right[token] == rule.source
    return fixed, broken
