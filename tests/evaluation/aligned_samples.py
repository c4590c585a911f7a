"""Aligned documents for the tests of comparisons, drawn at random."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from scrubjay.evaluation.aligned import Aligned
from tests.evaluation.samples import LABELS, any_spans, pairs
from tests.strategies import disjoint_spans

SYSTEMS = ("one", "two", "three")


@st.composite
def aligned_documents(
    draw: st.DrawFn, *, systems: int = 2, least: int = 1, most: int = 4
) -> list[Aligned]:
    """Documents of several systems: gold damaged, the other system's spans, or spans of their own.

    Spans may overlap, nest and repeat.
    """
    found = []
    for number in range(draw(st.integers(least, most))):
        pair = draw(pairs(disjoint=draw(st.booleans())))
        text = pair.gold.text
        predicted = [pair.predicted.spans]
        for _ in range(systems - 1):
            kept = [span for span in predicted[0] if draw(st.booleans())]
            hit = [span for span in pair.gold.spans if draw(st.booleans())]
            own = draw(st.one_of(any_spans(text), disjoint_spans(text, labels=LABELS)))
            choices = ((*kept, *hit), own, pair.gold.spans, predicted[0])
            predicted.append(tuple(draw(st.sampled_from(choices))))
        gold = replace(pair.gold, id=f"d{number}")
        documents = (replace(gold, spans=spans) for spans in predicted)
        found.append(Aligned(gold, tuple(documents)))
    return found
