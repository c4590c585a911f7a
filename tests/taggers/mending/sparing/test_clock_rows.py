"""Rows of clock times are no numbers."""

from __future__ import annotations

import pytest

from tests.oracles.mending import spare_clock_rows
from tests.taggers.mending_samples import read_braces


def spare(marked: str, label: str) -> bool:
    """Tell whether the mention in braces is spared."""
    text, span = read_braces(marked, label)
    return not list(spare_clock_rows(text, [span]))


@pytest.mark.parametrize("label", ["IDNUM", "PHONE"])
@pytest.mark.parametrize(
    "marked",
    [
        "Epi {0419 0423 0427}, bicarb",
        "Times VS: {0215 0220 0225 0230}.",
        "turned {2200/0000/0200/0400}.",
        "feeds {0200, 0500, 0800}",
    ],
)
def test_rows_of_clock_times_are_no_numbers(marked: str, label: str) -> None:
    assert spare(marked, label)


@pytest.mark.parametrize(
    "marked",
    [
        "Aadhaar {1130 1245 1310}",
        "card no. {0419 0423 0427}",
        "tel: {0800 1130 1245}",
        "Acct number is {0100 0200 0300}",
        "SSN {0419 0523 0627}",
        "member: {0419 0523 0627}",
        "call {0161 0496 0123}",
        "ring {2231 1455}",
        "{0419 0423 0463}",
        "{1200 0900 0600 0300}",
        "{0419-0423-0427}",
    ],
)
def test_numbers_stay(marked: str) -> None:
    assert not spare(marked, "IDNUM")


def test_other_labels_stay() -> None:
    assert not spare("Epi {0419 0423 0427}", "DATE")
