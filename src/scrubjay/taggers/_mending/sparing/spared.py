"""Clinical terms that a model takes for PHI with doubt are spared.

A model that is sure of a span keeps it: "Murphy" may be a name where "Murphy's sign" is none. Where
it is not, and the span lies within a listed term (`features.protected`), the term decides. Bare
eponyms decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed, normal_word
from scrubjay.features.phrases import PIECE, split_entry
from scrubjay.features.protected import (
    BARE_EPONYM,
    find_protected,
    protected_pairs,
    protected_pieces,
    protected_terms,
    words_around,
)
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.sparing.called_there import is_called_there
from scrubjay.taggers._mending.sparing.named_after import is_first_name
from scrubjay.taggers._mending.sparing.signatures import is_signature

WITH_TERMS = ("en", "nl", "es")
"""Languages whose lists of terms were tried on doubtful spans."""

_SURE = 0.99
"""From this score on a span stays, whatever the lists say."""

_PATTERNS = "patterns"
"""How the source of what patterns found ends."""

_INITIALS = "INITIALS"
_PEOPLE = frozenset({"NAME", _INITIALS})
_REPORT = re.compile(r"(?<!\w)verslag[ ]?:[ ]{0,3}\Z", re.IGNORECASE)
_OF_REPORT = re.compile(r"(?<!\w)verslag(?:[ ]?:)?[ ]{0,3}\Z", re.IGNORECASE)
_REPORT_BEFORE = 14
"""What a heading stands behind that patterns take for a person."""

_AROUND = 40
"""Characters on each side of a span in which a term that holds it may begin and end."""

_SHORT = 3
"""Letters of names that are terms in capitals."""

_GENERAL = re.compile(r"(?<!\w)(?:the|to|at)[ ][\"“]?\Z")  # "she died at the General"
_VALUE = re.compile(r"[ \t]*(?:[:=<>]|\d{1,3}(?!\d))")  # "Alt 45", "Bun: 12"

_KEPT, _KEPT_AROUND = 32_768, 2048
"""Mentions that are remembered with what they say of terms, and texts around mentions: as many as
those of a batch."""

_Read = tuple[bool, frozenset[str], frozenset[str]]
_NONE: frozenset[str] = frozenset()
_STANDS: _Read = (True, _NONE, _NONE)
_FOREIGN: _Read = (False, _NONE, _NONE)

_PIECE, _AFTER = re.compile(PIECE), re.compile(rf"\s*({PIECE})")


_TITLED = re.compile(
    r"(?<![\w'’.-])(?P<title>(?:Dr|Drs|DR|Mr|Mrs|Ms|MRS|Miss|Prof|Nurse)\.?)[ ]{1,2}\Z"
)
_TITLE_BEFORE = 12
_SEX_KEY = re.compile(r"(?:sexo|sex)[ ]?:?[ ]{0,2}\Z", re.IGNORECASE)

# What stands right before a person or a place alone, whatever else is called so (Spanish).
_INTRODUCED = re.compile(
    r"(?<!\w)(?:(?:dr|dra|sr|sra|srta|enf|lic|aux|t[ée]c|prof|d|dña)[.]|don|doña|enfermer[oa]|"
    r"(?:procedente|natural|vecin[oa]|oriund[oa])[ ]de|(?:reside|residente|vive)[ ]en|"
    r"(?:visita|cita|hablado|comentado)[ ]con)[ ]\Z",
    re.IGNORECASE,
)
_INTRODUCED_AROUND = 16

_KIN = "FAMILIARES_SUJETO_ASISTENCIA"
_MAMA = re.compile(r"mamas?", re.IGNORECASE)
_BREAST_BEFORE = re.compile(
    r"(?<!\w)(?:de|en|ca|ambas|sobre)[ ](?:l[oa]s?[ ])?\Z|(?<!\w)(?:[ECR]co|RM|RMN|mamo|bx)[ ]\Z",
    re.IGNORECASE,
)
_BREAST_BEHIND = re.compile(
    r"[ ](?:izq|i\b|der|dch|dcha|d\b|contral|afect|sana|operad|restante|inflam|densa|bilateral|"
    r"[:+-]|con[ ](?:n[óo]dulo|bulto))",
    re.IGNORECASE,
)


def is_introduced(text: str, span: Span) -> bool:
    """Tell whether a title or a verb before a span tells of a person or a place: "Enf. Cea"."""
    before = text[max(0, span.start - _INTRODUCED_AROUND) : span.start]
    return text[span.start : span.start + 1].isupper() and _INTRODUCED.search(before) is not None


def is_mother(text: str, span: Span) -> bool:
    """Tell whether "mama" without its accent is somebody's mother, and no breast (Spanish)."""
    if span.label != _KIN or _MAMA.fullmatch(text, span.start, span.end) is None:
        return False
    before = text[max(0, span.start - _INTRODUCED_AROUND) : span.start]
    return not _BREAST_BEFORE.search(before) and not _BREAST_BEHIND.match(text, span.end)


def is_doubtful(span: Span, language: str) -> bool:
    """Tell whether a model is not sure of a span.

    One without a score is sure, but in Dutch a person whom patterns alone found: no tagger saw it,
    too ("VERSLAG FAMILIEGESPREK", "Verslag: Rugligging").
    """
    if span.score is None:
        return language == "nl" and span.label in _PEOPLE and span.source.endswith(_PATTERNS)
    return span.score < _SURE


def is_in_term(text: str, span: Span, language: str) -> bool:
    """Tell whether a span lies within a term that is no PHI.

    In English what stands behind a title is somebody ("Dr. Craig test results"), unless the title
    is of the term, and so is a short name that is a term in capitals ("found Peg in bed"). Where
    somebody signs, initials are no term (`signatures`), and in Dutch neither is a first name that
    is one elsewhere, nor what has a title (`called_there`), nor initials and words
    not in capitals that patterns alone found, but behind "verslag:", and drugs: "zn, Ritalin". In
    Spanish a first name of
    Spain is somebody's all the same ("Nombre: Iris"), and what stands behind the key of the sex
    tells it: "Sexo: F. Nacimiento: 1941".
    """
    start, end = span.start, span.end
    if not any(may_spare(text, [(start, end)], language)) or is_signature(text, span):
        return False
    if language == "en":
        if (
            span.label in STAFF_AND_PATIENTS
            and is_short_name(text[start:end])
            and not _VALUE.match(text, end)
        ):
            return _lies_in_term(text, start, end, language, longer=True)
        if text.startswith("General", start) and _GENERAL.search(text, max(0, start - 9), start):
            return False
        title = _TITLED.search(text, max(0, start - _TITLE_BEFORE), start)
        return title is None or _lies_in_term(text, title.start("title"), end, language)
    if language == "nl" and span.score is None:
        if _is_drug_alone(text[start:end]):
            return True
        is_short = span.label == _INITIALS
        if is_short or text[start:end].istitle() or text[start:end].islower():
            heading = _OF_REPORT if is_short else _REPORT
            return heading.search(text, max(0, start - _REPORT_BEFORE), start) is not None
    if language == "nl" and is_called_there(text, span):
        return _lies_in_term(text, start, end, language, longer=True)
    return not (
        language == "es"
        and (is_first_name(text[start:end]) or _SEX_KEY.search(text, max(0, start - 9), start))
    )


@text_cache(_KEPT)
def _is_drug_alone(mention: str) -> bool:
    """Tell whether a mention is a drug, and no first name (Dutch)."""
    word = mention.lower()
    return protected_terms("nl").get(word) == "drug" and not is_listed(
        word, "nl.first-names", "world.first-names"
    )


@text_cache(_KEPT)
def is_short_name(mention: str) -> bool:
    """Tell whether a mention is a short name with a capital, and as a term has more: "Peg", "Ng".

    A term of two or three letters is written in capitals ("PEG", "NG"), but a part of the body; one
    of four may be, where it is a first name, but of a test ("Echo").
    """
    word = mention.lower()
    kind = protected_terms("en", spared=True).get(word)
    return (
        mention.istitle()
        and kind != "anatomy"
        and (
            len(mention) <= _SHORT
            or (len(mention) == _SHORT + 1 and kind != "test" and is_listed(word, "en.first-names"))
        )
    )


def may_spare(text: str, places: Iterable[tuple[int, int]], language: str) -> list[bool]:
    """Tell which spans would be spared if they were not sure: whether each lies within a term."""
    size = len(text)
    found = []
    for start, end in places:
        # A quick look first: no term has all the pieces of most spans, in this order and place.
        read = _read_mention(text[start:end], language)
        if (
            read is _FOREIGN
            and not (start and text[start - 1].isalnum())
            and not (end < size and text[end].isalnum())
        ):
            found.append(False)
        else:
            stands = _may_stand_in_term(text, start, end, read)
            found.append(stands and _lies_in_term(text, start, end, language))
    return found


def _parts_piece(text: str, place: int) -> bool:
    """Tell whether a place lies within a word or a number."""
    before, after = text[place - 1 : place], text[place : place + 1]
    return before.isalnum() and after.isalnum() and before.isdecimal() == after.isdecimal()


def _may_stand_in_term(text: str, start: int, end: int, read: _Read) -> bool:
    """Tell whether the pieces of a span, read, stand in some term, or the span cuts a piece.

    A term is a single piece, or it holds each two that follow each other: a span of one piece has
    to stand beside its neighbour.
    """
    stands, before, after = read
    if (start and text[start - 1].isalnum() and _parts_piece(text, start)) or (
        end < len(text) and text[end].isalnum() and _parts_piece(text, end)
    ):
        return True
    if stands or not (before or after):
        return stands
    if before:
        piece = _last_piece(text[max(0, start - _AROUND) : start])
        if piece and normal_word(piece) in before:
            return True
    match = _AFTER.match(text, end, end + _AROUND) if after else None
    return match is not None and normal_word(match[1]) in after


@text_cache(_KEPT)
def _read_mention(mention: str, language: str) -> _Read:
    """Tell whether the pieces of a mention stand in some term, and beside which pieces if not.

    A mention of one piece, which is no term, may stand after the former and before the latter.
    """
    first = _PIECE.match(mention)
    if first and normal_word(first[0]) not in protected_pieces(language, spared=True):
        return _FOREIGN
    pieces = [normal_word(piece) for piece in split_entry(mention)]
    pairs = protected_pairs(language, spared=True)
    if len(pieces) > 1:
        return _STANDS if all(pair in pairs for pair in pairwise(pieces)) else _FOREIGN
    piece = pieces[0] if pieces else ""
    if (piece,) in pairs:
        return _STANDS
    before, after = _neighbours(language)
    if piece not in before and piece not in after:
        return _FOREIGN
    return False, before.get(piece, _NONE), after.get(piece, _NONE)


@cache
def _neighbours(language: str) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return for each piece which ones stand before it in a term, and which ones after it."""
    before: dict[str, set[str]] = {}
    after: dict[str, set[str]] = {}
    for first, second in (pair for pair in protected_pairs(language, spared=True) if len(pair) > 1):
        before.setdefault(second, set()).add(first)
        after.setdefault(first, set()).add(second)
    sides = ({piece: frozenset(side) for piece, side in s.items()} for s in (before, after))
    return next(sides), next(sides)


def _last_piece(text: str) -> str:
    """Return the last piece of a text, white space left out: what `PIECE` matches there."""
    text = text.rstrip()
    if not text[-1:].isalnum():
        return text[-1:]
    is_number, begin = text[-1].isdecimal(), len(text)
    while begin and text[begin - 1].isalnum() and text[begin - 1].isdecimal() == is_number:
        begin -= 1
    return text[begin:]


def _lies_in_term(text: str, start: int, end: int, language: str, *, longer: bool = False) -> bool:
    """Tell whether a term covers a place, and if asked, whether one does that is longer."""
    first, last = words_around(text, start, end, reach=_AROUND)
    return _holds_term(text[first:last], start - first, end - first, language, longer)


@text_cache(_KEPT_AROUND)
def _holds_term(text: str, start: int, end: int, language: str, longer: bool) -> bool:
    """Tell whether a term covers a place; it is asked once for the scores, and once to mend."""
    size = end - start if longer else 0
    return any(
        term.kind != BARE_EPONYM
        and term.start <= start
        and end <= term.end
        and term.end - term.start > size
        for term in find_protected(text, language, spared=True)
    )
