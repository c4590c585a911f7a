"""Dutch diseases that look like initials and a surname: "Z. v. Crohn, M. Bechterew", "M. Kahler".

A tagger that doubts takes "M." of "Morbus" and "Z. v." of "Ziekte van" for initials. A mention of
nothing but such diseases, all of them listed, is spared, save right behind a title or the key of a
person's name. Where many are called so ("M. Graves"), another disease has to stand in the mention,
or the key of a history before it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from scrubjay.document import Span
from scrubjay.features.protected import protected_terms
from scrubjay.taggers._mending.people.person_names import is_often

_LANGUAGE = "nl"
_SURE, _AROUND, _OFTEN = 0.99, 40, 4
"""The score from which on a span stays, characters before it, and the class up to which many are
called by a surname."""

_HEAD = r"(?:[Zz]\.?[ ]?[Vv](?:\.[ ]?|[ ])|(?:[Mm]orbus|[Mm]b\.?|[Mm]\.)[ ]?)"
_NAME = r"[A-ZÀ-ÖØ-Þ][^\W\d_]{2,20}+(?:-[A-ZÀ-ÖØ-Þ][^\W\d_]{2,20}+)?"
_ONE = re.compile(rf"{_HEAD}({_NAME})")
_ALL = re.compile(rf"(?:{_HEAD})?{_NAME}(?:[ ]?(?:[,/+&]|[ ]en(?![^\W_]))[ ]*{_HEAD}{_NAME})*")
_BEFORE = re.compile(rf"{_HEAD}\Z")
_HISTORY = re.compile(
    r"(?<!\w)(?:vg|voorgeschiedenis|vgs|dx|diagnose|bekend[ ]met|bek[ ]met|comorbiditeit|"
    r"relevante[ ]vg)[ ]?[: ][^\n.]{0,32}\Z",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?<!\w)(?:dhr|mw|mevr|mevrouw|meneer|heer|drs?|prof|naam|pati[eë]nte?|pt|arts|huisarts|"
    r"aanvrager|verwijzer|behandelaar|operateur|chirurg|supervisor|co|door|aios|anios|vpk|zr|"
    r"\w*arts|\w*loog|\w*chirurg)[.:]?[ ]{1,3}\Z",
    re.IGNORECASE,
)


def may_be_disease(mention: str) -> bool:
    """Tell whether a mention has the shape of a list of diseases, wherever it stands."""
    return (
        ("." in mention[:4] or mention[:1].isupper())
        and _ALL.fullmatch(mention) is not None
        and all(map(_is_listed, _names(mention)))
    )


def is_disease(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is one of diseases."""
    if span.score is None or span.score >= _SURE:
        return False
    before = text[max(0, span.start - _AROUND) : span.start]
    if _ONE.match(text, span.start) is None:  # "z.v. Sjögren", whose head was not found with it
        head = _BEFORE.search(before)
        if head is None:
            return False
        before = before[: head.start()]
    if _PERSON.search(before):
        return False
    names = _names(text[span.start : span.end])
    is_rare = any(not is_often("surnames", name, _LANGUAGE, most=_OFTEN) for name in names)
    return is_rare or len(names) > 1 or _HISTORY.search(before) is not None


def _names(mention: str) -> list[str]:
    found = _ONE.findall(mention)
    first = re.match(_NAME, mention)
    is_bare = first is not None and _ONE.match(mention) is None
    return [first[0], *found] if first is not None and is_bare else found


@lru_cache(1024)
def _is_listed(name: str) -> bool:
    """Tell whether a disease is called by a name in the lists of clinical terms."""
    terms = protected_terms(_LANGUAGE, spared=True)
    key = name.lower()
    return any(f"{head} {key}" in terms for head in ("ziekte van", "m.", "morbus"))
