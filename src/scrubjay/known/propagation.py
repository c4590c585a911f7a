"""Propagation: what was found once in a record is found everywhere in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from scrubjay.caching import text_cache
from scrubjay.document import Span, in_order
from scrubjay.features.lexicons import is_listed
from scrubjay.features.protected import protected_pieces
from scrubjay.known._allowed import without_allowed
from scrubjay.known._cued import is_cued, is_told_at_head
from scrubjay.known._everyday import is_letter_code, is_value_of_letters
from scrubjay.known._word_tables import fold
from scrubjay.known.eponyms import is_eponym
from scrubjay.known.layers import overlay
from scrubjay.known.people import (
    TITLES,
    Strength,
    common_words,
    is_also_a_name,
    is_seldom_word,
    is_surname,
    strength_of,
)
from scrubjay.known.terms import Keys, Terms, make_terms
from scrubjay.known.words import (
    is_capitalised,
    over_lines,
    split_words,
    split_words_anew,
    without_hyphenation,
)
from scrubjay.languages import LANGUAGES
from scrubjay.text.one_case import stands_in_capitals

SOURCE = "propagated"
_USERNAME = "username"
_NAMES = frozenset(["name", "relative", _USERNAME])
_CODES = frozenset(["phone", "email", "url", "ip", "ssn", "id", "zip"])
_PLACES = frozenset(["street", "address", "city", "hospital", "organization", "place", "territory"])
_CALLED = _NAMES | _PLACES
_TELLING = _CODES | _PLACES | {"date"}
_LISTED_ROLES = """
    adm admin bed biomed clinic clk cna desk emr ems ehr his hla icu kiosk lpn lvn med mgr micu msw
    nicu nnp nurses obs ops pacs path peds pharm pharmd phlebo picu resp rph scribe sicu svc sys
    tech triage unit user
"""
_ROLES = frozenset(_LISTED_ROLES.split())
"""Words of usernames that tell what somebody does, or where: "lpn.osgood2", "icu02".

None of them is anybody's name, as "lis", "ward" and "clerk" are."""
_ASCII_WORD = re.compile(r"[a-z]+|[0-9]+", re.IGNORECASE | re.ASCII)
_NO_PARTS = TITLES | frozenset(["neg", "negative", "negatief", "negativo", "negativa"])
"""Words of mentions that are nobody's name: a result that was taken for a part of one, too."""
_MOST_NAMES, _MOST_PAIRS = 5, 400
_WORDS_OF_A_LETTER = frozenset("aioyuesmd")
"""Letters that are words, or stand before other words: "A Young", "S. Young" for South."""
_LEAST_PART = 3
_LEAST_RARE = 5
"""Letters of a name that means a person in lower case, too: shorter ones are too often words."""
_NOBODIES = ("titles", "relatives", "id-words", "date-words", "facility-words")
"""Kinds of lists whose words are nobody's name where they are everyday ones as well."""

_LEAST_PLACE = 4
_LEAST_CODE = 5
_MOST_WORDS = 30


_FORMS_KEPT = 16_384
"""Mentions of which a process keeps what to look for."""


class _Asked(IntEnum):
    """What is asked of a place where the words stand again."""

    NOTHING = 0
    CAPITAL = 1
    """A capital letter, or a cue beside it (`_cued`)."""
    CUE = 2
    NEAR = 3
    """Capitals, as an initial and a surname stand: a blank or a full stop between."""
    TURNED = 4
    """Capitals, and a comma between."""
    HEAD = 5
    """Behind a time or a bed, and before what somebody does (`is_told_at_head`)."""


_GAPS = {
    _Asked.NEAR: re.compile(r"\.[ ]?|[ \u00a0]"),
    _Asked.TURNED: re.compile(r"[ ]?,[ ]{0,2}"),
}
"""What stands between the two words of a short name."""

_Form = tuple[_Asked, str]
"""What is asked, and the folded text that it must have, marks included.

"" leaves the marks between words open.
"""

_Forms = tuple[tuple[Keys, _Form], ...]


@dataclass(frozen=True, slots=True)
class Propagation:
    """Finds the other places of what was found in a record: one document, or several of a patient.

    Names are found whole in any case, and by each part that is no everyday word, or in English a
    seldom one, where it is written with a capital, which among capitals alone tells nothing of
    an everyday word; words of usernames that tell what somebody does
    ("lpn.osgood2") are none. Of other everyday words, of parts of two letters and of small letters
    a cue has to tell (`_cued`): "Mr. Day", "Bo's". A part of five letters that stands in no
    clinical term is found in any case, too ("marisol: can you call"), where it is the whole name
    and no surname, since many of those are words.
    Numbers, net addresses, places and full dates are found as they were written: the bed "K3" is
    not in "K 3", and no short code in a value, as "K 3,4" and "K3.4" are. What is part of
    the name of a disease, a sign or a device is not found (`eponyms`). `kind_of`
    gives the kind of a label (`scrubjay.labels.KINDS`); `language` tells everyday words and
    clinical terms.
    """

    kind_of: Callable[[str], str]
    language: str
    _kinds: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def spread(
        self,
        texts: Sequence[str],
        found: Sequence[Iterable[Span]],
        *,
        allow: Terms | None = None,
    ) -> list[tuple[Span, ...]]:
        """Return the spans of each text of a record with those of all other places among them.

        `found` are those of each text, disjoint. They stay as they are, but for names within a
        whole name of somebody; the new ones have no score, and where they overlap the others, keep
        what is left. A name that `allow` holds is not found again in its terms, nor before a dose
        (`_allowed`). The time grows with the length of the texts alone.
        """
        sorted_spans = [in_order(spans) for spans in found]
        forms = self._forms(texts, sorted_spans)
        if not forms:
            return sorted_spans
        terms = make_terms(dict.fromkeys(forms, ""))
        kinds = self._kinds.items()
        names = frozenset([label for label, kind in kinds if kind in _NAMES])
        called = frozenset([label for label, kind in kinds if kind in _CALLED])
        matches = [terms.find(split_words(text)) for text in texts]
        if allow is not None:
            matches = without_allowed(texts, sorted_spans, matches, allow, self.language)
        return [
            _laid_over(text, spans, places, forms, self.language, names, called)
            for text, spans, places in zip(texts, sorted_spans, matches, strict=True)
        ]

    def _forms(
        self, texts: Sequence[str], found: Sequence[Sequence[Span]]
    ) -> dict[Keys, tuple[str, _Form]]:
        """Return what to look for: by the keys of its words the label to give and the form."""
        mentions = dict.fromkeys(  # in their order, each once
            (form, span.label)
            for text, spans in zip(texts, found, strict=True)
            for span in spans
            for form in _written(text[span.start : span.end])
        )
        kinds = self._kinds
        for _, label in mentions:
            if label not in kinds:
                kinds[label] = self.kind_of(label)
        told = [(label, _forms_of(text, kinds[label], self.language)) for text, label in mentions]
        forms: dict[Keys, tuple[str, _Form]] = {}
        for place in (0, 1):  # whole mentions before parts of others
            for label, each in told:
                for keys, form in each[place]:
                    if keys not in forms:
                        forms[keys] = label, form
        for keys, label in _short_with_surname(told, kinds):
            forms.setdefault(keys, (label, (_Asked.NOTHING, " ".join(keys))))
        return forms


def _short_with_surname(
    told: Sequence[tuple[str, tuple[_Forms, _Forms]]], kinds: Mapping[str, str]
) -> Iterator[tuple[Keys, str]]:
    """Yield each lone name before each surname, with its label: "kate dole", of Kathryn Dole, Kate.

    A surname is the last word of a mention that has several; names alone have parts.
    """
    lone = {
        parts[0][0]: label
        for label, (whole, parts) in told
        if parts and not whole and (len(key := parts[0][0][0]) > 2 or is_also_a_name(key))
    }
    if not lone:
        return
    found = {whole[0][0][-1] for label, (whole, _) in told if whole and kinds[label] in _NAMES}
    lasts = sorted(last for last in found if len(last) >= _LEAST_PART)
    if len(lone) * len(lasts) <= _MOST_PAIRS:
        for keys, label in lone.items():
            yield from (((*keys, last), label) for last in lasts)


@text_cache(_FORMS_KEPT)
def _forms_of(text: str, kind: str, language: str) -> tuple[_Forms, _Forms]:
    """Return the forms of a mention as a whole, and those of its parts."""
    if kind in _NAMES:
        keys, surfaces = _words_of(text)
        if len(keys) > _MOST_WORDS:
            return (), ()
        parts = tuple(_name_parts(keys, surfaces, language, is_login=kind == _USERNAME))
        if len(keys) > 1 and any(len(key) >= _LEAST_PART for key in keys):
            return ((keys, (_Asked.NOTHING, "")), *_other_forms(text, keys, language)), parts
        return tuple(_short_forms(text, keys, language)), parts
    if kind not in _TELLING:
        return (), ()
    keys, _ = _words_of(text)
    if not 0 < len(keys) <= _MOST_WORDS or not _is_telling(kind, keys, language):
        return (), ()
    is_open = kind in _PLACES and not is_letter_code(keys)
    asked = _Asked(is_open and len(keys) == 1)
    return ((keys, (asked, "" if is_open else fold(text))),), ()


def _written(mention: str) -> tuple[str, ...]:
    """Return a mention as it stands, and without a hyphen that cuts a word at a line end."""
    if "-" not in mention and mention.isascii():
        return (mention,)
    whole = without_hyphenation(mention)
    return (mention,) if whole == mention else (mention, whole)


def _words_of(text: str) -> tuple[Keys, Sequence[str]]:
    """Return the keys of the words of a mention, and how they are written."""
    if text.isascii():
        return tuple(_ASCII_WORD.findall(text.lower())), _ASCII_WORD.findall(text)
    words = split_words_anew(text)
    return words.keys, [words.surface(place) for place in range(len(words))]


def _name_parts(
    keys: Keys, surfaces: Sequence[str], language: str, *, is_login: bool
) -> Iterator[tuple[Keys, _Form]]:
    """Yield the parts of a name that are found by themselves; `is_login`: of a username."""
    for key, surface in zip(keys, surfaces, strict=True):
        if len(key) < 2 or not key.isalpha() or key in _NO_PARTS or (is_login and key in _ROLES):
            continue
        strength = strength_of(key, language) if len(key) >= _LEAST_PART else Strength.COMMON
        if strength is Strength.STRONG:
            free = _is_free(key, language, alone=len(keys) == 1) or not is_capitalised(surface)
            yield (key,), (_Asked(not free), "")
        elif is_capitalised(surface):
            if len(key) >= _LEAST_PART and is_seldom_word(key, language):
                yield (key,), (_Asked.CAPITAL, "")
            elif strength is Strength.COMMON and not is_login:
                if _is_called(key, language) or _are_initials(keys, surface):
                    yield (key,), (_Asked.CUE, "")
                elif len(keys) > 1 and is_also_a_name(key):
                    yield (key,), (_Asked.HEAD, "")


def _are_initials(keys: Keys, surface: str) -> bool:
    """Tell whether a mention is two capitals alone: "KD", which a legend explains: "KD = ..."."""
    return len(keys) == 1 and len(surface) == _LEAST_PART - 1 and surface.isupper()


def _is_free(key: str, language: str, *, alone: bool) -> bool:
    """Tell whether a word means a person even where it is written small: a lone rare name."""
    is_rare = len(key) >= _LEAST_RARE and key not in protected_pieces(language)
    return alone and is_rare and not is_surname(key)


@text_cache(_FORMS_KEPT)
def _is_called(key: str, language: str) -> bool:
    """Tell whether somebody may be called by an everyday or short word: no title, no relative."""
    language = language if language in LANGUAGES else "en"
    lists = [f"{language}.{kind}" for kind in _NOBODIES]
    return is_also_a_name(key) and not is_listed(key, *lists)


def _is_telling(kind: str, keys: Keys, language: str) -> bool:
    """Tell whether a mention can only mean the same wherever it stands again."""
    size = sum(map(len, keys))
    if kind in _CODES:
        return size >= _LEAST_CODE
    if kind in _PLACES:
        if len(keys) > 1:
            return not common_words(language).issuperset(keys)
        return size >= _LEAST_PLACE and keys[0] not in common_words(language)
    return len(keys) > 2 or (len(keys) == 2 and not all(map(str.isdigit, keys)))


def _other_forms(text: str, keys: Keys, language: str) -> Iterator[tuple[Keys, _Form]]:
    """Yield a full name with a comma turned, and one with an initial for its first name.

    The latter where the surname is an everyday word, which is not found by itself: "H Young".
    """
    names = tuple(key for key in keys if key not in TITLES)
    if len(names) == 2:
        has_comma = "," in text
        if has_comma and min(map(len, names)) >= _LEAST_PART:
            yield names[::-1], (_Asked.NOTHING, "")
        elif not all(strength_of(name, language) is Strength.STRONG for name in names):
            yield names[::-1], (_Asked.NEAR if has_comma else _Asked.TURNED, "")
        names = names[::-1] if has_comma else names
    if not 2 <= len(names) <= _MOST_NAMES or len(names[0]) < 2 or names[0][0] in _WORDS_OF_A_LETTER:
        return
    last = names[-1]
    if len(last) < _LEAST_PART or not all(map(str.isalpha, names)):
        return
    if strength_of(last, language) is not Strength.STRONG:
        yield (names[0][0], last), (_Asked.CAPITAL, "")


def _short_forms(text: str, keys: Keys, language: str) -> Iterator[tuple[Keys, _Form]]:
    """Yield a name of two words of one letter or two, as it stands and turned: "S. Au", "Au, S"."""
    if len(keys) != 2 or max(map(len, keys)) < 2 or not all(map(str.isalpha, keys)):
        return
    if TITLES.isdisjoint(keys):
        yield keys, (_Asked.TURNED if "," in text else _Asked.NEAR, "")
        yield from _other_forms(text, keys, language)


def _initial_before(text: str, start: int, label: str, spans: Sequence[Span]) -> int:
    """Return where the initial before a part of a name begins, if a mention has a name with it.

    Beside "Hope Lanza" it is the "H" of "H Lanza", and of "H. Lanza".
    """
    place = start - 2 - (text[start - 2 : start - 1] == ".")
    letter = text[place : place + 1] if place >= 0 else ""
    if not letter.isupper() or (place and (text[place - 1].isalnum() or text[place - 1] in "'’-")):
        return start
    if letter.lower() in _WORDS_OF_A_LETTER:
        return start
    for span in spans:
        if span.label == label and text[span.end - 1 : span.end].isalpha():
            words = text[span.start : span.end].replace(",", " ").split()
            if len(words) > 1 and any(word[0] == letter and word[1:] for word in words):
                return place
    return start


def _first_and_last(text: str, start: int, end: int, keys: Keys) -> tuple[int, int]:
    """Return where the first word of a match ends, and where the last one begins.

    A word is as long as its key where it is in ASCII, else it may have marks and ligatures, or be
    cut at a line end.
    """
    if text[start:end].isascii() and "\n" not in text[start:end]:
        return start + len(keys[0]), end - len(keys[-1])
    words = split_words_anew(text[start:end])
    if words.keys != keys:
        words = over_lines(words) or words
    return start + words.ends[0], start + words.starts[-1]


def _is_as_asked(text: str, start: int, end: int, keys: Keys, asked: _Asked, language: str) -> bool:
    """Tell whether words begin with capitals, or one has a cue beside it (`is_cued`).

    Among capitals alone those of an everyday word tell nothing.
    """
    if asked in _GAPS:
        first, last = _first_and_last(text, start, end, keys)
        is_named = text[start].isupper() and text[last].isupper()
        is_word = keys[0] in _WORDS_OF_A_LETTER and asked is _Asked.NEAR and text[first] != "."
        return is_named and not is_word and _GAPS[asked].fullmatch(text, first, last) is not None
    if asked is _Asked.HEAD:
        return is_told_at_head(text, start, end, language)
    is_common = len(keys) == 1 and keys[0] in common_words(language)
    if (
        asked is _Asked.CAPITAL
        and is_capitalised(text[start : start + 1])
        and not (is_common and stands_in_capitals(text, start, end))
    ):
        return is_capitalised(text[_first_and_last(text, start, end, keys)[1]])
    return len(keys) == 1 and is_cued(text, start, end, language, is_common=is_common)


def _laid_over(
    text: str,
    spans: Sequence[Span],
    matches: Iterable[tuple[int, int, Keys]],
    forms: Mapping[Keys, tuple[str, _Form]],
    language: str,
    names: Collection[str] = (),
    called: Collection[str] = (),
) -> tuple[Span, ...]:
    """Return what `overlay` does of spans and matches; nearly all matches are spans again.

    A whole name takes the place of those of its parts, whatever these were taken for. `names` are
    the labels of persons, and `called` those of all that is called by a name.
    """
    known = {(span.start, span.end) for span in spans}
    new = []
    for start, end, keys in matches:
        if (start, end) in known:
            continue
        label, (asked, written) = forms[keys]
        if written and len(keys) == 2 and fold(text[start:end]) != written:
            # No name with the surname of another, but each by itself.
            first, last = _first_and_last(text, start, end, keys)
            places = (start, first, keys[:1]), (last, end, keys[1:])
            parts = [place for place in places if place[2] in forms]
            if parts:
                new += [
                    span
                    for span in _laid_over(text, spans, parts, forms, language)
                    if span.source == SOURCE
                ]
                continue
        if asked and not _is_as_asked(text, start, end, keys, asked, language):
            continue
        if written and fold(text[start:end]) != written:
            continue
        if is_value_of_letters(text, end, keys):
            continue
        if not written and is_eponym(text, start, end, language, outside=spans):
            continue
        if len(keys) == 1 and text[start - 1 : start] == " ":
            start = _initial_before(text, start, label, spans)
        if len(keys) > 1 and label in names:
            spans = [each for each in spans if not _is_part(each, start, end, called)]
        new.append(Span(start, end, label, source=SOURCE))
    return overlay(text, [*spans, *new]) if new else tuple(spans)


def _is_part(span: Span, start: int, end: int, called: Collection[str]) -> bool:
    """Tell whether a span is a name within a longer one."""
    return start <= span.start and span.end <= end and span.label in called
