"""What a mention alone says of mending: which steps may change it, wherever it stands.

Nearly all mentions are changed by none of the steps, and for most of them their letters and their
label tell so. What they tell is worked out once for each mention, and remembered. The steps that
let a mention go are those of the table in `sparing/steps`; the others have names here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import count, islice

from scrubjay.caching import text_cache
from scrubjay.taggers._mending.age_ends import LABELS as AGED
from scrubjay.taggers._mending.age_ends import may_hold_finding
from scrubjay.taggers._mending.borders import may_be_mended
from scrubjay.taggers._mending.day_lists import may_be_day_list, may_be_dutch
from scrubjay.taggers._mending.days_alike import LABELS as ALIKES
from scrubjay.taggers._mending.days_alike import may_be_short_day
from scrubjay.taggers._mending.dialled import LANGUAGES as DIALLING
from scrubjay.taggers._mending.dialled import may_be_dialled
from scrubjay.taggers._mending.half_dates import LANGUAGES as HALVING
from scrubjay.taggers._mending.half_dates import may_be_half
from scrubjay.taggers._mending.health_centres import may_be_centre
from scrubjay.taggers._mending.label_groups import DATES, PERSONS, STAFF_AND_PATIENTS
from scrubjay.taggers._mending.number_keys import NUMBERS
from scrubjay.taggers._mending.people.initials import may_sign
from scrubjay.taggers._mending.people.listed import LABELS as LISTING
from scrubjay.taggers._mending.people.listed import may_be_listed
from scrubjay.taggers._mending.people.own_initials import LABELS as SIGNING
from scrubjay.taggers._mending.people.own_initials import may_have_initials
from scrubjay.taggers._mending.people.sentence_ends import may_go_over
from scrubjay.taggers._mending.people.whose_ages import may_be_age
from scrubjay.taggers._mending.said import may_be_said
from scrubjay.taggers._mending.sign_ins import may_end_user_name
from scrubjay.taggers._mending.sparing.capitals import (
    ABBREVIATED,
    find_abbreviations,
    may_be_abbreviation,
)
from scrubjay.taggers._mending.sparing.homonyms import CALLED_BY_PLACE, may_be_homonym
from scrubjay.taggers._mending.sparing.steps import SPARING, Check, find_checks
from scrubjay.taggers._mending.staff_titles import may_have_title
from scrubjay.taggers._mending.streets import LABEL as STREETS

Look = Callable[[str, str], int]
"""Mention and label -> bits of the steps that may change it, and `PERSON` and `STRAIN`."""

_BITS = (SPARING + 1 << place for place in count())

#: Bits of a mention that is a person's, and of one that may name a strain in some texts.
PERSON, STRAIN = islice(_BITS, 2)

#: Bits of steps that take a single mention for itself, whatever its text holds besides.
ABBREVIATION, HOMONYM, STREET, TITLE, DAY_LIST, CENTRE, SENTENCES, FINDING = islice(_BITS, 8)

#: Bits of steps that take the mentions of a text together.
BORDER, INITIALS, NUMBER, AGE, SAID, YEAR, LISTED, DIALLED, HALF = islice(_BITS, 9)
SHORT_DAY, SIGNER = islice(_BITS, 2)

STEPS = (
    SPARING | ABBREVIATION | HOMONYM | STREET | TITLE | DAY_LIST | CENTRE | SENTENCES | FINDING
)  # fmt: skip
"""Bits of all steps that take a single mention for itself."""

_KEPT = 32_768
"""Mentions that are remembered."""

_SPANISH = "es"  # whose titles, streets and keys of numbers are known here
_ENGLISH = "en"  # the one whose layout, titles and everyday words are known here
_DUTCH = "nl"  # whose dates stand without their article


@cache
def find_look(language: str) -> Look:
    """Return the look for a language."""

    @text_cache(_KEPT)
    def look(mention: str, label: str) -> int:
        bits, checks = _find_all_checks(label, language)
        for bit, check in checks:
            if check(mention):
                bits |= bit
        return bits

    return look


@cache
def _find_all_checks(label: str, language: str) -> tuple[int, tuple[tuple[int, Check], ...]]:
    """Return the bits of all mentions with a label, and what tells which others some have."""
    bits = PERSON if label in PERSONS else 0
    checks = find_checks(label, language)
    if label in ABBREVIATED and find_abbreviations(language):
        checks.append((ABBREVIATION, may_be_abbreviation))
    if label in PERSONS:
        checks.append((SENTENCES, may_go_over))
    if label in DATES:
        checks.append((YEAR, may_end_user_name))
    if label in AGED:
        checks.append((FINDING, partial(may_hold_finding, label=label, language=language)))
    if language in SIGNING:
        checks.append((SIGNER, partial(may_have_initials, label=label, language=language)))
    if language in LISTING:
        checks.append((LISTED, partial(may_be_listed, label=label)))
    if language in DIALLING:
        checks.append((DIALLED, partial(may_be_dialled, label=label, language=language)))
    if language in HALVING and label in DATES:
        checks.append((HALF, partial(may_be_half, label=label, language=language)))
    if language in ALIKES and label in DATES:
        checks.append((SHORT_DAY, may_be_short_day))
    if language == _SPANISH:
        if label == STREETS:
            bits |= STREET
        if label in NUMBERS:
            bits |= NUMBER
        checks.append((CENTRE, partial(may_be_centre, label=label)))
        checks.append((AGE, partial(may_be_age, label=label)))
        checks.append((TITLE, partial(may_have_title, label=label)))
        checks.append((SAID, partial(may_be_said, label=label)))
        if label in DATES:
            checks.append((DAY_LIST, may_be_day_list))
    if language == _DUTCH and label in DATES:
        checks.append((DAY_LIST, may_be_dutch))
    if language == _ENGLISH:
        if label in STAFF_AND_PATIENTS:
            checks.append((INITIALS, may_sign))
        if label in CALLED_BY_PLACE:
            bits |= STRAIN
        if label == "AGE":
            bits |= AGE
        if label == "DATE" or label in CALLED_BY_PLACE:
            checks.append((HOMONYM, partial(may_be_homonym, label=label)))
        checks.append((BORDER, partial(may_be_mended, label=label)))
    return bits, tuple(checks)
