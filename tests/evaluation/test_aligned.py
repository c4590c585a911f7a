"""Several systems beside gold: order, what is skipped, and bad input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, LabelError
from scrubjay.evaluation.aligned import AlignedCorpora
from scrubjay.labels import find_label_map

TEXT = "Seen by Dr. Lee on 3/4/2019"


def corpus(*ids: str, label: str = "DATE") -> list[Document]:
    return [Document(name, TEXT, (Span(19, 27, label),)) for name in ids]


def named(aligned: AlignedCorpora) -> list[tuple[str, ...]]:
    return [(one.gold.id, *(document.id for document in one.predicted)) for one in aligned]


@settings(max_examples=60)
@given(st.data())
def test_only_documents_of_every_corpus_are_compared_in_the_order_of_gold(
    data: st.DataObject,
) -> None:
    names = [f"d{number}" for number in range(6)]
    parts = [
        data.draw(st.permutations([name for name in names if data.draw(st.booleans())]))
        for _ in range(3)
    ]
    gold, one, other = (corpus(*part) for part in parts)
    aligned = AlignedCorpora(gold, {"one": one, "two": other}, unpaired="skip")
    common = [name for name in parts[0] if name in parts[1] and name in parts[2]]
    assert named(aligned) == [(name, name, name) for name in common]
    extra = sum(name not in parts[0] for part in parts[1:] for name in part)
    assert aligned.skipped == len(parts[0]) - len(common) + extra


def test_corpora_in_one_order_are_streamed() -> None:
    alive = 0
    most = 0

    class Watched(Document):
        __slots__ = ()

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def documents() -> Iterator[Document]:
        nonlocal alive, most
        for number in range(300):
            alive += 1
            most = max(most, alive)
            yield Watched(f"d{number}", TEXT)

    systems = {"one": documents(), "two": documents(), "three": documents()}
    aligned = AlignedCorpora(documents(), systems, label_set="i2b2-2014")
    assert sum(1 for _ in aligned) == 300
    assert most <= 80


def test_missing_documents_and_other_texts_name_the_system() -> None:
    gold = corpus("a", "b")
    with pytest.raises(InputError, match="'b' of gold is missing from the system 'two'"):
        list(AlignedCorpora(gold, {"one": gold, "two": corpus("a")}))
    with pytest.raises(InputError, match="'c' of the system 'one' is missing from gold"):
        list(AlignedCorpora(gold, {"one": corpus("a", "b", "c"), "two": gold}))
    other = [gold[0], Document("b", TEXT.lower())]
    with pytest.raises(InputError, match=r"the system 'two' \(27\) differ from offset 0") as caught:
        list(AlignedCorpora(gold, {"one": gold, "two": other}))
    assert "Lee" not in str(caught.value)
    with pytest.raises(InputError, match="'a' occurs twice in the system 'two'"):
        list(AlignedCorpora(gold, {"one": gold, "two": [*gold, *gold]}))


@pytest.mark.parametrize("systems", [{}, {"one": corpus("a")}])
def test_fewer_than_two_systems_are_refused(systems: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"two systems or more, there is (one|none)"):
        AlignedCorpora(corpus("a"), systems)


def test_labels_are_mapped_and_the_set_is_guessed() -> None:
    spanish = corpus("a", label="FECHAS")
    mapped = AlignedCorpora(
        spanish,
        {"one": spanish, "two": corpus("a")},
        label_map=find_label_map("meddocan", "i2b2-2014"),
    )
    assert mapped.label_set is not None
    assert mapped.label_set.name == "i2b2-2014"
    found = [
        span.label for one in mapped for part in (one.gold, *one.predicted) for span in part.spans
    ]
    assert found == ["DATE"] * 3
    assert mapped.outside == {}
    guessed = AlignedCorpora(spanish, {"one": spanish, "two": spanish})
    assert guessed.label_set is not None
    assert guessed.label_set.name == "meddocan"
    assert "--label-set" in str(guessed.explain(LabelError("no label 'X'")))
    chosen = AlignedCorpora(spanish, {"one": spanish, "two": spanish}, label_set="meddocan")
    assert str(chosen.explain(LabelError("no label 'X'"))) == "no label 'X'"
