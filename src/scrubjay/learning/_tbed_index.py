"""The training tokens of the rule learner as groups: one number for each way to fill a template.

A group is a template with its values filled in; a token belongs to it where its conditions hold,
whatever the token's own tag. Conditions on words never change, so their groups are numbered once;
conditions on tags are packed beside them into one integer, and follow the tags of the moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoded, Encoder
from scrubjay.learning._tbed_groups import Groups, group_keys
from scrubjay.taggers.rules import TAG, Part, RuleTemplate
from scrubjay.tags import TagArray
from scrubjay.text.tokens import IntArray

LongArray = npt.NDArray[np.int64]

_LIMIT = 2**62


class Values:
    """Value numbers of attributes at offsets from every token; keeps the shifted word ids."""

    def __init__(self, encoder: Encoder, encoded: Encoded) -> None:
        self.encoder = encoder
        self.encoded = encoded
        self._words: dict[int, IntArray] = {}

    def at(self, attribute: str, offset: int) -> IntArray:
        """Return the value of an attribute at an offset from each token, 0 for nothing."""
        encoder = self.encoder
        if attribute in encoder.position_names:
            return encoder.part_values(self.encoded, attribute, offset)
        if offset not in self._words:
            self._words[offset] = self.encoded.shift(self.encoded.word_ids, offset)
        column = encoder.word_rows()[:, encoder.word_names.index(attribute)]
        values: IntArray = np.ascontiguousarray(column)[self._words[offset]]
        return values

    def forget(self) -> None:
        """Give the memory of the shifted word ids back."""
        self._words.clear()


@dataclass(frozen=True, slots=True, eq=False)
class StaticSet:
    """The groups of one combination of conditions on words.

    `columns` are rows of the index's matrix, one for each choice of offsets, and `offsets` those
    choices. `places` names for each group one `choice * tokens + token` that belongs to it.
    """

    parts: tuple[Part, ...]
    columns: tuple[int, ...]
    offsets: tuple[tuple[int, ...], ...]
    places: LongArray


@dataclass(frozen=True, slots=True, eq=False)
class IndexedTemplate:
    """A template: its groups are `base` to `base + size`, before the tags are packed in.

    `static` is None where every condition is on tags. `tags` are the choices of offsets of the
    conditions on tags: one empty choice where there is none.
    """

    template: RuleTemplate
    static: StaticSet | None
    tags: tuple[tuple[int, ...], ...]
    base: int
    size: int

    @property
    def is_dynamic(self) -> bool:
        return bool(self.tags[0])


@dataclass(slots=True, eq=False)
class RuleIndex:
    """Everything about the training tokens that does not change while rules are learned.

    `columns` (c, n) hold the group of each token within its static set, -1 for none. Templates
    without tags come first in the numbering of groups; `static_size` is their number of groups.
    `gold` (n,) are the right tags, `segments` (n,) what a window may not leave.
    """

    templates: tuple[IndexedTemplate, ...]
    columns: IntArray
    gold: TagArray
    segments: IntArray
    tag_names: tuple[str, ...]
    values: Values
    static_size: int
    tag_width: int
    _names: dict[str, list[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def tag_count(self) -> int:
        return len(self.tag_names)

    def tag_offsets(self) -> list[int]:
        """Return every offset at which some template looks at a tag."""
        return sorted({o for entry in self.templates for choice in entry.tags for o in choice})

    def reach(self, positions: LongArray) -> LongArray:
        """Return the tokens with a condition on the tag of one of `positions`, and these."""
        found = [positions]
        for offset in self.tag_offsets():
            there = positions - offset
            inside = (there >= 0) & (there < len(self))
            there, here = there[inside], positions[inside]
            found.append(there[self.segments[there] == self.segments[here]])
        return np.unique(np.concatenate(found))

    def tags_at(self, positions: LongArray, tags: TagArray, offset: int) -> LongArray:
        """Return the tags at an offset from positions, -1 beyond the window."""
        there = positions + offset
        inside = (there >= 0) & (there < len(self))
        safe = np.where(inside, there, positions)
        inside &= self.segments[safe] == self.segments[positions]
        return np.where(inside, tags[safe].astype(np.int64), -1)

    def locate(self, group: int) -> tuple[IndexedTemplate, int, tuple[int, ...]]:
        """Return template, group within its static set and tag values of a packed group."""
        if group < self.static_size:
            entry = self._template_of(group)
            return entry, group - entry.base, ()
        packed = group - self.static_size
        packed, tags = packed // self.tag_width, packed % self.tag_width
        entry = self._template_of(packed + self.static_size)
        values = []
        for _ in entry.tags[0]:
            tags, value = divmod(tags, self.tag_count)
            values.append(value)
        return entry, packed + self.static_size - entry.base, tuple(reversed(values))

    def template_numbers(self, groups: LongArray) -> LongArray:
        """Return the number of the template of each packed group."""
        packed = self.static_size + (groups - self.static_size) // self.tag_width
        bases = np.where(groups < self.static_size, groups, packed)
        order = np.array(sorted(range(len(self.templates)), key=lambda n: self.templates[n].base))
        # Templates without any group share their base with the next one, which is the owner.
        ends = [self.templates[n].base + self.templates[n].size for n in order.tolist()]
        found: LongArray = order[np.searchsorted(np.array(ends), bases, side="right")]
        return found

    def _template_of(self, base: int) -> IndexedTemplate:
        return next(entry for entry in self.templates if 0 <= base - entry.base < entry.size)

    def positions(self, group: int, tags: TagArray, source: int) -> LongArray:
        """Return the tokens tagged `source` that belong to a packed group, ascending."""
        entry, number, wanted = self.locate(group)
        rows = entry.static.columns if entry.static else (-1,)
        found = []
        for row, offsets in product(rows, entry.tags):
            if row >= 0:
                tokens = np.flatnonzero(self.columns[row] == number)
            else:
                # Tags other than `O` are few: begin with the tokens beside the rarest.
                rarest = max(range(len(wanted)), key=lambda place: wanted[place] > 0)
                tokens = np.flatnonzero(tags == wanted[rarest]) - offsets[rarest]
                tokens = tokens[(tokens >= 0) & (tokens < len(self))]
            tokens = tokens[tags[tokens] == source]
            for offset, value in zip(offsets, wanted, strict=True):
                tokens = tokens[self.tags_at(tokens, tags, offset) == value]
            found.append(tokens)
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))

    def condition_values(self, group: int) -> list[str]:
        """Return the values of a packed group's conditions, in the order of its template."""
        entry, number, tags = self.locate(group)
        words = iter(self._static_values(entry, number))
        names = iter(self.tag_names[tag] for tag in tags)
        return [
            next(names) if part.attribute == TAG else next(words) for part in entry.template.parts
        ]

    def _static_values(self, entry: IndexedTemplate, number: int) -> list[str]:
        if entry.static is None:
            return []
        choice, token = divmod(int(entry.static.places[number]), len(self))
        encoder, encoded = self.values.encoder, self.values.encoded
        found = []
        for part, offset in zip(entry.static.parts, entry.static.offsets[choice], strict=True):
            name, place = part.attribute, token + offset
            if name in encoder.position_names:
                value = int(encoded.positions[place, encoder.position_names.index(name)])
            else:
                row = encoder.word_rows()[int(encoded.word_ids[place])]
                value = int(row[encoder.word_names.index(name)])
            found.append(self._value_name(name, value))
        return found

    def _value_name(self, attribute: str, number: int) -> str:
        if attribute not in self._names:
            self._names[attribute] = self.values.encoder.values_of(attribute)
        return self._names[attribute][number - 1]


def build_index(
    templates: Sequence[RuleTemplate],
    values: Values,
    *,
    gold: TagArray,
    tag_names: Sequence[str],
    least: int = 1,
) -> RuleIndex:
    """Number the groups of every template.

    Groups of fewer than `least` tokens are left out: no rule on them can score `least`. Raises
    `ConfigError` where templates and tags are too many to be packed into 63 bits.
    """
    statics, columns = _number_columns(templates, values, least)
    tag_parts = [[p for p in t.parts if p.attribute == TAG] for t in templates]
    depth = max((len(parts) for parts in tag_parts), default=0)
    indexed: dict[int, IndexedTemplate] = {}
    base = static_size = 0
    for number in sorted(range(len(templates)), key=lambda number: bool(tag_parts[number])):
        static = statics.get(_word_parts(templates[number]))
        count = len(static.places) if static else 1
        tags = tuple(product(*(part.offsets for part in tag_parts[number])))
        indexed[number] = IndexedTemplate(templates[number], static, tags, base, count)
        base += count
        if not tag_parts[number]:
            static_size = base
    if base * len(tag_names) ** (depth + 2) >= _LIMIT:
        raise ConfigError("too many templates, tags and values to learn rules from at once")
    return RuleIndex(
        templates=tuple(indexed[number] for number in range(len(templates))),
        columns=columns,
        gold=gold,
        segments=values.encoded.segments,
        tag_names=tuple(tag_names),
        values=values,
        static_size=static_size,
        tag_width=len(tag_names) ** depth,
    )


def _word_parts(template: RuleTemplate) -> tuple[Part, ...]:
    return tuple(part for part in template.parts if part.attribute != TAG)


def _number_columns(
    templates: Sequence[RuleTemplate], values: Values, least: int
) -> tuple[dict[tuple[Part, ...], StaticSet], IntArray]:
    """Return the groups of every combination of conditions on words, and their columns."""
    size = len(values.encoded)
    choices = {
        parts: tuple(product(*(part.offsets for part in parts)))
        for parts in map(_word_parts, templates)
        if parts
    }
    columns: IntArray = np.empty((sum(map(len, choices.values())), size), dtype=np.int32)
    statics: dict[tuple[Part, ...], StaticSet] = {}
    row = 0
    for parts, offsets in choices.items():
        groups = _group_parts(parts, offsets, values, least)
        columns[row : row + len(offsets)] = groups.ids.reshape(len(offsets), size)
        numbers = tuple(range(row, row + len(offsets)))
        statics[parts] = StaticSet(parts, numbers, offsets, groups.places)
        row += len(offsets)
    values.forget()
    return statics, columns


def _group_parts(
    parts: Sequence[Part], offsets: Sequence[tuple[int, ...]], values: Values, least: int
) -> Groups:
    """Number the combinations of values over every choice of offsets, choice by choice."""
    count = len(values.encoded)
    keys = np.zeros(len(offsets) * count, dtype=np.int64)
    limit = 1
    for number, part in enumerate(parts):
        size = len(values.encoder.alphabets[part.attribute]) + 1
        if limit * size >= _LIMIT:
            groups = group_keys(keys, limit)
            keys, limit = groups.ids.astype(np.int64), len(groups.places)
        keys *= size
        for place, choice in enumerate(offsets):
            row = keys[place * count : (place + 1) * count]
            found = values.at(part.attribute, choice[number])
            row += found
            row[(found == 0) | (row < 0)] = -1
        limit *= size
    return group_keys(keys, limit, least=least)
