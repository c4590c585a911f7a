"""Rows of clock times are no numbers in groups: "0200 0500 0800", "2200/0000/0200" (English)."""

from __future__ import annotations

import re
from itertools import pairwise

from scrubjay.document import Span

LABELS = frozenset({"IDNUM", "PHONE", "MEDICALRECORD", "ACCOUNT", "FAX", "DEVICE"})
"""Labels that such a row is given."""

_AROUND = 40
"""Characters before a row in which a key tells that it is a number."""

_CLOCK = r"(?:[01]\d|2[0-3])[0-5]\d"
_CLOCKS = re.compile(rf"{_CLOCK}(?:(?:,[ \t]*|[ \t]+|/){_CLOCK}){{2,}}")
_KEY = re.compile(
    r"(?:[#№]|(?<!\w)(?:no|nr|numbers?|id|mrn|acct|account|ph|tel|telephone|phone|cell|mobile|call|"
    r"called|fax|pager|beeper|ext|card|aadhaar|ssn|sin|nhs|policy|member|insurance|medicare|medicaid|"
    r"license|licence|dea|npi|serial|sn|s/n|lot|ref|case|claim|auth|record|device|passport))"
    r"[.:#]*[ \t]*(?:(?:is|was|ends[ ]in)[ ])?[ \t]*\Z",
    re.IGNORECASE,
)


def may_be_clock_row(mention: str) -> bool:
    """Tell whether a mention is a row of three times at least, wherever it stands."""
    return _CLOCKS.fullmatch(mention) is not None


def is_clock_row(text: str, span: Span) -> bool:
    """Tell whether such a row has no key of a number before it, and its times follow one another.

    Each is later than the one before, midnight aside.
    """
    if _KEY.search(text[max(0, span.start - _AROUND) : span.start]):
        return False
    times: list[str] = re.findall(r"\d{4}", text[span.start : span.end])
    return sum(later <= earlier for earlier, later in pairwise(times)) <= 1
