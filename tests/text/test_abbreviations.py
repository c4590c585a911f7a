"""What a period after a word means."""

from __future__ import annotations

import pytest

from scrubjay.text.abbreviations import abbreviations, keeps_period, period_group


@pytest.mark.parametrize(
    ("before", "group"),
    [
        ("seen by Dr", "title"),
        ("(Dra", "title"),
        ("Nombre:Sra", "title"),
        ("Dn\u0303a", "title"),
        ("see e.g", "inner"),
        ("Room No", "number"),
        ("Smith Jr", "closing"),
        ("patient J", "initial"),
        ("U.S.A", "initial"),
        ("hepatitis B", ""),
        ("Plan:\n 12", "item"),
        ("II", "item"),
        ("plan: 2", "item"),
        ("a PSA of 2", ""),
        ("0.5 ms", ""),
        ("mass", ""),
        ("", ""),
        ("blank ", ""),
    ],
)
def test_period_group(before: str, group: str) -> None:
    assert period_group(f"{before}. Next", len(before)) == group


@pytest.mark.parametrize(
    ("word", "kept"),
    [("Dr", True), ("Dn\u0303a", True), ("M.D", True), ("J", False), ("Jan", False), ("no", False)],
)
def test_keeps_period(word: str, kept: bool) -> None:
    assert keeps_period(word) is kept


def test_the_list_is_clean() -> None:
    listed = abbreviations()
    assert set(listed.values()) == {"title", "inner", "number", "closing", "lettered"}
    assert all(word == word.casefold() and not word.endswith(".") for word in listed)
