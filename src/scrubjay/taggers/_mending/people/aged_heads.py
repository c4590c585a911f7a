"""Surnames before an age and a sex at the head of an entry: "Graves, 51M", "bed 4 Paget 71F".

A tagger knows "Graves" and "Paget" from diseases, and passes them over where a hurried note begins
with whom it tells of. There a surname that is an eponym, or an everyday word that many bear, is
somebody; sizes in French ("Foley 16F") and temperatures are none (English).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.features.protected import BARE_EPONYM, protected_terms
from scrubjay.taggers._mending.people.person_names import is_eponym, rank_of
from scrubjay.taggers._mending.people.uncovered import Found, add_persons

SOURCE = "aged-head"
LABELS = frozenset({"PATIENT", "AGE"})

_LANGUAGE, _KEPT = "en", 8192
_AROUND, _LONGEST, _OLDEST = 24, 32, 110
"""Characters before a surname that tell of a head, those of a surname and age, and years."""

_THICKEST, _COOLEST, _HOTTEST = 36, 94, 108
"""The thickest tube in French, and temperatures of persons in Fahrenheit."""

_OFTEN, _SELDOM = 4, 5
"""Classes: up to which an everyday word is a surname, and from which on a word is seldom used."""

_MANY_BEAR = 2
"""The class up to which a word that is used often is a surname."""

_NAME = re.compile(
    r"(?<![^\s(;])(?P<name>[A-Z](?:[a-z]+|[A-Z]{3,})(?:[-'’][A-Z](?:[a-z]+|[A-Z]+))?)"
    r"(?P<comma>[,:]?)[ ]{1,2}(?P<age>[0-9]{1,3})[ -]?\Z"
)
_AGED = re.compile(
    r"(?:(?P<old>(?i:y/?o|y\.o\.?|years?[ -]old))|(?:(?i:y|yrs?|years?)[ ]?)?(?P<sex>[MF]))"
    r"(?![^\W_MF]|[MF][^\W_]|[/°%'])"
)
_ENTRY = re.compile(
    r"(?:\A|[\r\n;(]|[.)][ ])[ \t*•>#-]{0,6}"
    r"(?:(?:\d{1,3}[A-Z]?[.):]?|(?i:bed|rm|room|bay|slot|case|pt|patient|name|re)[ ]?[#:.]?"
    r"(?:[ ]?\d{1,4}[A-Z]?)?[:,.]?)[ ]{1,3}){0,2}\Z"
)
# Tubes and what goes through them, which are as thick as their number in French tells.
_TUBES = frozenset([
    "foley", "blake", "blakemore", "hickman", "cook", "swan", "jackson", "pratt", "quinton",
    "amplatz", "judkins", "cordis", "malecot", "simmons", "cobra", "tiger", "kumpe", "bard",
    "arrow", "robinson", "nelaton", "tiemann", "thal", "wayne", "fuhrman", "heimlich", "salem",
    "levin", "ewald", "cantor", "miller", "abbott", "french", "word", "broviac", "groshong",
    "tenckhoff", "mahurkar", "shiley", "palmaz", "ash", "rusch", "yankauer", "cope", "dawson",
    "mueller", "mcnamara", "sheldon", "seldinger", "medina", "argyle", "axiom", "councill",
    "couvelaire", "fogarty", "berenstein", "omni", "fluoro", "ring", "cooper", "dobhoff",
    "dobbhoff", "dover", "lord", "hegar", "philips", "mentor", "terumo", "maloney", "corpak",
    "minnesota", "bakri",
])  # fmt: skip
_TUBE = re.compile(
    r"[ ](?!(?:with|has|had|for|on|and|in|here|lost|pulled)[ ])(?:[a-z]+[ ]){0,2}"
    r"(?:cath(?:eter)?s?|drains?|sheaths?|dilators?|tubes?|stents?|bougies?|"
    r"introducers?|guide|picc|ngt?|sump|sounds?)(?!\w)",
    re.IGNORECASE,
)
# Adjectives of persons, which no comma parts from an age: "White 70M with CHF".
_ADJECTIVES = frozenset([
    "young", "little", "black", "white", "brown", "good", "short", "small", "long", "strong",
    "rich", "wise", "gay", "stout", "sharp", "gross", "bright", "petty", "noble", "sweet",
    "moody", "savage", "early", "golden", "best", "single", "sober", "swift", "hardy", "loving",
    "gentle", "hale", "healthy",
])  # fmt: skip
# What begins an entry before an age, and is a surname of few.
_NO_PERSONS = frozenset([
    "down", "well", "male", "female", "case", "driver", "rider", "passenger", "victim",
    "restrained", "unrestrained", "still", "trauma", "admit", "adult", "child", "peds", "max",
    "temp", "doe", "day", "eve", "age", "sex", "apt", "unit", "bed", "room", "line", "page",
    "note", "ob", "gyn", "mets", "fall",
])  # fmt: skip
_LISTS = tuple(
    f"{_LANGUAGE}.{kind}"
    for kind in ("relatives", "credentials", "months", "weekdays", "demonyms", "countries",
                 "facility-words", "id-words")
)  # fmt: skip


def add_aged_heads(
    text: str, spans: Sequence[Span], places: Sequence[int] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text with surnames at heads and the ages behind them.

    A sex or a unit of age stands at one of the `places`, sorted; None is all. What was covered
    stays as it is; spans are sorted and disjoint, and stay so.
    """
    found = (
        one
        for place in (range(len(text)) if places is None else places)
        for one in _find(text, place)
    )
    return add_persons(text, spans, found, SOURCE)


def _find(text: str, place: int) -> Iterator[Found]:
    aged = _AGED.match(text, place)
    if aged is None:
        return
    head = None
    if _stands_behind_word(text, place):
        head = _NAME.search(text, max(0, place - _LONGEST), place)
    if (
        head is None
        or not 0 < int(head["age"]) <= _OLDEST
        or _is_size(head, aged)
        or not _is_somebody(head["name"], is_parted=bool(head["comma"]))
        or not _ENTRY.search(text, max(0, head.start() - _AROUND), head.start())
    ):
        return
    yield *head.span("name"), "PATIENT"
    yield *head.span("age"), "AGE"


def _stands_behind_word(text: str, place: int) -> bool:
    """Tell whether a number before a place stands behind two letters at least, as few ages do.

    A quick look: `_NAME` is tried at each character on the way to its end.
    """
    before = text[max(0, place - _LONGEST) : place].removesuffix(" ").removesuffix("-")
    word = before.rstrip("0123456789").rstrip(" ").rstrip(",:")
    return word[-1:].isalpha() and word[-2:-1].isalpha()


def _is_size(head: re.Match[str], aged: re.Match[str]) -> bool:
    """Tell whether a number before "F" may be of a tube or a temperature."""
    if aged[0] != "F":
        return False
    number = int(head["age"])
    if head["name"].lower() in _TUBES or _TUBE.match(aged.string, aged.end()):
        return number <= _THICKEST
    return not head["comma"] and _COOLEST <= number <= _HOTTEST


@text_cache(_KEPT)
def _kind_of(word: str) -> int:
    """Tell what a word is at a head: 0 for nobody, 1 for a person behind a comma, 2 for one."""
    lower = word.lower()
    if lower in _NO_PERSONS or any(
        look_up(find_lexicon(name), lower) is not None for name in _LISTS
    ):
        return 0
    bearers = rank_of("surnames", word, _LANGUAGE)
    kind = protected_terms(_LANGUAGE, spared=True).get(lower)
    if kind is not None and (kind != BARE_EPONYM or not is_eponym(lower, _LANGUAGE)):
        return 0
    use = look_up(find_lexicon("en.common"), lower)
    if use is not None:
        is_borne = 0 < bearers <= (_OFTEN if use >= _SELDOM else _MANY_BEAR)
        return 0 if not is_borne else 1 if lower in _ADJECTIVES or word.isupper() else 2
    if kind is None and not bearers:
        return 0
    return 1 if word.isupper() else 2


def _is_somebody(word: str, *, is_parted: bool) -> bool:
    kind = _kind_of(word)
    return kind > 1 or (kind == 1 and is_parted)
