"""Choosing the recall dial: the smallest step that reaches the recall, found in few turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora.metadata import IGNORE_KEY
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.counts import Counts
from scrubjay.learning.dial import LIMIT, STEP, DialChoice, choose_dial, measure, require_recall

WORDS = tuple("abcdefghij")
GOLD = Document(
    "d", " ".join(WORDS), tuple(Span(2 * n, 2 * n + 1, "DATE") for n in range(len(WORDS)))
)


@dataclass(frozen=True)
class Costly:
    """Finds the n-th word of `GOLD` where the dial is at least the n-th price."""

    prices: Sequence[float]
    dial: float
    labels: tuple[str, ...] = ("CITY",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the words that the dial pays for; labels do not matter."""
        found = tuple(
            Span(2 * n, 2 * n + 1, "CITY")
            for n, price in enumerate(self.prices)
            if price <= self.dial + 1e-9
        )
        return [found for _ in documents]


@dataclass
class Turner:
    """Turns the dial and remembers how often."""

    prices: Sequence[float]
    dials: list[float] = field(default_factory=list)

    def __call__(self, dial: float) -> Costly:
        """Return the detector at a dial."""
        self.dials.append(dial)
        return Costly(self.prices, dial)


prices = st.lists(
    st.integers(-100, round(LIMIT / STEP)).map(lambda steps: steps * STEP),
    min_size=len(WORDS),
    max_size=len(WORDS),
)


@settings(max_examples=60)
@given(prices, st.integers(1, len(WORDS)))
def test_the_dial_is_the_smallest_that_is_enough(some: list[float], wanted: int) -> None:
    turner = Turner(some)
    choice = choose_dial(turner, [GOLD], min_recall=wanted / len(WORDS))
    needed = sorted(some)[wanted - 1]
    assert choice.dial == pytest.approx(max(0.0, needed), abs=1e-9)
    assert choice.counts == measure(Costly(some, choice.dial), [GOLD])
    assert (choice.counts.recall or 0.0) >= wanted / len(WORDS)
    assert len(turner.dials) <= 2 + 10


def test_a_model_that_is_good_enough_is_left_alone() -> None:
    turner = Turner([0.0] * len(WORDS))
    choice = choose_dial(turner, [GOLD], min_recall=1.0)
    assert choice == DialChoice(0.0, Counts(tp=10, fp=0, fn=0))
    assert turner.dials == [0.0]


def test_a_recall_that_no_dial_reaches_says_how_far_it_goes() -> None:
    some = [0.0] * 9 + [LIMIT + 1]
    with pytest.raises(ConfigError, match=r"recall of 0\.95 on the dev data \(at most 0\.9000\)"):
        choose_dial(Turner(some), [GOLD], min_recall=0.95)


def test_dev_data_without_phi_measure_nothing() -> None:
    with pytest.raises(InputError, match="gold has no spans in 1 document"):
        choose_dial(Turner([0.0]), [GOLD.with_spans(())], min_recall=0.5)


@pytest.mark.parametrize("value", [0.0, -0.1, 1.01, 95.0, float("nan"), float("inf")])
def test_recalls_that_are_none(value: float) -> None:
    for refuse in (require_recall, _choose):
        with pytest.raises(ConfigError, match="above 0 and at most at 1"):
            refuse(value)


def _choose(value: float) -> None:
    choose_dial(Turner([0.0]), [GOLD], min_recall=value)


def test_measuring_is_blind_to_labels_and_adds_up() -> None:
    half: Callable[[float], Costly] = Turner([0.0] * 5 + [9.0] * 5)
    assert measure(half(0.0), [GOLD, GOLD]) == Counts(tp=10, fp=0, fn=10)
    bare = GOLD.with_spans(())
    assert measure(half(0.0), [GOLD, bare]) == Counts(tp=5, fp=5, fn=5)
    assert measure(half(0.0), []) == Counts()


def test_what_is_found_in_ignored_regions_counts_for_nothing() -> None:
    bare = GOLD.with_spans(GOLD.spans[:8])
    unknown = replace(bare, metadata={IGNORE_KEY: [[16, 19]]})
    found = Costly([0.0] * 10, 0.0)
    assert measure(found, [bare]) == Counts(tp=8, fp=2, fn=0)
    assert measure(found, [unknown]) == Counts(tp=8, fp=0, fn=0)
