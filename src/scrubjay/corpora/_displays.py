"""Displays of codes: which of them are read as free text, and which stay as they are.

The words of a code come from its terminology. Where that is one that everybody shares (LOINC,
SNOMED CT, the tables of HL7), nobody typed them; of a hospital's own codes somebody did, and what
stands there may be a sentence about a person. The short ones of these, too, are the names of tests
and wards nearly always, which a model takes for persons without the words around them ("Kell").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrubjay.caching import text_cache
from scrubjay.corpora._parts import Part
from scrubjay.features.protected import find_protected, protected_pieces
from scrubjay.known.identifiers import PatientIdentifiers
from scrubjay.known.people import common_words
from scrubjay.languages import LANGUAGES
from scrubjay.transform.surrogates.draw import fold

_TABLES = frozenset([
    "LN", "LNC", "LOINC", "SCT", "SNM", "SNM3", "SNT", "I9", "I9C", "I9CDX", "I9CP", "I10", "I10C",
    "I10P", "I10PCS", "ICD9", "ICD10", "ICD10CM", "C4", "CPT", "CPTM", "HCPCS", "HPC", "CVX", "MVX",
    "NDC", "RXNORM", "UCUM", "ISO", "ISO+", "ISO3166", "ISO639", "ATC", "NIP001", "NIP002",
    "CDCREC", "UMLS", "MDDX", "FDDC", "DRG", "DCM", "NUCC", "NUBC",
])  # fmt: skip
_TABLE = re.compile(
    r"HL7[0-9]{4,5}|(?:CDC)?PHINVS|I(?:CD)?-?(?:9|10)\S{0,5}|SNOMED(?:[ -]?CT(?:_[A-Z]{2})?)?\Z",
    re.IGNORECASE,
)
_SYSTEMS = re.compile(
    r"https?://(?:(?:[a-z]+\.)?loinc\.org|(?:www\.)?snomed\.info|(?:[a-z.]+\.)?hl7\.org"
    r"|unitsofmeasure\.org|(?:www\.)?nlm\.nih\.gov|(?:www\.)?ama-assn\.org|(?:www\.)?whocc\.no"
    r"|(?:www\.)?cms\.gov|nucc\.org|dicom\.nema\.org|(?:www\.)?cdc\.gov|(?:www\.)?who\.int)(?:[/?]|$)"
    r"|urn:(?:ietf|iso|oid:2\.16\.840\.1\.113883\.(?:6|5|12|3\.26)\.)"
)
_LONG_NUMBER = re.compile(r"[0-9]{4}|[0-9][-/.][0-9]{2}[-/.]|@")
# What no term of a terminology has: a telephone, an address of mail, a date.
_PRIVATE = re.compile(
    r"(?<!\d)\(?[2-9][0-9]{2}[-./) ]{1,2}[2-9][0-9]{2}[-./ ][0-9]{4}(?!\d)|\S@\w[\w-]*\.\w"
    r"|(?<!\d)[0-9]{1,2}([-/.])[0-9]{1,2}\1(?:19|20)[0-9]{2}(?!\d)"
    r"|(?<!\d)(?:19|20)[0-9]{2}([-/.])[01][0-9]\2[0-3][0-9](?!\d)"
)
_TWO_NAMES = re.compile(r"[^\W\d_a-z][^\W\d_]{3,}(?:,? |, ?)[^\W\d_a-z][^\W\d_]{3,}")
_WORD = re.compile(r"[^\W_]+")
_LEAST_WORDS, _LEAST_LETTERS = 3, 4
_KEPT = 4096
"""Displays that are remembered: a hospital has some thousand, and repeats them in every message."""
PERSONS = frozenset(["name", "relative", "staff"])
_SAID = PERSONS | {"city"}


def is_shared(system: object) -> bool:
    """Tell whether a system of codes (HL7's name, FHIR's address) is one that all hospitals use."""
    if not isinstance(system, str):
        return False
    return bool(system.upper() in _TABLES or _TABLE.match(system) or _SYSTEMS.match(system))


def is_read(display: str, *, shared: bool = False) -> bool:
    """Tell whether a display of a code is read by a model, whatever the record tells of persons.

    It is where it has a telephone, an address of mail or a date; and of a system that is not
    `shared` where it may be more than a term: of three words or more, with a long number, or two
    words as names are written. Clinical terms of several words count for nothing: "Rocky Mountain
    Spotted Fever Ab" is one word.
    """
    if _PRIVATE.search(display) is not None:
        return True
    if shared:
        return False
    if len(display.split()) >= _LEAST_WORDS or _LONG_NUMBER.search(display):
        display = _without_terms(display)
        if len(display.split()) >= _LEAST_WORDS or _LONG_NUMBER.search(display):
            return True
    return _TWO_NAMES.fullmatch(display.strip()) is not None


@text_cache(_KEPT)
def _without_terms(display: str) -> str:
    """Return a display without the clinical terms of two words or more in it."""
    for language in LANGUAGES:
        for term in reversed(list(find_protected(display, language))):
            if term.words > 1:
                display = f"{display[: term.start]} {display[term.end :]}"
    return display


@dataclass(frozen=True, slots=True, repr=False)
class Said:
    """Tells whether a display may say what the record tells of persons: one word of it is enough.

    Of their names and towns everyday words and those of clinical terms are none: "White blood
    cells" and "Parkinson disease" stay with a patient of that name.
    """

    words: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.words)

    def __call__(self, display: str) -> bool:
        """Tell whether a display has one of the words."""
        return not self.words.isdisjoint(_WORD.findall(fold(display)))


def find_said(
    displays: Sequence[str], parts: Iterable[Part], known: PatientIdentifiers | None = None
) -> Said:
    """Return what of the names and towns of a record stands in any of its displays."""
    if not displays:
        return Said()
    texts = [part.text for part in parts if part.kind in _SAID]
    if known is not None:
        texts += [value.value for value in known.values if value.kind in _SAID]
        texts += [
            word for name in known.names for word in (*name.given, *name.family, *name.others)
        ]
    there = set(_WORD.findall(fold("\n".join(displays))))
    words = there.intersection(*[_WORD.findall(fold("\n".join(texts)))])
    return Said(frozenset(word for word in words if is_uncommon(word)))


def is_uncommon(word: str) -> bool:
    """Tell whether a folded word of a name is neither an everyday word nor one of a term."""
    if len(word) < _LEAST_LETTERS or not word.isalpha():
        return False
    return not any(
        word in common_words(each) or word in protected_pieces(each) for each in LANGUAGES
    )
