"""Finding the names of known persons in a text, in any order, shortened or misspelled.

Single words are found first. Neighbours that belong to one person grow into one mention,
together with the initials, particles and unknown middle names between them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrubjay.known._distance import Vocabulary, make_vocabulary
from scrubjay.known._everyday import is_in_phrase, is_month, is_told_of
from scrubjay.known.people import (
    PARTICLES,
    TITLES,
    Person,
    Strength,
    common_words,
    is_also_a_name,
)
from scrubjay.known.words import Words, camel_pieces, is_capitalised, is_hyphenation

# Between words of one name: a comma, a period, a hyphen, blanks and at most one line end.
_NAME_GAP = re.compile(r"[ \t,.'’\-‐‑–\u00a0]{0,4}(?:\r?\n[ \t]{0,8})?")
_INITIAL_GAP = re.compile(r"[ \t,.\u00a0]{1,4}|\.?")
_COMPOUND_GAPS = frozenset(["", " ", "'", "’", "-", "‐", "‑", "\u00a0"])
_MOST_PIECES = 24
_LEAST_CAMEL = 3
_LEAST_PIECED = 5
_LEAST_WHOLE = 4
_LEAST_FUZZY_ALONE = 5


@dataclass(frozen=True, slots=True, repr=False)
class NameHit:
    """One word, or one that is written in pieces, that some known persons are called by.

    `first` and `last` (included) are words of the text, `start` and `end` characters.
    """

    first: int
    last: int
    start: int
    end: int
    persons: frozenset[int]
    strength: Strength
    key: str
    exact: bool


@dataclass(frozen=True, slots=True, repr=False)
class NameMention:
    """A mention of a person: half-open characters, the number of the person, typed well or not."""

    start: int
    end: int
    person: int
    exact: bool


@dataclass(frozen=True, slots=True, repr=False)
class NameIndex:
    """Everything that the names of some persons may look like, by key."""

    persons: tuple[Person, ...]
    language: str
    words: dict[str, tuple[frozenset[int], Strength]] = field(default_factory=dict)
    compounds: dict[str, frozenset[int]] = field(default_factory=dict)
    beginnings: frozenset[str] = frozenset()
    vocabulary: Vocabulary = field(default_factory=lambda: Vocabulary({}))


def make_name_index(persons: Sequence[Person], *, language: str) -> NameIndex:
    """Return the index of the persons; earlier ones win where a mention fits several."""
    words: dict[str, tuple[frozenset[int], Strength]] = {}
    compounds: dict[str, frozenset[int]] = {}
    for number, person in enumerate(persons):
        for key, strength in person.words.items():
            before = words.get(key, (frozenset[int](), strength))
            words[key] = (before[0] | {number}, max(before[1], strength))
        pieced = {key for key, strength in person.words.items() if strength == Strength.STRONG}
        for key in person.compounds | {key for key in pieced if len(key) >= _LEAST_PIECED}:
            compounds[key] = compounds.get(key, frozenset()) | {number}
    return NameIndex(
        tuple(persons),
        language,
        words,
        compounds,
        frozenset(key[:size] for key in compounds for size in range(1, len(key))),
        make_vocabulary(key for key, (_, strength) in words.items() if strength > Strength.WEAK),
    )


def find_names(words: Words, index: NameIndex) -> list[NameMention]:
    """Return the mentions of known persons, sorted and disjoint."""
    if not index.words:
        return []
    mentions = [
        mention
        for run in _runs(words, _hits(words, index))
        if (mention := _mention(words, run, index)) is not None
    ]
    return _with_dotted_initials(words, index, mentions)


def _hits(words: Words, index: NameIndex) -> Iterator[NameHit]:
    """Yield the hits from left to right; no word is in two of them."""
    position, known = 0, dict[str, tuple[str, bool] | None]()
    while position < len(words):
        hits = (
            _compound(words, position, index)
            or _word(words, position, index)
            or _pieces(words, position, index)
            or _misspelled(words, position, index, known)
        )
        yield from hits
        position = hits[-1].last + 1 if hits else position + 1


def _compound(words: Words, first: int, index: NameIndex) -> list[NameHit]:
    """Return the longest word in pieces that begins here: "O'Brien", "Mc Donald", "JohnSmith"."""
    joined = words.keys[first]
    best = first if joined in index.compounds and joined not in index.words else -1
    key, last, blank = joined, first, False
    while joined in index.beginnings and last + 1 < len(words) and last - first < _MOST_PIECES:
        gap = words.gap(last)
        if gap not in _COMPOUND_GAPS and not is_hyphenation(gap):
            break
        last += 1
        joined += words.keys[last]
        blank = blank or gap in (" ", "\u00a0")
        if joined in index.compounds and not (blank and _are_words(words, first, last, index)):
            best, key = last, joined
    if best < 0:
        return []
    persons, start, end = index.compounds[key], words.starts[first], words.ends[best]
    return [NameHit(first, best, start, end, persons, Strength.STRONG, key, True)]


def _are_words(words: Words, first: int, last: int, index: NameIndex) -> bool:
    """Tell whether the pieces are parts of names or everyday words, all of them.

    Whole names with a blank between their parts are runs, not compounds, and "has an" is not
    Hasan.
    """
    pieces = words.keys[first : last + 1]
    common = common_words(index.language)
    return all(key in index.words for key in pieces) or all(key in common for key in pieces)


def _word(words: Words, position: int, index: NameIndex) -> list[NameHit]:
    key = words.keys[position]
    if key not in index.words:
        return []
    persons, strength = index.words[key]
    start, end = words.starts[position], words.ends[position]
    return [NameHit(position, position, start, end, persons, strength, key, True)]


def _pieces(words: Words, position: int, index: NameIndex) -> list[NameHit]:
    """Return the parts of names that stand glued to others: "SmithPatient"."""
    if len(words.keys[position]) <= _LEAST_CAMEL:
        return []
    return [
        NameHit(position, position, start, end, *index.words[key], key, True)
        for start, end, key in camel_pieces(words, position)
        if len(key) >= _LEAST_CAMEL and key in index.words
    ]


def _misspelled(
    words: Words, position: int, index: NameIndex, known: dict[str, tuple[str, bool] | None]
) -> list[NameHit]:
    """Return the word if it is a known one with typing errors and no word of its own.

    `known` remembers the answers: the word meant, and whether it may stand alone.
    """
    key, surface = words.keys[position], words.surface(position)
    if len(key) < 4 or (position and words.gap(position - 1) == "@"):
        return []
    if key not in known:
        known[key] = _meant(key, index)
    answer = known[key]
    if answer is None or (key in common_words(index.language) and not _may_name(key, surface)):
        return []
    meant, alone = answer
    persons = index.words[meant][0]
    strength = Strength.STRONG if alone else Strength.WEAK
    start, end = words.starts[position], words.ends[position]
    return [NameHit(position, position, start, end, persons, strength, meant, False)]


def _may_name(key: str, surface: str) -> bool:
    return is_capitalised(surface) and is_also_a_name(key)


def _meant(key: str, index: NameIndex) -> tuple[str, bool] | None:
    for word, errors in index.vocabulary.near(key):
        strong = index.words[word][1] == Strength.STRONG and len(word) >= _LEAST_FUZZY_ALONE
        return word, strong and (errors == 1 or key[0] == word[0])
    return None


def _runs(words: Words, hits: Iterator[NameHit]) -> Iterator[list[NameHit]]:
    """Yield the hits of one person that stand together."""
    run: list[NameHit] = []
    shared: frozenset[int] = frozenset()
    for hit in hits:
        if run and shared & hit.persons and _stand_together(words, run[-1], hit):
            run.append(hit)
            shared &= hit.persons
            continue
        if run:
            yield run
        run, shared = [hit], hit.persons
    if run:
        yield run


def _stand_together(words: Words, before: NameHit, after: NameHit) -> bool:
    """Tell whether only what a name may hold stands between two hits.

    That is an initial, or one unknown capitalised word, and the marks around it.
    """
    between = after.first - before.last - 1
    if between < 0:
        return before.end == after.start
    if between > 1:
        return False
    if not all(_NAME_GAP.fullmatch(words.gap(i)) for i in range(before.last, after.first)):
        return False
    if between == 0:
        return not _ends_sentence(words, before.last)
    middle = before.last + 1
    if len(words.keys[middle]) == 1:
        return words.keys[middle].isalpha()
    if min(before.strength, after.strength) == Strength.WEAK:
        return False
    gaps = {words.gap(before.last), words.gap(middle)}
    surface = words.surface(middle)
    return gaps <= {" ", "-"} and is_capitalised(surface) and words.keys[middle].isalpha()


def _mention(words: Words, run: Sequence[NameHit], index: NameIndex) -> NameMention | None:
    """Return the run as a mention, widened by initials and particles, or None if it is too weak."""
    while len(run) > 1 and run[-1].exact and run[-1].key in PARTICLES:
        run = run[:-1]
    telling = [hit for hit in run if hit.strength > Strength.WEAK or not hit.exact]
    shared = frozenset.intersection(*(hit.persons for hit in run))
    person = min(shared)
    first, last = run[0].first, run[-1].last
    # The borders of hits, not of words: a part of a name may be glued to something else.
    start, end = run[0].start, run[-1].end
    initials = index.persons[person].initials
    wide_first, wide_last = _widen(words, first, last, initials)
    beside_initial = (wide_first, wide_last) != (first, last)
    if len({hit.key for hit in telling}) < 2 and not (
        any(
            _stands_alone(words, hit, index.language) or (beside_initial and hit.exact)
            for hit in telling
        )
    ):
        return None
    if wide_first < first:
        start = words.starts[wide_first]
    if wide_last > last:
        end = words.ends[wide_last]
    return NameMention(start, end, person, all(hit.exact for hit in run))


def _stands_alone(words: Words, hit: NameHit, language: str) -> bool:
    """Tell whether one word suffices: strong ones but for months, everyday words like names.

    That is after a title, behind "pt" before what is told of somebody, with a capital first
    letter, or in capitals where others are not, and in no phrase of such words ("White blood
    cells").
    """
    if hit.strength == Strength.STRONG:
        return not is_month(words, hit.last, language)
    if hit.strength == Strength.WEAK:
        return False
    if hit.first and words.keys[hit.first - 1] in TITLES:
        return True
    if is_told_of(words, hit.last, language):
        return True
    if is_in_phrase(words, hit.last, language):
        return False
    surface = words.text[hit.start : hit.end]
    if surface.isupper() and len(surface) > 1:
        return len(hit.key) > 2 and _line_has_small_letters(words, hit)
    return is_capitalised(surface)


def _line_has_small_letters(words: Words, hit: NameHit) -> bool:
    begin = max(words.text.rfind("\n", 0, hit.start) + 1, hit.start - 200)
    end = words.text.find("\n", hit.end)
    line = words.text[begin : min(end if end >= 0 else len(words.text), hit.end + 200)]
    return any(mark.islower() for mark in line)


def _widen(words: Words, first: int, last: int, initials: frozenset[str]) -> tuple[int, int]:
    """Return the range with the initials of the person before and after it, three at most."""
    for _ in range(3):
        if first and _is_initial(words, first - 1, initials) and _joins(words, first - 1):
            first -= 1
    for _ in range(3):
        after = last + 1
        if (
            after < len(words)
            and _is_initial(words, after, initials)
            and _joins(words, last)
            and not _begins_letters(words, after, initials)
        ):
            last = after
    return first, last


def _begins_letters(words: Words, place: int, initials: frozenset[str]) -> bool:
    """Tell whether a letter is the first of others that are no initials, as in "Smith, M.D."."""
    after = place + 1
    if after >= len(words) or words.gap(place) != "." or len(words.keys[after]) > 1:
        return False
    return words.keys[after] not in initials


def _is_initial(words: Words, place: int, initials: frozenset[str]) -> bool:
    """Tell whether a word is one capital letter that begins a name, apart from what follows."""
    key = words.keys[place]
    apart = place + 1 >= len(words) or words.gap(place) != ""
    return len(key) == 1 and key in initials and words.surface(place).isupper() and apart


def _joins(words: Words, place: int) -> bool:
    whole = _INITIAL_GAP.fullmatch(words.gap(place)) is not None
    return whole and not _ends_sentence(words, place)


def _ends_sentence(words: Words, place: int) -> bool:
    """Tell whether a period after a word can be no abbreviation's."""
    return "." in words.gap(place) and len(words.keys[place]) >= _LEAST_WHOLE


def _with_dotted_initials(
    words: Words, index: NameIndex, mentions: list[NameMention]
) -> list[NameMention]:
    """Return the mentions and the initials with periods that stand for a person: "J.S."."""
    orders = {order: number for number, person in reversed(list(enumerate(index.persons)))
              for order in person.orders}  # fmt: skip
    covered = [False] * len(words)
    for mention in mentions:
        first = bisect_left(words.starts, mention.start)
        for place in range(first, bisect_left(words.starts, mention.end)):
            covered[place] = True
    found = list(mentions)
    for place, key in enumerate(words.keys):
        if len(key) != 1 or not words.surface(place).isupper():
            continue
        for order, person in orders.items():
            last = place + len(order) - 1
            if words.keys[place : last + 1] != tuple(order) or not _is_dotted(words, place, last):
                continue
            if not any(covered[place : last + 1]):
                found.append(NameMention(words.starts[place], words.ends[last] + 1, person, True))
                covered[place : last + 1] = [True] * len(order)
    return sorted(found, key=lambda mention: (mention.start, mention.end))


def _is_dotted(words: Words, first: int, last: int) -> bool:
    """Tell whether a period follows each letter, a blank at most comes between, all are capitals.

    A letter before them, as in "U.S.", makes them something else.
    """
    text = words.text
    if first and words.gap(first - 1) in ("", ".", "-") and len(words.keys[first - 1]) == 1:
        return False
    for place in range(first, last + 1):
        if (
            text[words.ends[place] : words.ends[place] + 1] != "."
            or not text[words.starts[place]].isupper()
        ):
            return False
        if place < last and words.gap(place) not in (".", ". "):
            return False
    return last + 1 >= len(words) or words.gap(last) != "." or len(words.keys[last + 1]) > 1
