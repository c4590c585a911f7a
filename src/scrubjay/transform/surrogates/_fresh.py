"""New values until one is free: no surrogate is an original of the record."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from scrubjay.errors import ConfigError
from scrubjay.transform.surrogates.draw import Draw, fold

TRIES = 48
LONGER = 24  # from this attempt on a value may get longer, where short ones are used up

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_BITS = 120

fold_entry = lru_cache(maxsize=8192)(fold)  # of entries of tables alone: never of a text
"""`fold`, remembered. Only for what comes from tables: it must hold no text of a document."""


class Fresh:
    """The originals of a record, and values that are none of them."""

    __slots__ = ("_known", "draw", "refused")

    def __init__(self, draw: Draw, avoid: Collection[str]) -> None:
        self.draw = draw
        self.refused = draw.refused(avoid)
        self._known: dict[str, str] = {}

    def until(self, old: str, make: Callable[[int], str]) -> str:
        """Return the first of `make(0)`, `make(1)` ... that may stand for `old`.

        It is not blank, not `old` and no original of the record. Equal texts get equal values.
        Raises `ConfigError` if none of the attempts gives one.
        """
        known = self._known.get(old)
        if known is not None:
            return known
        same = self.draw.fold(old)
        for attempt in range(TRIES):
            new = make(attempt)
            key = self.draw.fold(new)
            if key and key != same and key not in self.refused:
                self._known[old] = new
                return new
        raise ConfigError(
            f"no surrogate was found for a mention in {TRIES} draws",
            hint="Give the label another operator, such as a placeholder",
        )

    def pick(self, options: Sequence[str], *what: str, used: Collection[str] = ()) -> str | None:
        """Return a drawn option of a table that no original equals and none of `used`, or None."""
        size = len(options)
        if not size:
            return None
        first = self.draw.whole(0, size - 1, *what)
        for step in range(size):
            option = options[(first + step) % size]
            key = fold_entry(option)
            if key not in self.refused and key not in used:
                return option
        return None


class Characters:
    """A row of keyed characters: some thirty of them for one draw."""

    __slots__ = ("_draw", "_left", "_number", "_rows", "_what")

    def __init__(self, draw: Draw, *what: str) -> None:
        self._draw, self._what = draw, what
        self._number = self._left = self._rows = 0

    def below(self, size: int) -> int:
        """Return a whole number from 0 to `size` - 1."""
        if self._left < size << 20:
            self._number = self._draw.whole(0, (1 << _BITS) - 1, *self._what, str(self._rows))
            self._left = 1 << _BITS
            self._rows += 1
        self._left //= size
        self._number, number = divmod(self._number, size)
        return number

    def digits(self, count: int) -> str:
        """Return a row of digits."""
        return "".join([str(self.below(10)) for _ in range(count)])

    def like(self, character: str) -> str:
        """Return a character of the same class: a digit of the script, a letter of the case.

        What is neither stays.
        """
        if "0" <= character <= "9":
            return str(self.below(10))
        if character.isalpha():
            letter = _LETTERS[self.below(26)]
            return letter.upper() if character.isupper() else letter
        if character.isdecimal():
            return chr(ord(character) - unicodedata.decimal(character) + self.below(10))
        return character

    def digit_run(self, run: str) -> str:
        """Return another run of digits, as long; leading zeros stay, the digit after them is no 0.

        Nothing but zeros becomes a number too.
        """
        rest = run.lstrip("0")
        if not rest:
            return "".join(str(1 + self.below(9)) for _ in run)
        first = str(1 + self.below(9)) if rest[0].isascii() else self.like(rest[0])
        return run[: len(run) - len(rest)] + first + "".join(map(self.like, rest[1:]))

    def filler(self, count: int) -> str:
        """Return digits where a text has nothing that could be replaced; none is 0."""
        return "".join(str(1 + self.below(9)) for _ in range(count))


def keep_ends(text: str) -> tuple[str, str, str]:
    """Return the white space before a text, the text, and that after it."""
    core = text.strip()
    if not core:
        return "", text, ""
    begin = text.index(core)
    return text[:begin], core, text[begin + len(core) :]
