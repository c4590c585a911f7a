"""A look at some documents before a run: which order do the numbers of their dates have?

A document of which nothing tells whether 3/4/2021 is the 3rd of April is read as most of the others
are: the documents of one hospital, and of one patient, seldom differ. What is counted is which of
them hold a date that leaves no doubt, 25/12/2020, by its form alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from scrubjay.document import Document
from scrubjay.transform.plain_dates import BOTH, DAY_FIRST, MONTH_FIRST, plain_order
from scrubjay.transform.surrogates.operator import UsualOrder

LEAST_TELLING = 3
"""How many documents have to tell an order before it is taken for the others."""
CLEAR_SHARE = 0.9
"""Which share of those that tell one has to tell the same."""


@dataclass(frozen=True, slots=True)
class DateLook:
    """How many documents were looked at, and how many of them tell which order; never a text."""

    looked: int = 0
    day_first: int = 0
    month_first: int = 0
    both: int = 0
    """Documents that hold dates of either order, and so tell none."""

    @property
    def usual(self) -> UsualOrder:
        """Return the order that most documents tell, "" where they are too few or disagree."""
        told = self.day_first + self.month_first
        most = max(self.day_first, self.month_first)
        if told < LEAST_TELLING or most < CLEAR_SHARE * told:
            return ""
        return DAY_FIRST if most == self.day_first else MONTH_FIRST

    def to_json(self) -> dict[str, Any]:
        """Return the counts and what follows from them, as the summary of a run tells it."""
        return {
            "looked": self.looked,
            "dmy": self.day_first,
            "mdy": self.month_first,
            "both": self.both,
            "usual": self.usual or None,
        }


def look_at(documents: Iterable[Document]) -> DateLook:
    """Return what documents tell of the order of their dates.

    Where they cannot be read on, those before count: the run itself will tell of the error.
    """
    told: Counter[str] = Counter()
    looked = 0
    with suppress(Exception):
        for document in documents:
            looked += 1
            told[plain_order(document.text)] += 1
    return DateLook(looked, told[DAY_FIRST], told[MONTH_FIRST], told[BOTH])
