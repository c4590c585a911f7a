"""Settings of breathing aids and days of a course are no dates: "BiPAP 12/6", "abx day 3/7".

Both have the shape of a day and a month. What stands before tells: an aid that is set by two
pressures or a flow and a share of oxygen, or a day of so many of a drug (English, Dutch). So
have spells of days and months ("every 5/7", "4/12 history of"), and of hours where the text looks
not American ("1 g 6/24"); how sharply somebody sees ("6/24") is asked beside them (`_acuities`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scrubjay.document import Span
from scrubjay.taggers._acuities import is_acuity, may_be_acuity
from scrubjay.taggers._durations import DATES
from scrubjay.taggers._origins import looks_not_american

_AROUND = 32
"""Characters before a mention in which what tells begins."""

_PAIR = re.compile(r"(\d{1,2})/(\d{1,2})")
_AID = re.compile(
    r"(?<!\w)(?<!from[ ])(?<!off[ ])(?:bi-?pap|bi-?level|v-?pap|ipap/epap|"
    r"(?P<flow>hfnc|hhfnc|optiflow|airvo|vapotherm)|nippv|niv|"
    r"avaps|psv|(?-i:PS|SBT))[ ]?(?:at|on|of|@|:|=|op|met)?[ ]?\Z",
    re.IGNORECASE,
)
_LEAST_OXYGEN = 21  # per cent, as in air: "HFNC 9/19" is a day
_COURSE = re.compile(
    r"(?<!\w)(?:abx?|antibio\w*|\w{2,}cillin\w?|\w{2,}mycin\w?|cef\w{4,}|vanco?|zosyn|augmentin|unasyn|"
    r"flagyl|cipro\w*|levaquin|meropenem|steroids?|pred|prednis\w+|dexa\w*|tamiflu|remdesivir|"
    r"course|kuur)[ ](?:day|dag|d)[ ]?#?\Z",
    re.IGNORECASE,
)

# Spells of days, months and hours as they are written outside America, and fifths of a head.
_SPELL_BEFORE = re.compile(
    r"(?<!\w)(?:every|(?:over|during|in|for)[ ](?:the[ ])?(?:last|past|next)|"
    r"(?:od|bd|tds|qds|mane|nocte|daily|\dmg|mg|mcg|ml)[ ](?:for|x)|(?-i:od|bd|tds|qds))[ ]\Z",
    re.IGNORECASE,
)
_SPELL_AFTER = re.compile(r"[ ](?:history|hx)[ ]of(?!\w)|[ ]h/o(?!\w)", re.IGNORECASE)
_SPELLS = frozenset({7, 12, 24, 52})
_DOSE = re.compile(r"\d[ ]?(?:m?g|mcg|ml|mL)[ ]\Z")
_BETWEEN_DOSES, _HOURS = frozenset({2, 3, 4, 6, 8, 12}), 24
_ENGAGED = re.compile(r"(?<!\w)(?:(?:head|vertex|ceph\w*)[ ,]{1,2})?(?:engaged|palp\w*)[ ]\Z", re.I)
_FIFTHS = 5


def spare_settings(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of a text but dates that are settings, courses, spells or acuities."""
    for span in spans:
        may_be = span.label in DATES and may_be_setting(text[span.start : span.end])
        if not (may_be and is_setting(text, span)):
            yield span


def may_be_setting(mention: str) -> bool:
    """Tell whether a mention is of two small numbers or an acuity, wherever it stands."""
    return _PAIR.fullmatch(mention) is not None or may_be_acuity(mention)


def is_setting(text: str, span: Span) -> bool:
    """Tell whether a mention of two numbers is a setting, a day of a course or an acuity."""
    if is_acuity(text, span):
        return True
    before = text[max(0, span.start - _AROUND) : span.start]
    pair, aid = _PAIR.fullmatch(text, span.start, span.end), _AID.search(before)
    if pair is None:
        return False
    part, whole = int(pair[1]), int(pair[2])
    if aid is not None:
        return aid["flow"] is None or whole >= _LEAST_OXYGEN
    if part <= whole and _COURSE.search(before):
        return True
    return _is_spell(text, span, part, whole, before)


def _is_spell(text: str, span: Span, part: int, whole: int, before: str) -> bool:
    """Tell whether two numbers are a spell of time, or how much of a head is engaged."""
    if whole in _SPELLS and (_SPELL_BEFORE.search(before) or _SPELL_AFTER.match(text, span.end)):
        return True
    if whole == _HOURS:
        told = part in _BETWEEN_DOSES and _DOSE.search(before) is not None
        return told and looks_not_american(text)  # "Lasix 40 mg 6/24" is a day there
    return whole == _FIFTHS and part <= whole and _ENGAGED.search(before) is not None
