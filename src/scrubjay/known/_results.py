"""Results beside the eponym of a test or a score: "Gleason 4+3=7", "Lachman +", "Ann Arbor IIB".

Which terms take which results is read off the listed terms of all languages: what stands before
"sign" or "test" is positive or negative, what stands before "score", "grade" or "stage" has
numbers or grades. What may as well stand beside a person is no result: ages, dates, doses, beds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from scrubjay.features.lexicons import normal_word
from scrubjay.features.phrases import PIECE, split_entry
from scrubjay.features.protected import BARE_EPONYM, protected_terms
from scrubjay.known.people import common_words
from scrubjay.languages import LANGUAGES
from scrubjay.transform.name_words import name_classes

_SIGN_WORDS = """
    sign signs test tests maneuver manoeuvre reflex phenomenon protein proteins proteinuria
    teken proef handgreep signo prueba maniobra reflejo positive positief positivo
"""
_SCORE_WORDS = """
    score scores scale classification grade grading stage staging class index category level
    thickness depth angle schaal classificatie klasse graad stadium dikte hoek
    escala clasificacion clasificación grado estadio indice índice nivel ángulo angulo
"""
_SIGNS, _SCORES = frozenset(_SIGN_WORDS.split()), frozenset(_SCORE_WORDS.split())
_GRADE = re.compile(r"\d+|i{1,3}|iv|vi?|[abc]")
_BESIDE_WORDS = "' ’ s van de del het modified revised original type and y"
_BESIDE = frozenset(_BESIDE_WORDS.split())

_FIRST_NAME = 3
"""The class of first names up to which one word is a person, whatever stands beside it."""
_FREQUENT = 1
"""The class of surnames beside which a number may be that of a bed, a dash a mark: "Wells 4"."""
_RARE = 5
"""The class from which on surnames are rare, so that "Apgar 8/9" is no person with a date."""

_END = r"(?=[ \t]*(?:[.,;:)\]/](?!\d)|[\r\n]|\Z))"
_GAP = r"(?:['’]s)?[ ]?[:=]?[ ]?"
# What persons are positive for, and a vein ("Clark IV placed") is no grade.
_GERMS = (
    r"covid|sars|hiv|mrsa|vre|esbl|flu|influenza|griep|gripe|rsv|tb|tbc|hep|hepatitis|h[bc]v|strep|"
    r"cdiff|c\.?[ ]?diff|ppd|pcr|test(?:ed|s)?|screen|swab|cultures?|kweek"
)
_VEIN = (
    r"access|placed|started|restarted|inserted|removed|fluids?|lines?|push|abx|antibiotics|drip|"
    r"infus\w*|sites?|saline|running|infiltrated|heparin|lasix|meds?|beds?|team|vanc\w*|given"
)
_SIGN = re.compile(
    _GAP
    + rf"""(?:
        (?:neg|pos)(?:ative|itive|atief|itief|ativ[oa]|itiv[oa])?\b\.?
            (?![ \t]+(?:for|about|that|to|voor|over|dat|para|por|que|{_GERMS})\b)
      | \([+-]\) | [0-4]?\+{{1,4}}{_END}
      | \+{{1,4}}(?=[ \t]+(?:on|with|in|at|and|left|right|bilat|links|rechts|beiderzijds)\b)
      | [-\u2212\u2013](?=[ \t]*[.,;)/](?!\d))
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SCORE = re.compile(
    _GAP
    + rf"""(?:
        [1-5][ ]?\+[ ]?[1-5](?:[ ]?=[ ]?(?:10|[2-9]))?(?![\w/+])
      | \d{{1,2}}(?:[.,]\d{{1,2}})?[ ]?(?:mm|cm|°|degrees|graden|grados)(?!\w)
      | \d\.\d{_END}
      | (?:1[3-9]|2\d|30)/(?:1[3-9]|2[0-9]|30){_END}
      | (?:III|II|IV|I(?=[AaBb])|V(?=[AaBb]))[AaBbEeSs]?(?![\w'’])
            (?![ ]+(?i:{_VEIN})\b) | [IV]{_END}
    )""",
    re.VERBOSE,
)
_WORDS_OF_SIGN = re.compile(rf"{_GAP}[np]", re.IGNORECASE)
# What tells that an examination is reported: without it "Murphy negative" may be of a test of hers.
_EXAMINED = re.compile(
    r"(?<!\w)(?:abd(?:o(?:men)?|ominal)?|soft|(?:non-?)?tender(?:ness)?|nt(?:/?nd)?|ruq|rlq|llq|luq|"
    r"ttp|rebound|guarding|exam(?:ination)?|p\.?/?e|on[ ]palpation|palp\w*|sign|maneuver|"
    r"gallbladder|gb|sono\w*|ultrasound|stones?|appendi\w*|mcburney|rovsing|psoas|obturator|"
    r"knee|ankle|hip|shoulder|wrist|hand|elbow|calf|calves|leg|foot|spine|neck|drawer|mcmurray|"
    r"lachman|phalen|tinel|homans?|kernig|brudzinski|hawkins|neer|spurling|babinski|romberg|"
    r"hoffmann?|slr|rom|reflex(?:es)?|dtrs?|clonus|edema|effusion|gait|msk|neuro|pivot|valgus|varus|"
    r"buik|soepel|drukpijn\w*|loslaatpijn|d[eé]fense|onderzoek|lo|teken|knie|enkel|heup|schouder|"
    r"pols|kuit|been|nek|galblaas|echo|reflexen|schuifla(?:de)?|romp|"
    r"blando|depresible|dolor|palpaci[oó]n|exploraci[oó]n|signos?|maniobra|rodilla|tobillo|"
    r"hombro|mu[nñ]eca|pantorrilla|ves[ií]cula|ecograf[ií]a|blumberg|fid)(?!\w)",
    re.IGNORECASE,
)
_BEFORE, _BEHIND = 100, 60
"""Characters on each side of a sign in which the examination is told of."""
_MINUS = re.compile(rf"{_GAP}[-\u2212\u2013][ \t]*(?=[\r\n]|\Z)")
_NUMBER = re.compile(rf"{_GAP}(?:10|[0-9])(?:{_END}|(?=[ ]?\([1-5][ ]?\+))")
_PAIR = re.compile(rf"{_GAP}(?:10|\d)[ ]?(?:/|,|and|en|y)[ ]?(?:10|\d){_END}")
_LETTER = re.compile(rf"{_GAP}[ABCD][0-9]{{0,2}}{_END}")
_PIECE = re.compile(PIECE)


@dataclass(frozen=True, slots=True)
class _Takes:
    """What a term takes: "+" or "negative", a number or a grade, or both."""

    signs: bool = False
    scores: bool = False


def result_term(text: str, start: int, end: int, begin: int) -> tuple[int, int, int] | None:
    """Return where the term around `text[start:end]` begins and ends, and the result after it.

    None where it is no part of a term that takes results, or no such result follows on the same
    line. No term begins before `begin`.
    """
    terms, longest = _terms()
    before = list(_PIECE.finditer(text, begin, start))[-longest:]
    for first in range(len(before) + 1):
        place = before[first].start() if first < len(before) else start
        keys: list[str] = []
        for piece in _PIECE.finditer(text, place):
            if len(keys) == longest:
                break
            keys.append(normal_word(piece[0]))
            takes = terms.get(tuple(keys)) if piece.end() >= end else None
            if takes is not None and not text[piece.end() : piece.end() + 1].isalnum():
                found = _after(text, piece.end(), keys, takes)
                if found:
                    return place, piece.end(), found
    return None


def _after(text: str, end: int, keys: Sequence[str], takes: _Takes) -> int:
    """Return where the result after a term ends, 0 where none stands there."""
    limit = end + 40
    words = [key for key in keys if key.isalpha()]
    first, last = name_classes(words[0]) if len(words) == 1 else (9, 9)
    if first <= _FIRST_NAME:
        return 0
    patterns = [_SIGN] if takes.signs else []
    if takes.signs and last > _FREQUENT:
        patterns.append(_MINUS)
    if takes.scores:
        patterns.append(_SCORE)
        if last > _FREQUENT:
            patterns.append(_NUMBER)
        if last >= _RARE:
            patterns += [_PAIR, _LETTER]
    for pattern in patterns:
        match = pattern.match(text, end, limit)
        if match is not None:
            is_told = pattern is not _SIGN or len(words) > 1 or _is_examined(text, end, match)
            return match.end() if is_told else 0
    return 0


def _is_examined(text: str, end: int, result: re.Match[str]) -> bool:
    """Tell whether marks are the result, or an examination is told of around it.

    "Murphy negative" alone may be of what somebody called so was tested for: who is called so is
    known where this is asked.
    """
    if not _WORDS_OF_SIGN.match(text, end):
        return True
    before = text[max(0, end - _BEFORE) : end].rsplit(None, 1)[0]
    return bool(
        _EXAMINED.search(before) or _EXAMINED.search(text[result.end() : result.end() + _BEHIND])
    )


def tells_of_examination(text: str, start: int, end: int) -> bool:
    """Tell whether an examination is told of before or behind a stretch of a text."""
    before, behind = text[max(0, start - _BEFORE) : start], text[end : end + _BEHIND]
    return bool(_EXAMINED.search(before) or _EXAMINED.search(behind))


@cache
def result_pieces() -> frozenset[str]:
    """Return the words of the terms that take results."""
    return frozenset(piece for term in _terms()[0] for piece in term)


def longest_result() -> int:
    """Return how many pieces the longest term has that takes a result."""
    return _terms()[1]


@cache
def _terms() -> tuple[Mapping[tuple[str, ...], _Takes], int]:
    """Return what each term takes, by its pieces, and the pieces of the longest one."""
    found: dict[tuple[str, ...], _Takes] = {}
    listed = [each for language in LANGUAGES for each in protected_terms(language).items()]
    bare = {tuple(split_entry(term)) for term, kind in listed if kind == BARE_EPONYM}
    for term in (term for term, kind in listed if kind == "eponym"):
        pieces = split_entry(term)
        for takes, name in _named(pieces):
            for stem in _stems(name, bare) if takes.scores else _whole(name, bare):
                known = found.get(stem, _Takes())
                found[stem] = _Takes(known.signs or takes.signs, known.scores or takes.scores)
    return found, max(map(len, found), default=0)


def _named(pieces: Sequence[str]) -> Iterator[tuple[_Takes, Sequence[str]]]:
    """Yield what a term takes, with what of it is no word for a test, a score or a grade."""
    signs = not _SIGNS.isdisjoint(pieces)
    scores = not _SCORES.isdisjoint(pieces) or _GRADE.fullmatch(pieces[-1]) is not None
    if signs or scores:
        words = [piece for piece in pieces if piece not in _SIGNS | _SCORES]
        while words and (words[-1] in _BESIDE or _ends(words[-1])):
            words.pop()
        while words and words[0] in _BESIDE:
            words.pop(0)
        yield _Takes(signs, scores), words


def _ends(word: str) -> bool:
    return not word.isalpha() or _GRADE.fullmatch(word) is not None


def _stems(name: Sequence[str], bare: set[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield the parts of a name that stand for it: a whole of several words, and bare eponyms
    beside everyday words ("Glasgow Coma", but not "Bence Jones")."""
    for first in range(len(name)):
        for last in range(first + 1, len(name) + 1):
            part, rest = tuple(name[first:last]), [*name[:first], *name[last:]]
            if (part in bare and _are_common(rest)) or (
                not rest and len(part) > 1 and not _are_common(part)
            ):
                yield part


def _whole(name: Sequence[str], bare: set[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield a name whole if it may stand for itself: "Grey Turner" makes none of "Turner"."""
    return (part for part in _stems(name, bare) if len(part) == len(name))


def _are_common(words: Sequence[str]) -> bool:
    return all(word in common_words("en") or not word.isalpha() for word in words)
