"""Names that are spelled letter by letter: "J O H A N S S O N", "W-I-L-L-I-A-M-S", "R, double O".

They are read as the word that the letters make, and written anew in the way they were, each letter
for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from scrubjay.text.spelling import has_phrase, may_begin, read_spelled
from scrubjay.transform.name_words import (
    UNKNOWN,
    NameWord,
    find_name_words,
    name_classes,
    name_key,
)

_LETTER = r"(?:[^\W\d_ªº][\u0300-\u036f]*)"
_SPELLED = re.compile(
    rf"(?<!\w){_LETTER}"
    r"(?P<gap>[ \t]?[-\u2010\u2011\u2013.,·][ \t]?|[ \t]+)"
    rf"{_LETTER}(?:(?:(?P=gap)(?:\r?\n)?|\r?\n){_LETTER})*(?!\w)"
)
_ONE = re.compile(_LETTER)
_ALONE = re.compile(rf"(?<!\w){_LETTER}(?!\w)")
_FEW, _LEAST, _SURE = 3, 4, 5
"""Letters from which on they may be a name that nothing else tells, from which on they are one that
is known or can be spoken, and from which on any."""
_OFTEN = 4
"""The class of names up to which three letters alone are one, and four that may be initials as
well: "L E E", but not "K A M"; "J.O.H.N.", but not "J.A.M.W."."""
_VOWELS = frozenset("aeiouy")


def join_spelled(
    mention: str,
    spans: Sequence[tuple[int, int]],
    words: Sequence[NameWord],
    known: Set[str],
) -> tuple[list[tuple[int, int]], list[NameWord]]:
    """Return the words of a mention, the letters of each that is spelled joined to one.

    Those of initials stay apart: "J F M W", "J.A.M.", and "J A N M de Vries". Letters of a `known`
    name are none.
    """
    places, found = list(spans), list(words)
    for start, end, key, gap in _runs(mention):
        inside = [at for at, span in enumerate(places) if start <= span[0] < end]
        others = {word.key for at, word in enumerate(found) if at not in inside}
        others -= find_name_words().all
        if gap and key not in known and not _is_name(key, others, is_dotted="." in gap):
            continue
        places[inside[0] : inside[-1] + 1] = [(start, end)]
        found[inside[0] : inside[-1] + 1] = [
            NameWord(key, *name_classes(key), is_plain=False, size=end - start)
        ]
    return places, found


def _runs(mention: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield where letters are spelled, the key they make, and their gap; none is of a phrase."""
    end = 0
    if has_phrase(mention):
        for begin in may_begin().finditer(mention):
            run = read_spelled(mention, begin.start()) if begin.start() >= end else None
            if run is not None and run.is_told:
                end = run.ends[-1]
                yield begin.start(), end, name_key(run.letters), ""
    for match in _SPELLED.finditer(mention, end):
        yield *match.span(), name_key("".join(_ONE.findall(match[0]))), match["gap"]


def _is_name(key: str, others: Set[str], *, is_dotted: bool) -> bool:
    """Tell whether letters spell a name, rather than being initials of the other names."""
    if key in others:
        return True
    often = min(name_classes(key))
    if len(key) < _LEAST:
        return len(key) >= _FEW and not others and not is_dotted and often <= _OFTEN
    if len(key) > _SURE:
        return True
    if others or is_dotted:
        return often <= _OFTEN
    return len(key) == _SURE or often < UNKNOWN or not _VOWELS.isdisjoint(key)


def is_spelled(text: str) -> bool:
    """Tell whether a part of a name is letters with a gap between each two, or told otherwise."""
    if not text[1:2].isalpha() and _SPELLED.fullmatch(text) is not None:
        return True
    return _read_phrase(text) is not None


def _read_phrase(text: str) -> str | None:
    """Return what parts the letters of a word that is spelled with phrases, None for another."""
    run = read_spelled(text, 0) if has_phrase(text) else None
    if run is None or not run.is_told or run.ends[-1] != len(text):
        return None
    return run.sign if run.sign == "-" else f"{run.sign} "


def spell(name: str, like: str) -> str:
    """Return a name letter by letter, with the gap and the case of those of another.

    Its first letter alone is a capital where not all of the other are capitals or none is. Of what
    was spelled with phrases all are capitals where one is.
    """
    letters = _ONE.findall(name)
    phrase = _read_phrase(like)
    if phrase is not None:
        has_capitals = any(one.isupper() for one in _ALONE.findall(like))
        return phrase.join(map(str.upper, letters) if has_capitals else letters)
    match = _SPELLED.fullmatch(like)
    if not like.islower():
        letters = [
            letter.upper() if at == 0 or like.isupper() else letter
            for at, letter in enumerate(letters)
        ]
    return (match["gap"] if match else " ").join(letters)
