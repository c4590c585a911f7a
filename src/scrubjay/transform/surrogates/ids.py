"""Surrogates of numbers and codes: the same pattern, other characters, valid check digits.

Digits become digits, letters letters of their case; separators, white space and leading zeros
stay. "00-71-4482" and "00714482" become the same number in the two ways of writing, and "714482",
without the zeros, the same without them. A number that is valid by a scheme of check digits becomes
a valid one (`_check_digits`), and the last digits of a longer number of the same document ("SSN
ending in 4471") the last digits of its surrogate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import find_lexicon, normal_word
from scrubjay.transform.surrogates._check_digits import Scheme, curp_like, find_scheme, nie_like
from scrubjay.transform.surrogates._fresh import LONGER, Characters, Fresh
from scrubjay.transform.surrogates._said_numbers import say_another
from scrubjay.transform.surrogates._tables import language_of
from scrubjay.transform.surrogates.draw import Draw, fold_known
from scrubjay.transform.surrogates.net_addresses import other_address

if TYPE_CHECKING:
    from scrubjay.transform.operators import Record
    from scrubjay.transform.surrogates.maker import Maker

_RUN = re.compile(r"[^\W_]+")
_PART = re.compile(r"\d+|\D+")
_COVERED = re.compile(r"[xX]{2,}|#+")
_MIN_ENDING = 4
_SSN = re.compile(r"[0-9]{9}")
_PADDED = frozenset({"bsn", "nuss", "luhn"})
"""Schemes of numbers of which some begin with one zero, which may be left out."""
_OF_ZEROS = "insz"
"""The scheme of numbers that begin with the year of a birth: all their zeros count."""


def make_ids(
    mention_texts: Sequence[str], record: Record, draw: Draw, *, avoid: frozenset[str]
) -> list[str]:
    """Return numbers and codes of the same pattern (`maker.Maker`)."""
    return _make(mention_texts, record, draw, avoid, social=False)


def make_ssns(
    mention_texts: Sequence[str], record: Record, draw: Draw, *, avoid: frozenset[str]
) -> list[str]:
    """Return social security numbers (`maker.Maker`): those of the USA from possible areas.

    Nine digits that begin with 9 stay so (taxpayer numbers). Numbers of other countries keep
    their check digits.
    """
    return _make(mention_texts, record, draw, avoid, social=language_of(record.language) == "en")


def _new_code(
    text: str, draw: Draw, attempt: int, *, language: str, told: frozenset[str], social: bool
) -> str:
    """Return the surrogate of a code at an attempt; later attempts add a digit.

    `told` are words that it may not keep (`Fresh.until`).
    """
    address = other_address(text, draw, attempt, told) if attempt < LONGER else None
    if address is not None:
        return address
    read = _read_code(text, language, told) if told else _code_known(text, language)
    code = read.code
    zeros, rest = code[: read.zeros], code[read.zeros :]
    characters = Characters(draw, "code", rest, str(attempt))
    more = characters.filler(1 + (attempt - LONGER) // 8) if attempt >= LONGER else ""
    if not code:
        return characters.filler(max(1, sum(not c.isspace() for c in text))) + more
    scheme = read.scheme
    if social and _SSN.fullmatch(code):
        new = _social_number(code, characters)
    elif scheme is not None:
        drawn = rest[: scheme.kept] + "".join(map(characters.like, rest[scheme.kept :]))
        valid = scheme.repair(read.before + drawn) or ""
        if not valid or not valid.startswith(read.before):
            return ""
        new = zeros + valid.removeprefix(read.before)
    else:
        new = "".join([_part(part, characters) for part in read.parts])
        if language == "es":
            new = nie_like(code, new) or curp_like(code, new) or new
    return _lay_over(text, read, new) + more


@dataclass(frozen=True, slots=True, repr=False)
class _Code:
    """The letters and digits of a code that change: their runs in the text, and all in one.

    `parts` are the runs of digits and of what is none in `code`; `has_small` tells that the text
    may have small letters among them. `zeros` are those before a number: what it becomes does not
    depend on them. The number behind them is valid by `scheme` with `before` in front of it.
    """

    runs: tuple[tuple[int, int], ...]
    code: str
    scheme: Scheme | None
    parts: tuple[str, ...]
    has_small: bool
    zeros: int
    before: str


def _read_code(text: str, language: str, told: frozenset[str]) -> _Code:
    runs = [match.span() for match in _RUN.finditer(text)]
    runs = [(start, end) for start, end in runs if not _stays(text[start:end], language, told)]
    old = "".join(text[start:end] for start, end in runs)
    code = old.upper() if len(old.upper()) == len(old) else old
    zeros, before = 0, ""
    if code.isascii() and code.isdigit() and code.strip("0"):
        zeros = len(code) - len(code.lstrip("0"))
        scheme, before = _scheme_behind_zeros(code, zeros, language)
        zeros = zeros if scheme is None or scheme.name != _OF_ZEROS else 0
    else:
        scheme = find_scheme(code)
    parts = tuple(_PART.findall(code))
    return _Code(tuple(runs), code, scheme, parts, old.upper() != old, zeros, before)


def _scheme_behind_zeros(code: str, zeros: int, language: str) -> tuple[Scheme | None, str]:
    """Return the scheme of a number that it has with and without zeros before it.

    And what has to stand before the number without them. Of schemes by which both are valid that
    of the number without them counts, but in Dutch notes, whose numbers of persons are padded.
    """
    own = find_scheme(code) if zeros else None
    if own is not None and own.name == _OF_ZEROS:
        return own, ""
    bare = find_scheme(code[zeros:])
    padded = find_scheme(f"0{code[zeros:]}")
    padded = padded if padded is not None and padded.name in _PADDED else None
    if padded is not None and (bare is None or (language == "nl" and padded.name == "bsn")):
        return padded, "0"
    return bare, ""


@text_cache(2048)  # those of a patient are in many documents
def _code_known(text: str, language: str) -> _Code:
    return _read_code(text, language, frozenset())


def _make(
    texts: Sequence[str], record: Record, draw: Draw, avoid: frozenset[str], *, social: bool
) -> list[str]:
    fresh = Fresh(draw, avoid)
    language = language_of(record.language)
    codes = {text: "".join(_RUN.findall(text)) for text in texts}
    made: dict[str, str] = {}
    for text in sorted(codes, key=lambda text: (-len(codes[text]), text)):
        made[text] = _ending_of(text, codes, made, fresh) or fresh.until(
            text,
            lambda attempt, told, text=text: (  # type: ignore[misc]
                say_another(text, draw, attempt, language=language, among_words=True)
                or _new_code(text, draw, attempt, language=language, told=told, social=social)
            ),
        )
    return [made[text] for text in texts]


def _ending_of(
    text: str, codes: Mapping[str, str], made: Mapping[str, str], fresh: Fresh
) -> str | None:
    """Return the end of the surrogate of a longer number that ends with this one, or None."""
    code = codes[text]
    if not (len(code) >= _MIN_ENDING and code.isdigit() and code == text):
        return None
    for longer, new in made.items():
        if len(codes[longer]) > len(code) and codes[longer].endswith(code):
            ending = "".join(_RUN.findall(new))[-len(code) :]
            if ending != code and ending not in fresh.refused:
                return ending
    return None


def _stays(run: str, language: str, told: frozenset[str]) -> bool:
    """Tell whether a run says what the number is ("MRN", "no") or is covered ("xxx")."""
    if _COVERED.fullmatch(run):
        return True
    if not run.isalpha() or (told and fold_known(run) in told):
        return False
    return normal_word(run) in find_lexicon(f"{language}.id-words")


def _part(part: str, characters: Characters) -> str:
    if part.isdecimal():
        return characters.digit_run(part)
    return "".join(map(characters.like, part))


def _social_number(code: str, characters: Characters) -> str:
    if code[0] == "9":
        area = 900 + characters.below(100)
    else:
        area = 1 + characters.below(772)
        area += area >= 666
    return f"{area:03d}{1 + characters.below(99):02d}{1 + characters.below(9999):04d}"


def _lay_over(text: str, read: _Code, new: str) -> str:
    """Return the text with its runs replaced by the characters of `new`, in the case they had."""
    pieces: list[str] = []
    position = used = 0
    for start, end in read.runs:
        piece = new[used : used + end - start]
        if read.has_small:
            pairs = zip(text[start:end], piece, strict=True)
            piece = "".join([n.lower() if o.islower() else n for o, n in pairs])
        pieces += (text[position:start], piece)
        position, used = end, used + end - start
    return "".join(pieces) + text[position:]


MAKERS: Mapping[str, Maker] = {"id": make_ids, "ssn": make_ssns}
"""Kind of label (`scrubjay.labels.KINDS`) -> maker."""
