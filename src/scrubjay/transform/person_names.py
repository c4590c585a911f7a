"""The parts of a mention of a person: titles, first names, surnames, initials.

    Mr. John Q. Smith, Jr.   title, given, initial, last, suffix
    van den BERG, Jan        particles, last, given
    JS    J. Smith    JohnSmith    García Pérez, María    Smith's
    S M I T H, J-O-H-N       letters that spell a name are one part

Without a comma or a title the lexicons of names tell which word is what; a word that they do not
tell is `either`. Text between the parts (marks, spaces, digits) belongs to none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import find_lexicon
from scrubjay.transform._devotions import join_devotions
from scrubjay.transform._gaelic import find_gaelic, join_prefixes
from scrubjay.transform._name_roles import HYPHENS, find_capitals, find_names, find_row
from scrubjay.transform._spelled import is_spelled, join_spelled
from scrubjay.transform.name_words import (
    UNKNOWN,
    Gender,
    NameWord,
    NameWords,
    Role,
    find_name_words,
    name_classes,
    name_key,
    read_word,
)

NAME_ROLES = frozenset({"given", "last", "either"})
_LETTER = r"(?:[^\W\d_][\u0300-\u036f]*)"
_WORD = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}{{2,}})*|(?<![^ ,(])['’]{_LETTER}\b")
_GLUE = re.compile(r"(?<=[^\W\d_])(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])")
_NO_CUT = frozenset({
    "mc", "mac", "nic", "de", "la", "le", "van", "di", "du", "da", "del", "o", "d", "fitz", "st",
    "lo", "al", "el", "ten", "ter", "vander", "van der", "san",
})  # fmt: skip
_DOTTED_CREDENTIAL = re.compile(
    r"(?<=[\s,])(?:M\.\s?D|Ph\.\s?D|R\.\s?N|D\.\s?O|N\.\s?P|P\.\s?A|D\.\s?D\.\s?S)\.?(?:-C)?\W*$"
)
_INNER = re.compile(r"([A-Z])(v|vd|vdr|van|de|d)([A-Z])$")
_MOST_PLAIN = 8  # spaces in a mention of plain words
_FEW = 1  # words, which are no letters that spell a name
_MARIA = re.compile(r"(?<!\w)M(?:[ªAa]|\.\s?[ªa])(?!\w)\.?")
_VOWELS = frozenset("aeiouy")
_FIRST_NAME = 5
"""The class up to which a word after "D." is a first name."""
ARTICLES = frozenset(["el", "la", "las"])
"""Particles that are never a first name; alone they are a slip of who marked the text."""
_LETTER_PARTICLES = frozenset({"v", "d"})
_NO_NAME_MARKS = re.compile(r"[.'’/]")
_SLASHED = re.compile(r"(?<=\s)[A-Za-z]/[A-Za-z](?=\s)", re.ASCII)
"""What "s/o" and "d/o" look like behind a name."""


class NamePart(NamedTuple):
    """A part of a name: its offsets in the mention, its key (`name_key`) and its role."""

    start: int
    end: int
    key: str
    role: Role

    def __repr__(self) -> str:
        return f"NamePart({self.start}, {self.end}, {self.role!r})"


@dataclass(slots=True, repr=False)  # nobody changes it; to be frozen would double what it costs
class PersonName:
    """A mention of a person in parts, in their order, with the gender that its title tells.

    `relative` is which relative of somebody the words beside it tell (`name_cues`), or "".
    `facts`, `profile` and `pieces` are where others keep what they worked out of the mention alone:
    it lives as long as the mention is remembered (`parse_name`), and is no part of it.
    """

    parts: tuple[NamePart, ...]
    gender: Gender
    relative: str = ""
    facts: Any = field(default=None, compare=False)
    profile: Any = field(default=None, compare=False)
    pieces: Any = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"PersonName({len(self.parts)} parts)"

    def keys(self, *roles: Role) -> tuple[str, ...]:
        """Return the keys of the parts of those roles, in their order."""
        return tuple([part.key for part in self.parts if part.role in roles])

    @property
    def is_group(self) -> bool:
        """Tell whether the mention names several persons: "John and Mary Smith"."""
        roles = [part.role for part in self.parts]
        return "link" in roles


@text_cache(16_384)  # names of people come again, and all that is known of one is kept with it
def parse_name(mention: str, language: str = "") -> PersonName:
    """Cut a mention of a person into its parts and tell the role of each.

    `language` settles what is a title in one language and a name in another ("Don"). Never
    fails: a mention of titles alone is taken for names, and one without letters has no parts.
    """
    row = [read_word(word) for word in mention.split(" ", _MOST_PLAIN)]
    if False not in [word.is_plain for word in row]:  # as most mentions are
        return _of_plain_words(mention, row, language[:2])
    return _of_any(mention, language)


def parse_letters(mention: str, language: str, known: Set[str]) -> PersonName:
    """Return what `parse_name` does, letters that spell a known name being that name.

    `known` are keys of names: of two letters and three, initials may spell one as well.
    """
    return _of_any(mention, language, known)


def _of_any(mention: str, language: str, known: Set[str] = frozenset()) -> PersonName:
    """Return what `parse_name` does of any mention, word for word."""
    spans = _pieces(mention)
    found = [read_word(mention[start:end]) for start, end in spans]
    if len(spans) > _FEW:
        spans, found = join_spelled(mention, spans, found, known)
    spans, found = join_prefixes(mention, spans, found)
    if language[:2] == "es":
        if _MARIA.search(mention) is not None:
            spans, found = _with_maria(mention, spans, found)
        found = _written_out(mention, spans, found)
    keys = [word.key for word in found]
    words = find_name_words()
    roles = _fixed_roles(mention, spans, keys, words, language[:2])
    if language[:2] == "es" and len(spans) > 2:
        spans, found, roles = join_devotions(mention, spans, found, roles)
        keys = [word.key for word in found]
    find_gaelic(mention, spans, found, roles)
    _find_initials(mention, spans, found, roles, language[:2])
    find_names(mention, spans, found, roles, language[:2])
    genders: set[Gender] = set()
    if "title" in roles:
        titles = [key for key, role in zip(keys, roles, strict=True) if role == "title"]
        genders = {words.titles.get(key, "") for key in titles}
        genders.discard("")
    elif "particle" in roles:
        genders = _told_by_parents(mention, spans, keys, roles)
    parts = [
        NamePart(start, end, word.key, role or "last")
        for (start, end), word, role in zip(spans, found, roles, strict=True)
    ]
    return PersonName(tuple(parts), genders.pop() if len(genders) == 1 else "")


def _with_maria(
    mention: str, spans: Sequence[tuple[int, int]], words: Sequence[NameWord]
) -> tuple[list[tuple[int, int]], list[NameWord]]:
    """Return the words of a Spanish mention with "M.ª", "Mª", "M.a" and "Ma." as María.

    Without the letter "ª" they are that before a first name alone: "Ma. Luz", but "Lee Ma".
    """
    new_spans: list[tuple[int, int]] = []
    new: list[NameWord] = []
    for place, (start, end) in enumerate(spans):
        if new_spans and start < new_spans[-1][1]:
            continue
        short, word = _MARIA.match(mention, start), words[place]
        if short is not None:
            rest = (one for one, span in zip(words, spans, strict=True) if span[0] >= short.end())
            after = next(rest, None)
            if "ª" in short[0] or (after is not None and after.first <= _FIRST_NAME):
                end, word = short.end(), read_word("María")
        new_spans.append((start, end))
        new.append(word)
    return new_spans, new


def _written_out(
    mention: str, spans: Sequence[tuple[int, int]], words: list[NameWord]
) -> list[NameWord]:
    """Return the words of a Spanish mention with "D." and "D.ª" as what they are short for.

    They are before a first name alone: "D. Ángel", but "D. A. Ruiz" and "D. Ruiz".
    """
    for place, (start, end) in enumerate(spans):
        if mention[start:end] != "D" or mention[end : end + 1] != ".":
            continue
        rest = place + 1
        lady = rest < len(spans) and mention[slice(*spans[rest])] in ("ª", "a")
        lady = lady and spans[rest][0] == end + 1
        rest += lady
        if rest < len(spans) and words[rest].size > 1 and words[rest].first <= _FIRST_NAME:
            key = "dona" if lady else "don"
            words[place : place + 1 + lady] = [
                word._replace(key=key) for word in words[place : place + 1 + lady]
            ]
        break
    return words


def _of_plain_words(mention: str, row: Sequence[NameWord], language: str) -> PersonName:
    """Return a mention of plain words with a space between each two."""
    if len(row) == 1:
        key = row[0].key
        return PersonName((NamePart(0, row[0].size, key, "either"),), "")
    roles: list[Role | None] = [None] * len(row)
    if any(map(str.isupper, mention)) and not (mention.isupper() or mention.istitle()):
        find_capitals(mention.split(" "), row, roles, range(len(row)))
    find_row(row, roles, range(len(row)), language)
    parts: list[NamePart] = []
    start = 0
    for word, role in zip(row, roles, strict=True):
        end = start + word.size
        parts.append(NamePart(start, end, word.key, role or "last"))
        start = end + 1
    return PersonName(tuple(parts), "")


def _pieces(mention: str) -> list[tuple[int, int]]:
    """Return the words of a mention, glued ones apart: "JohnSmith", "JvdB", "JSmith"."""
    pieces: list[tuple[int, int]] = []
    for match in _WORD.finditer(mention):
        start, end = match.span()
        word = match.group()
        if word.islower() or word.isupper() or word[1:].islower():
            pieces.append((start, end))
            continue
        inner = _INNER.fullmatch(word)
        if inner:
            pieces += [(start + a, start + b) for a, b in map(inner.span, (1, 2, 3))]
            continue
        cuts = [cut.start() for cut in _GLUE.finditer(word) if _may_cut(word, cut.start())]
        borders = [0, *cuts, len(word)]
        pieces += [(start + a, start + b) for a, b in pairwise(borders)]
    return pieces


def _may_cut(word: str, place: int) -> bool:
    before, after = name_key(word[:place]), word[place:]
    if len(after) < 3 or "'" in before or "’" in before:
        return False
    return before not in _NO_CUT and (len(before) >= 3 or word[:place].isupper())


def _fixed_roles(
    mention: str,
    spans: Sequence[tuple[int, int]],
    keys: Sequence[str],
    words: NameWords,
    language: str,
) -> list[Role | None]:
    """Return the roles of the words that are no names, None for the others."""
    roles: list[Role | None] = [None] * len(spans)
    if (
        words.all.isdisjoint(keys)
        and _LETTER_PARTICLES.isdisjoint(keys)
        and _NO_NAME_MARKS.search(mention) is None
    ):
        return roles
    dotted = _DOTTED_CREDENTIAL.search(mention)
    slashed = _SLASHED.search(mention)
    if slashed is not None and slashed[0].lower() not in words.patronymics:
        slashed = None
    seen = False  # a name stands before
    for place, (start, end) in enumerate(spans):
        key, word = keys[place], mention[start:end]
        last = place == len(spans) - 1
        # "LORD, JOHN": what stands before the comma is a surname, whatever it means.
        between = "" if last else mention[end : spans[place + 1][0]]
        turned = between.lstrip().startswith(",")
        # "Arts-Samyn", too, but not "arts-assistent".
        glued = between in HYPHENS and mention[spans[place + 1][0]].isupper()
        if end - start == 1 and start > 1 and mention[start - 1] in "'’":
            roles[place] = "ending" if mention[start - 2].isalpha() else None
        elif seen and (
            (dotted and start >= dotted.start())
            or key in words.generations
            or _is_credential(mention, start, end, key, words)
        ):
            roles[place] = "suffix"
        elif not (seen or last or turned or glued) and (
            _is_title(word, keys, place, words, language)
            or (
                key in words.abbreviations
                and mention[end : end + 1] == "."
                and place < len(spans) - 2
            )
        ):
            roles[place] = "title"
        elif (slashed is not None and slashed.start() <= start < slashed.end()) or (
            key in words.patronymics
            and not (last or turned)
            and _is_small(word, mention, is_first=place == 0, after=mention[spans[place + 1][0]])
        ):
            roles[place] = "particle"
        elif place > 0 and not last and _is_link(keys, place, words):
            roles[place] = "link"
        elif key in ("v", "d") and word.islower() and not last:
            roles[place] = "particle"  # "v.d. Berg"
        elif key in words.particles and (
            word.islower()
            or not (
                last
                or turned
                or _is_first_name(
                    keys, place, words, language, behind=mention[:start].rstrip()[-1:] == ","
                )
            )
        ):
            roles[place] = "particle"
        if roles[place] is None:
            seen = True
    if not any(role is None for role in roles):
        roles = [None if role != "ending" else role for role in roles]
    return roles


def _is_small(word: str, mention: str, *, is_first: bool, after: str) -> bool:
    """Tell whether a word is written as what stands between names: "Gwen ap Rhys", "ap Rhys".

    Before a name in small letters too, two letters at the beginning are rather initials.
    """
    if is_first:
        return word.islower() and (after.isupper() or len(word) > 2)
    return word.islower() or (mention.isupper() and len(word) > 2)


def _told_by_parents(
    mention: str,
    spans: Sequence[tuple[int, int]],
    keys: Sequence[str],
    roles: Sequence[Role | None],
) -> set[Gender]:
    """Return the genders that words between a name and that of a parent tell: "s/o", "binte"."""
    patronymics = find_name_words().patronymics
    told = [key for key, role in zip(keys, roles, strict=True) if role == "particle"]
    slashed = _SLASHED.search(mention)
    if slashed is not None:
        told.append(slashed[0].lower())
    return {patronymics[key] for key in told if patronymics.get(key)}


def _is_title(word: str, keys: Sequence[str], place: int, words: NameWords, language: str) -> bool:
    key = keys[place]
    if key not in words.titles:
        return False
    if key != "don" or word.islower() or language == "es":
        return True
    # In English it is short for Donald, and to leave a name as a title would leak it.
    return not language and find_lexicon("es.first-names").get(keys[place + 1], UNKNOWN) <= 3


def _is_first_name(
    keys: Sequence[str], place: int, words: NameWords, language: str, *, behind: bool
) -> bool:
    """Tell whether a capitalised particle may be a first name instead: Ben, Al, Van.

    `behind` tells that it stands right behind a comma: "BUI, VAN THANH", but "BERG, VAN DEN J".
    """
    key = keys[place]
    if len(key) == 1:
        return True
    if key in ARTICLES:
        return False
    if keys[place + 1] in words.particles:
        return False
    if key == "van" and language != "en" and not (behind and len(keys[place + 1]) > 1):
        return False
    return name_classes(key)[0] <= 5


def _is_credential(mention: str, start: int, end: int, key: str, words: NameWords) -> bool:
    if key not in words.credentials:
        return False
    if mention[:start].rstrip().endswith(",") and len(key) > 2:
        return True
    if mention[end:].strip(" .,") or not (mention[start:end].isupper() or key == "phd"):
        return False
    # "NGUYEN, DO" and "LI MA" are names: two letters alone are a credential after small letters.
    return len(key) > 2 or key == "md" or any(c.islower() for c in mention[:start])


def _is_link(keys: Sequence[str], place: int, words: NameWords) -> bool:
    """Tell whether "and", "y", "en" joins two persons: not the two surnames of one in Spanish."""
    key = keys[place]
    if key not in words.links:
        return False
    return len(key) > 1 or (key == "y" and keys[place + 1] in words.titles)


def _find_initials(
    mention: str,
    spans: Sequence[tuple[int, int]],
    words: Sequence[NameWord],
    roles: list[Role | None],
    language: str,
) -> None:
    short = [
        place for place, role in enumerate(roles) if role is None and len(words[place].key) <= 3
    ]
    if not short:
        return
    alone = roles.count(None) == 1
    lower = any(map(str.islower, mention))
    for place in short:
        start, end = spans[place]
        word, (key, first, last, *_) = mention[start:end], words[place]
        article = key in ARTICLES and not word.isupper()
        if (article and not (alone and language == "en")) or (len(key) > 1 and is_spelled(word)):
            continue  # alone in English it is initials: "/las" of who dictated
        if len(key) == 1 or _is_written_short(mention, start, end):
            roles[place] = "initial"
        elif place and _announces(mention[slice(*spans[place - 1])], roles[place - 1], word):
            continue  # a surname
        elif word.isupper() and (lower or alone or _VOWELS.isdisjoint(key)):
            # Two or three capitals beside small letters, or alone, that are no common name.
            if min(first, last) > (3 if len(key) == 3 else 2):
                roles[place] = "initial"
        elif article or (alone and min(first, last) > 4 and (word.islower() or _is_no_word(key))):
            roles[place] = "initial"


def _announces(before: str, role: Role | None, word: str) -> bool:
    """Tell whether a short word is a surname for what stands before it: "de wit", "DR. HO".

    Behind a title it may be initials where that is written otherwise: "Dr. JS".
    """
    if role != "title":
        return role == "particle" and word.islower() == before.islower()
    return (before.islower() and word.islower()) or (before.isupper() and word.isupper())


def _is_written_short(mention: str, start: int, end: int) -> bool:
    """Tell whether a short word is an initial of several letters: "Chr. Smit", "A.F.Th. Smit"."""
    key = name_key(mention[start:end])
    if mention[end : end + 1] != "." or key in find_name_words().all:
        return False
    return _is_no_word(key) or mention[start - 1 : start] == "."


def _is_no_word(key: str) -> bool:
    """Tell whether a key has no vowel, and is no title or the like."""
    return _VOWELS.isdisjoint(key) and key not in find_name_words().all
