"""Recall by group: sites, types of notes, origins of names; and how far groups lie apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scrubjay.corpora.splits import key_finder
from scrubjay.errors import InputError
from scrubjay.evaluation.bounds import Share, share_of
from scrubjay.evaluation.intervals import CONFIDENCE, Interval
from scrubjay.evaluation.leakage import Mention
from scrubjay.evaluation.origins import origins_of
from scrubjay.evaluation.pairs import Pair
from scrubjay.labels import LabelSet

NOT_TOLD = "(not told)"
"""The group of documents whose metadata do not tell theirs."""

NAME_CATEGORY = "NAME"
"""The main category of names of persons in the label sets."""

FEW_MENTIONS = 50
FEW_DOCUMENTS = 5
"""A group with less than either is too small to tell: even without any leak its bound on the
leaks is above 5%."""

ORIGIN = "origin"
"""The key of the grouping by origin of names."""

GroupsOf = Callable[[Pair, Mention], Iterable[str] | None]
"""The groups of a mention: one, several (a name at home in two places), or none that is known;
None where the grouping does not concern it (a date has no origin)."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to group mentions, under the name of its key."""

    key: str
    groups_of: GroupsOf


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group: its documents, its mentions, and those of which anything would stay.

    `recall` is the share of mentions that would go whole. `gap` is that recall minus the recall
    of all other mentions of the grouping, None where either is undefined; `gap_interval` is
    Newcombe's (1998, method 10) over exact intervals. Mentions count as independent, so both
    intervals are a little too narrow.
    """

    group: str
    documents: int
    mentions: int
    leaks: int
    recall: Share
    gap: float | None
    gap_interval: Interval | None
    too_small: bool

    def record(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        ends = self.gap_interval
        return {
            "group": self.group,
            "documents": self.documents,
            "mentions": self.mentions,
            "leaks": self.leaks,
            "recall": self.recall.record(),
            "gap": self.gap,
            "gap_interval": None if ends is None else [ends.low, ends.high],
            "too_small": self.too_small,
        }


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The groups of one key, by name; `ungrouped` mentions belong to none of them.

    `widest` is the greatest difference in recall between two groups that are not too small,
    None where there are less than two.
    """

    key: str
    rows: tuple[GroupRow, ...]
    ungrouped: int
    widest: float | None

    def record(self) -> dict[str, Any]:
        """Return the table as JSON values."""
        return {
            "key": self.key,
            "groups": [row.record() for row in self.rows],
            "ungrouped_mentions": self.ungrouped,
            "widest_gap": self.widest,
        }


@dataclass(slots=True)
class _Group:
    mentions: int = 0
    leaks: int = 0
    documents: int = 0
    last: int = field(default=-1, repr=False)


class GroupScorer:
    """Takes pairs in with their mentions, and yields recall by the groups of one key."""

    def __init__(self, grouping: Grouping) -> None:
        self._grouping = grouping
        self._groups: dict[str, _Group] = {}
        self._grouped = _Group()
        self._ungrouped = self._pairs = 0

    def add(self, pair: Pair, mentions: Sequence[Mention]) -> None:
        """Take in one pair with its mentions, as `LeakageScorer.add` returns them."""
        self._pairs += 1
        for mention in mentions:
            found = self._grouping.groups_of(pair, mention)
            if found is None:
                continue
            names = sorted(set(found))
            if not names:
                self._ungrouped += 1
                continue
            for name in names:
                self._count(self._groups.setdefault(name, _Group()), mention)
            self._count(self._grouped, mention)

    def _count(self, group: _Group, mention: Mention) -> None:
        group.mentions += 1
        group.leaks += bool(mention.left)
        if group.last != self._pairs:
            group.last = self._pairs
            group.documents += 1

    def table(self, *, confidence: float = CONFIDENCE) -> GroupTable:
        """Return the groups so far.

        Raises `InputError` where pairs came in and none of them told its group.
        """
        key = self._grouping.key
        if set(self._groups) == {NOT_TOLD}:
            raise InputError(
                f"no document has a group under {key!r}",
                hint="Give --group the name of a metadata entry or column, id:REGEX, or origin",
            )
        rows = tuple(self._row(name, confidence) for name in sorted(self._groups))
        known = [row.recall.value for row in rows if not row.too_small]
        values = [value for value in known if value is not None]
        widest = max(values) - min(values) if len(values) > 1 else None
        return GroupTable(key, rows, self._ungrouped, widest)

    def _row(self, name: str, confidence: float) -> GroupRow:
        group, whole = self._groups[name], self._grouped
        removed = group.mentions - group.leaks
        others = whole.mentions - group.mentions
        recall = share_of(removed, group.mentions, confidence=confidence)
        rest = share_of(whole.mentions - whole.leaks - removed, others, confidence=confidence)
        gap = None
        if recall.value is not None and rest.value is not None:
            gap = recall.value - rest.value
        return GroupRow(
            name,
            group.documents,
            group.mentions,
            group.leaks,
            recall,
            gap,
            None if gap is None else difference_interval(recall, rest),
            group.mentions < FEW_MENTIONS or group.documents < FEW_DOCUMENTS,
        )


def difference_interval(first: Share, second: Share) -> Interval:
    """Return the interval of `first` minus `second`, two shares of independent trials.

    Squares of the distances to the ends of the two exact intervals add up (Newcombe 1998,
    method 10, which takes Wilson's intervals: exact ones are wider). Without trials on a side
    it is [-1, 1].
    """
    if first.value is None or second.value is None:
        return Interval(-1.0, 1.0)
    gap = first.value - second.value
    down = math.hypot(first.value - first.interval.low, second.interval.high - second.value)
    up = math.hypot(first.interval.high - first.value, second.value - second.interval.low)
    return Interval(max(-1.0, gap - down), min(1.0, gap + up))


def find_grouping(key: str, *, label_set: LabelSet | None) -> Grouping:
    """Return the grouping by origin for `origin`, else that of `group_by_key`."""
    return group_by_origin(label_set) if key == ORIGIN else group_by_key(key)


def group_by_origin(label_set: LabelSet | None) -> Grouping:
    """Return the grouping of names by origin, after the lists of `scrubjay.evaluation.origins`.

    It concerns the labels whose main category is NAME, and all where the label set has none.
    """
    names: frozenset[str] = frozenset()
    if label_set is not None:
        names = frozenset(
            label.name for label in label_set.definitions if label.category == NAME_CATEGORY
        )

    def groups_of(pair: Pair, mention: Mention) -> tuple[str, ...] | None:
        if names and mention.label not in names:
            return None
        return origins_of(pair.gold.text[mention.start : mention.end])

    return Grouping(ORIGIN, groups_of)


def group_by_key(key: str) -> Grouping:
    """Return the grouping by a metadata entry or column, or by `id:REGEX`, of each document.

    Gold is asked first, then the predicted document; where neither tells, the group is
    `NOT_TOLD`. Raises `ConfigError` for a broken expression.
    """
    find = key_finder(key, what="group", setting="the group key", hints=("", ""))

    def groups_of(pair: Pair, mention: Mention) -> tuple[str, ...]:
        for document in (pair.gold, pair.predicted):
            try:
                return (find(document),)
            except InputError:
                continue
        return (NOT_TOLD,)

    return Grouping(key, groups_of)
