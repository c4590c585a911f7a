"""English articles before a mention, and what fits them: "an Irish man", "a uranium miner".

What stands behind "a" or "an" in the text has to fit it, however the old word is spelled: articles
are no part of mentions and stay.
"""

from __future__ import annotations

import re

from scrubjay.transform.surrogates.draw import fold

_VOWELS = frozenset("aeiou")
_SPOKEN_AS_VOWEL = frozenset("aefhilmnorsx")
"""Letters whose own names begin with a vowel, as in "an MRI technician"."""
_BLANKS = 8  # between an article and a mention
_ARTICLE = re.compile(r"(?<![^\W_])[aA]([nN]?)\s+\Z")
_WORD = re.compile(r"[^\W_]+")
_SILENT = re.compile(r"hour|hono|hones|heir")
_LIKE_YOU = re.compile(r"eu|ewe|uni(?!n|m|d)|unan|ukr|u[bcfgkrst][aeiou]|once$|one$|oui")
_NUMBER = re.compile(r"8|1[18](?!\d)")


def article_before(text: str, mention: str) -> bool | None:
    """Tell whether "an" stands before a mention in a text, False for "a".

    None where none does, or both do at one place or another.
    """
    found: set[bool] = set()
    place = text.find(mention) if mention else -1
    while place >= 0 and len(found) < 2:
        before = text[max(0, place - _BLANKS) : place]
        article = _ARTICLE.search(before) if before[-1:].isspace() else None
        if article is not None:
            found.add(bool(article[1]))
        place = text.find(mention, place + 1)
    return found.pop() if len(found) == 1 else None


def wants_an(text: str) -> bool:
    """Tell whether "an" stands before a text, by how its first word is spoken."""
    match = _WORD.search(text)
    if match is None:
        return False
    if match[0][0].isdecimal():
        return _NUMBER.match(match[0]) is not None
    if _is_spelled_out(match[0], text):
        return match[0][0].lower() in _SPOKEN_AS_VOWEL
    word = fold(match[0])
    if _LIKE_YOU.match(word):
        return False
    return word[:1] in _VOWELS or _SILENT.match(word) is not None


def _is_spelled_out(word: str, text: str) -> bool:
    """Tell whether a word is said letter by letter: "HVAC", "MRI", but not "NASA"."""
    if not word.isupper() or len(word) == 1:
        return len(word) == 1 and word.lower() not in _VOWELS
    short = len(word) <= 3 or fold(word)[1:2] not in _VOWELS
    return short and (not text.isupper() or _VOWELS.isdisjoint(fold(word)))
