"""Tag schemes: there and back again, and repair that never loses a tagged token."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.tags import (
    SCHEMES,
    TokenRange,
    allowed_moves,
    decode_joined,
    decode_tags,
    encode_tags,
    find_scheme,
)

LABELS = ("AGE", "DATE", "NAME")
NAMES = sorted(SCHEMES)


@st.composite
def ranges(draw: st.DrawFn) -> tuple[int, list[TokenRange]]:
    """A number of tokens and disjoint ranges of them; many touch."""
    size = draw(st.integers(0, 14))
    cuts = sorted(draw(st.sets(st.integers(0, size))))
    pieces = list(itertools.pairwise(cuts))
    kept = draw(st.lists(st.booleans(), min_size=len(pieces), max_size=len(pieces)))
    return size, [
        (first, last, draw(st.sampled_from(LABELS)))
        for (first, last), keep in zip(pieces, kept, strict=True)
        if keep
    ]


@pytest.mark.parametrize("name", NAMES)
def test_there_and_back_again(name: str) -> None:
    scheme = find_scheme(name)

    @settings(max_examples=100)
    @given(ranges())
    def check(drawn: tuple[int, list[TokenRange]]) -> None:
        size, some = drawn
        tags = encode_tags(some, size, scheme=scheme, labels=LABELS)
        assert tags.dtype == np.int16
        assert tags.shape == (size,)
        assert decode_tags(tags, scheme=scheme, labels=LABELS) == some

    check()


@pytest.mark.parametrize("name", NAMES)
def test_the_moves_that_are_allowed_are_those_that_occur(name: str) -> None:
    scheme, labels = find_scheme(name), LABELS[:2]
    seen = set()
    cuts = [c for n in range(2, 7) for c in itertools.combinations(range(6), n)]
    for places in cuts:
        pieces = list(itertools.pairwise(places))
        for chosen in itertools.product(("", *labels), repeat=len(pieces)):
            some = [(a, b, label) for (a, b), label in zip(pieces, chosen, strict=True) if label]
            tags = encode_tags(some, 5, scheme=scheme, labels=labels).tolist()
            seen |= set(itertools.pairwise(tags))
    assert {(int(a), int(b)) for a, b in np.argwhere(allowed_moves(scheme, 2))} == seen


@pytest.mark.parametrize("name", NAMES)
def test_repair_keeps_every_tagged_token_and_its_label(name: str) -> None:
    scheme = find_scheme(name)
    highest = len(LABELS) * len(scheme.prefixes)

    @settings(max_examples=100)
    @given(st.lists(st.integers(0, highest), max_size=12))
    def check(numbers: list[int]) -> None:
        tags = np.array(numbers, dtype=np.int16)
        found = decode_tags(tags, scheme=scheme, labels=LABELS)
        labels: list[str | None] = [None] * len(numbers)
        for first, last, label in found:
            assert labels[first:last] == [None] * (last - first)
            labels[first:last] = [label] * (last - first)
        names = scheme.tag_names(LABELS)
        assert labels == [names[n].partition("-")[2] or None for n in numbers]
        assert found == sorted(found)
        # What was repaired is well formed: it survives the way there and back.
        again = encode_tags(found, len(numbers), scheme=scheme, labels=LABELS)
        assert decode_tags(again, scheme=scheme, labels=LABELS) == found

    check()


def _decode(name: str, *tags: str) -> list[TokenRange]:
    scheme = find_scheme(name)
    names = scheme.tag_names(LABELS)
    return decode_tags(
        np.array([names.index(tag) for tag in tags], dtype=np.int16), scheme=scheme, labels=LABELS
    )


@pytest.mark.parametrize(
    ("name", "tags", "expected"),
    [
        ("BIO", "B-AGE I-AGE", [(0, 2, "AGE")]),
        ("BIO", "B-AGE B-AGE", [(0, 1, "AGE"), (1, 2, "AGE")]),
        ("BIO", "I-AGE I-AGE", [(0, 2, "AGE")]),
        ("BIO", "O I-AGE O I-AGE", [(1, 2, "AGE"), (3, 4, "AGE")]),
        ("BIO", "B-AGE I-DATE I-DATE", [(0, 1, "AGE"), (1, 3, "DATE")]),
        ("BIO", "I-AGE B-AGE I-AGE", [(0, 1, "AGE"), (1, 3, "AGE")]),
        ("BIOEU", "B-AGE I-AGE E-AGE", [(0, 3, "AGE")]),
        ("BIOEU", "U-AGE U-AGE", [(0, 1, "AGE"), (1, 2, "AGE")]),
        ("BIOEU", "B-AGE E-AGE B-AGE E-AGE", [(0, 2, "AGE"), (2, 4, "AGE")]),
        ("BIOEU", "E-AGE E-AGE", [(0, 1, "AGE"), (1, 2, "AGE")]),
        ("BIOEU", "B-AGE I-AGE O", [(0, 2, "AGE")]),
        ("BIOEU", "I-AGE E-AGE I-AGE", [(0, 2, "AGE"), (2, 3, "AGE")]),
        ("BIOEU", "U-AGE E-AGE", [(0, 1, "AGE"), (1, 2, "AGE")]),
        ("BIOEU", "B-AGE U-AGE", [(0, 1, "AGE"), (1, 2, "AGE")]),
        ("BIOEU", "B-AGE I-NAME E-DATE", [(0, 1, "AGE"), (1, 2, "NAME"), (2, 3, "DATE")]),
    ],
)
def test_repair_by_hand(name: str, tags: str, expected: list[TokenRange]) -> None:
    assert _decode(name, *tags.split()) == expected


def test_the_table_of_tags() -> None:
    assert find_scheme("BIO").tag_names(("A", "B")) == ("O", "B-A", "I-A", "B-B", "I-B")
    assert find_scheme("BIOEU").tag_names(("A",)) == ("O", "B-A", "I-A", "E-A", "U-A")
    assert find_scheme("BIO").tag_names(()) == ("O",)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("BIO", "O B-AGE I-AGE I-AGE B-AGE B-DATE I-DATE"),
        ("BIOEU", "O B-AGE I-AGE E-AGE U-AGE B-DATE E-DATE"),
    ],
)
def test_neighbours_stay_apart(name: str, expected: str) -> None:
    scheme = find_scheme(name)
    some = [(1, 4, "AGE"), (4, 5, "AGE"), (5, 7, "DATE")]
    tags = encode_tags(some, 7, scheme=scheme, labels=LABELS)
    names = scheme.tag_names(LABELS)
    assert [names[tag] for tag in tags.tolist()] == expected.split()


def test_a_label_that_is_not_listed_is_an_error() -> None:
    with pytest.raises(KeyError, match="CITY"):
        encode_tags([(0, 1, "CITY")], 3, scheme=find_scheme("BIO"), labels=LABELS)


def test_an_unknown_scheme_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"'BILOU'.*BIO, BIOEU"):
        find_scheme("BILOU")


def test_no_tokens() -> None:
    for scheme in SCHEMES.values():
        nothing = encode_tags([], 0, scheme=scheme, labels=LABELS)
        assert nothing.shape == (0,)
        assert decode_tags(nothing, scheme=scheme, labels=LABELS) == []


@pytest.mark.parametrize("name", NAMES)
def test_texts_that_are_joined_have_the_ranges_of_each(name: str) -> None:
    scheme = find_scheme(name)
    most = len(LABELS) * len(scheme.prefixes)
    texts = st.lists(st.lists(st.sampled_from([0, 0, *range(most + 1)]), max_size=8), max_size=5)

    @settings(max_examples=300)
    @given(texts)
    def check(drawn: list[list[int]]) -> None:
        parts = [np.array(part, dtype=np.int16) for part in drawn]
        offsets = np.cumsum([0, *map(len, parts)])
        joined = np.concatenate([np.zeros(0, dtype=np.int16), *parts])
        firsts, ends, labels = decode_joined(joined, offsets, scheme=scheme)
        expected = [
            (first + offset, last + offset, LABELS.index(label))
            for part, offset in zip(parts, offsets.tolist(), strict=False)
            for first, last, label in decode_tags(part, scheme=scheme, labels=LABELS)
        ]
        assert list(zip(firsts.tolist(), ends.tolist(), labels.tolist(), strict=True)) == expected

    check()
