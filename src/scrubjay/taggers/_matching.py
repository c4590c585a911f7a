"""Where rules apply: an index from values to tokens, and the loop over an ordered rule list.

Of the conditions of a rule, the one that holds at the fewest tokens of the batch leads to the
tokens that are looked at; a rule whose value stands nowhere in the batch costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import compiled, use_compiled
from scrubjay.features.encoder import Encoded, Encoder
from scrubjay.taggers.rules import TAG, Rule
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray

LongArray = npt.NDArray[np.int64]

#: The attribute number of a condition on tags.
TAG_NUMBER = -1


@dataclass(frozen=True, slots=True, eq=False)
class RuleTable:
    """Rules in numbers: `rules` (r, 2) hold the two tags, `bounds` (r + 1,) delimit conditions.

    A row of `conditions` is (attribute, first offset, last offset, value); attributes are
    numbered as `attributes`, values as in the encoder's alphabets, 0 for a value that it lacks.
    """

    attributes: tuple[str, ...]
    rules: LongArray
    bounds: LongArray
    conditions: LongArray


def number_rules(
    rules: Sequence[Rule], alphabets: Mapping[str, Mapping[str, int]], tag_names: Sequence[str]
) -> RuleTable:
    """Return rules in the numbers of an encoder's alphabets and of a list of tags.

    Raises `KeyError` for a tag that is not in the list.
    """
    attributes = tuple(alphabets)
    number = {name: place for place, name in enumerate(attributes)}
    tags = {name: place for place, name in enumerate(tag_names)}
    rows: list[tuple[int, int, int, int]] = []
    bounds = [0]
    for rule in rules:
        for condition in rule.conditions:
            part, value = condition.part, condition.value
            if part.attribute == TAG:
                rows.append((TAG_NUMBER, part.first, part.last, tags[value]))
            else:
                known = alphabets[part.attribute].get(value, 0)
                rows.append((number[part.attribute], part.first, part.last, known))
        bounds.append(len(rows))
    return RuleTable(
        attributes,
        np.array([(tags[r.source], tags[r.target]) for r in rules], np.int64).reshape(-1, 2),
        np.array(bounds, dtype=np.int64),
        np.array(rows, dtype=np.int64).reshape(-1, 4),
    )


class TokenIndex:
    """The tokens of an encoded batch by the values of their attributes.

    `values` (a, n) holds the value numbers of attributes; `starts` and `tokens` list for value
    `v` of attribute `a` the tokens `tokens[starts[base[a] + v]:starts[base[a] + v + 1]]`,
    ascending. Value 0, nothing, has an empty list.
    """

    def __init__(self, encoder: Encoder, encoded: Encoded, attributes: Sequence[str]) -> None:
        size = len(encoded)
        self.segments = encoded.segments
        self.values: IntArray = np.zeros((len(attributes), size), dtype=np.int32)
        lengths = [len(encoder.alphabets[name]) + 1 for name in attributes]
        self.base: LongArray = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        lists, counts = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for number, (name, length) in enumerate(zip(attributes, lengths, strict=True)):
            row = encoder.part_values(encoded, name, 0)
            self.values[number] = row
            here = np.flatnonzero(row)
            found = row[here]
            small = found.astype(np.int16) if length < 2**15 else found
            lists.append(here[np.argsort(small, kind="stable")])
            counts.append(np.bincount(found, minlength=length))
        self.tokens: LongArray = np.concatenate(lists)
        self.starts: LongArray = np.concatenate([[0], np.cumsum(np.concatenate(counts))])

    def __len__(self) -> int:
        return len(self.segments)

    def listed(self, attribute: int, value: int) -> LongArray:
        """Return the tokens with a value, ascending."""
        place = int(self.base[attribute]) + value
        return self.tokens[self.starts[place] : self.starts[place + 1]]

    def neighbours(self, tokens: LongArray, offset: int) -> tuple[LongArray, LongArray]:
        """Return the tokens that have a neighbour at an offset, and those neighbours."""
        there = tokens + offset
        inside = (there >= 0) & (there < len(self))
        tokens, there = tokens[inside], there[inside]
        same = self.segments[tokens] == self.segments[there]
        return tokens[same], there[same]

    def matching(self, table: RuleTable, number: int, tags: TagArray) -> LongArray:
        """Return the tokens that a rule would change, ascending."""
        source = table.rules[number, 0]
        rows = table.conditions[table.bounds[number] : table.bounds[number + 1]].tolist()
        words = [row for row in rows if row[0] != TAG_NUMBER]
        if words:
            rarest = min(words, key=self._cost)
            tokens = self._holding(rarest)
            rows.remove(rarest)
            tokens = tokens[tags[tokens] == source]
        else:
            tokens = np.flatnonzero(tags == source)
        for attribute, first, last, value in rows:
            row = tags if attribute == TAG_NUMBER else self.values[attribute]
            holds = np.zeros(len(tokens), dtype=bool)
            for offset in range(first, last + 1):
                there = tokens + offset
                inside = (there >= 0) & (there < len(self))
                there = np.where(inside, there, tokens)
                inside &= self.segments[there] == self.segments[tokens]
                holds |= inside & (row[there] == value)
            tokens = tokens[holds]
        return tokens

    def _cost(self, row: Sequence[int]) -> int:
        attribute, first, last, value = row
        place = int(self.base[attribute]) + value
        return int(self.starts[place + 1] - self.starts[place]) * (last - first + 1)

    def _holding(self, row: Sequence[int]) -> LongArray:
        """Return the tokens where a condition on words holds."""
        attribute, first, last, value = row
        listed = self.listed(attribute, value)
        found = [self.neighbours(listed, -offset)[1] for offset in range(first, last + 1)]
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))


@dataclass(frozen=True, slots=True, eq=False)
class Firings:
    """What an ordered rule list did: rule and token of each change, in the order of changes."""

    rules: LongArray
    tokens: LongArray


def apply_rules(index: TokenIndex, table: RuleTable, tags: TagArray) -> Firings:
    """Apply every rule in order, changing `tags` in place, and return what fired where.

    A rule finds all its tokens before it changes any, so that it never feeds itself.
    """
    if not len(index) or not len(table.rules):
        empty = np.zeros(0, dtype=np.int64)
        return Firings(empty, empty)
    if use_compiled(len(index)):
        return _apply_compiled(index, table, tags)
    rules, tokens = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for number in _possible(index, table).tolist():
        found = index.matching(table, number, tags)
        if len(found):
            tags[found] = table.rules[number, 1]
            tokens.append(found)
            rules.append(np.full(len(found), number, dtype=np.int64))
    return Firings(np.concatenate(rules), np.concatenate(tokens))


def _possible(index: TokenIndex, table: RuleTable) -> LongArray:
    """Return the rules whose every condition on words holds somewhere in the batch."""
    rows = table.conditions
    absent = rows[:, 0] != TAG_NUMBER
    places = index.base[rows[absent, 0]] + rows[absent, 3]
    absent[absent] = index.starts[places + 1] == index.starts[places]
    owner = np.repeat(np.arange(len(table.rules)), np.diff(table.bounds))
    missing = np.bincount(owner[absent], minlength=len(table.rules))
    return np.flatnonzero(missing == 0)


def _apply_compiled(index: TokenIndex, table: RuleTable, tags: TagArray) -> Firings:
    possible = _possible(index, table)
    room = max(1024, len(index))
    while True:
        rules, tokens = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
        trial = tags.copy()
        count = _compiled_apply()(
            possible, table.rules, table.bounds, table.conditions, index.base, index.starts,
            index.tokens, index.values, index.segments, trial, rules, tokens,
        )  # fmt: skip
        if count >= 0:
            tags[:] = trial
            return Firings(rules[:count], tokens[:count])
        room *= 2


def _apply_loop(
    possible: Any, rules: Any, bounds: Any, conditions: Any, base: Any, starts: Any, listed: Any,
    values: Any, segments: Any, tags: Any, out_rules: Any, out_tokens: Any,
) -> int:  # fmt: skip
    """Apply rules in order; return the number of changes, -1 where they do not fit."""
    size, count = len(tags), 0
    for place in range(len(possible)):
        number = possible[place]
        source, target = rules[number, 0], rules[number, 1]
        begin, end = bounds[number], bounds[number + 1]
        rarest, cost = -1, size + 1
        for row in range(begin, end):
            if conditions[row, 0] >= 0:
                where = base[conditions[row, 0]] + conditions[row, 3]
                width = conditions[row, 2] - conditions[row, 1] + 1
                here = (starts[where + 1] - starts[where]) * width
                if rarest < 0 or here < cost:
                    rarest, cost = row, here
        first, last, where, amount = 0, 0, 0, size
        if rarest >= 0:
            first, last = conditions[rarest, 1], conditions[rarest, 2]
            where = starts[base[conditions[rarest, 0]] + conditions[rarest, 3]]
            amount = starts[base[conditions[rarest, 0]] + conditions[rarest, 3] + 1] - where
        before = count
        for step in range(amount):
            listed_token = listed[where + step] if rarest >= 0 else step
            for shift in range(first, last + 1):
                token = listed_token - shift
                if token < 0 or token >= size or tags[token] != source:
                    continue
                if segments[token] != segments[listed_token]:
                    continue
                holds = True
                for row in range(begin, end):
                    if row == rarest:
                        continue
                    attribute, value = conditions[row, 0], conditions[row, 3]
                    met = False
                    for offset in range(conditions[row, 1], conditions[row, 2] + 1):
                        there = token + offset
                        if there < 0 or there >= size or segments[there] != segments[token]:
                            continue
                        found = tags[there] if attribute < 0 else values[attribute, there]
                        if found == value:
                            met = True
                            break
                    if not met:
                        holds = False
                        break
                if holds:
                    if count == len(out_rules):
                        return -1
                    out_rules[count], out_tokens[count] = number, token
                    count += 1
        # A range may lead to a token twice; it changes, and is told of, once.
        kept = before
        for step in range(before, count):
            token = out_tokens[step]
            if tags[token] == source:
                tags[token] = target
                out_tokens[kept] = token
                kept += 1
        count = kept
    return count


@cache
def _compiled_apply() -> Any:
    return compiled(_apply_loop)
