"""Borders of what a tagger found, mended by the characters around them.

A tagger sets borders between tokens alone, and learns them from few examples of untidy layout.
What follows holds for any note: a column gap or a new list item ends a mention, an address of the
web holds no space, brackets and quotation marks come in pairs, and two dates with a hyphen are two
dates. Keys that are glued to a name ("DRNAKAGAWA", "SINCEMAY") are cut off it. Apart from these
keys and the text after an address, each letter and digit that was covered stays covered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, normal_word
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS

Interval = tuple[int, int]

_GAP = re.compile(r"[ \t]{3,}|\t|[ \t]*\r?\n[ \t]*(?:[-*•>][ \t]*|(?=\r?\n))")
_ADDRESSES = frozenset({"URL", "EMAIL"})
_TAIL = re.compile(r"[.,;]?\s")
_PAIRS = (('"', '"'), ("(", ")"), ("“", "”"), ("[", "]"))
_SIGNS = re.compile(r'[\t\n"()“”\[\]]| {3}')  # of a gap or a pair

# Keys of persons, dates and numbers that notes in a hurry glue to what follows. Each is cut off
# only a word in capitals that has three more letters at least and is no word or name itself.
_WORD_KEYS = ("NEIGHBOR", "SINCE", "ATTN", "ATTG", "PROV", "SURG", "UHID", "EMT", "PMD", "DR")
_NUMBER_KEYS = ("ACCT", "UHID", "MRN", "ACC", "LOT", "MR", "SN")
_NUMBERS = frozenset({
    "ACCOUNT", "BIOID", "DEVICE", "HEALTHPLAN", "IDNUM", "LICENSE", "MEDICALRECORD", "SSN",
    "VEHICLE",
})  # fmt: skip
_KEY = re.compile("|".join((*_WORD_KEYS, *_NUMBER_KEYS)))
_KEY_LETTERS = frozenset(key[0] for key in (*_WORD_KEYS, *_NUMBER_KEYS))
_SHORTEST = 3
_WORDS = ("en.surnames", "en.first-names", "world.surnames", "en.cities", "en.common")
_WORD = re.compile(r"[^\W\d_]+")

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DAY = rf"{_MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?"
_RANGE = re.compile(rf"({_DAY}(?:,? \d{{4}})?)(?: ?[-–] ?)({_DAY}.*)", re.IGNORECASE | re.DOTALL)
_WEEKDAY = re.compile(r"(?:mon|tues?|wed|thur?s?|fri|sat|sun)(?:[a-z]*day)?\.?", re.IGNORECASE)
_WEEKDAYS = re.compile(rf"(?:{_WEEKDAY.pattern})(?:[/,] ?(?:{_WEEKDAY.pattern}))+", re.IGNORECASE)
# How a mention of several dates begins.
_DATES = re.compile(rf"{_MONTH}[^-–]*[-–]|(?:{_WEEKDAY.pattern})[/,]", re.IGNORECASE)


def may_be_mended(mention: str, label: str) -> bool:
    """Tell whether a mention may have other borders; a look at the signs of most says no."""
    first = mention[0]
    return (
        label in _ADDRESSES
        or _SIGNS.search(mention) is not None
        or (first in _KEY_LETTERS and _KEY.match(mention) is not None)
        or (label == "DATE" and first.isalpha() and _DATES.match(mention) is not None)
    )


def mend_borders(
    text: str, spans: Iterable[Span], *, may_be: Callable[[str, str], object] = may_be_mended
) -> tuple[Span, ...]:
    """Return the spans of a text with mended borders, sorted and disjoint as they came.

    The words are those of English; a span that nothing here speaks of stays as it is. `may_be`
    tells of a mention and its label what `may_be_mended` does, or remembers it.
    """
    rows = tuple(spans)
    found: list[Span] = []
    for number, span in enumerate(rows):
        if not may_be(text[span.start : span.end], span.label):
            found.append(span)
            continue
        # A span may grow by a bracket, never into its neighbours.
        floor = found[-1].end if found else 0
        roof = rows[number + 1].start if number + 1 < len(rows) else len(text)
        intervals: list[Interval] = [(span.start, span.end)]
        for step in _STEPS:
            intervals = [
                made for one in intervals for made in step(text, one, span.label, (floor, roof))
            ]
        found += [replace(span, start=start, end=end) for start, end in intervals if start < end]
    touching = any(one.end == other.start for one, other in pairwise(found))
    return tuple(_joined(found) if touching else found)


def may_lose_key(text: str, start: int, end: int) -> bool:
    """Tell whether a key that may be cut off a name stands anywhere in a mention, whole or parted.

    Other steps take no letters from a mention of a person, and give it none.
    """
    return _KEY.search(text, start, end) is not None


def _part_at_gaps(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    start, end = at
    for gap in _GAP.finditer(text, start, end):
        if start < gap.start():
            yield start, gap.start()
        start = gap.end()
    if start < end:
        yield start, end


def _part_at_repeats(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    """Part a name at a line break behind which a word of it comes again: two mentions of one."""
    start, end = at
    if label in STAFF_AND_PATIENTS:
        brk = text.find("\n", start, end)
        while brk >= 0:
            words = {word.lower() for word in _WORD.findall(text, start, brk) if len(word) > 2}
            after = text.find("\n", brk + 1, end)
            line = text[brk + 1 : after if after >= 0 else end]
            if any(word.lower() in words for word in _WORD.findall(line)):
                yield start, brk - text.endswith("\r", start, brk)
                start = brk + 1 + len(line) - len(line.lstrip())
            brk = after
    yield start, end


def _end_address(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    start, end = at
    tail = _TAIL.search(text, start, end) if label in _ADDRESSES else None
    yield start, tail.start() if tail and tail.start() > start else end


def _pair_brackets(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    start, end = at
    inside = text[start:end]
    for opening, closing in _PAIRS:
        if opening == closing:
            lacks_begin = lacks_end = inside.count(opening) == 1
        else:
            lacks_begin = closing in inside and opening not in inside
            lacks_end = opening in inside and closing not in inside
        if lacks_begin and start > room[0] and text[start - 1] == opening:
            yield start - 1, end
            return
        if lacks_end and end < room[1] and text[end] == closing:
            yield start, end + 1
            return
    yield at


def _cut_key(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    start, end = at
    word = _WORD.match(text, start, end)
    if word is None or (start and text[start - 1].isalpha()):
        yield at
        return
    for key in _WORD_KEYS:
        if word[0].startswith(key) and _is_glued(word[0], key):
            yield start + len(key), end
            return
    for key in _NUMBER_KEYS if label in _NUMBERS else ():
        rest = start + len(key)
        if word[0].startswith(key) and rest < end and text[rest].isalnum():
            yield rest, end
            return
    yield at


def _is_glued(word: str, key: str) -> bool:
    long = word.isupper() and len(word) - len(key) >= _SHORTEST
    return long and not any(normal_word(word) in find_lexicon(name) for name in _WORDS)


def _part_dates(text: str, at: Interval, label: str, room: Interval) -> Iterator[Interval]:
    start, end = at
    if label == "DATE":
        if both := _RANGE.fullmatch(text, start, end):
            yield both.span(1)
            yield both.span(2)
            return
        if _WEEKDAYS.fullmatch(text, start, end):
            yield from (day.span() for day in _WEEKDAY.finditer(text, start, end))
            return
    yield at


def _joined(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans, numbers that touch as one ("hst/" and "lv3" are one user name)."""
    last: Span | None = None
    for span in spans:
        if last is None:
            last = span
        elif last.end == span.start and last.label == span.label and span.label in _TOUCHING:
            last = replace(last, end=span.end)
        else:
            yield last
            last = span
    if last is not None:
        yield last


_TOUCHING = _NUMBERS | _ADDRESSES | {"USERNAME", "IPADDR", "IPADDRESS"}

_Step = Callable[[str, Interval, str, Interval], Iterator[Interval]]
_STEPS: tuple[_Step, ...] = (
    _part_at_gaps, _part_at_repeats, _end_address, _pair_brackets, _cut_key, _part_dates,
)  # fmt: skip
