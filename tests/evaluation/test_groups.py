"""Recall by group, against counts one mention at a time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.bounds import share_of
from scrubjay.evaluation.direct import DirectLabels
from scrubjay.evaluation.groups import (
    FEW_DOCUMENTS,
    FEW_MENTIONS,
    NOT_TOLD,
    Grouping,
    GroupScorer,
    difference_interval,
    find_grouping,
    group_by_key,
)
from scrubjay.evaluation.intervals import Interval
from scrubjay.evaluation.leakage import LeakageScorer, Mention
from scrubjay.evaluation.pairs import Pair
from scrubjay.labels import find_label_set

LEAK = Mention(0, 1, "DATE", False, "missed", ((0, 1),))
GONE = Mention(0, 1, "DATE", False, "removed")


def pair_of(name: str, metadata: Mapping[str, Any] = {}) -> Pair:
    document = Document(name, "x", metadata=metadata)
    return Pair(document, document)


@settings(max_examples=60)
@given(
    st.lists(
        st.lists(st.tuples(st.sets(st.sampled_from("abc")), st.booleans()), max_size=6), max_size=8
    )
)
def test_groups_count_each_of_their_mentions(corpus: list[list[tuple[set[str], bool]]]) -> None:
    names: dict[tuple[str, int], set[str]] = {}
    scorer = GroupScorer(Grouping("k", lambda pair, m: names[pair.gold.id, m.start]))
    for number, rows in enumerate(corpus):
        mentions = []
        for place, (groups, leaks) in enumerate(rows):
            names[str(number), place] = groups
            left = ((place, place + 1),) if leaks else ()
            mentions.append(replace(LEAK, start=place, end=place + 1, left=left))
        scorer.add(pair_of(str(number)), mentions)
    table = scorer.table()
    flat = [(number, *row) for number, rows in enumerate(corpus) for row in rows]
    assert table.ungrouped == sum(not groups for _, groups, _ in flat)
    assert [row.group for row in table.rows] == sorted({g for _, groups, _ in flat for g in groups})
    for row in table.rows:
        own = [(number, leaks) for number, groups, leaks in flat if row.group in groups]
        rest = [leaks for _, groups, leaks in flat if groups and row.group not in groups]
        assert row.mentions == len(own)
        assert row.documents == len({number for number, _ in own})
        assert row.leaks == sum(leaks for _, leaks in own)
        assert row.too_small
        if rest:
            wanted = sum(rest) / len(rest) - row.leaks / row.mentions
            assert row.gap == pytest.approx(wanted)
            assert row.gap is not None
            assert row.gap_interval is not None
            assert row.gap_interval.low <= row.gap <= row.gap_interval.high
        else:
            assert row.gap is None
    assert table.widest is None


def test_groups_that_are_large_enough_are_compared() -> None:
    scorer = GroupScorer(group_by_key("site"))
    for number in range(2 * FEW_DOCUMENTS):
        site = "north" if number % 2 else "south"
        mentions = [GONE] * (FEW_MENTIONS // FEW_DOCUMENTS) + [LEAK] * (site == "north")
        scorer.add(pair_of(str(number), {"columns": {"site": site}}), mentions)
    scorer.add(pair_of("last", {"site": "west"}), [LEAK])
    scorer.add(pair_of("untold"), [GONE])
    table = scorer.table()
    assert [(row.group, row.too_small) for row in table.rows] == [
        (NOT_TOLD, True),
        ("north", False),
        ("south", False),
        ("west", True),
    ]
    assert table.widest == pytest.approx(1 - 50 / 55)
    record = table.record()
    assert record["key"] == "site"
    assert record["groups"][3]["recall"]["share"] == 0.0


def test_the_predicted_corpus_may_tell_the_group() -> None:
    gold, predicted = Document("a", "x"), Document("a", "x", metadata={"site": 3})
    scorer = GroupScorer(group_by_key("site"))
    scorer.add(Pair(gold, predicted), [GONE])
    assert [row.group for row in scorer.table().rows] == ["3"]
    by_id = GroupScorer(group_by_key("id:(.)-.*"))
    by_id.add(pair_of("n-1"), [GONE])
    assert [row.group for row in by_id.table().rows] == ["n"]


def test_a_key_that_no_document_has_is_an_error() -> None:
    scorer = GroupScorer(group_by_key("ward"))
    scorer.add(pair_of("a"), [GONE])
    with pytest.raises(InputError, match="no document has a group under 'ward'"):
        scorer.table()
    with pytest.raises(ConfigError, match="the group key is no regular expression"):
        group_by_key("id:(")


def test_names_are_grouped_by_origin_and_nothing_else_is() -> None:
    text = "Juan Martin saw Qwzyx on Monday, Juan Martin too"
    label_set = find_label_set("i2b2-2014")
    spans = (
        Span(0, 11, "PATIENT"),
        Span(16, 21, "DOCTOR"),
        Span(25, 31, "DATE"),
        Span(33, 44, "DATE"),
    )
    gold = Document("a", text, spans)
    pair = Pair(gold, Document("a", text, spans[:1]))
    mentions = LeakageScorer(DirectLabels(None, "")).add(pair)
    scorer = GroupScorer(find_grouping("origin", label_set=label_set))
    scorer.add(pair, mentions)
    table = scorer.table()
    assert [(row.group, row.mentions, row.leaks) for row in table.rows] == [("hispanic", 1, 0)]
    assert table.ungrouped == 1
    every = GroupScorer(find_grouping("origin", label_set=None))
    every.add(pair, mentions)
    assert [(row.group, row.mentions) for row in every.table().rows] == [("hispanic", 2)]
    assert find_grouping("site", label_set=None).key == "site"


def test_the_interval_of_a_difference() -> None:
    first, second = share_of(90, 100), share_of(50, 100)
    found = difference_interval(first, second)
    down = math.hypot(0.9 - first.interval.low, second.interval.high - 0.5)
    assert found.low == pytest.approx(0.4 - down)
    assert 0.4 in found
    assert 0.0 not in found
    assert difference_interval(first, share_of(0, 0)) == Interval(-1.0, 1.0)
    mirrored = difference_interval(second, first)
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))
