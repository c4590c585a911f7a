"""What a stacker looks at."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from scrubjay.document import Document, Span
from scrubjay.taggers._combining.candidates import collect_candidates
from scrubjay.taggers._combining.stacking_features import FeatureLayout, choose_rules, make_features
from tests.oracles.ensembles import rival_flags
from tests.taggers.ensemble_samples import NAMES, found, texts

NUMBERS = {name: number for number, name in enumerate(NAMES)}
LAYOUT = FeatureLayout(("x", "y", "z"), ("y",), NAMES, (("x", "one"), ("z", "two")))


def _table(
    layout: FeatureLayout, proposals: Any, documents: list[Document]
) -> list[dict[str, float]]:
    rows = make_features(layout, collect_candidates(proposals, NUMBERS), documents)
    return [dict(zip(layout.names(), row, strict=True)) for row in rows.tolist()]


def test_features_by_hand() -> None:
    document = Document("a", "Name:\n Anna Bell, 44\n")
    x = (Span(7, 16, "A", source="one"), Span(18, 20, "B", source="two"))
    y = (Span(7, 11, "A", score=0.8), Span(18, 20, "C", score=0.6))
    z = (Span(7, 16, "A"),)
    first, whole, _, age = _table(LAYOUT, [[x], [y], [z]], [document])
    assert (whole["proposed:x"], whole["proposed:y"], whole["proposed:z"]) == (1, 0, 1)
    assert whole["proposed"] == pytest.approx(2 / 3)
    assert (whole["score:y"], whole["log-odds:y"]) == (0, 0)
    assert first["score:y"] == 0.8
    assert first["log-odds:y"] == pytest.approx(math.log(4))
    assert (first["other-borders:x"], first["other-borders:z"]) == (1, 1)
    assert (first["rival-around"], first["rival-inside"]) == (1, 0)
    assert (whole["rival-around"], whole["rival-inside"]) == (0, 1)
    assert whole["best-rival-score"] == 0.8
    assert first["rival-members"] == pytest.approx(2 / 3)
    assert (age["other-label:x"], age["other-borders:x"], age["other-both:x"]) == (1, 0, 0)
    assert whole["log-characters"] == pytest.approx(math.log(10))
    assert whole["log-words"] == pytest.approx(math.log(3))
    assert whole["log-pieces"] == pytest.approx(math.log(3))
    assert whole["share-of-document"] == pytest.approx(7 / 21)
    assert whole["log-column"] == pytest.approx(math.log(2))
    assert whole["share-of-line"] == pytest.approx(1 / 14)
    assert (whole["begins-line"], whole["ends-line"]) == (1, 0)
    assert (age["begins-line"], age["ends-line"]) == (0, 1)
    assert [whole[f"label:{name}"] for name in NAMES] == [1, 0, 0]
    assert (whole["rule:x:one"], whole["rule:z:two"], first["rule:x:one"]) == (1, 0, 0)


class Doubtful:
    """A reading that finds the longer of two spans less likely."""

    def probabilities(self, asked: Any) -> list[list[float]]:
        return [[1 / (1 + len(span)) for span in spans] for spans in asked]


def test_a_member_has_an_opinion_of_what_others_propose() -> None:
    layout = replace(LAYOUT, opining=("y",))
    spans = [(Span(0, 3, "A"),)], [()], [()]
    readings: Any = [None, Doubtful(), None]
    candidates = collect_candidates(spans, NUMBERS, readings)
    (row,) = make_features(layout, candidates, [Document("a", "Ana Bell")]).tolist()
    table = dict(zip(layout.names(), row, strict=True))
    assert table["opinion:y"] == 0.25
    assert table["opinion-log-odds:y"] == pytest.approx(math.log(1 / 3))
    assert (table["proposed:y"], table["score:y"]) == (0, 0)


@settings(max_examples=40)
@given(found())
def test_rivals_are_those_of_the_oracle(proposals: list[list[tuple[Span, ...]]]) -> None:
    candidates = collect_candidates(proposals, NUMBERS)
    for row, values in enumerate(_table(LAYOUT, proposals, texts(2))):
        flags, rivals = rival_flags(candidates, row)
        kinds = ("other-label", "other-borders", "other-both")
        for kind, members in zip(kinds, flags, strict=True):
            assert [values[f"{kind}:{name}"] for name in LAYOUT.members] == members
        assert values["rivals"] == pytest.approx(math.log1p(rivals))


@settings(max_examples=40)
@given(found())
def test_features_are_finite_and_those_of_the_document_alone(
    proposals: list[list[tuple[Span, ...]]],
) -> None:
    both = make_features(LAYOUT, collect_candidates(proposals, NUMBERS), texts(2))
    assert np.isfinite(both).all()
    alone = [
        make_features(
            LAYOUT, collect_candidates([[m[number]] for m in proposals], NUMBERS), texts(1)
        )
        for number in range(2)
    ]
    assert np.concatenate(alone).tolist() == both.tolist()


def test_the_most_frequent_rules_have_a_feature() -> None:
    spans = [
        Span(2 * n, 2 * n + 1, "A", source="often,rare" if n == 4 else "often") for n in range(5)
    ]
    other = (Span(0, 1, "B", source="often"), Span(2, 3, "B", source="seldom"))
    candidates = collect_candidates([[tuple(spans)], [other]], NUMBERS)
    assert choose_rules(candidates, ("x", "y"), most=9, least=2) == (("x", "often"),)
    assert choose_rules(candidates, ("x", "y"), most=2, least=1) == (("x", "often"), ("x", "rare"))
    assert choose_rules(candidates, ("x", "y"), most=0, least=1) == ()
