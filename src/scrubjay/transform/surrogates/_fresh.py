"""New values until one is free: no surrogate is an original of the record, or holds one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from scrubjay.errors import ConfigError
from scrubjay.transform.surrogates.draw import (
    Draw,
    fold,
    fold_known,
    heading,
    row_known,
    row_of_fold,
    words_of_fold,
)

TRIES = 48
LONGER = 24  # from this attempt on a value may get longer, where short ones are used up

LEAST_LETTERS = 4  # fewer, or so few digits alone, tell nothing where they stand in another value
LEAST_DIGITS = 5

_BETWEEN = re.compile(r"[\W_]+")
_FIRST = re.compile(r"^(?:[^\w\n]|_)*([^\W\d_]+|\d+|)", re.MULTILINE)
"""The first word of each line as `draw.row` has it, "" where it has none."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NOTHING: frozenset[str] = frozenset()
_ANOTHERS = 2
_BITS = 120
_DIGITS_AT_ONCE = 16

fold_entry = lru_cache(maxsize=8192)(fold)  # of entries of tables alone: never of a text
"""`fold`, remembered, for what comes from tables: texts of documents do not drive it out."""


class Fresh:
    """The originals of a record, and values that are none of them."""

    __slots__ = ("_given", "_known", "_whole", "draw", "refused")

    def __init__(self, draw: Draw, avoid: Collection[str]) -> None:
        self.draw = draw
        self.refused = draw.refused(avoid)
        self._known: dict[str, str] = {}
        self._given: dict[str, str] = {}  # values with digits -> originals, both folded
        self._whole = whole_originals(draw, avoid)

    def until(self, old: str, make: Callable[[int, frozenset[str]], str]) -> str:
        """Return the first of `make(0, told)`, `make(1, told)` ... that may stand for `old`.

        `told` are the words, as `draw.row` has them, of the originals that the attempts before
        held: what a maker keeps of `old` must not have one ("gmail.com" of an address, where
        that is a mention, too).

        It is not blank, not `old` and no original of the record, and holds none of them as whole
        words. Where all attempts hold one, the first is taken that does not hold `old`, else the
        first (in which the operator sees an original again, and gives a placeholder). Equal texts
        get equal values; one with a digit goes to no two, as long as there are others: of rooms K3
        and K4 come two rooms. Raises `ConfigError` if none of the attempts gives one.
        """
        known = self._known.get(old)
        if known is not None:
            return known
        same = fold_known(old)
        told: frozenset[str] = frozenset()
        worse: dict[int, str] = {}  # by whether they hold `old`, or are another's value
        for attempt in range(TRIES):
            new = make(attempt, told)
            key = fold(new)
            if not key or key == same or key in self.refused:
                continue
            if self._given.get(key, same) != same:
                worse.setdefault(_ANOTHERS, new)
                continue
            whole, words = self._whole, words_of_fold(key)
            # Mostly told at a look, for the value's own original is among the others.
            if whole.begin_with_none(words) and old in whole.texts:
                return self._give(old, same, new, key)
            own, held = shows(key, old), whole.words_in(key)
            if not own and not held:
                return self._give(old, same, new, key)
            told |= held
            worse.setdefault(own and is_telling(old), new)
        if not worse:
            raise ConfigError(
                f"no surrogate was found for a mention in {TRIES} draws",
                hint="Give the label another operator, such as a placeholder",
            )
        self._known[old] = worse[min(worse)]
        return self._known[old]

    def _give(self, old: str, same: str, new: str, key: str) -> str:
        """Return a value that may stand for an original, and keep it; with it come their folds."""
        self._known[old] = self.draw.sound[old] = new
        if any(map(str.isdigit, key)):
            self._given[key] = same
        return new

    def inside(self, text: str, make: Callable[[str, int, frozenset[str]], str]) -> str:
        """Return a text with what `until` gives for it without the white space at its ends.

        `make` is given the text without that, and what `until` gives.
        """
        before, core, after = keep_ends(text)
        return before + self.until(core, lambda attempt, told: make(core, attempt, told)) + after

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


class WholeOriginals:
    """The originals that tell something as whole words inside another value."""

    __slots__ = ("_firsts", "_rows", "texts")

    def __init__(self, texts: Collection[str]) -> None:
        self.texts = texts
        # By their first words, those that tell nothing too: few values have one of them.
        self._firsts = firsts = dict[str, list[str]]()
        # No fold holds an end of a line: all of them are read at once.
        found = _FIRST.findall("\n".join(map(fold_known, texts))) if texts else ()
        for text, first in zip(texts, found, strict=True):
            if first in firsts:
                firsts[first].append(text)
            else:
                firsts[first] = [text]
        self._rows: dict[str, list[str]] = {}  # of the first words met so far

    def begin_with_none(self, words: Sequence[str]) -> bool:
        """Tell whether none of them begins with any of the words of a value."""
        return self._firsts.keys().isdisjoint(words)

    def any_in(self, folded: str) -> bool:
        """Tell whether a folded value holds one of them as whole words."""
        return bool(self._held(folded))

    def words_in(self, folded: str) -> frozenset[str]:
        """Return the words of all of them that a folded value holds as whole words."""
        held = self._held(folded)
        return frozenset(" ".join(held).split()) if held else _NOTHING

    def _held(self, folded: str) -> Sequence[str]:
        """Return the rows of all of them that a value holds; mostly that is told at a look."""
        words, firsts = words_of_fold(folded), self._firsts
        if firsts.keys().isdisjoint(words):
            return ()
        row = f" {' '.join(words)} "
        met = [word for word in words if word in firsts]
        return [one for word in met for one in self._beginning(word) if one in row]

    def _beginning(self, first: str) -> list[str]:
        """Return the rows of those that begin with a word."""
        rows = self._rows.get(first)
        if rows is None:
            alike = self._firsts[first]
            rows = self._rows[first] = [row_known(text) for text in alike if is_telling(text)]
        return rows


def whole_originals(draw: Draw, avoid: Collection[str]) -> WholeOriginals:
    """Return the originals of a record, the same for all makers at work on it."""
    return draw.once("whole originals", draw.refused(avoid), lambda: WholeOriginals(avoid))


def shows(folded: str, old: str) -> bool:
    """Tell whether a folded value holds all words of another: "Cedar Aetna", "Aetna"."""
    words = row_known(old)
    first = words[1 : words.find(" ", 1)]
    # Few values have as much as its first letters or digits.
    return bool(first) and first in folded and words in row_of_fold(folded)


def is_telling(text: str) -> bool:
    """Tell whether a text has so many letters and digits that it tells something anywhere."""
    if len(text) < LEAST_LETTERS:
        return False
    plain = text if text.isalnum() else _BETWEEN.sub("", text)
    return len(plain) >= (LEAST_DIGITS if plain.isdigit() else LEAST_LETTERS)


class Characters:
    """A row of keyed characters: some thirty of them for one draw."""

    __slots__ = ("_draw", "_head", "_left", "_number", "_rows")

    def __init__(self, draw: Draw, *what: str) -> None:
        self._draw, self._head = draw, heading(*what)
        self._number = self._left = self._rows = 0

    def _fill(self) -> None:
        self._number = self._draw.below(1 << _BITS, self._head, self._rows)
        self._left = 1 << _BITS
        self._rows += 1

    def below(self, size: int) -> int:
        """Return a whole number from 0 to `size` - 1."""
        if self._left < size << 20:
            self._fill()
        self._left //= size
        self._number, number = divmod(self._number, size)
        return number

    def digits(self, count: int) -> str:
        """Return a row of digits."""
        found = ""
        while count:
            # As many at once as one draw has: the same as one `below(10)` after the other.
            part = min(count, _DIGITS_AT_ONCE)
            size = 10**part
            if self._left < size << 20:
                found += str(self.below(10))
                count -= 1
                continue
            self._left //= size
            self._number, number = divmod(self._number, size)
            found += f"{number:0{part}d}"[::-1]
            count -= part
        return found

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
        if rest.isascii() and rest.isdigit():
            return run[: len(run) - len(rest)] + first + self.digits(len(rest) - 1)
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


def may_stay(text: str, told: frozenset[str]) -> bool:
    """Tell whether a surrogate may keep a text: none of its words is among those told."""
    return not told or told.isdisjoint(row_known(text).split())
