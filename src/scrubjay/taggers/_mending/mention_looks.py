"""What a mention alone says of mending: which steps may change it, wherever it stands.

Nearly all mentions are changed by none of the steps, and for most of them their letters and their
label tell so. What they tell is worked out once for each mention, and remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from scrubjay.caching import text_cache
from scrubjay.taggers._mending.borders import may_be_mended
from scrubjay.taggers._mending.by_place import DOUBTED, may_be_by_place
from scrubjay.taggers._mending.by_place import PLACES as CALLING
from scrubjay.taggers._mending.capitals import ABBREVIATED, find_abbreviations, may_be_abbreviation
from scrubjay.taggers._mending.clauses import PROFESSION, may_be_parted
from scrubjay.taggers._mending.clock_logs import may_be_log_time
from scrubjay.taggers._mending.clock_times import PHONES, may_be_time
from scrubjay.taggers._mending.day_ranges import may_end_range
from scrubjay.taggers._mending.durations import is_dateless, may_be_duration
from scrubjay.taggers._mending.eponyms import LABELS as EPONYMOUS
from scrubjay.taggers._mending.eponyms import may_stand_so
from scrubjay.taggers._mending.functions import LABELS as FUNCTIONS
from scrubjay.taggers._mending.functions import may_be_function
from scrubjay.taggers._mending.handles import may_be_handle
from scrubjay.taggers._mending.headers import HEADED, may_be_header
from scrubjay.taggers._mending.homonyms import CALLED_BY_PLACE, may_be_homonym
from scrubjay.taggers._mending.lab_values import may_be_lab_value
from scrubjay.taggers._mending.label_groups import DATES, PERSONS, STAFF_AND_PATIENTS
from scrubjay.taggers._mending.measures import CALLED, may_be_measure
from scrubjay.taggers._mending.morbus import may_be_disease
from scrubjay.taggers._mending.named_after import NAMED, may_be_clinic
from scrubjay.taggers._mending.no_rooms import ROOMS, may_be_no_room
from scrubjay.taggers._mending.no_years import may_be_no_year
from scrubjay.taggers._mending.number_runs import RUNS, may_be_run
from scrubjay.taggers._mending.plan_words import HOSPITALS, SIGNED, may_be_plan_word
from scrubjay.taggers._mending.portions import may_be_portion
from scrubjay.taggers._mending.results import NUMBERS, may_be_result
from scrubjay.taggers._mending.roads import PLACES, STAFF, may_run_over
from scrubjay.taggers._mending.rosters import may_be_roster
from scrubjay.taggers._mending.said import is_lone_title, may_be_said
from scrubjay.taggers._mending.secrets import may_be_secret
from scrubjay.taggers._mending.settings import may_be_setting
from scrubjay.taggers._mending.sex_marks import may_hold_sex
from scrubjay.taggers._mending.shares import may_be_share
from scrubjay.taggers._mending.signed import may_sign
from scrubjay.taggers._mending.so_words import may_be_so
from scrubjay.taggers._mending.spared import may_be_score
from scrubjay.taggers._mending.spells import may_be_spell
from scrubjay.taggers._mending.street_values import STREETS
from scrubjay.taggers._mending.wares import WARES

Check = Callable[[str], bool]

Look = Callable[[str, str], int]
"""Mention and label -> bits of the steps that may change it, and `PERSON` and `STRAIN`."""

PERSON, STRAIN = 1, 2
"""Bits of a mention that is a person's, and of one that may name a strain in some texts."""

ABBREVIATION, CLAUSE, RESULT, HEADER, SCORE = 4, 8, 16, 32, 64
DURATION, DATELESS, HOMONYM, MEASURE, BORDER = 128, 256, 512, 1024, 2048
WARE, LAB_VALUE, NAMED_AFTER, STREET = 4096, 8192, 16384, 32768
PLAN_WORD, DISEASE, CLOCK, SETTING, ROSTER = 65536, 131072, 262144, 524288, 1048576
SAID, LONE_TITLE, SPELL, HANDLE = 2097152, 4194304, 8388608, 16777216
SECRET, EPONYM, SHARE = 33554432, 67108864, 134217728
NUMBER_RUN, LOG_TIME, NO_ROOM, FUNCTION = 268435456, 536870912, 1073741824, 2147483648
SO_WORD, DAY_RANGE, INITIALS, SEX_MARK = 4294967296, 8589934592, 17179869184, 34359738368
PORTION, NO_YEAR, ROAD, BY_PLACE = 68719476736, 137438953472, 274877906944, 549755813888

#: Steps that take a single mention for itself, whatever its text holds besides.
STEPS = (
    ABBREVIATION | CLAUSE | RESULT | HEADER | SCORE | DURATION | DATELESS | HOMONYM | MEASURE
    | WARE | LAB_VALUE | NAMED_AFTER | STREET | PLAN_WORD
    | DISEASE | CLOCK | SETTING | LONE_TITLE | SPELL | EPONYM
    | SHARE | NUMBER_RUN | LOG_TIME | NO_ROOM | FUNCTION | SO_WORD | SEX_MARK
    | PORTION | NO_YEAR | ROAD | BY_PLACE
)  # fmt: skip

_KEPT = 32_768
"""Mentions that are remembered."""

_WITH_WARES = ("en", "nl")  # whose keys of catalogues are known here
_WITHOUT_SCORES = ("en", "nl")  # of which months are known here
_DUTCH = "nl"  # whose patterns take any number of years for an age, and "M." for an initial
_SPANISH = "es"  # whose rules were seen to take keys for dates, and eponyms for names
_WITH_LAYOUT = "en"  # the one whose layout, titles and everyday words are known here


@cache
def find_look(language: str) -> Look:
    """Return the look for a language."""

    @text_cache(_KEPT)
    def look(mention: str, label: str) -> int:
        bits, checks = _find_checks(label, language)
        for bit, check in checks:
            if check(mention):
                bits |= bit
        return bits

    return look


@cache
def _find_checks(label: str, language: str) -> tuple[int, tuple[tuple[int, Check], ...]]:
    """Return the bits of all mentions with a label, and what tells which others some have."""
    bits = PERSON if label in PERSONS else 0
    if label in WARES and language in _WITH_WARES:
        bits |= WARE
    checks: list[tuple[int, Check]] = [(ROSTER, partial(may_be_roster, language=language))]
    if label in ABBREVIATED and find_abbreviations(language):
        checks.append((ABBREVIATION, may_be_abbreviation))
    if label == PROFESSION:
        checks.append((CLAUSE, may_be_parted))
    if label in DATES or label in NUMBERS:
        checks.append((RESULT, partial(may_be_result, label=label)))
    if label in DATES:
        checks.append((DAY_RANGE, may_end_range))
    if label in HEADED:
        checks.append((HEADER, partial(may_be_header, language=language)))
    if label in DATES and language == _SPANISH:
        checks.append((DATELESS, partial(is_dateless, language=language)))
    if language in _WITHOUT_SCORES:
        checks.append((LAB_VALUE, may_be_lab_value))
        checks.append((SEX_MARK, partial(may_hold_sex, label=label)))
    if language == _SPANISH:
        if label in NAMED:
            bits |= NAMED_AFTER
        if label in STREETS:
            bits |= STREET
        checks.append((NAMED_AFTER, partial(may_be_clinic, label=label)))
        checks.append((SAID, partial(may_be_said, label=label)))
        checks.append((HANDLE, may_be_handle))
        checks.append((SECRET, partial(may_be_secret, label=label)))
        checks.append((LONE_TITLE, partial(is_lone_title, label=label)))
    if label == "DATE" and language in _WITHOUT_SCORES:
        checks.append((SCORE, may_be_score))
        checks.append((SETTING, may_be_setting))
    if label in EPONYMOUS and language == _DUTCH:
        checks.append((EPONYM, may_stand_so))
    if label == "NAME" and language == _DUTCH:
        checks.append((DISEASE, may_be_disease))
    if label in PHONES and language == _DUTCH:
        checks.append((CLOCK, may_be_time))
    if label == "DATE" and language == _DUTCH:
        checks += [(SHARE, may_be_share), (LOG_TIME, may_be_log_time), (SO_WORD, may_be_so)]
    if label in ROOMS and language == _DUTCH:
        checks.append((NO_ROOM, may_be_no_room))
    if label in FUNCTIONS and language == _DUTCH:
        checks.append((FUNCTION, may_be_function))
    if label in RUNS and language == _DUTCH:
        checks.append((NUMBER_RUN, partial(may_be_run, label=label)))
    if label == "AGE" and language == _DUTCH:
        checks.append((DURATION, may_be_duration))
    if language == _WITH_LAYOUT:
        if label in STAFF_AND_PATIENTS:
            checks.append((INITIALS, may_sign))
        if label == "DATE":
            checks.append((SPELL, may_be_spell))
            checks += [(PORTION, may_be_portion), (NO_YEAR, may_be_no_year)]
        if label in PLACES or label in STAFF:
            checks.append((ROAD, partial(may_run_over, label=label)))
        if label in CALLING or label in DOUBTED:
            checks.append((BY_PLACE, partial(may_be_by_place, label=label)))
        if label in CALLED_BY_PLACE:
            bits |= STRAIN
        if label == "DATE" or label in CALLED_BY_PLACE:
            checks.append((HOMONYM, partial(may_be_homonym, label=label)))
        if label == "AGE" or label in CALLED:
            checks.append((MEASURE, partial(may_be_measure, label=label)))
        if label in SIGNED or label in HOSPITALS:
            checks.append((PLAN_WORD, may_be_plan_word))
        checks.append((BORDER, partial(may_be_mended, label=label)))
    return bits, tuple(checks)
