"""Mentions of persons in pieces, each with the way it is written, and new parts written so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.transform._gaelic import is_lenited, lenite, lenites
from scrubjay.transform._spelled import is_spelled, spell
from scrubjay.transform.person_names import NAME_ROLES, NamePart, PersonName
from scrubjay.transform.surrogates.case import display

_INNER_CAPITAL = re.compile(
    r"(?:Ma?c ?|Nic|De|La|Le|Van|O['’ ]?|[Dd]['’]|[ht])[A-ZÀ-ÖØ-Þ][a-zß-ÿ]*$"
)
_LOWER, _UPPER, NAME, _ODD = range(4)
_LENITED = 4  # besides: "Ní Dhomhnaill"
_SPELLED = -1  # letter by letter

Piece = tuple[str, NamePart | None, int]
"""A stretch of a mention: its text, its part where that changes, and how it is written.

Of what is no part the number tells whether it has digits, which change; of a part it is one of
the styles.
"""


def layout_of(text: str, name: PersonName) -> Sequence[Piece]:
    """Return the mention that a name was read from in pieces, worked out once."""
    found: Sequence[Piece] | None = name.pieces
    if found is None:
        pieces: list[Piece] = []
        position = 0
        before = ""
        for part in name.parts:
            start, end, key, role = part
            if start > position:
                pieces.append(_between(text[position:start]))
            old = text[start:end]
            if role == "initial" or role in NAME_ROLES:
                style = style_of(old)
                if before and role != "initial" and is_lenited(old):
                    style += _LENITED
                pieces.append((old, part, style))
            else:
                pieces.append((old, None, 0))
            before = key if role == "particle" and lenites(key) else ""
            position = end
        if position < len(text):
            pieces.append(_between(text[position:]))
        found = name.pieces = tuple(pieces)
    return found


def _between(text: str) -> Piece:
    blank = text == " " or text == ", " or text == ". " or text.isspace()
    return text, None, int(not blank and any(map(str.isdigit, text)))


def style_of(old: str) -> int:
    """Return how a name is written: in small letters, in capitals, as names are, or oddly.

    Letter by letter is a way by itself.
    """
    if is_spelled(old):
        return _SPELLED
    if old.islower():
        return _LOWER
    if old.isupper():
        return _UPPER
    if " " in old and old[0].islower():  # "del Carmen"
        return style_of(old.rpartition(" ")[2])
    if old[:1].isupper() and (old[1:].islower() or sum(c.isupper() for c in old) == 1):
        return NAME
    return NAME if _INNER_CAPITAL.match(old) else _ODD


def kept_words(layout: Sequence[Piece]) -> bool:
    """Tell whether a mention in pieces has words or numbers that are no part that changes."""
    return any(
        part is None and old != " " and any(map(str.isalnum, old)) for old, part, _ in layout
    )


def styled(new: str, old: str, style: int) -> str:
    """Return a name in the letter case of the old one, odd cases ("SMith") included."""
    if style == _SPELLED:
        return spell(new, old)
    if style >= _LENITED:
        return styled(lenite(new), old, style - _LENITED)
    if style == NAME:
        return display(new)
    if style == _LOWER:
        return new
    if style == _UPPER:
        return new.upper() if len(old) > 1 or len(new) == 1 else display(new)
    pattern = [c.isupper() for c in old if c.isalpha()] or [False]
    pattern += [pattern[-1]] * len(new)
    return "".join(c.upper() if pattern[i] else c for i, c in enumerate(new))
