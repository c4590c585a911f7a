"""A number of seven figures and more is somebody's: "plataforma Mipres n.º 20200227114009981".

Nothing that is measured has so many without a point or a unit (Spanish). One that nothing was found
for is an identifier; the key before it, where it is known (`number_keys`), tells of which kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.lookalike_search import find_look_alike
from scrubjay.taggers._mending.uncovered import Found, add_uncovered

SOURCE, LABEL = "long-number", "OTRO_NUMERO_IDENTIF"
LABELS = frozenset({LABEL})

_FIGURES = bytes(code in b"0123456789" for code in range(256))
"""A table for `bytes.translate`: whether a byte is a figure."""

_SEVEN = 7 * b"\1"
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
    figures = text.encode("latin-1", "replace").translate(_FIGURES)
    first = figures.find(_SEVEN)
    return spans if first < 0 else add_uncovered(spans, _find(text, figures, first), SOURCE)


def _find(text: str, figures: bytes, start: int) -> Iterator[Found]:
    """Yield the long numbers of a text from the first start on; `figures` tells of its bytes.

    Those that the entries of `lookalikes` let go are none: "SNOMED 44054006".
    """
    while start >= 0:
        end = figures.find(b"\0", start)
        end = len(text) if end < 0 else end
        if _is_whole(text, start, end) and not find_look_alike(text, Span(start, end, LABEL), "es"):
            yield start, end, LABEL
        start = figures.find(_SEVEN, end)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Tell whether a number is a part of nothing else, and no amount."""
    before = text[start - 1 : start] if start else ""
    if before and (before in _PART or before.isalpha()):
        return False
    is_amount = text.endswith(_ROUND, start, end) or _UNIT.match(text, end) is not None
    return not is_amount and _GOES_ON.match(text, end) is None
