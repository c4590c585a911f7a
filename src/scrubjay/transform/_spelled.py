"""Names that are spelled letter by letter: "J O H A N S S O N", "W-I-L-L-I-A-M-S".

They are read as the word that the letters make, and written anew in the way they were.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from scrubjay.transform.name_words import (
    UNKNOWN,
    NameWord,
    find_name_words,
    name_classes,
    name_key,
)

_LETTER = r"(?:[^\W\d_][\u0300-\u036f]*)"
_SPELLED = re.compile(
    rf"(?<!\w){_LETTER}"
    r"(?P<gap>[ \t]?[-\u2010\u2011\u2013.,·][ \t]?|[ \t]+)"
    rf"{_LETTER}(?:(?:(?P=gap)(?:\r?\n)?|\r?\n){_LETTER})+(?!\w)"
)
_ONE = re.compile(_LETTER)
_LEAST, _SURE = 4, 5
"""Letters from which on they are a name that is known or can be spoken, and from which on any."""
_OFTEN = 4
"""The class of names up to which three letters alone are one, and four that may be initials as
well: "L E E", but not "K A M"; "J.O.H.N.", but not "J.A.M.W."."""
_VOWELS = frozenset("aeiouy")


def join_spelled(
    mention: str, spans: Sequence[tuple[int, int]], words: Sequence[NameWord]
) -> tuple[list[tuple[int, int]], list[NameWord]]:
    """Return the words of a mention, the letters of each that is spelled joined to one.

    Those of initials stay apart: "J F M W", "J.A.M.", and "J A N M de Vries".
    """
    places, found = list(spans), list(words)
    for match in _SPELLED.finditer(mention):
        start, end = match.span()
        inside = [at for at, span in enumerate(places) if start <= span[0] < end]
        key = name_key("".join(_ONE.findall(match[0])))
        others = {word.key for at, word in enumerate(found) if at not in inside}
        if not _is_name(key, others - find_name_words().all, is_dotted="." in match["gap"]):
            continue
        places[inside[0] : inside[-1] + 1] = [(start, end)]
        found[inside[0] : inside[-1] + 1] = [
            NameWord(key, *name_classes(key), is_plain=False, size=end - start)
        ]
    return places, found


def _is_name(key: str, others: Set[str], *, is_dotted: bool) -> bool:
    """Tell whether letters spell a name, rather than being initials of the other names."""
    if key in others:
        return True
    often = min(name_classes(key))
    if len(key) < _LEAST:
        return not others and not is_dotted and often <= _OFTEN
    if len(key) > _SURE:
        return True
    if others or is_dotted:
        return often <= _OFTEN
    return len(key) == _SURE or often < UNKNOWN or not _VOWELS.isdisjoint(key)


def is_spelled(text: str) -> bool:
    """Tell whether a part of a name is letters with a gap between each two."""
    return not text[1:2].isalpha() and _SPELLED.fullmatch(text) is not None


def spell(name: str, like: str) -> str:
    """Return a name letter by letter, with the gap and the case of those of another.

    Its first letter alone is a capital where not all of the other are capitals or none is.
    """
    match = _SPELLED.fullmatch(like)
    letters = _ONE.findall(name)
    if not like.islower():
        letters = [
            letter.upper() if at == 0 or like.isupper() else letter
            for at, letter in enumerate(letters)
        ]
    return (match["gap"] if match else " ").join(letters)
