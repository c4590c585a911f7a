"""Finding known numbers, codes and net addresses however they are spaced, and dates of birth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache

from scrubjay.known._distance import letter_bits
from scrubjay.known._everyday import is_measured
from scrubjay.known.identifiers import KnownValue
from scrubjay.known.words import Words, split_words, word_keys
from scrubjay.text.distance import distance
from scrubjay.transform.surrogates.calendar_words import languages, words_of

_PLACES_AND_PHONES = frozenset(["phone", "fax", "zip", "street", "city"])
_NET = frozenset(["email", "url", "ip"])
_LOOSE_GAPS = {9: re.compile(r"[ \-./()\u00a0]{0,3}"), 6: re.compile(r"[ \-\u00a0]?")}
_NUMBER_GAP = re.compile(r"[ \-./()\u00a0]{1,3}")
_INDENT = re.compile(r"\r?\n[ \t]*")
_LABEL_GAP = re.compile(r"[\s:#.=º°()]{0,4}")
_LEAST_UNLABELLED = 5
_LEAST_LABELLED = 2
_LABELS = frozenset([
    "mrn", "id", "no", "nr", "num", "number", "numero", "nummer", "acct", "account", "cuenta",
    "record", "rec", "hc", "nhc", "historia", "dossier", "patient", "patientnr", "paciente",
])  # fmt: skip
_LEAST_FUZZY = 7
_MOST_WORDS = 40


@dataclass(frozen=True, slots=True, repr=False)
class Code:
    """A way to write an identifier: its letters and digits, and where marks may part them.

    `borders` are the places in `key` at which the register has a mark, and where the text may
    have any.
    """

    key: str
    borders: frozenset[int]
    kind: str

    @property
    def numeric(self) -> bool:
        """Whether it consists of digits alone."""
        return self.key.isdigit()


@dataclass(frozen=True, slots=True, repr=False)
class CodeIndex:
    """Codes by key, and what they begin with.

    `long_numbers` are those that are long enough to be known despite an error, with the bits of
    their digits (`letter_bits`).
    """

    codes: dict[str, Code] = field(default_factory=dict)
    beginnings: frozenset[str] = frozenset()
    long_numbers: tuple[tuple[Code, int], ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Found:
    """Half-open characters of the text, the kind of what is there, and whether it was exact."""

    start: int
    end: int
    kind: str
    exact: bool = True


def make_code_index(values: Iterable[KnownValue]) -> CodeIndex:
    """Return the index of the values and of the other ways to write them."""
    codes: dict[str, Code] = {}
    for value in values:
        for code in _ways(value):
            if code.key:
                codes.setdefault(code.key, code)
    return CodeIndex(
        codes,
        frozenset(key[:size] for key in codes for size in range(1, len(key))),
        tuple(
            (code, letter_bits(code.key))
            for code in codes.values()
            if code.numeric and len(code.key) >= _LEAST_FUZZY
        ),
    )


def _ways(value: KnownValue) -> Iterator[Code]:
    text = value.value
    if value.kind == "url":
        text = re.sub(r"^[A-Za-z]+://", "", text)
    words = split_words(text)
    yield _code(words.keys, value.kind)
    key = "".join(words.keys)
    if not key.isdigit():
        return
    if value.kind in ("phone", "fax"):
        yield from _phone_ways(text, key, value.kind)
    elif value.kind == "zip" and len(key) == 9:
        yield Code(key[:5], frozenset(), value.kind)
    elif value.kind not in ("zip", *_NET) and len(key.lstrip("0")) >= _LEAST_LABELLED:
        yield Code(key.lstrip("0"), frozenset(), value.kind)


def _code(keys: Sequence[str], kind: str) -> Code:
    """Return the code of some words as the register writes them."""
    borders, size = set[int](), 0
    for key in keys[:-1]:
        size += len(key)
        borders.add(size)
    return Code("".join(keys), frozenset(borders), kind)


def _phone_ways(text: str, key: str, kind: str) -> Iterator[Code]:
    """Yield a phone number with and without the code of its country, and as a local number."""
    national = key
    if text.lstrip().startswith(("+", "00")):
        bare = key.removeprefix("00")
        for code in ("1", "34", "31", "32", "44", "49", "33", "351", "52", "54", "57", "56"):
            if bare.startswith(code) and len(bare) - len(code) >= 7:
                national = bare[len(code) :]
                yield Code(bare, frozenset(), kind)
                yield Code(f"00{bare}", frozenset(), kind)
                yield Code(f"{code}0{national}", frozenset(), kind)  # +31 (0)6 ...
                break
    elif len(key) == 11 and key.startswith("1"):
        national = key[1:]
    elif key.startswith("0") and len(key) >= 9:
        national = key[1:]
        for code in ("31", "32", "44", "49", "33"):
            yield Code(code + national, frozenset(), kind)
            yield Code(f"00{code}{national}", frozenset(), kind)
    if len(national) == 10:
        yield Code(f"1{national}", frozenset([1, 4, 7]), kind)
        yield Code(national[3:], frozenset([3]), kind)
    if len(national) >= 7:
        yield Code(national, frozenset([3, 6]) if len(national) == 10 else frozenset(), kind)
        yield Code(f"0{national}", frozenset(), kind)


def find_codes(words: Words, index: CodeIndex) -> list[Found]:
    """Return where the codes stand; what lies inside another hit is left out."""
    found: list[Found] = []
    position = 0
    while position < len(words) and index.codes:
        last, code = _longest(words, position, index)
        if code is None and words.keys[position][0] == "0":
            last, code = _behind_zeros(words, position, index)
        if code is not None:
            found.append(Found(words.starts[position], words.ends[last], code.kind))
            position = last
        position += 1
    return found + list(_mistyped(words, index, found))


def _behind_zeros(words: Words, first: int, index: CodeIndex) -> tuple[int, Code | None]:
    """Return the number that begins with a word but for its zeros, as 10000 in "0010000"."""
    bare = words.keys[first].lstrip("0")
    if not bare.isdigit():
        return first, None
    last, code = _longest(words, first, index, bare=bare)
    if code is None or not code.numeric or code.kind in (*_PLACES_AND_PHONES, *_NET):
        return first, None
    return last, code


def _longest(
    words: Words, first: int, index: CodeIndex, *, bare: str = ""
) -> tuple[int, Code | None]:
    """Return the longest code that begins with a word, or with `bare` in its place."""
    joined, last = "", first
    gaps: list[tuple[int, str]] = []
    best: tuple[int, Code | None] = (first, None)
    while last < len(words) and last - first < _MOST_WORDS:
        joined += bare if bare and last == first else words.keys[last]
        code = index.codes.get(joined)
        if code is not None and _fits(words, first, last, code, gaps):
            best = (last, code)
        if joined not in index.beginnings or last + 1 == len(words):
            break
        gap = words.gap(last)
        if len(gap) > 3:
            gap = _INDENT.sub("\n", gap, count=1)
        if len(gap) > 3:
            break
        gaps.append((len(joined), gap))
        last += 1
    return best


def _fits(words: Words, first: int, last: int, code: Code, gaps: Sequence[tuple[int, str]]) -> bool:
    """Tell whether the marks between the words, and what stands around them, allow the code."""
    loose = next((gap for size, gap in _LOOSE_GAPS.items() if len(code.key) >= size), None)
    for place, gap in gaps:
        if gap and place not in code.borders and not (loose and loose.fullmatch(gap)):
            return False
        if code.kind in _NET and gap.count("\n"):
            return False
    if not code.numeric:
        return len(code.key) >= 4 or _is_labelled(words, first)
    if len(code.key) < _LEAST_UNLABELLED:
        labelled = len(code.key) >= _LEAST_LABELLED and _is_labelled(words, first)
        return labelled and not gaps and not _is_part_of_number(words, first, last)
    if len(code.key) >= _LEAST_FUZZY:
        return True
    if _is_part_of_number(words, first, last):
        return False
    may_be_measured = code.kind not in _PLACES_AND_PHONES and not _is_labelled(words, first)
    return not (may_be_measured and is_measured(words, first, last))


def _is_part_of_number(words: Words, first: int, last: int) -> bool:
    """Tell whether a mark glues digits to it, as in 12345.6 or 120/12345."""
    marks = frozenset(".,/:%")
    before = words.gap(first - 1) if first else " "
    after = words.gap(last) if last + 1 < len(words) else " "
    return (before in marks and words.keys[first - 1].isdigit()) or (
        after in marks and words.keys[last + 1].isdigit()
    )


def _is_labelled(words: Words, first: int) -> bool:
    """Tell whether a word such as "MRN" or "No." stands right before."""
    if words.text.startswith("#", max(words.starts[first] - 1, 0)):
        return True
    return (
        first > 0
        and words.keys[first - 1] in _LABELS
        and _LABEL_GAP.fullmatch(words.gap(first - 1)) is not None
    )


def _mistyped(words: Words, index: CodeIndex, found: Sequence[Found]) -> Iterator[Found]:
    """Yield numbers that differ from a known long one by one digit or two swapped ones."""
    if not index.long_numbers:
        return
    most = max(len(code.key) for code, _ in index.long_numbers) + 1
    taken = {place for hit in found for place in range(hit.start, hit.end)}
    position = 0
    while position < len(words):
        best = _nearest(words, position, index, most)
        if best is not None:
            last, code = best
            start, end = words.starts[position], words.ends[last]
            if taken.isdisjoint(range(start, end)):
                yield Found(start, end, code.kind, exact=False)
                position = last
        position += 1


def _nearest(words: Words, first: int, index: CodeIndex, most: int) -> tuple[int, Code] | None:
    if not words.keys[first].isdigit():
        return None
    joined, last = "", first
    while last < len(words) and words.keys[last].isdigit():
        joined += words.keys[last]
        if len(joined) > most:
            return None
        if len(joined) >= _LEAST_FUZZY - 1:
            digits = letter_bits(joined)
            for code, bits in index.long_numbers:
                near = (digits ^ bits).bit_count() <= 2
                if near and distance(joined, code.key, 1) <= 1:
                    return last, code
        if last + 1 == len(words) or not _NUMBER_GAP.fullmatch(words.gap(last)):
            return None
        last += 1
    return None


# Dates of birth

_FILLERS = frozenset(["of", "de", "del", "den", "the", "st", "nd", "rd", "th", "van"])
_DATE_GAP = re.compile(r"[ \t,./\-'’\u00a0]{0,3}(?P<indent>\r?\n[ \t]*)?")


@cache
def month_names() -> tuple[frozenset[str], ...]:
    """Return the names of each month and their short forms in all languages, as keys."""
    rows = [row for language in languages() for row in words_of(language).months]
    return tuple(frozenset(key for row in rows for key in word_keys(row[n])) for n in range(12))


def find_birth_dates(words: Words, dates: Sequence[date]) -> list[Found]:
    """Return where the dates stand in full, in any order and with months as words or numbers."""
    if not dates:
        return []
    elements = frozenset(key for day in dates for key in _elements(day))
    found: list[Found] = []
    position = 0
    while position < len(words):
        last = _date_end(words, position, dates) if words.keys[position] in elements else None
        if last is not None:
            found.append(Found(words.starts[position], words.ends[last], "date"))
            position = last
        position += 1
    return found


def _elements(day: date) -> Iterator[str]:
    for number in (day.day, day.month):
        yield from (str(number), f"{number:02}")
    yield from (str(day.year), f"{day.year % 100:02}")
    yield from month_names()[day.month - 1]
    yield from _compact(day)


def _compact(day: date) -> tuple[str, ...]:
    return (
        f"{day.year:04}{day.month:02}{day.day:02}",
        f"{day.month:02}{day.day:02}{day.year:04}",
        f"{day.day:02}{day.month:02}{day.year:04}",
    )


def _date_end(words: Words, first: int, dates: Sequence[date]) -> int | None:
    """Return the last word of the date that begins at `first`, or None."""
    if any(words.keys[first] in _compact(day) for day in dates):
        return first
    elements = [words.keys[first]]
    last, lines = first, 1
    while len(elements) < 3:
        if last + 1 >= len(words):
            return None
        gap = _DATE_GAP.fullmatch(words.gap(last))
        lines += bool(gap and gap["indent"])
        if gap is None or lines > 2:
            return None
        last += 1
        if words.keys[last] not in _FILLERS:
            elements.append(words.keys[last])
        elif last - first > 6:
            return None
    return last if any(_tells(elements, day) for day in dates) else None


def _tells(elements: Sequence[str], day: date) -> bool:
    """Tell whether three words are the day, the month and the year of a date in some order."""
    first, second, third = elements
    days = {str(day.day), f"{day.day:02}"}
    months = {str(day.month), f"{day.month:02}"}
    years = {str(day.year), f"{day.year % 100:02}"}
    named = month_names()[day.month - 1]
    if third in years:
        pairs = (first in days and second in months | named) or (
            first in months | named and second in days
        )
        if pairs:
            return True
    early = first == str(day.year) or (first in years and day.year % 100 > 31)
    if early and (second in months | named and third in days):
        return True
    return first == str(day.year) and second in days and third in named
