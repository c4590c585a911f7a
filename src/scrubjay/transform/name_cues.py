"""What the words before a mention tell of its person: "his wife", "Mevr.", "hijo".

A title tells a gender ("Dr." none), a word for a relative besides which one. They count right
before the mention, in brackets behind it ("Robin (wife)"), or before a comma, a colon or a bracket
("her son, Robin", "Mother: Pat Gordon"). Two titles or relatives that are joined ("Mr. and Mrs.
Smith") tell nothing. Behind a relative without a mark stands a first name ("sister Jordan"), but
for words that are rather surnames.

Of a patient, age and sex tell the gender, too (`sex_cues`), and where the first name is one of
women and men alike, so does the first pronoun behind it ("Robin Carter was seen. She").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.languages import LANGUAGES
from scrubjay.resources import load_table
from scrubjay.transform.name_words import (
    OFTEN_FIRST,
    UNKNOWN,
    Gender,
    find_name_words,
    gender_of,
    name_classes,
    name_key,
)
from scrubjay.transform.nicknames import formal_names
from scrubjay.transform.person_names import PersonName, parse_name
from scrubjay.transform.sex_cues import (
    STAFF,
    born_behind,
    pregnant_behind,
    sex_before,
    sex_behind,
    sex_field_before,
    woman_behind,
)

_AROUND = 40
_LETTER = r"[^\W\d_]"
_WORD_BEFORE = re.compile(
    rf"(?<![\w'’/-])(?i:(?:great|foster|ex)-)*({_LETTER}{{2,}}(?:-in-law)?)\.?"
    r"(?:[ \t]*[:(]|,)?(?:[ \t]|\r?\n)*\Z"
)
_BEHIND_WORD = " \t\r\n:(,."
"""What `_WORD_BEFORE` has between the word and the mention."""
_MOST_LOOKS = 4
"""The first mentions of a document beside which age and sex are looked for."""
_RELATIVE = re.compile(
    rf" \((?:(?:his|her|pt'?s|su|zijn|haar) )?({_LETTER}{{2,}}(?:-in-law)?)[),]", re.IGNORECASE
)
_BESIDE_BRACKETS = frozenset([" (", "(", ' "', ' ("', " “"])
"""What stands between a name and what its bearer is called besides: "Mr. Vang (Chue Neng)"."""
_SHORT = 4
"""Characters of a mention that may be initials or a surname."""
_WORDS = re.compile(rf"{_LETTER}{{3,}}")
_MOST_MIXED = 0.02
"""The share of words with capitals and small letters in a text that has none but for slips."""
_PRONOUN = 300
"""Characters behind a name in which a pronoun is looked for."""
_JOINED = re.compile(rf"(?<!\w)({_LETTER}+)\.?[ \t]*(?:and|&|or|en|of|y|e|o|/|\+)[ \t]*\Z", re.I)


class Cue(NamedTuple):
    """What is told of a person: the gender, which relative it is of somebody, or ""; whether the
    name follows without a mark; whether a title is told, behind which surnames stand; and whether
    the mention is a short word in the case of the whole text, which tells no initials from names.
    """

    gender: Gender
    relative: str
    direct: bool = True
    is_title: bool = False
    is_one_case: bool = False


NO_CUE = Cue("", "")


def cues_of(text: str, mentions: Sequence[tuple[Span, str]], language: str) -> list[Cue]:
    """Return what the words before each mention tell, its span and its text.

    `language` may be "" (all languages). Nothing is told of a mention that is not in the text.
    """
    language = language[:2]
    found: list[Cue] = []
    looks = _MOST_LOOKS
    case: str | None = None
    called: set[str] = set()  # the first names behind which a pronoun was looked for
    words: set[str] = set()  # of the mentions before
    last, end = NO_CUE, -1
    for span, mention in mentions:
        if not text.startswith(mention, span.start):
            found.append(NO_CUE)
            continue
        cue = _cue_before(text, span.start, language)
        if cue is NO_CUE:
            cue = _relative_behind(text, span.end, language)
        if cue.relative and name_key(mention) in words and _is_against(name_key(mention), cue):
            cue = NO_CUE  # "Lent, Kees ... echtgenote Kees": the wife of Kees
        if cue is NO_CUE and end >= 0 and text[end : span.start] in _BESIDE_BRACKETS:
            gender = last.gender
            cue = Cue(gender, "", direct=False) if gender else NO_CUE
        if looks and not cue.gender and span.label not in STAFF:
            told = _sex_beside(text, span, language, before=looks == _MOST_LOOKS)
            if told is NO_CUE:
                told = _pronoun_behind(text, span.end, mention, language, called)
            cue = cue if told is NO_CUE else told
            looks -= 1
        own = _word_case(mention) if len(mention) <= _SHORT else ""
        if own:
            case = _case_of(text) if case is None else case
            if own == case:
                cue = cue._replace(is_one_case=True)
        found.append(cue)
        words.update(map(name_key, _WORDS.findall(mention)))
        last = cue if cue.gender else Cue(parse_name(mention, language).gender, "")
        end = span.end
    return found


def name_beside(mention: str, language: str, cue: Cue) -> PersonName:
    """Return `parse_name` of a mention with what a cue tells; a title within it tells more."""
    if cue is NO_CUE or cue == NO_CUE:  # identity first: nearly all are this one
        return parse_name(mention, language)
    return _told(mention, language, cue)


@text_cache(4096)
def _told(mention: str, language: str, cue: Cue) -> PersonName:
    name = parse_name(mention, language)
    given = name.keys("given") or name.keys("either")
    own = gender_of(given[0]) if given else ""
    against = name.gender or ("" if cue.direct else own)
    if name.is_group or (against and against != cue.gender):
        return name
    parts = name.parts
    if len(parts) == 1 and parts[0].role == "either":
        if cue.relative and _is_first(parts[0].key, child=cue.relative == "child"):
            parts = (parts[0]._replace(role="given"),)
        elif cue.is_title and cue.direct and _is_last(parts[0].key):
            parts = (parts[0]._replace(role="last"),)
    elif len(parts) == 1 and parts[0].role == "initial" and cue.is_one_case:
        key = parts[0].key
        if len(key) > 1 and (cue.is_title or name_classes(key)[1] < UNKNOWN):
            parts = (parts[0]._replace(role="last"),)
    return PersonName(parts, cue.gender or name.gender, cue.relative)


def _is_first(key: str, *, child: bool = False) -> bool:
    """Tell whether a word is rather a first name; of a `child` it may be as rare as one."""
    first, last = name_classes(key)
    return len(key) > 1 and (first <= OFTEN_FIRST or first <= last + (child and first < UNKNOWN))


def _is_last(key: str) -> bool:
    """Tell whether a word behind a title is a surname: "Mrs. Lee", but not "Ms. Jamie"."""
    first, last = name_classes(key)
    return len(key) > 1 and last <= first


def _is_against(key: str, cue: Cue) -> bool:
    """Tell whether a first name is one of the other sex than a relative is."""
    own = gender_of(key)
    return own != "" and own != cue.gender != ""


def _case_of(text: str) -> str:
    """Return the case in which nearly all words of a text are, or "" for those of both."""
    cases = Counter(map(_word_case, _WORDS.findall(text)))
    case = max(cases, key=cases.__getitem__, default="")
    return case if case and cases[""] <= _MOST_MIXED * cases.total() else ""


def _word_case(word: str) -> str:
    return "lower" if word.islower() else "upper" if word.isupper() else ""


def _cue_before(text: str, start: int, language: str) -> Cue:
    before = text[max(0, start - _AROUND) : start]
    last = before.rstrip(_BEHIND_WORD)
    if last.lower().endswith(_adjectives(language)):
        behind = before[len(last) :]
        adjective = next(each for each in _adjectives(language) if last.lower().endswith(each))
        last = last[: -len(adjective)]
        before = last + behind
    begin = last.rfind(" ") + 1
    cue, place = _told_by(before[begin:], language)
    if cue is NO_CUE:
        return cue
    joined = _JOINED.search(before, 0, begin + place)
    return NO_CUE if joined is not None and name_key(joined[1]) in _cue_words(language) else cue


def _relative_behind(text: str, end: int, language: str) -> Cue:
    """Return what a word for a relative in brackets behind a name tells: "Robin (his wife)"."""
    found = _RELATIVE.match(text, end, end + _AROUND) if text[end : end + 2] == " (" else None
    cue = None if found is None else _cue_words(language).get(name_key(found[1]))
    return NO_CUE if cue is None or not cue.relative else cue._replace(direct=False)


@cache
def _adjectives(language: str) -> tuple[str, ...]:
    """Return what stands between a word for a relative and a name, with the blank before it."""
    table = load_table("surrogates", "name-cues.toml")["adjectives"]
    known = (language,) if language in LANGUAGES else LANGUAGES
    return tuple(
        " " + word.replace("_", " ") for one in known for word in table.get(one, "").split()
    )


@text_cache(4096)  # few words stand before most mentions
def _told_by(before: str, language: str) -> tuple[Cue, int]:
    """Return what the last word of a text tells of a name right behind, and where it begins."""
    words = _cue_words(language)
    last = before.rstrip(_BEHIND_WORD)
    # Nearly every mention is told at this look: the word before it is none that tells anything.
    if last.isalpha():
        if name_key(last) not in words:
            return NO_CUE, 0
    elif not last[-1:].isalnum():
        return NO_CUE, 0
    found = _WORD_BEFORE.search(before)
    cue = None if found is None else words.get(name_key(found[1]))
    if found is None or cue is None:
        return NO_CUE, 0
    return cue if "," not in found[0] else cue._replace(direct=False), found.start()


def _sex_beside(text: str, span: Span, language: str, *, before: bool) -> Cue:
    """Return what age and sex beside a mention tell, with `before` those that stand before it, too.

    There age and sex without a key tell no more than the name does not.
    """
    gender = sex_behind(text, span.end, language)
    if before and not gender:
        gender = sex_field_before(text, span.start, language)
    if gender:
        return Cue(gender, "")
    gender = sex_before(text, span.start, language) if before else ""
    if not gender and language in ("", "es"):
        gender = "female" if woman_behind(text, span.end) else born_behind(text, span.end)
    if not gender and before and pregnant_behind(text, span.end):
        gender = "female"
    return Cue(gender, "", direct=False) if gender else NO_CUE


def _pronoun_behind(text: str, end: int, mention: str, language: str, called: set[str]) -> Cue:
    """Return what a pronoun tells of a first name of either sex, where it is first written."""
    name = parse_name(mention, language)
    key = next((part.key for part in name.parts if part.role in ("given", "either")), "")
    if name.gender or key in called or not _is_either(key, language):
        return NO_CUE
    if "given" not in (part.role for part in name.parts) and not _is_first(key):
        return NO_CUE
    called.add(key)
    found = _pronouns(language).search(text, end, end + _PRONOUN)
    if found is None:
        return NO_CUE
    return Cue("male" if found["male"] else "female", "")


@text_cache(4096)
def _is_either(key: str, language: str) -> bool:
    """Tell whether a first name, or what it is short for, is one of women and men alike."""
    if name_classes(key)[0] == UNKNOWN:
        return False
    return not gender_of(key, language) or len(set(map(gender_of, formal_names(key)))) > 1


@cache
def _pronouns(language: str) -> re.Pattern[str]:
    """Return what finds the pronouns of one sex, as `male` or `female`."""
    table = load_table("surrogates", "name-cues.toml")["pronouns"]
    known = (language,) if language in LANGUAGES else LANGUAGES
    groups = (
        f"(?P<{gender}>{'|'.join(table[one][gender] for one in known)})"
        for gender in ("male", "female")
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(groups)})(?!\w)", re.IGNORECASE)


@cache
def _cue_words(language: str) -> Mapping[str, Cue]:
    """Return what each title and each word for a relative tells, by its key."""
    table = load_table("surrogates", "name-cues.toml")
    found: dict[str, Cue] = {}
    before_first = find_name_words().before_first
    genders: Mapping[str, Gender] = {"male": "male", "female": "female", "either": ""}
    for one in (language,) if language in LANGUAGES else LANGUAGES:
        for relative, of_gender in table[one].items():
            for gender, listed in of_gender.items():
                for word in listed.split():
                    is_title = relative == "titles"
                    told = "" if is_title else relative
                    is_surnames = is_title and word in find_name_words().titles
                    is_surnames = is_surnames and word not in before_first
                    found[word] = Cue(genders[gender], told, is_title=is_surnames)
    return found
