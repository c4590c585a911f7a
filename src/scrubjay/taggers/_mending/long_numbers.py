"""A number of seven figures and more is somebody's: "plataforma Mipres n.º 20200227114009981".

Nothing that is measured has so many without a point or a unit (Spanish). One that nothing was found
for is an identifier; the key before it, where it is known (`number_keys`), tells of which kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.document import Span
from scrubjay.taggers._mending.people.uncovered import Found, add_uncovered

SOURCE, LABEL = "long-number", "OTRO_NUMERO_IDENTIF"

_LONG = re.compile(r"\d{7,}")
_PART = frozenset("+-_.,/=")
"""Signs that make a number a part of something else."""

_GOES_ON = re.compile(r"[\w/=-]|[.,]\d|%")
_UNIT = re.compile(
    r"[ ]?(?:[x×*^€$%]|(?:ufc|cfu|copias|cop|ui|iu|u|unidades|c[ée]l\w*|leuc\w*|plaq\w*|hemat\w*|"
    r"part\w*|esp\w*|euros?|pesos|d[óo]lares|pasos|lecturas|reads|m[lg]|mm3|mcl|[µu]l|log)(?!\w))",
    re.IGNORECASE,
)
_ROUND = "0000"


def add_long_numbers(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text with long numbers where nothing was found.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    return add_uncovered(spans, _find(text), SOURCE)


def _find(text: str) -> Iterator[Found]:
    for number in _LONG.finditer(text):
        start, end = number.span()
        before = text[start - 1 : start] if start else ""
        if before and (before in _PART or before.isalpha()):
            continue
        is_amount = text.endswith(_ROUND, start, end) or _UNIT.match(text, end)
        if not is_amount and not _GOES_ON.match(text, end):
            yield start, end, LABEL
