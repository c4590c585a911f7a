"""The table of steps that let a mention go: each has a bit of its own, and those it is for."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending import mention_looks
from scrubjay.taggers._mending.sparing.steps import SPARES, SPARING, find_checks


def test_no_two_steps_have_the_same_bit() -> None:
    named = [
        value for name, value in vars(mention_looks).items()
        if name.isupper() and isinstance(value, int) and not name.startswith("_")
    ]  # fmt: skip
    single = [bit for bit in (*SPARES, *named) if bit.bit_count() == 1]
    assert len(single) == len(set(single)) > len(SPARES)
    assert sum(SPARES) == SPARING


@pytest.mark.parametrize(
    ("mention", "label", "language", "number"),
    [
        ("Zo", "DATE", "nl", 1),
        ("Zo", "DATE", "en", 0),
        ("Zo", "AGE", "nl", 0),
        ("zo", "PROFESSION", "nl", 1),  # as a name of a tag
        ("Hamilton", "TERRITORIO", "es", 1),
        ("Hamilton", "TERRITORIO", "en", 0),
        ("Enf", "CALLE", "es", 0),
        ("Enf", "NOMBRE_PERSONAL_SANITARIO", "es", 2),  # a title, and what may be named after
    ],
)
def test_steps_are_asked_of_their_labels_in_their_languages(
    mention: str, label: str, language: str, number: int
) -> None:
    assert sum(check(mention) for _, check in find_checks(label, language)) == number
