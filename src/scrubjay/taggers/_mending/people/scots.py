"""Surnames with "Mc" that are written in one case or with one capital: "mcfarquar not for HDU".

A tagger knows "McFarquar" by its second capital, which hasty typing loses, and takes "mcfarquar"
for a misspelt word. No English word begins so; what is called after a McBurney or a McRoberts, and
what "mc" is short for (English), stays out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.protected import protected_pieces
from scrubjay.taggers._mending.people.person_names import is_common, is_eponym, is_person, rank_of
from scrubjay.taggers._mending.people.uncovered import Found, add_uncovered

SOURCE = "scots"

_WORD = re.compile(r"(?:mc|MC(?=[A-Z])|Mc(?=[a-z]))[A-Za-z]{2}[^\W\d_]+(?:-[^\W\d_]+)?(?!\w)")
_POSSESSIVE = re.compile(r"['’]?s\Z")
_HOUSE = re.compile(
    r"[ ](?:hosp|med|clinic|health|cent|street|st\b|rd\b|road|ave|line\b|point|grade|repair|"
    r"approach|manoeuvre|schedule|blade|forceps|gag|exercises|tenderness|therap|pharm|drug)"
    r"|['’]s[ ](?:line|point|sign|disease|syndrome)|[@_/\\]|\.\w",
    re.IGNORECASE,
)
_LEAST = 8
"""Letters of a word that is in no list of surnames."""

# Of a dose: "50 mcgbolus".
_DOSE = re.compile("mcg(?:kg|min|h|ml|day|bolus|dose|iv|po|im|patch|tab|spray|neb|q)")
_VOWEL = re.compile("[aeiouy]")
# Persons that signs and tools are called after, places to eat, firms, and what is short for them.
_NO_NAMES = frozenset([
    "mcaid", "mcallen", "mcardle", "mcare", "mcbride", "mcburney", "mccafe", "mcchicken",
    "mcconkey", "mcconnell", "mccormick", "mccoy", "mccune", "mcdonald", "mcdonalds",
    "mcdouble", "mcevedy", "mcflurry", "mcgill", "mcginn", "mcgoon", "mcgowan", "mcgrath",
    "mcgriddle", "mcintosh", "mcivor", "mckee", "mckenzie", "mckeown", "mckesson", "mckinley",
    "mckinney", "mckittrick", "mckusick", "mclaren", "mclean", "mcleod", "mcmansion",
    "mcmuffin", "mcmurray", "mcmurtry", "mcnemar", "mcnugget", "mcoptom", "mcpherson", "mcrae",
    "mcroberts", "mcvay",
])  # fmt: skip


def add_scots(text: str, spans: tuple[Span, ...], places: Iterable[int]) -> tuple[Span, ...]:
    """Return the spans of an English text with the surnames that begin at such places.

    `places` are where words begin with "mc" in any case. What was covered stays as it is.
    """
    return add_uncovered(spans, _find(text, spans, places), SOURCE)


def _find(text: str, spans: tuple[Span, ...], places: Iterable[int]) -> Iterator[Found]:
    doctors: str | None = None
    labels = dict[str, str]()
    for place in places:
        found = _WORD.match(text, place)
        before = text[place - 1 : place]
        if found is None or before.isalnum() or before in tuple("@_/\\-.'’"):
            continue
        end = found.end()
        if _is_name(found[0]) and is_person(text, end) and not _HOUSE.match(text, end):
            if doctors is None:  # once for all names
                doctors = "\n".join(
                    text[span.start : span.end].lower() for span in spans if span.label == "DOCTOR"
                )
            name = found[0].lower()
            if name not in labels:
                # The label that it has elsewhere, that of patients where it is nowhere else.
                labels[name] = "DOCTOR" if name in doctors else "PATIENT"
            yield place, end, labels[name]


@text_cache(1024)
def _is_name(word: str) -> bool:
    lower = word.lower().partition("-")[0]
    bare = _POSSESSIVE.sub("", lower)
    if _NO_NAMES & {lower, bare} or bare in protected_pieces("en", spared=True):
        return False
    if lower in protected_pieces("en", spared=True) or is_eponym(bare, "en"):
        return False
    if rank_of("surnames", lower, "en") or rank_of("surnames", bare, "en"):
        return True
    rest = lower[2:]
    if _DOSE.match(lower) or rest in protected_pieces("en", spared=True) or is_common(rest, "en"):
        return False  # "MCLESION"
    return len(lower) >= _LEAST and _VOWEL.search(lower, 2) is not None
