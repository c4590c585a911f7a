"""Samples of a run: drawn by seed, in proportion, from a frame that is named by its hash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.groups import NOT_TOLD
from scrubjay.evaluation.sampling import ONE_STRATUM, allocate, draw_sample, read_frame


def document(name: str, metadata: Mapping[str, Any] | None = None, text: str = "Ann") -> Document:
    return Document(name, text, (Span(0, 3, "PATIENT"),), metadata or {})


SITES = [document(f"n{number:02d}", {"site": "north"}) for number in range(30)] + [
    document(f"s{number:02d}", {"site": "south"}) for number in range(10)
]


@given(
    st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.integers(1, 30), min_size=1),
    st.data(),
)
def test_strata_get_their_share_up_to_rounding(sizes: dict[str, int], data: st.DataObject) -> None:
    total = sum(sizes.values())
    size = data.draw(st.integers(1, total))
    drawn = allocate(sizes, size)
    assert sum(drawn.values()) == size
    assert all(0 <= drawn[name] <= sizes[name] for name in sizes)
    assert all(abs(drawn[name] * total - size * sizes[name]) < total for name in sizes)


@given(st.lists(st.integers(1, 20), min_size=1, max_size=6), st.integers(0, 5), st.data())
def test_small_strata_get_at_least_so_many(
    counts: list[int], at_least: int, data: st.DataObject
) -> None:
    sizes = {str(number): count for number, count in enumerate(counts)}
    needed = sum(min(at_least, count) for count in counts)
    size = data.draw(st.integers(max(1, needed), max(needed, sum(counts))))
    drawn = allocate(sizes, size, at_least=at_least)
    assert sum(drawn.values()) == size
    assert all(min(at_least, sizes[name]) <= drawn[name] <= sizes[name] for name in sizes)


def test_a_plan_depends_on_seed_and_frame_alone() -> None:
    frame = read_frame(SITES, stratify="site")
    plan = draw_sample(frame, 8, seed=3)
    again = draw_sample(read_frame(reversed(SITES), stratify="site"), 8, seed=3)
    assert plan == again
    assert [(one.name, one.documents, one.sampled) for one in plan.strata] == [
        ("north", 30, 6),
        ("south", 10, 2),
    ]
    assert Counter(chosen.stratum for chosen in plan.chosen) == {"north": 6, "south": 2}
    assert len({chosen.id for chosen in plan.chosen}) == 8
    assert {chosen.predicted for chosen in plan.chosen} == {1}
    larger = draw_sample(frame, 12, seed=3)
    assert {chosen.id for chosen in plan.chosen} < {chosen.id for chosen in larger.chosen}
    assert draw_sample(frame, 8, seed=4).chosen != plan.chosen
    assert plan.record()["documents"] == [chosen.id for chosen in plan.chosen]


def test_every_document_is_drawn_about_as_often() -> None:
    frame = read_frame(SITES)
    seen = Counter(
        chosen.id for seed in range(400) for chosen in draw_sample(frame, 10, seed=seed).chosen
    )
    assert len(seen) == 40
    assert all(60 <= count <= 140 for count in seen.values())


def test_the_hash_of_the_frame_tells_what_was_drawn_from() -> None:
    plain = read_frame(SITES)
    assert {entry.stratum for entry in plain.documents} == {ONE_STRATUM}
    assert plain.sha256 == read_frame(reversed(SITES), stratify="site").sha256
    assert len(plain.sha256) == 64
    changed = (
        [*SITES[:-1], document("s99", {})],
        [*SITES[:-1], document("s09", text="Ann ")],
        [*SITES[:-1], Document("s09", "Ann", (Span(0, 3, "DOCTOR"),))],
        [*SITES[:-1], Document("s09", "Ann")],
        SITES[:-1],
    )
    assert len({plain.sha256, *(read_frame(corpus).sha256 for corpus in changed)}) == 6


def test_documents_without_stratum_are_one_of_their_own() -> None:
    frame = read_frame([*SITES, document("x")], stratify="site")
    assert frame.documents[-1].stratum == NOT_TOLD
    by_id = read_frame(SITES, stratify="id:(.).*")
    assert {entry.stratum for entry in by_id.documents} == {"n", "s"}


def test_what_cannot_be_drawn_is_an_error() -> None:
    frame = read_frame(SITES, stratify="site")
    for size in (0, 41):
        with pytest.raises(ConfigError, match="cannot be drawn from 40"):
            draw_sample(frame, size)
    with pytest.raises(ConfigError, match="more than 8"):
        draw_sample(frame, 8, at_least=5)
    with pytest.raises(ConfigError, match="cannot be drawn"):
        draw_sample(frame, 8, at_least=-1)
    with pytest.raises(ConfigError, match="a seed is 0 or more"):
        draw_sample(frame, 8, seed=-1)
    with pytest.raises(InputError, match="no documents"):
        read_frame([])
    with pytest.raises(InputError, match="no document has a stratum under 'ward'"):
        read_frame(SITES, stratify="ward")
    with pytest.raises(InputError, match="'n00' occurs twice"):
        read_frame([SITES[0], SITES[0]])
    with pytest.raises(ConfigError, match="no regular expression"):
        read_frame(SITES, stratify="id:(")
