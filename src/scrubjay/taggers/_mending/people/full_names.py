"""First name and surname side by side are a person, whatever a tagger makes of the place.

A tagger learned how notes speak of people, and passes "Mary White seen. Abd: soft" over where no
note that it has read begins so. A first name that many bear, with a capital, before a listed
surname with one is a person: unless both are of a clinical term ("Bence Jones protein"), or what
follows makes a disease or a device of them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.people.person_keys import Telling
from scrubjay.taggers._mending.people.person_names import (
    PARTICLES,
    WORD,
    is_common,
    is_eponym,
    is_often,
    is_person,
    rank_of,
)
from scrubjay.taggers._mending.sparing.spared import may_spare

_OFTEN, _RATHER_OFTEN = 3, 4
"""Classes of first names: the thousand that most bear in a language, and the four thousand."""

_SHORT = frozenset(["Will", "Art", "Bud", "Chuck", "Drew", "Ray", "Rob"])
"""Short forms of frequent first names, which few have in their papers."""

# What stands before a first name, too: "Don Chuy", "Nana Boateng".
_TITLES = frozenset(["Dean", "Don", "Lola", "Nan", "Nana", "Tía"])
# Terms that hold a full name and are in no list, as words of it may be anybody's.
_TERMS = frozenset([
    "austin moore", "bence jones", "braxton hicks", "campbell de morgan", "charles bonnet",
    "donald duck", "garth brooks", "howard leight", "lou gehrig", "louis herring", "paris ip",
    "pierre robin", "ross river", "ryan white", "simon broome",
])  # fmt: skip

_KEPT, _MOST_PARTICLES, _LONGEST = 16_384, 2, 40

_Found = tuple[int, int, str]
"""Where a name stands, and its label."""


def find_full_names(
    text: str, blanks: Iterable[int], known: Telling, rows: Sequence[Span]
) -> Iterator[_Found]:
    """Yield full names whose first name is not covered by the spans.

    `blanks` are places before a capital behind a letter; `rows` are sorted and disjoint. A name
    that touches a span with another label than those of persons is left to it. Where its surname
    was found, more words are its first name: "Will White".
    """
    firsts, number, size = _firsts(known.language), 0, len(rows)
    for blank in blanks:
        while number < size and rows[number].end <= blank:
            number += 1
        if number < size and rows[number].start < blank:
            continue  # both words are found, or the first one is
        before = text[text.rfind(" ", 0, blank) + 1 : blank]
        if before in firsts:
            begin, first = blank - len(before), before
        elif before.isalpha() and before not in PARTICLES:
            continue  # as nearly all do
        else:
            begin, first = _first_before(text, blank)
            if first not in firsts:
                continue
        last = WORD.match(text, blank + 1)
        if last is None or not last[0][0].isupper() or last[0][1:2].isupper():
            continue
        if (found := _read(text, (begin, first), last, known, rows)) is not None:
            yield found


def _read(
    text: str,
    before: tuple[int, str],
    last: re.Match[str],
    known: Telling,
    rows: Sequence[Span],
) -> _Found | None:
    """Return the name of a first name, where it begins and how it is written, and a surname."""
    begin, first = before
    touched = _touched(rows, begin, last.end())
    if touched and touched[0].start == last.start():
        is_name = first not in _TITLES and _is_frequent(first, known.language)
    else:
        is_name = _is_full(first, last[0], known.language)
    if (
        not is_name
        or not all(span.label in (known.person, known.doctor) for span in touched)
        or not is_person(text, last.end())
        or _is_term(text, begin, last.end(), known.language)
    ):
        return None
    return begin, last.end(), touched[0].label if touched else known.person


def _first_before(text: str, blank: int) -> tuple[int, str]:
    """Return where the word before a surname begins, particles passed over, and the word."""
    end = blank
    for _ in range(_MOST_PARTICLES + 1):
        floor = max(0, end - _LONGEST)
        begin = max(text.rfind(" ", floor, end), text.rfind("\n", floor, end)) + 1
        if text[begin:end] not in PARTICLES or text[begin - 1 : begin] != " ":
            break
        end = max(0, begin - 1)
    while begin < end and not text[begin].isalpha():
        begin += 1
    return begin, text[begin:end]


def _is_term(text: str, start: int, end: int, language: str) -> bool:
    name = text[start:end].lower()
    return (
        name in _TERMS
        or name in protected_terms(language, spared=True)
        or may_spare(text, [(start, end)], language)[0]
    )


def _touched(rows: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    first = bisect_left(rows, start + 1, key=attrgetter("end"))
    last = bisect_left(rows, end, key=attrgetter("start"))
    return rows[first:last]


@cache
def _firsts(language: str) -> frozenset[str]:
    """Return first names that many bear, as they are written."""
    found = set()
    for name in (f"{language}.first-names", "world.first-names"):
        for word, rank in find_lexicon(name).items():
            if 0 < rank <= _RATHER_OFTEN and len(word) > 2:
                found.add("-".join(part.capitalize() for part in word.split("-")))
    return frozenset(found)


@text_cache(_KEPT)
def _is_full(first: str, last: str, language: str) -> bool:
    """Tell whether two words are a first name and a surname.

    One of them at most is an everyday word, and then one of them is frequent as a name.
    """
    if not rank_of("surnames", last, language) and not is_eponym(last.lower(), language):
        return False
    if is_common(first.lower(), language):
        return not is_common(last.lower(), language) and _is_frequent(first, language)
    return (
        not is_common(last.lower(), language)
        or is_often("surnames", last, language, most=_OFTEN)
        or _is_frequent(first, language)
    )


def _is_frequent(first: str, language: str) -> bool:
    return first in _SHORT or rank_of("first-names", first, language) <= _OFTEN
