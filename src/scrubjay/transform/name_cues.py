"""What the words before a mention tell of its person: "his wife", "Mevr.", "hijo".

A title tells a gender, a word for a relative besides which one. They count right before the
mention, or before a comma, a colon or a bracket ("her son, Robin", "Mother: Pat Gordon"). Two
titles or relatives that are joined ("Mr. and Mrs. Smith") tell nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from scrubjay.document import Span
from scrubjay.transform.name_words import Gender, find_text, gender_of, name_key
from scrubjay.transform.person_names import PersonName, parse_name
from scrubjay.transform.remembering import lasting

_AROUND = 40
_LANGUAGES = ("en", "es", "nl")
_LETTER = r"[^\W\d_]"
_WORD_BEFORE = re.compile(
    rf"(?<![\w'’/-])({_LETTER}{{2,}}(?:-in-law)?)\.?(?:[ \t]*[:(]|,)?(?:[ \t]|\r?\n)*\Z"
)
_BEHIND_WORD = " \t\r\n:(,."
"""What `_WORD_BEFORE` has between the word and the mention."""
_JOINED = re.compile(rf"(?<!\w)({_LETTER}+)\.?[ \t]*(?:and|&|or|en|of|y|e|o|/|\+)[ \t]*\Z", re.I)


class Cue(NamedTuple):
    """What is told of a person: the gender, which relative it is of somebody, or ""; and whether
    the name follows without a mark."""

    gender: Gender
    relative: str
    direct: bool = True


NO_CUE = Cue("", "")


def cues_of(text: str, mentions: Sequence[tuple[Span, str]], language: str) -> list[Cue]:
    """Return what the words before each mention tell, its span and its text.

    `language` may be "" (all languages). Nothing is told of a mention that is not in the text.
    """
    words = _cue_words(language[:2])
    return [
        _cue_before(text, span.start, words) if text.startswith(mention, span.start) else NO_CUE
        for span, mention in mentions
    ]


def name_beside(mention: str, language: str, cue: Cue) -> PersonName:
    """Return `parse_name` of a mention with what a cue tells; a title within it tells more."""
    if cue is NO_CUE or cue == NO_CUE:  # identity first: nearly all are this one
        return parse_name(mention, language)
    return _told(mention, language, cue)


@lasting(4096)
def _told(mention: str, language: str, cue: Cue) -> PersonName:
    name = parse_name(mention, language)
    given = name.keys("given") or name.keys("either")
    own = gender_of(given[0]) if given else ""
    against = name.gender or ("" if cue.direct else own)
    if name.is_group or (against and against != cue.gender):
        return name
    return PersonName(name.parts, cue.gender or name.gender, cue.relative)


def _cue_before(text: str, start: int, words: Mapping[str, Cue]) -> Cue:
    before = text[max(0, start - _AROUND) : start]
    core = before.rstrip(_BEHIND_WORD)
    begin = core.rfind(" ") + 1
    last = core[begin:]
    # Nearly every mention is told at this look: the word before it is none that tells anything.
    if last.isalpha():
        if (last.lower() if last.isascii() else name_key(last)) not in words:
            return NO_CUE
    elif not last[-1:].isalnum():
        return NO_CUE
    found = _WORD_BEFORE.search(before, begin)
    if found is None:
        return NO_CUE
    cue = words.get(name_key(found[1]))
    if cue is None:
        return NO_CUE
    joined = _JOINED.search(before, 0, found.start())
    if joined is not None and name_key(joined[1]) in words:
        return NO_CUE
    return cue if "," not in found[0] else cue._replace(direct=False)


@cache
def _cue_words(language: str) -> Mapping[str, Cue]:
    """Return what each title and each word for a relative tells, by its key."""
    table = tomllib.loads(find_text("name-cues.toml"))
    found: dict[str, Cue] = {}
    genders: tuple[Gender, Gender] = ("male", "female")
    for one in (language,) if language in _LANGUAGES else _LANGUAGES:
        for relative, of_gender in table[one].items():
            for gender in genders:
                for word in of_gender[gender].split():
                    found[word] = Cue(gender, "" if relative == "titles" else relative)
    return found
