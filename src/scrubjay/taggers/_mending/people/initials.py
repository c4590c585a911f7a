"""Initials of who dictated, typed, measured and signed: "LV/ca 03.03", "PG:rsb", "tech: gm".

A tagger finds those that it has seen so, or the first of two. Two sets of initials that a line
begins with are both persons where it ends a note or stands by its dates, or where one of them is
found or is of a name before it; so is what is parted from initials found by a stroke or a colon,
and what stands behind the key of a typist or a technician. Initials that are found sign other
entries, too, at the ends of their lines (English).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.person_names import is_common
from scrubjay.taggers._mending.uncovered import Found, put_uncovered, touched_by
from scrubjay.text.occurrences import places_of

SOURCE, LABEL = "initials", "DOCTOR"
LABELS = frozenset({LABEL})

KEYS = ("typ", "tech", "dict", "trans", "initial")
"""What the keys of typists and technicians begin with."""

_SIGNERS = STAFF_AND_PATIENTS | {"USERNAME"}
"""Labels that initials in a pair may have: some are a user's name as well."""

_FEWEST, _MOST, _NEAR = 2, 4, 400
"""Letters of initials, and characters before a pair in which the name stands that it is of."""

_PAIR = re.compile(
    r"(?P<first>[A-Z]{2,4}|[a-z]{2,4})(?P<sign>[/:])(?P<second>[a-z]{2,3})\d{0,3}(?!\w)"
)
_BEGIN = re.compile(r"(?:\A|[\r\n])[ \t]{0,3}\Z")
# What stands behind a pair: a date, the number of a job, or the end of a text ...
_STAMP = re.compile(
    r"[ \t]{0,8}(?:#|(?i:job|doc|dd|dt|d|t)[:# ]|\d{1,2}[-/.]\d{1,2}|\d{4}|\s*\Z)"
    r"|[ \t]*\r?\n\s*(?:(?i:d|t|dd|dt|job|cc|dictated|transcribed|encl?)(?:\.?:|[ ][#\d]|\.[ ]\d))"
)
# ... or of a line.
LINE_END = re.compile(r"[ \t]*\.?[ \t]*(?:[\r\n]|\Z)")
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
# Methods, places and findings that are in no list of terms.
_NOBODY = frozenset([
    "ct", "us", "mr", "xr", "nm", "ir", "pt", "ot", "rt", "st", "na", "ok", "iv", "rx", "icu",
    "ccu", "osh", "ox", "op", "cxr", "auto", "lat", "neg", "pos", "imp", "wt", "nad", "wnl", "rrr",
    "cx", "ht", "ext", "gp", "am", "pm",
])  # fmt: skip
_AT_END = (" ", "\t", "\n", ".", "")
"""What stands before initials at the end of a line."""


@text_cache(4096)
def may_sign(mention: str, language: str = "en") -> bool:
    """Tell whether a word is initials of somebody, as far as its letters tell."""
    lower = mention.lower()
    return (
        _FEWEST <= len(mention) <= _MOST
        and mention.isalpha()
        and mention in (lower, mention.upper())
        and lower not in _NOBODY
        and not is_common(lower, language)
        and lower not in protected_terms(language, spared=True)
        and not is_listed(lower, "en.credentials")
    )


def add_initials(
    text: str, spans: Sequence[Span], *, pairs: Iterable[int], keys: Iterable[int]
) -> tuple[Span, ...]:
    """Return the spans of a text with the initials of those who dictated, typed and signed it.

    `pairs` are places of a stroke or a colon, `keys` those where a key begins, both sorted. What
    was covered stays; spans are sorted and disjoint, and stay so.
    """
    rows = list(spans)
    put_uncovered(rows, _paired(text, tuple(spans), pairs), SOURCE)
    put_uncovered(rows, _keyed(text, keys), SOURCE)
    put_uncovered(rows, list(_beside(text, rows)), SOURCE)
    put_uncovered(rows, list(_signed(text, rows)), SOURCE)
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
            or not _BEGIN.search(text, max(0, start - _MOST), start)
        ):
            continue
        is_last, is_stamped = (
            expression.match(text, pair.end()) is not None for expression in (LINE_END, _STAMP)
        )
        rows = [touched_by(spans, *pair.span(name)) for name in ("first", "second")]
        if any(row is not None and row.label not in _SIGNERS for row in rows):
            continue
        if not any(rows) and _are_terms(pair["first"].lower(), pair["second"]):
            continue
        is_told = is_stamped or (
            is_last and (any(rows) or _has_name(text, spans, start, pair["first"]))
        )
        # Before a date the second may be an everyday word: "LV/ca 03.03".
        is_dated = is_stamped and not is_last and pair["first"].isupper() and pair["sign"] == "/"
        if is_told and _may_begin(pair["first"]) and _may_follow(pair["second"], dated=is_dated):
            yield *pair.span("first"), LABEL
            yield *pair.span("second"), LABEL


@text_cache(2048)
def _may_begin(word: str) -> bool:
    """Tell whether a word may be the first of two sets of initials: in capitals most may."""
    if word.islower():
        return may_sign(word)
    lower = word.lower()
    return lower not in _NOBODY and not is_listed(lower, "en.credentials")


def _are_terms(*words: str) -> bool:
    """Tell whether all words are clinical: "DM/htn" is nobody."""
    return all(word in protected_terms("en", spared=True) for word in words)


@text_cache(2048)
def _may_follow(word: str, *, dated: bool) -> bool:
    """Tell whether a word may be initials beside others: small ones may be a term as well."""
    if not word.islower():
        return may_sign(word)
    return (dated or not is_common(word, "en")) and _may_begin(word.upper())


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
        # Two small letters behind a colon are no unit.
        if key is not None and (
            may_sign(key["who"]) or (key["sign"] == ":" and _may_stand(key["who"]))
        ):
            yield *key.span("who"), LABEL


@text_cache(2048)
def _may_stand(word: str) -> bool:
    """Tell whether a word is two small letters that are no method, place or credential."""
    return len(word) == _FEWEST and word.islower() and _may_begin(word.upper())


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
        floor = max(0, start - _MOST - 2)
        for other in (
            _AFTER.match(text, end) if after else None,
            _BEFORE.search(text, floor, start) if before else None,
        ):
            if other is not None and _may_follow(other["other"], dated=False):
                yield *other.span("other"), LABEL


def _signed(text: str, spans: Sequence[Span]) -> Iterator[Found]:
    """Yield initials that are found where they stand at the ends of lines."""
    signers: dict[str, str] = {}
    for span in spans:
        if span.label in STAFF_AND_PATIENTS and span.end - span.start <= _MOST:
            mention = text[span.start : span.end]
            if may_sign(mention):
                signers.setdefault(mention, span.label)
    for initials, label in signers.items():
        for place in places_of(initials, text):
            end = place + len(initials)
            if text[max(0, place - 1) : place] in _AT_END and LINE_END.match(text, end):
                yield place, end, label
