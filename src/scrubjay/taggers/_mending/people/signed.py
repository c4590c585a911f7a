"""Initials that sign one entry sign the others: "lvm. TRB", and "apt 3. TRB" on another line.

A tagger finds initials where their neighbours tell of them, and where they close an entry often
nothing does. Those that were found somewhere in a text are a person's at the end of each of its
lines, unless they are a title behind a name, a clinical term or an everyday word (English).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, look_up
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.person_names import is_common
from scrubjay.taggers._mending.people.uncovered import Found, add_uncovered

SOURCE = "signed"

_FEWEST, _MOST = 2, 4
"""Letters of initials."""

_END = re.compile(r"[ \t]*\.?[ \t]*(?:[\r\n]|\Z)")
_BEFORE = (" ", "\t", "\n", ".", "")
"""What stands before initials at the end of a line."""


@text_cache(4096)
def may_sign(mention: str) -> bool:
    """Tell whether a person that was found is initials, which tell of others."""
    lower = mention.lower()
    return (
        _FEWEST <= len(mention) <= _MOST
        and mention.isalpha()
        and mention in (lower, mention.upper())
        and not is_common(lower, "en")
        and lower not in protected_terms("en", spared=True)
        and look_up(find_lexicon("en.credentials"), lower) is None
    )


def add_signed(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of an English text with the initials of them at the ends of lines.

    `spans` are sorted and disjoint, and so are those that are returned. What was covered stays.
    """
    signers: dict[str, str] = {}
    for span in spans:
        if span.label in STAFF_AND_PATIENTS and span.end - span.start <= _MOST:
            mention = text[span.start : span.end]
            if may_sign(mention):
                signers.setdefault(mention, span.label)
    return add_uncovered(spans, _find(text, signers), SOURCE)


def _find(text: str, signers: dict[str, str]) -> Iterator[Found]:
    for initials, label in signers.items():
        place = text.find(initials)
        while place >= 0:
            end = place + len(initials)
            if text[max(0, place - 1) : place] in _BEFORE and _END.match(text, end):
                yield place, end, label
            place = text.find(initials, end)
