"""Who speaks in a transcript or a chat: "Zoon: Maar hoe dan", "Latoya: Okay.", "[12:04] Farm: ok".

A tagger takes a role before a colon, or the first word that is said behind it, for a name, and
finds a speaker at some turns and not at others. In a text of turns a role is no person, an everyday
word that is said first is none, and who is a person at one turn is the same one at each. Of named
speakers in English those who ask, or talk with others who have a role alone, are of the staff.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.resources import load_table
from scrubjay.taggers._mending.label_groups import PERSONS, STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.person_names import is_common, rank_of
from scrubjay.taggers._mending.uncovered import put_uncovered, touched_by
from scrubjay.text.numerals import numerals

SOURCE = "speaker"
LABELS = {
    "en": frozenset({"DOCTOR"}),
    "nl": frozenset({"NAME"}),
    "es": frozenset({"NOMBRE_PERSONAL_SANITARIO"}),
}
"""The label of a speaker whose name is found nowhere else."""

FEWEST_TURNS, _SHORTEST, _OFTEN, _SURNAME, _KNOWN = 4, 2, 3, 4, 6
"""Turns of speakers who come again, in a text of turns at least; letters of a name; the classes up
to which a name is one although it is an everyday word, too, up to which a profession is a surname,
and up to which a speaker may be called so."""

_MOST_ASKED, _LEAST_ASKED = 0.35, 2
"""The share of the turns of who asks that are questions at least, and how many these are."""

_PATIENTS, _MORNING = frozenset({"patient", "pt", "client", "caller", "texter"}), 6
"""Who talks with staff, and the first hour of a chat; what begins earlier may be a recording."""

_STAMP = (
    r"(?:[\[(]?(?:\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?,?[ ])?(?P<hour>\d{1,2})[:.]\d\d(?:[:.]\d\d)?"
    r"(?:[ ]?[ap]\.?m\.?)?(?:[\])]|(?=[ ])),?[ ]{0,2}(?:[-–—][ ])?)"
)
_TURN = re.compile(
    rf"\n[ \t>]{{0,4}}(?:[-–—•][ ])?{_STAMP}?"
    r"(?:(?P<head>[^\W_][^\n:|<>{}\[\]\"=;]{0,28}?)[ ]?:|\[(?P<boxed>[^\W_][^\]\n:]{0,19})\][ ]?:?|"
    r"(?P<court>[QA]\.))[ \t]{1,3}(?=\S)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*\.?")
_LETTERS = re.compile(r"[A-ZÀ-Þ]\d?|[A-ZÀ-Þ]{2,3}\d|[QA]\.")
_BESIDE = re.compile(r"[ ]?\([^)]*\)?\Z|,")
_FIRST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LOWER = re.compile(r"(?<!\w)(?![A-ZÀ-Þ])[^\W\d_]+(?!\w)")
_LOWER_WHOLE = re.compile(r"(?<!\w)(?![A-ZÀ-Þ])[^\W\d_]+['’][^\W\d_]+(?!\w)")
_GOES_ON = re.compile(r"[ ](?=[a-zà-ÿ])|[,.?!…]")
_REST = re.compile(r",?[ ](?=[A-ZÀ-Þ])")


_Loose = Callable[[], frozenset[str]]
"""Gives the words of a text in small letters outside of mentions, which few texts need."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """Where a speaker stands, where what is said begins and ends, and the hour before it."""

    start: int
    end: int
    body: int
    stop: int
    hour: int | None
    again: bool


@dataclass(frozen=True, slots=True)
class _Words:
    staff: frozenset[str]
    others: frozenset[str]
    openers: frozenset[str]
    numbers: tuple[str, ...]


@cache
def _words(language: str) -> _Words:
    rows = load_table("talk", f"{language}.toml")
    numbers = (*numerals(language)[:30], *numerals(language)[30:101:10], *rows.pop("numbers"))
    return _Words(**{key: frozenset(value) for key, value in rows.items()}, numbers=numbers)


def mend_speakers(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with its speakers, and without what is said at first.

    `spans` are sorted and disjoint, and so are those that are returned. A text without turns of at
    least two speakers who come again keeps its own.
    """
    turns = _find_turns(text)
    if not turns:
        return spans
    rows = _let_go(text, spans, turns, language)
    named = _find_named(text, rows, turns, language)
    put_uncovered(rows, ((s, e, label) for _, places, label in named for s, e in places), SOURCE)
    if language == "en":
        rows = _tell_staff(text, rows, turns, [name for name, _, _ in named])
    return tuple(rows)


def _find_turns(text: str) -> list[_Turn]:
    """Return the turns of a text, none where it is no talk."""
    found = list(_TURN.finditer("\n" + text))
    heads = Counter(match["head"] or match["boxed"] or match["court"] for match in found)
    again = [count for count in heads.values() if count > 1]
    if len(again) < 2 or sum(again) < FEWEST_TURNS:
        return []
    kind = "court" if heads["Q."] > 1 and heads["A."] > 1 else ""
    ends = [match.start() - 1 for match in found[1:]] + [len(text)]
    return [
        _Turn(
            match.start(group) - 1, match.end(group) - 1, match.end() - 1, stop,
            int(match["hour"]) if match["hour"] else None, heads[match[group]] > 1,
        )
        for match, stop in zip(found, ends, strict=True)
        if (group := match.lastgroup or "head") != "court" or kind
    ]  # fmt: skip


@text_cache(4096)
def _is_role(head: str, language: str) -> bool:
    """Tell whether a speaker is a role or letters for one: "Arts", "SPEAKER 2", "MD1", "K"."""
    words = _words(language)
    bare = re.sub(r"[ ]?\d{1,2}\Z|\.\Z", "", head).lower()
    if bare in words.staff or bare in words.others:
        return True
    if _LETTERS.fullmatch(head):
        return True
    # Two letters or three that are listed nowhere may be somebody's initials.
    return (
        bare in ("q", "a")
        or is_listed(bare, f"{language}.relatives")
        or (is_listed(bare, f"{language}.professions") and not _is_surname(bare, language))
    )


def _is_surname(profession: str, language: str) -> bool:
    """Tell whether many are called by a word of a profession: "Baker", "Visser"."""
    return 0 < rank_of("surnames", profession.capitalize(), language) <= _SURNAME


def _name_in(text: str, turn: _Turn, language: str) -> tuple[int, int] | None:
    """Return where the name of a speaker stands, without roles beside it; None where none does."""
    place = _name_of(text[turn.start : turn.end], language)
    return None if place is None else (turn.start + place[0], turn.start + place[1])


@text_cache(4096)
def _name_of(head: str, language: str) -> tuple[int, int] | None:
    """Return where a name stands in what is before a colon."""
    beside = _BESIDE.search(head)
    if beside and beside[0] == ",":  # "Nikki, RN", but not "Gupta, Ravi"
        role = _WORD.search(head, beside.end())
        if role is None or not _is_title(role[0], language):
            return None
    words = list(_WORD.finditer(head, 0, beside.start() if beside else len(head)))
    if not words or words[0].start() or len(words) > 4:
        return None
    while words and _is_title(words[0][0], language):
        words.pop(0)
    # "Marcus RN", "Sheila enf"; a surname may be a word of a role, too: "Robin Child".
    while len(words) > 1 and not words[-1][0].istitle() and _is_title(words[-1][0], language):
        words.pop()
    if not words or len(words[0][0]) < _SHORTEST:
        return None
    start, end = words[0].start(), words[-1].end()
    return None if _is_role(head[start:end], language) else (start, end)


def _is_title(word: str, language: str) -> bool:
    """Tell whether a word beside a name is a title, a role or a degree: "Ms.", "RN", "R3"."""
    lower = word.lower()
    words = _words(language)
    bare = lower.rstrip(".")
    return (
        bare in words.staff
        or bare in words.others
        or is_listed(lower, f"{language}.titles")
        or is_listed(lower, f"{language}.relatives")
        or (word.isupper() and len(word) > 1 and is_listed(lower, "en.credentials"))
    )


def _let_go(text: str, spans: Sequence[Span], turns: Sequence[_Turn], language: str) -> list[Span]:
    """Return the spans without roles of speakers, and what is said at first that is nobody."""
    words = _words(language)
    roles: set[int] = set()
    bodies: set[int] = set()
    for turn in turns:
        head = text[turn.start : turn.end]
        is_role = _is_role(head, language)
        if is_role and (turn.hour is None or head.lower() in words.staff | words.others):
            roles.add(turn.start)
        if is_role or turn.again:
            bodies.add(turn.body)
    heads = {turn.start: turn for turn in turns}
    speakers = {text[turn.start : turn.end].lower() for turn in turns}
    loose = cache(partial(_loose_words, text, spans))
    rows: list[Span] = []
    for span in spans:
        own = heads.get(span.start)
        if own is not None and span.start in roles:
            if span.end <= own.end:
                continue
            if span.end > own.body and span.label in PERSONS:  # "A. Lorna"
                span = replace(span, start=own.body)
        elif own is not None and span.label in PERSONS:
            named = _name_in(text, own, language)
            if named and span.start < named[1] < span.end <= own.end:
                span = replace(span, start=max(span.start, named[0]), end=named[1])
        if span.start in bodies:
            kept = _without_first(text, span, loose, language)
            if kept is None and text[span.start : span.end].lower() not in speakers:
                continue
            span = kept or span
        rows.append(span)
    return rows


def _loose_words(text: str, spans: Sequence[Span]) -> frozenset[str]:
    """Return the words in small letters that no span touches, parts at an apostrophe besides."""
    return frozenset(
        word[0]
        for words in (_LOWER, _LOWER_WHOLE)
        for word in words.finditer(text)
        if touched_by(spans, *word.span()) is None
    )


def _without_first(text: str, span: Span, loose: _Loose, language: str) -> Span | None:
    """Return a span that is said at first, without an everyday word before it; None for nothing."""
    if span.label not in PERSONS and not span.label.startswith("ORGANIZATION"):
        return span
    first = _FIRST.match(text, span.start, span.end)
    if first is None or first[0].islower():
        return span
    is_opener = first[0].lower() in _words(language).openers
    if first.end() < span.end:
        # "Claro García" may be somebody.
        is_cut = is_opener and not _may_be_name(first[0], language)
        rest = _REST.match(text, first.end(), span.end) if is_cut else None
        return replace(span, start=rest.end()) if rest else span
    if is_opener:
        return None
    is_said = _GOES_ON.match(text, span.end) and _is_everyday(first[0], loose, language)
    return None if is_said else span


def _is_everyday(word: str, loose: _Loose, language: str) -> bool:
    """Tell whether a word that begins what is said is an everyday one, and no number in words."""
    lower = word.lower()
    if (
        lower.endswith(_words(language).numbers)
        or is_listed(lower, f"{language}.professions")
        or is_listed(lower, f"{language}.relatives")
        or any(0 < rank_of(kind, word, language) <= _OFTEN for kind in ("first-names", "surnames"))
    ):
        return False
    return is_common(lower, language) or lower in loose()


_Named = tuple[str, list[tuple[int, int]], str]
"""The name of a speaker, where it stands at the turns, and the label."""


def _find_named(
    text: str, spans: Sequence[Span], turns: Sequence[_Turn], language: str
) -> list[_Named]:
    """Return the speakers who are persons, since one is found or since they are called so."""
    places: dict[str, list[tuple[int, int]]] = {}
    for turn in turns:
        if place := _name_in(text, turn, language):
            places.setdefault(text[place[0] : place[1]], []).append(place)
    found: dict[str, Counter[str]] = {}
    for span in spans:
        if span.label in PERSONS and span.label != "INITIALS":
            for word in _FIRST.findall(text[span.start : span.end]):
                found.setdefault(word.lower(), Counter())[span.label] += 1
    (default,) = LABELS[language]
    named: list[_Named] = []
    for name, where in places.items():
        words = name.lower().split()
        votes = found.get(words[0].rstrip("."))
        if votes is not None:
            label = max(sorted(votes), key=lambda label: votes[label])
        elif len(where) > 1 and _may_be_called(words[0], language):
            label = default
        else:
            continue
        named.append((name, where, label))
    return named


def _may_be_name(word: str, language: str) -> bool:
    kinds = ("first-names", "surnames")
    return any(0 < rank_of(kind, word, language) < _KNOWN for kind in kinds)


def _may_be_called(word: str, language: str) -> bool:
    return 0 < rank_of("first-names", word.capitalize(), language) <= _KNOWN and not is_common(
        word, language
    )


def _tell_staff(
    text: str, spans: Sequence[Span], turns: Sequence[_Turn], names: Sequence[str]
) -> list[Span]:
    """Return the spans with the label of staff for speakers of whom the talk tells so."""
    staff = set(_staff_among(text, turns, names))
    return [
        replace(span, label="DOCTOR")
        if span.label in STAFF_AND_PATIENTS and text[span.start : span.end] in staff
        else span
        for span in spans
    ]


def _staff_among(text: str, turns: Sequence[_Turn], names: Sequence[str]) -> Iterator[str]:
    words = _words("en")
    said: dict[str, list[_Turn]] = {name: [] for name in names}
    laymen: set[str] = set()
    for turn in turns:
        place = _name_in(text, turn, "en")
        name = text[place[0] : place[1]] if place else ""
        if name in said:
            said[name].append(turn)
        elif not place:
            laymen.add(text[turn.start : turn.end].lower())
    with_patient = not laymen.isdisjoint(_PATIENTS)
    by_day = next((turn.hour for turn in turns if turn.hour is not None), 0) >= _MORNING
    for name, own in said.items():
        asked = sum("?" in text[turn.body : turn.stop] for turn in own)
        heads = {word.rstrip(".") for t in own for word in text[t.start : t.end].lower().split()}
        if (
            with_patient
            or by_day
            or not heads.isdisjoint(words.staff)
            or (asked >= _LEAST_ASKED and asked >= _MOST_ASKED * len(own))
        ):
            yield name
