"""Bare surnames of hurried notes: "Hess refused meds", "Pope MD", "Graves's mom", "Paget, 71F".

A tagger that knows "Hess" and "Graves" from clinical terms, and "Pope" from everyday words, passes
them over where a line says no more. A listed surname or an eponym is a person before what only
people do, behind what is said to those of the staff, before what somebody is licensed as, before a
relative of somebody, behind the mark of a signature, and at the head of an entry before an age that
was found; an everyday word is one if many bear it, and before a few sure verbs alone. At the head
of a bed an eponym is a disease, unless an age and a sex follow (English).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, is_listed, look_up
from scrubjay.features.protected import BARE_EPONYM, protected_terms
from scrubjay.taggers._mending.people.person_names import is_eponym, is_person, rank_of
from scrubjay.taggers._mending.uncovered import Found, add_persons

SOURCE = "bare-surname"
LABELS = frozenset({"PATIENT", "DOCTOR"})

_LANGUAGE, _KEPT, _LONGEST, _AROUND = "en", 16_384, 24, 16
"""Letters of a surname, and characters before one that tell where a clause begins."""

HEAD = 4
"""Characters of a word that are looked for in a batch."""

_OFTEN, _SELDOM, _MANY_BEAR = 4, 5, 2
"""Classes: up to which an everyday word is a surname, from which on a word is seldom used, and up
to which a word that is used often is a surname."""

_FEW_BEAR = 6
"""The class from which on few are called by an eponym, if anybody."""

_NOBODY, _EPONYM, _EVERYDAY, _SURNAME = range(4)
"""What a word is: no surname, an eponym of few, one that is an everyday word, too, or one alone."""

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
# ... and one that is no everyday word the second.
_LIKELY = (
    "voided", "vomited", "endorses", "agrees", "wants", "insists", "asleep", "agitated",
    "combative", "says", "ate", "walked", "woke", "understands", "extubated",
)  # fmt: skip
DEEDS = (*(verb for verb, _ in _SURE), *_LIKELY)
SAYINGS = (
    "paged", "informed", "notified", "texted", "spoke with", "spoke to", "spoke w/", "talked with",
    "talked to", "discussed with", "discussed w/", "reviewed with", "reviewed w/", "d/w",
    "signed out to", "staffed with", "staffed w/", "seen by", "covering for", "referred to",
    "f/u w/", "f/u with", "appt w/", "appt with",
)  # fmt: skip
CREDENTIALS = ("MD", "M.D.", "RN", "R.N.", "NP", "PA-C", "LPN", "CRNA", "PharmD", "LCSW", "PhD",
                "DPM", "APRN", "FNP", "CNM", "ARNP", "LVN", "BSN", "MSN", "RRT", "DPT")  # fmt: skip
RELATIVES = (
    "mom", "mother", "mum", "dad", "father", "wife", "husband", "dtr", "daughter", "sister",
    "brother", "parents", "family", "fam", "girlfriend", "boyfriend", "spouse", "niece", "nephew",
    "aunt", "uncle", "grandma", "grandmother", "grandson",
)  # fmt: skip
BEDS = ("bed", "room", "rm", "chair")
SIGNS = ("/s/", "/es/", "signed", "cosigned", "e-signed", "esigned")

_NAME = r"(?P<name>[A-Z][a-z]+(?:[-'’][A-Z][a-z]+)?)"


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


_DOES = re.compile(
    "(?:(?P<sure>" + "|".join(rf"{re.escape(verb)}(?![\w-]){tail}" for verb, tail in _SURE)
    + rf")|(?:{_any(_LIKELY)})(?![\w-]))(?!\w)"
)  # fmt: skip
_SAYS = re.compile(
    "(?:" + "|".join(f"[{word[0].upper()}{word[0]}]{re.escape(word[1:])}" for word in SAYINGS)
    + r")[ ](?P<name>[A-Z][^\W\d_]+)(?![\w'’-]|[./]\w|"
    r"[ ](?!\d{1,2}[ ]?(?:wks?|weeks?|mos?|months?|days?)(?!\w))[A-Z\d]|"
    r"[ ](?:team|clinic|service|fellow|resident|pharmacy|office|unit|lab|rep|hospital|ward|"
    r"line|criteria|scale|guidelines?|protocol)(?!\w))"
)  # fmt: skip
_BED = re.compile(
    rf"(?i:{_any(BEDS)})(?:[ ]|[ ]?#[ ]?)[0-9]{{1,4}}[A-Za-z]?[:,.]?[ ]{{1,2}}(?:[-–][ ])?{_NAME}"
    r"(?:(?=[:,/;]|[ ][-–/:]|[ ]{2})|"
    # A tube is no thicker than 36 French, and nobody as cold as 93 degrees.
    r"(?=[ ](?P<aged>(?:[1-9]\d[ ]?(?:M|y/?o)|(?:3[7-9]|[4-8]\d|9[0-3])[ ]?F)(?!\w))))"
)
_SIGN = re.compile(
    rf"(?:/e?s/|(?i:(?:co-?|e-?)?signed)(?:[ ]by)?:?)[ ]{_NAME}(?![\w'’-]|[ ][A-Za-z])"
)
_CREDENTIAL = re.compile(rf"(?:{_any(CREDENTIALS)})(?![\w/&-]|[.]\w|[ ]of(?!\w))")
_RELATIVE = re.compile(rf"(?:{_any(RELATIVES)})(?!['’\w-])")
_OWNER = re.compile(r"(?:['’]s|(?<=s)['’])\Z")

_SAYING, _SIGNED, _BEDDED, _DEED, _LICENSED, _KIN = (1 << bit for bit in range(6))
_FIRSTS: dict[str, int] = {}
"""What a character may begin, a bit for each expression above; any that is none of ASCII may all.

Most places are looked at for the sake of one of them.
"""
for _kind, _words, _in_any_case in (
    (_SAYING, SAYINGS, True), (_SIGNED, SIGNS, True), (_BEDDED, BEDS, True), (_DEED, DEEDS, False),
    (_LICENSED, CREDENTIALS, False), (_KIN, RELATIVES, False),
):  # fmt: skip
    for _first in {word[0] for word in _words}:
        for _form in (_first.lower(), _first.upper()) if _in_any_case else (_first,):
            _FIRSTS[_form] = _FIRSTS.get(_form, 0) | _kind
_ALL = _SAYING | _SIGNED | _BEDDED | _DEED | _LICENSED | _KIN
_CLAUSE = re.compile(
    r"(?:\A|[\r\n(;:,.!?)|–—][ \t]{0,3}|[ ]-{1,2}[ ]|\d{3,4}[ ]|"
    r"(?<!\w)(?i:overnight|today|tonight|yesterday|then|now|when|while|because|since|that|says|if|"
    r"and|but|after|once|pt|patient)[ ])\Z"
)
_WRITTEN = re.compile(r"[A-Z][a-z]{2,}(?:[-'’][A-Z][a-z]+)?")
_APART = re.compile(r"(?:\A|[\s(,;:./–-])\Z")
_CAPITAL_BEFORE = re.compile(r"(?:[A-Z][^\W\d_]*\.?|&|and)[ ]\Z")  # "Chevy Chase, MD"
_BLANKS, _BEYOND = " \t\r\n(", "\x80"
_HEAD = re.compile(
    r"(?:\A|[\r\n;(]|[.)][ ])[ \t*•>#-]{0,6}"
    r"(?:(?:\d{1,3}[A-Z]?[.):]?|(?i:bed|rm|room|bay|slot|case|pt|patient|name|re)[ ]?[#:.]?"
    r"(?:[ ]?\d{1,4}[A-Z]?)?[:,.]?)[ ]{1,3}){0,2}"
    r"(?P<name>[A-Z][a-z]{2,}(?:[-'’][A-Z][a-z]+)?)(?P<comma>[,:]?)[ ]{1,2}\Z"
)
_AGED, _HEAD_AROUND = "AGE", 64
"""The label of an age, and characters before one that its head may have."""

# Listed surnames that are shorthand, functions, firms and things at the bedside in notes.
_NO_PERSONS = frozenset([
    "anes", "mam", "dau", "asp", "carbo", "fent", "gent", "genta", "mero", "panto", "spiro", "tyl",
    "urso", "warf", "colo", "corr", "mets", "rota", "abt", "bair", "hoyer", "hugger", "pacer",
    "ganz", "mitts", "mitten", "gauze", "graft", "stapler", "swab", "binder", "vest", "kroger",
    "molina", "carrier", "peer", "elder", "doe", "day", "eve", "breech", "gallop", "shingles",
    "slough", "thrush", "sickle", "huddle", "santa", "alexa", "colic", "purpura", "gravis", "pica",
    "corona", "truss", "gurney", "moles", "sternal", "nodal", "bulla", "conus", "abdo", "chol",
    "charge", "float", "page", "case", "night", "relief", "triage", "still", "down", "salem",
    "chase", "ward", "resource", "covering", "attending", "house", "west", "north", "east",
    "south", "hall", "key", "lead", "head",
])  # fmt: skip
# Adjectives of persons, which no comma parts from an age, and trades of few: "Driver 45M".
_ADJECTIVES = frozenset([
    "young", "little", "black", "white", "brown", "good", "short", "small", "long", "strong",
    "rich", "wise", "gay", "stout", "sharp", "gross", "bright", "petty", "noble", "sweet", "moody",
    "savage", "early", "golden", "best", "single", "sober", "swift", "hardy", "loving", "gentle",
    "hale", "healthy", "driver", "rider", "farmer", "gray", "green", "blank", "swan",
])  # fmt: skip
# What is no patient where a bed comes first.
_AT_BEDS = frozenset(["burns", "blank", "sharp", "moody", "swan"])
# Towns of a state that is short for a doctor: "Bowie, MD".
_TOWNS = frozenset([
    "bethesda", "baltimore", "rockville", "frederick", "annapolis", "towson", "laurel", "bowie",
    "columbia", "salisbury", "cumberland", "easton", "cambridge", "elkton", "westminster",
    "hagerstown", "gaithersburg", "germantown", "potomac", "dundalk", "aberdeen", "waldorf",
    "odenton", "clinton", "crofton", "lanham", "oxford", "denton", "chestertown", "olney",
    "wheaton",
])  # fmt: skip
_LISTS = tuple(
    f"{_LANGUAGE}.{kind}"
    for kind in ("facility-words", "organization-words", "titles", "relatives", "credentials",
                 "months", "weekdays", "demonyms", "countries", "street-words", "id-words")
)  # fmt: skip


@cache
def heads() -> frozenset[str]:
    """Return the first characters, in small letters, of all that is looked for: two at least."""
    words = (*DEEDS, *SAYINGS, *CREDENTIALS, *RELATIVES, *BEDS, *SIGNS)
    return frozenset(word.lower()[:HEAD] for word in words)


def add_bare_surnames(text: str, spans: Sequence[Span], places: Iterable[int]) -> tuple[Span, ...]:
    """Return the spans of a text with bare surnames beside such words, where nothing is found.

    The words begin at one of the `places`, sorted. A surname that is found elsewhere
    in the text has the label that it has there. Spans are sorted and disjoint, and stay so.
    """
    found = [one for place in places for one in _find(text, place)]
    found += [head for span in spans if span.label == _AGED for head in _before_age(text, span)]
    return add_persons(text, spans, found, SOURCE) if found else tuple(spans)


def _find(text: str, place: int) -> Iterator[Found]:
    first = text[place]
    told = _FIRSTS.get(first, 0) if first < _BEYOND else _ALL
    if not told or (place and text[place - 1] not in _BLANKS):
        return
    if told & _SAYING and (says := _SAYS.match(text, place)) is not None:
        if _sort_of(says["name"]) >= _EVERYDAY and is_person(text, says.end("name")):
            yield *says.span("name"), "DOCTOR"
        return
    if told & _SIGNED and (sign := _SIGN.match(text, place)) is not None:
        if _sort_of(sign["name"]) != _NOBODY:
            yield *sign.span("name"), "DOCTOR"
        return
    if told & _BEDDED and (bed := _BED.match(text, place)) is not None:
        lower = bed["name"].lower()
        is_other = lower in _AT_BEDS or (not bed["aged"] and is_eponym(lower, _LANGUAGE))
        if _sort_of(bed["name"]) >= (_EPONYM if bed["aged"] else _EVERYDAY) and not is_other:
            yield *bed.span("name"), "PATIENT"
        return
    end = place - 1
    if end < 1 or text[end] != " ":
        return
    if told & _DEED and (does := _DOES.match(text, place)) is not None:
        start = _word_begin(text, end)
        least = _EVERYDAY if does["sure"] else _SURNAME
        if _sort_of(text[start:end]) >= least and _CLAUSE.search(
            text, max(0, start - _AROUND), start
        ):
            yield start, end, "PATIENT"
    elif told & _LICENSED and (licensed := _CREDENTIAL.match(text, place)) is not None:
        end -= text[end - 1] == ","
        if not (licensed[0] == "MD" and text[_word_begin(text, end) : end].lower() in _TOWNS):
            yield from _named(text, end, "DOCTOR")
    elif told & _KIN and text[end - 1] in "s'’" and _RELATIVE.match(text, place):
        owner = _OWNER.search(text, max(0, place - _LONGEST), end)
        if owner is not None:
            yield from _named(text, owner.start(), "PATIENT")


def _before_age(text: str, age: Span) -> Iterator[Found]:
    """Yield the surname before an age at the head of an entry.

    Behind an adjective has to stand a comma: "White 70M" is somebody's colour.
    """
    floor = max(0, age.start - _HEAD_AROUND)
    if not text[age.start].isdigit() or not text[age.start - 1 : age.start].isspace():
        return
    head = _HEAD.search(text, floor, age.start)
    if head is not None:
        sort = _sort_of(head["name"])
        if sort != _NOBODY and (head["comma"] or head["name"].lower() not in _ADJECTIVES):
            yield *head.span("name"), "PATIENT"


def _named(text: str, end: int, label: str) -> Iterator[Found]:
    """Yield the surname that ends at a place, unless it ends a longer name."""
    start = _word_begin(text, end)
    if (
        _sort_of(text[start:end]) != _NOBODY
        and not _CAPITAL_BEFORE.search(text, max(0, start - _LONGEST), start)
        and _APART.search(text, max(0, start - 2), start)
    ):
        yield start, end, label


def _word_begin(text: str, end: int) -> int:
    """Return where the letters up to a place begin."""
    begin, floor = end, max(0, end - _LONGEST - 1)
    while begin > floor and (text[begin - 1].isalpha() or text[begin - 1] in "-'’"):
        begin -= 1
    return begin + (text[begin : begin + 1] == "-")  # "-Rice, RN"


@text_cache(_KEPT)
def _sort_of(word: str) -> int:
    """Tell what a word is, as it is written."""
    lower = word.lower()
    if _WRITTEN.fullmatch(word) is None or lower in _NO_PERSONS or is_listed(lower, *_LISTS):
        return _NOBODY
    bearers = rank_of("surnames", word, _LANGUAGE)
    kind = protected_terms(_LANGUAGE, spared=True).get(lower)
    if kind is not None and (kind != BARE_EPONYM or not is_eponym(lower, _LANGUAGE)):
        return _NOBODY
    use = look_up(find_lexicon("en.common"), lower)
    if use is not None:
        is_trade = is_listed(lower, "en.professions")
        most = _OFTEN if use >= _SELDOM and not is_trade else _MANY_BEAR
        return _EVERYDAY if 0 < bearers <= most else _NOBODY
    if kind is not None:
        return _SURNAME if 0 < bearers < _FEW_BEAR else _EPONYM
    return _SURNAME if bearers else _NOBODY
