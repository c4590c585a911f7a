"""Initials of who dictated, typed and measured: "LV/ca 03.03", "PG:rsb", "tech: gm", "typed wm".

A tagger finds those that it has seen so, or the first of two. Two sets of initials that a line
begins with are both persons where it ends a note or stands by its dates, or where the first set is
of a name before it; so is what is parted from initials found by a stroke or a colon, and what
stands behind the key of a typist or a technician (English).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.person_names import is_common
from scrubjay.taggers._mending.people.signed import may_sign
from scrubjay.taggers._mending.people.uncovered import Found, put_uncovered, touched_by

SOURCE, LABEL = "typist", "DOCTOR"

KEYS = (b"typ", b"tech", b"dict", b"trans", b"initial")
"""What the keys of typists and technicians begin with."""

_SIGNERS = STAFF_AND_PATIENTS | {"USERNAME"}
"""Labels that initials in a pair may have: some are a user's name as well."""

_MOST, _NEAR = 4, 400
"""Letters of initials, and characters before a pair in which the name stands that it is of."""

_PAIR = re.compile(r"(?P<first>[A-Za-z]{2,4})[/:](?P<second>[a-z]{2,3})(?P<number>\d{0,3})(?!\w)")
_BEGIN = re.compile(r"(?:\A|[\r\n])[ \t]{0,3}\Z")
# What stands behind a pair: a date, the number of a job, or the end of a text ...
_STAMP = re.compile(
    r"[ \t]{0,8}(?:#|(?i:job|doc|dd|dt|d|t)[:# ]|\d{1,2}[-/.]\d{1,2}|\d{4}|\s*\Z)"
    r"|[ \t]*\r?\n\s*(?:(?i:d|t|dd|dt|job|cc|dictated|transcribed|encl?)(?:\.?:|[ ][#\d]|\.[ ]\d))"
)
# ... or of a line.
_END = re.compile(r"[ \t]*(?:[\r\n]|\Z)")
_CAPITAL = re.compile(r"(?<![^\W_])[A-ZÀ-ÖØ-Þ](?=[.\w])")
_AFTER, _BEFORE = (
    re.compile(r"[/:](?P<other>[A-Za-z]{2,3})\d{0,3}(?![\w/:@.-]\w|\w)"),
    re.compile(r"(?<![\w/:.@-])(?P<other>[A-Za-z]{2,3})[/:]\Z"),
)
_KEYED = re.compile(
    r"(?i:typed(?:[ ]by)?|typist|tech(?:nician|nologist)?|dict(?:ated)?(?:[ ]by)?|initials|"
    r"trans(?:cribed)?(?:[ ]by)?|transcriptionist)(?:[ ]?(?P<sign>[:=-])[ ]{0,2}|[ ]{1,2})"
    r"(?P<who>[A-Z]{2,3}|[a-z]{2,3})(?![\w/'’:&-]|[ ][A-Z][a-z])"
)
_METHODS = frozenset([
    "ct", "us", "mr", "xr", "nm", "ir", "pt", "ot", "rt", "st", "rn", "pa", "np", "md", "do",
    "na", "no", "ok", "by", "in", "to", "is", "at", "as", "icu", "ccu", "osh", "ox", "iv", "rx",
    "op", "cxr",
])  # fmt: skip
# Systems, tests and diseases that a line begins with two of: "UA/cx 3/4", "PE:nad", "DM/htn".
_CLINICAL = frozenset([
    "cv", "gi", "gu", "pe", "ent", "ext", "resp", "neuro", "abd", "msk", "heme", "ros", "hpi",
    "dm", "htn", "tb", "hiv", "hd", "pd", "po", "npo", "ns", "lr", "ua", "ucx", "bcx", "cx", "bc",
    "bmp", "cmp", "cbc", "lft", "lfts", "inr", "ptt", "ct", "cta", "cxr", "xr", "kub", "us", "mri",
    "mra", "pet", "ekg", "ecg", "eeg", "emg", "rom", "cap", "rrr", "nad", "wnl", "ctab",
    "nl", "cad", "chf", "copd", "ckd", "esrd", "gerd", "hld", "osa", "afib",
    "uti", "pna", "dvt", "cva", "tia", "icu", "ccu", "iv", "rx", "tx", "dx", "hx", "sx", "fx",
    "icd", "cpt", "vs", "bp", "sats", "fen", "ppx", "dnr", "dni",
])  # fmt: skip
_NO_TYPISTS = frozenset([
    "auto", "plan", "lat", "neg", "pos", "med", "inf", "sup", "ant", "post", "imp", "her", "him",
    "she", "his", "not", "but", "yes", "wt", "sex", "age", "day",
])  # fmt: skip


def add_typists(
    text: str,
    spans: Sequence[Span],
    *,
    pairs: Iterable[int] | None = None,
    keys: Iterable[int] | None = None,
) -> tuple[Span, ...]:
    """Return the spans of a text with the initials of those who dictated and typed it.

    `pairs` are places of a stroke or a colon, `keys` those where a key begins, both sorted; None
    is all. What was covered stays; spans are sorted and disjoint, and stay so.
    """
    everywhere = range(len(text))
    rows = list(spans)
    put_uncovered(rows, _paired(text, tuple(spans), everywhere if pairs is None else pairs), SOURCE)
    put_uncovered(rows, _keyed(text, everywhere if keys is None else keys), SOURCE)
    put_uncovered(rows, list(_beside(text, rows)), SOURCE)
    return tuple(rows)


def _paired(text: str, spans: tuple[Span, ...], places: Iterable[int]) -> Iterator[Found]:
    for place in places:
        start = place
        while start and place - start < _MOST and text[start - 1].isalpha():
            start -= 1
        pair = _PAIR.match(text, start)
        if (
            pair is None
            or pair.end("first") != place
            or not _BEGIN.search(text, max(0, start - 4), start)
        ):
            continue
        is_last, is_stamped = (
            expression.match(text, pair.end()) is not None for expression in (_END, _STAMP)
        )
        if not (is_last or is_stamped):
            continue
        rows = [touched_by(spans, *pair.span(name)) for name in ("first", "second")]
        if any(row is not None and row.label not in _SIGNERS for row in rows):
            continue
        is_pair = any(rows) and _may_stand(pair["first"]) and _may_stand(pair["second"])
        if not is_pair and _may_pair(pair["first"], pair[0], stamped=is_stamped and not is_last):
            is_pair = is_stamped or _has_name(text, spans, start, pair["first"])
        if is_pair:
            yield *pair.span("first"), LABEL
            yield *pair.span("second"), LABEL


@text_cache(2048)
def _may_pair(first: str, pair: str, *, stamped: bool) -> bool:
    """Tell whether a line may begin with two sets of initials.

    Before a date or a number on it the second may be an everyday word: "LV/ca 03.03".
    """
    second = pair[len(first) + 1 :].rstrip("0123456789")
    if {first.lower(), second} & _NO_TYPISTS or _CLINICAL.issuperset((first.lower(), second)):
        return False
    if is_common(second, "en") and not (stamped and pair[len(first)] == "/"):
        return False
    if first.isupper():
        return look_up(find_lexicon("en.credentials"), first.lower()) is None
    return may_sign(first) and may_sign(second)


def _has_name(text: str, spans: Sequence[Span], place: int, initials: str) -> bool:
    """Tell whether a name that is found before a place begins and ends with such initials."""
    wanted = initials.upper()
    for span in reversed(spans):
        if span.end > place or span.label not in STAFF_AND_PATIENTS:
            continue
        if span.start < place - _NEAR:
            return False
        letters = _CAPITAL.findall(text, span.start, span.end)
        if len(letters) > 1 and letters[0] == wanted[0] and letters[-1] == wanted[-1]:
            return True
    return False


def _keyed(text: str, places: Iterable[int]) -> Iterator[Found]:
    for place in places:
        if place and (text[place - 1].isalnum() or text[place - 1] == "_"):
            continue
        key = _KEYED.match(text, place)
        if (
            key is not None
            and key["who"].lower() not in _METHODS
            and (may_sign(key["who"]) or (key["sign"] == ":" and _is_short(key["who"])))
        ):
            yield *key.span("who"), LABEL


def _is_short(word: str) -> bool:
    """Tell whether a word is two small letters, which behind a colon are no unit."""
    return len(word) == 2 and word.islower()


def _beside(text: str, spans: Sequence[Span]) -> Iterator[Found]:
    """Yield what a stroke or a colon parts from initials that are found."""
    for span in spans:
        start, end = span.start, span.end
        if end - start > _MOST or span.label not in STAFF_AND_PATIENTS:
            continue
        after = text[end : end + 1] in ("/", ":")
        before = text[start - 1 : start] in ("/", ":")
        if not (after or before) or not may_sign(text[start:end]):
            continue
        if after and (other := _AFTER.match(text, end)) and _is_other(other["other"]):
            yield *other.span("other"), LABEL
        if before and (
            (other := _BEFORE.search(text, max(0, start - _MOST - 2), start))
            and _is_other(other["other"])
        ):
            yield *other.span("other"), LABEL


@text_cache(2048)
def _may_stand(word: str) -> bool:
    """Tell whether a word is no everyday one and no credential beside initials that are found."""
    lower = word.lower()
    return (
        word in (lower, word.upper())
        and (word.isupper() or (lower not in _NO_TYPISTS and not is_common(lower, "en")))
        and look_up(find_lexicon("en.credentials"), lower) is None
    )


@text_cache(2048)
def _is_other(word: str) -> bool:
    lower = word.lower()
    return (
        lower not in _NO_TYPISTS
        and word in (lower, word.upper())
        and not is_common(lower, "en")
        and look_up(find_lexicon("en.credentials"), lower) is None
        and (word.islower() or lower not in protected_terms("en", spared=True))
    )
