"""Replacing names of persons part by part, so that every mention of a person fits the others.

"Brandvold, Ingrid T." and "Brandvold" share a part; each part of a name, and each initial, has
one replacement in a document. Particles, suffixes, titles and marks stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Literal

from scrubjay.corpora._swap_lists import SwapLists
from scrubjay.features.lexicons import fold_accents
from scrubjay.text.particles import WITHIN
from scrubjay.transform.name_words import name_key
from scrubjay.transform.surrogates.case import restyle

Role = Literal["first", "last"]

_KEPT = WITHIN | {
    "jr", "sr", "ii", "iii", "iv", "md", "phd", "rn", "np", "pa", "dr", "dra", "mr", "mrs", "ms",
    "miss", "prof", "sra", "srta", "dhr", "mevr", "mw", "don", "doña",
}  # fmt: skip
_LETTER = r"(?:[^\W\d_][\u0300-\u036f]*)"
_PART = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}{{2,}})*")
_LETTERS = "ABCDEFGHIJKLMNOPRSTVW"


@dataclass(frozen=True, slots=True, repr=False)
class NamePart:
    """A part of a name inside its mention: offsets in the mention, key and role."""

    start: int
    end: int
    key: str
    role: Role | Literal["initial", "kept"]


def name_parts(mention: str, lists: SwapLists) -> list[NamePart]:
    """Cut a mention of a person into its parts and guess the role of each.

    A comma parts the surname from the first names. Otherwise the first word is a first name and
    the last one (in Spanish, of three words the last two) a surname; a word alone is what the
    lists say, and a surname where they do not know it.
    """
    found = list(_PART.finditer(mention))
    comma = mention.find(",")
    names = [match for match in found if not _is_kept(match.group(), len(found) == 1, lists)
             and not _is_initial(match.group(), mention, lists)]  # fmt: skip
    roles: dict[int, Role] = {}
    for index, match in enumerate(names):
        roles[match.start()] = _role(match, index, len(names), comma, lists)
    if lists.language == "es" and len(names) == 2 and comma < 0:
        # Spanish records give the two surnames apart from the first names, and those together.
        before, after = (lists.name_role(match.group()) for match in names)
        if before != "first":
            roles = dict.fromkeys(roles, "last")
        elif after == "first":
            roles = dict.fromkeys(roles, "first")
    parts = []
    for match in found:
        role: Role | Literal["initial", "kept"] | None = roles.get(match.start())
        if role is None:
            kept = _is_kept(match.group(), len(found) == 1, lists)
            role = "kept" if kept else "initial"
        parts.append(NamePart(match.start(), match.end(), name_key(match.group()), role))
    return parts


def _role(match: re.Match[str], index: int, count: int, comma: int, lists: SwapLists) -> Role:
    if comma >= 0:
        return "last" if match.start() < comma else "first"
    if count == 1:
        return "first" if lists.name_role(match.group()) == "first" else "last"
    surnames = 2 if lists.language == "es" and count > 2 else 1
    return "last" if index >= count - surnames else "first"


def _is_kept(word: str, alone: bool, lists: SwapLists) -> bool:
    if alone:
        return False
    return word.casefold() in _KEPT or (word.islower() and lists.has("particles", word))


def _is_initial(word: str, mention: str, lists: SwapLists) -> bool:
    """Tell whether a word is initials: a letter, or up to three capitals that name nobody."""
    if len(word) == 1:
        return True
    if len(word) > 3 or not word.isupper():
        return False
    stands_out = any(c.islower() for c in mention) or len(word) == len(mention.strip(" ."))
    return stands_out and (len(word) == 2 or lists.name_role(word) is None)


class NameSwapper:
    """The replacements of the parts of names in one document.

    Collect all mentions first (`learn`), then `swap` each; the order of `learn` fixes the
    random draws, so the same document and seed give the same names.
    """

    def __init__(self, lists: SwapLists, rng: Random, *, share: float) -> None:
        self._lists, self._rng, self._share = lists, rng, share
        self._words: dict[str, str] = {}
        self._letters: dict[str, str] = {}

    def learn(self, mentions: Iterable[str]) -> None:
        """Draw a replacement for every part of the mentions."""
        parts = [part for mention in mentions for part in name_parts(mention, self._lists)]
        several = {part.key: part.role for part in reversed(parts) if part.role == "last"}
        for part in parts:
            if part.role in ("first", "last") and part.key not in self._words:
                role = several.get(part.key, part.role)
                self._words[part.key] = self._draw(part.key, first=role == "first")
        for part in parts:
            if part.role in ("first", "last"):
                letter, new = part.key[0].upper(), self._words[part.key][0].upper()
                self._letters.setdefault(letter, new)

    def _draw(self, key: str, *, first: bool) -> str:
        if self._rng.random() >= self._share:
            return key
        draw = self._lists.first_name if first else self._lists.surname
        for _ in range(20):
            drawn = draw(self._rng)
            if name_key(drawn) != key:
                return drawn
        return drawn

    def swap(self, mention: str) -> str:
        """Return the mention with its parts replaced; what was not learned is learned now."""
        parts = name_parts(mention, self._lists)
        if any(p.role in ("first", "last") and p.key not in self._words for p in parts):
            self.learn([mention])
        pieces, position = [], 0
        for part in parts:
            old = mention[part.start : part.end]
            pieces += [mention[position : part.start], self._new(old, part)]
            position = part.end
        return "".join(pieces) + mention[position:]

    def _new(self, old: str, part: NamePart) -> str:
        if part.role == "kept":
            return old
        if part.role == "initial":
            return "".join(self.letter(c) for c in old)
        new = self._words[part.key]
        return old if new == part.key else restyle(new, old)

    def letter(self, letter: str) -> str:
        """Return the replacement of an initial: that of a name learned with it, else drawn."""
        if not letter.isalpha():
            return letter
        key = fold_accents(letter).upper()
        if key not in self._letters:
            swapped = self._rng.random() < self._share
            self._letters[key] = self._rng.choice(_LETTERS.replace(key, "")) if swapped else key
        new = self._letters[key]
        if new == key:
            return letter
        return new.lower() if letter.islower() else new
