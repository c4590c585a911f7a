"""Nicknames: quoted beside a name, or behind words that tell what somebody is called.

A tagger finds 'Wilbur' in '(Wilbur, "Web")' and not the other word, which is in no list, and 'Art'
in 'Armistice "Art"' alone: where one is a person, so is the other, and the nickname again elsewhere
in the text, if it is no everyday word. What somebody "goes by" or "answers to" is a name, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, lexicon_names, look_up
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.people.person_keys import Telling
from scrubjay.taggers._mending.people.person_names import is_common, rank_of
from scrubjay.taggers._mending.people.uncovered import Found, put_uncovered, touched_by

SOURCE = "nickname"

OPENING = "\"'“”„‘’«"
"""What a nickname is quoted with."""

CALLS = {
    "en": (b"goes by ", b"be called ", b"nickname"),
    "nl": (b"roepnaam",),
    "es": (b"apodado", b"apodada"),
}
"""Words behind which a name stands, quoted or not, by language."""

_CAPITAL = "[A-ZÀ-ÖØ-Þ]"
_WORD = rf"{_CAPITAL}[^\W\d_]{{1,19}}(?:[-'’][^\W\d_]{{2,}})?"
_QUOTED = re.compile(rf"[{OPENING}](?P<name>{_WORD}(?:[ ]{_WORD})?)[.,]?[\"'“”‘’»]")
_NAME = re.compile(_WORD)
_BEFORE_NAME = re.compile(rf"(?<![^\W_])(?P<name>{_WORD}) \(?\Z")
_BESIDE, _BEFORE_SURNAME = (" ", "(", " (", ", ", ", ("), (" ", ") ")
_LONGEST, _SHORTEST, _SHORT_LOUD, _KEPT = 42, 3, 4, 4096

# What is called so surely is somebody; after the others a listed name alone is one.
_SURE_HEADS = {
    "en": r"goes[ ]by(?:[ ]the[ ](?:nick)?name(?:[ ]of)?)?|answers[ ]to|nicknamed?:?|"
    r"(?:likes?|prefers?|wants?|wishes|loves?|asks?|asked|liked|preferred)[ ]to[ ]be[ ]called",
    "nl": r"roepnaam:?|bijnaam:?",
    "es": r"(?:le|l[oa])[ ](?:dicen|llaman)|apodad[oa]|apodo:?",
}
_HEADS = {
    "en": r"called|aka|a\.k\.a\.|known[ ]as",
    "nl": r"genoemd|noemt[ ]zich|alias",
    "es": r"alias|conocid[oa][ ]como",
}
_CALLED = {
    "en": re.compile(
        r"(?:(?<=(?i:goes by ))|(?<=(?i:be called ))|(?<=(?i:nickname))(?:[dDsS]?:?|[ ](?:is|was)))"
        rf"[ ]{{0,8}}(?P<name>{_WORD})(?![\w:/]|[ ]?:)"
    ),
    "nl": re.compile(rf"(?<=(?i:roepnaam))(?:[ ]is)?:?[ ]{{1,8}}(?P<name>{_WORD})(?![\w:/]|[ ]?:)"),
    "es": re.compile(rf"(?<=(?i:apodad[oa]))[ ](?P<name>{_WORD})(?![\w:/]|[ ]?:)"),
}
# What somebody goes by that is no name, and what stands in the field of a nickname.
_NO_NAMES = frozenset([
    "yes", "no", "none", "nil", "unknown", "he", "she", "they", "them", "her", "him", "it", "his",
    "bus", "car", "taxi", "uber", "lyft", "train", "ambulance", "foot", "wheelchair", "ems", "air",
    "plane", "bike", "van", "boat", "metro", "tram", "today", "tomorrow", "name", "date", "sex",
    "age", "dob", "phone", "address", "ja", "nee", "geen", "onbekend", "sí", "ninguno", "dr", "mr",
    "mrs", "ms", "miss", "the", "this", "that", "her", "my", "our", "patient", "client", "pt",
    "major", "tattoo", "alias", "aka", "called", "named", "nicknamed", "nickname", "known",
    "commands", "questions", "voice", "medicaid", "medicare",
    "genoemd", "bijnaam", "roepnaam", "apodado", "apodada",
])  # fmt: skip
_ANIMAL = re.compile(
    r"(?<![^\W_])(?:dogs?|cats?|pupp(?:y|ies)|mix|horse|bird|perr[oa]|gat[oa]|hond|kat)(?!\w)"
)
_NEVER_FIRST = ("relatives", "professions", "titles", "credentials", "months", "weekdays")
_NO_FIRST = (*_NEVER_FIRST, "facility-words", "organization-words", "cities", "countries")


def add_nicknames(
    text: str,
    spans: tuple[Span, ...],
    known: Telling,
    *,
    quotes: Sequence[int],
    calls: Sequence[int],
) -> tuple[Span, ...]:
    """Return the spans with the nicknames of a text, and the names that stand beside one.

    `quotes` are places of quotation marks before a capital, `calls` those behind `CALLS`.
    What was covered stays as it is.
    """
    persons = (known.person, known.doctor)
    rows, names = list(spans), dict[str, str]()
    for place in quotes:
        quoted = _QUOTED.match(text, place)
        if quoted is None or text[quoted.end() : quoted.end() + 1].isalnum():
            continue
        beside = tuple(_beside(text, quoted, rows, persons, known.language))
        if not beside and _is_called(text, quoted, known.language):
            beside = ((*quoted.span("name"), known.person),)
        if beside:
            names.setdefault(quoted["name"], beside[0][2])
            put_uncovered(rows, beside, SOURCE)
    for place in calls:
        called = _CALLED[known.language].match(text, place)
        if called is not None and _is_nickname(called, text, known.language):
            names.setdefault(called["name"], known.person)
            put_uncovered(rows, [(*called.span("name"), known.person)], SOURCE)
    if names:
        put_uncovered(rows, _again(text, names, known.language), SOURCE)
    return tuple(rows) if len(rows) > len(spans) else spans


def _beside(
    text: str,
    quoted: re.Match[str],
    rows: list[Span],
    persons: tuple[str, str],
    language: str,
) -> Iterator[Found]:
    """Yield the nickname, found or not, and the first name before it, where they are a person's."""
    start, end = quoted.span("name")
    own = touched_by(rows, start, end)
    if own is not None:
        if own.label in persons and own.end <= quoted.end():
            yield start, end, own.label
            if own.start >= quoted.start() and (first := _first_before(text, quoted, language)):
                yield *first, own.label
        elif own.label in persons and own.start < quoted.start():
            yield start, end, own.label  # 'Thandeka "Tata" Mkhize' is one
        return
    before = touched_by(rows, max(0, quoted.start() - 3), quoted.start())
    after = touched_by(rows, quoted.end(), quoted.end() + 3)
    if before and (before.label not in persons or text[before.end : quoted.start()] not in _BESIDE):
        before = None
    if after and (
        after.label not in persons or text[quoted.end() : after.start] not in _BEFORE_SURNAME
    ):
        after = None
    if after is not None and (before or (first := _first_before(text, quoted, language))):
        yield start, end, after.label
        if not before and first:
            yield *first, after.label
    elif before is not None and (
        _may_be_name(quoted["name"], language) or _is_bracketed(text, quoted)
    ):
        yield start, end, before.label


def _first_before(text: str, quoted: re.Match[str], language: str) -> tuple[int, int] | None:
    """Return where a word stands right before a nickname that can be a first name alone."""
    place = quoted.start()
    found = _BEFORE_NAME.search(text, max(0, place - _LONGEST), place)
    if found is None or not _may_be_name(found["name"], language):
        return None
    if language != "en" and not rank_of("first-names", found["name"].lower(), language):
        return None  # other lists of everyday words lack many: 'Tattoo "Chantal"'
    return None if _is_listed(found["name"], language) else found.span("name")


def _is_bracketed(text: str, quoted: re.Match[str]) -> bool:
    """Tell whether a nickname ends in brackets, and is no outcry or abbreviation."""
    name = quoted["name"]
    return (
        text[quoted.end() : quoted.end() + 1] == ")"
        and " " not in name
        and not name.isupper()
        and text[quoted.end() - 2] not in ".,"
    )


def _is_called(text: str, quoted: re.Match[str], language: str) -> bool:
    """Tell whether words before a quoted name tell that somebody is called so."""
    before = text[max(0, quoted.start() - _LONGEST) : quoted.start()].rstrip(" (:").lower()
    if _ANIMAL.search(before):
        return False
    heads = _sure_heads(language).search(before)
    if heads is not None:
        return _is_nickname(quoted, text, language)
    name = quoted["name"]
    return (
        _other_heads(language).search(before) is not None
        and rank_of("first-names", name.lower(), language) > 0
        and _may_be_name(name, language)
    )


@cache
def _sure_heads(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{_SURE_HEADS[language]})\Z")


@cache
def _other_heads(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?<!so[ -])(?:{_HEADS[language]})\Z")


def _is_nickname(found: re.Match[str], text: str, language: str) -> bool:
    """Tell whether what somebody is called is a name: an everyday word may be one."""
    name = found["name"]
    is_wide = "  " in found[0]  # in a form the next field may stand there
    if name.isupper() and (len(name) <= _SHORT_LOUD or is_wide) and found.re is not _QUOTED:
        return False
    return _may_be_name(name, language) or not (
        is_wide or name.isupper() or " " in name or _is_spared(name.lower(), language)
    )


@text_cache(_KEPT)
def _may_be_name(name: str, language: str) -> bool:
    """Tell whether no word of a name is a clinical one, nor an everyday one but a first name."""
    for word in name.split(" "):
        lower = word.lower()
        if _is_spared(lower, language) or (word.isupper() and len(word) < _SHORT_LOUD):
            return False
        if is_common(lower, language) and not rank_of("first-names", lower, language):
            return False
    return True


def _is_spared(word: str, language: str) -> bool:
    """Tell whether a word in small letters is a clinical term, or no name anywhere."""
    return (
        word in _NO_NAMES
        or word in protected_terms(language, spared=True)
        or any(
            look_up(find_lexicon(f"{language}.{kind}"), word) is not None
            for kind in ("months", "weekdays", "date-words")
            if f"{language}.{kind}" in lexicon_names()
        )
    )


@text_cache(_KEPT)
def _is_listed(word: str, language: str) -> bool:
    """Tell whether a word is listed as something else than a person, and as no first name."""
    lower = word.lower()
    lists = _NEVER_FIRST if rank_of("first-names", lower, language) else _NO_FIRST
    return any(
        look_up(find_lexicon(name), lower) is not None
        for name in (f"{language}.{kind}" for kind in lists)
        if name in lexicon_names()
    )


def _again(text: str, names: dict[str, str], language: str) -> Iterator[Found]:
    """Yield where nicknames stand that are neither everyday words nor clinical terms."""
    for name, label in names.items():
        lower = name.lower()
        if (
            len(name) < _SHORTEST
            or any(is_common(word, language) for word in lower.split(" "))
            or not _may_be_name(name, language)
        ):
            continue
        place = text.find(name)
        while place >= 0:
            end = place + len(name)
            if not (text[place - 1 : place].isalnum() or text[end : end + 1].isalnum()):
                yield place, end, label
            place = text.find(name, end)
