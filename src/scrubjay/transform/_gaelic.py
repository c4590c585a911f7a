"""Irish and Scottish surnames: "Ó Súilleabháin", "Ní Dhomhnaill", "Mac an tSaoi", "Mc Carthy".

What stands before such a surname is a particle, as "van" is, and the surname behind it has one key
however it is lenited: those of Ó Briain, Uí Bhriain and Ní Bhriain are one. "Mc Carthy" and
"O Brien" are one word each, as McCarthy and O'Brien are (`name_words.surname_key`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from scrubjay.resources import load_table
from scrubjay.transform.name_words import (
    UNKNOWN,
    NameWord,
    Role,
    find_name_words,
    name_classes,
    name_key,
    plain_letters,
    surname_key,
)

_JOINED = frozenset(["mc", "mac", "o"])
_SURE = frozenset(["mhic", "nig"])
"""Particles that are nothing else."""
_ACCENTED = frozenset(["o", "ni", "ui"])
"""Particles where they have their accent: Ó, Ní, Uí."""
_LENITING = frozenset(["ni", "ui", "nic", "nig", "mhic", "giolla"])
_LENITED = frozenset("bcdfgmpst")
_NOT_AFTER_S = frozenset("cfhmptv")
_ENDINGS = ("aigh", "aidh", "aill", "bhain", "chain", "ghain", "again", "chuir", "ghaile", "bhair")
_OFTEN = 5
"""The class of surnames up to which "O Shea" is one, and no initial with a surname."""
_LEAST = 3


def join_prefixes(
    mention: str, spans: Sequence[tuple[int, int]], words: Sequence[NameWord]
) -> tuple[list[tuple[int, int]], list[NameWord]]:
    """Return the words of a mention with each "Mc", "Mac" and "O" joined to its surname.

    Mac and O stay apart where what they would make is no name of many.
    """
    places: list[tuple[int, int]] = []
    found: list[NameWord] = []
    for span, word in zip(spans, words, strict=True):
        before = found[-1].key if found else ""
        if before in _JOINED and mention[places[-1][1] : span[0]] == " ":
            start = places[-1][0]
            written = mention[start : span[1]]
            key = _joined(before, word, is_plain=plain_letters(written) == written)
            if key and written[0].isupper() == mention[span[0]].isupper():
                places.pop()
                found[-1] = NameWord(key, *name_classes(key), False, span[1] - start)
                places.append((start, span[1]))
                continue
        places.append(span)
        found.append(word)
    return places, found


def _joined(before: str, word: NameWord, *, is_plain: bool) -> str:
    """Return the key of the surname that two words make, or "" if they make none.

    `is_plain` tells that they have no accents: "O Neill", but not "Ó Néill".
    """
    if len(word.key) < _LEAST or word.key in find_name_words().after_gaelic:
        return ""
    key = surname_key(before + word.key)
    last = name_classes(key)[1]
    if _is_listed(word.key) and not (is_plain and last <= _OFTEN):
        return ""
    if before == "mac":
        return key if last <= min(_OFTEN, word.last) else ""
    return key if before == "mc" or last <= _OFTEN else ""


def find_gaelic(
    mention: str,
    spans: Sequence[tuple[int, int]],
    words: list[NameWord],
    roles: list[Role | None],
) -> None:
    """Fill in which words are Gaelic particles; what follows them gets its plain key."""
    known = find_name_words()
    keys = [word.key for word in words]
    if known.gaelic.isdisjoint(keys):
        return
    place = 0
    while place < len(words) - 1:
        last = place + 1
        if roles[place] is None and keys[place] in known.gaelic:
            while last < len(words) - 1 and keys[last] in known.after_gaelic:
                last += 1
            if roles[last] is None and _is_particle(mention, spans, words, roles, place, last):
                roles[place:last] = ["particle"] * (last - place)
                key = plain_surname(mention[slice(*spans[last])])
                words[last] = words[last]._replace(key=key)
        place = last


def _is_particle(
    mention: str,
    spans: Sequence[tuple[int, int]],
    words: Sequence[NameWord],
    roles: Sequence[Role | None],
    place: int,
    last: int,
) -> bool:
    """Tell whether a word is a particle of the surname at the place `last`."""
    (start, end), key = spans[place], words[place].key
    if any(mention[b:a].strip(" '’") for (_, b), (a, _) in pairwise(spans[place : last + 1])):
        return False
    if key in _SURE or last > place + 1:
        return True
    prefix, name = mention[start:end], mention[slice(*spans[last])]
    if key in _ACCENTED and prefix[0].isupper() and plain_letters(prefix) != prefix:
        return True
    plain = name_key(name)
    if _is_listed(plain_surname(name)):
        return True
    if words[last].last < UNKNOWN - 1 or not prefix[0].isupper():
        return False
    if plain.endswith(_ENDINGS) or (key in ("mac", "nic") and not plain.isascii()):
        return True
    # "Nic Jones" and "Mac Tully" have a first name that is short.
    is_later = any(role is None for role in roles[:place])
    return key in ("mac", "nic", "mag") and is_later and words[last].first == UNKNOWN


def plain_surname(word: str) -> str:
    """Return the key of a Gaelic surname as it is after Ó: Dhomhnaill, tSaoi, hUiginn."""
    key = name_key(word)
    if word[:1] in ("h", "t") and word[1:2].isupper():
        return key[1:]
    return key[0] + key[2:] if is_lenited(key) and len(key) > _LEAST else key


def is_lenited(word: str) -> bool:
    """Tell whether a word begins with a consonant and h, as behind Ní and Uí."""
    return word[1:2].lower() == "h" and word[:1].lower() in _LENITED


def lenites(particle: str) -> bool:
    """Tell whether the surname behind a particle, given by its key, is lenited."""
    return particle in _LENITING


def lenite(name: str) -> str:
    """Return a name in small letters as it is behind Ní and Uí: "ceallaigh" -> "cheallaigh"."""
    if name[:1] not in _LENITED or is_lenited(name):
        return name
    if name[0] == "s" and name[1:2] in _NOT_AFTER_S:
        return name
    return f"{name[0]}h{name[1:]}"


def _is_listed(key: str) -> bool:
    return key in _listed()


@cache
def _listed() -> frozenset[str]:
    table = load_table("surrogates", "names", "gaelic.toml")
    return frozenset(map(name_key, str(table["surnames"]).split()))
