"""Mixtures: weights as copies and shares, ids that stay unique, and what is refused."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora.metadata import IGNORE_KEY
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError
from scrubjay.learning.mixtures import Source, mix, require_weights


def _documents(count: int, prefix: str = "d") -> tuple[Document, ...]:
    return tuple(
        Document(f"{prefix}-{n}", f"note {n} of Ana", (Span(0, 4, "X"),)) for n in range(count)
    )


def test_weight_one_changes_nothing() -> None:
    documents = _documents(7)
    assert mix([Source("a", documents)], seed=3).documents == documents


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 30), st.integers(1, 45), st.integers(0, 5))
def test_a_weight_is_whole_copies_and_a_share(count: int, tenths: int, seed: int) -> None:
    documents, weight = _documents(count), tenths / 10
    expected = (tenths // 10) * count + round((weight - tenths // 10) * count)
    if not expected:
        with pytest.raises(InputError, match="leaves none"):
            mix([Source("a", documents, weight)], seed=seed)
        return
    mixture = mix([Source("a", documents, weight)], seed=seed)
    times = Counter(document.text for document in mixture.documents)
    assert len(mixture.documents) == expected == mixture.facts[0]["documents-used"]
    assert set(times.values()) <= {tenths // 10, tenths // 10 + 1}
    assert len({document.id for document in mixture.documents}) == expected


def test_the_share_follows_from_seed_and_ids_alone() -> None:
    documents = _documents(40)

    def chosen(rows: tuple[Document, ...], seed: int) -> set[str]:
        return {d.id for d in mix([Source("a", rows, 0.5)], seed=seed).documents}

    assert chosen(documents, 1) == chosen(documents[::-1], 1)
    assert chosen(documents, 1) != chosen(documents, 2)


def test_ids_of_a_later_source_step_aside() -> None:
    mixture = mix([Source("a", _documents(3), 2), Source("b", _documents(2))], seed=0)
    assert [document.id for document in mixture.documents] == [
        "d-0", "d-0+2", "d-1", "d-1+2", "d-2", "d-2+2", "2:d-0", "2:d-1",
    ]  # fmt: skip


def test_the_manifest_tells_of_each_source() -> None:
    ignoring = Document("x", "Seen by Amos. Well.", (), {IGNORE_KEY: [[8, 12]]})
    mixture = mix([Source("a", (ignoring,), 2), Source("b", _documents(4), 0.5)], seed=0)
    assert mixture.facts == (
        {
            "name": "a", "documents": 1, "spans": 0, "weight": 2, "documents-used": 2,
            "ignored-characters": len("Seen by Amos. "),
        },
        {
            "name": "b", "documents": 4, "spans": 4, "weight": 0.5, "documents-used": 2,
            "ignored-characters": 0,
        },
    )  # fmt: skip


def test_no_weights_are_all_one() -> None:
    assert require_weights((), corpora=2) == (1.0, 1.0)


@pytest.mark.parametrize(
    "weights", [(1.0,), (1.0, 0.0), (1.0, -1.0), (1.0, 101.0), (1.0, float("nan")), (1.0, 1.0, 1.0)]
)
def test_weights_that_cannot_be(weights: tuple[float, ...]) -> None:
    with pytest.raises(ConfigError):
        require_weights(weights, corpora=2)
