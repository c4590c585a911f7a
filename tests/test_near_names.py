"""Which known name was meant: asked where one is near, nearest first, and not else."""

from __future__ import annotations

import pytest

from scrubjay.near_names import did_you_mean, suggest_near


@pytest.mark.parametrize(
    ("name", "most", "question"),
    [
        ("plcaeholder", 1, "Did you mean 'placeholder'? "),
        ("mas", 1, "Did you mean 'mask'? "),
        ("mas", 2, "Did you mean 'mask' or 'masks'? "),
        ("MASK", 2, ""),
        ("", 2, ""),
        ("kraken", 2, ""),
    ],
)
def test_the_nearest_names_are_asked_for(name: str, most: int, question: str) -> None:
    known = ("masks", "mask", "placeholder", "redact")
    assert suggest_near(name, iter(known), most=most) == question


def test_nothing_is_asked_of_no_names() -> None:
    assert suggest_near("mask", ()) == did_you_mean() == ""


def test_names_stand_in_the_order_that_they_are_given_in() -> None:
    assert did_you_mean("en", "es", "nl") == "Did you mean 'en' or 'es' or 'nl'? "
