"""Telephone numbers read: their digits, what stands between them, and their extension."""

from __future__ import annotations

import re
from typing import NamedTuple

from scrubjay.caching import text_cache

_DIGITS = re.compile(r"\d+")
_EXTENSION = re.compile(
    r"(?:(?<=[\s\d,;)])|^)(?:ext?\.?|x|extensi[oó]n|int\.?|toestel|tst\.?|#)\s*[\w-]+\s*$",
    re.IGNORECASE,
)


class Phone(NamedTuple):
    """A telephone number before its extension (`head`), and that (`tail`).

    `runs` are what stands before each run of the digits of the head and its place among these, and
    what stands behind the last one.
    """

    head: str
    tail: str
    digits: str
    runs: tuple[tuple[str, int, int], ...]
    international: bool
    is_blank: bool

    def __repr__(self) -> str:
        return f"Phone({len(self.digits)} digits)"


@text_cache(2048)  # those of a practice are in many documents
def read_phone(text: str) -> Phone:
    """Return what a telephone number is, by itself."""
    extension = _EXTENSION.search(text)
    end = extension.start() if extension and extension.start() else len(text)
    head, runs = text[:end], []
    position = count = 0
    for match in _DIGITS.finditer(head):
        start, stop = match.span()
        runs.append((head[position:start], count, count + stop - start))
        position, count = stop, count + stop - start
    runs.append((head[position:], count, count))
    digits = "".join(_DIGITS.findall(head))
    international = text.lstrip("( ").startswith("+") or digits.startswith("00")
    return Phone(
        head, text[end:], digits, tuple(runs),
        international and len(digits) > 8, not any(map(str.isalnum, text)),
    )  # fmt: skip
