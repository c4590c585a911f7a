"""Diseases in the short hand of notes are no persons; persons of the same name still are."""

from __future__ import annotations

import pytest

from tests.known.samples import is_alone_eponym


@pytest.mark.parametrize(
    "text",
    [
        "[Addison]'s dz ruled out",
        "[Crohn] dz, on Humira",
        "[Graves] dz s/p RAI",
        "[Crohn]'s flare last week",
        "[Paget]'s of bone",
        "old [Hashimoto]'s thyroiditis",
        "h/o [Crohn]'s.",
        "hx of [Crohn]’s on Humira",
        "h/o [Graves].",
        "r/o [Cushing]",
        "No [Crohn]'s.",
        "FH [Huntington]'s.",
        "pt with [Parkinson]'s, on Sinemet",
        "diagnosed with [Addison]'s and started steroids",
        "c/w [Sjogren]'s",
        "HTN, [Parkinson]'s, DM",
        "[Parkinson]'s, HTN",
        "labs: [Sjogren]'s neg.",
        "[Sjogren]'s r/o",
        "known [Graves]' s/p RAI",
        "has [Alzheimer]'s.",
        "[Alzheimer]'s stage 6",
    ],
)
def test_short_hand_of_diseases_names_nobody(text: str) -> None:
    assert is_alone_eponym(text)


@pytest.mark.parametrize(
    "text",
    [
        "[Addison]'s mother visited",
        "[Addison]'s on the phone",
        "[Addison]'s in bed",
        "[Crohn]'s on Humira",  # who is?
        "[Graves] dx breast CA",
        "[Graves], HTN",
        "[Graves] neg.",
        "[Graves] said she is fine",
        "Ms. [Graves]' dz",
        "Mary [Graves] dz",
        "Dr. [Crohn]'s.",
        "went to [Addison]'s.",
        "records from [Addison]'s.",
        "lives with [Addison]'s.",
        "has [Addison]'s phone",
        "has [Addison]'s on hold",
        "known [Addison]'s on the phone",
        "h/o [Graves], Mary",
        "[Sjogren]'s neg for covid",
        "[Sjogren]'s positive about it",
        "h/o [Smith]'s.",
        "[Smith]'s dz",
        "seen by [Graves].",
        "HTN, [Graves], RN",
        "no [Addison]'s since Monday",
        "[Parkinson]'s wife called",
    ],
)
def test_persons_stay_persons(text: str) -> None:
    assert not is_alone_eponym(text)
