"""Eponyms: the words of a person's or a town's name that are part of a clinical term.

"Wilson disease", "ziekte van Parkinson" and "Glasgow Coma Scale" name nobody, whoever else in the
record is called so. Only the listed terms count (`features.protected`), written on one line and in
one column, with a word of them beside the name that is none itself; "Wilson's" alone is a name.
Phrases of notes do not ("Mark with", "May need"). What looks as if a person were meant ("Dr. Wilson
test", "Wilson disease" after "John", "Patrick's test") counts as one. A full stop ends a name
("by Dr. Wilson. Wilson disease") but for a title or an initial, and a result that a term takes is
such a word, too ("Gleason 4+3=7", `_results`), so are terms that notes write short ("Merkel cell
ca", `_short_terms`), and in English the short hand of diseases ("Addison's dz", "h/o Crohn's",
`_diseases`) and of devices and operations ("Foley to gravity", "s/p Whipple", `_devices`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Protocol

from scrubjay.features.lexicons import normal_word
from scrubjay.features.phrases import PIECE
from scrubjay.features.protected import (
    BARE_EPONYM,
    ProtectedTerm,
    find_protected,
    protected_index,
    protected_pieces,
    words_around,
)
from scrubjay.known._devices import thing_term
from scrubjay.known._diseases import disease_term
from scrubjay.known._results import longest_result, result_pieces, result_term
from scrubjay.known._short_terms import short_pieces, short_term
from scrubjay.known._word_tables import fold
from scrubjay.known.people import TITLES, common_words, is_also_a_name
from scrubjay.known.words import split_words_anew
from scrubjay.text.particles import COMMON
from scrubjay.transform.name_words import name_classes

_WITH_SHORT_HAND = "en"
"""The language whose short hand for diseases and devices is known (`_diseases`, `_devices`)."""

_AROUND = 40
"""Characters on each side in which a term may begin and end."""

_PIECE = re.compile(PIECE)
_HYPHENS = "\\-\u2010\u2011\u2013"
_PARTICLES = rf"(?:(?:{'|'.join(sorted(COMMON))})[ \t]+){{0,3}}"
# A name goes on over a hyphen, and where a line was wrapped: "Dr.", and on the next one "Wilson".
_BEFORE = re.compile(
    rf"([^\W\d_]+\.?)(?:[ \t:]*(?:\r\n?|\n)?[ \t]*{_PARTICLES}|[{_HYPHENS}'’])\Z", re.IGNORECASE
)
_AFTER = re.compile(
    rf"(?:[ \t]+|[ \t]*(?:\r\n?|\n)[ \t]*|[{_HYPHENS}])({_PARTICLES})([^\W\d_]+)", re.IGNORECASE
)
_COLUMNS = re.compile(r"\t|[^\S\n]{2}")
_LEAST_WORD = 3
_FIRST_NAME = 5
"""The class up to which an everyday word is as well a first name: "May", but not "test"."""
_OFTEN_FIRST = 3
"""The same for what may be one before a surname: "Mark", but not "An"."""
_MOST_OFTEN = 1
"""The class of first names so frequent that an everyday word beside them tells nothing."""

_MANY_WORDS = 3
"""Words of a term with which nobody's name goes on over a line end."""
_SHORT_NAME, _LONGEST_SHORT = 2, 3
"""Letters of a word before a full stop that may be an abbreviation."""
_SHORT_NAMES = frozenset(["benj", "chas", "edwd", "geor", "robt", "saml", "thos"])
"""Longer first names that are written short."""

_PHRASES = frozenset(["heading", "other", "unit"])
"""Kinds of terms that are phrases of notes, many of everyday words."""

_PERSON_WORDS = """
    doctor doctors drs professor nurse physician surgeon provider attending resident therapist
    patient pt name surname sister brother mother father son daughter child baby boy girl wife
    husband rn np sgt capt lt rev sir
    doctora dra medico medica enfermera enfermero paciente nombre apellido apellidos hermana
    hermano madre padre hijo hija nino nina esposa esposo
    dokter arts huisarts chirurg verpleegkundige zuster broeder patient patiente naam achternaam
    hr mej juffrouw
    zus broer moeder vader zoon dochter kind jongen meisje vrouw man
"""
PERSON_WORDS = TITLES | frozenset(_PERSON_WORDS.split())
"""Words beside which a name stands, and which make no term: "sister Mary", "the child Pugh"."""

_BREAKS = "\n\r\v\f\u0085\u2028\u2029"


class Placed(Protocol):
    """Something at half-open offsets in a text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def is_eponym(text: str, start: int, end: int, language: str, *, outside: Sequence[Placed]) -> bool:
    """Tell whether `text[start:end]` is an eponym within a clinical term.

    It is none where one of `outside`, the mentions in the text or what stands for them (sorted,
    disjoint), reaches into the term or the words beside it. Where in doubt it is a name. The time
    does not grow with the text.
    """
    first = _PIECE.match(text, start, end)
    word = "" if first is None else normal_word(first.group())
    is_piece = word in protected_pieces(language)
    if not (is_piece or word in result_pieces() or word in short_pieces(language)):
        return False
    if _is_longer(text, start, end, _longest_term(language)):
        return False
    begin, limit = line_around(text, start, end)
    if is_piece:
        for term in find_protected(text[begin:limit], language):
            place = begin + term.start, begin + term.end
            if place[0] <= start and end <= place[1]:
                if term.kind not in _PHRASES and not _COLUMNS.search(text, *place):
                    beside = text[place[0] : start], text[end : place[1]]
                    if _tells(text[start:end], beside, term, language):
                        return names_nobody(text, (start, end), place, language, outside)
                break
    found = result_term(text, start, end, begin)
    if found is None:
        named = short_term(text, start, end, language)
        if named is None and language == _WITH_SHORT_HAND:
            named = disease_term(text, start, end) or thing_term(text, start, end)
        return named is not None and names_nobody(text, (start, end), named, language, outside)
    if _COLUMNS.search(text, found[0], found[2]):
        return False
    return names_nobody(text, (start, end), found[:2], language, outside, result=found[2])


@cache
def _longest_term(language: str) -> int:
    """Return how many pieces the longest term has in which something can be an eponym."""
    return max([longest_result(), *map(len, protected_index(language).kinds)])


def _is_longer(text: str, start: int, end: int, most: int) -> bool:
    """Tell whether `text[start:end]` has more than so many pieces; it is looked at no further."""
    return end - start > most and any(islice(_PIECE.finditer(text, start, end), most, None))


def line_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the words around begin and end, on the same line: "Seen by Wilson", and on the
    next one "Disease: none"."""
    begin, limit = words_around(text, start, end, reach=_AROUND)
    begin = max(begin, *(text.rfind(mark, begin, start) + 1 for mark in _BREAKS))
    breaks = [place for mark in _BREAKS if (place := text.find(mark, end, limit)) >= 0]
    return begin, min(breaks, default=limit)


def _tells(name: str, beside: tuple[str, str], term: ProtectedTerm, language: str) -> bool:
    """Tell whether what a term has beside a name makes it no name: a word that is none itself.

    Of a bare eponym ("sonda de Foley") it is an everyday word, too. An everyday word is not enough
    where many are called so by their first name.
    """
    common = common_words(language)
    firsts = (name_classes(key)[0] for key in split_words_anew(name).keys)
    is_first = any(first <= _MOST_OFTEN for first in firsts)
    for word in (key for side in beside for key in split_words_anew(side).keys):
        if len(word) < _LEAST_WORD or word in PERSON_WORDS:
            continue
        if word in common:
            if is_first:
                continue
            if not is_also_a_name(word) or name_classes(word)[0] > _FIRST_NAME:
                return True
        elif term.kind != BARE_EPONYM and not is_also_a_name(word):
            return True
    return False


def names_nobody(
    text: str,
    name: tuple[int, int],
    term: tuple[int, int],
    language: str,
    outside: Sequence[Placed],
    *,
    result: int = 0,
) -> bool:
    """Tell whether nothing beside a term makes its name that of somebody.

    `result` is where what the term takes after it ends, 0 for nothing.
    """
    start, end = term
    before = _BEFORE.search(text, max(0, start - _AROUND), start)
    after = None if result else _AFTER.match(text, end, end + _AROUND)
    end = max(end, result)
    if before is not None and not (
        _ends_sentence(before, outside) or _ends_line(before, text[slice(*term)], outside)
    ):
        start = before.start()
        leads = _are_names(text[term[0] : name[0]], language)
        glued = before.group().endswith(("'", "’"))  # O'Wilson
        if leads and (glued or _is_of_person(before.group(1), language)):
            return False
    if after is not None:
        end = after.end()
        trails = _are_names(text[name[1] : term[1]], language)
        particles, word = after.groups()
        if trails and (
            word.istitle()  # "van Dijk", but not "van de patient"
            if particles and not word.isupper()
            else _is_of_person(word, language)
        ):
            return False
    first = bisect_right(outside, start, key=lambda each: each.end)
    return first == len(outside) or outside[first].start >= end


def _ends_sentence(before: re.Match[str], outside: Sequence[Placed]) -> bool:
    """Tell whether the word before a term ends what stands before it: "Seen by Wilson. Wilson
    disease", but not "Dr. Wilson disease"; so does a name with a colon.

    A word of up to three letters is an abbreviation ("Jos."), but for one that ends a mention, and
    the sex behind an age is no initial ("61M. Cushing syndrome").
    """
    word = before.group(1).rstrip(".")
    mark, key = before.group()[len(word) :].lstrip()[:1], fold(word)
    if mark == "." and before.string[before.start() - 1 : before.start()].isdigit():
        return True
    if not mark or mark not in ".:" or key in PERSON_WORDS or len(key) < _SHORT_NAME:
        return False
    if len(key) > _LONGEST_SHORT and key not in _SHORT_NAMES:
        return True
    return _ends_mention(before.start() + len(word), outside)


def _ends_line(before: re.Match[str], term: str, outside: Sequence[Placed]) -> bool:
    """Tell whether the word before a term ends a mention and a line, and nobody's name goes on:
    "Fellow: Crohn-Weiss", and on the next line "Boston Bowel Prep Score"."""
    if not any(mark in before.group() for mark in _BREAKS) or len(term.split()) < _MANY_WORDS:
        return False
    return _ends_mention(before.start() + len(before.group(1)), outside)


def _ends_mention(at: int, outside: Sequence[Placed]) -> bool:
    first = bisect_right(outside, at - 1, key=lambda each: each.end)
    return first < len(outside) and outside[first].start < at == outside[first].end


def _is_of_person(word: str, language: str) -> bool:
    """Tell whether a word beside a name is a title, an initial or another name, by its looks."""
    key = fold(word.rstrip("."))
    if key in PERSON_WORDS or (key in _SHORT_NAMES and word[-1] == "."):
        return True
    if not word[:1].isupper():
        return False
    if key in common_words(language) and word[1:] != ".":
        return name_classes(key)[0] <= _OFTEN_FIRST
    return len(key) == 1 or is_also_a_name(key)


def _are_names(text: str, language: str) -> bool:
    """Tell whether a text has no words but such as are names, and no everyday words."""
    keys = split_words_anew(text).keys
    return all(is_also_a_name(key) and key not in common_words(language) for key in keys)
