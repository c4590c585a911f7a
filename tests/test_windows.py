"""Windows over long texts: what is found is what a look at the whole finds, whatever the cuts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.setup import DeidSetup
from scrubjay.document import Document, Span
from scrubjay.models import load_model
from scrubjay.windows import Windowed
from tests.toys import DateDetector

pieces = st.lists(
    st.sampled_from(["3/4/2019", "12/31/1999", " ", "\n", "\n\n", ". ", "word", "x", "\U0001d7d8"]),
    max_size=80,
).map("".join)


@given(text=pieces, core=st.integers(25, 120))
def test_windows_find_what_is_found_in_the_whole(text: str, core: int) -> None:
    found = Windowed(DateDetector(), longest=core, core=core, overlap=24)
    short = Document("b", "on 3/4/2019")
    documents = [Document("a", text), short]
    assert found.detect(documents) == DateDetector().detect(documents)


def test_a_run_computes_no_scores_that_nobody_asks_for() -> None:
    text = "Patient: Marisol Okafor\nSeen 3/4/2019 by Dr. Teller. Marisol Okafor lives in Boston.\n"
    scored = load_model("en-fast").detect([Document("a", text)])
    setup = DeidSetup("en-fast", "placeholder", propagate=False)
    kept = replace(setup, min_score=0.1)
    found, all_scored = (one.make().detector.detect([Document("a", text)]) for one in (setup, kept))
    assert found == all_scored == scored
    with_score = [[span.score is not None for span in spans[0]] for spans in (found, scored)]
    assert not any(with_score[0])
    assert any(with_score[1])


@dataclass(frozen=True)
class Runs(DateDetector):
    """Finds runs of digits, as far as a window shows them."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the runs of each document."""
        return [
            tuple(Span(m.start(), m.end(), "DATE") for m in re.finditer("[0-9]+", each.text))
            for each in documents
        ]


@given(text=st.text("01 x", max_size=200))
def test_a_mention_that_no_window_holds_is_covered_all_the_same(text: str) -> None:
    """Longer than an overlap it may come in pieces, but nothing of it is left."""
    (found,) = Windowed(Runs(), longest=20, core=20, overlap=5).detect([Document("a", text)])
    covered = {place for span in found for place in range(span.start, span.end)}
    seen = {place for place, character in enumerate(text) if character in "01"}
    for before, after in pairwise(found):
        assert before.end <= after.start
    assert covered == seen
