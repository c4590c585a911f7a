"""A regular expression that is compiled when it is first used."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from scrubjay.taggers._branches import compile_branches

_Method = Callable[..., re.Match[str] | None]


class Expression:
    """A regular expression that is compiled when it is first used: of all, a note needs few.

    `match` and `search` are those of the compiled one.
    """

    __slots__ = ("_flags", "is_compiled", "match", "pattern", "search")

    def __init__(self, pattern: str, flags: re.RegexFlag) -> None:
        self.pattern = pattern
        self._flags = flags
        self.is_compiled = False
        self.match: _Method = self._match
        self.search: _Method = self._search

    def compile(self) -> None:
        """Compile the expression now; raises `re.error` for what is none."""
        found = compile_branches(self.pattern, self._flags)
        self.match, self.search, self.is_compiled = found.match, found.search, True

    def _match(self, text: str, begin: int, end: int = sys.maxsize, /) -> re.Match[str] | None:
        self.compile()
        return self.match(text, begin, end)

    def _search(self, text: str, begin: int, end: int = sys.maxsize, /) -> re.Match[str] | None:
        self.compile()
        return self.search(text, begin, end)
