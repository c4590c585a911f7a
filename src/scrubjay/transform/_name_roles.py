"""Which names of a mention are first names and which surnames, by their place and by the lexicons.

Names that a hyphen joins are one: "Smith-Jones" is a surname, "Jean-Paul" a first name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.features.lexicons import find_lexicon
from scrubjay.transform.name_words import UNKNOWN, NameWord, Role, find_name_words, gender_of

_OFTEN, _RARELY_LAST = 3, 4
"""The class up to which a first name is a frequent one, and by how many classes it is rarer as a
surname, so that it is hardly one."""
_KNOWN_FIRST = 6
"""The class of first names up to which one tells that the strange name before it is a surname."""
_QUOTED = re.compile(r'["“„][^"“”„]+["”]')
HYPHENS = frozenset("-\u2010\u2011")
"""What joins names to one."""


def find_names(
    mention: str,
    spans: Sequence[tuple[int, int]],
    words: Sequence[NameWord],
    roles: list[Role | None],
    language: str,
) -> None:
    """Fill in which of the names are first names and which surnames."""
    if '"' in mention or "“" in mention:
        _find_nicknames(mention, spans, roles)
    names = [place for place, role in enumerate(roles) if role is None]
    if not names:
        return
    comma = _comma(mention, spans, roles)
    if comma >= 0:
        lasts = {words[place].key for place in names if spans[place][0] < comma}
        for place in names:
            # The surname may come again: "SMITH, JOHN. Mr. Smith" is a mention of slips.
            is_last = spans[place][0] < comma or words[place].key in lasts
            roles[place] = "last" if is_last else "given"
        return
    if not (mention.isupper() or mention.islower()):
        find_capitals([mention[start:end] for start, end in spans], words, roles, names)
    rows = _compounds(mention, spans, roles, names)
    if len(rows) < len(names):
        _find_compounds(words, roles, names, rows, language)
    elif "link" in roles:
        _find_group(roles, names)
    elif len(names) == 1:
        roles[names[0]] = (
            "either" if len(roles) == 1 else _lone_role(words, roles, names[0], language)
        )
    else:
        find_row(words, roles, names, language)


def _find_nicknames(
    mention: str, spans: Sequence[tuple[int, int]], roles: list[Role | None]
) -> None:
    """Fill in names between quotation marks beside others, which people are called by."""
    quoted = [match.span() for match in _QUOTED.finditer(mention)]
    inside = [
        place
        for place, (start, end) in enumerate(spans)
        if roles[place] is None and any(a < start and end < b for a, b in quoted)
    ]
    if len(inside) < roles.count(None):
        for place in inside:
            roles[place] = "given"


def find_capitals(
    texts: Sequence[str],
    words: Sequence[NameWord],
    roles: list[Role | None],
    names: Sequence[int],
) -> None:
    """Fill in which of two names in a row is a surname for its capitals: "ADJEI Abena".

    Not where the lists of names tell the other way: "JOHN Smith".
    """
    if len(names) != 2:
        return
    one, other = names
    if texts[one].isupper() == texts[other].isupper():
        return
    last, first = (one, other) if texts[one].isupper() else (other, one)
    leaning = [words[place].first - words[place].last for place in (last, first)]
    if len(texts[last]) > 2 and not leaning[0] < 0 < leaning[1]:
        roles[last], roles[first] = "last", "given"


def _compounds(
    mention: str,
    spans: Sequence[tuple[int, int]],
    roles: Sequence[Role | None],
    names: Sequence[int],
) -> Sequence[Sequence[int]]:
    """Return the names in rows, each of those that hyphens join: "Smith-Jones", "Vos-de Wit"."""
    if HYPHENS.isdisjoint(mention):
        return [(place,) for place in names]
    rows: list[list[int]] = []
    for place in names:
        before = rows[-1][-1] if rows else -1
        if before >= 0 and all(role == "particle" for role in roles[before + 1 : place]):
            end, start = spans[before][1], spans[before + 1][0]
            if mention[end:start] in HYPHENS:
                rows[-1].append(place)
                continue
        rows.append([place])
    return rows


def _find_compounds(
    words: Sequence[NameWord],
    roles: list[Role | None],
    names: Sequence[int],
    rows: Sequence[Sequence[int]],
    language: str,
) -> None:
    """Fill in the roles of names where hyphens join some: those are one first name or surname."""
    heads = [row[0] for row in rows]
    if "link" in roles:
        _find_group(roles, names)
        for row in rows:
            if len(row) > 1 and row[0] > 0 and roles[row[0] - 1] != "link":
                roles[row[0]] = "last"
    elif len(heads) == 1:
        alone = all(role is None for role in roles)
        roles[heads[0]] = "either" if alone else _lone_role(words, roles, heads[0], language)
    else:
        find_row(words, roles, heads, language, compound=len(rows[-1]) > 1)
    for row in rows:
        has_particle = row[-1] - row[0] >= len(row)
        for place in row if len(row) > 1 else ():
            roles[place] = "last" if has_particle else roles[row[0]]


def _comma(mention: str, spans: Sequence[tuple[int, int]], roles: Sequence[Role | None]) -> int:
    """Return the offset of the comma between surname and first names, or -1."""
    comma = mention.find(",")
    if comma < 0:
        return -1
    open_spans = [
        span for span, role in zip(spans, roles, strict=True) if role in (None, "initial")
    ]
    before = any(end <= comma for _, end in open_spans)
    after = any(start > comma for start, _ in open_spans)
    return comma if before and after else -1


def _find_group(roles: list[Role | None], names: Sequence[int]) -> None:
    for place in names:
        last = place == names[-1] or (place + 1 < len(roles) and roles[place + 1] == "link")
        alone = place == 0 or roles[place - 1] in ("link", "title")
        titled = place > 0 and roles[place - 1] == "title"
        given = not titled and alone and (place != names[-1] or len(names) == 1)
        roles[place] = "given" if given or not last else "last"


def _lone_role(
    words: Sequence[NameWord], roles: Sequence[Role | None], place: int, language: str
) -> Role:
    _, first, last, *_ = words[place]
    before = roles[place - 1] if place else None
    if before == "title":
        if words[place - 1].key in find_name_words().before_first:
            return "given"
        return "given" if language == "es" and _is_first_alone(words[place]) else "last"
    if before in ("particle", "initial", "given"):
        return "last"
    if place + 1 < len(roles) and roles[place + 1] == "initial":
        return "given" if first <= last and first < UNKNOWN else "last"
    return "either"


def find_row(
    words: Sequence[NameWord],
    roles: list[Role | None],
    names: Sequence[int],
    language: str,
    *,
    compound: bool = False,
) -> None:
    """Tell the roles in a row of names without a comma, by place and by the lexicons.

    `compound` says that the last of them goes on after a hyphen.
    """
    row = [words[place] for place in names]
    leaning = [word.first - word.last for word in row]  # below 0: rather a first name
    turned = row[0].first == UNKNOWN > row[0].last and leaning[-1] <= -2
    is_strange = len(row) == 2 and _is_strange(row[0]) and _is_first_only(row[1])
    turned = turned or is_strange
    titled = names[0] > 0 and roles[names[0] - 1] == "title"
    if len(names) == 2 and (
        (titled and leaning[0] >= 3)
        or (not is_strange and _are_surnames(row, roles, language, known=compound))
    ):
        turned = False
        roles[names[0]] = "last"
    if _are_behind_initials(row, roles, names, language):
        roles[names[0]] = "last"
    if len(names) == 2 and row[0].key == row[1].key:  # "Smit. Smit" of two sentences
        roles[names[0]] = roles[names[1]] = "last"
    spanish = language in ("", "es")
    for index, place in enumerate(names):
        if roles[place] is not None:
            continue
        if _after_particle(roles, place):
            roles[place] = "last"
        elif index == 0 or turned:
            roles[place] = "last" if index == 0 and turned else "given"
        elif index == len(names) - 1:
            firsts = spanish and (
                all(_is_spanish_first(word.key) for word in row) or _are_marias(row)
            )
            firsts = firsts or _are_two_firsts(row)
            roles[place] = "given" if firsts else "last"
        else:
            before_last = roles[names[index - 1]] == "last"
            roles[place] = "last" if before_last or leaning[index] > 0 else "given"


def _are_surnames(
    names: Sequence[NameWord], roles: Sequence[Role | None], language: str, *, known: bool
) -> bool:
    """Tell whether two names are the two surnames of a Spanish name, without a first name.

    If `known`, the lists have to tell: "Pere Sanz-Gallén" has a first name that they lack.
    """
    if language not in ("", "es") or "initial" in roles:
        return False
    classes = [_spanish_classes(word.key) for word in names]
    if _is_rare_first_name(names[0]):
        return False
    if language and not known and all(first >= 7 for first, _ in classes):
        return True  # the first names of Spanish are few and all known
    return all(last <= 5 and first - last >= 3 for first, last in classes)


def _are_behind_initials(
    row: Sequence[NameWord], roles: Sequence[Role | None], names: Sequence[int], language: str
) -> bool:
    """Tell whether two names beside an initial are surnames: "I. Zabalegui Ruiz", "Soto Gil C."

    In Spanish the first names are few and all known; elsewhere the lists have to tell.
    """
    if len(row) != 2:
        return False
    before = names[0] > 0 and roles[names[0] - 1] == "initial"
    behind = roles[-1] == "initial" and names[0] == 0 and language == "es"
    if before == behind:
        return False
    if language == "es":
        return _spanish_classes(row[0].key)[0] >= 7 and not _is_rare_first_name(row[0])
    return row[0].first == UNKNOWN > row[0].last


def _is_strange(word: NameWord) -> bool:
    """Tell whether no list has a name."""
    return word.first == word.last == UNKNOWN and gender_of(word.key) == ""


def _is_first_only(word: NameWord) -> bool:
    """Tell whether a word is a first name and no surname."""
    return word.last == UNKNOWN and word.first <= _KNOWN_FIRST


def _is_rare_first_name(word: NameWord) -> bool:
    """Tell whether a word is a first name by its gender and no surname: Olvido, Sagrario."""
    return word.last == UNKNOWN > word.first and gender_of(word.key, "es") != ""


def _is_first_alone(word: NameWord) -> bool:
    """Tell whether a word is in Spanish a first name and no surname: "Sr. Washington"."""
    first, last = _spanish_classes(word.key)
    return _is_rare_first_name(word) or (first <= 4 and last >= 8)


def _is_spanish_first(key: str) -> bool:
    first, last = _spanish_classes(key)
    return first <= 3 and first < last


def _are_marias(row: Sequence[NameWord]) -> bool:
    """Tell whether two names are María and a second first name: "María Luz", but "María Gil"."""
    if len(row) != 2 or row[0].key != "maria":
        return False
    first, last = _spanish_classes(row[1].key)
    return first <= 4 and first <= last


def _are_two_firsts(row: Sequence[NameWord]) -> bool:
    """Tell whether two names are two first names of one sex, of which the second is hardly a
    surname: "Mary Ellen", but "John Paul"."""
    if len(row) != 2 or row[1].last - row[1].first < _RARELY_LAST:
        return False
    gender = gender_of(row[1].key)
    return gender != "" and gender_of(row[0].key) == gender and row[1].first <= _OFTEN


def _spanish_classes(key: str) -> tuple[int, int]:
    first = find_lexicon("es.first-names").get(key, UNKNOWN)
    last = find_lexicon("es.surnames").get(key, UNKNOWN)
    return first or 8, last or 8


def _after_particle(roles: Sequence[Role | None], place: int) -> bool:
    return place > 0 and roles[place - 1] == "particle"
