"""Choosing the recall dial on dev data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scrubjay.corpora.unmarked import hint_spans
from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError, counted
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.pairs import pair_found
from scrubjay.evaluation.report import count_binary_tokens

#: The dial's range and step; beyond 30 the tag `O` has lost against any other.
LIMIT, STEP = 30.0, 0.05

Turn = Callable[[float], Detector]


@dataclass(frozen=True, slots=True)
class DialChoice:
    """A value of the recall dial, and the label-blind token counts on dev at that value."""

    dial: float
    counts: Counts


def measure(detector: Detector, documents: Sequence[Document]) -> Counts:
    """Return the label-blind token counts ("Binary Token") of a detector on gold documents."""
    pairs = pair_found(documents, detector.detect(documents))
    return sum(map(count_binary_tokens, pairs), Counts())


def require_gold(documents: Sequence[Document]) -> None:
    """Raise `InputError` for documents without any span: there would be no recall."""
    if not any(document.spans for document in documents):
        raise InputError(
            f"gold has no spans in {counted(len(documents), 'document')}: nothing can be measured",
            hint=hint_spans(documents) or "Give the annotated corpus, in a format that holds spans",
        )


def require_recall(value: float) -> None:
    """Raise `ConfigError` for a recall that is not in (0, 1]."""
    if not 0.0 < value <= 1.0:
        raise ConfigError(f"a recall must lie above 0 and at most at 1, not at {value:g}")


def choose_dial(turn: Turn, documents: Sequence[Document], *, min_recall: float) -> DialChoice:
    """Return the smallest dial whose label-blind token recall on dev is at least `min_recall`.

    `turn` gives the detector at a dial. Recall grows with the dial, so the smallest is found by
    halving, to `STEP`. A model that reaches the recall as trained stays at 0. Raises
    `ConfigError` for a recall that no dial reaches or that is not in (0, 1], `InputError` for
    documents without spans.
    """
    require_recall(min_recall)
    require_gold(documents)

    def enough(steps: int) -> tuple[bool, DialChoice]:
        counts = measure(turn(steps * STEP), documents)
        choice = DialChoice(round(steps * STEP, 2), counts)
        return (counts.recall or 0.0) >= min_recall, choice

    reached, best = enough(0)
    if reached:
        return best
    low, high = 0, round(LIMIT / STEP)
    reached, best = enough(high)
    if not reached:
        raise ConfigError(
            f"no dial reaches a recall of {min_recall:g} on the dev data "
            f"(at most {best.counts.recall or 0.0:.4f})",
            hint="Ask for less, or check the tokenizer's misaligned spans",
        )
    while high - low > 1:
        middle = (low + high) // 2
        reached, choice = enough(middle)
        if reached:
            high, best = middle, choice
        else:
            low = middle
    return best
