"""Settings of breathing aids and days of a course are no dates: "BiPAP 12/6", "abx day 3/7".

Both have the shape of a day and a month. What stands before tells: an aid that is set by two
pressures or a flow and a share of oxygen, or a day of so many of a drug (English, Dutch). How
sharply somebody sees ("6/24") is asked beside them (`acuities`).
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.acuities import is_acuity, may_be_acuity

_AROUND = 32
"""Characters before a mention in which what tells begins."""

_PAIR = re.compile(r"(\d{1,2})/(\d{1,2})")
_AID = re.compile(
    r"(?<!\w)(?<!from[ ])(?<!off[ ])(?:bi-?pap|bi-?level|v-?pap|ipap/epap|"
    r"(?P<flow>hfnc|hhfnc|optiflow|airvo|vapotherm)|nippv|niv|"
    r"avaps|psv|(?-i:PS|SBT)|(?P<mode>(?-i:PCV?)))"
    r"(?:[ ]?(?:at|of|@|:|=|op|met)?|[ ](?:settings?|instelling(?:en)?)(?:[ ](?:at|of|now)|:)?|"
    r"[ ](?:(?:was|were)[ ])?(?:re)?(?:started|initiated|placed|set|titrated|up|down)[ ]"
    r"(?:at|to|@)|(?P<on>[ ]on))[ ]?\Z",
    re.IGNORECASE,
)
_SET_SO = re.compile(
    r",?[ ](?:at[ ])?(?:fi-?o2|peep|\d{2,3}[ ]?%|0?\.\d|RR[ ]?\d|rate[ ]\d)", re.IGNORECASE
)
_LEAST_OXYGEN = 21  # per cent, as in air: "HFNC 9/19" is a day
_DRUG = (
    r"(?:abx?|antibio\w*|\w{2,}cillin\w?|\w{2,}mycin\w?|cef\w{4,}|vanco?|zosyn|augmentin|unasyn|"
    r"flagyl|cipro\w*|levaquin|meropenem|steroids?|pred|prednis\w+|dexa\w*|tamiflu|remdesivir|"
    r"course|kuur)"
)
_COURSE = re.compile(rf"(?<!\w){_DRUG}[ ](?:day|dag|d)[ ]?#?\Z", re.IGNORECASE)
# The same with the letter glued to it, behind how much is given: "cefazolin 2g q8 (d4/42)".
_GLUED = re.compile(
    rf"(?<!\w)(?:{_DRUG}|\w{{3,}}(?:floxacin|azole|fungin|penem|zolid|cycline|phenicol)|fluc|taz|gent|"
    r"rocephin|teico|bactrim)(?:[ ](?!(?:on|since|from)[ ])[\w./-]{1,6}){0,3},?[ ]\(?[dD]\Z",
    re.IGNORECASE,
)


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
        # "BiPAP on 12/6" is a day where it does not go on as a setting does, and so is "PC 12/6".
        if (aid["on"] or aid["mode"]) and not _SET_SO.match(text, span.end):
            return False
        return aid["flow"] is None or whole >= _LEAST_OXYGEN
    if part > whole:
        return False
    if text[span.start - 1 : span.start] in ("d", "D"):
        return _GLUED.search(before) is not None
    return _COURSE.search(before) is not None
