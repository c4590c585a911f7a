"""Everyday words that a tagger takes for a date or a name are spared where their neighbours tell.

"s/p fall off a ladder" names no season, "May 2 tabs" no day, "A PLEASANT 72 YEAR OLD" nobody:
capitals throughout hide what a capital letter would tell. Only what no date and no name can stand
beside decides. "Ht 136.2 (25th)" is no day either, but a percentile (English).
"""

from __future__ import annotations

import re
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.person_names import rank_of

_AROUND = 40
"""Characters on each side of a span that are looked at."""

_FALL = re.compile(r"fall(?:[ ](?:on[ ])?|\Z)", re.IGNORECASE)
_SEASON = re.compile(
    r"(?<!\w)(?:in|last|this|next|since|until|till?|by|each|every|through|during|over|late|early|"
    r"that|before|following|previous)(?:[ ]the)?[ ]\Z",
    re.IGNORECASE,
)
_TUMBLE_BEFORE = re.compile(
    r"(?:(?<!\w)(?:s/p|status[ ]post|after|post|an?|(?:un)?-?witnessed|mechanical|level|standing|"
    r"recent|syncopal|accidental|another|second|no|any|had|denies|\d+)[ -]|s/p)\Z",
    re.IGNORECASE,
)
_TUMBLE_AFTER = re.compile(
    r"[ ](?:(?:from|off|down|onto|against|out)(?![ ](?:19|20|21)\d\d)|risk|precautions?|hazard|"
    r"asleep|on[ ](?:ice|stairs?|steps)|in[ ](?:the[ ])?(?:tub|shower|bath|bathroom|kitchen))"
    r"(?!\w)",
    re.IGNORECASE,
)
_TERM = re.compile(
    r"[ ](?:of[ ])?(?:['’]?\d\d|(?:19|20|21)\d\d)(?!\w)|"
    r"[ ](?:(?:half-)?term|semester|break|quarter|class)\b",
    re.IGNORECASE,
)

_PERMITTED = re.compile(r"may[ ]\d{1,2}", re.IGNORECASE)
_MAY = ("May", "MAY", "may")
# What a patient may do, or may be done to them.
_PERMISSION = re.compile(
    r"[ ](?:also[ ]|now[ ]|not[ ])?(?:d/c|dc|discharge|go|shower|resume|take|have|eat|drive|drink|"
    r"return|need|require|use|benefit|consider|advance|ambulate|bathe|remove|leave|transfer|lift|"
    r"bear|wean|repeat|be|get|restart|hold|stop|give|f/u|follow|call|try|still|yet|well)(?!\w)",
    re.IGNORECASE,
)
_IN_MAY = re.compile(r"(?<!\w)(?:in|since|until|till?|by|last|next|this|early|late|of)[ ]\Z", re.I)
_OFTEN = 4
"""The class up to which an everyday word is a name."""

_ON_DAY = re.compile(
    r"(?<!\w)(?:on|since|until|till?|from|by|due|started|seen)[ ]\Z", re.IGNORECASE
)
_DOSE = re.compile(
    r"[ ]?(?:tab(?:let)?s?|puffs?|cap(?:sule)?s?|drops?|pills?|units?|sprays?|mg|mcg|ml)(?!\w)",
    re.IGNORECASE,
)

_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
# Behind what was measured, and before what it is a percentile of.
_GROWN_BEFORE = re.compile(r"\d(?:[ ]?(?:cm|kg|g|in|lbs?))?[ ]\(\Z")
_GROWN_AFTER = re.compile(
    r"[ ]?(?:%|(?:per)?centile|for[ ](?:height|weight|length|bmi|age|ofc|hc|head))", re.IGNORECASE
)
_LAST_DAY = 31

_ARTICLE = re.compile(r"(?<!\w)an?[ ](?:(?:very|most|quite)[ ])?\Z", re.IGNORECASE)
_OWN_ARTICLE = re.compile(r"an?[ ]", re.IGNORECASE)
_SOMEBODY = re.compile(
    r",?[ ](?:\d{1,3}(?:[ -]?y(?:ears?|rs?|/?o)\b|[ -]?[mf]\b)|(?:elderly|young|white|black|frail|"
    r"thin|obese|old|older)[ ]|(?:wo)?man\b|(?:fe)?male\b|lady\b|gentleman\b)",
    re.IGNORECASE,
)

# Strains go by the place where they were found: "B/Yamagata", "Salmonella Dublin".
_FLU = re.compile(r"(?<!\w)(?:influenza|flu)(?!\w)[^\n.;]{0,24}(?<!\w)[AB]/\Z", re.IGNORECASE)
_SEROVAR = re.compile(r"Salmonella(?:[ ]enterica)?(?:[ ]serovar)?(?:[ ]|\Z)")
_GENUS = "Salmonella"
_TITLES = re.compile(
    r"(?:non-?urgent medical|prescription|test results?|visit follow-?up|billing) question",
    re.IGNORECASE,
)
CALLED_BY_PLACE = STAFF_AND_PATIENTS | {
    "CITY",
    "STATE",
    "LOCATION-OTHER",
    "ORGANIZATION",
    "HOSPITAL",
}


def may_be_homonym(mention: str, label: str) -> bool:
    """Tell whether a mention may be an everyday word, wherever it stands."""
    if label == "DATE":
        if mention[:1].isdecimal():
            return _ORDINAL.fullmatch(mention) is not None
        if mention[:1] not in "mMfF":
            return False
        return (
            mention in _MAY
            or _PERMITTED.fullmatch(mention) is not None
            or _FALL.match(mention) is not None
        )
    return label in CALLED_BY_PLACE and (
        (mention[-1:] in "nN" and _TITLES.fullmatch(mention) is not None)
        or (label in STAFF_AND_PATIENTS and _is_description(mention, has_article=True))
    )


def tells_of_strains(text: str) -> bool:
    """Tell whether a text may tell of strains of a germ that are called by a place, anywhere."""
    return _GENUS in text


def may_be_strain(text: str, start: int, end: int) -> bool:
    """Tell whether a mention, or a part of it, may be a strain in a text that tells of none."""
    return "/" in text[start - 1 if start else 0 : end]


def spare_homonym(text: str, span: Span) -> tuple[Span, ...]:
    """Return what is left of a span: all of it, a date behind a fall, or nothing.

    Everyday words in capitals between "a" and the age or sex of somebody are no names, nor are
    strains of a germ that are called by a place, and the titles that portals give to messages.
    """
    if span.label == "DATE":
        start = _date_start(text, span)
        if start == span.start:
            return (span,)
        return (replace(span, start=start),) if start < span.end else ()
    is_none = span.label in CALLED_BY_PLACE and (
        _is_strain(text, span)
        or _TITLES.fullmatch(text, span.start, span.end) is not None
        or (span.label in STAFF_AND_PATIENTS and _describes(text, span))
    )
    return () if is_none else (span,)


def _date_start(text: str, span: Span) -> int:
    """Return where a date begins behind a fall that is no season, or its end if it is none at all.

    "May 2 tabs" is a dose, too, and "8.4 (25th)" a percentile.
    """
    if (ordinal := _ORDINAL.fullmatch(text, span.start, span.end)) is not None:
        is_percentile = (
            int(ordinal[1]) > _LAST_DAY
            or _GROWN_AFTER.match(text, span.end)
            or (
                text[span.end : span.end + 1] == ")"
                and _GROWN_BEFORE.search(text, max(0, span.start - _AROUND), span.start)
            )
        )
        return span.end if is_percentile else span.start
    if (
        _PERMITTED.fullmatch(text, span.start, span.end)
        and _DOSE.match(text, span.end)
        and not _ON_DAY.search(text[max(0, span.start - _AROUND) : span.start])
    ):
        return span.end
    if text[span.start : span.end] in _MAY and _PERMISSION.match(text, span.end):
        before = text[max(0, span.start - _AROUND) : span.start]
        return span.start if _IN_MAY.search(before) else span.end
    fall = _FALL.match(text, span.start, span.end)
    if fall is None:
        return span.start
    before = text[max(0, span.start - _AROUND) : span.start]
    after = text[span.start + len("fall") : span.end + _AROUND]
    if _SEASON.search(before) or _TERM.match(after):
        return span.start
    is_tumble = _TUMBLE_BEFORE.search(before) or _TUMBLE_AFTER.match(after)
    return fall.end() if is_tumble else span.start


def _describes(text: str, span: Span) -> bool:
    """Tell whether everyday words in capitals stand between an article and an age or sex.

    None may be a first name, nor two of them surnames: "A GRACE WHITE 72 YEAR OLD".
    """
    mention = text[span.start : span.end]
    if _SOMEBODY.match(text[span.end : span.end + _AROUND]) is None:
        return False
    before = text[max(0, span.start - _AROUND) : span.start]
    return _is_description(mention, has_article=_ARTICLE.search(before) is not None)


def _is_description(mention: str, *, has_article: bool) -> bool:
    """Tell whether a mention is of such words; it `has_article` before it or holds one."""
    if not mention.isupper():
        return False
    article = _OWN_ARTICLE.match(mention)
    if article is None and not has_article:
        return False
    words = mention[article.end() if article else 0 :].split()
    common = find_lexicon("en.common")
    if not words or any(look_up(common, word) is None for word in words):
        return False
    firsts = [_name_class("first-names", word) for word in words]
    lasts = [_name_class("surnames", word) for word in words]
    return min(firsts) > _OFTEN and (len(words) == 1 or min(lasts) > _OFTEN)


def _name_class(kind: str, word: str) -> int:
    """Return how frequent a word is as a name, from 1 up, 9 for one that is none."""
    return rank_of(kind, word, "en") or 9


def _is_strain(text: str, span: Span) -> bool:
    """Tell whether a mention of one word names a strain, alone or with its genus before it."""
    near = text[max(0, span.start - _AROUND) : span.end]
    if text[max(0, span.start - 1) : span.start] != "/" and _GENUS not in near:
        return False  # most mentions are not worth a closer look
    genus = _SEROVAR.match(text, span.start, span.end)
    if len(text[genus.end() if genus else span.start : span.end].split()) > 1:
        return False
    before = text[max(0, span.start - _AROUND) : span.start]
    return bool(
        genus
        or _FLU.search(before)
        or any(match.end() == len(before) for match in _SEROVAR.finditer(before))
    )
