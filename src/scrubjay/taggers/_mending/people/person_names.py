"""Names of persons as they stand in a text: first names, initials, surnames and those of diseases.

What is read here stands where only a person can: `keyed` knows those places.
"""

from __future__ import annotations

import re
from functools import cache

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import find_lexicon, is_listed, lexicon_names, look_up
from scrubjay.features.protected import BARE_EPONYM, protected_terms
from scrubjay.taggers._mending.people.person_keys import DISEASES
from scrubjay.text.particles import FREQUENT

_MOST_WORDS, _KEPT = 6, 8192
"""Words of a name, and words remembered."""

_OFTEN = 4
"""The class up to which everyday words are first names: "Will", "jan"."""

_UNCLASSED = 9
"""The class of names that are listed without one: it comes after all that lists have."""

_RARE = 5
"""The class from which on few are called by a surname."""

_ENGLISH, _SHORTEST, _MANY = "en", 3, 4
"""The class up to which an everyday word of so many letters is a surname behind a key."""

# How a patient is, or who, behind a key: "Patient: self", "PT: walker", "Name: same".
_STATES = frozenset([
    "self", "new", "male", "female", "adult", "child", "baby", "infant", "doe", "stable", "other",
    "well", "better", "good", "fine", "early", "late", "walker", "cane", "sober", "moody", "sharp",
    "calm", "quiet", "still", "same", "best", "fair", "poor", "case", "unit", "home", "day", "down",
    "blank", "test", "ill", "sick", "pain", "fall", "free", "busy", "held", "true", "sign", "guest",
    "ready", "english", "rehab", "house", "strong", "short",
])  # fmt: skip
_NO_SURNAMES = tuple(
    f"{_ENGLISH}.{kind}"
    for kind in ("relatives", "credentials", "months", "weekdays", "demonyms", "countries",
                 "titles", "facility-words", "id-words", "date-words")
)  # fmt: skip

_NAME = r"[^\W\d_]+(?:[-'’](?!s(?!\w))[^\W\d_]+)*"
WORD = re.compile(_NAME)
_COMMA = re.compile(rf",[ ]{{0,2}}(?P<word>{_NAME})")
_FURTHER = re.compile(rf"[ ](?:(?:de[ ]la|de[ ]los|del|de)[ ])?(?P<word>{_NAME})")
_MIDDLE = re.compile(r"[ ][A-ZÀ-ÖØ-Þ](?:\.|(?!\w))")
_INITIALS = re.compile(r"(?:[A-ZÀ-ÖØ-Þ]\.[ ]?){1,4}")
# "Y Hashimoto", but "X Ray" and "A Young man".
_BARE_INITIAL = re.compile(r"[B-HJ-WYZ][ ](?=[A-Z][a-z]{2})")
_END = re.compile(r"[ \t]*(?:\r?\n|\Z|[,;|(]|\.(?!\w)|\t)|[ ]{2,}|[ ]+(?=[-–/]?[ ]?\d)")
# "Lichtenstein A", "Whipple G.H.", and "Crohn, AB" in a cell of a table.
_INITIAL_BEHIND = re.compile(
    r",?[ ](?:[A-ZÀ-ÖØ-Þ](?:\.(?:[ ]?[A-ZÀ-ÖØ-Þ]\.){0,2})?(?!\w)|"
    r"(?P<bare>[A-ZÀ-ÖØ-Þ]{2,3})(?=[ \t]*\|))"
)
PARTICLES = FREQUENT | {"le", "el", "al"}
# What is no surname of the eponyms: places, things, firms.
_NO_NAMES = frozenset([
    "pap", "gram", "doppler", "tegaderm", "takotsubo", "lyme", "glasgow", "gamekeeper", "rotor",
    "jacksonian", "parkinsonian", "tensilon", "bethesda", "minnesota", "montreal", "vancouver",
    "oswestry", "merseburg", "denver", "salem", "stanford", "valsalva", "holter", "bristol",
    "achilles", "caesar",
])  # fmt: skip


def read_name(text: str, place: int, language: str, *, alone: bool) -> int:
    """Return the end of the name that begins at a place, which is the place where none does.

    A surname is enough where it may stand `alone`.
    """
    sign = text[place + 1 : place + 2]
    initials = _INITIALS.match(text, place) if sign == "." else None
    if sign == " " and language == _ENGLISH:
        initials = _BARE_INITIAL.match(text, place)
    begin = initials.end() if initials else place
    first = WORD.match(text, begin)
    if first is None or not (initials or _may_begin(first[0], language)):
        return place
    is_bare = initials is not None and sign == " "
    if is_bare and not (is_eponym(first[0].lower(), language) or _is_borne(first[0])):
        return place  # "T Wave"
    words = _words(text, begin)
    end = _end_of_listed(text, words, language) or _end_of_full(
        text, words, language, has_first=initials is not None
    )
    if not end and alone and not initials and _is_alone(text, words[0], language):
        end = words[0].end()
    if alone and not initials and end in (0, words[0].end()):
        end = _end_of_initials(text, words[0], language) or end
    return end or place


@text_cache(_KEPT)
def _may_begin(word: str, language: str) -> bool:
    """Tell whether a name may begin with a word: most in small letters are none."""
    lower = word.lower()
    return (
        word[0].isupper()
        or lower in PARTICLES
        or is_first(word, language)
        or _is_surname(word, language)
        or is_eponym(lower, language)
    )


def _words(text: str, place: int) -> list[re.Match[str]]:
    """Return the words from a place on that one blank parts, dots of initials left out."""
    words: list[re.Match[str]] = []
    while len(words) < _MOST_WORDS and (word := WORD.match(text, place)):
        words.append(word)
        place = word.end()
        place += text[place : place + 1] == "." and len(word[0]) == 1
        if text[place : place + 1] != " ":
            break
        place += 1
    return words


def _end_of_listed(text: str, words: list[re.Match[str]], language: str) -> int:
    """Return the end of "Alzheimer, Greta M.", 0 where the words are none such."""
    for number, word in enumerate(words, start=1):
        end = word.end()
        if text[end : end + 1] == "," and (comma := _COMMA.match(text, end)):
            surname = [w[0] for w in words[:number] if w[0].lower() not in PARTICLES]
            if (
                is_first(comma["word"], language)
                and any(_is_surname(part, language) for part in surname)
                and all(_is_surname(part, language) or part[0].isupper() for part in surname)
            ):
                return _end_of_firsts(text, comma.end(), language)
            return 0
    return 0


def _end_of_firsts(text: str, end: int, language: str) -> int:
    """Return the end of the further first names and initials behind one."""
    while word := _MIDDLE.match(text, end) or _FURTHER.match(text, end):
        if word.re is _FURTHER and not is_first(word["word"], language):
            break
        end = word.end()
    return end


def _end_of_full(text: str, words: list[re.Match[str]], language: str, *, has_first: bool) -> int:
    """Return the end of "Greta van Alzheimer", of which an initial may be all of the first name."""
    for number, word in enumerate(words):
        if has_first and _is_surname(word[0], language):
            further = [w[0] for w in words[number + 1 :] if w[0].lower() not in PARTICLES]
            if further and is_first(word[0], language) and _is_surname(further[0], language):
                continue
            end = _end_of_surnames(words[number:], language)
            return end if is_person(text, end) else 0
        if is_first(word[0], language):
            has_first = True
        elif not has_first or (word[0].lower() not in PARTICLES and len(word[0]) > 1):
            return 0
    return 0


def _end_of_surnames(words: list[re.Match[str]], language: str) -> int:
    """Return the end of a surname, of two in Spanish."""
    end = words[0].end()
    if language == "es":
        further = [word for word in words[1:] if word[0].lower() not in PARTICLES]
        if further and _is_surname(further[0][0], language):
            end = further[0].end()
    return end


def _is_alone(text: str, word: re.Match[str], language: str) -> bool:
    """Tell whether a word is an eponym, or in English a surname of many, and all that is said."""
    is_name = _is_called(word[0], language) or (
        language == _ENGLISH and word[0][0].isupper() and _is_borne(word[0])
    )
    return is_name and _END.match(text, word.end()) is not None


@text_cache(_KEPT)
def _is_borne(word: str) -> bool:
    """Tell whether many are called by an English surname, more so where it is a word, too."""
    lower = word.lower()
    if (
        len(word) < _SHORTEST
        or lower in _STATES | _NO_NAMES
        or is_listed(lower, *_NO_SURNAMES)
        or protected_terms(_ENGLISH, spared=True).get(lower, BARE_EPONYM) != BARE_EPONYM
    ):
        return False
    most = _MANY if is_common(lower, _ENGLISH) else _RARE
    return 0 < rank_of("surnames", word, _ENGLISH) <= most


def _end_of_initials(text: str, word: re.Match[str], language: str) -> int:
    """Return the end of the initials behind an eponym, 0 where they are not all that is said."""
    initials = _INITIAL_BEHIND.match(text, word.end())
    if (
        initials is None
        or not (word[0][0].isupper() and _is_called(word[0], language))
        or (initials["bare"] and is_listed(initials["bare"], "en.credentials"))
    ):
        return 0
    end = initials.end()
    return end if text[end - 1] == "." or _END.match(text, end) else 0


def is_person(text: str, end: int) -> bool:
    """Tell whether nothing right behind a name makes a disease or a device of it."""
    return DISEASES.match(text, end) is None


@cache
def _eponyms(language: str) -> frozenset[str]:
    names = {"world.eponyms", f"{language}.eponyms"}.intersection(lexicon_names())
    return frozenset().union(*map(find_lexicon, sorted(names))) - _NO_NAMES


def is_eponym(word: str, language: str) -> bool:
    return word in _eponyms(language)


def is_common(word: str, language: str) -> bool:
    """Tell whether a word in small letters is an everyday one."""
    return is_listed(word, f"{language}.common")


@text_cache(_KEPT)
def is_first(word: str, language: str) -> bool:
    """Tell whether a word is a first name, one that is an everyday word if it is often one."""
    if is_listed(word, "en.credentials"):
        return False
    rank = rank_of("first-names", word, language)
    return rank > 0 if not rank or not is_common(word, language) else rank <= _OFTEN


@text_cache(_KEPT)
def _is_surname(word: str, language: str) -> bool:
    """Tell whether a word is a surname, one in small letters only if it is no everyday word.

    In Dutch it has a class then: the others are words as well ("mw Mei werd 84").
    """
    if word[0].islower() and is_common(word, language):
        return False
    rank = rank_of("surnames", word, language)
    if rank == _UNCLASSED and language == "nl" and word[0].islower():
        rank = 0
    return is_eponym(word.lower(), language) or rank > 0


def rank_of(kind: str, word: str, language: str) -> int:
    """Return the least class of a word in the lists of a kind, from 1 up, 0 for no such name.

    What is listed without a class comes after all that have one: of it nobody knows that many are
    called so.
    """
    return min(filter(None, [_rank(name, word) for name in _lists(kind, language)]), default=0)


def is_often(kind: str, word: str, language: str, *, most: int) -> bool:
    """Tell whether many are called by a word: it has a class up to the `most` one.

    So has what the list of the language itself names without a class, where nobody knows better
    ("Wit" in Dutch); the list of the world holds everyday words without one, too ("have").
    """
    if look_up(find_lexicon(f"{language}.{kind}"), word) == 0:
        return True
    return 0 < rank_of(kind, word, language) <= most


def _rank(name: str, word: str) -> int:
    """Return the class of a word in a list from 1 up, 0 where it is not listed."""
    rank = look_up(find_lexicon(name), word)
    return 0 if rank is None else rank or _UNCLASSED


@cache
def _lists(kind: str, language: str) -> tuple[str, ...]:
    return (f"{language}.{kind}", f"world.{kind}")


def end_after_title(text: str, place: int, language: str, *, of_kin: bool) -> int:
    """Return the end of what is a name right behind a title: a full one, or an eponym alone.

    It begins at `place`. No eponym stands alone behind the title `of_kin`.
    """
    word = WORD.match(text, place)
    if word is None:
        return 0
    written = word[0]
    if len(written) == 1 and not of_kin and (initials := _INITIALS.match(text, place)):
        word = WORD.match(text, initials.end())
        is_name = word is not None and word[0][0].isupper() and _is_called(word[0], language)
        return word.end() if word is not None and is_name else 0  # "Dhr. M. Parkinson bekend met"
    if is_first(written, language) and (
        end := _end_of_full(text, _words(text, place), language, has_first=False)
    ):
        return end
    is_name = not of_kin and _is_called(written, language) and is_person(text, word.end())
    return word.end() if is_name else 0


@text_cache(_KEPT)
def _is_called(word: str, language: str) -> bool:
    """Tell whether somebody may be called so: one in small letters is no everyday word."""
    lower = word.lower()
    return is_eponym(lower, language) and (word[0].isupper() or not is_common(lower, language))
