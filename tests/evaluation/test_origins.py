"""Names by origin: the shipped lists, and the groups that a mention fits."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.evaluation.origins import find_origin, name_key, origin_names, origins_of


@pytest.mark.parametrize("name", origin_names())
def test_lists_are_sorted_normal_and_large_enough(name: str) -> None:
    names = find_origin(name)
    assert names.name == name
    assert names.title
    assert names.about.endswith(".")
    for entries in (names.given, names.family):
        assert len(entries) >= 60
        keys = [" ".join(name_key(entry)) for entry in entries]
        assert keys == sorted(keys)
        assert len(set(keys)) == len(keys)
        assert all(keys)
        assert all(entry == unicodedata.normalize("NFC", entry.strip()) for entry in entries)


@pytest.mark.parametrize("name", origin_names())
def test_a_full_name_of_a_list_is_of_its_group(name: str) -> None:
    names = find_origin(name)
    for first, last in zip(names.given, names.family, strict=False):
        assert name in origins_of(f"{first} {last}")
        assert name in origins_of(f"{last.upper()}, {first}")


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("Juan Martin", ("hispanic",)),
        ("Dr. van den Berg", ("dutch",)),
        ("VAN DEN BERG", ("dutch",)),
        ("O’Brien", ("english",)),
        ("Al Amin", ("arabic",)),
        ("YILDIZ", ("turkish",)),
        ("Yıldız", ("turkish",)),
        ("WISNIEWSKI", ("slavic",)),
        ("J. Okonkwo, MD", ("african",)),
        ("Cohen", ("hebrew",)),
        ("Qwzyx", ()),
        ("12/03", ()),
        ("", ()),
    ],
)
def test_mentions_fit_the_groups_of_their_names(text: str, groups: tuple[str, ...]) -> None:
    assert origins_of(text) == groups


def test_a_shared_name_is_of_several_groups() -> None:
    assert {"english", "french", "germanic", "hispanic"} <= set(origins_of("Martin"))


def test_an_unknown_group_is_an_error_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"Known: .*dutch"):
        find_origin("martian")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_sorted_known_groups(text: str) -> None:
    groups = origins_of(text)
    assert list(groups) == sorted(set(groups))
    assert set(groups) <= set(origin_names())
    assert groups == origins_of(f" {text}. ")
