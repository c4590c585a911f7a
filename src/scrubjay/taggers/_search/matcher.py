"""Trying patterns fast: one look through a text finds where each pattern may match at all.

Words and numbers are the anchors. A table leads from a word to the entries to try there, and the
next sign tells which of them cannot match; at a number one joined expression decides first whether
any entry can. Where there is much text, a compiled sieve (`sieve`) tells more of that in less
time. Nothing is ever searched through the whole text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING

from scrubjay.compiling import use_compiled
from scrubjay.cores import Begun
from scrubjay.taggers._search.bounded import longest_match
from scrubjay.taggers._search.expression import Expression
from scrubjay.taggers._search.first_signs import BEYOND, Reach, may_hold_space, next_sign, reach
from scrubjay.taggers._search.sieve import NUMBER, OPENING, WORD, Machine, Sieve
from scrubjay.taggers._search.sieve_tables import Sifted, Tables, Walked, walk_nowhere
from scrubjay.taggers._search.starts import Starts

if TYPE_CHECKING:
    from scrubjay.taggers.patterns import Pattern

AT_NUMBER = "number"
AT_CODE = "code"

REACH_BACK = 80
"""How many characters before its words or its sign a pattern is searched."""

REACH_ON = 1000
"""How many characters behind its sign a match may reach."""

CONTEXT = 40
"""How many characters before a match `before` may look at."""

Match = tuple[int, int, int]
"""Start, end, and the number of the pattern."""

_KERNEL = ("taggers/_search/sieve_loop.py", "sieve_loop")
_CHARACTERS_A_TOKEN = 5
_SIZE_AHEAD = 4_096  # tokens that another thread is to walk through, though in one piece
_SPACES = " \n\t\r"
_GAP = r"[ \t\u00a0]{1,3}"
_MARKED = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A pattern to be tried; `words` follow the pattern, where it stands before them.

    `before` has to match in the last `context` characters before a match. Where words follow,
    `starts` finds where one begins.
    Where capitals matter, `firsts` are the beginnings of its words as they must be written. A match
    of one that `is_dense` holds no space.
    """

    number: int
    regex: Expression
    group: int | str
    stand: str
    before: Expression | None
    words: Expression | None = None
    firsts: frozenset[str] | None = None
    context: int = CONTEXT
    starts: Starts | None = None
    is_dense: bool = False

    def forward(self, text: str, place: int, found: list[Match]) -> None:
        """Add the match that begins right at `place`, if there is one."""
        if match := self.regex.match(text, place):
            start, end = match.span(self.group)
            # What `_accept` does: most matches are found here.
            if start < end:
                before = self.before
                if before is None or before.search(text, max(0, place - self.context), place):
                    found.append((start, end, self.number))

    def backward(self, text: str, place: int, found: list[Match]) -> None:
        """Add the longest match that ends right at the words at `place`, if there is one."""
        assert self.words is not None
        assert self.starts is not None
        words = self.words.match(text, place)
        begin = max(0, place - REACH_BACK)
        match = words and self.starts.search(self.regex, text, begin, place)
        if words and match:
            start, end = match.span(self.group)
            end = words.end() if self.stand == "last" else end
            self._accept(text, match.start(), start, end, found)

    def around(self, text: str, begin: int, place: int, end: int, found: list[Match]) -> None:
        """Add the match from `begin` on that covers the sign `[place, end)`, if there is one.

        The expression matches nothing right behind each sign, which ends a search in vain.
        """
        begin, search = max(begin, place - REACH_BACK), self.regex.search
        if self.is_dense:
            for space in _SPACES:
                begin = max(begin, text.rfind(space, begin, place) + 1)
        while match := search(text, begin, end + REACH_ON):
            if match.start() > place:
                return
            if match.end() >= end:
                self._accept(text, match.start(), *match.span(self.group), found)
                return
            begin = max(match.end(), match.start() + 1)

    def _accept(self, text: str, begin: int, start: int, end: int, found: list[Match]) -> None:
        if start < end:
            before = self.before
            if before is None or before.search(text, max(0, begin - self.context), begin):
                found.append((start, end, self.number))


class Matcher:
    """Finds the matches of patterns in texts; threads may share it, and what it works out."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.patterns = tuple(patterns)
        self._priorities = [pattern.priority for pattern in self.patterns]
        self._entries = [_compile(number, pattern) for number, pattern in enumerate(self.patterns)]
        self._words: dict[str, list[Entry]] = {}
        self._met: dict[str, list[tuple[Entry, frozenset[str] | None]]] = {}
        self._signs: dict[str, list[Entry]] = {}
        self._tries = [e.forward if e.words is None else e.backward for e in self._entries]
        self._numbers: list[Entry] = []
        self._codes: list[Entry] = []
        for entry, pattern in zip(self._entries, self.patterns, strict=True):
            self._add(entry, pattern)
        # Those that look at what stands before match often on their own: they come last.
        self._numbers.sort(key=lambda entry: (entry.before is not None, entry.number))
        self._tables: Tables | None = None

    def __reduce__(self) -> tuple[type[Matcher], tuple[tuple[Pattern, ...]]]:
        return Matcher, (self.patterns,)

    @cached_property
    def _gate(self) -> re.Pattern[str] | None:
        """Return what matches where any pattern of numbers does."""
        return _join([self.patterns[entry.number] for entry in self._numbers])

    def compile(self) -> None:
        """Compile all patterns, which is else left to their first use.

        Raises `re.error` where one is no regular expression.
        """
        for expression in self._expressions():
            expression.compile()

    def _expressions(self) -> list[Expression]:
        parts = [part for e in self._entries for part in (e.regex, e.before, e.words)]
        return [expression for expression in parts if expression is not None]

    def _add(self, entry: Entry, pattern: Pattern) -> None:
        for key in dict.fromkeys(_first_letters(phrase).lower() for phrase in pattern.words):
            self._words.setdefault(key, []).append(entry)
        if not pattern.words:
            for sign in pattern.at:
                if sign == AT_NUMBER:
                    self._numbers.append(entry)
                elif sign == AT_CODE:
                    self._codes.append(entry)
                else:
                    self._signs.setdefault(sign, []).append(entry)

    def find(self, text: str) -> list[Match]:
        """Return disjoint matches, sorted: the higher priority wins, then the longer, the first."""
        return self.find_all([text])[0]

    def find_all(self, texts: Sequence[str]) -> list[list[Match]]:
        """Return what `find` does of each text, in less time."""
        return list(self.finish(self.begin(texts)))

    def begin(self, texts: Sequence[str]) -> Begun[Walked]:
        """Let other threads begin with `find_all`, which `finish` goes on with."""
        size = sum(map(len, texts)) // _CHARACTERS_A_TOKEN
        if not use_compiled(size, late=_KERNEL):
            return Begun(walk_nowhere, [texts])
        tables = self.tables()
        return Begun(tables.walk, tables.cut(texts), ahead=size >= _SIZE_AHEAD)

    def finish(self, begun: Iterable[Walked]) -> Iterator[list[Match]]:
        """Yield what is found in each text that was begun with."""
        for walked in begun:
            # By the tables that walked: nodes have other numbers in those of another thread.
            sifted = walked.tables.read(walked) if walked.tables else repeat(None)
            for text, sieved in zip(walked.texts, sifted, strict=False):
                matches = self._try_all(text) if sieved is None else self._try(text, sieved)
                yield choose(matches, self._priorities)

    def tables(self) -> Tables:
        """Return the tables of the compiled sieve, which are made when they are first asked for."""
        if self._tables is None:
            for expression in self._expressions():
                expression.use_often()
            tables = Tables(self.sieve(), self._signs)
            tables.walk([""])  # loads the kernel, which one thread is to do
            self._tables = tables
        return self._tables

    def _try(self, text: str, sifted: Sifted) -> list[Match]:
        """Return all matches where the sieve lets some through."""
        found: list[Match] = []
        tries, signs = sifted
        attempts = self._tries
        for place, numbers in tries:
            for number in numbers:
                attempts[number](text, place, found)
        self._at_signs(text, signs, found)
        return found

    def _try_all(self, text: str) -> list[Match]:
        """Return all matches, without a sieve."""
        found: list[Match] = []
        self._at_words(text, found)
        self._at_numbers(text, found)
        self._at_signs(text, self._signs, found)
        return found

    def sieve(self) -> Sieve:
        """Return a sieve of the patterns."""
        machines = [_machine(*each) for each in zip(self._entries, self.patterns, strict=True)]
        chosen = [[machines[e.number] for e in part] for part in (self._numbers, self._codes)]
        return Sieve([machine for machine in machines if machine.words], *chosen)

    def _at_words(self, text: str, found: list[Match]) -> None:
        known, codes, size = self._words, self._codes, len(text)
        for word in WORD.finditer(text):
            key = word.group().lower()
            entries = self._entries_at(key) if key in known else None
            sign = next_sign(text, word.end()) if entries else ""
            for entry, signs in entries or ():
                if signs is not None and sign not in signs and sign < BEYOND:
                    continue
                if entry.firsts is not None and word.group() not in entry.firsts:
                    continue
                if entry.words is None:
                    entry.forward(text, word.start(), found)
                else:
                    entry.backward(text, word.start(), found)
            if codes and (end := word.end()) < size and text[end].isdecimal():
                for entry in codes:
                    entry.forward(text, word.start(), found)

    def _entries_at(self, key: str) -> list[tuple[Entry, frozenset[str] | None]]:
        """Return the entries to try at a word, and the signs of which each needs one behind it."""
        found = self._met.get(key)
        if found is None:
            patterns = self.patterns
            found = self._met[key] = [
                (entry, _signs_behind(patterns[entry.number])[key]) for entry in self._words[key]
            ]
        return found

    def _at_numbers(self, text: str, found: list[Match]) -> None:
        if self._gate is None:
            return
        fits = self._gate.match
        for number in NUMBER.finditer(text):
            # Where a sign stands before the digits, it may be no part of the number.
            for place in range(number.start(), number.end()):
                if first := fits(text, place):
                    for entry in self._numbers[int((first.lastgroup or "_0")[1:]) :]:
                        entry.forward(text, place, found)
                if text[place] not in OPENING:
                    break

    def _at_signs(self, text: str, signs: Iterable[str], found: list[Match]) -> None:
        for sign in signs:
            begin, place = 0, text.find(sign)
            while place >= 0:
                for entry in self._signs[sign]:
                    entry.around(text, begin, place, place + len(sign), found)
                begin = place + 1  # what covers this sign, too, was tried just now
                place = text.find(sign, place + len(sign))


def choose(matches: Iterable[Match], priorities: Sequence[int]) -> list[Match]:
    """Return disjoint matches, sorted: the higher priority wins, then the longer, the first."""
    chosen: list[Match] = []
    together: list[Match] = []  # matches that overlap, each with one before it
    end = -1
    for match in sorted(set(matches)):
        start, stop, _ = match
        if start < end:
            together.append(match)
            end = max(end, stop)
            continue
        chosen += together if len(together) < 2 else _choose(together, priorities)
        together, end = [match], stop
    return chosen + (together if len(together) < 2 else _choose(together, priorities))


def _choose(matches: Sequence[Match], priorities: Sequence[int]) -> list[Match]:
    def rank(match: Match) -> tuple[int, int, int, int]:
        start, end, number = match
        return -priorities[number], start - end, start, number

    starts: list[int] = []
    ends: list[int] = []
    chosen: list[Match] = []
    for match in sorted(matches, key=rank):
        place = bisect_left(starts, match[1])  # the kept matches that begin before this one ends
        if place == 0 or ends[place - 1] <= match[0]:
            starts.insert(place, match[0])
            ends.insert(place, match[1])
            chosen.append(match)
    return sorted(chosen)


def check_examples(pattern: Pattern) -> str:
    """Try a pattern alone on its examples; return what is wrong, or nothing.

    Raises `re.error` for what is no regular expression.
    """
    matcher = Matcher([pattern])
    matcher.compile()
    for number, example in enumerate(pattern.examples, start=1):
        pieces = _MARKED.split(example)
        ends = [0]
        for piece in pieces:
            ends.append(ends[-1] + len(piece))
        expected = [(ends[i], ends[i + 1]) for i in range(1, len(pieces), 2)]
        if not expected:
            return f"example {number} marks no span with braces"
        if [match[:2] for match in matcher.find("".join(pieces))] != expected:
            return f"example {number} is not found as marked"
    for number, example in enumerate(pattern.counter_examples, start=1):
        if matcher.find(example):
            return f"something is found in counter-example {number}"
    return ""


def _first_letters(phrase: str) -> str:
    found = WORD.match(phrase)
    return found.group() if found else ""


def _signs_behind(pattern: Pattern) -> dict[str, frozenset[str] | None]:
    """Return for each first word of a pattern which signs may come next, if that can be told."""
    found: dict[str, frozenset[str] | None] = {}
    body: Reach = (frozenset(), True)
    if pattern.stand in ("before", "first"):
        body = reach(pattern.pattern, _flags(pattern))
    for phrase in pattern.words:
        first = _first_letters(phrase)
        key, rest = first.lower(), phrase[len(first) :].strip()
        signs, passes = reach(re.escape(rest[0]), _flags(pattern)) if rest else body
        before = found.get(key, frozenset())
        found[key] = None if passes or before is None else before | signs
    return found


def _machine(entry: Entry, pattern: Pattern) -> Machine:
    """Return what the sieve is to know of an entry."""
    number, flags = entry.number, _flags(pattern)
    before = entry.before.pattern if entry.before else ""
    if not pattern.words:
        return Machine(number, entry.regex.pattern, flags, before)
    words: dict[str, list[str]] = {}
    for phrase in pattern.words:
        first = _first_letters(phrase)
        words.setdefault(first.lower(), []).append(_phrase(phrase, len(first)))
    follow = f"(?={pattern.after})" if pattern.after else ""
    if entry.words is None:
        return Machine(number, _body(pattern) + follow, flags, before, words, entry.firsts)
    return Machine(number, follow, flags, entry.regex.pattern, words, entry.firsts)


def _phrase(phrase: str, begin: int = 0) -> str:
    """Return an expression for a phrase without its first characters, ended by no letter."""
    first, *others = phrase.split()
    escaped = _GAP.join([re.escape(first[begin:]), *map(re.escape, others)])
    return escaped + (r"(?![^\W\d_])" if phrase[-1].isalpha() else "")


def _phrases(words: Sequence[str]) -> str:
    """Return an expression for any of the phrases, the longest first."""
    ordered = sorted(words, key=lambda phrase: (-len(phrase), phrase))
    return f"(?:{'|'.join(map(_phrase, ordered))})"


def _body(pattern: Pattern) -> str:
    marked = "(?P<span>" in pattern.pattern
    return f"(?:{pattern.pattern})" if marked else f"(?P<span>{pattern.pattern})"


def _compile(number: int, pattern: Pattern) -> Entry:
    marked = "(?P<span>" in pattern.pattern
    body = _body(pattern)
    follow = f"(?={pattern.after})" if pattern.after else ""
    flags = _flags(pattern)
    before = Expression(rf"(?:{pattern.before})\Z", flags) if pattern.before else None
    words = starts = None
    is_dense = False
    if not pattern.words:
        is_dense = not may_hold_space(body, flags)
        signs = [sign for sign in pattern.at if sign not in (AT_NUMBER, AT_CODE)]
        regex = "|".join([body + follow, *(f"(?<={re.escape(sign)})" for sign in signs)])
    elif pattern.stand in ("before", "first"):
        regex = _phrases(pattern.words) + body + follow
    else:
        regex = rf"(?<!\w){body}\Z"
        words = Expression(_phrases(pattern.words) + follow, flags)
        starts = Starts(regex, flags)
    whole = pattern.words and pattern.stand == "first" and not marked
    group = 0 if whole else "span"
    firsts = None
    if pattern.words and pattern.case == "exact":
        firsts = frozenset(map(_first_letters, pattern.words))
    context = min(CONTEXT, longest_match(pattern.before))
    expression = Expression(regex, flags)
    return Entry(
        number, expression, group, pattern.stand, before, words, firsts, context, starts, is_dense
    )


def _flags(pattern: Pattern) -> re.RegexFlag:
    return re.IGNORECASE if pattern.case == "any" else re.NOFLAG


def _join(patterns: Sequence[Pattern]) -> re.Pattern[str] | None:
    """Return one expression that matches where any of the patterns does.

    Its last group is named by the place of the first pattern that matches: `_0`, `_1` ...
    """
    parts = []
    for number, pattern in enumerate(patterns):
        body = re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern)
        scope = "?i:" if pattern.case == "any" else "?:"
        follow = f"(?={pattern.after})" if pattern.after else ""
        parts.append(f"(?P<_{number}>({scope}(?:{body}){follow}))")
    return re.compile("|".join(parts)) if parts else None
