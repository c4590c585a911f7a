"""What the documents of an input tell of the order of their dates, before a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.date_look import DateLook, look_at
from scrubjay.document import Document
from scrubjay.errors import FormatError

TEXTS = {"dmy": "on 25/12/2020", "mdy": "on 12/25/2020", "both": "25/12/20, 12/25/20", "": "3/4/21"}


@pytest.mark.parametrize(
    ("day_first", "month_first", "usual"),
    [(0, 0, ""), (2, 0, ""), (3, 0, "dmy"), (0, 3, "mdy"), (9, 1, "dmy"), (8, 1, ""), (1, 9, "mdy"),
     (89, 11, ""), (90, 10, "dmy"), (50, 50, "")],
)  # fmt: skip
def test_an_order_is_usual_where_it_is_clear(day_first: int, month_first: int, usual: str) -> None:
    look = DateLook(200, day_first, month_first)
    assert look.usual == usual
    assert replace(look, both=100).usual == usual
    assert look.to_json()["usual"] == (usual or None)


@given(st.lists(st.sampled_from(sorted(TEXTS)), max_size=40))
def test_documents_are_counted_by_what_they_tell(orders: list[str]) -> None:
    look = look_at(Document(f"{number}", TEXTS[order]) for number, order in enumerate(orders))
    counts = [orders.count(each) for each in ("dmy", "mdy", "both")]
    assert look == DateLook(len(orders), *counts)
    told = counts[0] + counts[1]
    assert (look.usual == "dmy") == (counts[0] >= 3 and 10 * counts[0] >= 9 * told)
    assert (look.usual == "mdy") == (counts[1] >= 3 and 10 * counts[1] >= 9 * told)


def test_what_cannot_be_read_ends_the_look() -> None:
    def broken() -> Iterator[Document]:
        yield Document("1", TEXTS["dmy"])
        raise FormatError("broken")

    assert look_at(broken()) == DateLook(1, 1)
    assert look_at([]) == DateLook()


def test_nothing_of_a_text_is_told() -> None:
    look = look_at([Document("Ann Lee", "Ann Lee, born 25/12/1950")])
    assert look.to_json() == {"looked": 1, "dmy": 1, "mdy": 0, "both": 0, "usual": None}
    assert "1950" not in repr(look)
