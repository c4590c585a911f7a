"""Counts of tasks: what is done twice counts once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.counting import ByPartition, Counts, Stages, TaskCounter, add_up
from scrubjay.batch.outcome import Outcome
from scrubjay.deidentifier import Failure

COUNTS = st.builds(
    Counts,
    st.integers(0, 9),
    st.integers(0, 99),
    st.dictionaries(st.sampled_from(["DATE", "AGE"]), st.integers(1, 9)),
    st.dictionaries(st.sampled_from(["LeakError"]), st.integers(1, 9)),
)


def test_outcomes_are_counted() -> None:
    counter = TaskCounter()
    counter.note(Outcome("1", 10, "x", labels={"DATE": 2}))
    counter.note(Outcome("2", 5, failure=Failure("2", "prove", "LeakError")))
    counter.note(Outcome("3", 1, "x", labels={"DATE": 1, "AGE": 1}))
    assert counter.counts() == Counts(3, 16, {"AGE": 1, "DATE": 3}, {"LeakError": 1})


@given(st.lists(COUNTS, max_size=6), st.lists(st.integers(0, 5), max_size=6))
def test_a_task_that_is_done_again_counts_once(tasks: list[Counts], again: list[int]) -> None:
    merge = ByPartition()
    total: Stages = merge.zero({})
    order = [*range(len(tasks)), *(place for place in again if place < len(tasks))]
    for place in order:
        total = merge.addInPlace(total, {3: {place: tasks[place]}})
    found = add_up(total[3].values()) if total else Counts()
    assert found == add_up(tasks)
    assert found.documents == sum(each.documents for each in tasks)
