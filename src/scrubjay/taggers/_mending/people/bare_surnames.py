"""Bare surnames of hurried notes: "Nursing: Hess refused meds", "Told Foley to come back".

A tagger that knows "Hess" and "Foley" from clinical terms passes them over where a line says no
more. Before what only people do, and behind what is said to them, a listed surname is somebody. One
that names a disease or a device, too, has to begin its clause there, and so has one in small
letters; an everyday word is one only of those that very many bear, before a few sure verbs
(English).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.features.protected import BARE_EPONYM, protected_terms
from scrubjay.taggers._mending.people.person_names import is_eponym, is_person, rank_of
from scrubjay.taggers._mending.people.uncovered import Found, add_persons

SOURCE = "bare-surname"
LABELS = frozenset({"PATIENT", "DOCTOR"})

_LANGUAGE, _KEPT = "en", 16_384
_SHORTEST, _LONGEST, _AROUND = 3, 24, 16
"""Letters of a surname, and characters before one that tell where a clause begins."""

HEAD, _FIRST = 4, 3
"""Characters of a verb that are looked for in a batch, and by which its pattern is found."""

_FEW_BEAR, _MANY_BEAR, _SOME_BEAR, _SELDOM = 6, 2, 4, 5
"""Classes of surnames: up to which one is told in small letters (below which
one of a term is told), up to which an everyday word is one, and such a word that is seldom used,
which is from the last class of words on."""

_NOBODY, _FREE, _EPONYM, _EVERYDAY = range(4)
"""What a word is: no surname, a surname alone, one of a term, or one that is an everyday word."""

# Something has to be refused: what is "refused by pt" or "refused x2" is no person.
_OBJECT = (
    r"(?=[ ](?!(?:by|at|per|because|again|this|so|today|tonight|overnight|times|twice|due|and|"
    r"until|for|on|in|as|since|when|after|before|but|or|from|now|blood[ ]return|"
    r"to[ ](?:flush|drain|draw|infuse|inflate|deflate|wedge|advance|aspirate))(?!\w))[A-Za-z]{2})"
)
# What people do, with what has to follow it: any surname does the first, ...
_SURE = (
    ("slept", ""), ("ambulated", ""), ("ambulates", ""), ("complains", ""), ("complained", ""),
    ("c/o", ""), ("verbalized", ""), ("verbalizes", ""), ("tearful", ""),
    ("denies", r"(?![ ](?:coverage|claims?|auth|prior|payment|PA(?!\w)))"),
    ("refused", _OBJECT), ("refuses", _OBJECT), ("declined", _OBJECT), ("declines", _OBJECT),
    ("up to", r"[ ](?:the[ ])?(?:chair|br|bathroom|bsc|commode|void|walk|toilet)"),
    ("up in chair", ""), ("up ad lib", ""),
    ("states", r"(?![ ](?:of|that[ ]no|no[ ]beds?)(?!\w))"),
    ("reports", r"(?![ ](?:to|negative|normal|pending|attached|sent|from|of|show|are|were)(?!\w))"),
    ("is here", ""), ("here", r"[ ](?:for|w/|with|today|alone)(?!\w)"),
    ("presents", r"[ ](?:w/|with|for|c/o|after|today|to[ ])"),
)  # fmt: skip
# ... and before these even one that is hardly more than an eponym, ...
_OWN = (
    ("eloped", ""), ("signed AMA", ""), ("signed out AMA", ""), ("left AMA", ""), ("cx'd", ""),
    ("no-showed", ""), ("no showed", ""), ("no show", ""), ("smokes", ""), ("is upset", ""),
    ("is tearful", ""), ("is angry", ""), ("is frustrated", ""), ("requests", ""),
    ("requesting", ""),
    ("req", r"[ ](?:refills?|RFs?|letter|note|meds?|appt|call|copy)(?!\w)"),
    ("lives", r"[ ](?:w/|with|alone)(?!\w)"), ("works", r"[ ](?:as|at|nights|days|FT)(?!\w)"),
)  # fmt: skip
# ... one that is no everyday word the second, ...
_LIKELY = (
    ("voided", ""), ("vomited", ""), ("endorses", ""), ("agrees", ""), ("wants", ""),
    ("insists", ""), ("asleep", ""), ("agitated", ""), ("combative", ""), ("says", ""),
    ("ate", ""), ("walked", ""), ("woke", ""), ("understands", ""), ("extubated", ""), ("OOB", ""),
    ("seen and examined", ""), ("resting", r"[ ](?:comf\w*|quietly|in)"),
    ("back", r"[ ](?:today|for|in[ ](?:clinic|ED|today)|w/)"), ("called:", ""), ("to see", ""),
    ("reported", r"(?![ ](?:to|as|by|on|in|at|negative|normal|pending)(?!\w))"),
)  # fmt: skip
# ... and one that is of no term either these.
_MAYBE = (
    ("called", r"(?:,|[ ](?:to|back|asking|wants|re|about|in|and))"),
    ("to call back", ""), ("to return", ""), ("will call", ""), ("will return", ""),
    ("will follow", ""), ("seen today", ""), ("seen this", r"[ ](?:a\.?m|morning)"),
    ("seen at bedside", ""), ("seen on rounds", ""), ("seen in clinic", ""),
    ("following", r"(?=[ \t]*(?:[.,;)\r\n]|\Z))"), ("doing", r"[ ](?:well|ok|better|fine|great)"),
)  # fmt: skip
# Whom something is said to: patients, those of the staff, and behind words that stand before
# services and scales, too.
_TOLD = ("told", "reminded", "advised", "instructed", "encouraged")
_TALKED = (
    "asked", "paged", "informed", "notified", "updated", "texted", "spoke with", "spoke to",
    "spoke w/", "talked with", "talked to", "discussed with", "discussed w/", "reviewed with",
    "signed out to", "f/u w/", "f/u with", "f/u w", "appt w/", "appt with", "appt w", "referred to",
    "pt of", "staffed with", "staffed w/", "seen by", "reviewed w/", "d/w", "covering for",
)  # fmt: skip
_ORDER = re.compile(
    r",[ ](?:hold|start|stop|resume|continue|cont|give|keep|change|switch|increase|decrease|"
    r"d/?c|dc|ok|okay|can|may|will|recheck|repeat|wean|advance|restart|transfer|admit|plan)(?!\w)",
    re.IGNORECASE,
)
DEEDS = tuple(verb for group in (_SURE, _OWN, _LIKELY, _MAYBE) for verb, _ in group)
SAYINGS = (*_TOLD, *_TALKED)
CALLED = ("Called", "called", "Per", "On call", "on call")

_BEGINNERS = (
    "overnight|today|tonight|yesterday|then|now|when|while|because|since|that|says|if|and|but|"
    "after|once|pt|patient"
)
_CLAUSE = re.compile(
    r"(?:\A|[\r\n(;:,.!?)|–—][ \t]{0,3}|[ ]-{1,2}[ ]|\d{3,4}[ ]|"
    rf"(?<!\w)(?i:{_BEGINNERS})[ ])\Z"
)
_SENTENCE = re.compile(r"(?:\A|[\r\n.;][ \t]{0,3})\Z")  # ", called Bess" tells of a dog
_THINGS = (
    "the|a|an|his|her|its|my|our|your|their|no|this|that|of|with|for|in|via|on|per|to|from|by|at|"
    "new|old|into|under"
)
_OF_THINGS = re.compile(rf"(?<!\w)(?i:{_THINGS}|[a-z]+['’]s)[ ]\Z")
_BEFORE_CLAUSE, _BEFORE_THINGS = frozenset(_BEGINNERS.split("|")), frozenset(_THINGS.split("|"))
_NAME_BEHIND = re.compile(
    r"[ ](?P<name>[A-Z][^\W\d_]+)(?![\w'’-]|[./]\w|"
    r"[ ](?!\d{1,2}[ ]?(?:wks?|weeks?|mos?|months?|days?)(?!\w))[A-Z\d]|"
    r"[ ](?:team|clinic|service|fellow|resident|pharmacy|office|unit|lab|rep|hospital|ward|"
    r"line|criteria|scale|guidelines?|protocol)(?!\w))"
)
# Listed surnames that are shorthand, relatives, firms and things at the bedside in notes.
_NO_PERSONS = frozenset([
    "anes", "mam", "dau", "asp", "carbo", "fent", "gent", "genta", "mero", "panto", "spiro", "tyl",
    "urso", "warf", "colo", "corr", "mets", "rota", "abt", "bair", "hoyer", "hugger", "pacer",
    "ganz", "mitts", "mitten", "gauze", "graft", "stapler", "swab", "binder", "vest", "kroger",
    "molina", "carrier", "peer", "elder", "doe", "day", "eve", "breech", "gallop", "shingles",
    "slough", "thrush", "sickle", "huddle", "santa", "alexa", "colic", "purpura", "gravis", "pica",
    "corona", "truss", "gurney", "moles", "sternal", "nodal", "bulla", "conus", "abdo", "chol",
])  # fmt: skip
_SHORTHAND = frozenset(["brady"])
"""Those that many bear besides: they have to be written as names, where a clause begins."""
_PARTS = " \t\r\n("
"""One of these stands before a verb, if anything does."""
_BEFORE_NAME = frozenset(f'{_PARTS}"“:;,')
_LISTS = tuple(
    f"{_LANGUAGE}.{kind}"
    for kind in (
        "facility-words", "organization-words", "titles", "relatives", "credentials", "months",
        "weekdays", "demonyms", "countries", "street-words",
    )
)  # fmt: skip


@cache
def heads() -> frozenset[str]:
    """Return the first characters, in small letters, of all that is looked for: three at least."""
    return frozenset(word.lower()[:HEAD] for word in (*DEEDS, *SAYINGS, *CALLED))


def add_bare_surnames(
    text: str, spans: Sequence[Span], places: Sequence[int] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text with bare surnames beside verbs, where nothing is found.

    Verbs begin at one of the `places`, sorted; None is all. A surname that is found elsewhere in
    the text has the label that it has there. Spans are sorted and disjoint, and stay so.
    """
    found = _find(text, range(len(text)) if places is None else places)
    return add_persons(text, spans, found, SOURCE)


def _find(text: str, places: Sequence[int]) -> Iterator[Found]:
    deeds, sayings = _does(), _says()
    for place in places:
        if place and text[place - 1] not in _PARTS:
            continue
        first = text[place : place + _FIRST].lower()
        doing, saying = deeds.get(first), sayings.get(first)
        if doing and place and text[place - 1] == " " and (does := doing.match(text, place)):
            start = _word_begin(text, place - 1)
            if start < place - 1 and _is_subject(text, start, place - 1, str(does.lastgroup)):
                yield start, place - 1, "PATIENT"
        elif saying and (says := saying.match(text, place)):
            name = _NAME_BEHIND.match(text, says.end())
            if name and _is_told(text, name, says):
                yield *name.span("name"), "PATIENT" if says.lastgroup == "told" else "DOCTOR"


def _word_begin(text: str, end: int) -> int:
    """Return where the letters up to a place begin."""
    begin, floor = end, max(0, end - _LONGEST - 1)
    blank = text.rfind(" ", floor, end)
    if blank >= 0 and text[blank + 1 : end].isalpha():  # as nearly always
        return blank + 1
    while begin > floor and (text[begin - 1].isalpha() or text[begin - 1] in "-'’"):
        begin -= 1
    return begin


def _is_subject(text: str, start: int, end: int, kind: str) -> bool:
    """Tell whether a word is a surname before a verb of a kind."""
    if start and text[start - 1] not in _BEFORE_NAME:
        return False
    sort = _sort_of(text[start:end])
    if sort == _NOBODY and kind == "own" and _is_rare(text[start:end]):
        sort = _EPONYM
    if (
        sort == _NOBODY
        or (sort == _EVERYDAY and kind not in ("sure", "own"))
        or (sort == _EPONYM and kind == "maybe")
    ):
        return False
    floor = max(0, start - _AROUND)
    if sort != _FREE or text[start].islower():
        is_named = text[start].isupper() or kind != "maybe"
        return is_named and begins_clause(text, floor, start)
    return not is_of_things(text, floor, start)


def begins_clause(text: str, floor: int, start: int) -> bool:
    """Tell what `_CLAUSE` does of what stands from `floor` on before a word."""
    if _is_other_word(text, floor, start, _BEFORE_CLAUSE):
        return False
    return _CLAUSE.search(text, floor, start) is not None


def is_of_things(text: str, floor: int, start: int) -> bool:
    """Tell what `_OF_THINGS` does of what stands from `floor` on before a word."""
    if _is_other_word(text, floor, start, _BEFORE_THINGS):
        return False
    return _OF_THINGS.search(text, floor, start) is not None


def _is_other_word(text: str, floor: int, start: int, words: frozenset[str]) -> bool:
    """Tell whether a plain word that is none of these stands before a blank, as mostly.

    An expression with an end would be tried at each place on the way there.
    """
    last = start - 1
    if last <= floor or text[last] != " ":
        return False
    word = text[max(floor, text.rfind(" ", floor, last) + 1) : last]
    return word.isascii() and word.isalpha() and word.lower() not in words


def _is_told(text: str, name: re.Match[str], says: re.Match[str]) -> bool:
    """Tell whether a word is a surname of somebody to whom something is said."""
    sort = _sort_of(name["name"])
    called = says[0] if says.lastgroup == "called" else None
    if called and called.lower() == "called":
        floor = max(0, says.start() - _AROUND)
        is_name = sort in (_FREE, _EPONYM) and bool(_SENTENCE.search(text, floor, says.start()))
    elif called:
        is_order = called == "Per" and _ORDER.match(text, name.end()) is not None
        is_free = called != "Per" or text.startswith((",", ":"), name.end())
        is_name = (sort == _FREE and is_free) or (sort != _NOBODY and is_order)
    else:
        is_name = sort != _NOBODY
    return is_name and is_person(text, name.end())


@cache
def _does() -> dict[str, re.Pattern[str]]:
    """Return the patterns of what people do, with a group for each kind."""
    kinds = {"sure": _SURE, "own": _OWN, "likely": _LIKELY, "maybe": _MAYBE}
    return _by_first(
        (kind, verb, rf"{re.escape(verb)}(?![\w-]){tail}(?!\w)")
        for kind, verbs in kinds.items()
        for verb, tail in verbs
    )


@cache
def _says() -> dict[str, re.Pattern[str]]:
    """Return the patterns of what stands before whom something is said to, with three groups."""
    either = (
        (kind, word, f"[{word[0].upper()}{word[0]}]{re.escape(word[1:])}")
        for kind, words in (("told", _TOLD), ("talked", _TALKED))
        for word in words
    )
    return _by_first([*either, *(("called", word, word) for word in CALLED)])


def _by_first(rows: Iterable[tuple[str, str, str]]) -> dict[str, re.Pattern[str]]:
    """Return patterns by the first characters in small letters, out of kinds, words and patterns.

    One of all words would be tried from the first word on at each place.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for kind, word, pattern in rows:
        found.setdefault(word[:_FIRST].lower(), {}).setdefault(kind, []).append(pattern)
    return {
        first: re.compile("|".join(f"(?P<{kind}>{'|'.join(some)})" for kind, some in kinds.items()))
        for first, kinds in found.items()
    }


@text_cache(_KEPT)
def _sort_of(word: str) -> int:
    """Tell what a word is: no surname, one alone, one of a term, or an everyday word, too."""
    lower, is_small = word.lower(), word.islower()
    bearers = rank_of("surnames", word, _LANGUAGE)
    if (
        not bearers
        or lower in _NO_PERSONS
        or (is_small and lower in _SHORTHAND)
        or not _SHORTEST <= len(word) <= _LONGEST
        or not (is_small or (word[0].isupper() and not word.isupper()))
        or any(look_up(find_lexicon(name), lower) is not None for name in _LISTS)
        or (bearers > _MANY_BEAR and look_up(find_lexicon("en.professions"), lower) is not None)
    ):
        return _NOBODY
    kind = protected_terms(_LANGUAGE, spared=True).get(lower)
    if kind is not None and (
        kind != BARE_EPONYM or is_small or bearers >= _FEW_BEAR or not is_eponym(lower, _LANGUAGE)
    ):
        return _NOBODY
    use = look_up(find_lexicon("en.common"), lower)
    if use is not None:
        most = _SOME_BEAR if use >= _SELDOM else _MANY_BEAR
        return _EVERYDAY if bearers <= most and not is_small else _NOBODY
    if kind is not None or lower in _SHORTHAND:
        return _EPONYM
    return _NOBODY if is_small and bearers > _FEW_BEAR else _FREE


@text_cache(_KEPT)
def _is_rare(word: str) -> bool:
    """Tell whether a word with a capital is an eponym that few are called by, if anybody."""
    lower = word.lower()
    return (
        word[0].isupper()
        and not word.isupper()
        and lower not in _NO_PERSONS
        and is_eponym(lower, _LANGUAGE)
        and protected_terms(_LANGUAGE, spared=True).get(lower) == BARE_EPONYM
        and look_up(find_lexicon("en.common"), lower) is None
    )
