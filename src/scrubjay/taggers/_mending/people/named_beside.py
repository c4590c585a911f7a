"""Surnames beside a credential, a relative, a bed or a signature: "Pope MD", "Graves's mom called".

A tagger passes eponyms and everyday words over even there. Right before what somebody is licensed
as, before a relative of somebody, and behind the mark of a signature, a listed surname or an eponym
is a person, and so is a surname at the head of a bed, where an eponym is a disease (English).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.features.protected import BARE_EPONYM, protected_terms
from scrubjay.taggers._mending.people.person_names import is_eponym, rank_of
from scrubjay.taggers._mending.people.uncovered import Found, add_persons

SOURCE = "named-beside"

_LANGUAGE, _KEPT, _LONGEST = "en", 8192, 24
_OFTEN, _SELDOM, _MANY_BEAR = 4, 5, 3
"""Classes: up to which an everyday word is a surname, from which on a word is seldom used, and up
to which a word that is used often is a surname."""

_NAME = r"(?P<name>[A-Z][a-z]+(?:[-'’][A-Z][a-z]+)?)"
CREDENTIALS = ("MD", "M.D.", "RN", "R.N.", "NP", "PA-C", "LPN", "CRNA", "PharmD", "LCSW", "PhD",
                "DPM", "APRN", "FNP", "CNM", "ARNP", "LVN", "BSN", "MSN", "RRT", "DPT")  # fmt: skip
RELATIVES = (
    "mom", "mother", "mum", "dad", "father", "wife", "husband", "dtr", "daughter", "sister",
    "brother", "parents", "family", "fam", "girlfriend", "boyfriend", "spouse", "niece", "nephew",
    "aunt", "uncle", "grandma", "grandmother", "grandson",
)  # fmt: skip
BEDS = ("bed", "rm", "room")
SIGNS = ("/s/", "/es/", "signed", "cosigned", "e-signed", "esigned")

_CREDENTIAL = re.compile(
    "(?:" + "|".join(map(re.escape, CREDENTIALS)) + r")(?![\w/&-]|[.]\w|[ ]of(?!\w))"
)
_RELATIVE = re.compile("(?:" + "|".join(RELATIVES) + r")(?!['’\w-])")
_BED = re.compile(
    rf"(?i:bed|room|rm)[ #]{{1,2}}\d{{1,4}}[A-Za-z]?[:,.]?[ ]{{1,2}}(?:-[ ])?{_NAME}"
    r"(?=[:,/;]|[ ][-–/:]|[ ]{2})"
)
_SIGN = re.compile(
    rf"(?:/e?s/|(?i:(?:co-?|e-?)?signed)(?:[ ]by)?:?)[ ]{_NAME}(?![\w'’-]|[ ](?:[A-Z]|[a-z]))"
)
_OWNER = re.compile(r"(?:['’]s|(?<=s)['’])\Z")
_WRITTEN = re.compile(r"[A-Z][a-z]{2,}(?:[-'’][A-Z][a-z]+)?")
_APART = re.compile(r"(?:\A|[\s(,;:./–-])\Z")
_CAPITAL_BEFORE = re.compile(r"(?:[A-Z][^\W\d_]*\.?|&|and)[ ]\Z")  # "Chevy Chase, MD"
_NOWHERE = frozenset[str]()
_BLANKS = " \t\r\n("
_NO_PERSONS = frozenset([
    "charge", "float", "page", "case", "doe", "day", "night", "relief", "triage", "still", "down",
    "salem", "chase", "ward", "resource", "covering", "attending", "house", "west",
    "north", "east", "south", "hall", "key", "lead", "head",
])  # fmt: skip
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
    for kind in ("relatives", "credentials", "months", "weekdays", "demonyms", "countries",
                 "facility-words", "id-words", "titles", "regions")
)  # fmt: skip


@cache
def heads() -> frozenset[str]:
    """Return the first characters, in small letters, of all that is looked for: two at least."""
    return frozenset(word.lower()[:4] for word in (*CREDENTIALS, *RELATIVES, *BEDS, *SIGNS))


def add_named_beside(
    text: str, spans: Sequence[Span], places: Sequence[int] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text with surnames beside what tells of a person, where none is found.

    What tells of one begins at one of the `places`, sorted; None is all. A surname that is found
    elsewhere in the text has the label that it has there. Spans are sorted and disjoint, and stay
    so.
    """
    found = (
        one
        for place in (range(len(text)) if places is None else places)
        for one in _find(text, place)
    )
    return add_persons(text, spans, found, SOURCE)


def _find(text: str, place: int) -> Iterator[Found]:
    if place and text[place - 1] not in _BLANKS:
        return
    if place > 1 and text[place - 1] == " ":
        end = place - 2 if text[place - 2] == "," else place - 1
        if (credential := _CREDENTIAL.match(text, place)) is not None:
            yield from _named(text, end, "DOCTOR", _TOWNS if credential[0] == "MD" else _NOWHERE)
            return
        if text[place - 2] in "s'’" and _RELATIVE.match(text, place):
            owner = _OWNER.search(text, max(0, place - _LONGEST), place - 1)
            if owner is not None:
                yield from _named(text, owner.start(), "PATIENT", _NOWHERE)
            return
    if (bed := _BED.match(text, place)) is not None:
        if _is_surname(bed["name"]) and not is_eponym(bed["name"].lower(), _LANGUAGE):
            yield *bed.span("name"), "PATIENT"
    elif (sign := _SIGN.match(text, place)) is not None and _is_surname(sign["name"]):
        yield *sign.span("name"), "DOCTOR"


def _named(text: str, end: int, label: str, towns: frozenset[str]) -> Iterator[Found]:
    """Yield the surname that ends at a place, unless it is a town or ends a longer name."""
    start, floor = end, max(0, end - _LONGEST)
    while start > floor and (text[start - 1].isalpha() or text[start - 1] in "-'’"):
        start -= 1
    start += text[start : start + 1] == "-"  # "-Rice, RN"
    if (
        _is_surname(text[start:end])
        and text[start:end].lower() not in towns
        and not _CAPITAL_BEFORE.search(text, max(0, start - _LONGEST), start)
        and _APART.search(text, max(0, start - 2), start)
    ):
        yield start, end, label


@text_cache(_KEPT)
def _is_surname(word: str) -> bool:
    """Tell whether a word is written as a surname, and is one more than anything else."""
    lower = word.lower()
    if (
        _WRITTEN.fullmatch(word) is None
        or lower in _NO_PERSONS
        or any(look_up(find_lexicon(name), lower) is not None for name in _LISTS)
    ):
        return False
    bearers = rank_of("surnames", word, _LANGUAGE)
    kind = protected_terms(_LANGUAGE, spared=True).get(lower)
    if kind is not None and (kind != BARE_EPONYM or not is_eponym(lower, _LANGUAGE)):
        return False
    use = look_up(find_lexicon("en.common"), lower)
    if use is not None:
        return 0 < bearers <= (_OFTEN if use >= _SELDOM else _MANY_BEAR)
    return bearers > 0 or kind is not None
