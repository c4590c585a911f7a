"""Headings in capitals behind what somebody is are nobody: "PHYSICIAN HEALTH PROGRAM" (English).

In capitals a title looks like "PHYSICIAN JOHN SMITH". Two everyday words at least, none of which is
a name in any list, are no person right behind a word for a profession where one of them tells what
was written or held, or is a profession itself. Else they may be one ("NURSE STANDS ALONE").
"""

from __future__ import annotations

import re

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.taggers._mending.people.person_names import is_common, rank_of

_LANGUAGE, _SHORTEST, _LONGEST, _KEPT = "en", 3, 48, 4096
"""Letters of a word and characters of a heading, and mentions that are remembered."""

_WORDS = re.compile(r"[A-Z]{3,}(?:[ -]+[A-Z]{3,})+")
_ROLE = re.compile(r"(?<![\w/-])(?P<role>[A-Z]{4,})[ ]\Z")
_ROLES = frozenset([
    "provider", "resident", "anesthesia", "anaesthesia", "attending", "intern", "hospitalist",
    "pharmacy", "nursing", "examiner", "consultant", "physician", "nurse",
])  # fmt: skip

_LISTED = """
    annual assessment attestation care certificate certification clarification clinic clinical
    comprehensive conference consent consult consultation coverage daily discharge documentation
    downtime duty evaluation evaluations event exam examination form group handoff handover health
    history incident initial instructions intake interview investigator letter list log medical
    meeting monthly narrative note notes notification office order orders performance plan
    pre-procedure procedure progress program programme record referral rehabilitation report
    request review roster rotation round rounds schedule screening service services session shift
    sign-off signature statement summary survey team telephone treatment update visit weekly
    worksheet
"""
_WRITTEN = frozenset(_LISTED.split())


@text_cache(_KEPT)
def may_be_heading(mention: str) -> bool:
    """Tell whether a mention is of everyday words in capitals, none a name, wherever it stands."""
    return (
        len(mention) <= _LONGEST
        and _WORDS.fullmatch(mention) is not None
        and all(map(_is_word, words := re.split(r"[ -]+", mention)))
        and any(map(_is_written, words))
    )


def _is_written(word: str) -> bool:
    return word.lower() in _WRITTEN or _is_profession(word)


def _is_profession(word: str) -> bool:
    return look_up(find_lexicon("en.professions"), word.lower()) is not None


def _is_word(word: str) -> bool:
    return is_common(word.lower(), _LANGUAGE) and not (
        rank_of("surnames", word, _LANGUAGE) or rank_of("first-names", word, _LANGUAGE)
    )


def is_heading(text: str, span: Span) -> bool:
    """Tell whether a mention of such words stands right behind a word for a profession."""
    told = _ROLE.search(text, max(0, span.start - _LONGEST), span.start)
    if told is None:
        return False
    return told["role"].lower() in _ROLES or _is_profession(told["role"])
