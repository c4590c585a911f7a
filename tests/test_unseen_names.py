"""The benchmark of unseen names groups mentions by the words of training."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from scrubjay.document import Document, Span
from scrubjay.evaluation.pairs import Pair

TRAIN = Document("t", "Dr. García saw Ana Lee.", (Span(4, 10, "DOCTOR"), Span(15, 22, "PATIENT")))
GOLD = Document(
    "g",
    "GARCIA, Ana Moss, Tom van Dyk, J",
    (
        Span(0, 6, "DOCTOR"),
        Span(8, 16, "PATIENT"),
        Span(18, 29, "PATIENT"),
        Span(31, 32, "PATIENT"),
    ),
)


@pytest.fixture
def module(root: Path) -> Iterator[Any]:
    """Return benchmarks/unseen_names.py, which is no part of the package."""
    sys.path.insert(0, str(root / "benchmarks"))
    try:
        yield import_module("unseen_names")
    finally:
        sys.path.remove(str(root / "benchmarks"))


def test_words_are_folded_and_only_those_of_names(module: Any) -> None:
    city = Document("c", "Oslo", (Span(0, 4, "CITY"),))
    assert module.name_words([TRAIN, city]) == {"garcia", "ana", "lee"}


@pytest.mark.parametrize(
    ("predicted", "found", "exact"),
    [
        ((), [0, 0, 0], [0, 0, 0]),
        ((Span(0, 6, "CITY"), Span(8, 29, "PATIENT")), [1, 1, 1], [1, 0, 0]),
        ((Span(8, 11, "PATIENT"), Span(18, 29, "DOCTOR")), [0, 0, 1], [0, 0, 1]),
    ],
)
def test_mentions_are_grouped_by_the_words_of_training(
    module: Any, predicted: tuple[Span, ...], found: list[int], exact: list[int]
) -> None:
    pair = Pair(GOLD, GOLD.with_spans(predicted))
    rows = module.count_unseen([pair], module.name_words([TRAIN]))
    together = [row for row in rows if row.label == "all"]
    assert [row.group for row in together] == [module.SEEN, module.PARTLY, module.UNSEEN]
    assert [row.mentions for row in together] == [1, 1, 1]
    assert [row.found for row in together] == found
    assert [row.exact for row in together] == exact
    assert {row.label for row in rows} == {"DOCTOR", "PATIENT", "all"}
    assert together[0].record()["recall"] == found[0]
