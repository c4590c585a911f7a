"""Documents of several annotators, joined: orders, gaps, and bad input."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import InputError, LabelError
from scrubjay.evaluation.annotators import Annotator, Joined, Panel
from scrubjay.evaluation.pairs import first_difference
from scrubjay.labels import find_label_map, find_label_set
from tests.strategies import texts

CANARY = "Wilhelmina"


def document(name: str, *spans: Span, text: str = f"Seen by {CANARY}") -> Document:
    return Document(name, text, spans)


def panel(*corpora: list[Document], **settings: object) -> Panel:
    annotators = [Annotator(f"ann{n}", documents) for n, documents in enumerate(corpora)]
    return Panel(annotators, **settings)  # type: ignore[arg-type]


def shape(joined: Joined) -> tuple[str, tuple[bool, ...]]:
    return joined.id, tuple(version is not None for version in joined.versions)


@given(orders=st.lists(st.permutations(range(5)), min_size=2, max_size=4))
@settings(max_examples=50)
def test_any_orders_are_joined(orders: list[list[int]]) -> None:
    corpora = [[document(f"d{n}") for n in order] for order in orders]
    joined = list(panel(*corpora))
    assert sorted(one.id for one in joined) == [f"d{n}" for n in range(5)]
    assert all(one.versions == tuple([document(one.id)] * len(orders)) for one in joined)


@given(sets=st.lists(st.sets(st.integers(0, 5)), min_size=2, max_size=4))
@settings(max_examples=60)
def test_skipping_keeps_what_at_least_two_have(sets: list[set[int]]) -> None:
    found = panel(*([document(f"d{n}") for n in sorted(one)] for one in sets), unpaired="skip")
    joined = {shape(one) for one in found}
    expected, alone = set(), [0] * len(sets)
    for number in set().union(*sets):
        present = tuple(number in one for one in sets)
        if sum(present) > 1:
            expected.add((f"d{number}", present))
        else:
            alone[present.index(True)] += 1
    assert joined == expected
    assert [found.alone[name] for name in found.names] == alone


def test_one_order_holds_one_document_of_each() -> None:
    read = [0, 0]

    def stream(number: int) -> Iterator[Document]:
        for n in range(50):
            read[number] += 1
            yield document(f"d{n}")

    joined = Panel([Annotator("a", stream(0)), Annotator("b", stream(1))])
    for done, _ in enumerate(joined, start=1):
        assert max(read) <= done + 1


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_annotators_are_an_error(count: int) -> None:
    with pytest.raises(InputError, match="at least two annotators, not"):
        panel(*([[document("d")]] * count))


def test_an_annotator_given_twice_is_an_error() -> None:
    with pytest.raises(InputError, match="the annotator 'ann' is given 2 times"):
        Panel([Annotator("ann", []), Annotator("bob", []), Annotator("ann", [])])


def test_a_missing_document_is_an_error_that_names_who_lacks_it() -> None:
    corpora = ([document("a"), document("b")], [document("a"), document("b")], [document("a")])
    with pytest.raises(InputError, match="document 'b' of 'ann0' is missing from 'ann2'"):
        list(panel(*corpora))


def test_an_id_that_occurs_twice_is_an_error() -> None:
    with pytest.raises(InputError, match="document 'a' occurs twice in 'ann1'"):
        list(panel([document("a")], [document("a"), document("a")]))


def test_texts_that_differ_are_told_by_offset_and_without_text() -> None:
    other = document("a", text="Seen by Kanary")
    with pytest.raises(InputError) as caught:
        list(panel([document("a")], [document("a")], [other]))
    message = str(caught.value)
    assert "document 'a': the texts of 'ann0' (18 characters) and 'ann2' (14)" in message
    assert "differ from offset 8 on" in message
    assert CANARY not in message
    assert "Kanary" not in message


@given(one=texts(max_pieces=4), other=texts(max_pieces=4))
@settings(max_examples=50)
def test_the_first_difference_is_the_length_of_the_common_beginning(one: str, other: str) -> None:
    offset = first_difference(one, other)
    assert one[:offset] == other[:offset]
    assert offset == min(len(one), len(other)) or one[offset] != other[offset]


def test_a_label_that_the_set_does_not_have_is_told_by_place() -> None:
    known = find_label_set("i2b2-2014")
    with pytest.raises(LabelError) as caught:
        list(panel([document("a")], [document("a", Span(8, 18, "DOCTR"))], label_set=known))
    assert "document 'a' of 'ann1', [8, 18): " in str(caught.value)
    assert "has no label 'DOCTR'. Nearest: DOCTOR" in str(caught.value)


def test_labels_take_the_spelling_of_the_set() -> None:
    known = find_label_set("i2b2-2014")
    found = panel(
        [document("a", Span(8, 18, "doctor"))],
        [document("a", Span(8, 18, "DOCTOR"))],
        label_set=known,
    )
    (joined,) = found
    assert [version.spans for version in joined.present] == [(Span(8, 18, "DOCTOR"),)] * 2


def test_a_label_map_is_applied_and_what_it_leaves_out_is_counted() -> None:
    spans = (Span(0, 4, "PATIENT"), Span(8, 18, "DOCTOR"))
    found = panel(
        [document("a", *spans)],
        [document("a", *spans)],
        label_map=find_label_map("i2b2-2014", "hipaa"),
    )
    (joined,) = found
    assert all(len(version.spans) == 1 for version in joined.present)
    assert found.outside == {"DOCTOR": 2}


def test_no_repr_shows_text() -> None:
    assert CANARY not in repr(Annotator("a", [document("a")]))
    assert CANARY not in repr(next(iter(panel([document("a")], [document("a")]))))
