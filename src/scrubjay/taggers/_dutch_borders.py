"""Titles, kinship, keys and articles that a Dutch tagger takes into a mention, cut off it.

The labels are those of Trienes 2020 and of the notes written for this project, in which titles
and roles stand outside a name, and the article outside an organisation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from scrubjay.document import Span

# No word that is a name as well: "Zus" and "Pastoor" stay.
_SHORT = (
    "mevr", "mw", "mej", "dhr", "hr", "dr", "drs", "prof", "ir", "ds", "mr", "zr", "br", "fam",
)  # fmt: skip
_WHOLE = (
    "mevrouw", "meneer", "mijnheer", "juffrouw", "dokter", "professor", "dominee", "zuster",
    "collega", "opa", "oma", "pake", "beppe", "bompa", "bomma", "tante", "oom", "nonkel",
    "echtgenoot", "echtgenote", "mantelzorger", "verpleegkundige", "huisarts",
)  # fmt: skip
_KEYS = ("van", "aan", "cc", "naam", "namens")


def _begun(words: tuple[str, ...]) -> str:
    """Return a pattern of words, with small letters or one capital: in capitals are initials."""
    return "|".join(f"[{word[0].upper()}{word[0]}]{re.escape(word[1:])}" for word in words)


_PERSON = re.compile(
    rf"(?:(?:(?:{_begun(_SHORT)})\b\.?|(?:{_begun(_WHOLE)})\b|(?:{_begun(_KEYS)}):)[ \t]+)+(?=\w)"
)
_ARTICLE = re.compile(r"(?:de|het)[ \t]+(?=\w)")
_PHONE = re.compile(
    r"(?:tel|tst|toestel|telnr|mob|gsm|sein|fax)\b[.:]{0,2}[ \t]*(?=[\d+(])", re.IGNORECASE
)
_BEFORE = {"NAME": _PERSON, "ORGANIZATION_COMPANY": _ARTICLE, "PHONE_FAX": _PHONE}


def mend_dutch_borders(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of a text, each without what stands before the mention itself."""
    for span in spans:
        pattern = _BEFORE.get(span.label)
        before = pattern.match(text, span.start, span.end) if pattern else None
        yield span if before is None else replace(span, start=before.end())
