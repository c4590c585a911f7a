"""A regular expression that is compiled when it is first used."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from scrubjay.taggers._search.branches import compile_branches

_Method = Callable[..., re.Match[str] | None]


class Expression:
    """A regular expression that is compiled when it is first used: of all, a note needs few.

    `match` and `search` are those of the compiled one.
    """

    __slots__ = ("_flags", "_is_often_used", "is_compiled", "match", "pattern", "search")

    def __init__(self, pattern: str, flags: re.RegexFlag) -> None:
        self.pattern = pattern
        self._flags = flags
        self._is_often_used = self.is_compiled = False
        self.match: _Method = self._match
        self.search: _Method = self._search

    def compile(self) -> None:
        """Compile the expression now; raises `re.error` for what is none."""
        make = compile_branches if self._is_often_used else re.compile
        found = make(self.pattern, self._flags)
        self.match, self.search, self.is_compiled = found.match, found.search, True

    def use_often(self) -> None:
        """Prepare for much text: it takes twice as long to compile, and less to match."""
        self._is_often_used = True
        if self.is_compiled:
            self.compile()

    def _match(self, text: str, begin: int, end: int = sys.maxsize, /) -> re.Match[str] | None:
        self.compile()
        return self.match(text, begin, end)

    def _search(self, text: str, begin: int, end: int = sys.maxsize, /) -> re.Match[str] | None:
        self.compile()
        return self.search(text, begin, end)
