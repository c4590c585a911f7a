"""Nicknames that are quoted beside a name: '(Wilbur, "Web")', 'Armistice "Art"' (English).

A tagger finds 'Wilbur' and not the other word, which is in no list, or 'Art' alone: where one is a
person, so is the other, and the nickname again elsewhere in the text, if it is no everyday word.
What is quoted behind "goes by" or "answers to" is a name, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.person_names import is_common, rank_of
from scrubjay.taggers._mending.uncovered import Found, put_uncovered, touched_by
from scrubjay.text.occurrences import places_of

SOURCE, LABELS = "nickname", STAFF_AND_PATIENTS

OPENING = "\"'“”„‘’«"
"""What a nickname is quoted with."""

_CAPITAL = "[A-ZÀ-ÖØ-Þ]"
_WORD = rf"{_CAPITAL}[^\W\d_]{{1,19}}(?:[-'’][^\W\d_]{{2,}})?"
_QUOTED = re.compile(rf"[{OPENING}](?P<name>{_WORD}(?:[ ]{_WORD})?)[.,]?[\"'“”‘’»](?![^\W_])")
_BEFORE_NAME = re.compile(rf"(?<![^\W_])(?P<name>{_WORD}) \(?\Z")
_CALLED = re.compile(
    r"(?<![^\W_])(?:goes[ ]by(?:[ ]the[ ](?:nick)?name(?:[ ]of)?)?|answers[ ]to|nicknamed?|"
    r"to[ ]be[ ]called)[ (:]{1,3}\Z",
    re.IGNORECASE,
)
_BESIDE, _BEFORE_SURNAME = (" ", "(", " (", ", ", ", ("), (" ", ") ")
_LANGUAGE, _LONGEST, _SHORTEST, _SHORT_LOUD, _KEPT = "en", 42, 3, 4, 4096

_NO_NAMES = frozenset([
    "yes", "no", "none", "unknown", "he", "she", "they", "them", "her", "him", "it", "his", "the",
    "this", "that", "my", "our", "patient", "client", "pt", "name", "dr", "mr", "mrs", "ms", "miss",
    "alias", "aka", "called", "named", "nickname", "known", "tattoo", "commands", "questions",
    "voice",
])  # fmt: skip
_ANIMAL = re.compile(r"(?<![^\W_])(?:dogs?|cats?|pupp(?:y|ies)|mix|horse|bird)(?!\w)")
_DATES = ("en.months", "en.weekdays", "en.date-words")
_NEVER_FIRST = (
    "en.relatives", "en.professions", "en.titles", "en.credentials", "en.months", "en.weekdays",
)  # fmt: skip
_NO_FIRST = (
    *_NEVER_FIRST, "en.facility-words", "en.organization-words", "en.cities", "en.countries",
)  # fmt: skip


def add_nicknames(text: str, spans: tuple[Span, ...], quotes: Sequence[int]) -> tuple[Span, ...]:
    """Return the spans with the nicknames of a text, and the names that stand beside one.

    `quotes` are places of quotation marks before a capital. What was covered stays as it is.
    """
    rows, names = list(spans), dict[str, str]()
    for place in quotes:
        quoted = _QUOTED.match(text, place)
        if quoted is None:
            continue
        beside = list(_beside(text, quoted, rows))
        if not beside and _is_called(text, quoted):
            beside = [(*quoted.span("name"), "PATIENT")]
        if beside:
            names.setdefault(quoted["name"], beside[0][2])
            put_uncovered(rows, beside, SOURCE)
    if names:
        put_uncovered(rows, _again(text, names), SOURCE)
    return tuple(rows) if len(rows) > len(spans) else spans


def _beside(text: str, quoted: re.Match[str], rows: list[Span]) -> Iterator[Found]:
    """Yield the nickname, found or not, and the first name before it, where they are a person's."""
    start, end = quoted.span("name")
    own = touched_by(rows, start, end)
    if own is not None:
        if own.label in LABELS and own.end <= quoted.end():
            yield start, end, own.label  # 'Thandeka "Tata" Mkhize' may be one
            if own.start >= quoted.start() and (first := _first_before(text, quoted)):
                yield *first, own.label
        elif own.label in LABELS and own.start < quoted.start():
            yield start, end, own.label
        return
    before = touched_by(rows, max(0, quoted.start() - 3), quoted.start())
    after = touched_by(rows, quoted.end(), quoted.end() + 3)
    if before and (before.label not in LABELS or text[before.end : quoted.start()] not in _BESIDE):
        before = None
    if after and (
        after.label not in LABELS or text[quoted.end() : after.start] not in _BEFORE_SURNAME
    ):
        after = None
    if after is not None and (before or (first := _first_before(text, quoted))):
        yield start, end, after.label
        if not before and first:
            yield *first, after.label
    elif before is not None and (_may_be_name(quoted["name"]) or _is_bracketed(text, quoted)):
        yield start, end, before.label


def _first_before(text: str, quoted: re.Match[str]) -> tuple[int, int] | None:
    """Return where a word stands right before a nickname that can be a first name alone."""
    place = quoted.start()
    found = _BEFORE_NAME.search(text, max(0, place - _LONGEST), place)
    is_first = found is not None and _may_be_name(found["name"]) and not _is_no_name(found["name"])
    return found.span("name") if found is not None and is_first else None


def _is_bracketed(text: str, quoted: re.Match[str]) -> bool:
    """Tell whether a nickname ends in brackets, and is no outcry or abbreviation."""
    name, end = quoted["name"], quoted.end()
    is_word = " " not in name and not name.isupper()
    return is_word and text[end : end + 1] == ")" and text[end - 2] not in ".,"


def _is_called(text: str, quoted: re.Match[str]) -> bool:
    """Tell whether words before a quoted name tell that somebody is called so."""
    floor, place, name = max(0, quoted.start() - _LONGEST), quoted.start(), quoted["name"]
    if not _CALLED.search(text, floor, place) or _ANIMAL.search(text[floor:place].lower()):
        return False
    return _may_be_name(name) or not (name.isupper() or " " in name or _is_spared(name.lower()))


@text_cache(_KEPT)
def _may_be_name(name: str) -> bool:
    """Tell whether no word of a name is a clinical one, nor an everyday one but a first name."""
    for word in name.split(" "):
        lower = word.lower()
        if _is_spared(lower) or (word.isupper() and len(word) < _SHORT_LOUD):
            return False
        if is_common(lower, _LANGUAGE) and not rank_of("first-names", lower, _LANGUAGE):
            return False
    return True


def _is_spared(word: str) -> bool:
    """Tell whether a word in small letters is a clinical term, or no name anywhere."""
    terms = protected_terms(_LANGUAGE, spared=True)
    return word in _NO_NAMES or word in terms or is_listed(word, *_DATES)


@text_cache(_KEPT)
def _is_no_name(word: str) -> bool:
    """Tell whether a word is listed as something else than a person, and as no first name."""
    lower = word.lower()
    is_name = rank_of("first-names", lower, _LANGUAGE) > 0
    return is_listed(lower, *(_NEVER_FIRST if is_name else _NO_FIRST))


def _again(text: str, names: dict[str, str]) -> Iterator[Found]:
    """Yield where nicknames stand that are neither everyday words nor clinical terms."""
    for name, label in names.items():
        words = name.lower().split(" ")
        is_common_word = any(is_common(word, _LANGUAGE) for word in words)
        if len(name) < _SHORTEST or is_common_word or not _may_be_name(name):
            continue
        for place in places_of(name, text):
            end = place + len(name)
            if not (text[place - 1 : place].isalnum() or text[end : end + 1].isalnum()):
                yield place, end, label
